//! RustCrypto's digests, of the generation of `digest` 0.11, and its ciphers, of that of `aes` 0.9.
//!
//! The crates are compiled in and choose the instructions of the CPU when they run.
//! `Digest::digest` is the call for a whole message; its state is on the stack. The greeting's
//! version is that of the crate `digest`, and its facts are the versions of all crates.

mod cipher;

use blake2::{Blake2b, Blake2s};
use digest::Digest;
use digest::consts::{U16, U20, U28, U32, U48, U64};

use crate::functions::Functions;
use crate::lock;

/// Adds digests: our name, and their type.
macro_rules! digests {
    ($functions:ident: $($name:literal $digest:ty),* $(,)?) => {$(
        $functions.add($name, "digest", <$digest as Digest>::output_size(), |message, out| {
            out.copy_from_slice(&<$digest as Digest>::digest(message));
        });
    )*};
}

/// All of theirs that we have, too.
pub fn load() -> Functions {
    let mut functions =
        Functions::new("rustcrypto", &lock::version("digest"), lock::versions(CRATES));
    digests! { functions:
        "bash256" bash_hash::BashHash256,
        "bash384" bash_hash::BashHash384,
        "bash512" bash_hash::BashHash512,
        "belt-hash" belt_hash::BeltHash,
        "blake2b-128" Blake2b<U16>,
        "blake2b-160" Blake2b<U20>,
        "blake2b-224" Blake2b<U28>,
        "blake2b-256" Blake2b<U32>,
        "blake2b-384" Blake2b<U48>,
        "blake2b-512" Blake2b<U64>,
        "blake2s-128" Blake2s<U16>,
        "blake2s-160" Blake2s<U20>,
        "blake2s-224" Blake2s<U28>,
        "blake2s-256" Blake2s<U32>,
        "gost" gost94::Gost94Test,
        "gost-crypto" gost94::Gost94CryptoPro,
        "groestl-224" groestl::Groestl224,
        "groestl-256" groestl::Groestl256,
        "groestl-384" groestl::Groestl384,
        "groestl-512" groestl::Groestl512,
        "jh-224" jh::Jh224,
        "jh-256" jh::Jh256,
        "jh-384" jh::Jh384,
        "jh-512" jh::Jh512,
        "keccak-224" sha3::Keccak224,
        "keccak-256" sha3::Keccak256,
        "keccak-384" sha3::Keccak384,
        "keccak-512" sha3::Keccak512,
        "kupyna-224" kupyna::Kupyna224,
        "kupyna-256" kupyna::Kupyna256,
        "kupyna-384" kupyna::Kupyna384,
        "kupyna-512" kupyna::Kupyna512,
        "md2" md2::Md2,
        "md4" md4::Md4,
        "md5" md5::Md5,
        "ripemd128" ripemd::Ripemd128,
        "ripemd160" ripemd::Ripemd160,
        "ripemd256" ripemd::Ripemd256,
        "ripemd320" ripemd::Ripemd320,
        "sha1" sha1::Sha1,
        "sha224" sha2::Sha224,
        "sha256" sha2::Sha256,
        "sha384" sha2::Sha384,
        "sha512" sha2::Sha512,
        "sha512-224" sha2::Sha512_224,
        "sha512-256" sha2::Sha512_256,
        "sha3-224" sha3::Sha3_224,
        "sha3-256" sha3::Sha3_256,
        "sha3-384" sha3::Sha3_384,
        "sha3-512" sha3::Sha3_512,
        "shabal-192" shabal::Shabal192,
        "shabal-224" shabal::Shabal224,
        "shabal-256" shabal::Shabal256,
        "shabal-384" shabal::Shabal384,
        "shabal-512" shabal::Shabal512,
        "skein256-128" skein::Skein256<U16>,
        "skein256-160" skein::Skein256<U20>,
        "skein256-224" skein::Skein256<U28>,
        "skein256-256" skein::Skein256<U32>,
        "skein512-128" skein::Skein512<U16>,
        "skein512-160" skein::Skein512<U20>,
        "skein512-224" skein::Skein512<U28>,
        "skein512-256" skein::Skein512<U32>,
        "skein512-384" skein::Skein512<U48>,
        "skein512-512" skein::Skein512<U64>,
        "skein1024-384" skein::Skein1024<U48>,
        "skein1024-512" skein::Skein1024<U64>,
        "skein1024-1024" skein::Skein1024_1024,
        "sm3" sm3::Sm3,
        "streebog-256" streebog::Streebog256,
        "streebog-512" streebog::Streebog512,
        "tiger192-3" tiger::Tiger,
        "tiger2" tiger::Tiger2,
        "whirlpool" whirlpool::Whirlpool,
    }
    cipher::add(&mut functions);
    functions
}

const CRATES: &[&str] = &[
    "aes",
    "aes-gcm",
    "aes-gcm-siv",
    "cbc",
    "ccm",
    "chacha20poly1305",
    "ctr",
    "bash-hash",
    "belt-hash",
    "blake2",
    "gost94",
    "groestl",
    "jh",
    "kupyna",
    "md-5",
    "md2",
    "md4",
    "ripemd",
    "sha1",
    "sha2",
    "sha3",
    "shabal",
    "skein",
    "sm3",
    "streebog",
    "tiger",
    "whirlpool",
];
