//! The list: each family has a `mod` line under the cargo feature of its name, and an entry in
//! `families!`. A family's own file has a line for each digest in `digests!` (`names_of.rs`).

use std::mem::MaybeUninit;

use crate::{Digest, KeyError, Keyed};

#[macro_use]
mod names_of;

#[cfg(feature = "adler32")]
mod adler32;
#[cfg(feature = "ascon")]
mod ascon;
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

/// Whether bytes from outside can be the state of a digest after that many blocks. Most states are
/// words of any value; the code of these relies on the values of theirs.
pub(crate) fn admits(digest: &Digest, state: &[u8], blocks: u64) -> bool {
    // Without these families nothing reads the state.
    let _ = (state, blocks);
    match digest.family {
        #[cfg(feature = "adler32")]
        "adler32" => adler32::admits(state),
        #[cfg(feature = "blake3")]
        "blake3" => blake3::admits(state, blocks),
        #[cfg(feature = "kangarootwelve")]
        "kangarootwelve" => kangarootwelve::admits(state, blocks),
        #[cfg(feature = "crc-catalogue")]
        crate::registry::CATALOGUE => crc::catalogue::admits(digest, state),
        _ => true,
    }
}

/// How messages begin under a key of the digest's own keyed mode.
pub(crate) fn keyed(digest: &'static Digest, key: &[u8]) -> Result<Keyed, KeyError> {
    // Without these families nothing reads the key.
    let _ = key;
    match digest.family {
        #[cfg(feature = "blake2")]
        "blake2" => blake2::keyed(digest, key),
        #[cfg(feature = "blake3")]
        "blake3" => blake3::keyed(digest, key),
        #[cfg(feature = "highwayhash")]
        "highwayhash" => highway::keyed(digest, key),
        #[cfg(feature = "siphash")]
        "siphash" => siphash::keyed(digest, key),
        #[cfg(feature = "skein")]
        "skein" => skein::keyed(digest, key),
        _ => Err(KeyError::NoKeyedMode { digest: digest.name }),
    }
}

/// How messages begin from which keys are derived.
pub(crate) fn deriving(digest: &'static Digest, context: &str) -> Result<Keyed, KeyError> {
    let _ = context;
    match digest.family {
        #[cfg(feature = "blake3")]
        "blake3" => Ok(blake3::deriving(context)),
        _ => Err(KeyError::NoDerivation { digest: digest.name }),
    }
}

/// How messages begin under a seed.
pub(crate) fn seeded(digest: &'static Digest, seed: u64) -> Result<Keyed, KeyError> {
    let _ = seed;
    match (digest.family, digest.name) {
        #[cfg(feature = "murmur3")]
        ("murmur3", _) => murmur3::seeded(digest, seed),
        #[cfg(feature = "xxhash")]
        (_, "xxh32" | "xxh64") => xxh::seeded(digest, seed),
        #[cfg(feature = "xxhash")]
        (_, "xxh3" | "xxh128") => Ok(xxh3::seeded(digest, seed)),
        _ => Err(KeyError::NoSeed { digest: digest.name }),
    }
}

/// How messages begin under a secret.
pub(crate) fn with_secret(digest: &'static Digest, secret: &[u8]) -> Result<Keyed, KeyError> {
    let _ = secret;
    match digest.name {
        #[cfg(feature = "xxhash")]
        "xxh3" | "xxh128" => xxh3::with_secret(digest, secret),
        _ => Err(KeyError::NoSecret { digest: digest.name }),
    }
}

/// The most bytes that the digest can have, or 0 if it has one length only.
pub(crate) fn longest(digest: &Digest) -> usize {
    match digest.family {
        #[cfg(feature = "blake2")]
        "blake2" => blake2::longest(digest),
        #[cfg(feature = "skein")]
        "skein" => skein::LONGEST,
        _ if digest.extendable => usize::MAX,
        _ => 0,
    }
}

/// The digest with that length in bytes, which it can have; its names are still the same.
pub(crate) fn of_len(digest: &Digest, len: usize) -> Digest {
    match digest.family {
        #[cfg(feature = "blake2")]
        "blake2" => blake2::of_len(digest, len),
        #[cfg(feature = "skein")]
        "skein" => skein::of_len(digest, len),
        // Its kernels for many messages give the usual length alone.
        #[cfg(feature = "blake3")]
        "blake3" => Digest { output_len: len, many: &[], ..*digest },
        _ => Digest { output_len: len, ..*digest },
    }
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
    let (mut family, mut next) = (0, 0);
    while family < FAMILIES.len() {
        let mut member = 0;
        while member < FAMILIES[family].len() {
            all[next].write(FAMILIES[family][member]);
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
