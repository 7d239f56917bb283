//! cSHAKE, KMAC, TupleHash and ParallelHash are as NIST's examples and other engines have them.
#![cfg(feature = "keccak")]

#[path = "harness/facts.rs"]
#[allow(dead_code)]
mod facts;

use facts::family;
use hashdyno::hex;
use hashdyno::sp800_185::{CShake, Kmac, ParallelHash, TupleHash};
use sha2::{Digest as _, Sha256};

/// NIST's example values: the first sample of each function of 128 bits.
#[test]
fn examples_of_nist() {
    let mut out = [0; 32];
    let mut hasher = CShake::cshake128(b"", b"Email Signature");
    hasher.update(&[0, 1, 2, 3]);
    hasher.finish_into(&mut out);
    assert_eq!(hex(&out), "c1c36925b6409a04f1b504fcbca9d82b4017277cb5ed2b2065fc1d3814d5aaf5");

    let key: Vec<u8> = (0x40..0x60).collect();
    let mut mac = Kmac::kmac128(&key, b"");
    mac.update(&[0, 1, 2, 3]);
    mac.clone().finish_into(&mut out);
    assert_eq!(hex(&out), "e5780b0d3ea6f7d3a429c5706aa43a00fadbd7d49628839e3187243f456ee14e");
    mac.finish_xof_into(&mut out);
    assert_eq!(hex(&out), "cd83740bbd92ccc8cf032b1481a0f4460e7ca9dd12b08a0c4031178bacd6ec35");

    let mut tuple = TupleHash::tuple_hash128(b"");
    tuple.push(&[0, 1, 2]);
    tuple.push(&[0x10, 0x11, 0x12, 0x13, 0x14, 0x15]);
    tuple.finish_into(&mut out);
    assert_eq!(hex(&out), "c5d8786c1afb9b82111ab34b65b2c0048fa64e6d48e263264ce1707d3ffc8ed1");

    let mut parallel = ParallelHash::parallel_hash128(8, b"");
    (0..3).for_each(|row| parallel.update(&[0, 1, 2, 3, 4, 5, 6, 7].map(|at| 16 * row + at)));
    parallel.finish_into(&mut out);
    assert_eq!(hex(&out), "ba8dc1d1d979331d3f813603c67f72609ab5e44b94a0b8f9af46514454a2b4f5");
}

/// In one piece and in several.
#[test]
fn answers_of_other_engines() {
    let lines = facts::read("sp800-185.txt");
    for words in &lines {
        let [function, bits, key, custom, message, size, expected, _engines] = &words[..] else {
            panic!("no line of sp800-185.txt: {words:?}");
        };
        let number = |word: &str| word.parse::<usize>().expect("a number");
        let (key, custom, size) = (number(key), family(number(custom)), number(size));
        let strings: Vec<_> = message.split(',').map(|len| family(number(len))).collect();
        for piece in [1, 100, 1000, 1 << 20] {
            let out = computed(function, bits == "128", key, &custom, &strings, piece, size);
            let shown = match size {
                0 => "-".to_owned(),
                1..=32 => hex(&out),
                _ => format!("[{}]", hex(&Sha256::digest(&out))),
            };
            assert_eq!(shown, *expected, "{words:?} in pieces of {piece}");
        }
    }
    assert!(lines.len() > 200, "{} lines", lines.len());
}

fn computed(
    function: &str,
    is_128: bool,
    key: usize,
    custom: &[u8],
    strings: &[Vec<u8>],
    piece: usize,
    size: usize,
) -> Vec<u8> {
    let mut out = vec![0; size];
    let pieces = || strings[0].chunks(piece);
    match function {
        "cshake" => {
            let new = if is_128 { CShake::cshake128 } else { CShake::cshake256 };
            let mut hasher = new(&family(key), custom);
            pieces().for_each(|piece| hasher.update(piece));
            hasher.finish_into(&mut out);
        }
        "kmac" | "kmac-xof" => {
            let new = if is_128 { Kmac::kmac128 } else { Kmac::kmac256 };
            let mut hasher = new(&family(key), custom);
            pieces().for_each(|piece| hasher.update(piece));
            match function {
                "kmac" => hasher.finish_into(&mut out),
                _ => hasher.finish_xof_into(&mut out),
            }
        }
        "tuple-hash" | "tuple-hash-xof" => {
            let new = if is_128 { TupleHash::tuple_hash128 } else { TupleHash::tuple_hash256 };
            let mut hasher = new(custom);
            strings.iter().for_each(|string| hasher.push(string));
            match function {
                "tuple-hash" => hasher.finish_into(&mut out),
                _ => hasher.finish_xof_into(&mut out),
            }
        }
        "parallel-hash" | "parallel-hash-xof" => {
            let new = if is_128 {
                ParallelHash::parallel_hash128
            } else {
                ParallelHash::parallel_hash256
            };
            let mut hasher = new(key, custom);
            pieces().for_each(|piece| hasher.update(piece));
            match function {
                "parallel-hash" => hasher.finish_into(&mut out),
                _ => hasher.finish_xof_into(&mut out),
            }
        }
        _ => panic!("no function of SP 800-185: {function}"),
    }
    out
}

#[test]
#[should_panic(expected = "a block of ParallelHash has one byte at least")]
fn blocks_have_bytes() {
    let _ = ParallelHash::parallel_hash256(0, b"");
}
