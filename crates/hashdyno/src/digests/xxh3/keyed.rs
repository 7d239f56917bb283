//! XXH3 with a seed or a secret. A seed changes every word of the specification's secret, for
//! messages of more than [`LONGEST_SHORT`] bytes once and for all; a secret stands in its place,
//! and says how many stripes a block has.
//!
//! ```text
//! state:    Head | secret of 136 to 1024 bytes
//! stripe:   key n of the block: 64 bytes of the secret from byte 8 n on
//! block:    (secret's length - 64) / 8 stripes, then the sums are scrambled by the last 64 bytes
//! end:      the last 64 bytes of the message, under the key 71 bytes before the secret's end
//! ```
//!
//! The kernels of `xxh3.rs` know the secret when they are compiled. This text reads keys from the
//! state.

use bytemuck::{Pod, Zeroable};
use zeroize::Zeroize;

use super::short_keyed::{Keys, SHORTEST_SECRET};
use super::*;
use crate::parts::arrays::{Mapped, from_fn};
use crate::{Features, KeyError, Keyed};

/// Messages under a seed.
pub(super) fn seeded(digest: &'static Digest, seed: u64) -> Result<Keyed, KeyError> {
    let mut secret = SECRET;
    for (index, word) in secret.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        // The second word of each pair takes the seed with the other sign.
        let seed = if index.is_multiple_of(2) { seed } else { seed.wrapping_neg() };
        *word = u64::from_le_bytes(*word).wrapping_add(seed).to_le_bytes();
    }
    let keyed = starting(digest, &secret, Head { seed, seeded: 1, ..Head::START });
    secret.zeroize();
    Ok(keyed)
}

/// Messages under a secret.
pub(super) fn with_secret(digest: &'static Digest, secret: &[u8]) -> Result<Keyed, KeyError> {
    KeyError::unless_len(digest.name, secret.len(), SHORTEST_SECRET, LONGEST_SECRET)?;
    Ok(starting(digest, secret, Head::START))
}

fn starting(digest: &Digest, secret: &[u8], head: Head) -> Keyed {
    let mut bytes = bytemuck::bytes_of(&head).to_vec();
    bytes.extend_from_slice(secret);
    let mut state = State::new();
    state.fill(&bytes);
    bytes.zeroize();
    Keyed::starting(if digest.output_len == 8 { &XXH3 } else { &XXH128 }, &mut state)
}

static XXH3: Digest = Digest { name: "xxh3", output_len: 8, ..base::<u64>() };
static XXH128: Digest = Digest { name: "xxh128", output_len: 16, ..base::<u128>() };

/// A short message is no longer than a block here.
const fn base<H: Keys>() -> Digest {
    Digest {
        block_len: 4 * STRIPE,
        // What follows the head is as long as the secret.
        start: |state| state.init([0u8; 0]),
        finish: finish::<H>,
        one: ONE,
        ..super::base::<H>()
    }
}

const ONE: &[Kernel] = kernels![
    Kernel::of("avx512", Features::AVX512F, Code::Blocks(absorb_avx512)),
    Kernel::of("avx2", Features::AVX2, Code::Blocks(absorb_avx2));
    Kernel::portable(absorb),
];

/// The longest secret that is taken.
const LONGEST_SECRET: usize = 1024;

/// What is kept between blocks; the secret is behind it.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Head {
    /// The eight sums of the stripes so far.
    sums: Sums,
    /// The last bytes absorbed.
    last: [u8; STRIPE],
    /// How many stripes of a block are absorbed.
    stripes: u64,
    /// 0 under a secret. Short messages mix it in by themselves.
    seed: u64,
    /// 1 if the secret is made of a seed.
    seeded: u64,
}

impl Head {
    const START: Self =
        Self { sums: super::START, last: [0; STRIPE], stripes: 0, seed: 0, seeded: 0 };
}

/// Stripes into sums: straight Rust, which the compiler makes vectors of where it may.
#[inline(always)]
fn absorb(state: &mut State, bytes: &[u8]) {
    let mut head: Head = state.read();
    let secret = &state.as_bytes()[size_of::<Head>()..];
    let scramble = secret.last_chunk().expect("a secret is longer");
    let mut keys = secret[8 * head.stripes as usize..].windows(STRIPE).step_by(8);
    for stripe in bytes.as_chunks().0 {
        let key = keys.next().and_then(<[u8]>::first_chunk).expect("a block has a stripe left");
        head.sums = added(head.sums, stripe, key);
        head.stripes += 1;
        if head.stripes as usize == (secret.len() - STRIPE) / 8 {
            head.sums = scrambled(head.sums, scramble);
            head.stripes = 0;
            keys = secret.windows(STRIPE).step_by(8);
        }
    }
    if let Some(last) = bytes.last_chunk() {
        head.last = *last;
    }
    *state.view() = head;
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn absorb_avx512(state: &mut State, bytes: &[u8]) {
    absorb(state, bytes);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn absorb_avx2(state: &mut State, bytes: &[u8]) {
    absorb(state, bytes);
}

#[inline(always)]
fn added(sums: Sums, stripe: &[u8; STRIPE], key: &[u8; STRIPE]) -> Sums {
    let (stripe, key) = (words_of(stripe), words_of(key));
    from_fn(|lane| {
        let keyed = stripe[lane] ^ key[lane];
        let product = (keyed & 0xffff_ffff).wrapping_mul(keyed >> 32);
        sums[lane].wrapping_add(stripe[lane ^ 1]).wrapping_add(product)
    })
}

#[inline(always)]
fn scrambled(sums: Sums, key: &[u8; STRIPE]) -> Sums {
    let key = words_of(key);
    from_fn(|lane| {
        let sum = sums[lane] ^ sums[lane] >> 47 ^ key[lane];
        sum.wrapping_mul(PRIMES32[1].into())
    })
}

#[inline(always)]
fn words_of(stripe: &[u8; STRIPE]) -> [u64; 8] {
    bytemuck::cast::<_, [u64; 8]>(*stripe).mapped(u64::from_le)
}

fn finish<H: Keys>(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    let head: Head = state.read();
    if tail.message_len <= LONGEST_SHORT as u64 {
        let secret = &state.as_bytes()[size_of::<Head>()..];
        let secret = if head.seeded == 1 { &SECRET } else { secret };
        return H::short(tail.bytes, secret, head.seed).write(out);
    }
    let mut stripe = [0; STRIPE];
    // The last stripe may reach back into the blocks before.
    let kept = STRIPE.saturating_sub(tail.bytes.len());
    stripe[..kept].copy_from_slice(&head.last[STRIPE - kept..]);
    stripe[kept..].copy_from_slice(&tail.bytes[tail.bytes.len() - (STRIPE - kept)..]);
    // At least one byte stays behind the whole stripes, as the specification has it.
    let before = tail.bytes.len().saturating_sub(1) / STRIPE * STRIPE;
    if before > 0 {
        tail.kernel.absorb(state, &tail.bytes[..before]);
    }
    let secret = &state.as_bytes()[size_of::<Head>()..];
    let keys = secret[secret.len() - STRIPE - 7..].first_chunk().expect("a stripe and seven");
    let sums = added(state.read::<Head>().sums, &stripe, keys);
    H::joined(sums, tail.message_len, secret).write(out);
}
