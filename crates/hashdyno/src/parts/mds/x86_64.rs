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
//! The eight sums stay in registers. Compilers put them into memory, or take twice as many
//! instructions for the bytes.

use std::arch::asm;

use super::{Rows, Tables};

/// The instructions for the row of eight bytes at `$at`. For each byte in turn stand the sum that
/// its look-up joins and the place of its table, in bytes.
macro_rules! row {
    (
        $at:literal, $a:literal $of_a:literal, $b:literal $of_b:literal, $c:literal $of_c:literal,
        $d:literal $of_d:literal, $($n:literal $sum:literal $table:literal),*
    ) => {
        concat!(
            "mov eax, dword ptr [{rows} + ", $at, "]\n",
            "movzx ecx, al\n",
            "xor {s", $a, "}, qword ptr [{tables} + 8 * rcx + ", $of_a, "]\n",
            "movzx edx, ah\n",
            "xor {s", $b, "}, qword ptr [{tables} + 8 * rdx + ", $of_b, "]\n",
            "mov ecx, eax\n",
            "shr ecx, 24\n",
            "shr eax, 16\n",
            "movzx eax, al\n",
            "xor {s", $d, "}, qword ptr [{tables} + 8 * rcx + ", $of_d, "]\n",
            "xor {s", $c, "}, qword ptr [{tables} + 8 * rax + ", $of_c, "]\n",
            $(
                "movzx ecx, byte ptr [{rows} + ", $at, " + ", $n, "]\n",
                "xor {s", $sum, "}, qword ptr [{tables} + 8 * rcx + ", $table, "]\n",
            )*
        )
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
    row!(0, 0 0, 1 2048, 2 4096, 3 6144, 4 4 8192, 5 5 10240, 6 6 12288, 7 7 14336),
    row!(8, 1 0, 2 2048, 3 4096, 4 6144, 4 5 8192, 5 6 10240, 6 7 12288, 7 0 14336),
    row!(16, 2 0, 3 2048, 4 4096, 5 6144, 4 6 8192, 5 7 10240, 6 0 12288, 7 1 14336),
    row!(24, 3 0, 4 2048, 5 4096, 6 6144, 4 7 8192, 5 0 10240, 6 1 12288, 7 2 14336),
    row!(32, 4 0, 5 2048, 6 4096, 7 6144, 4 0 8192, 5 1 10240, 6 2 12288, 7 3 14336),
    row!(40, 5 0, 6 2048, 7 4096, 0 6144, 4 1 8192, 5 2 10240, 6 3 12288, 7 4 14336),
    row!(48, 6 0, 7 2048, 0 4096, 1 6144, 4 2 8192, 5 3 10240, 6 4 12288, 7 5 14336),
    row!(56, 7 0, 0 2048, 1 4096, 2 6144, 4 3 8192, 5 4 10240, 6 5 12288, 7 6 14336),
}

mixing! {
    /// Byte n of row r joins row n, by table r: Streebog's transposition.
    transposed:
    row!(0, 0 0, 1 0, 2 0, 3 0, 4 4 0, 5 5 0, 6 6 0, 7 7 0),
    row!(8, 0 2048, 1 2048, 2 2048, 3 2048, 4 4 2048, 5 5 2048, 6 6 2048, 7 7 2048),
    row!(16, 0 4096, 1 4096, 2 4096, 3 4096, 4 4 4096, 5 5 4096, 6 6 4096, 7 7 4096),
    row!(24, 0 6144, 1 6144, 2 6144, 3 6144, 4 4 6144, 5 5 6144, 6 6 6144, 7 7 6144),
    row!(32, 0 8192, 1 8192, 2 8192, 3 8192, 4 4 8192, 5 5 8192, 6 6 8192, 7 7 8192),
    row!(40, 0 10240, 1 10240, 2 10240, 3 10240, 4 4 10240, 5 5 10240, 6 6 10240, 7 7 10240),
    row!(48, 0 12288, 1 12288, 2 12288, 3 12288, 4 4 12288, 5 5 12288, 6 6 12288, 7 7 12288),
    row!(56, 0 14336, 1 14336, 2 14336, 3 14336, 4 4 14336, 5 5 14336, 6 6 14336, 7 7 14336),
}
