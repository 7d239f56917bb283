//! Fowler-Noll-Vo hashes of 32 and 64 bits (RFC 9923): FNV-1 multiplies, then adds the byte; FNV-1a does it the other way round.

use bytemuck::Pod;

use crate::{Digest, Kernel, Security, Spelling, State};

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod many;
#[cfg(target_arch = "x86_64")]
mod x86_64;

/// The digests of this family.
pub(crate) const DIGESTS: &[&Digest] = &[&FNV132, &FNV1A32, &FNV164, &FNV1A64];

/// The kernels for a word, that for many messages first.
macro_rules! kernels {
    ($word:ty $(, $many:ident)?) => {
        &[
            $(
                #[cfg(target_arch = "x86_64")]
                crate::chains::avx2x16::<many::$many>(),
            )?
            #[cfg(target_arch = "x86_64")]
            x86_64::kernel::<$word>(),
            #[cfg(target_arch = "x86_64")]
            avx2::kernel::<$word>(),
            Kernel::portable(absorb::<$word>),
        ]
    };
}

static FNV132: Digest = Digest {
    name: "fnv132",
    aliases: &["fnv1-32"],
    spelling: Spelling { php: Some("fnv132"), ..Spelling::NONE },
    check: "24148816",
    sweep: "278ec717",
    kernels: kernels!(u32, Fnv1),
    ..fnv1::<u32>()
};

static FNV1A32: Digest = Digest {
    name: "fnv1a32",
    aliases: &["fnv1a-32"],
    spelling: Spelling { php: Some("fnv1a32"), ..Spelling::NONE },
    check: "bb86b11c",
    sweep: "a9978081",
    kernels: kernels!(u32, Fnv1a),
    ..fnv1a::<u32>()
};

static FNV164: Digest = Digest {
    name: "fnv164",
    aliases: &["fnv1-64"],
    spelling: Spelling { php: Some("fnv164"), ..Spelling::NONE },
    check: "a72ffc362bf916d6",
    sweep: "0534051f24a22fcc",
    kernels: kernels!(u64),
    ..fnv1::<u64>()
};

static FNV1A64: Digest = Digest {
    name: "fnv1a64",
    aliases: &["fnv1a-64"],
    spelling: Spelling { php: Some("fnv1a64"), ..Spelling::NONE },
    check: "06d5573923c6cdfc",
    sweep: "eecdda289ffe0230",
    kernels: kernels!(u64),
    ..fnv1a::<u64>()
};

const fn fnv1a<W: Word>() -> Digest {
    Digest {
        name: "",
        aliases: &[],
        spelling: Spelling::NONE,
        family: "fnv",
        specified_in: "RFC 9923",
        security: Security::Checksum,
        output_len: size_of::<W>(),
        extendable: false,
        block_len: 1,
        holds_last_block: false,
        check: "",
        sweep: "",
        start: |state| state.init(W::OFFSET),
        finish: |state, _, out| state.read::<W>().write(out),
        kernels: &[],
    }
}

/// FNV-1 is FNV-1a with the first multiplication in front and without the last: its state is one multiplication ahead.
const fn fnv1<W: Word>() -> Digest {
    Digest {
        start: |state| state.init(W::OFFSET.times(W::PRIME)),
        finish: |state, _, out| state.read::<W>().times(W::INVERSE).write(out),
        ..fnv1a::<W>()
    }
}

/// The integer that holds the hash, and its parameters.
trait Word: Pod + Into<u64> {
    /// The hash of no bytes.
    const OFFSET: Self;
    const PRIME: Self;
    /// What undoes the multiplication by the prime.
    const INVERSE: Self;
    #[cfg(target_arch = "x86_64")]
    const POWERS: &'static x86_64::Powers;
    #[cfg(target_arch = "x86_64")]
    const LONG_POWERS: &'static avx2::Powers;
    /// The low bits of a hash of 64.
    fn from_low(bits: u64) -> Self;
    fn times(self, factor: Self) -> Self;
    /// The hash with a byte added without carry.
    fn with(self, byte: u8) -> Self;
    /// Writes the hash, its most significant byte first.
    fn write(self, out: &mut [u8]);
}

/// Implements [`Word`]: the type, the offset basis, the prime.
macro_rules! word {
    ($word:ty, $offset:literal, $prime:literal) => {
        impl Word for $word {
            const OFFSET: Self = $offset;
            const PRIME: Self = $prime;
            const INVERSE: Self = {
                // Newton's method: each step doubles the number of bits that are right, three to begin with.
                let (mut inverse, mut step): ($word, _) = ($prime, 0);
                while step < 5 {
                    inverse = inverse.wrapping_mul((2 as $word).wrapping_sub(inverse.wrapping_mul($prime)));
                    step += 1;
                }
                inverse
            };
            #[cfg(target_arch = "x86_64")]
            const POWERS: &'static x86_64::Powers = {
                static POWERS: x86_64::Powers = x86_64::Powers::of($prime);
                &POWERS
            };
            #[cfg(target_arch = "x86_64")]
            const LONG_POWERS: &'static avx2::Powers = {
                static POWERS: avx2::Powers = avx2::Powers::of($prime);
                &POWERS
            };

            fn from_low(bits: u64) -> Self {
                bits as Self
            }

            #[inline(always)]
            fn times(self, factor: Self) -> Self {
                self.wrapping_mul(factor)
            }

            #[inline(always)]
            fn with(self, byte: u8) -> Self {
                self ^ Self::from(byte)
            }

            fn write(self, out: &mut [u8]) {
                out.copy_from_slice(&self.to_be_bytes());
            }
        }
    };
}

word!(u32, 0x811c_9dc5, 0x0100_0193);
word!(u64, 0xcbf2_9ce4_8422_2325, 0x0000_0100_0000_01b3);

fn absorb<W: Word>(state: &mut State, bytes: &[u8]) {
    let hash = state.view::<W>();
    *hash = absorbed(*hash, bytes);
}

#[inline(always)]
fn absorbed<W: Word>(hash: W, bytes: &[u8]) -> W {
    bytes.iter().fold(hash, |hash, &byte| hash.with(byte).times(W::PRIME))
}
