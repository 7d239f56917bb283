//! Prints lines of big.txt, `name bytes digest engine`, by crates of others: `cargo run --release > FILE`, then `big.py FILE`.
//! No part of any crate here: put it as src/main.rs into an empty project with these dependencies:
//! blake-hash = "=0.4.1", blake3 = "=1.8.7", digest = "=0.11.3", groestl = "=0.11.0", jh = "=0.2.0",
//! sha3 = "=0.12.0", skein = "=0.2.0", sm3 = "=0.5.0", streebog = "=0.11.0"

use digest::Digest;
use digest::consts::{U64, U128};

/// The lengths of big.txt.
const LENGTHS: [u64; 2] = [(1 << 29) + 17, (1 << 32) + 17];

fn main() {
    blake::<blake_hash::Blake256>("blake-256");
    blake::<blake_hash::Blake512>("blake-512");
    print::<groestl::Groestl256>("groestl-256", "rustcrypto-groestl-0.11.0");
    print::<jh::Jh512>("jh-512", "rustcrypto-jh-0.2.0");
    print::<sha3::Keccak512>("keccak-512", "rustcrypto-sha3-0.12.0");
    print::<skein::Skein512<U64>>("skein512-512", "rustcrypto-skein-0.2.0");
    print::<skein::Skein1024<U128>>("skein1024-1024", "rustcrypto-skein-0.2.0");
    print::<streebog::Streebog512>("streebog-512", "rustcrypto-streebog-0.11.0");
    print::<sm3::Sm3>("sm3", "rustcrypto-sm3-0.5.0");
    for len in LENGTHS {
        let mut hasher = blake3::Hasher::new();
        pieces(len, |piece| _ = hasher.update(piece));
        println!("blake3 {len} {} blake3-crate-1.8.7", hasher.finalize().to_hex());
    }
}

fn print<D: Digest>(name: &str, engine: &str) {
    for len in LENGTHS {
        let mut hasher = D::new();
        pieces(len, |piece| hasher.update(piece));
        println!("{name} {len} {} {engine}", hex(&hasher.finalize()));
    }
}

fn blake<D: blake_hash::Digest>(name: &str) {
    for len in LENGTHS {
        let mut hasher = D::new();
        pieces(len, |piece| hasher.update(piece));
        println!("{name} {len} {} blake-hash-0.4.1", hex(&hasher.finalize()));
    }
}

/// The first `len` bytes of i % 251, in pieces.
fn pieces(len: u64, mut take: impl FnMut(&[u8])) {
    let piece: Vec<u8> = (0..251 << 12).map(|i| (i % 251) as u8).collect();
    let mut left = len;
    while left > 0 {
        let now = left.min(piece.len() as u64);
        take(&piece[..now as usize]);
        left -= now;
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
