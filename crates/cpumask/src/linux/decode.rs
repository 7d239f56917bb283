//! Which of the bytes `0f a2` are a CPUID, and which are data or the middle of another instruction.

use std::iter::successors;

use iced_x86::{
    Code, Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register,
};
use memchr::memmem;

/// CPUID.
pub const CPUID: [u8; 2] = [0x0f, 0xa2];

/// What the bytes of a CPUID are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pair {
    /// The instruction: it begins where one begins, its leaf is set before it, and its answer is used after it or the leaf is a number.
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
    let first = at.saturating_sub(REACH);
    let before = Before::decode(&code[first..code.len().min(at + LONGEST)], at - first);
    if before.landing * 2 < before.starts {
        return Pair::Data;
    }
    match leaf(&before.path) {
        Leaf::Number => Pair::Cpuid,
        Leaf::Set if uses_answer(&code[at + CPUID.len()..]) => Pair::Cpuid,
        Leaf::Set | Leaf::None => Pair::Doubtful,
    }
}

/// What stands before a place in code. x86 code falls into step: decoding that begins anywhere soon meets the true instructions,
/// so those that most beginnings lead to are the true ones.
struct Before {
    starts: usize,
    /// How many of the starts lead to the place.
    landing: usize,
    /// The instructions before the place, the nearest first.
    path: Vec<Instruction>,
}

impl Before {
    fn decode(code: &[u8], place: usize) -> Self {
        let one = |at| Decoder::with_ip(64, &code[at..], at as u64, DecoderOptions::NONE).decode();
        let all: Vec<_> = (0..place).map(one).collect();
        // How many starts lead to each byte, itself included.
        let mut leading = vec![1_usize; code.len() + 1];
        for instruction in &all {
            leading[instruction.next_ip() as usize] += leading[instruction.ip() as usize];
        }
        let nearest = |end: u64| {
            let ending = all[..end as usize].iter().filter(|instruction| instruction.next_ip() == end);
            ending.max_by_key(|instruction| leading[instruction.ip() as usize]).copied()
        };
        let path = successors(nearest(place as u64), |instruction| nearest(instruction.ip())).take(BEFORE).collect();
        Self { starts: place, landing: leading[place] - 1, path }
    }
}

/// What code before a CPUID says of its leaf.
enum Leaf {
    /// EAX is set to a number that is one: chance alone does not write that.
    Number,
    /// EAX is set in a way that leaves are.
    Set,
    None,
}

/// Judges by the nearest instruction that decides what EAX is; what no program has ends the search.
fn leaf(path: &[Instruction]) -> Leaf {
    let mut info = InstructionInfoFactory::new();
    let mut writes_eax = |instruction: &Instruction| {
        let used = info.info(instruction).used_registers();
        used.iter().any(|used| used.register().full_register() == Register::RAX && writes(used.access()))
    };
    let near = path.iter().take_while(|instruction| !alien(instruction));
    let decides = near.into_iter().find(|instruction| is_zero(instruction) || writes_eax(instruction));
    decides.map_or(Leaf::None, given_leaf)
}

/// A test that leaves EAX zero on one of the ways on, where compilers then do without a write.
fn is_zero(instruction: &Instruction) -> bool {
    let tested = match instruction.mnemonic() {
        Mnemonic::Test => instruction.op1_register() == Register::EAX,
        Mnemonic::And => instruction.op1_kind() == OpKind::Immediate8to32,
        _ => false,
    };
    tested && instruction.op0_register() == Register::EAX
}

fn given_leaf(instruction: &Instruction) -> Leaf {
    let number = matches!(instruction.op1_kind(), OpKind::Immediate32 | OpKind::Immediate32to64);
    let whole = instruction.op0_register().size() >= 4;
    match instruction.mnemonic() {
        Mnemonic::Mov if whole && number && is_leaf(instruction.immediate32()) => Leaf::Number,
        Mnemonic::Mov if whole && !number => Leaf::Set,
        Mnemonic::Lea | Mnemonic::Pop if whole => Leaf::Set,
        Mnemonic::Xor | Mnemonic::Sub if instruction.op1_register() == Register::EAX => Leaf::Set,
        _ if is_zero(instruction) => Leaf::Set,
        _ => Leaf::None,
    }
}

/// Leaves are small numbers in four ranges: basic, hypervisor's, extended, Centaur's.
fn is_leaf(number: u32) -> bool {
    number & 0x3fff_ffff < 0x200
}

/// Whether what CPUID answers is read or stored soon, and all of the code up to its end or for a while is a program's.
fn uses_answer(code: &[u8]) -> bool {
    let mut info = InstructionInfoFactory::new();
    let mut used = false;
    for instruction in Decoder::new(64, &code[..code.len().min(AFTER * LONGEST)], DecoderOptions::NONE).iter().take(AFTER) {
        if alien(&instruction) {
            return false;
        }
        let registers = info.info(&instruction).used_registers();
        used |= registers.iter().any(|used| ANSWER.contains(&used.register().full_register()) && reads(used.access()));
        if matches!(instruction.flow_control(), FlowControl::Return | FlowControl::UnconditionalBranch) {
            break;
        }
    }
    used
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
const REACH: usize = 96;
/// Instructions before CPUID in which its leaf must be set.
const BEFORE: usize = 16;
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
        assert_eq!(judged(&[0x31, 0xc0, 0x0f, 0xa2, 0xc3]), [Pair::Doubtful]); // xor eax,eax; no use
        assert_eq!(judged(&[0xb8, 7, 0, 0, 0, 0x0f, 0xa2, 0xc3]), [Pair::Cpuid]); // mov eax,7: no use, but nothing else
    }

    #[test]
    fn a_leaf_that_a_test_left_is_one() {
        let tested = [0x85, 0xc0, 0x75, 0x10, 0x0f, 0xa2, 0x85, 0xc0, 0xc3]; // test eax,eax; jne; cpuid; test eax,eax; ret
        assert_eq!(judged(&tested), [Pair::Cpuid]);
    }

    #[test]
    fn random_data_is_left_alone() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u8
        };
        let mut hit = || {
            let mut code: Vec<u8> = (0..256).map(|_| random()).collect();
            code[128..130].copy_from_slice(&CPUID);
            judge(&code, 128) == Pair::Cpuid
        };
        let hits = (0..4000).filter(|_| hit()).count();
        assert!(hits <= 20, "{hits} of 4000");
    }
}
