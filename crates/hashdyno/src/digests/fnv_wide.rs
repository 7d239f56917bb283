//! Fowler-Noll-Vo hashes of 128 to 1024 bits (RFC 9923): those of `fnv` in words of 64 bits.
//! The most significant byte comes first, as the code in the RFC and Go have it.

use crate::checksum::{self, Checksum, kernel};
use crate::{Digest, Features, Kernel, Security, Spelling};

digests! {
    FNV1_128 fnv1_128 Fnv1_128: u128,
    FNV1A_128 fnv1a_128 Fnv1a128: u128,
    FNV1_256 fnv1_256 Fnv1_256: [u8; 32],
    FNV1A_256 fnv1a_256 Fnv1a256: [u8; 32],
    FNV1_512 fnv1_512 Fnv1_512: [u8; 64],
    FNV1A_512 fnv1a_512 Fnv1a512: [u8; 64],
    FNV1_1024 fnv1_1024 Fnv1_1024: [u8; 128],
    FNV1A_1024 fnv1a_1024 Fnv1a1024: [u8; 128],
}

macro_rules! digest {
    (
        $constant:ident, $words:literal, $first:literal,
        $name:literal, $check:literal, $sweep:literal
    ) => {
        static $constant: Digest = Digest {
            name: $name,
            check: $check,
            sweep: $sweep,
            one: &[portable::<Fnv<$words, $first>>()],
            ..base::<Fnv<$words, $first>>()
        };
    };
}

digest!(
    FNV1_128,
    2,
    false,
    "fnv1-128",
    "8bea2c73be03b30fd4142fb1ec2c2066",
    "93c081e12bf388018d886e7fdd0d7cc0"
);
digest!(
    FNV1A_128,
    2,
    true,
    "fnv1a-128",
    "da2d42a08d04e4585dd325117f71d504",
    "262db2c2f8bb1cdf9938d18b63377b3a"
);
digest!(
    FNV1_256,
    4,
    false,
    "fnv1-256",
    "0c37a392d3522f845f2553c403a80f659b80c9a5b0151496cc37419f79b95ef6",
    "59c9d0fafc93083363e1c19a9c2c74c04ccbb94a19a295ee3d7975b60fc83d72"
);
digest!(
    FNV1A_256,
    4,
    true,
    "fnv1a-256",
    "0c2033a9bfac21398d7ba2c403a80f659b80c9a5b01178b5cff0ab62e9d53c4c",
    "501538ead4b962b5ffadaa78862d9af61fa47e690a857e3b112290791a0548af"
);
digest!(
    FNV1_512,
    8,
    false,
    "fnv1-512",
    "4fdf00ecb9bc04dd193861aa2cbbce95eb975d8b90b6bd721ec2eafe03c46248f7a6c247899280d6\
        d2f42ff6b47bf22079dfd4bfe87fda21488dd29b14bbbace",
    "4e7115564c84e3250a6925066fbda8d0723648cfc84f93c6e882ceb2aab09554bfb3715c9fb74aa9\
        4d5877d8d419769f768df80068128832d4534702b586ee65"
);
digest!(
    FNV1A_512,
    8,
    true,
    "fnv1a-512",
    "4fdf00ecb9bc04dd193861afb7066a302c35830ff7b6bd721ec2eafe03c46248f7a6c247899280d6\
        d2f42ff6b47bf22079dfd4bfe880ad9344dab473334d1e50",
    "e54a399e63b3f387c03cd2152c21c80737656a6b267cac1b523024d329c6f01c2c24f9cdc3ca31cd\
        91cc825ba52f96524991ed14072e559c0c0ef30876b857a0"
);
digest!(
    FNV1_1024,
    16,
    false,
    "fnv1-1024",
    "f6f747af25a9de26e8a493431e31b4a1ed2a92304af6ca976bc1d96ffcad35244e3884143f8313f9\
        f4a67000000000000000000000000000000000000000000000000000000000000000000000000000\
        00000000f7ca87ce43227b98c144607e67cc50af99bcc5d1514bb0d923eededd69e8e74701f66fa5\
        2a5773983aa6fbae",
    "599a421bd83d929ee5163437a0057fd25ba4e4f1649b66f2bc98f5b5270f255c60352c643b80a6d6\
        57f87655c44ca816fde37c558d415648ed5d5e2696fd4eb6d91019e5d7a5c466129d6154b12f29c8\
        a62abbdba990ca2848936945e30a0bcad3853f0b25300edcbb5ae3b238a051333b97980da4ac08b9\
        0325b5b25f028df5"
);
digest!(
    FNV1A_1024,
    16,
    true,
    "fnv1a-1024",
    "f6f747af25a9de26e8a493431e31b4a1ed2a92304af6ca976bc1d96ffcad35244dfee3c74fcd62cb\
        8b4fb700000000000000000000000000000000000000000000000000000000000000000000000000\
        00000000f7ca87ce43227b98c144607e67cc50af99bcc5d1514bb0d923eededd69e8e74701ec81ae\
        5eb3a69fee735b22",
    "c90f76a81dc087a11452a90708258d59806a00431851da1e37513a5f34e3b276338ac58c9846418b\
        385e3288f3fdaa628577734f9abcabfb0c1d13d681eaae8ad1bb0b10f5b21b74adf72e1082d96bba\
        5010765c273ed5d0aadc633606e555286df8f3d76b67db357fc07e848f80b42aa5c3785bdb8c8140\
        f4faa1943f59575a"
);

const fn base<C: Checksum>() -> Digest {
    Digest {
        name: "",
        aliases: &[],
        spelling: Spelling::NONE,
        family: "fnv-wide",
        specified_in: "RFC 9923",
        security: Security::Checksum,
        output_len: C::LEN,
        extendable: false,
        block_len: 1,
        holds_last_block: false,
        check: "",
        sweep: "",
        start: checksum::start::<C>,
        finish: checksum::finish::<C>,
        one: &[],
        many: &[],
    }
}

/// FNV-1a where the byte comes `FIRST`, FNV-1 where the multiplication does.
struct Fnv<const WORDS: usize, const FIRST: bool>;

impl<const WORDS: usize, const FIRST: bool> Checksum for Fnv<WORDS, FIRST> {
    /// The lowest word first.
    type Register = [u64; WORDS];
    const START: [u64; WORDS] = {
        let mut start = [0; WORDS];
        let mut byte = 0;
        while byte < AUTHORS.len() {
            start = stepped::<WORDS, false>(start, AUTHORS[byte]);
            byte += 1;
        }
        start
    };

    #[inline(always)]
    fn finish(hash: [u64; WORDS], _: &[u8], _: u64, out: &mut [u8]) {
        for (out, word) in out.chunks_mut(8).zip(hash.iter().rev()) {
            out.copy_from_slice(&word.to_be_bytes());
        }
    }
}

/// The offset basis is the hash of this line, from zero (section 2.3).
const AUTHORS: &[u8; 32] = b"chongo <Landon Curt Noll> /\\../\\";

const fn portable<C: Fnvs>() -> Kernel {
    kernel!("portable", Features::empty(), C: Fnvs, after::<C>)
}

#[inline]
fn after<C: Fnvs>(hash: C::Register, bytes: &[u8]) -> C::Register {
    bytes.iter().fold(hash, |hash, &byte| C::step(hash, byte))
}

/// What [`Fnv`] of every size is.
trait Fnvs: Checksum {
    fn step(hash: Self::Register, byte: u8) -> Self::Register;
}

impl<const WORDS: usize, const FIRST: bool> Fnvs for Fnv<WORDS, FIRST> {
    #[inline(always)]
    fn step(hash: [u64; WORDS], byte: u8) -> [u64; WORDS] {
        stepped::<WORDS, FIRST>(hash, byte)
    }
}

#[inline(always)]
const fn stepped<const WORDS: usize, const FIRST: bool>(
    mut hash: [u64; WORDS],
    byte: u8,
) -> [u64; WORDS] {
    if FIRST {
        hash[0] ^= byte as u64;
        return times_prime(hash);
    }
    hash = times_prime(hash);
    hash[0] ^= byte as u64;
    hash
}

/// The prime is a power of two and a number of few bits.
#[inline(always)]
const fn times_prime<const WORDS: usize>(hash: [u64; WORDS]) -> [u64; WORDS] {
    let (power, rest) = const { prime(WORDS) };
    let (words, bits) = (power / 64, power % 64);
    let (mut product, mut carry, mut word) = ([0; WORDS], 0u128, 0);
    while word < WORDS {
        carry += hash[word] as u128 * rest as u128;
        if word >= words {
            carry += (hash[word - words] << bits) as u128;
        }
        if word > words {
            carry += (hash[word - words - 1] >> (64 - bits)) as u128;
        }
        product[word] = carry as u64;
        carry >>= 64;
        word += 1;
    }
    product
}

/// The exponent of the power and the rest (section 2.2).
const fn prime(words: usize) -> (usize, u64) {
    match words {
        2 => (88, 0x13b),
        4 => (168, 0x163),
        8 => (344, 0x157),
        _ => (680, 0x18d),
    }
}
