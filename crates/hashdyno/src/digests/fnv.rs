//! Fowler-Noll-Vo hashes of 32 and 64 bits (RFC 9923): FNV-1 multiplies, then adds the byte; FNV-1a
//! does it the other way round.
//!
//! ```text
//! FNV-1a:  h = offset;           h = (h ^ byte) * prime            for each byte
//! FNV-1:   h = offset;           h = h * prime ^ byte
//! `Fnv1`:  h = offset * prime;   h = (h ^ byte) * prime            at the end h / prime
//! ```
//!
//! So both have one step. The prime is odd, so it has an inverse modulo the word. A hash of 32 bits
//! is computed in 64, since upper bits never reach lower ones.

use std::marker::PhantomData;

use bytemuck::Pod;

use crate::kernel::{kernels, many_kernels};
use crate::parts::barrier;
use crate::parts::chains::chains;
use crate::parts::checksum::{self, Checksum, checksum_kernel};
use crate::{Digest, Features, Kernel, Purpose, Security, Spelling};

#[cfg(target_arch = "x86_64")]
mod avx2;
mod many;
#[cfg(target_arch = "x86_64")]
mod x86_64;

digests! {
    FNV132 fnv132 Fnv132: u32,
    FNV1A32 fnv1a32 Fnv1a32: u32,
    FNV164 fnv164 Fnv164: u64,
    FNV1A64 fnv1a64 Fnv1a64: u64,
}

/// The kernels of a checksum for one message: those that its word alone has, and those that all
/// have. `$by_byte` is the checksum of the portable kernel.
macro_rules! one {
    ($checksum:ty, $by_byte:ty $(, $own:path)*) => {
        kernels![
            $($own(),)*
            x86_64::words::<$checksum>(),
            x86_64::kernel::<$checksum>(),
            avx2::words::<$checksum>(),
            avx2::kernel::<$checksum>();
            portable::<$by_byte>()
        ]
    };
}

static FNV132: Digest = Digest {
    name: "fnv132",
    aliases: &["fnv1-32"],
    spelling: Spelling { php: Some("fnv132"), ..Spelling::NONE },
    one: one!(Fnv1<u32>, LastApart<u32>),
    many: many_kernels![chains!(Fnv1<u32>, u32, 4 * avx2)],
    ..base::<Fnv1<u32>>()
};

static FNV1A32: Digest = Digest {
    name: "fnv1a32",
    aliases: &["fnv1a-32"],
    spelling: Spelling { php: Some("fnv1a32"), ..Spelling::NONE },
    one: one!(Fnv1a<u32>, Fnv1a<u32>),
    many: many_kernels![chains!(Fnv1a<u32>, u32, 4 * avx2)],
    ..base::<Fnv1a<u32>>()
};

static FNV164: Digest = Digest {
    name: "fnv164",
    aliases: &["fnv1-64"],
    spelling: Spelling { php: Some("fnv164"), ..Spelling::NONE },
    one: one!(Fnv1<u64>, LastApart<u64>, x86_64::zen::<Fnv1<u64>>),
    many: many_kernels![chains!(Fnv1<u64>, u64, 4 * avx512), chains!(Fnv1<u64>, u64, 4 * avx2),],
    ..base::<Fnv1<u64>>()
};

static FNV1A64: Digest = Digest {
    name: "fnv1a64",
    aliases: &["fnv1a-64"],
    spelling: Spelling { php: Some("fnv1a64"), ..Spelling::NONE },
    one: one!(Fnv1a<u64>, Fnv1a<u64>, x86_64::zen::<Fnv1a<u64>>),
    many: many_kernels![chains!(Fnv1a<u64>, u64, 4 * avx512), chains!(Fnv1a<u64>, u64, 4 * avx2),],
    ..base::<Fnv1a<u64>>()
};

const fn base<C: Checksum<Register: Word>>() -> Digest {
    Digest {
        family: "fnv",
        purpose: Purpose::HashTable,
        specified_in: "RFC 9923",
        security: Security::Checksum,
        output_len: size_of::<C::Register>(),
        block_len: 1,
        start: checksum::start::<C>,
        finish: checksum::finish::<C>,
        one: &[],
        ..Digest::BASE
    }
}

struct Fnv1a<W>(PhantomData<W>);

impl<W: Word> Checksum for Fnv1a<W> {
    type Register = W;
    const START: W = W::OFFSET;

    #[inline(always)]
    fn finish(hash: W, _: &[u8], _: u64, out: &mut [u8]) {
        hash.write(out);
    }
}

/// FNV-1a with the first multiplication in front and without the last: its register is one
/// multiplication ahead.
struct Fnv1<W>(PhantomData<W>);

impl<W: Word> Checksum for Fnv1<W> {
    type Register = W;
    const START: W = W::AHEAD;

    #[inline(always)]
    fn finish(hash: W, _: &[u8], _: u64, out: &mut [u8]) {
        hash.times(W::INVERSE).write(out);
    }
}

/// FNV-1 for the portable kernel. The last byte of a whole message is xored without the
/// multiplication that follows a byte, so that none has to be undone: two multiplications fewer.
struct LastApart<W>(PhantomData<W>);

impl<W: Word> Checksum for LastApart<W> {
    type Register = W;
    const START: W = W::AHEAD;
    const HOLDS_LAST_BLOCK: bool = true;

    #[inline(always)]
    fn finish(hash: W, rest: &[u8], len: u64, out: &mut [u8]) {
        match rest {
            [last] => W::from_low(hash.into() ^ u64::from(*last)).write(out),
            _ => Fnv1::<W>::finish(hash, rest, len, out),
        }
    }
}

/// The integer that holds the hash, and its parameters.
trait Word: Pod + Into<u64> {
    /// The hash of no bytes.
    const OFFSET: Self;
    /// That, multiplied by the prime.
    const AHEAD: Self;
    const PRIME: Self;
    /// What undoes the multiplication by the prime.
    const INVERSE: Self;
    /// Powers of the prime in digits of 8 bits.
    #[cfg(target_arch = "x86_64")]
    const POWERS: &'static x86_64::Powers;
    /// Powers of the prime in digits of 16 bits.
    #[cfg(target_arch = "x86_64")]
    const LONG_POWERS: &'static avx2::Powers;
    /// The low bits of a hash of 64.
    fn from_low(bits: u64) -> Self;
    fn times(self, factor: Self) -> Self;
    /// Writes the hash, its most significant byte first.
    fn write(self, out: &mut [u8]);
}

/// Implements [`Word`]: the type, the offset basis, the prime.
macro_rules! word {
    ($word:ty, $offset:literal, $prime:literal) => {
        impl Word for $word {
            const OFFSET: Self = $offset;
            const AHEAD: Self = Self::OFFSET.wrapping_mul($prime);
            const PRIME: Self = $prime;
            const INVERSE: Self = {
                // Newton's method: each step doubles the number of bits that are right, three to
                // begin with.
                let (mut inverse, mut step): ($word, _) = ($prime, 0);
                while step < 5 {
                    inverse = inverse
                        .wrapping_mul((2 as $word).wrapping_sub(inverse.wrapping_mul($prime)));
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

            #[inline(always)]
            fn from_low(bits: u64) -> Self {
                bits as Self
            }

            #[inline(always)]
            fn times(self, factor: Self) -> Self {
                self.wrapping_mul(factor)
            }

            #[inline(always)]
            fn write(self, out: &mut [u8]) {
                out.copy_from_slice(&self.to_be_bytes());
            }
        }
    };
}

word!(u32, 0x811c_9dc5, 0x0100_0193);
word!(u64, 0xcbf2_9ce4_8422_2325, 0x0000_0100_0000_01b3);

const fn portable<C: Checksum<Register: Word>>() -> Kernel {
    checksum_kernel!(
        "portable", Features::empty(), C: Checksum<Register: Word>, after::<C::Register>
    )
}

#[inline(always)]
fn after<W: Word>(hash: W, bytes: &[u8]) -> W {
    let (mut hash, prime) = (hash.into(), W::PRIME.into());
    let (eights, rest) = bytes.as_chunks();
    if !eights.is_empty() {
        barrier::cold_path();
        for eight in eights {
            hash = after_8(hash, eight, prime);
        }
    }
    W::from_low(after_fewer(hash, rest, prime))
}

/// A byte's step. The more steps the CPU looks at, the more messages it has under way that do not
/// wait for each other: of x86-64 a step is two instructions, but compilers load the byte by one
/// more.
#[cfg(target_arch = "x86_64")]
macro_rules! step {
    ($index:literal) => {
        concat!("xor {hash:l}, byte ptr [{bytes} + ", $index, "]\nimul {hash}, {prime}")
    };
}

#[inline(always)]
fn after_8(mut hash: u64, bytes: &[u8; 8], prime: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: each step reads a byte of `bytes`.
    unsafe {
        std::arch::asm!(
            step!(0), step!(1), step!(2), step!(3), step!(4), step!(5), step!(6), step!(7),
            hash = inout(reg) hash,
            bytes = in(reg) bytes,
            prime = in(reg) prime,
            options(pure, readonly, nostack),
        );
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        hash = one_by_one(hash, bytes, prime);
    }
    hash
}

/// The same of fewer than eight bytes: four, two and one, what there is of each. They lie in the
/// order in which they are run: where compilers put them elsewhere, a message of five bytes jumps
/// five times and not once, each time a cycle.
#[inline(always)]
fn after_fewer(mut hash: u64, bytes: &[u8], prime: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: each step reads a byte of `bytes`, as the bits of its length say which there are.
    unsafe {
        std::arch::asm!(
            "test {len:l}, 4",
            "jz 2f",
            step!(0), step!(1), step!(2), step!(3),
            "add {bytes}, 4",
            "2:",
            "test {len:l}, 2",
            "jz 3f",
            step!(0), step!(1),
            "add {bytes}, 2",
            "3:",
            "test {len:l}, 1",
            "jz 4f",
            step!(0),
            "4:",
            hash = inout(reg) hash,
            bytes = inout(reg) bytes.as_ptr() => _,
            len = in(reg) bytes.len(),
            prime = in(reg) prime,
            options(pure, readonly, nostack),
        );
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        hash = one_by_one(hash, bytes, prime);
    }
    hash
}

#[cfg(not(target_arch = "x86_64"))]
fn one_by_one(hash: u64, bytes: &[u8], prime: u64) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(prime))
}
