//! Composite digests of published messages, of pieces of any length, and under any CPU.
#![cfg(feature = "composite")]

use hashdyno::composite::{self, ALL, Composite, S3Etag, git, s3_part_lens};
use hashdyno::{Cpu, find, hex};

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

#[test]
fn pieces_and_cpus_make_no_difference() {
    let message: Vec<u8> = (0..21_000_000u32).map(|index| ((index * 131) >> 7) as u8).collect();
    let none = Cpu::native().masked("none").unwrap();
    for composite in ALL {
        let expected = composite.digest(&message);
        for piece in [1000, composite.part_len - 1, composite.part_len, 3 * composite.part_len + 1]
        {
            let mut hasher = composite.hasher();
            message.chunks(piece).for_each(|piece| hasher.update(piece));
            assert_eq!(hasher.finish().digest, expected, "{} by {piece}", composite.name);
        }
        let mut hasher = composite::CompositeHasher::new(*composite, none);
        hasher.update(&message);
        assert_eq!(hasher.finish().digest, expected, "{}", composite.name);
    }
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
