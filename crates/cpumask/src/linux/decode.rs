//! Which of the bytes `0f a2` are a CPUID, and which are data or the middle of another instruction.

use iced_x86::{Code, Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, OpAccess, Register};
use memchr::memmem;

/// CPUID.
pub const CPUID: [u8; 2] = [0x0f, 0xa2];

/// What the bytes of a CPUID are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pair {
    /// The instruction: it begins where one begins, its leaf is set before it and its answer is used after it.
    Cpuid,
    /// An instruction begins there, but nothing around it says that it is meant as CPUID.
    Doubtful,
    /// Something else.
    Data,
}

/// Where the bytes of a CPUID are in `code`, and what they are there.
pub fn pairs(code: &[u8]) -> impl Iterator<Item = (usize, Pair)> {
    memmem::find_iter(code, &CPUID).map(|at| (at, judge(code, at)))
}

fn judge(code: &[u8], at: usize) -> Pair {
    // x86 code falls into step: decoding that begins a little before, wherever, soon meets the true instructions.
    let first = at.saturating_sub(REACH);
    let landed: Vec<_> = (first..at).filter_map(|start| path(code, start, at)).collect();
    if landed.len() * 2 < at - first {
        return Pair::Data;
    }
    let leaf_is_set = landed.iter().max_by_key(|path| path.len()).is_some_and(|path| sets_leaf(path));
    if leaf_is_set && uses_answer(&code[at + CPUID.len()..]) { Pair::Cpuid } else { Pair::Doubtful }
}

/// The instructions from `start` to `at`, if one begins there.
fn path(code: &[u8], start: usize, at: usize) -> Option<Vec<Instruction>> {
    let end = code.len().min(at + LONGEST);
    let decoder = Decoder::with_ip(64, &code[start..end], start as u64, DecoderOptions::NONE);
    let path: Vec<_> = decoder.into_iter().take_while(|instruction| instruction.ip() < at as u64).collect();
    path.last().is_none_or(|last| last.next_ip() == at as u64).then_some(path)
}

/// Whether EAX is written before the end of `path`, and nothing from there on is alien to a program.
fn sets_leaf(path: &[Instruction]) -> bool {
    let mut info = InstructionInfoFactory::new();
    let near = path.iter().rev().take(BEFORE);
    near.take_while(|instruction| !alien(instruction)).any(|instruction| {
        let used = info.info(instruction).used_registers();
        used.iter().any(|used| used.register().full_register() == Register::RAX && writes(used.access()))
    })
}

/// Whether what CPUID answers is read or stored soon, before code ends or becomes alien to a program.
fn uses_answer(code: &[u8]) -> bool {
    let mut info = InstructionInfoFactory::new();
    let mut ended = false;
    let mut next = Decoder::new(64, &code[..code.len().min(AFTER * LONGEST)], DecoderOptions::NONE).into_iter().take(AFTER);
    let straight = next.by_ref().take_while(|instruction| {
        let before = ended;
        ended |= matches!(instruction.flow_control(), FlowControl::Return | FlowControl::UnconditionalBranch);
        !before && !alien(instruction)
    });
    straight.into_iter().any(|instruction| {
        let used = info.info(&instruction).used_registers();
        used.iter().any(|used| ANSWER.contains(&used.register().full_register()) && reads(used.access()))
    })
}

/// What no program has in its code: data, most often.
fn alien(instruction: &Instruction) -> bool {
    let far =
        matches!(instruction.code(), Code::Retfw | Code::Retfd | Code::Retfq | Code::Enterw_imm16_imm8 | Code::Enterq_imm16_imm8);
    let traps = matches!(instruction.flow_control(), FlowControl::Interrupt | FlowControl::Exception);
    far || traps || instruction.is_invalid() || instruction.is_privileged()
}

fn writes(access: OpAccess) -> bool {
    matches!(access, OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite)
}

fn reads(access: OpAccess) -> bool {
    matches!(access, OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite | OpAccess::ReadCondWrite)
}

const ANSWER: [Register; 4] = [Register::RAX, Register::RBX, Register::RCX, Register::RDX];
/// Bytes before the pair from which decoding begins.
const REACH: usize = 64;
/// Instructions before CPUID in which its leaf must be set.
const BEFORE: usize = 12;
/// Instructions after CPUID in which its answer must be used.
const AFTER: usize = 16;
/// Bytes of the longest instruction.
const LONGEST: usize = 15;

#[cfg(test)]
mod tests {
    use super::*;

    /// A function as compilers write it: push rbx; mov eax,1; xor ecx,ecx; cpuid; mov [rdi],ecx; pop rbx; ret.
    const FUNCTION: &[u8] = &[0x53, 0xb8, 1, 0, 0, 0, 0x31, 0xc9, 0x0f, 0xa2, 0x89, 0x0f, 0x5b, 0xc3];

    fn judged(code: &[u8]) -> Vec<Pair> {
        let padded = [&[0x90; REACH], code, &[0xcc; 64]].concat();
        pairs(&padded).map(|(_, pair)| pair).collect()
    }

    #[test]
    fn a_cpuid_is_found() {
        assert_eq!(judged(FUNCTION), [Pair::Cpuid]);
    }

    #[test]
    fn the_middle_of_an_instruction_is_not_one() {
        assert_eq!(judged(&[0xb8, 1, 0, 0, 0, 0xb9, 0x0f, 0xa2, 0, 0, 0x89, 0xc8, 0xc3]), [Pair::Data]); // mov ecx,0xa20f
        assert_eq!(judged(&[0xb8, 1, 0, 0, 0, 0xe8, 0, 0x0f, 0xa2, 0, 0x89, 0xc8, 0xc3]), [Pair::Data]); // call
    }

    #[test]
    fn one_that_nobody_asked_is_doubtful() {
        assert_eq!(judged(&[0x0f, 0xa2, 0x89, 0x0f, 0xc3]), [Pair::Doubtful]); // no leaf
        assert_eq!(judged(&[0x31, 0xc0, 0x0f, 0xa2, 0xc3]), [Pair::Doubtful]); // no use
    }
}
