//! Prints lines of sweeps.txt, `name check sweep engine`, by crates of others: `cargo run --release
//! > FILE`, then `sweeps.py FILE`. No part of any crate here: put it as src/main.rs into an empty
//! project with these dependencies: blake-hash = "=0.4.1", blake2 = "=0.11.0", blake3 = "=1.8.7",
//! digest = "=0.11.3", groestl = "=0.11.0", jh = "=0.2.0", md-5 = "=0.11.0", sha1 = "=0.11.0", sha3
//! = "=0.12.0", skein = "=0.2.0", sm3 = "=0.5.0", streebog = "=0.11.0", tiger = "=0.3.0"

use digest::Digest;
use digest::consts::*;
fn sweep(name: &str, source: &str, f: impl Fn(&[u8]) -> Vec<u8>) {
    let hex = |b: Vec<u8>| b.iter().map(|x| format!("{x:02x}")).collect::<String>();
    let p: Vec<u8> = (0..4096).map(|i| (i % 251) as u8).collect();
    let all: Vec<u8> = (0..4096).flat_map(|n| f(&p[..n])).collect();
    println!("{name} {} {} {source}", hex(f(b"123456789")), hex(f(&all)));
}
fn rc<D: Digest>(name: &str, source: &str) {
    sweep(name, source, |m| D::digest(m).to_vec());
}
fn old<D: blake_hash::Digest>(name: &str, source: &str) {
    sweep(name, source, |m| D::digest(m).to_vec());
}
fn main() {
    let b = "blake-hash-0.4.1";
    old::<blake_hash::Blake224>("blake-224", b);
    old::<blake_hash::Blake256>("blake-256", b);
    old::<blake_hash::Blake384>("blake-384", b);
    old::<blake_hash::Blake512>("blake-512", b);
    let g = "rustcrypto-groestl-0.11.0";
    rc::<groestl::Groestl224>("groestl-224", g);
    rc::<groestl::Groestl256>("groestl-256", g);
    rc::<groestl::Groestl384>("groestl-384", g);
    rc::<groestl::Groestl512>("groestl-512", g);
    let j = "rustcrypto-jh-0.2.0";
    rc::<jh::Jh224>("jh-224", j);
    rc::<jh::Jh256>("jh-256", j);
    rc::<jh::Jh384>("jh-384", j);
    rc::<jh::Jh512>("jh-512", j);
    let k = "rustcrypto-sha3-0.12.0";
    rc::<sha3::Keccak224>("keccak-224", k);
    rc::<sha3::Keccak256>("keccak-256", k);
    rc::<sha3::Keccak384>("keccak-384", k);
    rc::<sha3::Keccak512>("keccak-512", k);
    let s = "rustcrypto-skein-0.2.0";
    rc::<skein::Skein512<U28>>("skein512-224", s);
    rc::<skein::Skein512<U32>>("skein512-256", s);
    rc::<skein::Skein512<U48>>("skein512-384", s);
    rc::<skein::Skein512<U64>>("skein512-512", s);
    rc::<skein::Skein256<U32>>("skein256-256", s);
    rc::<skein::Skein1024<U128>>("skein1024-1024", s);
    let s = "rustcrypto-streebog-0.11.0";
    rc::<streebog::Streebog256>("streebog-256", s);
    rc::<streebog::Streebog512>("streebog-512", s);
    rc::<tiger::Tiger2>("tiger2", "rustcrypto-tiger-0.3.0");
    rc::<sm3::Sm3>("sm3", "rustcrypto-sm3-0.5.0");
    sweep("blake3", "blake3-crate-1.8.7", |m| blake3::hash(m).as_bytes().to_vec());
    sweep("md5-sha1", "rustcrypto-md5-sha1-0.11.0", |m| {
        [md5::Md5::digest(m).to_vec(), sha1::Sha1::digest(m).to_vec()].concat()
    });
    macro_rules! b2 { ($($n:literal $t:ident $u:ty),*) => { $(rc::<blake2::$t<$u>>($n, "rustcrypto-blake2-0.11.0");)* } }
    b2!("blake2b-128" Blake2b U16, "blake2b-160" Blake2b U20, "blake2b-224" Blake2b U28, "blake2b-256" Blake2b U32, "blake2b-384" Blake2b U48, "blake2b-512" Blake2b U64,
        "blake2s-128" Blake2s U16, "blake2s-160" Blake2s U20, "blake2s-224" Blake2s U28, "blake2s-256" Blake2s U32);
}
