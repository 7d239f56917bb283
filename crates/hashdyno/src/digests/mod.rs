//! The list: two lines per family, each under the cargo feature of its name.

use std::mem::MaybeUninit;

use crate::Digest;

#[cfg(feature = "adler32")]
mod adler32;
#[cfg(feature = "blake")]
mod blake;
#[cfg(feature = "blake2")]
mod blake2;
#[cfg(feature = "blake3")]
mod blake3;
#[cfg(feature = "crc")]
mod crc;
#[cfg(feature = "fnv")]
mod fnv;
#[cfg(feature = "gost94")]
mod gost94;
#[cfg(feature = "groestl")]
mod groestl;
#[cfg(feature = "haval")]
mod haval;
#[cfg(feature = "jh")]
mod jh;
#[cfg(feature = "joaat")]
mod joaat;
#[cfg(feature = "keccak")]
mod keccak;
#[cfg(feature = "md2")]
mod md2;
#[cfg(feature = "md4")]
mod md4;
#[cfg(feature = "md5")]
mod md5;
#[cfg(feature = "md5-sha1")]
mod md5_sha1;
#[cfg(feature = "murmur3")]
mod murmur3;
#[cfg(feature = "quickxor")]
mod quickxor;
#[cfg(feature = "ripemd")]
mod ripemd;
#[cfg(feature = "sha1")]
mod sha1;
#[cfg(feature = "sha2")]
mod sha256;
#[cfg(feature = "sha2")]
mod sha512;
#[cfg(feature = "skein")]
mod skein;
#[cfg(feature = "sm3")]
mod sm3;
#[cfg(feature = "snefru")]
mod snefru;
#[cfg(feature = "streebog")]
mod streebog;
#[cfg(feature = "sum")]
mod sum;
#[cfg(feature = "tiger")]
mod tiger;
#[cfg(feature = "whirlpool")]
mod whirlpool;
mod xxh; // in any case: saved hashers end with XXH64
#[cfg(feature = "xxhash")]
mod xxh3;

/// The tables of the families, in the order of [`ALL`].
const FAMILIES: &[&[&Digest]] = &[
    #[cfg(feature = "md2")]
    md2::DIGESTS,
    #[cfg(feature = "md4")]
    md4::DIGESTS,
    #[cfg(feature = "md5")]
    md5::DIGESTS,
    #[cfg(feature = "md5-sha1")]
    md5_sha1::DIGESTS,
    #[cfg(feature = "sha1")]
    sha1::DIGESTS,
    #[cfg(feature = "sha2")]
    sha256::DIGESTS,
    #[cfg(feature = "sha2")]
    sha512::DIGESTS,
    #[cfg(feature = "sm3")]
    sm3::DIGESTS,
    #[cfg(feature = "ripemd")]
    ripemd::DIGESTS,
    #[cfg(feature = "keccak")]
    keccak::DIGESTS,
    #[cfg(feature = "whirlpool")]
    whirlpool::DIGESTS,
    #[cfg(feature = "tiger")]
    tiger::DIGESTS,
    #[cfg(feature = "snefru")]
    snefru::DIGESTS,
    #[cfg(feature = "gost94")]
    gost94::DIGESTS,
    #[cfg(feature = "streebog")]
    streebog::DIGESTS,
    #[cfg(feature = "haval")]
    haval::DIGESTS,
    #[cfg(feature = "blake")]
    blake::DIGESTS,
    #[cfg(feature = "blake2")]
    blake2::DIGESTS,
    #[cfg(feature = "blake3")]
    blake3::DIGESTS,
    #[cfg(feature = "groestl")]
    groestl::DIGESTS,
    #[cfg(feature = "jh")]
    jh::DIGESTS,
    #[cfg(feature = "skein")]
    skein::DIGESTS,
    #[cfg(feature = "adler32")]
    adler32::DIGESTS,
    #[cfg(feature = "crc")]
    crc::DIGESTS,
    #[cfg(feature = "crc-catalogue")]
    crc::catalogue::DIGESTS,
    #[cfg(feature = "sum")]
    sum::DIGESTS,
    #[cfg(feature = "quickxor")]
    quickxor::DIGESTS,
    #[cfg(feature = "fnv")]
    fnv::DIGESTS,
    #[cfg(feature = "joaat")]
    joaat::DIGESTS,
    #[cfg(feature = "murmur3")]
    murmur3::DIGESTS,
    #[cfg(feature = "xxhash")]
    xxh::DIGESTS,
    #[cfg(feature = "xxhash")]
    xxh3::DIGESTS,
];

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
        #[cfg(feature = "crc-catalogue")]
        crate::registry::CATALOGUE => crc::catalogue::admits(digest, state),
        _ => true,
    }
}

#[cfg(feature = "blake2")]
pub use blake2::blake2b;
#[cfg(feature = "crc")]
pub use crc::{crc_combine, crc32b, crc64_xz};
pub(crate) use xxh::plain64;
#[cfg(feature = "xxhash")]
pub use xxh::{xxh32, xxh64};
#[cfg(feature = "xxhash")]
pub use xxh3::{xxh3, xxh128};

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
