//! The list: each family has a `mod` line under the cargo feature of its name, and an entry in
//! `families!`. A family's own file has a line for each digest in `digests!` (`names_of.rs`).

use std::mem::MaybeUninit;

use crate::Digest;

#[macro_use]
mod names_of;

#[cfg(feature = "adler32")]
mod adler32;
#[cfg(feature = "ascon")]
mod ascon;
#[cfg(feature = "bash")]
mod bash;
#[cfg(feature = "belt")]
mod belt;
#[cfg(feature = "blake")]
mod blake;
#[cfg(feature = "blake2")]
mod blake2;
#[cfg(feature = "blake2-parallel")]
mod blake2_parallel;
#[cfg(feature = "blake3")]
mod blake3;
#[cfg(feature = "crc")]
mod crc;
#[cfg(feature = "edonr")]
mod edonr;
#[cfg(feature = "fletcher")]
mod fletcher;
#[cfg(feature = "fnv")]
mod fnv;
#[cfg(feature = "fnv-wide")]
mod fnv_wide;
#[cfg(feature = "gost94")]
mod gost94;
#[cfg(feature = "groestl")]
mod groestl;
#[cfg(feature = "has160")]
mod has160;
#[cfg(feature = "haval")]
mod haval;
#[cfg(feature = "highwayhash")]
mod highway;
#[cfg(feature = "jh")]
mod jh;
#[cfg(feature = "joaat")]
mod joaat;
#[cfg(feature = "kangarootwelve")]
mod kangarootwelve;
#[cfg(feature = "keccak")]
mod keccak;
#[cfg(feature = "komihash")]
mod komihash;
#[cfg(feature = "kupyna")]
mod kupyna;
#[cfg(feature = "lsh")]
mod lsh;
#[cfg(feature = "md2")]
mod md2;
#[cfg(feature = "md4")]
mod md4;
#[cfg(feature = "md5")]
mod md5;
#[cfg(feature = "md5-sha1")]
mod md5_sha1;
#[cfg(feature = "metrohash")]
mod metrohash;
#[cfg(feature = "murmur3")]
mod murmur3;
#[cfg(feature = "quickxor")]
mod quickxor;
#[cfg(feature = "rapidhash")]
mod rapidhash;
#[cfg(feature = "ripemd")]
mod ripemd;
#[cfg(feature = "sha1")]
mod sha1;
#[cfg(feature = "sha2")]
mod sha2;
#[cfg(feature = "shabal")]
mod shabal;
#[cfg(feature = "siphash")]
mod siphash;
#[cfg(feature = "skein")]
mod skein;
#[cfg(feature = "sm3")]
mod sm3;
#[cfg(feature = "snefru")]
mod snefru;
#[cfg(feature = "spookyhash")]
mod spookyhash;
#[cfg(feature = "streebog")]
mod streebog;
#[cfg(feature = "string-hash")]
mod string_hash;
#[cfg(feature = "sum")]
mod sum;
#[cfg(feature = "tiger")]
mod tiger;
#[cfg(feature = "whirlpool")]
mod whirlpool;
mod xxh; // in any case: saved hashers end with XXH64
#[cfg(feature = "xxhash")]
mod xxh3;

/// Digests, and each one's constant, function and type.
pub type Names = &'static [(&'static Digest, [&'static str; 3])];

/// Makes of the families, each a feature and a module, what the crate shows.
macro_rules! families {
    ($($feature:literal $family:ident $(:: $part:ident)?),+ $(,)?) => {
        /// The tables of the families, in the order of [`ALL`].
        const FAMILIES: &[&[&Digest]] =
            &[$(#[cfg(feature = $feature)] $family $(:: $part)? ::DIGESTS),+];

        /// The names of the digests that have some, for the test of the rule.
        pub const NAMES: &[Names] =
            &[$(#[cfg(feature = $feature)] $family $(:: $part)? ::NAMES),+];

        /// Constants and functions.
        #[allow(unused_imports, reason = "all digests of a family may be found by name alone")]
        pub mod names {
            $(#[cfg(feature = $feature)] pub use super::$family $(:: $part)? ::names::*;)+
        }

        /// Running hashes.
        #[allow(unused_imports, reason = "as above")]
        pub mod types {
            $(#[cfg(feature = $feature)] pub use super::$family $(:: $part)? ::types::*;)+
        }
    };
}

families! {
    "md2" md2,
    "md4" md4,
    "md5" md5,
    "md5-sha1" md5_sha1,
    "sha1" sha1,
    "sha2" sha2::sha256,
    "sha2" sha2::sha512,
    "sm3" sm3,
    "ripemd" ripemd,
    "keccak" keccak,
    "kangarootwelve" kangarootwelve,
    "ascon" ascon,
    "whirlpool" whirlpool,
    "tiger" tiger,
    "snefru" snefru,
    "gost94" gost94,
    "streebog" streebog,
    "haval" haval,
    "blake" blake,
    "blake2" blake2,
    "blake2-parallel" blake2_parallel,
    "blake3" blake3,
    "groestl" groestl,
    "jh" jh,
    "skein" skein,
    "lsh" lsh,
    "kupyna" kupyna,
    "belt" belt,
    "bash" bash,
    "shabal" shabal,
    "has160" has160,
    "edonr" edonr,
    "adler32" adler32,
    "crc" crc,
    "crc-catalogue" crc::catalogue,
    "sum" sum,
    "fletcher" fletcher,
    "quickxor" quickxor,
    "fnv" fnv,
    "fnv-wide" fnv_wide,
    "joaat" joaat,
    "string-hash" string_hash,
    "murmur3" murmur3,
    "xxhash" xxh,
    "xxhash" xxh3,
    "rapidhash" rapidhash,
    "komihash" komihash,
    "metrohash" metrohash,
    "spookyhash" spookyhash,
    "siphash" siphash,
    "highwayhash" highway,
}

#[cfg(feature = "blake2")]
pub use blake2::blake2b;
#[cfg(feature = "crc")]
pub use crc::crc_combine;
#[cfg(feature = "keccak")]
pub(crate) use keccak::{CSHAKE128, CSHAKE256};
pub(crate) use xxh::plain64;

/// Every algorithm of the families that this crate was compiled with.
pub const ALL: [&Digest; COUNT] = {
    let mut all = [MaybeUninit::<&Digest>::uninit(); COUNT];
    // A constant list: no digest is registered when the program starts.
    let (mut family, mut next) = (0, 0);
    while family < FAMILIES.len() {
        let mut member = 0;
        while member < FAMILIES[family].len() {
            let digest = FAMILIES[family][member];
            assert!(
                !digest.name.is_empty() && !digest.family.is_empty() && !digest.one.is_empty(),
                "a digest says its name, family and kernels: see `Digest::BASE`"
            );
            all[next].write(digest);
            next += 1;
            member += 1;
        }
        family += 1;
    }
    // SAFETY: `COUNT` is the number of the digests that were written.
    unsafe { std::mem::transmute::<[MaybeUninit<&Digest>; COUNT], [&Digest; COUNT]>(all) }
};

const COUNT: usize = {
    let (mut count, mut family) = (0, 0);
    while family < FAMILIES.len() {
        count += FAMILIES[family].len();
        family += 1;
    }
    count
};
