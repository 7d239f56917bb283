//! LSH (KS X 3262; D.-C. Kim and others: LSH, a new fast secure hash function family, 2014).
//!
//! A step works on two rows of eight words. The rows are arrays of words, vectors of one message or
//! arrays of vectors of many messages; `rows` has the text for all of them.
//!
//! ```text
//! chain: left row, right row;  block: four rows, which are sub-messages 0 and 1 of two rows each
//! sub-message j = sub-message j-1 + (sub-message j-2, permuted by tau)
//! step j = 0 .. 25, or 27 with words of 64 bits:
//!     left ^= row 0 of sub-message j          right ^= row 1
//!     left  = (left + right) <<< alpha ^ constants of step j
//!     right = (left + right) <<< beta
//!     left  = left + right;  word i of right <<< gamma i;  both rows are permuted by sigma
//! chain = rows ^ sub-message after the last step's
//! ```

mod many;
mod rows;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use crate::kernel::{kernels, many_kernels};
use crate::many::{lanes, to_memory_order};
use crate::padding::{Endian, Padding};
use crate::parts::arrays::Mapped;
use crate::parts::lanes::{Lanes, Word};
use crate::{Digest, Kernel, Purpose, Security, State, Tail};
use many::LshLanes;
use rows::{Row, compress};

digests! {
    LSH256_224 lsh256_224 Lsh256_224,
    LSH256_256 lsh256_256 Lsh256_256,
    LSH512_224 lsh512_224 Lsh512_224,
    LSH512_256 lsh512_256 Lsh512_256,
    LSH512_384 lsh512_384 Lsh512_384,
    LSH512_512 lsh512_512 Lsh512_512,
}

static LSH256_224: Digest = Digest {
    name: "lsh256-224",
    aliases: &["lsh-256-224"],
    start: |state| state.init(INITIAL_256_224),
    ..lsh::<u32, 128, 224>()
};

static LSH256_256: Digest = Digest {
    name: "lsh256-256",
    aliases: &["lsh-256-256"],
    start: |state| state.init(INITIAL_256_256),
    ..lsh::<u32, 128, 256>()
};

static LSH512_224: Digest = Digest {
    name: "lsh512-224",
    aliases: &["lsh-512-224"],
    start: |state| state.init(INITIAL_512_224),
    ..lsh::<u64, 256, 224>()
};

static LSH512_256: Digest = Digest {
    name: "lsh512-256",
    aliases: &["lsh-512-256"],
    start: |state| state.init(INITIAL_512_256),
    ..lsh::<u64, 256, 256>()
};

static LSH512_384: Digest = Digest {
    name: "lsh512-384",
    aliases: &["lsh-512-384"],
    start: |state| state.init(INITIAL_512_384),
    ..lsh::<u64, 256, 384>()
};

static LSH512_512: Digest = Digest {
    name: "lsh512-512",
    aliases: &["lsh-512-512"],
    start: |state| state.init(INITIAL_512_512),
    ..lsh::<u64, 256, 512>()
};

/// What the digests have in common, for words `W`, blocks of `BLOCK` bytes and an output of `BITS`.
const fn lsh<W: Size, const BLOCK: usize, const BITS: usize>() -> Digest {
    Digest {
        family: "lsh",
        purpose: Purpose::NationalStandard,
        specified_in: "KS X 3262",
        security: Security::Sound,
        output_len: BITS / 8,
        block_len: BLOCK,
        start: |_| (),
        finish: finish::<W, BLOCK>,
        one: W::ONE,
        many: W::MANY,
        ..Digest::BASE
    }
}

/// A bit 1 and zeros follow the message.
const PADDING: Padding = Padding::of_mark(0x80);

/// The digest is the first bytes of the sum of both rows.
fn finish<W: Size, const BLOCK: usize>(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    let mut block = [0; BLOCK];
    block[..tail.bytes.len()].copy_from_slice(tail.bytes);
    block[tail.bytes.len()] = PADDING.mark;
    // Less than a block is left, so the mark always has room.
    tail.kernel.absorb(state, &block);
    let words = to_memory_order(folded(state.read::<[W; 16]>()), Endian::Little);
    out.copy_from_slice(&bytemuck::bytes_of(&words)[..out.len()]);
}

/// The exclusive or of both rows in the first.
#[inline(always)]
fn folded<L: Lanes>(mut chain: [L; 16]) -> [L; 16] {
    for word in 0..8 {
        chain[word] = chain[word] ^ chain[word + 8];
    }
    chain
}

#[inline(always)]
fn absorb<R: Row>(state: &mut State, blocks: &[u8]) {
    // A copy: the rows need not go back to the state between blocks.
    let mut chain: [R; 2] = bytemuck::pod_read_unaligned(state.as_bytes());
    for block in blocks.chunks_exact(size_of::<[R; 4]>()) {
        compress(&mut chain, &bytemuck::pod_read_unaligned::<[R; 4]>(block).mapped(R::read));
    }
    state.init(chain);
}

/// The constants of so many steps: each row is the one before plus its words, rotated.
macro_rules! constants {
    ($word:ident, $steps:literal, $first:expr) => {{
        let (mut constants, mut at): ([[$word; 8]; $steps], _) = ([$first; $steps], 8);
        while at < 8 * $steps {
            let before = constants[at / 8 - 1][at % 8];
            constants[at / 8][at % 8] = before.wrapping_add(before.rotate_left(8));
            at += 1;
        }
        constants
    }};
}

/// What the size of a word decides.
trait Size: Word {
    /// How far the left and the right row are rotated in even and in odd steps.
    const TURNS: [[u32; 2]; 2];
    /// How far each word of the right row is rotated at the end of a step.
    const GAMMA: [u32; 8];
    /// What each step adds to the left row.
    const CONSTANTS: &'static [[Self; 8]];
    const ONE: &'static [Kernel];
    const MANY: &'static [Kernel];
}

impl Size for u32 {
    const TURNS: [[u32; 2]; 2] = [[29, 1], [5, 17]];
    const GAMMA: [u32; 8] = [0, 8, 16, 24, 24, 16, 8, 0];
    const CONSTANTS: &'static [[Self; 8]] = &constants!(
        u32,
        26,
        [
            0x917caf90, 0x6c1b10a2, 0x6f352943, 0xcf778243, 0x2ceb7472, 0x29e96ff2, 0x8a9ba428,
            0x2eeb2642,
        ]
    );
    const ONE: &'static [Kernel] =
        kernels![x86_64::VL, x86_64::SHORT; Kernel::portable(absorb::<[u32; 8]>)];
    const MANY: &'static [Kernel] =
        many_kernels![lanes!(LshLanes, u32, 1 * avx512), lanes!(LshLanes, u32, 1 * avx2)];
}

impl Size for u64 {
    const TURNS: [[u32; 2]; 2] = [[23, 59], [7, 3]];
    const GAMMA: [u32; 8] = [0, 16, 32, 48, 8, 24, 40, 56];
    const CONSTANTS: &'static [[Self; 8]] = &constants!(
        u64,
        28,
        [
            0x97884283c938982a,
            0xba1fca93533e2355,
            0xc519a2e87aeb1c03,
            0x9a0fc95462af17b1,
            0xfc3dda8ab019a82b,
            0x02825d079a895407,
            0x79f2d0a7ee06a6f7,
            0xd76d15eed9fdf5fe,
        ]
    );
    const ONE: &'static [Kernel] =
        kernels![x86_64::WIDE, x86_64::PAIRS; Kernel::portable(absorb::<[u64; 8]>)];
    const MANY: &'static [Kernel] =
        many_kernels![lanes!(LshLanes, u64, 1 * avx512), lanes!(LshLanes, u64, 1 * avx2)];
}

// The initial values: the compression of zeros under a chaining value that begins with the bits of
// a word and of the digest.
#[rustfmt::skip]
const INITIAL_256_224: [u32; 16] = [
    0x068608d3, 0x62d8f7a7, 0xd76652ab, 0x4c600a43, 0xbdc40aa8, 0x1eca0b68, 0xda1a89be, 0x3147d354,
    0x707eb4f9, 0xf65b3862, 0x6b0b2abe, 0x56b8ec0a, 0xcf237286, 0xee0d1727, 0x33636595, 0x8bb8d05f,
];
#[rustfmt::skip]
const INITIAL_256_256: [u32; 16] = [
    0x46a10f1f, 0xfddce486, 0xb41443a8, 0x198e6b9d, 0x3304388d, 0xb0f5a3c7, 0xb36061c4, 0x7adbd553,
    0x105d5378, 0x2f74de54, 0x5c2f2d95, 0xf2553fbe, 0x8051357a, 0x138668c8, 0x47aa4484, 0xe01afb41,
];
#[rustfmt::skip]
const INITIAL_512_224: [u64; 16] = [
    0x0c401e9fe8813a55, 0x4a5f446268fd3d35, 0xff13e452334f612a, 0xf8227661037e354a,
    0xa5f223723c9ca29d, 0x95d965a11aed3979, 0x01e23835b9ab02cc, 0x52d49cbad5b30616,
    0x9e5c2027773f4ed3, 0x66a5c8801925b701, 0x22bbc85b4c6779d9, 0xc13171a42c559c23,
    0x31e2b67d25be3813, 0xd522c4deed8e4d83, 0xa79f5509b43fbafe, 0xe00d2cd88b4b6c6a,
];
#[rustfmt::skip]
const INITIAL_512_256: [u64; 16] = [
    0x6dc57c33df989423, 0xd8ea7f6e8342c199, 0x76df8356f8603ac4, 0x40f1b44de838223a,
    0x39ffe7cfc31484cd, 0x39c4326cc5281548, 0x8a2ff85a346045d8, 0xff202aa46dbdd61e,
    0xcf785b3cd5fcdb8b, 0x1f0323b64a8150bf, 0xff75d972f29ea355, 0x2e567f30bf1ca9e1,
    0xb596875bf8ff6dba, 0xfcca39b089ef4615, 0xecff4017d020b4b6, 0x7e77384c772ed802,
];
#[rustfmt::skip]
const INITIAL_512_384: [u64; 16] = [
    0x53156a66292808f6, 0xb2c4f362b204c2bc, 0xb84b7213bfa05c4e, 0x976ceb7c1b299f73,
    0xdf0cc63c0570ae97, 0xda4441baa486ce3f, 0x6559f5d9b5f2acc2, 0x22dacf19b4b52a16,
    0xbbcdacefde80953a, 0xc9891a2879725b3e, 0x7c9fe6330237e440, 0xa30ba550553f7431,
    0xbb08043fb34e3e30, 0xa0dec48d54618ead, 0x150317267464bc57, 0x32d1501fde63dc93,
];
#[rustfmt::skip]
const INITIAL_512_512: [u64; 16] = [
    0xadd50f3c7f07094e, 0xe3f3cee8f9418a4f, 0xb527ecde5b3d0ae9, 0x2ef6dec68076f501,
    0x8cb994cae5aca216, 0xfbb9eae4bba48cc7, 0x650a526174725fea, 0x1f9a61a73f8d8085,
    0xb6607378173b539b, 0x1bc99853b0c0b9ed, 0xdf727fc19b182d47, 0xdbef360cf893a457,
    0x4981f5e570147e80, 0xd00c4490ca7d3e30, 0x5d73940c0e4ae1ec, 0x894085e2edb2d819,
];
