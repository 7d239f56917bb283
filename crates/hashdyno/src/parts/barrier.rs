//! Barriers against the optimiser: where the compiler must be stopped, and how.
//!
//! LLVM sees a kernel as sums and rotations that it may regroup, move and merge. It knows what an
//! instruction computes, and only roughly what it costs beside its neighbours. Five of its habits
//! cost a hash function time, from some per cent to a half:
//!
//! - **It regroups sums.** `a + (b + c)` becomes `(a + b) + c`. A round waits for the newest word,
//!   so that word is to be added last, to what was ready before.
//! - **It makes vectors of words.** Two words that are treated alike become lanes of a register. To
//!   put them there and take them out again takes longer than the work.
//! - **It merges what it knows.** A shuffle by a known order is split, swapped with an exclusive
//!   or, or joined with another. A table that it knows becomes constants of eight bytes in the
//!   code.
//! - **It puts one stream behind the other.** Two chains that take turns in the text may be
//!   computed one after another, further apart than the CPU looks ahead.
//! - **It keeps stored bytes in registers.** Bytes that were prepared for a chain of loads are
//!   taken out of vectors instead, in the chain's way.
//!
//! A barrier is an inline assembly statement whose text is a comment. It costs no instruction. For
//! the compiler its output is another value than its input, so nothing is moved into, merged with
//! or concluded from what comes before.
//!
//! | barrier | of what | it holds |
//! |---|---|---|
//! | [`register!`], [`word`] | one value | what the value was made of |
//! | [`together!`], [`vectors_together!`] | several values | the same, and all are ready |
//! | [`in_step`] | several values | the same |
//! | [`in_place`], [`register_in_place!`] | one value | the same, at this place in the text |
//! | [`in_place_with!`] | two values | the same |
//! | [`loaded`], [`stored`] | bytes in memory | the bytes come from memory, or go there |
//!
//! The lanes of many messages have [`crate::parts::lanes::Lanes::barrier`], which is [`register!`]
//! of their vectors, and [`crate::parts::lanes::Lanes::in_place`]. Elsewhere
//! [`std::hint::black_box`] does, where a value may go through memory. Four more habits have their
//! remedies here, which are no barriers: [`from_memory!`], [`sum_in_place`], [`sum_from`] and
//! [`cold_path`].
//!
//! Each use says in its place what it prevents, and was measured: remove one, and a benchmark
//! tells.

#[cfg(target_arch = "aarch64")]
use std::arch::aarch64::uint32x4_t;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use std::arch::asm;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::__m128i;

/// The same value, in a register of that class (`reg`, `xmm_reg`, `ymm_reg`, `zmm_reg`, `vreg`),
/// for all the compiler knows another one: it cannot move the computation of it into that of
/// others.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! register {
    (vreg $value:expr) => {
        $crate::parts::barrier::register!("/* {0:v} */", [pure,] vreg $value)
    };
    ($class:ident $value:expr) => {
        $crate::parts::barrier::register!("/* {0} */", [pure,] $class $value)
    };
    ($comment:literal, [$($pure:tt)*] $class:ident $value:expr) => {{
        let mut value = $value;
        // SAFETY: the text is a comment.
        unsafe {
            std::arch::asm!(
                $comment,
                inout($class) value,
                options($($pure)* nomem, nostack, preserves_flags),
            )
        };
        value
    }};
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use register;

/// [`register!`] of a word: it does not become a lane of a vector either.
#[inline(always)]
pub(crate) fn word(word: u64) -> u64 {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        register!(reg word)
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    word
}

/// The same words, for all the compiler knows others, and all of them ready here: what comes after
/// in the text does so in the code, and fewer registers are taken at a time. They do not become
/// lanes of a vector either.
macro_rules! together {
    ($($word:ident),*) => {
        $(#[allow(unused_mut, reason = "where there is no such text")] let mut $word: u64 = $word;)*
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        // SAFETY: the text is a comment.
        unsafe {
            std::arch::asm!(
                concat!("/*", $(" {", stringify!($word), "}",)* " */"),
                $($word = inout(reg) $word,)*
                options(pure, nomem, nostack, preserves_flags),
            );
        }
    };
}
pub(crate) use together;

/// The same vectors of a class (`xmm_reg`, `ymm_reg`), for all the compiler knows others, and all
/// of them ready here.
#[cfg(target_arch = "x86_64")]
macro_rules! vectors_together {
    ($class:ident: $($vector:ident)*) => {
        // SAFETY: the text is a comment.
        #[allow(unused_unsafe, reason = "some stand among others")]
        unsafe {
            std::arch::asm!(
                concat!("/*", $(" {", stringify!($vector), "}",)* " */"),
                $($vector = inout($class) $vector,)*
                options(pure, nomem, nostack, preserves_flags),
            );
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(crate) use vectors_together;

/// Keeps streams in step: the compiler, to which their order is all one, would put one behind the
/// other, and further apart than a CPU looks ahead. Does nothing to another number of streams than
/// four.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn in_step(chains: &mut [[__m128i; 2]]) {
    if let [[first, _], [second, _], [third, _], [fourth, _]] = chains {
        let (mut a, mut b, mut c, mut d) = (*first, *second, *third, *fourth);
        // SAFETY: a comment.
        unsafe {
            asm!(
                "/* {0} {1} {2} {3} */",
                inout(xmm_reg) a,
                inout(xmm_reg) b,
                inout(xmm_reg) c,
                inout(xmm_reg) d,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        (*first, *second, *third, *fourth) = (a, b, c, d);
    }
}

/// The same of two streams.
#[cfg(target_arch = "aarch64")]
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn in_step(chains: &mut [[uint32x4_t; 2]]) {
    if let [[first, _], [second, _]] = chains {
        let (mut a, mut b) = (*first, *second);
        // SAFETY: a comment.
        unsafe {
            asm!(
                "/* {0:v} {1:v} */",
                inout(vreg) a,
                inout(vreg) b,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        (*first, *second) = (a, b);
    }
}

/// The same word, for all the compiler knows another one, which is computed where the text has it:
/// sums are not put in another order, and two chains whose steps take turns in the text do so in
/// the code.
#[allow(
    asm_sub_register,
    reason = "only a comment names the register, and each architecture has its own modifiers"
)]
#[inline(always)]
pub(crate) fn in_place(word: u32) -> u32 {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let mut word = word;
        // Not `pure`: such statements keep their order.
        // SAFETY: a comment.
        unsafe { asm!("/* {0} */", inout(reg) word, options(nomem, nostack, preserves_flags)) };
        word
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    word
}

/// [`in_place`] of a vector register of that class.
#[cfg(target_arch = "x86_64")]
macro_rules! register_in_place {
    ($class:ident $value:expr) => {
        $crate::parts::barrier::register!("/* {0} */", [] $class $value)
    };
}
#[cfg(target_arch = "x86_64")]
pub(crate) use register_in_place;

/// [`in_place`] of a register of that class and of the address of the table that it is looked up
/// in: the table is not taken out of memory before.
#[cfg(target_arch = "x86_64")]
macro_rules! in_place_with {
    ($table:expr, $class:ident $value:expr) => {{
        let (mut table, mut value) = ($table, $value);
        // SAFETY: the text is a comment.
        unsafe {
            std::arch::asm!(
                "/* {0} {1} */",
                inout(reg) table,
                inout($class) value,
                options(nostack, preserves_flags),
            )
        };
        (table, value)
    }};
}
#[cfg(target_arch = "x86_64")]
pub(crate) use in_place_with;

/// The same value, for all the compiler knows another: what is read of it is a load, where it
/// would else be a constant in the code, and those of 64 bits take twice the place of a load in the
/// CPU's queue of instructions.
#[allow(
    clippy::pointers_in_nomem_asm_block,
    reason = "nothing is read by way of it there, the text is a comment"
)]
#[inline(always)]
pub(crate) fn loaded<T>(place: &T) -> &T {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let place = register!(reg std::ptr::from_ref(place));
        // SAFETY: it is the same reference still.
        unsafe { &*place }
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    place
}

/// The same word and the same bytes: the bytes are read after the word is computed, and need no
/// registers before.
#[allow(
    clippy::pointers_in_nomem_asm_block,
    reason = "nothing is read by way of it there, the text is a comment"
)]
#[inline(always)]
pub(crate) fn read_after(word: u64, bytes: &[u8]) -> (u64, &[u8]) {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let (mut word, mut start) = (word, bytes.as_ptr());
        // SAFETY: the text is a comment, so the bytes are the same still.
        unsafe {
            asm!(
                "/* {0} {1} */",
                inout(reg) word,
                inout(reg) start,
                options(pure, nomem, nostack, preserves_flags),
            );
            (word, std::slice::from_raw_parts(start, bytes.len()))
        }
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    (word, bytes)
}

/// Has what was written there be in memory: what is read of it later is a load.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn stored<T>(place: &mut T) {
    // SAFETY: the text is a comment.
    unsafe { asm!("/* {0} */", in(reg) place, options(nostack, preserves_flags)) };
}

/// The value of a place by a load: the place stays in memory, and other values have the registers.
#[inline(always)]
pub(crate) fn load<T: Copy>(place: &T) -> T {
    // SAFETY: a reference can be read.
    unsafe { std::ptr::from_ref(place).read_volatile() }
}

/// A value goes to its place by a store, as for [`load`].
#[inline(always)]
pub(crate) fn store<T: Copy>(place: &mut T, value: T) {
    // SAFETY: a reference can be written.
    unsafe { std::ptr::from_mut(place).write_volatile(value) };
}

/// A word and a constant by one instruction of that name, which reads the constant where it lies:
/// as eight bytes of an instruction it would take one more, and two places among those decoded.
/// `$otherwise` is the same, where there is no such instruction.
macro_rules! from_memory {
    ($instruction:literal, $word:expr, $constant:ident, $otherwise:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            let mut word: u64 = $word;
            // SAFETY: reads eight bytes that are there.
            unsafe {
                std::arch::asm!(
                    concat!($instruction, " {word}, qword ptr [rip + {constant}]"),
                    word = inout(reg) word,
                    constant = sym $constant,
                    options(pure, readonly, nostack),
                );
            }
            word
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            $otherwise($word, $constant)
        }
    }};
}
pub(crate) use from_memory;

/// a + b + `CONSTANT`, at this place in the text. One instruction (LEA of three terms) does both
/// additions. Its latency is two or three cycles, so it is for sums that are ready early. LLVM
/// prefers two additions, since CPUs up to Skylake have one unit alone for this LEA.
#[inline(always)]
pub(crate) fn sum_in_place<const CONSTANT: u32>(a: u32, b: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        let mut sum = a;
        // Not `pure`: such statements keep their order.
        // SAFETY: arithmetic. Upper halves of the registers do not count.
        unsafe {
            asm!(
                "lea {sum:e}, [{sum:r} + {b:r} + {constant}]",
                sum = inout(reg) sum,
                b = in(reg) b,
                constant = const CONSTANT as i32,
                options(nomem, nostack, preserves_flags),
            );
        }
        sum
    }
    #[cfg(not(target_arch = "x86_64"))]
    in_place(a.wrapping_add(b).wrapping_add(CONSTANT))
}

/// The sum and the little-endian word at `OFFSET` bytes of the block, by one instruction at this
/// place in the text. LLVM would read the word into a register first, or keep it on the stack.
#[inline(always)]
pub(crate) fn sum_from<const OFFSET: usize>(sum: u32, block: &[u8; 64]) -> u32 {
    const { assert!(OFFSET + 4 <= 64) }
    #[cfg(target_arch = "x86_64")]
    {
        let mut sum = sum;
        // Not `pure`: such statements keep their order.
        // SAFETY: reads four bytes of the block.
        unsafe {
            asm!(
                "add {sum:e}, dword ptr [{block} + {offset}]",
                sum = inout(reg) sum,
                block = in(reg) block,
                offset = const OFFSET,
                options(readonly, nostack),
            );
        }
        sum
    }
    #[cfg(not(target_arch = "x86_64"))]
    in_place(sum.wrapping_add(u32::from_le_bytes(block.as_chunks().0[OFFSET / 4])))
}

/// Says that the way here is the rare one: where a jump counts, the others go straight on.
#[cold]
pub(crate) fn cold_path() {}
