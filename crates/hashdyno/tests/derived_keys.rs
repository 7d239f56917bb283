//! PBKDF2 and HKDF; and SipHash by the crate siphasher.
#![cfg(feature = "full")]

use std::hash::Hasher;

use hashdyno::{
    ALL, Cpu, Digest, Key, KeyError, Messages, SHA1, SHA256, find, hex, hkdf, hkdf_expand, pbkdf2,
    pbkdf2_many, pbkdf2_many_on,
};
use siphasher::{sip, sip128, sip128::Hasher128};

fn derived(
    digest: &'static Digest,
    password: &[u8],
    salt: &[u8],
    rounds: u32,
    len: usize,
) -> Vec<u8> {
    let mut out = vec![0; len];
    pbkdf2(digest, password, salt, rounds, &mut out).expect("a digest with an HMAC");
    out
}

/// RFC 6070 without its longest case, and RFC 7914, section 11.
#[test]
fn pbkdf2_gives_what_the_rfcs_do() {
    let (long, salt) = (b"passwordPASSWORDpassword", b"saltSALTsaltSALTsaltSALTsaltSALTsalt");
    let cases: [(_, &[u8], &[u8], _, _); 7] = [
        (SHA1, b"password", b"salt", 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
        (SHA1, b"password", b"salt", 2, "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"),
        (SHA1, b"password", b"salt", 4096, "4b007901b765489abead49d926f721d065a429c1"),
        (SHA1, long, salt, 4096, "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"),
        (SHA1, b"pass\0word", b"sa\0lt", 4096, "56fa6aa75548099dcc37d7f03425e0c3"),
        (
            SHA256,
            b"passwd",
            b"salt",
            1,
            "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc\
                49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783",
        ),
        (
            SHA256,
            b"Password",
            b"NaCl",
            80_000,
            "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56\
                a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d",
        ),
    ];
    for (digest, password, salt, rounds, expected) in cases {
        let key = derived(digest, password, salt, rounds, expected.len() / 2);
        assert_eq!(hex(&key), expected);
    }
}

/// RFC 5869, appendix A, test cases 1 to 4.
#[test]
fn hkdf_gives_what_the_rfc_does() {
    let from = |first: u8, end: u8| (first..end).collect::<Vec<u8>>();
    let long = (0xb0..=0xff).collect::<Vec<u8>>();
    let cases = [
        (
            SHA256,
            from(0, 13),
            vec![0x0b; 22],
            from(0xf0, 0xfa),
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
        ),
        (
            SHA256,
            from(0x60, 0xb0),
            from(0, 80),
            long,
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb\
                41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87",
        ),
        (
            SHA256,
            vec![],
            vec![0x0b; 22],
            vec![],
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
        ),
        (
            SHA1,
            from(0, 13),
            vec![0x0b; 11],
            from(0xf0, 0xfa),
            "085a01ea1b10f36933068b56efa5ad81a4f14b822f5b091568a9cdd4f155fda2c22e422478d305f3f896",
        ),
    ];
    for (digest, salt, material, info, expected) in cases {
        let mut key = vec![0; expected.len() / 2];
        hkdf(digest, &salt, &material, &info, &mut key).unwrap();
        assert_eq!(hex(&key), expected);
        let extracted = Key::hmac(digest, &salt).unwrap().digest(&material);
        hkdf_expand(digest, &extracted, &info, &mut key).unwrap();
        assert_eq!(hex(&key), expected);
    }
}

/// Many passwords, over every digest, on CPUs with fewer features: in lanes or one by one, they are
/// what RFC 8018, section 5.2, says of each.
#[test]
fn many_passwords_give_what_each_does() {
    let words: Vec<Vec<u8>> = (0..70).map(|number| vec![number as u8; number * 3]).collect();
    let passwords: Vec<&[u8]> = words.iter().map(Vec::as_slice).collect();
    let salts: Vec<&[u8]> = words.iter().rev().map(Vec::as_slice).collect();
    let native = Cpu::native();
    let masks = ["-avx512f", "-avx512f,-avx2", "-avx512f,-avx2,-sha,-ssse3"];
    let cpus = masks.iter().filter_map(|mask| native.masked(mask).ok()).chain([*native]);
    let cpus: Vec<Cpu> = cpus.collect();
    for digest in ALL {
        let Ok(key) = Key::hmac(digest, passwords[1]) else { continue };
        let len = digest.output_len + 5;
        // By the definition, of one of them.
        let mut expected = Vec::new();
        for part in 1u32..=2 {
            let mut code = key.digest(&[salts[1], &part.to_be_bytes()].concat());
            let mut sum = code.to_vec();
            for _ in 1..4 {
                code = key.digest(&code);
                sum.iter_mut().zip(&code).for_each(|(sum, byte)| *sum ^= byte);
            }
            expected.extend_from_slice(&sum);
        }
        assert_eq!(derived(digest, passwords[1], salts[1], 4, len), expected[..len]);
        for count in [0, 1, 7, 20, 70] {
            let (passwords, salts) = (&passwords[..count], &salts[..count]);
            let each: Vec<u8> = passwords
                .iter()
                .zip(salts)
                .flat_map(|(password, salt)| derived(digest, password, salt, 4, len))
                .collect();
            for cpu in &cpus {
                let mut out = vec![0x55; count * len];
                let (passwords, salts) = (Messages::from(passwords), Messages::from(salts));
                pbkdf2_many_on(digest, cpu, passwords, salts, 4, &mut out).unwrap();
                assert!(out == each, "{} of {count}", digest.name);
            }
        }
    }
}

#[test]
fn what_cannot_be_derived_says_so() {
    let mut out = [0; 4];
    assert_eq!(pbkdf2(SHA256, b"", b"", 0, &mut out), Err(KeyError::NoIterations));
    let crc = find("crc32b").unwrap();
    assert_eq!(pbkdf2(crc, b"", b"", 1, &mut out), Err(KeyError::NoHmac { digest: "crc32b" }));
    assert_eq!(hkdf(crc, b"", b"", b"", &mut out), Err(KeyError::NoHmac { digest: "crc32b" }));
    let mut long = vec![0; 255 * 32 + 1];
    assert_eq!(
        hkdf(SHA256, b"", b"", b"", &mut long).unwrap_err().to_string(),
        "sha256 derives no key of 8161 bytes: expected 8160 at most"
    );
    hkdf(SHA256, b"", b"", b"", &mut long[1..]).unwrap();
    assert_eq!(pbkdf2_many(SHA256, (&[]).into(), (&[]).into(), 1, &mut []), Ok(()));
}

#[test]
#[should_panic(expected = "each has a password")]
fn no_key_is_derived_from_nothing() {
    let _ = pbkdf2_many(SHA256, (&[]).into(), (&[]).into(), 1, &mut [0; 32]);
}

/// Under keys, of every length up to some words more than lanes read at a time.
#[test]
fn siphasher_gives_the_same() {
    let key: [u8; 16] = std::array::from_fn(|at| (at * 37 + 5) as u8);
    let data: Vec<u8> = (0..200).map(|at| (at % 251) as u8).collect();
    let ours = |name: &str| Key::keyed(find(name).unwrap(), &key).unwrap();
    let keys = &["siphash-1-3", "siphash-2-4", "siphash-1-3-128", "siphash-2-4-128"].map(ours);
    let slices: Vec<&[u8]> = (0..=200).map(|len| &data[..len]).collect();
    let many = keys.each_ref().map(|key| key.digest_many(&slices));
    fn theirs(mut hasher: impl Hasher, message: &[u8]) -> [u8; 8] {
        hasher.write(message);
        hasher.finish().to_le_bytes()
    }
    fn theirs_128(mut hasher: impl Hasher + Hasher128, message: &[u8]) -> [u8; 16] {
        hasher.write(message);
        hasher.finish128().as_bytes()
    }
    for (len, message) in slices.iter().enumerate() {
        let expected: [&[u8]; 4] = [
            &theirs(sip::SipHasher13::new_with_key(&key), message),
            &theirs(sip::SipHasher24::new_with_key(&key), message),
            &theirs_128(sip128::SipHasher13::new_with_key(&key), message),
            &theirs_128(sip128::SipHasher24::new_with_key(&key), message),
        ];
        for (key, many, expected) in [0, 1, 2, 3].map(|at| (&keys[at], &many[at], expected[at])) {
            assert_eq!(key.digest(message), expected, "{key:?} of {len} bytes");
            let many = &many[len * expected.len()..][..expected.len()];
            assert_eq!(many, expected, "{key:?} of {len} bytes among many");
        }
    }
}
