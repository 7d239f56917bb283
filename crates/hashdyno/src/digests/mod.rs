//! The list: a line per family.

use crate::Digest;

/// Declares the modules and joins their tables, in this order, into [`ALL`].
macro_rules! families {
    ($($family:ident)*) => {
        $(mod $family;)*
        const FAMILIES: &[&[&Digest]] = &[$($family::DIGESTS),*];
    };
}

families! {
    md2
    md4
    md5
    md5_sha1
    sha1
    sha256
    sha512
    sm3
    ripemd
    keccak
    whirlpool
    tiger
    snefru
    gost94
    streebog
    haval
    blake
    blake2
    blake3
    groestl
    jh
    skein
    adler32
    crc
    sum
    fnv
    joaat
    murmur3
    xxh
    xxh3
}

/// Whether bytes from outside can be the state of a digest after that many blocks. Most states are words of any value; the code of these
/// relies on the values of theirs.
pub(crate) fn admits(digest: &Digest, state: &[u8], blocks: u64) -> bool {
    match digest.family {
        "adler32" => adler32::admits(state),
        "blake3" => blake3::admits(state, blocks),
        _ => true,
    }
}

pub use blake2::blake2b;
pub use crc::{crc32b, crc64_xz};
pub use xxh::{xxh32, xxh64};
pub use xxh3::{xxh3, xxh128};

/// Every algorithm there is.
pub const ALL: [&Digest; count()] = {
    let mut all = [FAMILIES[0][0]; count()];
    let (mut family, mut next) = (0, 0);
    while family < FAMILIES.len() {
        let mut member = 0;
        while member < FAMILIES[family].len() {
            all[next] = FAMILIES[family][member];
            next += 1;
            member += 1;
        }
        family += 1;
    }
    all
};

const fn count() -> usize {
    let (mut count, mut family) = (0, 0);
    while family < FAMILIES.len() {
        count += FAMILIES[family].len();
        family += 1;
    }
    count
}
