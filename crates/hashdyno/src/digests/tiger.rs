//! Tiger (R. Anderson, E. Biham, 1996), with three or four passes, cut to 160 or 128 bits, and
//! Tiger2 with MD5's padding.
//!
//! The digest's words are printed least significant byte first, as Tiger's paper has it since 1996
//! and PHP since 5.4.
//!
//! ```text
//! a b c = chain; x0 .. x7 = block, little-endian words of 64 bits
//! pass(5)    schedule    pass(7)    schedule    pass(9)        four passes: schedule    pass(9)
//! pass(f): for x in x0 .. x7:
//!     c ^= x
//!     a -= box 1[c0] ^ box 2[c2] ^ box 3[c4] ^ box 4[c6]                c0 .. c7: bytes of c
//!     b  = (b + (box 4[c1] ^ box 3[c3] ^ box 2[c5] ^ box 1[c7])) * f
//!     a b c = b c a
//! chain = a ^ chain a, b - chain b, c + chain c
//! ```

mod many;
#[cfg(target_arch = "x86_64")]
mod planes;
mod tables;

#[cfg(target_arch = "x86_64")]
use std::arch::asm;

use crate::kernel::many_kernels;
use crate::many::lanes;
use crate::padding::{Endian, Padding, strengthen};
use crate::parts::arrays::Mapped;
use crate::parts::lanes::Lanes;
use crate::parts::words;
use crate::{Digest, Kernel, Security, Spelling, State, Tail};
#[cfg(target_arch = "x86_64")]
use planes::Planes;
use tables::BOXES;

digests! {
    TIGER128_3 tiger128_3 Tiger128_3,
    TIGER160_3 tiger160_3 Tiger160_3,
    TIGER192_3 tiger192_3 Tiger192_3,
    TIGER128_4 tiger128_4 Tiger128_4,
    TIGER160_4 tiger160_4 Tiger160_4,
    TIGER192_4 tiger192_4 Tiger192_4,
    TIGER2 tiger2 Tiger2,
}

static TIGER192_3: Digest = Digest {
    name: "tiger192-3",
    aliases: &["tiger", "tiger192"],
    spelling: php("tiger192,3"),
    family: "tiger",
    specified_in: "R. Anderson, E. Biham: Tiger: A Fast New Hash Function (FSE 1996)",
    security: Security::Legacy,
    output_len: 24,
    block_len: 64,
    start: |state| state.init(INITIAL),
    finish: finish::<0x01>,
    mark: 0x01,
    one: &[Kernel::portable(absorb::<3>)],
    many: many_kernels![lanes!(Planes<3>, u64, 8 * vbmi); many::kernel::<3>()],
    ..Digest::BASE
};

static TIGER160_3: Digest = Digest {
    name: "tiger160-3",
    aliases: &["tiger160"],
    spelling: php("tiger160,3"),
    output_len: 20,
    ..TIGER192_3
};

static TIGER128_3: Digest = Digest {
    name: "tiger128-3",
    aliases: &["tiger128"],
    spelling: php("tiger128,3"),
    output_len: 16,
    ..TIGER192_3
};

static TIGER192_4: Digest = Digest {
    name: "tiger192-4",
    aliases: &[],
    spelling: php("tiger192,4"),
    one: &[Kernel::portable(absorb::<4>)],
    many: many_kernels![lanes!(Planes<4>, u64, 8 * vbmi); many::kernel::<4>()],
    ..TIGER192_3
};

static TIGER160_4: Digest =
    Digest { name: "tiger160-4", spelling: php("tiger160,4"), output_len: 20, ..TIGER192_4 };

static TIGER128_4: Digest =
    Digest { name: "tiger128-4", spelling: php("tiger128,4"), output_len: 16, ..TIGER192_4 };

static TIGER2: Digest = Digest {
    name: "tiger2",
    aliases: &[],
    spelling: Spelling::NONE,
    specified_in: "Tiger's home page (2005)",
    finish: finish::<0x80>,
    mark: 0x80,
    ..TIGER192_3
};

/// PHP's name alone: neither OpenSSL nor Python has Tiger.
const fn php(name: &'static str) -> Spelling {
    Spelling { php: Some(name), ..Spelling::NONE }
}

/// With the digest's own mark.
const PADDING: Padding = Padding::with_length(8, Endian::Little);

fn finish<const MARK: u8>(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    strengthen::<64>(state, tail, PADDING.marked(MARK));
    let words = state.read::<[u64; 3]>().mapped(u64::to_le);
    words::write_first(words, out);
}

fn absorb<const PASSES: usize>(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<[u64; 3]>();
    for block in blocks.as_chunks::<64>().0 {
        let words = bytemuck::cast::<_, [[u8; 8]; 8]>(*block).mapped(u64::from_le_bytes);
        compress(std::array::from_mut(chain), [words], PASSES, &BOXES);
    }
}

/// One block of each of `N` messages, round by round in turn. Passes after the third multiply by 9,
/// as the third does.
#[inline(always)]
fn compress<const N: usize>(
    chains: &mut [[u64; 3]; N],
    mut words: [[u64; 8]; N],
    passes: usize,
    boxes: &[[u64; 256]; 4],
) {
    let mut registers = *chains;
    pass::<5, N>(&mut registers, &words, boxes);
    words.iter_mut().for_each(schedule);
    pass::<7, N>(&mut registers, &words, boxes);
    for _ in 2..passes {
        words.iter_mut().for_each(schedule);
        pass::<9, N>(&mut registers, &words, boxes);
    }
    for (chain, [a, b, c]) in chains.iter_mut().zip(registers) {
        *chain = [a ^ chain[0], b.wrapping_sub(chain[1]), c.wrapping_add(chain[2])];
    }
}

/// Eight rounds.
#[inline(always)]
fn pass<const FACTOR: u64, const N: usize>(
    registers: &mut [[u64; 3]; N],
    words: &[[u64; 8]; N],
    boxes: &[[u64; 256]; 4],
) {
    for word in 0..8 {
        for (registers, words) in registers.iter_mut().zip(words) {
            round::<FACTOR>(registers, words[word], boxes);
        }
    }
}

/// One round, after which the registers change places.
#[inline(always)]
fn round<const FACTOR: u64>(registers: &mut [u64; 3], word: u64, boxes: &[[u64; 256]; 4]) {
    let [a, b, c] = *registers;
    let c = c ^ word;
    // The next round's c is this a, so the even bytes' look-ups are the chain.
    let [even, odd] = looked_up(c, boxes);
    let a = a.wrapping_sub(even);
    let b = b.wrapping_add(odd).wrapping_mul(FACTOR);
    *registers = [b, c, a];
}

/// The sums of what the even and the odd bytes look up: in the boxes from the first to the last,
/// and the other way round.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn looked_up(c: u64, boxes: &[[u64; 256]; 4]) -> [u64; 2] {
    let [b0, b1, b2, b3, b4, b5, b6, b7] = c.to_le_bytes().mapped(usize::from);
    [
        boxes[0][b0] ^ boxes[1][b2] ^ boxes[2][b4] ^ boxes[3][b6],
        boxes[3][b1] ^ boxes[2][b3] ^ boxes[1][b5] ^ boxes[0][b7],
    ]
}

/// The same, with a shift for every two bytes, as the second of a register has a name of its own: a
/// compiler has one for each.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn looked_up(c: u64, boxes: &[[u64; 256]; 4]) -> [u64; 2] {
    let (even, odd);
    // Not `pure`: such statements keep their order, and messages their turns.
    // SAFETY: loads of the entries of boxes, of 2048 bytes, that bytes name.
    unsafe {
        asm!(
            "movzx {byte:e}, {c:l}",
            "mov {even}, [{boxes} + 8 * {byte}]",
            "movzx {byte:e}, {c:h}",
            "shr {c}, 16",
            "mov {odd}, [{boxes} + 8 * {byte} + 3 * 2048]",
            "movzx {byte:e}, {c:l}",
            "xor {even}, [{boxes} + 8 * {byte} + 2048]",
            "movzx {byte:e}, {c:h}",
            "shr {c}, 16",
            "xor {odd}, [{boxes} + 8 * {byte} + 2 * 2048]",
            "movzx {byte:e}, {c:l}",
            "xor {even}, [{boxes} + 8 * {byte} + 2 * 2048]",
            "movzx {byte:e}, {c:h}",
            "shr {c:e}, 16",
            "xor {odd}, [{boxes} + 8 * {byte} + 2048]",
            "movzx {byte:e}, {c:l}",
            "shr {c:e}, 8",
            "xor {even}, [{boxes} + 8 * {byte} + 3 * 2048]",
            "xor {odd}, [{boxes} + 8 * {c}]",
            c = inout(reg_abcd) c => _,
            byte = out(reg_abcd) _,
            boxes = in(reg) boxes,
            even = out(reg) even,
            odd = out(reg) odd,
            options(readonly, nostack),
        );
    }
    [even, odd]
}

/// Mixes the message words for the next pass.
#[inline(always)]
fn schedule<L: Lanes<Word = u64>>(words: &mut [L; 8]) {
    let [mut x0, mut x1, mut x2, mut x3, mut x4, mut x5, mut x6, mut x7] = *words;
    // The key schedule of the paper. Each word waits for the word before.
    x0 = minus(x0, x7 ^ L::splat(0xa5a5_a5a5_a5a5_a5a5));
    x1 = x1 ^ x0;
    x2 = x2.plus(x1);
    x3 = minus(x3, x2 ^ (!x1).up(19));
    x4 = x4 ^ x3;
    x5 = x5.plus(x4);
    x6 = minus(x6, x5 ^ (!x4).down(23));
    x7 = x7 ^ x6;
    x0 = x0.plus(x7);
    x1 = minus(x1, x0 ^ (!x7).up(19));
    x2 = x2 ^ x1;
    x3 = x3.plus(x2);
    x4 = minus(x4, x3 ^ (!x2).down(23));
    x5 = x5 ^ x4;
    x6 = x6.plus(x5);
    x7 = minus(x7, x6 ^ L::splat(0x0123_4567_89ab_cdef));
    *words = [x0, x1, x2, x3, x4, x5, x6, x7];
}

/// The difference: lanes have none, and a compiler knows one in this.
#[inline(always)]
fn minus<L: Lanes>(a: L, b: L) -> L {
    !(!a).plus(b)
}

const INITIAL: [u64; 3] = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0xf096_a5b4_c3b2_e187];
