//! Fletcher's checksums (J. G. Fletcher: An Arithmetic Checksum for Serial Transmissions, 1982) of
//! 16, 32 and 64 bits: a sum of the words, and a sum of the values that the first sum takes. Both
//! are modulo the greatest word. The second sum comes first.
//!
//! Words are bytes, or 16 or 32 bits of which the least significant byte comes first, the last
//! filled up with zeros: as most programs have it. Fletcher gives no order.

use std::marker::PhantomData;
use std::ops::AddAssign;

use bytemuck::Pod;

use crate::kernel::kernels;
use crate::parts::arrays::Mapped;
use crate::parts::checksum::{self, Checksum, checksum_kernel};
use crate::parts::words::{self, byte_sums_after};
use crate::{Digest, Features, Kernel, Security};

#[cfg(target_arch = "x86_64")]
mod x86_64;

digests! {
    FLETCHER16 fletcher16 Fletcher16: u16,
    FLETCHER32 fletcher32 Fletcher32: u32,
    FLETCHER64 fletcher64 Fletcher64: u64,
}

static FLETCHER16: Digest =
    Digest { name: "fletcher16", aliases: &["fletcher-16"], ..base::<u8>() };

static FLETCHER32: Digest =
    Digest { name: "fletcher32", aliases: &["fletcher-32"], ..base::<u16>() };

static FLETCHER64: Digest =
    Digest { name: "fletcher64", aliases: &["fletcher-64"], ..base::<u32>() };

const fn base<W: Word>() -> Digest {
    Digest {
        family: "fletcher",
        specified_in: "IEEE Transactions on Communications COM-30 (1982)",
        security: Security::Checksum,
        output_len: Fletcher::<W>::LEN,
        block_len: Fletcher::<W>::BLOCK,
        start: checksum::start::<Fletcher<W>>,
        finish: checksum::finish::<Fletcher<W>>,
        one: const { kernels![avx2::<Fletcher<W>>(); portable::<Fletcher<W>>()] },
        ..Digest::BASE
    }
}

struct Fletcher<W>(PhantomData<W>);

impl<W: Word> Checksum for Fletcher<W> {
    /// The sum of the words and that of the sums.
    type Register = [u64; 2];
    const START: [u64; 2] = [0; 2];
    const BLOCK: usize = size_of::<W>();
    const LEN: usize = 2 * size_of::<W>();

    #[inline(always)]
    fn finish([mut sum, mut sums]: [u64; 2], rest: &[u8], _: u64, out: &mut [u8]) {
        if !rest.is_empty() {
            sum = (sum + words::few_of_word(rest)) % W::MODULUS;
            sums = (sums + sum) % W::MODULUS;
        }
        let checksum = sums << (8 * size_of::<W>()) | sum;
        out.copy_from_slice(&checksum.to_be_bytes()[8 - Self::LEN..]);
    }
}

/// [`Fletcher`] of every word.
trait Fletchers: Checksum<Register = [u64; 2]> {
    type Word: Word;
}

impl<W: Word> Fletchers for Fletcher<W> {
    type Word = W;
}

/// What is summed up.
trait Word: Pod {
    /// Holds the sums of a run.
    type Sum: Copy + Default + AddAssign + Into<u64>;
    const MODULUS: u64 = u64::MAX >> (64 - 8 * size_of::<Self>());
    /// From how many words on columns are faster, fewer than 128.
    const LEAST: usize = COLUMNS;
    /// Whether they are only where vectors are long.
    const WANTS_LONG_VECTORS: bool = false;
    /// A word of a message as a number.
    fn number(self) -> Self::Sum;
    /// The columns of sums after groups of [`COLUMNS`] words, all from 0: see [`columns`].
    ///
    /// # Safety
    /// The CPU has AVX2.
    #[cfg(target_arch = "x86_64")]
    unsafe fn columns_avx2(groups: &[u8]) -> [[Self::Sum; COLUMNS]; 2];
    /// Both sums after the words of these bytes, none of which is cut.
    #[inline(always)]
    fn sums_after(sums: (u64, u64), bytes: &[u8]) -> (u64, u64) {
        one_by_one::<Self>(sums, bytes)
    }
}

#[inline(always)]
fn one_by_one<W: Word>(sums: (u64, u64), bytes: &[u8]) -> (u64, u64) {
    bytes.chunks_exact(size_of::<W>()).fold(sums, |(sum, sums), word| {
        let sum = sum + bytemuck::pod_read_unaligned::<W>(word).number().into();
        (sum, sums + sum)
    })
}

macro_rules! word {
    ($($word:ty, $sum:ty, $columns_avx2:path, { $($more:tt)* };)*) => {$(
        impl Word for $word {
            type Sum = $sum;

            #[cfg(target_arch = "x86_64")]
            #[inline(always)]
            unsafe fn columns_avx2(groups: &[u8]) -> [[$sum; COLUMNS]; 2] {
                // SAFETY: this function's own condition.
                unsafe { $columns_avx2(groups) }
            }

            #[inline(always)]
            fn number(self) -> $sum {
                Self::from_le(self).into()
            }

            $($more)*
        }
    )*};
}

word! {
    u8, u32, x86_64::of_bytes, {
        const LEAST: usize = 64;
        const WANTS_LONG_VECTORS: bool = true;

        #[inline(always)]
        fn sums_after(sums: (u64, u64), bytes: &[u8]) -> (u64, u64) {
            if bytes.len() < 8 {
                return one_by_one::<u8>(sums, bytes);
            }
            byte_sums_after(sums, bytes)
        }
    };
    u16, u32, x86_64::of_words, {};
    u32, u64, x86_64::of_long_words, {};
}

#[cfg(target_arch = "x86_64")]
const fn avx2<C: Fletchers>() -> Kernel {
    checksum_kernel!(
        "avx2", Features::AVX2, "avx2", C: Fletchers, unsafe after::<C::Word, true>,
        ..=15 => unsafe after_few::<C::Word>
    )
}

const fn portable<C: Fletchers>() -> Kernel {
    checksum_kernel!(
        "portable", Features::empty(), C: Fletchers, unsafe after::<C::Word, false>,
        ..=15 => unsafe after_few::<C::Word>
    )
}

/// Columns that are summed up side by side.
const COLUMNS: usize = 16;

/// Words of a run. No sum of a column leaves 32 bits within a run.
const RUN: usize = 128 * COLUMNS;

/// The register after words.
///
/// # Safety
/// The CPU has AVX2, if `AVX2` is true.
#[inline(always)]
unsafe fn after<W: Word, const AVX2: bool>(register: [u64; 2], bytes: &[u8]) -> [u64; 2] {
    if bytes.len() < W::LEAST * size_of::<W>() {
        return after_few::<W>(register, bytes);
    }
    // A saved state may have any sums.
    let [mut sum, mut sums] = register.mapped(|sum| sum % W::MODULUS);
    for mut run in bytes.chunks(RUN * size_of::<W>()) {
        let group = COLUMNS * size_of::<W>();
        if run.len() >= group && (AVX2 || !W::WANTS_LONG_VECTORS) {
            let (groups, rest) = run.split_at(run.len() - run.len() % group);
            #[cfg(target_arch = "x86_64")]
            let columns = if AVX2 {
                // SAFETY: this function's own condition.
                unsafe { W::columns_avx2(groups) }
            } else {
                columns::<W>(groups)
            };
            #[cfg(not(target_arch = "x86_64"))]
            let columns = columns::<W>(groups);
            let [words, before] = totals::<W>(columns);
            sums += (groups.len() / size_of::<W>()) as u64 * sum + before;
            sum += words;
            run = rest;
        }
        let after = W::sums_after((sum, sums), run);
        (sum, sums) = (after.0 % W::MODULUS, after.1 % W::MODULUS);
    }
    [sum, sums]
}

/// The register after fewer words than [`Word::LEAST`].
#[inline(always)]
fn after_few<W: Word>(register: [u64; 2], bytes: &[u8]) -> [u64; 2] {
    let [sum, sums] = register.mapped(|sum| sum % W::MODULUS);
    let (sum, sums) = W::sums_after((sum, sums), bytes);
    [folded::<W>(sum), folded::<W>(sums)]
}

/// A sum modulo the greatest word, which has all bits set: its digits in words are added up. After
/// two turns, sums of fewer words than [`Word::LEAST`] are below twice the modulus.
#[inline(always)]
fn folded<W: Word>(sum: u64) -> u64 {
    let folded = (0..2).fold(sum, |sum, _| (sum & W::MODULUS) + (sum >> (8 * size_of::<W>())));
    if folded >= W::MODULUS { folded - W::MODULUS } else { folded }
}

/// The sum of each column of a run, and the sum of the values that it has before each group.
#[inline(always)]
fn columns<W: Word>(groups: &[u8]) -> [[W::Sum; COLUMNS]; 2] {
    let [mut columns, mut before] = [[W::Sum::default(); COLUMNS]; 2];
    for group in groups.chunks_exact(COLUMNS * size_of::<W>()) {
        let words: [W; COLUMNS] = bytemuck::pod_read_unaligned(group);
        for column in 0..COLUMNS {
            before[column] += columns[column];
            columns[column] += words[column].number();
        }
    }
    [columns, before]
}

/// The sum of the words of a run, and that of the sums, both from 0.
#[inline(always)]
fn totals<W: Word>([columns, before]: [[W::Sum; COLUMNS]; 2]) -> [u64; 2] {
    let (mut words, mut sums) = (0, 0);
    for column in 0..COLUMNS {
        let (word, before): (u64, u64) = (columns[column].into(), before[column].into());
        words += word;
        sums += COLUMNS as u64 * before + (COLUMNS - column) as u64 * word;
    }
    [words, sums]
}
