//! What stands before a place in code.
//!
//! The code before a CPUID is decoded from each of its last 96 bytes. Most beginnings are wrong,
//! and they meet the true instructions after a few. So each byte gets votes: how many beginnings
//! lead to it. Half of all beginnings make an instruction true.
//!
//! Data between a jump and its target leads decoding astray. So a true jump to the place is a
//! proof, too.

use std::iter::successors;

use iced_x86::{Decoder, DecoderOptions, Instruction};

/// x86 code falls into step: decoding that begins anywhere soon meets the true instructions, so
/// those that most beginnings lead to are the true ones.
pub struct Before {
    /// Whether an instruction begins at the place: decoding leads there, or a jump of the code
    /// before.
    pub begins: bool,
    /// The instructions before the place in the order of execution, the nearest first.
    pub path: Vec<Instruction>,
}

impl Before {
    /// Looks at the code before the two bytes of a CPUID at `pair`, whose prefixes belong to it.
    pub fn decode(code: &[u8], pair: usize) -> Self {
        let decoded = Decoded::of(code, pair);
        let prefixes =
            code[..pair].iter().rev().take(LONGEST).take_while(|byte| is_prefix(**byte)).count();
        let starts = (pair - prefixes..=pair).rev();
        let jump = || starts.clone().find_map(|start| decoded.jump(start));
        let place = starts.clone().find(|start| decoded.is_true(*start));
        let (begins, last) = match (place, jump()) {
            (Some(place), _) => (true, decoded.nearest(place)),
            (None, Some(jump)) => (true, Some(jump)),
            (None, None) => (false, starts.clone().find_map(|start| decoded.nearest(start))),
        };
        let path = successors(last, |instruction| decoded.nearest(instruction.ip() as usize));
        Self { begins, path: path.collect() }
    }
}

/// A piece of code, decoded from each of its bytes.
struct Decoded {
    /// The instruction that begins at each byte, true or not.
    all: Vec<Instruction>,
    /// How many of the starts before it lead to each byte.
    leading: Vec<usize>,
}

impl Decoded {
    fn of(code: &[u8], end: usize) -> Self {
        let one = |at| Decoder::with_ip(64, &code[at..], at as u64, DecoderOptions::NONE).decode();
        let all: Vec<_> = (0..end).map(one).collect();
        let mut leading = vec![0; code.len() + 1];
        // In the order of their places, so that the votes of a start are complete before it votes.
        for instruction in &all {
            leading[instruction.next_ip() as usize] += leading[instruction.ip() as usize] + 1;
        }
        Self { all, leading }
    }

    /// Whether an instruction begins here, as far as decoding says: half of the starts lead to it.
    fn is_true(&self, at: usize) -> bool {
        self.leading[at] * 2 >= at
    }

    /// The likeliest instruction that ends here.
    fn nearest(&self, end: usize) -> Option<Instruction> {
        let ending =
            self.all[..end].iter().filter(|instruction| instruction.next_ip() == end as u64);
        ending.max_by_key(|instruction| self.leading[instruction.ip() as usize]).copied()
    }

    /// A jump to this place, which steps over what decoding takes for other instructions.
    fn jump(&self, place: usize) -> Option<Instruction> {
        let leads = |jump: &&Instruction| {
            let branch = jump.is_jmp_short_or_near() || jump.is_jcc_short_or_near();
            branch && jump.near_branch_target() == place as u64 && self.is_true(jump.ip() as usize)
        };
        self.all.iter().rev().find(leads).copied()
    }
}

/// Of operand size, address size, repetition, segments, and REX.
fn is_prefix(byte: u8) -> bool {
    matches!(
        byte,
        0x66 | 0x67 | 0xf2 | 0xf3 | 0x2e | 0x36 | 0x3e | 0x26 | 0x64 | 0x65 | 0x40..=0x4f
    )
}

/// Bytes before a CPUID from which decoding begins.
pub const REACH: usize = 96;
/// Bytes of the longest instruction.
pub const LONGEST: usize = 15;
