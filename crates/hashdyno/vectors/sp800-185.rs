//! Prints answers of the crate tiny-keccak for sp800-185.py: FUNCTION BITS KEY CUSTOMIZATION
//! MESSAGE OUTPUT, all lengths in bytes, and the answer. The strings are M(n) of make.py. KEY is
//! the length of a block for parallel-hash, MESSAGE a list of lengths for tuple-hash. No part of
//! any crate here: put it as src/main.rs into an empty project with this dependency: tiny-keccak =
//! { version = "=2.0.2", features = ["cshake", "kmac", "tuple_hash", "parallel_hash"] }

use tiny_keccak::{CShake, Hasher, IntoXof, Kmac, ParallelHash, TupleHash, Xof};

fn family(n: usize) -> Vec<u8> {
    (0..n).map(|i| (i * 131 + 17 * n + (i >> 8)) as u8).collect()
}

fn print(what: &str, bits: u32, key: usize, custom: usize, message: &str, out: &[u8]) {
    let hex: String = out.iter().map(|byte| format!("{byte:02x}")).collect();
    println!("{what} {bits} {key} {custom} {message} {} {hex}", out.len());
}

/// The answer of a fixed length, and that of any length.
fn both(hasher: impl Hasher + IntoXof + Clone, len: usize) -> [Vec<u8>; 2] {
    let [mut fixed, mut any] = [vec![0; len], vec![0; len]];
    hasher.clone().finalize(&mut fixed);
    hasher.into_xof().squeeze(&mut any);
    [fixed, any]
}

fn main() {
    for bits in [128, 256] {
        for (custom, len, out) in
            [(0, 0, 32), (1, 4, 32), (20, 200, 64), (165, 168, 7), (300, 1000, 500), (7, 136, 0)]
        {
            let (s, m) = (family(custom), family(len));
            let message = len.to_string();
            for name in [0, 4] {
                let n = family(name);
                let mut hasher =
                    if bits == 128 { CShake::v128(&n, &s) } else { CShake::v256(&n, &s) };
                hasher.update(&m);
                let mut answer = vec![0; out];
                hasher.finalize(&mut answer);
                print("cshake", bits, name, custom, &message, &answer);
            }
            for key in [0, 16, 32, 200] {
                let k = family(key);
                let mut hasher = if bits == 128 { Kmac::v128(&k, &s) } else { Kmac::v256(&k, &s) };
                hasher.update(&m);
                let [fixed, any] = both(hasher, out);
                print("kmac", bits, key, custom, &message, &fixed);
                print("kmac-xof", bits, key, custom, &message, &any);
            }
            let lens = [len, 0, 3, custom];
            let list = lens.map(|len| len.to_string()).join(",");
            let mut hasher = if bits == 128 { TupleHash::v128(&s) } else { TupleHash::v256(&s) };
            lens.iter().for_each(|len| hasher.update(&family(*len)));
            let [fixed, any] = both(hasher, out);
            print("tuple-hash", bits, 0, custom, &list, &fixed);
            print("tuple-hash-xof", bits, 0, custom, &list, &any);
            for (block, len) in
                [(8, len), (1, len), (168, 10 * len), (1000, 40 * len), (64, 65 * 64)]
            {
                let new = if bits == 128 { ParallelHash::v128 } else { ParallelHash::v256 };
                let mut hasher = new(&s, block);
                hasher.update(&family(len));
                let [fixed, any] = both(hasher, out);
                print("parallel-hash", bits, block, custom, &len.to_string(), &fixed);
                print("parallel-hash-xof", bits, block, custom, &len.to_string(), &any);
            }
        }
    }
}
