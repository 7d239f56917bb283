//! BLAKE2 (RFC 7693), without a key or with one: BLAKE2b on 64-bit words, BLAKE2s on 32-bit words.
//!
//! ```text
//! h = IV ^ parameter block (digest's length, key's length, fan-out 1, depth 1)       (2.5)
//! for each block:                                                                    (3.2)
//!     t += bytes of the block
//!     v = h0 .. h7 | IV0 .. IV3, IV4 ^ t low, IV5 ^ t high, IV6 ^ mark, IV7
//!     12 or 10 rounds: G on four columns, then on four diagonals, by `ORDER`         (3.1)
//!     h ^= upper half of v ^ lower half of v
//! mark: all ones for the last block, whose t counts no padding
//! ```

mod many;

use bytemuck::Pod;
use zeroize::Zeroizing;

use super::blake::arx::{ORDER, Word, round, unroll};
#[cfg(target_arch = "x86_64")]
use super::blake::rows::{self, Input};
use crate::kernel::{kernels, many_kernels};
use crate::many::lanes;
use crate::modes::Modes;
use crate::parts::arrays::{Mapped, from_fn};
use crate::parts::unroll::by_len;
use crate::parts::words;
use crate::{Begun, Digest, Kernel, KeyError, Keyed, Security, Spelling, State, Tail};
#[cfg(target_arch = "x86_64")]
use crate::{Code, Cores};
pub(super) use many::{Blake2bLanes, Blake2sLanes};

digests! {
    BLAKE2B_128 blake2b_128 Blake2b128,
    BLAKE2B_160 blake2b_160 Blake2b160,
    BLAKE2B_224 blake2b_224 Blake2b224,
    BLAKE2B_256 blake2b_256 Blake2b256,
    BLAKE2B_384 blake2b_384 Blake2b384,
    BLAKE2B_512 blake2b_512 Blake2b512,
    BLAKE2S_128 blake2s_128 Blake2s128,
    BLAKE2S_160 blake2s_160 Blake2s160,
    BLAKE2S_224 blake2s_224 Blake2s224,
    BLAKE2S_256 blake2s_256 Blake2s256,
}

/// BLAKE2b of that many bits, a multiple of 8 from 8 to 512 (RFC 7693, section 2.1); `None` for any
/// other number.
pub fn blake2b(bits: usize) -> Option<&'static Digest> {
    BLAKE2B_512.of_bits(bits).ok()
}

const MODES: Modes = Modes { keyed, longest, of_len, ..Modes::NONE };

/// The most bytes of that digest's kind: half a block.
fn longest(digest: &Digest) -> usize {
    digest.block_len / 2
}

/// The digest with another length and initial value.
fn of_len(digest: &Digest, len: usize) -> Digest {
    let start = if digest.block_len == 128 {
        by_len!(LEN => start::<u64, LEN>, 0 16 32 48).as_flattened()[len - 1]
    } else {
        by_len!(LEN => start::<u32, LEN>, 0 16).as_flattened()[len - 1]
    };
    Digest { output_len: len, security: security(len), start, ..*digest }
}

static BLAKE2B_128: Digest =
    Digest { name: "blake2b-128", aliases: &["blake2b128"], ..design::<u64, 128, 16>() };

static BLAKE2B_160: Digest =
    Digest { name: "blake2b-160", aliases: &["blake2b160"], ..design::<u64, 128, 20>() };

static BLAKE2B_224: Digest =
    Digest { name: "blake2b-224", aliases: &["blake2b224"], ..design::<u64, 128, 28>() };

static BLAKE2B_256: Digest =
    Digest { name: "blake2b-256", aliases: &["blake2b256"], ..design::<u64, 128, 32>() };

static BLAKE2B_384: Digest =
    Digest { name: "blake2b-384", aliases: &["blake2b384"], ..design::<u64, 128, 48>() };

static BLAKE2B_512: Digest = Digest {
    name: "blake2b-512",
    aliases: &[],
    spelling: Spelling { php: None, openssl: Some("blake2b512"), python: Some("blake2b") },
    ..design::<u64, 128, 64>()
};

static BLAKE2S_128: Digest =
    Digest { name: "blake2s-128", aliases: &["blake2s128"], ..design::<u32, 64, 16>() };

static BLAKE2S_160: Digest =
    Digest { name: "blake2s-160", aliases: &["blake2s160"], ..design::<u32, 64, 20>() };

static BLAKE2S_224: Digest =
    Digest { name: "blake2s-224", aliases: &["blake2s224"], ..design::<u32, 64, 28>() };

static BLAKE2S_256: Digest = Digest {
    name: "blake2s-256",
    aliases: &[],
    spelling: Spelling { php: None, openssl: Some("blake2s256"), python: Some("blake2s") },
    ..design::<u32, 64, 32>()
};

/// The chaining value, the number of bytes in the blocks so far (low, high), and the mark of the
/// last block.
type Chain<W> = [W; 11];

/// The last block is compressed in another way, so it is kept back even where it is full.
const HOLDS_LAST_BLOCK: bool = true;

/// What all have in common that put out `LEN` bytes and take `BLOCK` at a time.
const fn design<W: Design, const BLOCK: usize, const LEN: usize>() -> Digest {
    Digest {
        family: "blake2",
        specified_in: "RFC 7693",
        security: security(LEN),
        output_len: LEN,
        block_len: BLOCK,
        holds_last_block: HOLDS_LAST_BLOCK,
        start: start::<W, LEN>,
        finish: finish::<W, BLOCK>,
        one: W::ONE,
        many: W::MANY,
        modes: &MODES,
        ..Digest::BASE
    }
}

/// Shorter ones are too short for new designs.
const fn security(len: usize) -> Security {
    if len < 28 { Security::Legacy } else { Security::Sound }
}

/// The parameter block says: no key, fan-out and depth 1, and how long the digest is.
fn start<W: Design, const LEN: usize>(state: &mut State) {
    let [parameters, zero] = W::split(0x0101_0000 | LEN as u128);
    let [first, b, c, d, e, f, g, h] = W::INITIAL;
    state.init::<Chain<W>>([first ^ parameters, b, c, d, e, f, g, h, zero, zero, zero]);
}

/// RFC 7693, section 3.3: the key's length is the second byte that is joined with the first word of
/// the initial value, and the key, with zeros behind, a block before the message.
fn keyed(digest: &'static Digest, key: &[u8]) -> Result<Keyed, KeyError> {
    KeyError::unless_len(digest.name, key.len(), 1, digest.block_len / 2)?;
    let mut state = State::new();
    (digest.start)(&mut state);
    // The second byte of a word of either size.
    if digest.block_len == 128 {
        *state.view::<u64>() ^= (key.len() as u64) << 8;
    } else {
        *state.view::<u32>() ^= (key.len() as u32) << 8;
    }
    let mut prefix = Zeroizing::new(vec![0; digest.block_len]);
    prefix[..key.len()].copy_from_slice(key);
    Ok(Keyed { digest, first: Begun::new(&mut state, 0), prefix })
}

/// The last block is filled up with zeros, which its counter leaves out, and marked.
fn finish<W: Design, const BLOCK: usize>(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    let mut padded = [0; BLOCK];
    let block = match tail.bytes.try_into() {
        Ok(full) => full,
        Err(_) if tail.bytes.len() < 16 => {
            // By stores no smaller than a kernel's loads, which would wait for them otherwise.
            words::store(words::marked(tail.bytes, 0), &mut padded[..16]);
            &padded
        }
        Err(_) => {
            words::copy(tail.bytes, &mut padded);
            &padded
        }
    };
    // `absorb_by` adds a whole block, so the counter is set that much lower.
    let [low, high] = W::split(u128::from(tail.message_len).wrapping_sub(BLOCK as u128));
    let [mark, _] = W::split(u128::MAX);
    state.view::<Chain<W>>()[8..].copy_from_slice(&[low, high, mark]);
    tail.kernel.absorb(state, block);
    let chain = state.read::<[W; 8]>().mapped(W::to_le);
    words::write_first(chain, out);
}

/// Absorbs blocks by `next`: the next chaining value, in a form of its own, of the one before, the
/// lower half of the state and the block's words.
#[inline(always)]
fn absorb_by<W: Design, C: Pod, const BLOCK: usize>(
    state: &mut State,
    blocks: &[u8],
    next: impl Fn(C, [W; 8], [W; 16]) -> C,
) {
    let [words @ .., low, high, mark] = state.view::<Chain<W>>();
    let mut chain: C = bytemuck::cast(*words);
    for block in blocks.as_chunks::<BLOCK>().0 {
        let [t0, t1] = W::split(W::join([*low, *high]).wrapping_add(BLOCK as u128));
        (*low, *high) = (t0, t1);
        let [c0, c1, c2, c3, c4, c5, c6, c7] = W::INITIAL;
        let lower = [c0, c1, c2, c3, c4 ^ t0, c5 ^ t1, c6 ^ *mark, c7];
        let message = bytemuck::pod_read_unaligned::<[W; 16]>(block).mapped(W::to_le);
        chain = next(chain, lower, message);
    }
    *words = bytemuck::cast(chain);
}

fn absorb<W: Design, const BLOCK: usize>(state: &mut State, blocks: &[u8]) {
    absorb_by::<W, [W; 8], BLOCK>(state, blocks, |chain, lower, message| {
        let mut v = from_fn(|i| if i < 8 { chain[i] } else { lower[i - 8] });
        unroll!(|ROUND| if const { ROUND < W::ROUNDS } {
            round(&mut v, W::ROTATIONS, |i| message[ORDER[ROUND % 10][i]]);
        });
        from_fn(|i| chain[i] ^ v[i] ^ v[i + 8])
    });
}

/// Declares a kernel by rows: its constant, name and features, the word, the bytes of a block, and
/// the function of `rows`.
#[cfg(target_arch = "x86_64")]
macro_rules! by_rows {
    (
        $kernel:ident $name:literal $features:literal: $word:ident $block:literal,
        $module:ident::$next:ident
    ) => {
        const $kernel: Kernel = {
            #[target_feature(enable = $features)]
            fn absorb(state: &mut State, blocks: &[u8]) {
                const R: [i32; 4] = {
                    let [a, b, c, d] = <$word as Design>::ROTATIONS;
                    [a as i32, b as i32, c as i32, d as i32]
                };
                const ROUNDS: usize = <$word as Design>::ROUNDS;
                // BLAKE2 has no constants in its rounds: the masks of an input are zeros.
                const INPUTS: [Input<$word>; 10] = Input::<$word>::all(&ORDER, &[0; 16]);
                absorb_by::<$word, _, $block>(state, blocks, |chain, lower, message| {
                    rows::$module::$next::<ROUNDS, { R[0] }, { R[1] }, { R[2] }, { R[3] }, 10>(
                        chain, lower, message, &INPUTS,
                    )
                });
            }
            let needs = rows::$module::NEEDS.covering($features);
            Kernel::of($name, needs, Code::Blocks(absorb))
        };
    };
}
#[cfg(target_arch = "x86_64")]
by_rows!(SPLIT_U64 "avx512vl-split" "avx512f,avx512vl": u64 128, split::next_u64);
#[cfg(target_arch = "x86_64")]
by_rows!(AVX512_U64 "avx512vl" "avx512f,avx512vl": u64 128, avx512::next_u64);
#[cfg(target_arch = "x86_64")]
by_rows!(AVX2_U64 "avx2" "avx2": u64 128, avx2::next_u64x4);
#[cfg(target_arch = "x86_64")]
by_rows!(SPLIT_U32 "avx512vl-split" "avx512f,avx512vl": u32 64, split::next_u32);
#[cfg(target_arch = "x86_64")]
by_rows!(AVX512_U32 "avx512vl" "avx512f,avx512vl": u32 64, avx512::next_u32);
#[cfg(target_arch = "x86_64")]
by_rows!(AVX2_U32 "avx2" "avx2": u32 64, avx2::next_u32);

/// What the word size decides.
trait Design: Word {
    /// How often G is applied to all columns and diagonals.
    const ROUNDS: usize;
    /// The distances of G, to the right, in the order of its four rotations (section 2.1).
    const ROTATIONS: [u32; 4];
    const ONE: &'static [Kernel];
    const MANY: &'static [Kernel];
}

impl Design for u64 {
    const ROUNDS: usize = 12;
    const ROTATIONS: [u32; 4] = [32, 24, 16, 63];
    const ONE: &'static [Kernel] = kernels![
        SPLIT_U64.only(Cores::ZEN),
        AVX512_U64.except(Cores::AMD),
        // On AMD's cores straight Rust is as fast.
        AVX2_U64.except(Cores::AMD);
        Kernel::portable(absorb::<u64, 128>),
    ];
    const MANY: &'static [Kernel] =
        many_kernels![lanes!(Blake2bLanes, u64, 1 * avx512), lanes!(Blake2bLanes, u64, 1 * avx2),];
}

impl Design for u32 {
    const ROUNDS: usize = 10;
    const ROTATIONS: [u32; 4] = [16, 12, 8, 7];
    const ONE: &'static [Kernel] = kernels![
        SPLIT_U32.only(Cores::ZEN),
        AVX512_U32.except(Cores::AMD),
        AVX2_U32.except(Cores::ZEN5);
        Kernel::portable(absorb::<u32, 64>),
    ];
    const MANY: &'static [Kernel] = many_kernels![
        lanes!(Blake2sLanes, u32, 1 * avx512),
        lanes!(Blake2sLanes, u32, 1 * avx2),
        lanes!(Blake2sLanes, u32, 1 * sse2),
    ];
}
