//! Composite digests of published messages, of pieces of any length, and under any CPU.
#![cfg(feature = "composite")]

use hashdyno::composite::{self, ALL, Composite, S3Etag, git, s3_part_lens};
use hashdyno::{Cpu, Output, Security, find, hex};

/// How many bytes of which value, and the digest.
type Case = (usize, u8, &'static str);

fn check(name: &str, cases: &[Case]) {
    let composite = composite::find(name).unwrap();
    for (len, byte, expected) in cases {
        let message = vec![*byte; *len];
        assert_eq!(hex(&composite.digest(&message)), *expected, "{name} of {len} bytes");
    }
}

/// rclone, `backend/dropbox/dbhash/dbhash_test.go`.
#[test]
fn dropbox_as_rclone_has_it() {
    check(
        "dropbox",
        &[
            (0, b'A', "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (1, b'A', "1cd6ef71e6e0ff46ad2609d403dc3fee244417089aa4461245a4e4fe23a55e42"),
            (2, b'A', "01e0655fb754d10418a73760f57515f4903b298e6d67dda6bf0987fa79c22c88"),
            (4096, b'A', "8620913d33852befe09f16fff8fd75f77a83160d29f76f07e0276e9690903035"),
            (4194303, b'A', "647c8627d70f7a7d13ce96b1e7710a771a55d41a62c3da490d92e56044d311fa"),
            (4194304, b'A', "d4d63bac5b866c71620185392a8a6218ac1092454a2d16f820363b69852befa3"),
            (4194305, b'A', "8f553da8d00d0bf509d8470e242888be33019c20c0544811f5b2b89e98360b92"),
            (8388607, b'A', "83b30cf4fb5195b04a937727ae379cf3d06673bf8f77947f6a92858536e8369c"),
            (8388608, b'A', "e08b3ba1f538804075c5f939accdeaa9efc7b5c01865c94a41e78ca6550a88e7"),
            (8388609, b'A', "02c8a4aefc2bfc9036f89a7098001865885938ca580e5c9e5db672385edd303c"),
        ],
    );
}

/// Tests of jonelo's Jacksum, of a dozen implementations in Go, Python and Java, and of RHash.
#[test]
fn ed2k_in_both_readings() {
    check(
        "ed2k",
        &[
            (0, 0, "31d6cfe0d16ae931b73c59d7e0c089c0"),
            (9_727_999, 0, "ac44b93fc9aff773ab0005c911f8396f"),
            (9_728_000, 0, "fc21d9af828f92a8df64beac3357425d"),
            (9_728_001, 0, "06329e9dba1373512c06386fe29e3c65"),
            (19_456_000, 0, "114b21c63a74b6ca922291a11177dd5c"),
        ],
    );
    check(
        "ed2k-blue",
        &[
            (0, 0, "31d6cfe0d16ae931b73c59d7e0c089c0"),
            (9_728_000, 0, "d7def262a127cd79096a108e7a9fc138"),
            (9_728_001, 0, "06329e9dba1373512c06386fe29e3c65"),
            (19_456_000, 0, "194ee9e4fa79b2ee9f8829284c466051"),
        ],
    );
}

/// The vectors of the THEX draft, as gtk-gnutella and others test them, in hexadecimal; the last is
/// by the definition in PHP.
#[test]
fn tiger_trees() {
    check(
        "tth",
        &[
            (0, b'A', "5d9ed00a030e638bdb753a6a24fb900e5a63b8e73e6c25b6"),
            (1, 0, "aabbcca084acecd0511d1f6232a17bfaefa441b2982e5548"),
            (1024, b'A', "5fbd0e62ad016d596b77d1d28883b94fed78ecbaf4640914"),
            (1025, b'A', "7e591c1cd8f2e6121fdbcd8071ba279626b771642d10a3db"),
            (10_000_000, b'A', "102b37390d16f4bd372720b60895b1e1da4e4bbe0e360425"),
        ],
    );
}

/// By the definition in Python, with hashlib.
#[test]
fn bittorrent_roots() {
    check(
        "bittorrent-v2",
        &[
            (1, b'A', "559aead08264d5795d3909718cdd05abd49572e84fe55590eef31a88a08fdffd"),
            (16_384, b'A', "1bd4db450abc8914c2fac721cace2704ff4c16028e6d07293154dad289835694"),
            (16_385, b'A', "c519c6957c995fd92b529bf991f4844834b35ca8b2071f76be652b3a39b5ffbd"),
            (100_000, b'A', "35dd284b7c29c6de9a234463439435b831d2463d00cb45b26ca2614c2200ccf6"),
            (
                16_384 * 4096,
                b'A',
                "006538713feb8d7c8c7adeeba1e503bec4cff7065025fd8583bd1ff10f2dfb27",
            ),
            (
                16_384 * 4096 * 2 + 5,
                b'A',
                "d6d022cfd1838bee836832fce303749aa7559d61205f8b268decfa46fbbb574c",
            ),
        ],
    );
}

/// The hash of Bitcoin's first block, its reference's example, the example of the wiki's page on
/// addresses, and hashlib.
#[test]
fn digests_of_digests_as_bitcoin_has_them() {
    let block = bytes(
        "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b2\
         7ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c",
    );
    let key = bytes("0250863ad64a87ae8a2fe83c1af1a8403cb53f53e486d8511dad8a04887e5b2352");
    let long = [b'A'; 100_000];
    let digest = |name, message: &[u8]| hex(&composite::find(name).unwrap().digest(message));
    for (message, expected) in [
        (&block[..], "6fe28c0ab6f1b372c1a6a246ae63f74f931e8365e15a089c68d6190000000000"),
        (&b"hello"[..], "9595c9df90075148eb06860365df33584b75bff782a510c6cd4883a419833d50"),
        (&b""[..], "5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456"),
        (&long[..], "50dc34864ba6a2b4798df7bb940586781aba5f7ab6371fc90ee36a9cc2606712"),
    ] {
        assert_eq!(digest("sha256d", message), expected);
    }
    for (message, expected) in [
        (&key[..], "f54a5851e9372b87810a8e60cdd2e7cfd80b6e31"),
        (&b"hello"[..], "b6a9c8c230722b7c748331a8b450f05566dc7d0f"),
        (&b""[..], "b472a266d0bd89c13706a4132ccfb16f7c3b9fcb"),
        (&long[..], "288fd7fba7cb6de058bb4581683abce254a685d6"),
    ] {
        assert_eq!(digest("hash160", message), expected);
    }
    assert_eq!(composite::find("hash160").unwrap().security(), Security::Legacy);
}

fn bytes(hex: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    (0..hex.len()).step_by(2).map(digit).collect()
}

/// By hashlib; the form is that of the Amazon S3 User Guide.
#[test]
fn etags_of_objects_in_parts() {
    let message: Vec<u8> = (0..20_000_000).map(|index| (index % 251) as u8).collect();
    let etag = |digest: &str, part_len, message: &[u8]| {
        let mut hasher = Composite::s3(find(digest).unwrap(), part_len).hasher();
        message.chunks(1_000_003).for_each(|piece| hasher.update(piece));
        hasher.finish().etag()
    };
    assert_eq!(etag("md5", 8 << 20, &message), "f238683a1b8d92f8ad455461aeb11a66-3");
    assert_eq!(etag("md5", 5 << 20, &message), "c6a567dd641ca15469d648c0e8d58049-4");
    assert_eq!(etag("md5", 32 << 20, &message), "1b564e5fc76a1ad715ca122b985414a6-1");
    assert_eq!(
        etag("sha256", 8 << 20, &message),
        "de0b45fabf214928b3ff8b9b14b347f9b1d569b2f414c3a14b3625d2cce0cd8d-3"
    );
    assert_eq!(etag("md5", 8 << 20, b""), "59adb24ef3cdbe0297f05b395827453f-1");
    let part_len = |etag: &str| S3Etag::parse(etag).unwrap().part_len_of(&message);
    assert_eq!(part_len("\"c6a567dd641ca15469d648c0e8d58049-4\""), Some(5 << 20));
    assert_eq!(part_len(&hex(&find("md5").unwrap().digest(&message))), Some(message.len()));
    assert_eq!(part_len("00000000000000000000000000000000-3"), None);
    for no_etag in
        ["", "abc", "d41d8cd98f00b204e9800998ecf8427e-0", "d41d8cd98f00b204e9800998ecf8427e-x"]
    {
        assert_eq!(S3Etag::parse(no_etag), None, "{no_etag}");
    }
}

#[test]
fn lengths_of_parts_that_are_usual() {
    assert_eq!(s3_part_lens(20_000_000, 3), [8 << 20, 7 << 20]);
    assert_eq!(s3_part_lens(20_000_000, 1)[0], 64 << 20);
    assert_eq!(s3_part_lens(11 << 30, 1024), [11 << 20]);
    assert_eq!(s3_part_lens(1, 2), [] as [usize; 0]);
    assert_eq!(s3_part_lens(1, 0), [] as [usize; 0]);
}

/// AICH, info-hash of a torrent of the file `file`, TTH and ed2k of so many letters A, by RHash
/// 1.4.3.
#[rustfmt::skip]
const BY_RHASH: &[(&str, &str, &str, &str, usize)] = &[
    ("3i42h3s6nnfq2msvx7xzkyayscx5qbyj", "3656db0a7ba4a12feef413dc24cb54f6b4f1ac0e",
     "lwpnacqdbzryxw3vhjvcj64qbznghohhhzwclnq", "31d6cfe0d16ae931b73c59d7e0c089c0", 0),
    ("nxguzyr5rdro5flixjkgyad4mpmrgha3", "3d7b8e7b9a44954fc65d963edbbecebc65189bb3",
     "f33gdtsnfcylsqsr32xfih3didbsbf4grlu76va", "d5ef20eeb3f75679f86cf57f93ed0ffe", 1),
    ("wib63kb255dydxbr7tswl5cgpmxypsy6", "9f5c5b9f14e4672c2f75d39a8f2ff5b9343f0d0e",
     "mlwtt44urvhblu72lndf7l2zqmwlbkdpostqvhq", "e5bb52b6e4758fd900ac0c18428b3268", 184319),
    ("kyakzlvwxlkgrvf6zy2liklx5rmwq3pg", "f1f7201bab14b1ebc8ad560adf6dd6382a4ce4a8",
     "czaa6ksrz4vp33h4pjewyvtpziuai65x3ychhhi", "844df5986e1eec31c141584894f2e481", 184320),
    ("ac77wsj7xokncfkph26s3xnltd2ixpe5", "795424b44ffcc86b9768d26472cf45dd56c13b99",
     "dv4qwyss2d7dpyci2nt6kehdqdaztujo6i7iecy", "3718a045bf7c986c43a8a42f9bce1911", 184321),
    ("6pc4xh4l7dgktpyoqkgsntoqc5osw3dq", "236bd1e34c9bd784b49f74828fe23afa48444909",
     "tico7xwxyz4uap5hy2fjqxokf5vav5xt3rs3kni", "553448e7dfe70d532ed2bc16228b3b6a", 9728000),
    ("cxxxj7pw7pytjxschap24tazij27ggkh", "eae4619a38465904ef4838fc7dd5f2b809706b4a",
     "dgldz7hooci4uxazdkep6qlxjk6hqsxejllknzi", "4dbdab83bdfecd062ca074ecf9d32e5f", 9728001),
    ("s2hunc6attxlwzdoiwamzhaloiqous25", "557c45e2c07e2e7196d870f70343aae99e1d4056",
     "2fsrvhpl5cnlkuh6xttdeyzgxnn7gleogx5ih4q", "a7eb864bf78a5d187deee60c5cfb0fe9", 19456000),
    ("2uzgpy4daqdel53spsvzm223seoq36lm", "75b774b07d8b930aab5a0c5e29aa1f555950e869",
     "aq2s44qseiagaqfjmzeykekkapqwkzvhnepqbiq", "262a4f329acf61426f6491d80205037b", 29184000),
    ("v2hs2rx5zztw3f3luzwkh7etntalpt3e", "a3e2901ed8bf535caa6e97e3e6d3e88ba461204c",
     "ntufibiitezu42gf6amvo363us3freximmnte2a", "98ba5b747f454c613af4d5187b5cbc1c", 48640001),
    ("d4i2ga4djuiqqtq74z5ubo4b3azaxtu3", "f4d89ff7979411dcd797664b3a556f74fdc547c7",
     "cuou7upqzjvjtec4pt24iucgkefvvislulxckjy", "a4fd6990766501c5357d01632a431d6f", 70000000),
];

#[test]
fn rhash_has_the_same() {
    for (aich, btih, tth, ed2k, len) in BY_RHASH {
        let message = vec![b'A'; *len];
        for (name, expected) in [("aich", aich), ("btih", btih), ("tth", tth), ("ed2k", ed2k)] {
            let composite = composite::find(name).unwrap();
            let mut hasher = composite.hasher_of(b"folder/file", Some(*len as u64));
            hasher.update(&message);
            let composed = hasher.finish();
            assert_eq!(composed.to_string(), *expected, "{name} of {len} bytes");
            assert_eq!(composite.parse(expected), Some((composed.digest, 0)));
        }
    }
}

/// By BEP 3: the pieces are SHA-1s, one after another.
#[test]
fn pieces_of_a_torrent() {
    let btih = composite::find("btih").unwrap().with_part_len(1 << 18).unwrap();
    let message: Vec<u8> = (0..1_000_000).map(|index| (index % 251) as u8).collect();
    let mut hasher = btih.hasher_of(b"name", None);
    message.chunks(10_000).for_each(|piece| hasher.update(piece));
    let composed = hasher.finish();
    let sha1 = find("sha1").unwrap();
    let pieces: Vec<u8> = message.chunks(1 << 18).flat_map(|piece| sha1.digest(piece)).collect();
    assert_eq!((composed.parts, &composed.part_digests), (4, &pieces));
    let info = b"d6:lengthi1000000e4:name4:name12:piece lengthi262144e6:pieces80:";
    assert_eq!(composed.digest, sha1.digest(&[&info[..], &pieces, b"e"].concat()));
}

#[test]
fn objects_of_s3_as_its_tools_write_them() {
    let message = vec![7; 12 << 20];
    let md5 = find("md5").unwrap();
    let etag = composite::find("s3-etag").unwrap();
    let text = |composite: &Composite, message: &[u8]| {
        let mut hasher = composite.hasher();
        hasher.update(message);
        hasher.finish().to_string()
    };
    assert_eq!(
        text(etag, &message[..8 << 20]),
        text(&Composite::s3(md5, 8 << 20), &message[..8 << 20])
    );
    assert_eq!(text(etag, &message[1..8 << 20]), hex(&md5.digest(&message[1..8 << 20])));
    assert_eq!(text(etag, b""), "d41d8cd98f00b204e9800998ecf8427e");
    // Each part's CRC-32C, then that of the two.
    let crc32c = find("crc32c").unwrap();
    let of_parts =
        [crc32c.digest(&message[..8 << 20]), crc32c.digest(&message[8 << 20..])].concat();
    let row = composite::find("s3-crc32c").unwrap();
    let text = text(row, &message);
    assert!(text.ends_with("-2"), "{text}");
    assert_eq!(row.parse(&text), Some((crc32c.digest(&of_parts), 2)));
    assert_eq!(row.parse(&text[..text.len() - 2]), Some((crc32c.digest(&of_parts), 0)));
    for wrong in ["", "AAAA-1", "AAAAAA==-0", "AAAAAA==-x", "AAAAAA"] {
        assert_eq!(row.parse(wrong), None, "{wrong}");
    }
    assert_eq!(etag.parse("\"D41D8CD98F00B204E9800998ECF8427E-3\"").unwrap().1, 3);
    assert!(composite::find("dropbox").unwrap().with_part_len(1).is_none());
    assert!(etag.with_part_len(0).is_none());
}

/// `git hash-object`, in repositories of both kinds.
#[test]
fn identities_of_gits_objects() {
    let blob = |digest: &str, content: &[u8]| {
        let mut object = git(find(digest).unwrap(), "blob", content.len() as u64);
        object.update(content);
        hex(&object.finish())
    };
    assert_eq!(blob("sha1", b""), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
    assert_eq!(blob("sha1", b"hello\n"), "ce013625030ba8dba906f756967f9e9ca394464a");
    assert_eq!(
        blob("sha256", b""),
        "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"
    );
    assert_eq!(
        blob("sha256", b"hello\n"),
        "2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4"
    );
}

/// What is told of a blob is hashed; what is told of a torrent chooses its parts.
#[test]
fn another_length_than_was_told_is_noticed() {
    for (name, len, heeded) in [
        ("git-blob", Some(6), true),
        ("btih", Some(6), true),
        ("tth", Some(6), false),
        ("git-blob", None, false),
    ] {
        let mut hasher = composite::find(name).unwrap().hasher_of(b"", len);
        for (piece, right) in [("", false), ("hello", false), ("\n", true), ("more", false)] {
            hasher.update(piece.as_bytes());
            assert_eq!(hasher.has_told_len(), right || !heeded, "{name}, {piece:?}");
        }
    }
}

#[test]
fn pieces_and_cpus_make_no_difference() {
    let message: Vec<u8> = (0..21_000_000u32).map(|index| ((index * 131) >> 7) as u8).collect();
    let none = Cpu::native().masked("none").unwrap();
    let len = Some(message.len() as u64);
    for composite in ALL {
        let expected = composite.digest(&message);
        let part = composite.for_len(message.len() as u64).part_len.min(10_000_000);
        for piece in [1000, part - 1, part, 3 * part + 1] {
            for len in [len, None] {
                let mut hasher = composite.hasher_of(b"", len);
                message.chunks(piece).for_each(|piece| hasher.update(piece));
                assert_eq!(hasher.finish().digest, expected, "{} by {piece}", composite.name);
            }
        }
        let mut hasher = composite::CompositeHasher::new(*composite, none, b"", len);
        hasher.update(&message);
        assert_eq!(hasher.finish().digest, expected, "{}", composite.name);
    }
}

#[test]
fn parts_that_are_hashed_apart_make_the_same() {
    let message: Vec<u8> = (0..21_000_000u32).map(|index| ((index * 131) >> 7) as u8).collect();
    for composite in ALL.iter().filter(|composite| composite.has_parts()) {
        for len in [0, 1, 9_728_000, 16 << 20, 19_456_000, 21_000_000] {
            let message = &message[..len];
            let composite = composite.for_len(len as u64);
            let pieces: Vec<_> = message.chunks(composite.part_len).collect();
            let mut hasher = composite.hasher_of(b"", Some(len as u64));
            for pieces in pieces.chunks(2) {
                hasher.push(&composite.digest_parts(Cpu::native(), pieces));
            }
            let expected = composite.digest(message);
            assert_eq!(hasher.finish().digest, expected, "{} of {len}", composite.name);
            if composite.has_running_parts() {
                assert_eq!(side_by_side(&composite, message), expected, "{}", composite.name);
            }
        }
    }
}

/// The digest of a message of which three parts at a time are hashed side by side, in pieces.
fn side_by_side(composite: &Composite, message: &[u8]) -> Output {
    const PIECE: usize = 100_000;
    let mut hasher = composite.hasher_of(b"", Some(message.len() as u64));
    for batch in message.chunks(3 * composite.part_len) {
        let parts: Vec<_> = batch.chunks(composite.part_len).collect();
        // One more than there are: it comes to nothing.
        let mut running = composite.begin_parts(Cpu::native(), parts.len() + 1);
        for begin in (0..composite.part_len).step_by(PIECE) {
            let end = composite.part_len.min(begin + PIECE);
            let piece = |part: &&'_ [u8]| part.len().min(begin)..part.len().min(end);
            let pieces: Vec<_> = parts.iter().map(|part| &part[piece(part)]).collect();
            running.update(&[&pieces[..], &[&[]]].concat());
        }
        hasher.push(&running.finish(parts.len()));
    }
    hasher.finish().digest
}

#[test]
fn each_is_found_by_its_names() {
    for composite in ALL {
        for name in composite.aliases.iter().chain([&composite.name]) {
            assert_eq!(composite::find(&name.to_uppercase()), Some(composite));
            assert_eq!(find(name), None, "{name} is a digest, too");
        }
    }
    assert_eq!(composite::find("md5"), None);
}
