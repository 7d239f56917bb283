//! The names of digests in Rust follow the rule in the README, and what they name is right.
#![cfg(all(feature = "md5", feature = "sha2", feature = "xxhash", feature = "crc"))]
#![forbid(unsafe_code)]

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{Hash, Hasher as _};
use std::io::{self, Write};

use hashdyno::builder::NAMES;
use hashdyno::typed::{Crc32b, Crc32c, Md5, Sha256, Sha512_256, Typed, Xxh3, Xxh32, Xxh128};
use hashdyno::{
    ALL, BuildMapHasher, FittedHasher, Hasher, MAX_OUTPUT_LEN, MapHasher, Output, SHA256,
    TypedHasher, XXH3, crc32b, crc32c, digest_many, find, md5, sha224, sha256, sha512, sha512_256,
    xxh3, xxh32, xxh128,
};

/// The constant, the function and the type of a digest of that name.
fn names(name: &str) -> [String; 3] {
    let function = name.replace(['-', '/'], "_");
    let mut typed = String::new();
    for part in name.split(['-', '/']) {
        let digit = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_digit());
        if digit(typed.bytes().last()) && digit(part.bytes().next()) {
            typed.push('_');
        }
        typed.push_str(&part[..1].to_ascii_uppercase());
        typed.push_str(&part[1..]);
    }
    [function.to_ascii_uppercase(), function, typed]
}

#[test]
fn names_follow_the_rule() {
    for (digest, given) in NAMES.iter().copied().flatten() {
        assert_eq!(given.map(str::to_owned), names(digest.name), "of {}", digest.name);
        assert_eq!(find(digest.name), Some(*digest));
    }
    assert_eq!(names("sha512-256"), ["SHA512_256", "sha512_256", "Sha512_256"]);
    assert_eq!(names("md5-sha1"), ["MD5_SHA1", "md5_sha1", "Md5Sha1"]);
}

/// There are many CRCs, most of which have a name only.
#[test]
fn every_digest_has_names_but_some_crcs() {
    let named: BTreeSet<_> =
        NAMES.iter().copied().flatten().map(|(digest, _)| digest.name).collect();
    let missing: Vec<_> = ALL
        .into_iter()
        .filter(|digest| !digest.family.starts_with("crc") && !named.contains(digest.name))
        .map(|digest| digest.name)
        .collect();
    assert!(missing.is_empty(), "no line in `digests!`: {missing:?}");
    assert!(named.contains("crc32b") && named.contains("crc32c") && named.contains("crc64-xz"));
}

/// Lengths about those at which kernels take other ways.
const LENGTHS: [usize; 12] = [0, 1, 8, 9, 55, 64, 65, 127, 128, 129, 1000, 5000];

fn message(len: usize) -> Vec<u8> {
    (0..len).map(|at| (at % 251) as u8).collect()
}

#[test]
fn functions_and_types_give_what_the_digests_do() {
    fn check<D: Typed>(
        mut hasher: TypedHasher<D>,
        function: fn(&[u8]) -> D::Value,
        bytes: fn(D::Value) -> Vec<u8>,
    ) {
        for message in LENGTHS.map(message) {
            let expected = D::DIGEST.digest(&message);
            assert_eq!(expected, bytes(function(&message)), "{}", D::DIGEST.name);
            message.chunks(17).for_each(|piece| hasher.update(piece));
            assert_eq!(expected, bytes(hasher.clone().finish()));
            assert_eq!(expected, bytes(hasher.finish_reset()));
            hasher.update(b"something else");
            hasher.reset();
            assert_eq!(bytes(hasher.finish_reset()), D::DIGEST.digest(b""));
        }
        let messages = LENGTHS.map(message);
        let slices: Vec<_> = messages.iter().map(Vec::as_slice).collect();
        let each: Vec<_> = slices.iter().map(|message| function(message)).collect();
        assert_eq!(TypedHasher::<D>::digest_many(&slices), each);
        assert_eq!(
            digest_many(D::DIGEST, &slices),
            each.into_iter().flat_map(bytes).collect::<Vec<_>>()
        );
    }
    check(Md5::new(), md5, |value| value.to_vec());
    check(Sha256::new(), sha256, |value| value.to_vec());
    check(Sha512_256::new(), sha512_256, |value| value.to_vec());
    check(Crc32b::new(), crc32b, |value| value.to_be_bytes().to_vec());
    check(Crc32c::new(), crc32c, |value| value.to_be_bytes().to_vec());
    check(Xxh32::new(), xxh32, |value| value.to_be_bytes().to_vec());
    check(Xxh3::new(), xxh3, |value| value.to_be_bytes().to_vec());
    check(Xxh128::new(), xxh128, |value| value.to_be_bytes().to_vec());
}

#[test]
fn published_values() {
    assert_eq!(
        hashdyno::hex(&sha224(b"abc")),
        "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"
    );
    assert_eq!(sha512(b"abc")[..4], [0xdd, 0xaf, 0x35, 0xa1]);
    assert_eq!(sha512_256(b"abc")[..4], [0x53, 0x04, 0x8e, 0x26]);
    assert_eq!((crc32b(b"123456789"), crc32c(b"123456789")), (0xcbf4_3926, 0xe306_9283));
    assert_eq!(xxh3(b"123456789").to_be_bytes()[..], XXH3.digest(b"123456789")[..]);
}

#[test]
fn hashers_are_writers_and_say_nothing_of_the_message() {
    let mut hasher = Hasher::new(SHA256);
    assert_eq!(io::copy(&mut &message(5000)[..], &mut hasher).unwrap(), 5000);
    let fitted: &mut FittedHasher = &mut hasher;
    write!(fitted, "secret").unwrap();
    fitted.flush().unwrap();
    let said = format!("{hasher:?}");
    assert!(said.starts_with(r#"Hasher { digest: "sha256", kernel: ""#), "{said}");
    assert!(said.ends_with("message_len: 5006, .. }"), "{said}");
    let mut typed = Sha256::default();
    typed.write_all(&message(5000)).unwrap();
    typed.write_all(b"secret").unwrap();
    typed.flush().unwrap();
    assert_eq!(format!("{typed:?}"), said);
    assert_eq!(hasher.finish(), typed.finish());
}

#[test]
fn an_output_is_its_bytes() {
    let digest = SHA256.digest(b"abc");
    assert_eq!(digest, sha256(b"abc"));
    assert_eq!(<[u8; 32]>::try_from(&digest).ok(), Some(sha256(b"abc")));
    assert_eq!(sha256(b"abc"), digest);
    assert!(<[u8; 31]>::try_from(digest.clone()).is_err());
    assert_eq!(digest.to_string(), hashdyno::hex(&digest));
    assert_eq!(format!("{digest:x}"), digest.to_string());
    assert_eq!(format!("{digest:X}"), digest.to_string().to_uppercase());
    assert_eq!(format!("{digest:66}|"), format!("{digest}  |"));
    assert_eq!(format!("{digest:?}"), format!("Output({digest})"));
    assert_eq!(Vec::from(digest.clone()), digest.clone().into_iter().collect::<Vec<_>>());
    assert_eq!((&digest).into_iter().count(), digest.as_ref().len());
    let other = Output::try_from(&b"short"[..]).unwrap();
    assert!(other != digest && other.cmp(&digest) == other[..].cmp(&digest[..]));
    assert_eq!(other, b"short");
    assert!(Output::try_from(&[0; MAX_OUTPUT_LEN][..]).is_ok());
    let long = Output::try_from(&[0; MAX_OUTPUT_LEN + 1][..]).unwrap_err().to_string();
    assert_eq!(long, "129 bytes: expected at most 128, the longest digest");
    let set = HashSet::from([digest.clone(), other]);
    assert!(set.contains(&digest) && set.contains(&b"short"[..]));
}

#[test]
fn a_map_hasher_hashes_all_that_is_written() {
    let of = |pieces: &[&[u8]]| {
        let mut hasher = MapHasher::<Xxh3>::default();
        pieces.iter().for_each(|piece| hasher.write(piece));
        assert_eq!(hasher.clone().finish(), hasher.finish(), "finish changes nothing");
        hasher.finish()
    };
    for message in LENGTHS.map(message) {
        assert_eq!(of(&[&message]), xxh3(&message), "{} bytes", message.len());
        assert_eq!(of(&message.chunks(7).collect::<Vec<_>>()), xxh3(&message));
        assert_eq!(
            of(&[&message[..message.len() / 2], &message[message.len() / 2..]]),
            xxh3(&message)
        );
    }
    let mut hasher = MapHasher::<Crc32b>::default();
    7u64.hash(&mut hasher);
    let crc = u64::from(crc32b(&7u64.to_ne_bytes()));
    assert_eq!(hasher.finish(), crc << 32 | crc, "both ends of the hash have it");
}

#[test]
fn maps_find_their_keys() {
    fn check<D: Typed<Value: Into<u64>>>(_: TypedHasher<D>) {
        let keys: Vec<_> = (0..2000).map(|key| "key".repeat(key % 90) + &key.to_string()).collect();
        let mut map = HashMap::<&str, usize, BuildMapHasher<TypedHasher<D>>>::default();
        map.extend(keys.iter().map(String::as_str).zip(0..));
        assert_eq!(map.len(), keys.len());
        assert!(keys.iter().zip(0..).all(|(key, at)| map[key.as_str()] == at));
        assert!(!map.contains_key("no key"));
    }
    check(Xxh3::new());
    check(Xxh32::new());
    check(Crc32b::new());
}
