//! Which of the bytes `0f a2` are a CPUID, and which are data or the middle of another instruction.
//!
//! Code has no marks between instructions, and compilers put tables between functions. A CPUID that
//! is missed shows the real CPU. Data that is overwritten breaks the program, which is worse. So
//! three verdicts exist, and only `Pair::Cpuid` is overwritten:
//!
//! ```text
//! begins   the leaf before        after                             verdict
//! yes      a number, mov eax,1    -                                 Cpuid
//! yes      set from a register    the answer is used                Cpuid
//! yes      set directly before    code up to its end: it serialises Cpuid
//! yes      else                   code on both sides                Doubtful
//! no       a number               -                                 Doubtful
//! else                                                              Data
//! ```

mod before;

use std::iter::from_fn;
use std::mem;

use iced_x86::{
    Code, Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic,
    OpAccess, OpKind, Register,
};
use memchr::memmem;

pub use before::LONGEST;
use before::{Before, REACH};

/// CPUID.
pub const CPUID: [u8; 2] = [0x0f, 0xa2];

/// What the bytes of a CPUID are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pair {
    /// The instruction: it begins where one begins and its leaf is set before it. The leaf is a
    /// number, or the answer is used, or the leaf is set directly before it.
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

/// The length of the instruction at the beginning of `code`, its prefixes included, if it is CPUID
/// or CLTS, whichever is `wanted`.
pub fn length(code: &[u8], wanted: Mnemonic) -> Option<u64> {
    let instruction = Decoder::new(64, code, DecoderOptions::NONE).decode();
    (instruction.mnemonic() == wanted).then_some(instruction.len() as u64)
}

fn judge(code: &[u8], at: usize) -> Pair {
    let first = at.saturating_sub(REACH);
    let before = Before::decode(&code[first..code.len().min(at + LONGEST)], at - first);
    let after = &code[at + CPUID.len()..];
    match (leaf(&before.path), before.begins) {
        (Leaf::Number, true) => Pair::Cpuid,
        (Leaf::Number, false) => Pair::Doubtful,
        (Leaf::Set, true) if uses_answer(after) => Pair::Cpuid,
        // The answer is not used: CPUID also waits for all that was before it.
        (Leaf::Set, true)
            if leaf(&before.path[..before.path.len().min(2)]) == Leaf::Set
                && ends_as_code(after) =>
        {
            Pair::Cpuid
        }
        (_, true) if !before.path.iter().any(strange) && ends_as_code(after) => Pair::Doubtful,
        _ => Pair::Data,
    }
}

/// What code before a CPUID says of its leaf.
#[derive(PartialEq, Eq)]
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
        used.iter()
            .any(|used| used.register().full_register() == Register::RAX && writes(used.access()))
    };
    let near = path.iter().take(BEFORE).take_while(|instruction| !alien(instruction));
    let decides =
        near.into_iter().find(|instruction| is_zero(instruction) || writes_eax(instruction));
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

/// Whether what CPUID answers is read or stored soon, and all of the code up to its end or for a
/// while is a program's.
fn uses_answer(code: &[u8]) -> bool {
    let mut info = InstructionInfoFactory::new();
    let mut used = false;
    for instruction in onwards(code) {
        if alien(&instruction) {
            return false;
        }
        let registers = info.info(&instruction).used_registers();
        used |= registers
            .iter()
            .any(|used| ANSWER.contains(&used.register().full_register()) && reads(used.access()));
    }
    used
}

/// Whether the code up to its end or for a while may be a program's.
fn ends_as_code(code: &[u8]) -> bool {
    !onwards(code).any(|instruction| strange(&instruction))
}

/// The instructions from here on, up to the first that leaves for good.
fn onwards(code: &[u8]) -> impl Iterator<Item = Instruction> {
    let code = &code[..code.len().min(AFTER * LONGEST)];
    let mut left = false;
    let mut decoder = Decoder::new(64, code, DecoderOptions::NONE);
    let next = move || {
        let more = decoder.can_decode() && !mem::replace(&mut left, false);
        let instruction = more.then(|| decoder.decode())?;
        left = matches!(
            instruction.flow_control(),
            FlowControl::Return | FlowControl::UnconditionalBranch
        );
        Some(instruction)
    };
    from_fn(next).take(AFTER)
}

/// What neither a program nor what fills up between its functions is: data, almost surely.
fn strange(instruction: &Instruction) -> bool {
    // Linkers fill up with INT3, and compilers put UD2 behind calls that do not return.
    let filler = matches!(instruction.mnemonic(), Mnemonic::Int3 | Mnemonic::Ud2);
    alien(instruction) && !filler
}

/// What no program has in its code: data, most often.
fn alien(instruction: &Instruction) -> bool {
    // The opcodes of ENTER and of far returns are one byte, so random data has them often. No
    // compiler for 64 bits writes them.
    let far = matches!(
        instruction.code(),
        Code::Retfw | Code::Retfd | Code::Retfq | Code::Enterw_imm16_imm8 | Code::Enterq_imm16_imm8
    );
    let traps =
        matches!(instruction.flow_control(), FlowControl::Interrupt | FlowControl::Exception);
    far || traps || instruction.is_invalid() || instruction.is_privileged()
}

fn writes(access: OpAccess) -> bool {
    matches!(
        access,
        OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite
    )
}

fn reads(access: OpAccess) -> bool {
    matches!(
        access,
        OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite | OpAccess::ReadCondWrite
    )
}

const ANSWER: [Register; 4] = [Register::RAX, Register::RBX, Register::RCX, Register::RDX];
/// Instructions before CPUID in which its leaf must be set.
const BEFORE: usize = 16;
/// Instructions after CPUID in which its answer must be used.
const AFTER: usize = 16;

/// Bytes before a piece of code and after it that may tell which of its bytes are instructions.
pub const AROUND: usize = AFTER * LONGEST;
const _: () = assert!(AROUND >= REACH);

#[cfg(test)]
mod tests {
    use super::*;

    /// A function as compilers write it: push rbx; mov eax,1; xor ecx,ecx; cpuid; mov [rdi],ecx;
    /// pop rbx; ret.
    const FUNCTION: &[u8] =
        &[0x53, 0xb8, 1, 0, 0, 0, 0x31, 0xc9, 0x0f, 0xa2, 0x89, 0x0f, 0x5b, 0xc3];

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
        assert_eq!(
            judged(&[0xb8, 1, 0, 0, 0, 0xb9, 0x0f, 0xa2, 0, 0, 0x89, 0xc8, 0xc3]),
            [Pair::Data]
        ); // mov ecx,0xa20f
        assert_eq!(
            judged(&[0xb8, 1, 0, 0, 0, 0xe8, 0, 0x0f, 0xa2, 0, 0x89, 0xc8, 0xc3]),
            [Pair::Data]
        ); // call
    }

    #[test]
    fn one_that_nobody_asked_is_doubtful() {
        assert_eq!(judged(&[0x0f, 0xa2, 0x89, 0x0f, 0xc3]), [Pair::Doubtful]); // no leaf
        // pop rax; nop; nop; no use
        assert_eq!(judged(&[0x58, 0x90, 0x90, 0x0f, 0xa2, 0xc3]), [Pair::Doubtful]);
        // mov eax,7: no use, but nothing else
        assert_eq!(judged(&[0xb8, 7, 0, 0, 0, 0x0f, 0xa2, 0xc3]), [Pair::Cpuid]);
    }

    #[test]
    fn one_that_only_waits_is_one() {
        // xor eax,eax; cpuid; ret
        assert_eq!(judged(&[0x31, 0xc0, 0x0f, 0xa2, 0xc3]), [Pair::Cpuid]);
        // mov eax,r12d; cpuid; jmp
        assert_eq!(judged(&[0x44, 0x89, 0xe0, 0x0f, 0xa2, 0xeb, 0xb0]), [Pair::Cpuid]);
        // mov eax,esi; mov ecx,esi; cpuid; ret
        assert_eq!(judged(&[0x89, 0xf0, 0x89, 0xf1, 0x0f, 0xa2, 0xc3]), [Pair::Cpuid]);
    }

    #[test]
    fn prefixes_belong_to_it() {
        for prefixes in [&[0x66][..], &[0x67], &[0xf3], &[0x2e], &[0x48], &[0x66, 0x2e, 0x4f]] {
            let (start, end) = FUNCTION.split_at(8);
            assert_eq!(judged(&[start, prefixes, end].concat()), [Pair::Cpuid], "{prefixes:x?}");
            let cpuid = [prefixes, &CPUID, &[0x90; 9]].concat();
            assert_eq!(
                length(&cpuid, Mnemonic::Cpuid),
                Some(prefixes.len() as u64 + 2),
                "{prefixes:x?}"
            );
            assert_eq!(length(&cpuid, Mnemonic::Clts), None);
        }
        // mov eax,0x40000000
        assert_eq!(judged(&[0xb8, 0, 0, 0, 0x40, 0x0f, 0xa2, 0xc3]), [Pair::Cpuid]);
    }

    #[test]
    fn data_that_is_jumped_over_does_not_hide_one() {
        for data in [&[0x48, 0xb8][..], &[0x0f], &[0xb8], &[0x62, 0xb9, 0x11]] {
            let jump = [0xeb, data.len() as u8];
            let (start, end) = FUNCTION.split_at(8);
            assert_eq!(judged(&[start, &jump, data, end].concat()), [Pair::Cpuid], "{data:x?}");
            // Set behind the data: sub ecx,ecx in place of a number.
            assert_eq!(
                judged(&[&jump, data, &CPUID, &[0x89, 0x0f, 0xc3]].concat()),
                [Pair::Doubtful],
                "{data:x?}"
            );
        }
        // mov eax,1; jmp by a register; data; cpuid
        assert_eq!(
            judged(&[0xb8, 1, 0, 0, 0, 0x48, 0xb9, 0xb8, 7, 0, 0, 0, 0x0f, 0xa2, 0xc3]),
            [Pair::Doubtful]
        );
    }

    #[test]
    fn a_table_among_code_is_data() {
        // Of libcrypto, which has its tables for the curve P-256 among its code.
        let tables = [
            "845f74ab701cf66f2a36ec41ada8b3a7980c0751db637bc00fa273f4354cf473212cedca9dcc9a9d1456",
            "c0621d4761a1c8ce5ef8c28ee24a6ffabc7cf3418599704b0fa293675b98a8ef3bd37b7a46648e93bd3f",
        ];
        for table in tables {
            let bytes: Vec<_> = (0..table.len())
                .step_by(2)
                .map(|at| u8::from_str_radix(&table[at..at + 2], 16).unwrap())
                .collect();
            assert_eq!(judged(&bytes), [Pair::Data], "{table}");
        }
    }

    #[test]
    fn a_leaf_that_a_test_left_is_one() {
        // test eax,eax; jne; cpuid; test eax,eax; ret
        let tested = [0x85, 0xc0, 0x75, 0x10, 0x0f, 0xa2, 0x85, 0xc0, 0xc3];
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
        let mut judged = || {
            let mut code: Vec<u8> = (0..256).map(|_| random()).collect();
            code[128..130].copy_from_slice(&CPUID);
            judge(&code, 128)
        };
        let all: Vec<_> = (0..4000).map(|_| judged()).collect();
        let count = |what| all.iter().filter(|pair| **pair == what).count();
        assert!(count(Pair::Cpuid) <= 20, "{} of 4000", count(Pair::Cpuid));
        assert!(count(Pair::Doubtful) <= 20, "{} doubtful of 4000", count(Pair::Doubtful));
    }
}
