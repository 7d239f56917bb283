//! Digests of lengths that the list does not have.
#![cfg(all(feature = "blake2", feature = "skein", feature = "keccak", feature = "blake3"))]

#[path = "harness/facts.rs"]
#[allow(dead_code)]
mod facts;

use hashdyno::{
    ALL, BLAKE2S_160, BLAKE3, Cpu, Digest, Hasher, LengthError, MAX_OUTPUT_LEN, Messages, SHA3_256,
    SHAKE128, SKEIN256_256, digest_many_by, find, hex,
};
use sha2::{Digest as _, Sha256};

/// Every length of every digest that has more than one.
fn others() -> impl Iterator<Item = &'static Digest> {
    let each = |digest: &'static Digest| {
        (1..=MAX_OUTPUT_LEN).filter_map(move |len| digest.of_bits(8 * len).ok())
    };
    ["blake2b", "blake2s", "skein256", "skein512", "skein1024"]
        .into_iter()
        .map(|name| find(name).expect("it is a name"))
        .chain(ALL.into_iter().filter(|digest| digest.extendable))
        .flat_map(each)
}

#[test]
fn blake2_and_skein_of_every_length_are_as_others_compute_them() {
    let mut count = 0;
    for words in facts::read("lengths.txt") {
        let first: usize = words[1].parse().expect("a number of bits");
        for (bits, expected) in (first..).step_by(8).zip(&words[2..]) {
            let digest = find(&format!("{}-{bits}", words[0])).expect("it has every length");
            assert_eq!(8 * digest.output_len, bits);
            let digest = digest.digest(&facts::family(200));
            assert_eq!(hex(&Sha256::digest(&digest)[..4]), *expected, "{}-{bits}", words[0]);
            count += 1;
        }
    }
    assert_eq!(count, 64 + 32 + 3 * 128);
}

/// The beginning of a longer output, as FIPS 202 has it.
#[test]
fn extendable_digests_of_another_length_are_cut() {
    for digest in ALL.into_iter().filter(|digest| digest.extendable) {
        let mut longest = [0; MAX_OUTPUT_LEN];
        digest.digest_into(&digest.bind(Cpu::native()), b"abc", &mut longest);
        for len in 1..=MAX_OUTPUT_LEN {
            let cut = digest.of_bits(8 * len).expect("it has every length");
            assert_eq!(*cut.digest(b"abc"), longest[..len], "{}", cut.name);
        }
    }
}

/// By every kernel, of many messages, in pieces, and saved on the way.
#[test]
fn each_computes_in_every_way() {
    let messages: Vec<_> = (0..40).map(|number| facts::family(number * 37 % 600)).collect();
    let slices: Vec<_> = messages.iter().map(Vec::as_slice).collect();
    for digest in others() {
        let expected: Vec<u8> = slices.iter().flat_map(|message| digest.digest(message)).collect();
        let one = digest.bind(Cpu::native());
        for many in digest.ready_lanes(Cpu::native()).map(Some).chain([None]) {
            let mut out = vec![0x55; expected.len()];
            digest_many_by(digest, many.as_ref(), &one, Messages::Slices(&slices), &mut out);
            assert!(out == expected, "{} by {many:?}", digest.name);
        }
        for ready in digest.ready(Cpu::native()) {
            let mut hasher = Hasher::with_kernel(digest, ready);
            hasher.update(&messages[9][..100]);
            let mut hasher = Hasher::restore(&hasher.save()).expect("it was saved here");
            hasher.update(&messages[9][100..]);
            assert_eq!(hasher.finish(), digest.digest(&messages[9]), "{}", digest.name);
        }
    }
}

#[test]
fn names_lead_to_one_digest_each() {
    for digest in others() {
        let bits = 8 * digest.output_len;
        assert!(find(digest.name) == Some(digest) && digest.of_bits(bits) == Ok(digest));
        assert!(find(&digest.name.to_ascii_uppercase()) == Some(digest), "{}", digest.name);
    }
    assert_eq!(find("shake128-256"), Some(SHAKE128));
    assert_eq!(find("SKEIN256-256"), Some(SKEIN256_256));
    for no_name in
        ["blake2b-0", "blake2b-12", "blake2b-520", "blake2b-256-8", "shake128-+8", "md5-128", "-8"]
    {
        assert_eq!(find(no_name), None, "{no_name}");
    }
}

#[test]
fn a_length_may_be_asked_of_any_other() {
    for digest in [Some(SHAKE128), Some(BLAKE3), find("ascon-xof128")].into_iter().flatten() {
        let long = digest.of_bits(1024).unwrap();
        assert_eq!(long.of_bits(8 * digest.output_len).unwrap(), digest);
        let short = long.of_bits(64).unwrap();
        assert_eq!(short, digest.of_bits(64).unwrap());
        assert_eq!((short.name, find(short.name)), (&*format!("{}-64", digest.name), Some(short)));
    }
    let long = find("blake2b-200").unwrap();
    assert_eq!(long.of_bits(208).unwrap(), find("blake2b-208").unwrap());
}

#[test]
fn wrong_lengths_are_explained() {
    let says = |digest: &'static Digest, bits| digest.of_bits(bits).unwrap_err().to_string();
    assert_eq!(says(SHA3_256, 128), "sha3-256 has 256 bits and no other length, not 128");
    assert_eq!(
        says(BLAKE2S_160, 264),
        "blake2s cannot have 264 bits: expected a multiple of 8 from 8 to 256"
    );
    assert_eq!(
        says(BLAKE3, 1032),
        "blake3 cannot have 1032 bits: expected a multiple of 8 from 8 to 1024"
    );
    assert!(matches!(SHAKE128.of_bits(0), Err(LengthError::Range { most: 1024, .. })));
}
