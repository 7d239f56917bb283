//! BLAKE, as submitted to the third round of the SHA-3 contest: 14 rounds of 32-bit words, 16 of
//! 64-bit words, no salt.
//!
//! ```text
//! v = h0 .. h7 | pi0 .. pi3, pi4 ^ t0, pi5 ^ t0, pi6 ^ t1, pi7 ^ t1
//! for each round: G on the four columns of v, then on the four diagonals
//! G i, with j = s(2i) and k = s(2i + 1):
//!     a += b + (m[j] ^ pi[k])    d = (d ^ a) >>> R0    c += d    b = (b ^ c) >>> R1
//!     a += b + (m[k] ^ pi[j])    d = (d ^ a) >>> R2    c += d    b = (b ^ c) >>> R3
//! h ^= upper half of v ^ lower half of v
//! s: `ORDER` of the round      t: bits of the message so far, low and high word
//! ```

pub(super) mod arx;
#[cfg(target_arch = "x86_64")]
pub(super) mod columns;
mod many;
pub(super) mod rounds;
#[cfg(target_arch = "x86_64")]
pub(super) mod rows;

use bytemuck::Pod;

use crate::kernel::{kernels, many_kernels};
use crate::many::lanes;
use crate::padding::{Endian, Padding};
use crate::parts::arrays::{Mapped, from_fn};
use crate::parts::words;
#[cfg(target_arch = "x86_64")]
use crate::{Code, Cores};
use crate::{Digest, Kernel, Security, State, Tail};
use arx::{ORDER, Word, round, unroll};
use many::{Blake32Lanes, Blake64Lanes};
#[cfg(target_arch = "x86_64")]
use rows::Input;

digests! {
    BLAKE_224 blake_224 Blake224,
    BLAKE_256 blake_256 Blake256,
    BLAKE_384 blake_384 Blake384,
    BLAKE_512 blake_512 Blake512,
}

static BLAKE_224: Digest = Digest {
    name: "blake-224",
    aliases: &["blake224"],
    output_len: 28,
    start: |state| {
        start::<u32>(
            state,
            [
                0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7,
                0xbefa4fa4,
            ],
        );
    },
    finish: finish::<u32, 64, TRUNCATED>,
    ..design::<u32, 64>()
};

static BLAKE_256: Digest =
    Digest { name: "blake-256", aliases: &["blake256"], output_len: 32, ..design::<u32, 64>() };

static BLAKE_384: Digest = Digest {
    name: "blake-384",
    aliases: &["blake384"],
    output_len: 48,
    start: |state| {
        start::<u64>(
            state,
            [
                0xcbbb9d5dc1059ed8,
                0x629a292a367cd507,
                0x9159015a3070dd17,
                0x152fecd8f70e5939,
                0x67332667ffc00b31,
                0x8eb44a8768581511,
                0xdb0c2e0d64f98fa7,
                0x47b5481dbefa4fa4,
            ],
        );
    },
    finish: finish::<u64, 128, TRUNCATED>,
    ..design::<u64, 128>()
};

static BLAKE_512: Digest =
    Digest { name: "blake-512", aliases: &["blake512"], output_len: 64, ..design::<u64, 128>() };

/// The last bit before the length tells the two digests of a word size apart.
const NOT_TRUNCATED: u8 = 1;
const TRUNCATED: u8 = 0;

/// The chaining value and, in its last two words, the number of message bits in the blocks so far.
type Chain<W> = [W; 10];

/// What the digests of a word size have in common.
const fn design<W: Design, const BLOCK: usize>() -> Digest {
    Digest {
        family: "blake",
        specified_in: "SHA-3 proposal BLAKE, version 1.3 (2010)",
        security: Security::Sound,
        output_len: 0,
        block_len: BLOCK,
        start: |state| start(state, W::INITIAL),
        finish: finish::<W, BLOCK, NOT_TRUNCATED>,
        one: W::ONE,
        many: W::MANY,
        ..Digest::BASE
    }
}

fn start<W: Word>(state: &mut State, [a, b, c, d, e, f, g, h]: [W; 8]) {
    let [low, high] = W::split(0);
    state.init::<Chain<W>>([a, b, c, d, e, f, g, h, low, high]);
}

const fn padding<W>() -> Padding {
    Padding::with_length(2 * size_of::<W>(), Endian::Big)
}

/// The `MARK` bit stands before the length. A block's counter leaves the
/// padding out, and is 0 where a block has nothing else.
fn finish<W: Design, const BLOCK: usize, const MARK: u8>(
    state: &mut State,
    tail: Tail<'_>,
    out: &mut [u8],
) {
    let padding = padding::<W>();
    let field = padding.length_bytes;
    let bits = u128::from(tail.message_len) << 3;
    let mut blocks = [[0; BLOCK]; 2];
    let rest = tail.bytes.len();
    let used = padding.blocks(rest, BLOCK);
    let padded = blocks[..used].as_flattened_mut();
    padded[..rest].copy_from_slice(tail.bytes);
    padded[rest] = padding.mark;
    let (head, length) = padded.split_at_mut(used * BLOCK - field);
    head[head.len() - 1] |= MARK;
    length.copy_from_slice(&bits.to_be_bytes()[16 - field..]);

    let mut counter = if rest == 0 { 0 } else { bits };
    for block in &blocks[..used] {
        // `absorb_by` adds the bits of a whole block, so the counter is set that much lower.
        let before = W::split(counter.wrapping_sub(8 * BLOCK as u128));
        state.view::<Chain<W>>()[8..].copy_from_slice(&before);
        tail.kernel.absorb(state, block);
        counter = 0;
    }
    let chain = state.read::<[W; 8]>().mapped(W::to_be);
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
    let [words @ .., low, high] = state.view::<Chain<W>>();
    let mut chain: C = bytemuck::cast(*words);
    for block in blocks.as_chunks::<BLOCK>().0 {
        let [t0, t1] = W::split(W::join([*low, *high]).wrapping_add(8 * BLOCK as u128));
        (*low, *high) = (t0, t1);
        let [c0, c1, c2, c3, c4, c5, c6, c7, ..] = W::PI;
        // Each word of the counter joins two words here, and one word in BLAKE2.
        let lower = [c0, c1, c2, c3, c4 ^ t0, c5 ^ t0, c6 ^ t1, c7 ^ t1];
        let message = bytemuck::pod_read_unaligned::<[W; 16]>(block).mapped(W::to_be);
        chain = next(chain, lower, message);
    }
    *words = bytemuck::cast(chain);
}

fn absorb<W: Design, const BLOCK: usize>(state: &mut State, blocks: &[u8]) {
    absorb_by::<W, [W; 8], BLOCK>(state, blocks, |chain, lower, message| {
        let mut v = from_fn(|i| if i < 8 { chain[i] } else { lower[i - 8] });
        unroll!(|ROUND| if const { ROUND < W::ROUNDS } {
            let order = ORDER[ROUND % 10];
            round(&mut v, W::ROTATIONS, |i| message[order[i]] ^ W::PI[order[i ^ 1]]);
        });
        from_fn(|i| chain[i] ^ v[i] ^ v[i + 8])
    });
}

/// The kernels by rows, for an instruction set: module of `rows` and here, name, features, cores.
#[cfg(target_arch = "x86_64")]
macro_rules! row_kernels {
    ($module:ident $name:literal, $features:literal, $on:ident $cores:ident) => {
        mod $module {
            use super::*;

            pub(super) const U32: Kernel = kernel(Code::Blocks(absorb_u32));
            pub(super) const U64: Kernel = kernel(Code::Blocks(absorb_u64));

            const fn kernel(code: Code) -> Kernel {
                Kernel::of($name, rows::$module::NEEDS.covering($features), code).$on(Cores::$cores)
            }

            #[target_feature(enable = $features)]
            fn absorb_u32(state: &mut State, blocks: &[u8]) {
                const INPUTS: [Input<u32>; 10] = Input::<u32>::all(&ORDER, &<u32 as Design>::PI);
                absorb_by::<u32, _, 64>(state, blocks, |chain, lower, message| {
                    rows::$module::next_u32::<14, 16, 12, 8, 7, 10>(chain, lower, message, &INPUTS)
                });
            }

            #[target_feature(enable = $features)]
            fn absorb_u64(state: &mut State, blocks: &[u8]) {
                const INPUTS: [Input<u64>; 10] = Input::<u64>::all(&ORDER, &<u64 as Design>::PI);
                absorb_by::<u64, _, 128>(state, blocks, |chain, lower, message| {
                    rows::$module::next_u64::<16, 32, 25, 16, 11, 10>(
                        chain, lower, message, &INPUTS,
                    )
                });
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
row_kernels!(split "avx512vl-split", "avx512f,avx512vl", only ZEN);
#[cfg(target_arch = "x86_64")]
row_kernels!(avx512 "avx512vl", "avx512f,avx512vl", except AMD);
#[cfg(target_arch = "x86_64")]
row_kernels!(avx2 "avx2", "avx2", except ZEN5);

/// What the word size decides.
trait Design: Word {
    /// How often G is applied to all columns and diagonals.
    const ROUNDS: usize;
    /// The distances of G, to the right, in the order of its four rotations.
    const ROTATIONS: [u32; 4];
    /// The first digits of pi after the point.
    const PI: [Self; 16];
    const ONE: &'static [Kernel];
    const MANY: &'static [Kernel];
}

impl Design for u64 {
    const ROUNDS: usize = 16;
    const ROTATIONS: [u32; 4] = [32, 25, 16, 11];
    const PI: [Self; 16] = [
        0x243f6a8885a308d3,
        0x13198a2e03707344,
        0xa4093822299f31d0,
        0x082efa98ec4e6c89,
        0x452821e638d01377,
        0xbe5466cf34e90c6c,
        0xc0ac29b7c97c50dd,
        0x3f84d5b5b5470917,
        0x9216d5d98979fb1b,
        0xd1310ba698dfb5ac,
        0x2ffd72dbd01adfb7,
        0xb8e1afed6a267e96,
        0xba7c9045f12c7f99,
        0x24a19947b3916cf7,
        0x0801f2e2858efc16,
        0x636920d871574e69,
    ];
    const ONE: &'static [Kernel] =
        kernels![split::U64, avx512::U64, avx2::U64; Kernel::portable(absorb::<u64, 128>)];
    const MANY: &'static [Kernel] =
        many_kernels![lanes!(Blake64Lanes, u64, 1 * avx512), lanes!(Blake64Lanes, u64, 1 * avx2),];
}

impl Design for u32 {
    const ROUNDS: usize = 14;
    const ROTATIONS: [u32; 4] = [16, 12, 8, 7];
    const PI: [Self; 16] = {
        let (mut halves, mut i) = ([0; 16], 0);
        while i < 16 {
            halves[i] = (<u64 as Design>::PI[i / 2] >> (32 * (1 - i % 2))) as u32;
            i += 1;
        }
        halves
    };
    const ONE: &'static [Kernel] =
        kernels![split::U32, avx512::U32, avx2::U32; Kernel::portable(absorb::<u32, 64>)];
    const MANY: &'static [Kernel] = many_kernels![
        lanes!(Blake32Lanes, u32, 1 * avx512),
        lanes!(Blake32Lanes, u32, 1 * avx2),
        lanes!(Blake32Lanes, u32, 1 * sse2),
    ];
}
