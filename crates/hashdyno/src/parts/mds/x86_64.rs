//! [`super::mix`] in assembly, for every x86-64 CPU.
//!
//! A row of eight bytes takes eight look-ups. A core that loads the eight bytes one by one waits
//! for its load units, for each look-up is a load, too. A core that cuts them all out of one
//! register waits for its arithmetic units. So four bytes are loaded one by one, and four come out
//! of a register:
//!
//! ```text
//! for each row of `rows`:
//!     eax = bytes 0 to 3
//!     sums[..] ^= tables[..][al], [ah], [eax >> 16 & 255], [eax >> 24]
//!     for byte in 4 to 7:
//!         sums[..] ^= tables[..][rows[byte]]
//! ```
//!
//! The eight sums stay in registers. On a Zen 5 the same in Rust, inlined, took half as long again.

use std::arch::asm;

use super::{Rows, Tables};

/// Adds to a sum what a table has for the byte in an index register.
macro_rules! look_up {
    ($sum:literal, $table:literal, $index:literal) => {
        concat!(
            "xor {s",
            $sum,
            "}, qword ptr [{tables} + 8 * ",
            $index,
            " + 2048 * ",
            $table,
            "]\n"
        )
    };
}

/// The instructions for a row of eight bytes: its number, the sums that they join, their tables.
macro_rules! row {
    (
        $row:literal;
        $s0:literal $s1:literal $s2:literal $s3:literal $($sum:literal)*;
        $t0:literal $t1:literal $t2:literal $t3:literal $($table:literal)*
    ) => {
        concat!(
            "mov eax, dword ptr [{rows} + 8 * ", $row, "]\n",
            "movzx ecx, al\n",
            look_up!($s0, $t0, "rcx"),
            "movzx edx, ah\n",
            look_up!($s1, $t1, "rdx"),
            "mov ecx, eax\n",
            "shr ecx, 24\n",
            "shr eax, 16\n",
            "movzx eax, al\n",
            look_up!($s3, $t3, "rcx"),
            look_up!($s2, $t2, "rax"),
            row!(@ $row, 4 5 6 7; $($sum)*; $($table)*)
        )
    };
    (@ $row:literal, $($byte:literal)*; $($sum:literal)*; $($table:literal)*) => {
        concat!($(
            "movzx ecx, byte ptr [{rows} + 8 * ", $row, " + ", $byte, "]\n",
            look_up!($sum, $table, "rcx"),
        )*)
    };
}

/// Declares a function that adds to `sums` the look-ups of all bytes of `rows`: for each row the
/// sums that its eight bytes join, and the tables.
macro_rules! mixing {
    ($(#[$doc:meta])* $name:ident: $($row:expr,)*) => {
        $(#[$doc])*
        #[inline(always)]
        pub(crate) fn $name(tables: &Tables, rows: &Rows, sums: [u64; 8]) -> [u64; 8] {
            let [mut s0, mut s1, mut s2, mut s3, mut s4, mut s5, mut s6, mut s7] = sums;
            // SAFETY: loads from `rows` and, by a byte each, from `tables`; arithmetic.
            unsafe {
                asm!(
                    $($row,)*
                    rows = in(reg) rows,
                    tables = in(reg) tables,
                    out("rax") _,
                    out("rcx") _,
                    out("rdx") _,
                    s0 = inout(reg) s0,
                    s1 = inout(reg) s1,
                    s2 = inout(reg) s2,
                    s3 = inout(reg) s3,
                    s4 = inout(reg) s4,
                    s5 = inout(reg) s5,
                    s6 = inout(reg) s6,
                    s7 = inout(reg) s7,
                    options(pure, readonly, nostack),
                );
            }
            [s0, s1, s2, s3, s4, s5, s6, s7]
        }
    };
}

mixing! {
    /// Byte n of row r joins row r + n, by table n: Whirlpool's shift of columns.
    shifted:
    row!(0; 0 1 2 3 4 5 6 7; 0 1 2 3 4 5 6 7),
    row!(1; 1 2 3 4 5 6 7 0; 0 1 2 3 4 5 6 7),
    row!(2; 2 3 4 5 6 7 0 1; 0 1 2 3 4 5 6 7),
    row!(3; 3 4 5 6 7 0 1 2; 0 1 2 3 4 5 6 7),
    row!(4; 4 5 6 7 0 1 2 3; 0 1 2 3 4 5 6 7),
    row!(5; 5 6 7 0 1 2 3 4; 0 1 2 3 4 5 6 7),
    row!(6; 6 7 0 1 2 3 4 5; 0 1 2 3 4 5 6 7),
    row!(7; 7 0 1 2 3 4 5 6; 0 1 2 3 4 5 6 7),
}

mixing! {
    /// Byte n of row r joins row n, by table r: Streebog's transposition.
    transposed:
    row!(0; 0 1 2 3 4 5 6 7; 0 0 0 0 0 0 0 0),
    row!(1; 0 1 2 3 4 5 6 7; 1 1 1 1 1 1 1 1),
    row!(2; 0 1 2 3 4 5 6 7; 2 2 2 2 2 2 2 2),
    row!(3; 0 1 2 3 4 5 6 7; 3 3 3 3 3 3 3 3),
    row!(4; 0 1 2 3 4 5 6 7; 4 4 4 4 4 4 4 4),
    row!(5; 0 1 2 3 4 5 6 7; 5 5 5 5 5 5 5 5),
    row!(6; 0 1 2 3 4 5 6 7; 6 6 6 6 6 6 6 6),
    row!(7; 0 1 2 3 4 5 6 7; 7 7 7 7 7 7 7 7),
}
