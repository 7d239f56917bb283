//! Keys: published vectors, the answers of others, and what is no key.
#![cfg(feature = "full")]

use hashdyno::{ALL, BLAKE3, Digest, Key, KeyError, Mode, Security, find, hex, hkdf, pbkdf2};
use sha2::{Digest as _, Sha256};

mod skein;

/// As `vectors/keys.py` has them.
const KEYS: [usize; 20] =
    [0, 1, 20, 63, 64, 65, 71, 72, 73, 127, 128, 129, 135, 136, 137, 143, 144, 145, 200, 300];
const MESSAGES: [usize; 18] =
    [0, 1, 3, 8, 31, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 200, 256, 1000];
const PASSWORDS: [usize; 6] = [0, 1, 63, 64, 65, 200];
const ROUNDS: [u32; 3] = [1, 2, 500];

fn key(len: usize) -> Vec<u8> {
    (0..len).map(|at| (7 * at + 3) as u8).collect()
}

fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|at| (at % 251) as u8).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("two digits");
    if hex == "-" { Vec::new() } else { (0..hex.len()).step_by(2).map(digit).collect() }
}

fn by_name(name: &str) -> &'static Digest {
    find(name).unwrap_or_else(|| panic!("no {name}"))
}

fn has_hmac(digest: &Digest) -> bool {
    let takes_its_digest = digest.output_len <= digest.hmac_block_len();
    let fixed = !digest.extendable || digest == BLAKE3;
    digest.security != Security::Checksum && fixed && takes_its_digest
}

#[test]
fn hmac_gives_what_the_rfcs_do() {
    let big = b"Test Using Larger Than Block-Size Key - Hash Key First";
    let bigger =
        b"This is a test using a larger than block-size key and a larger than block-size data. \
        The key needs to be hashed before being used by the HMAC algorithm.";
    let counted: Vec<u8> = (1..=25).collect();
    // RFC 4231 and RFC 2202.
    let cases: [(&str, &[u8], &[u8], &str); 13] = [
        (
            "sha224",
            &[0x0b; 20],
            b"Hi There",
            "896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22",
        ),
        (
            "sha256",
            &[0x0b; 20],
            b"Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
        ),
        (
            "sha256",
            b"Jefe",
            b"what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        ),
        (
            "sha256",
            &[0xaa; 20],
            &[0xdd; 50],
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
        ),
        (
            "sha256",
            &counted,
            &[0xcd; 50],
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
        ),
        (
            "sha256",
            &[0xaa; 131],
            big,
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
        ),
        (
            "sha256",
            &[0xaa; 131],
            bigger,
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
        ),
        (
            "sha384",
            b"Jefe",
            b"what do ya want for nothing?",
            "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47\
             e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649",
        ),
        (
            "sha512",
            b"Jefe",
            b"what do ya want for nothing?",
            "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554\
             9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
        ),
        ("md5", &[0x0b; 16], b"Hi There", "9294727a3638bb1c13f48ef8158bfc9d"),
        ("md5", &[0xaa; 80], big, "6b1ab7fe4bd7bf8f0b62e6ce61b9d0cd"),
        ("sha1", &[0x0b; 20], b"Hi There", "b617318655057264e28bc0b6fb378c8ef146be00"),
        ("sha1", &[0xaa; 80], big, "aa4ae5e15272d00e95705637ce8a3b55ed402112"),
    ];
    for (name, key, message, expected) in cases {
        let key = Key::hmac(by_name(name), key).unwrap();
        assert_eq!(hex(&key.digest(message)), expected, "{name}");
        assert!(key.verify(message, &bytes(expected)));
        assert!(!key.verify(b"another message", &bytes(expected)));
        assert!(!key.verify(message, &bytes(expected)[1..]));
    }
}

/// RFC 2104, section 2, by the digest alone.
#[test]
fn hmac_is_what_it_is_defined_as() {
    for digest in ALL.into_iter().filter(|digest| has_hmac(digest)) {
        let block = digest.hmac_block_len();
        for key_len in [0, 1, block - 1, block, block + 1, 3 * block] {
            let secret = key(key_len);
            let mut padded =
                if key_len > block { digest.digest(&secret).to_vec() } else { secret.clone() };
            padded.resize(block, 0);
            let with = |byte: u8, then: &[u8]| {
                let bytes: Vec<u8> =
                    padded.iter().map(|key| key ^ byte).chain(then.iter().copied()).collect();
                digest.digest(&bytes)
            };
            let hmac = Key::hmac(digest, &secret).unwrap();
            for len in MESSAGES {
                let message = pattern(len);
                let expected = with(0x5c, &with(0x36, &message));
                assert_eq!(hmac.digest(&message), expected, "{} {key_len} {len}", digest.name);
            }
        }
    }
}

/// `vectors/keys.txt`, whose lines `vectors/keys.py` tells.
#[test]
fn others_give_the_same() {
    let mut lines = 0;
    for line in include_str!("../../vectors/keys.txt").lines().filter(|line| !line.starts_with('#'))
    {
        lines += 1;
        let mut hash = Sha256::new();
        let fields: Vec<&str> = line.split(' ').collect();
        match fields[0] {
            "hmac" => {
                for key in KEYS.map(|len| Key::hmac(by_name(fields[1]), &key(len)).unwrap()) {
                    MESSAGES.iter().for_each(|len| hash.update(key.digest(&pattern(*len))));
                }
            }
            "keyed" => {
                let digest = by_name(fields[1]);
                for key_len in 1..=digest.block_len / 2 {
                    let key = Key::keyed(digest, &key(key_len)).unwrap();
                    MESSAGES.iter().for_each(|len| hash.update(key.digest(&pattern(*len))));
                }
            }
            "pbkdf2" => {
                for (len, rounds) in
                    PASSWORDS.into_iter().flat_map(|len| ROUNDS.map(|rounds| (len, rounds)))
                {
                    let mut out = [0; 100];
                    pbkdf2(by_name(fields[1]), &key(len), b"salt", rounds, &mut out).unwrap();
                    hash.update(out);
                }
            }
            "hkdf" => {
                for material in KEYS.map(key) {
                    let mut out = [0; 100];
                    hkdf(by_name(fields[1]), b"salt", &material, b"info", &mut out).unwrap();
                    hash.update(out);
                }
            }
            "kat" => kat(fields[1], &mut hash),
            "seed" => {
                let key = Key::seed(by_name(fields[1]), fields[3].parse().unwrap()).unwrap();
                assert_eq!(hex(&key.digest(&bytes(fields[4]))), fields[5], "{line}");
                continue;
            }
            other => panic!("no lines of {other}"),
        }
        assert_eq!(hex(&hash.finalize()[..16]), fields[3], "{line}");
    }
    assert!(lines >= 80, "{lines} lines");
}

/// The published vectors of that name.
fn kat(name: &str, hash: &mut Sha256) {
    const CHUNKED: [usize; 35] = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025, 2048, 2049, 3072,
        3073, 4096, 4097, 5120, 5121, 6144, 6145, 7168, 7169, 8192, 8193, 16384, 31744, 102_400,
    ];
    let counted: Vec<u8> = (0..=255).collect();
    let key = match name {
        "siphash-2-4" | "siphash-2-4-128" => Key::keyed(by_name(name), &counted[..16]),
        "highwayhash-64" | "highwayhash-128" | "highwayhash-256" => {
            Key::keyed(by_name(name), &counted[..32])
        }
        "blake2b" => Key::keyed(by_name("blake2b-512"), &counted[..64]),
        "blake2s" => Key::keyed(by_name("blake2s-256"), &counted[..32]),
        "blake2bp" => Key::keyed(by_name(name), &counted[..64]),
        "blake2sp" => Key::keyed(by_name(name), &counted[..32]),
        "blake3-keyed_hash" => Key::keyed(BLAKE3, b"whats the Elvish word for friend"),
        "blake3-derive_key" => {
            Key::derive(BLAKE3, "BLAKE3 2019-12-27 16:29:52 test vectors context")
        }
        _ => panic!("no vectors of {name}"),
    };
    let key = key.unwrap();
    let lens = match name.split('-').next() {
        Some("siphash") => 64,
        Some("highwayhash") => 65,
        _ => 256,
    };
    if !name.starts_with("blake3") {
        (0..lens).for_each(|len| hash.update(key.digest(&counted[..len])));
        return;
    }
    for message in CHUNKED.map(pattern) {
        let mut out = [0; 131];
        key.digest_into(&message, &mut out);
        assert_eq!(out[..32], *key.digest(&message));
        hash.update(out);
    }
}

/// The crate xxhash-rust: every length up to more than a block, with seeds and secrets.
#[test]
fn xxhash_rust_gives_the_same() {
    use xxhash_rust::{xxh3, xxh32::xxh32, xxh64::xxh64};
    let data = pattern(5000);
    let lens = (0..600).chain([1023, 1024, 1025, 1088, 4096, 5000]);
    let keyed = |make: fn(&'static Digest, u64) -> Result<Key, KeyError>, name, seed| {
        make(by_name(name), seed).unwrap()
    };
    for seed in [0, 1, 0x9e37_79b1, 0x0123_4567_89ab_cdef, u64::MAX] {
        let [short, long, xxh3, xxh128] =
            [("xxh32", seed & 0xffff_ffff), ("xxh64", seed), ("xxh3", seed), ("xxh128", seed)]
                .map(|(name, seed)| keyed(Key::seed, name, seed));
        for len in lens.clone() {
            let message = &data[..len];
            assert_eq!(short.digest(message), xxh32(message, seed as u32).to_be_bytes(), "{len}");
            assert_eq!(long.digest(message), xxh64(message, seed).to_be_bytes(), "{len}");
            let expected = xxh3::xxh3_64_with_seed(message, seed).to_be_bytes();
            assert_eq!(xxh3.digest(message), expected, "{len} {seed}");
            let expected = xxh3::xxh3_128_with_seed(message, seed).to_be_bytes();
            assert_eq!(xxh128.digest(message), expected, "{len} {seed}");
        }
    }
    for secret_len in [136, 137, 143, 192, 200, 256, 1024] {
        let secret: Vec<u8> =
            (0..secret_len).map(|at: usize| (at * at * 31 + 7 * at) as u8).collect();
        let [xxh3, xxh128] =
            ["xxh3", "xxh128"].map(|name| Key::secret(by_name(name), &secret).unwrap());
        for len in lens.clone() {
            let message = &data[..len];
            let expected = xxh3::xxh3_64_with_secret(message, &secret).to_be_bytes();
            assert_eq!(xxh3.digest(message), expected, "{len} under {secret_len}");
            let expected = xxh3::xxh3_128_with_secret(message, &secret).to_be_bytes();
            assert_eq!(xxh128.digest(message), expected, "{len} under {secret_len}");
        }
    }
}

/// SMHasher's verification: the digests of keys of 0 to 255 bytes under as many seeds, and that of
/// all of them. Appleby prints words least significant byte first.
#[test]
fn murmur3_has_its_verification_values() {
    for (name, word, expected) in [
        ("murmur3a", 4, 0xb0f5_7ee3u32),
        ("murmur3c", 4, 0xb3ec_e62a),
        ("murmur3f", 8, 0x6384_ba69),
    ] {
        let counted: Vec<u8> = (0..=255).collect();
        let in_his_order = |seed: u64, message: &[u8]| {
            let mut digest = Key::seed(by_name(name), seed).unwrap().digest(message).to_vec();
            digest.chunks_mut(word).for_each(<[u8]>::reverse);
            digest
        };
        let all: Vec<u8> =
            (0..256).flat_map(|len| in_his_order(256 - len as u64, &counted[..len])).collect();
        assert_eq!(in_his_order(0, &all)[..4], expected.to_le_bytes(), "{name}");
    }
    // PHP 8.2, whose seed of this one has 64 bits.
    let seeded = Key::seed(by_name("murmur3f"), 0x1234_5678_9abc_def0).unwrap();
    assert_eq!(hex(&seeded.digest(b"message")), "7abda1c98df063466726b56fcfb2922f");
}

#[test]
fn what_has_no_key_says_so() {
    let error = |key: Result<Key, KeyError>| key.unwrap_err().to_string();
    let expected =
        "crc32b has no HMAC: expected a cryptographic hash of fixed length, such as sha256";
    assert_eq!(error(Key::hmac(by_name("crc32b"), b"")), expected);
    let digest = "shake128";
    assert_eq!(Key::hmac(by_name(digest), b"").unwrap_err(), KeyError::NoHmac { digest });
    let expected =
        "ascon-hash256 has no HMAC: its digest of 32 bytes is longer than its block of 8 bytes";
    assert_eq!(error(Key::hmac(by_name("ascon-hash256"), b"")), expected);
    assert!(
        error(Key::keyed(by_name("sha256"), b"k"))
            .starts_with("sha256 has no keyed mode of its own")
    );
    assert_eq!(error(Key::keyed(BLAKE3, b"short")), "blake3 takes no key of 5 bytes: expected 32");
    assert_eq!(
        error(Key::keyed(by_name("blake2s-256"), &[0; 33])),
        "blake2s-256 takes no key of 33 bytes: expected 1 to 32"
    );
    assert!(Key::keyed(by_name("skein512-512"), b"").is_err());
    assert_eq!(
        error(Key::seed(by_name("md5"), 0)),
        "md5 takes no seed: expected an xxHash, a Murmur3 or a SpookyHash"
    );
    assert_eq!(
        error(Key::seed(by_name("xxh32"), 1 << 32)),
        "xxh32 takes no seed of 4294967296: expected 0 to 4294967295"
    );
    assert!(Key::seed(by_name("murmur3c"), 1 << 32).is_err());
    assert_eq!(
        error(Key::secret(by_name("xxh64"), &[0; 200])),
        "xxh64 takes no secret: expected xxh3 or xxh128"
    );
    assert!(Key::secret(by_name("xxh3"), &[0; 135]).is_err());
    assert!(Key::secret(by_name("xxh3"), &[0; 1025]).is_err());
    assert!(error(Key::derive(by_name("md5"), "c")).starts_with("md5 derives no keys"));
}

#[test]
fn a_key_tells_what_it_is_and_not_the_secret() {
    let key = Key::hmac(by_name("sha256"), b"secret").unwrap();
    assert_eq!(format!("{key:?}"), r#"Key { mode: Hmac, digest: "sha256", .. }"#);
    assert_eq!((key.mode(), key.algorithm().name), (Mode::Hmac, "sha256"));
    assert!(format!("{:?}", key.hasher()).starts_with("KeyedHasher { key: Key {"));
    assert!(!key.extendable() && Key::keyed(BLAKE3, &[1; 32]).unwrap().extendable());
    let mut out = [0; 31];
    assert!(std::panic::catch_unwind(move || key.digest_into(b"", &mut out)).is_err());
}
