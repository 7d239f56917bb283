//! XXH3 of 64 and of 128 bits (Y. Collet; xxHash specification 0.2), seed 0 and the secret of the
//! specification or others, most significant byte first.
//!
//! Eight sums take a message of more than 240 bytes stripe by stripe, 64 bytes each; after a block
//! of 16 stripes they are scrambled. The last 64 bytes are a stripe of their own that overlaps
//! those before it. Shorter messages are another algorithm.

use bytemuck::{Pod, Zeroable};

use super::xxh::{PRIMES32, PRIMES64};
use crate::function::function;
use crate::kernel::kernels;
use crate::modes::Modes;
use crate::parts::prefetch::{UNCACHED, fetch_ahead};
use crate::parts::words::{self, folded_product};
use crate::{Code, Digest, Kernel, Purpose, Security, Spelling, State, Tail};

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod keyed;
#[cfg(target_arch = "x86_64")]
mod keys;
mod portable;
mod short;
mod short_keyed;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(target_feature = "simd128")]
mod wasm32;

use short_keyed::joined;

digests! {
    XXH3 (xxh3) Xxh3: u64,
    XXH128 (xxh128) Xxh128: u128,
}

static XXH3: Digest = Digest {
    name: "xxh3",
    aliases: &["xxh3-64"],
    spelling: Spelling { php: Some("xxh3"), ..Spelling::NONE },
    output_len: 8,
    ..base::<u64>()
};

static XXH128: Digest = Digest {
    name: "xxh128",
    aliases: &["xxh3-128"],
    spelling: Spelling { php: Some("xxh128"), ..Spelling::NONE },
    output_len: 16,
    ..base::<u128>()
};

function! {
    /// XXH3 of a message, 64 bits (Y. Collet; xxHash specification 0.2), seed 0.
    xxh3: u64 = XXH3, ..=LONGEST_FEW => short::few64, ..=LONGEST_SHORT => of_short
}

function! {
    /// XXH3 of a message, 128 bits (Y. Collet; xxHash specification 0.2), seed 0.
    xxh128: u128 = XXH128, ..=LONGEST_FEW => short::few128, ..=LONGEST_SHORT => of_short
}

const MODES: Modes =
    Modes { seeded: keyed::seeded, with_secret: keyed::with_secret, ..Modes::NONE };

const fn base<H: Hash>() -> Digest {
    Digest {
        family: "xxhash",
        purpose: Purpose::HashTable,
        specified_in: "xxHash specification 0.2",
        security: Security::Checksum,
        output_len: size_of::<H>(),
        block_len: BLOCK,
        holds_last_block: true,
        start: |state| state.init(Running { sums: START, last: [0; STRIPE] }),
        finish: finish::<H>,
        one: H::ONE,
        modes: &MODES,
        ..Digest::BASE
    }
}

/// The hash of 64 or of 128 bits.
trait Hash: Sized + 'static {
    const ONE: &'static [Kernel] = kernels![
        avx512::kernel::<Self>(),
        avx2::kernel::<Self>(),
        sse2::kernel::<Self>();
        aarch64::kernel::<Self>();
        wasm32::kernel::<Self>();
        portable::kernel::<Self>(),
    ];
    /// That of up to [`LONGEST_FEW`] bytes.
    fn few(bytes: &[u8]) -> Self;
    /// That of more, up to [`LONGEST_ENDS`].
    fn ends(bytes: &[u8]) -> Self;
    /// That of still more, up to [`LONGEST_SHORT`].
    fn run(bytes: &[u8]) -> Self;
    /// That of a longer message of so many bytes.
    fn long(sums: Sums, len: u64) -> Self;
    /// Writes it to all of `out`, as [`words::write`] does.
    fn write(self, out: &mut [u8]);
}

impl Hash for u64 {
    #[inline(always)]
    fn few(bytes: &[u8]) -> Self {
        short::few64(bytes)
    }

    #[inline(always)]
    fn ends(bytes: &[u8]) -> Self {
        short::ends64(bytes)
    }

    #[inline(always)]
    fn run(bytes: &[u8]) -> Self {
        short::run64(bytes)
    }

    #[inline(always)]
    fn long(sums: Sums, len: u64) -> Self {
        joined(sums, &SECRET, 11, len.wrapping_mul(PRIMES64[1]))
    }

    #[inline(always)]
    fn write(self, out: &mut [u8]) {
        words::write(self.to_be_bytes(), out);
    }
}

impl Hash for u128 {
    #[inline(always)]
    fn few(bytes: &[u8]) -> Self {
        short::few128(bytes)
    }

    #[inline(always)]
    fn ends(bytes: &[u8]) -> Self {
        short::ends128(bytes)
    }

    #[inline(always)]
    fn run(bytes: &[u8]) -> Self {
        short::run128(bytes)
    }

    #[inline(always)]
    fn long(sums: Sums, len: u64) -> Self {
        let at = SECRET.len() - STRIPE - 11;
        let high = joined(sums, &SECRET, at, !len.wrapping_mul(PRIMES64[2]));
        Self::from(high) << 64 | Self::from(u64::long(sums, len))
    }

    #[inline(always)]
    fn write(self, out: &mut [u8]) {
        words::write(self.to_be_bytes(), out);
    }
}

const STRIPE: usize = 64;
const BLOCK: usize = 16 * STRIPE;

/// The longest message that is words that overlap, or less.
const LONGEST_FEW: usize = 16;

/// The longest message of which both ends are taken alike.
const LONGEST_ENDS: usize = 128;

/// The longest message that is not summed up by stripes.
const LONGEST_SHORT: usize = 240;

type Sums = [u64; 8];

const START: Sums = [
    PRIMES32[3] as u64,
    PRIMES64[1],
    PRIMES64[2],
    PRIMES64[3],
    PRIMES64[4],
    PRIMES32[2] as u64,
    PRIMES64[5],
    PRIMES32[1] as u64,
];

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Running {
    sums: Sums,
    /// The last bytes absorbed.
    last: [u8; STRIPE],
}

/// The kernel of that name, for a hash `H`. `$added` adds stripes to sums, of whatever type `$sums`
/// it has them in, and scrambles them after a whole block; the secret is taken from the given byte
/// on. It may do all that the CPU can that has the features.
macro_rules! xxh3_kernel {
    ($name:literal, $needs:expr, $($features:literal,)? $sums:ty, $added:path) => {{
        /// The sums of whole stripes. Compiled into its callers: as what a call gives back they
        /// would go by way of memory.
        ///
        /// # Safety
        /// The CPU has the features.
        #[inline(always)]
        #[allow(unused_unsafe, reason = "some want no features")]
        unsafe fn all<const AHEAD: bool>(sums: Sums, stripes: &[[u8; STRIPE]]) -> $sums {
            let (blocks, rest) = stripes.as_chunks::<16>();
            let mut sums = bytemuck::cast(sums);
            // SAFETY: this function's own condition.
            unsafe {
                for block in blocks {
                    if AHEAD {
                        fetch_ahead(block);
                    }
                    sums = $added(sums, block, 0);
                }
                $added(sums, rest, 0)
            }
        }

        /// As `all`, of what is fetched ahead.
        $(#[target_feature(enable = $features)])?
        #[inline(never)]
        fn all_uncached(sums: Sums, stripes: &[[u8; STRIPE]]) -> Sums {
            // SAFETY: this function is compiled for the features.
            bytemuck::cast(unsafe { all::<true>(sums, stripes) })
        }

        $(#[target_feature(enable = $features)])?
        fn absorb(state: &mut State, bytes: &[u8]) {
            let (running, stripes) = (state.view::<Running>(), bytes.as_chunks().0);
            running.sums = if bytes.len() < UNCACHED {
                // SAFETY: as above.
                bytemuck::cast(unsafe { all::<false>(running.sums, stripes) })
            } else {
                all_uncached(running.sums, stripes)
            };
            if let Some(last) = bytes.last_chunk() {
                running.last = *last;
            }
        }

        $(#[target_feature(enable = $features)])?
        #[inline(never)]
        #[allow(unused_unsafe, reason = "some want no features")]
        fn long<H: Hash>(message: &[u8], out: &mut [u8]) {
            let (Some((_, before)), Some(last)) = (message.split_last(), message.last_chunk())
            else {
                return;
            };
            let stripes = before.as_chunks().0;
            // SAFETY: as above.
            let sums = unsafe {
                let sums = if message.len() < UNCACHED {
                    all::<false>(START, stripes)
                } else {
                    bytemuck::cast(all_uncached(START, stripes))
                };
                $added(sums, std::slice::from_ref(last), LAST_KEYS)
            };
            H::long(bytemuck::cast(sums), message.len() as u64).write(out);
        }

        let one_shot = crate::kernel::one_shot!(
            $($features,)? [<H: Hash>] [::<H>] size_of::<H>(),
            |message, out| {
                digest_by::<H>(message, out, |message, out| long::<H>(message, out));
            }
        );
        Kernel::of($name, $needs$(.covering($features))?, Code::OneShot(absorb, one_shot))
    }};
}
use xxh3_kernel;

fn finish<H: Hash>(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    if tail.message_len > LONGEST_SHORT as u64 {
        H::long(sums(state, tail), tail.message_len).write(out);
    } else {
        digest_by::<H>(tail.bytes, out, |_, _| ());
    }
}

/// The digest of a message, by `long` if that is longer than [`LONGEST_SHORT`].
#[inline(always)]
fn digest_by<H: Hash>(message: &[u8], out: &mut [u8], long: impl FnOnce(&[u8], &mut [u8])) {
    if message.len() <= LONGEST_FEW {
        H::few(message).write(out);
    } else if let Ok(bytes) = <&[u8; STRIPE]>::try_from(message) {
        // A length that the compiler knows: no branches by length, and no register saved.
        H::ends(bytes).write(out);
    } else if message.len() <= LONGEST_ENDS {
        ends::<H>(message, out);
    } else if message.len() <= LONGEST_SHORT {
        run::<H>(message, out);
    } else {
        long(message, out);
    }
}

/// The hash of more than [`LONGEST_FEW`] bytes, up to [`LONGEST_SHORT`].
#[inline(never)]
fn of_short<H: Hash>(bytes: &[u8]) -> H {
    #[inline(never)]
    fn others<H: Hash>(bytes: &[u8]) -> H {
        if bytes.len() <= LONGEST_ENDS { H::ends(bytes) } else { H::run(bytes) }
    }
    match <&[u8; STRIPE]>::try_from(bytes) {
        Ok(bytes) => H::ends(bytes), // as in `digest_by`
        Err(_) if bytes.len() <= 32 => H::ends(bytes),
        Err(_) => others(bytes),
    }
}

/// The digest of more bytes, up to [`LONGEST_ENDS`]. Never inlined: shorter messages would wait
/// until its registers are saved.
#[inline(never)]
fn ends<H: Hash>(bytes: &[u8], out: &mut [u8]) {
    debug_assert_eq!(out.len(), size_of::<H>(), "the digest has another length");
    // checked here, the length needs no register
    let Some(out) = out.get_mut(..size_of::<H>()) else { return };
    H::ends(bytes).write(out);
}

/// The digest of more bytes, up to [`LONGEST_SHORT`]. Never inlined: shorter messages would wait
/// until its registers are saved.
#[inline(never)]
fn run<H: Hash>(bytes: &[u8], out: &mut [u8]) {
    H::run(bytes).write(out);
}

/// The sums of the whole message, its last 64 bytes included.
fn sums(state: &mut State, tail: Tail<'_>) -> Sums {
    let stripe = match tail.bytes.last_chunk() {
        Some(stripe) => *stripe,
        None => {
            let mut stripe = [0; STRIPE];
            let (before, rest) = stripe.split_at_mut(STRIPE - tail.bytes.len());
            before.copy_from_slice(&state.view::<Running>().last[tail.bytes.len()..]);
            rest.copy_from_slice(tail.bytes);
            stripe
        }
    };
    let before = tail.bytes.len().saturating_sub(1) / STRIPE * STRIPE;
    if before > 0 {
        tail.kernel.absorb(state, &tail.bytes[..before]);
    }
    portable::added(state.read::<Running>().sums, &[stripe], LAST_KEYS)
}

/// Where in the secret the last stripe's keys begin.
const LAST_KEYS: usize = SECRET.len() - STRIPE - 7;

#[inline(always)]
fn avalanche(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 37).wrapping_mul(0x1656_6791_9e37_79f9);
    hash ^ hash >> 32
}

/// The word of the secret at byte `at`.
#[inline(always)]
const fn key(at: usize) -> u64 {
    u64::from_le_bytes(*SECRET.split_at(at).1.first_chunk().expect("the secret has it"))
}

type Secret = [u8; 192];

/// The secret that the specification gives.
#[rustfmt::skip]
static SECRET: Secret = [
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
];
