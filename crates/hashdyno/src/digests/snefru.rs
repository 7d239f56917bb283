//! Snefru (R. Merkle, 1990), eight passes, with 256 or 128 bits.
//!
//! The rest of the message is filled up with zeros; the length in bits is a block of its own, its
//! last eight bytes. PHP 8.2 counts a bit too many for every whole 512 MiB, so that its digest of
//! such a message is another.
//!
//! ```text
//! words: the chain, then the block; 16 in all, big-endian
//! pass 0 .. 7, four rounds each; step i = 0 .. 15 of a round:
//!     entry = box 2 * pass + (i / 2 % 2) [lowest byte of word i]
//!     word i-1 ^= entry;  word i+1 ^= entry
//!     after the round all words rotate right by 16, 8, 16 or 24 (here the entries turn)
//! chain ^= the last words, the last first
//! ```

mod many;
#[cfg(target_arch = "x86_64")]
mod planes;
mod tables;

use crate::kernel::many_kernels;
use crate::many::lanes;
use crate::padding::{Endian, Padding};
use crate::parts::arrays::Mapped;
use crate::{Digest, Kernel, Security, Spelling, State, Tail};
use many::SnefruLanes;
#[cfg(target_arch = "x86_64")]
use planes::Planes;
use tables::BOXES;

digests! {
    SNEFRU256 snefru256 Snefru256,
    SNEFRU128 snefru128 Snefru128,
}

static SNEFRU256: Digest = Digest {
    name: "snefru256",
    aliases: &["snefru", "snefru-256"],
    spelling: Spelling { php: Some("snefru256"), ..Spelling::NONE },
    family: "snefru",
    specified_in: "R. Merkle: A Fast Software One-Way Hash Function (Journal of Cryptology, 1990)",
    security: Security::Legacy,
    output_len: 32,
    block_len: 32,
    start: |state| state.init([0u32; 8]),
    finish: finish::<8, 32>,
    one: &[Kernel::portable(absorb::<8, 32>)],
    // AVX2 has an instruction that looks up tables, a slow one: one vector is not worth it.
    many: many_kernels![
        lanes!(Planes<8, 8>, u32, 4 * vbmi),
        lanes!(SnefruLanes<8, 8>, u32, 4 * avx2),
        lanes!(SnefruLanes<8, 8>, u32, 2 * avx2),
    ],
    ..Digest::BASE
};

static SNEFRU128: Digest = Digest {
    name: "snefru128",
    aliases: &["snefru-128"],
    spelling: Spelling::NONE,
    output_len: 16,
    block_len: 48,
    start: |state| state.init([0u32; 4]),
    finish: finish::<4, 48>,
    one: &[Kernel::portable(absorb::<4, 48>)],
    // AVX2 has an instruction that looks up tables, a slow one: one vector is not worth it.
    many: many_kernels![
        lanes!(Planes<4, 12>, u32, 4 * vbmi),
        lanes!(SnefruLanes<4, 12>, u32, 4 * avx2),
        lanes!(SnefruLanes<4, 12>, u32, 2 * avx2),
    ],
    ..SNEFRU256
};

/// Zeros to the end of a block, and a block that ends in the length.
const PADDING: Padding = Padding::with_length(8, Endian::Big).marked(0);

fn finish<const WORDS: usize, const BLOCK: usize>(state: &mut State, tail: Tail<'_>, out: &mut [u8])
where
    [u32; WORDS]: bytemuck::Pod,
{
    if !tail.bytes.is_empty() {
        let mut block = [0; BLOCK];
        block[..tail.bytes.len()].copy_from_slice(tail.bytes);
        tail.kernel.absorb(state, &block);
    }
    let mut block = [0; BLOCK];
    block[BLOCK - 8..].copy_from_slice(&(tail.message_len << 3).to_be_bytes());
    tail.kernel.absorb(state, &block);
    out.copy_from_slice(bytemuck::bytes_of(&state.read::<[u32; WORDS]>().mapped(u32::to_be)));
}

fn absorb<const WORDS: usize, const BLOCK: usize>(state: &mut State, blocks: &[u8])
where
    [u32; WORDS]: bytemuck::Pod,
{
    let chain = state.view::<[u32; WORDS]>();
    for block in blocks.as_chunks::<BLOCK>().0 {
        let mut words = [0; 16];
        words[..WORDS].copy_from_slice(chain);
        for (word, bytes) in words[WORDS..].iter_mut().zip(block.as_chunks::<4>().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        for pass in &PASSES {
            run(pass, &mut words);
        }
        for (chain, word) in chain.iter_mut().zip(words.into_iter().rev()) {
            *chain ^= word;
        }
    }
}

/// One pass of four rounds. Each word in turn picks the entry of an S-box that is added to the
/// words beside it, so every look-up waits for the one before: the byte that decides the next one
/// comes from a table of its own, which saves taking it out of a word. The words stay as they are
/// where the specification rotates them after every round; the entries turn instead.
///
/// Not inlined, so that the tables' address is in a register of its own and not part of what the
/// look-ups wait for.
#[inline(never)]
fn run(Pass { boxes, lows }: &Pass, words: &mut [u32; 16]) {
    macro_rules! round {
        ($turn:literal: $($at:literal)*) => {
            let low = usize::from((words[0] >> $turn) as u8);
            $(
                let entry = boxes[$at / 2 % 2][low].rotate_left($turn);
                let low = usize::from((words[($at + 1) % 16] >> $turn) as u8)
                    ^ usize::from(lows[$at / 2 % 2][low]);
                words[($at + 1) % 16] ^= entry;
                words[($at + 15) % 16] ^= entry;
            )*
            let _ = low;
        };
    }
    round!(0: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    round!(16: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    round!(24: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    round!(8: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
}

/// The S-boxes of a pass, and the least significant bytes of their entries.
struct Pass {
    boxes: [[u32; 256]; 2],
    lows: [[u8; 256]; 2],
}

static PASSES: [Pass; 8] = {
    let mut passes = [const { Pass { boxes: [[0; 256]; 2], lows: [[0; 256]; 2] } }; 8];
    let mut at = 0;
    while at < 16 * 256 {
        let (number, entry) = (at / 256, at % 256);
        let (pass, which) = (&mut passes[number / 2], number % 2);
        pass.boxes[which][entry] = BOXES[number][entry];
        pass.lows[which][entry] = BOXES[number][entry] as u8;
        at += 1;
    }
    passes
};
