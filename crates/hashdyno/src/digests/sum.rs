//! Checksums that add: those of `sum`, BSD's, which rotates, and System V's, which does not; those
//! of IP headers and of Modbus; and the exclusive or of all bytes.
//!
//! | digest | register | a step | at the end |
//! |---|---|---|---|
//! | `sum-bsd` | 16 bits | rotates right by 1, adds a byte | |
//! | `sum-sysv` | 32 bits | adds a byte | folded to 16 bits, twice |
//! | `internet-checksum` | 64 bits | adds a little-endian word of 16 bits | folded, complement |
//! | `lrc` | 32 bits | adds a byte | negated, 8 bits |
//! | `xor8` | 8 bits | exclusive or with a byte | |
//!
//! Sums without a rotation take their bytes in any order, so vectors sum up columns. BSD's sum
//! waits for each byte.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

#[cfg(target_arch = "x86_64")]
use crate::Kernel;
use crate::kernel::kernels;
use crate::parts::checksum::{self, Checksum, checksum_kernel};
use crate::parts::words::few_of_word;
use crate::{Digest, Features, Security};

digests! {
    SUM_BSD sum_bsd SumBsd: u16,
    SUM_SYSV sum_sysv SumSysv: u16,
    INTERNET_CHECKSUM internet_checksum InternetChecksum: u16,
    LRC lrc Lrc: u8,
    XOR8 xor8 Xor8: u8,
}

static SUM_BSD: Digest = Digest {
    name: "sum-bsd",
    aliases: &["bsd"],
    start: checksum::start::<Bsd>,
    finish: checksum::finish::<Bsd>,
    one: &[checksum_kernel!("portable", Features::empty(), Bsd, after_rotations)],
    ..BASE
};

static SUM_SYSV: Digest = Digest {
    name: "sum-sysv",
    aliases: &["sysv"],
    one: kernels![
        sum_by_avx2::<SystemV>();
        checksum_kernel!("portable", Features::empty(), SystemV, after_bytes),
    ],
    ..BASE
};

static INTERNET_CHECKSUM: Digest = Digest {
    name: "internet-checksum",
    aliases: &["ip-checksum", "inet-checksum"],
    specified_in: "RFC 1071",
    block_len: Internet::BLOCK,
    start: checksum::start::<Internet>,
    finish: checksum::finish::<Internet>,
    one: kernels![
        checksum_kernel!("avx2", Features::AVX2, "avx2", Internet, after_words);
        checksum_kernel!("portable", Features::empty(), Internet, after_words),
    ],
    ..BASE
};

static LRC: Digest = Digest {
    name: "lrc",
    aliases: &["modbus-lrc"],
    specified_in: "MODBUS over Serial Line 1.02, 6.2.1",
    output_len: 1,
    finish: checksum::finish::<Longitudinal>,
    one: kernels![
        sum_by_avx2::<Longitudinal>();
        checksum_kernel!("portable", Features::empty(), Longitudinal, after_bytes),
    ],
    ..BASE
};

static XOR8: Digest = Digest {
    name: "xor8",
    aliases: &["bcc", "block-check-character"],
    specified_in: "ISO 1155",
    output_len: 1,
    start: checksum::start::<Parity>,
    finish: checksum::finish::<Parity>,
    one: kernels![
        checksum_kernel!(
            "avx2", Features::AVX2, "avx2", Parity, after_parity, ..=64 => unsafe parity_of_few
        );
        checksum_kernel!(
            "portable", Features::empty(), Parity, after_parity, ..=64 => unsafe parity_of_few
        ),
    ],
    ..BASE
};

const BASE: Digest = Digest {
    family: "sum",
    specified_in: "GNU coreutils, sum",
    security: Security::Checksum,
    output_len: 2,
    block_len: 1,
    start: checksum::start::<SystemV>,
    finish: checksum::finish::<SystemV>,
    one: &[],
    ..Digest::BASE
};

struct Bsd;

impl Checksum for Bsd {
    type Register = u16;
    const START: u16 = 0;

    #[inline(always)]
    fn finish(sum: u16, _: &[u8], _: u64, out: &mut [u8]) {
        out.copy_from_slice(&sum.to_be_bytes());
    }
}

#[inline]
fn after_rotations(sum: u16, bytes: &[u8]) -> u16 {
    bytes.iter().fold(sum, |sum, &byte| sum.rotate_right(1).wrapping_add(byte.into()))
}

struct SystemV;

impl Checksum for SystemV {
    type Register = u32;
    const LEN: usize = 2;
    const START: u32 = 0;

    /// The sum modulo 65535, but for multiples of it, which stay 65535.
    #[inline(always)]
    fn finish(sum: u32, _: &[u8], _: u64, out: &mut [u8]) {
        // The first fold may carry into bit 16, the second may not (GNU coreutils, `sum`).
        let once = |sum: u32| (sum & 0xffff) + (sum >> 16);
        out.copy_from_slice(&(once(once(sum)) as u16).to_be_bytes());
    }
}

/// The sum modulo 256 with the other sign: a message and its checksum add up to 0.
struct Longitudinal;

impl Checksum for Longitudinal {
    type Register = u32;
    const LEN: usize = 1;
    const START: u32 = 0;

    #[inline(always)]
    fn finish(sum: u32, _: &[u8], _: u64, out: &mut [u8]) {
        out.copy_from_slice(&[(sum as u8).wrapping_neg()]);
    }
}

#[inline]
fn after_bytes(sum: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(sum, |sum, &byte| sum.wrapping_add(byte.into()))
}

#[cfg(target_arch = "x86_64")]
const fn sum_by_avx2<C: Checksum<Register = u32>>() -> Kernel {
    checksum_kernel!(
        "avx2", Features::AVX2, "avx2", C: Checksum<Register = u32>, unsafe after_groups,
        ..=64 => unsafe after_few_groups
    )
}

/// The sum after up to 64 bytes.
///
/// # Safety
/// The CPU has AVX2.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn after_few_groups(sum: u32, bytes: &[u8]) -> u32 {
    match [bytes.first_chunk(), bytes.last_chunk()] {
        // SAFETY: this function's own condition.
        [Some(first), Some(last)] => unsafe {
            after_last(sum, sums_of(first), last, bytes.len() - 32)
        },
        _ => after_bytes(sum, bytes),
    }
}

/// The sum after these bytes. Compiled into each caller: a call costs 1000 bytes a tenth of their
/// time.
///
/// # Safety
/// The CPU has AVX2.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn after_groups(sum: u32, bytes: &[u8]) -> u32 {
    use crate::parts::prefetch::{UNCACHED, fetch_ahead};
    let Some(last) = bytes.last_chunk() else {
        return after_bytes(sum, bytes);
    };
    let (groups, rest) = bytes.as_chunks::<32>();
    let uncached = bytes.len() >= UNCACHED;
    let (eights, groups) = groups.as_chunks::<8>();
    // SAFETY: this function's own condition.
    unsafe {
        let mut sums = _mm256_setzero_si256();
        for eight in eights {
            if uncached {
                fetch_ahead(eight);
            }
            for group in eight {
                sums = _mm256_add_epi64(sums, sums_of(group));
            }
        }
        for group in groups {
            sums = _mm256_add_epi64(sums, sums_of(group));
        }
        after_last(sum, sums, last, rest.len())
    }
}

/// The sums of eight bytes each, in words of 64 bits, which no message fills.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn sums_of(group: &[u8; 32]) -> __m256i {
    // Differences from zero.
    _mm256_sad_epu8(bytemuck::cast(*group), _mm256_setzero_si256())
}

/// The sum after words of sums and the last `count` bytes of a group. The bytes before them are
/// hidden: a loop for a few bytes would end where no CPU expects it.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn after_last(sum: u32, sums: __m256i, last: &[u8; 32], count: usize) -> u32 {
    static MASKS: [[u8; 32]; 2] = [[0; 32], [0xff; 32]];
    let mask = MASKS.as_flattened()[count..].first_chunk::<32>().expect("at most a group");
    let last = _mm256_and_si256(bytemuck::cast(*last), bytemuck::cast(*mask));
    bytemuck::cast::<_, [u64; 4]>(_mm256_add_epi64(sums, sums_of(&bytemuck::cast(last))))
        .iter()
        // The register is modulo 2^32: upper halves of the words do not count.
        .fold(sum, |sum, &part| sum.wrapping_add(part as u32))
}

/// The sum of the words of 16 bits without their carries, which are added again: it is the same
/// whichever byte of all words comes first, and whether they are added singly or in pairs.
struct Internet;

impl Checksum for Internet {
    type Register = u64;
    const BLOCK: usize = 2;
    const LEN: usize = 2;
    const START: u64 = 0;

    #[inline(always)]
    fn finish(sum: u64, rest: &[u8], _: u64, out: &mut [u8]) {
        // An odd byte is the lower half of a word, with a zero behind (RFC 1071, 1).
        let last = rest.first().copied().unwrap_or(0);
        // Two folds leave 32 bits. The last byte may carry into bit 32.
        let sum = folded(folded(sum)) + u64::from(last);
        let once = |sum: u64| (sum & 0xffff) + (sum >> 16);
        // The third fold takes the carry of the second.
        out.copy_from_slice(&(!(once(once(once(sum))) as u16)).to_le_bytes());
    }
}

/// A sum of pairs of words whose carries are added again.
#[inline(always)]
fn folded(sum: u64) -> u64 {
    (sum & 0xffff_ffff) + (sum >> 32)
}

#[inline(always)]
fn after_words(mut sum: u64, bytes: &[u8]) -> u64 {
    // Of so many bytes the sum of pairs does not leave 64 bits.
    for run in bytes.chunks(1 << 30) {
        // A pair sums up two columns at once (RFC 1071, 2 (C)). Its carry is folded in later.
        let (pairs, rest) = run.as_chunks::<4>();
        sum = folded(sum);
        for pair in pairs {
            sum += u64::from(u32::from_le_bytes(*pair));
        }
        if let Some(word) = rest.first_chunk() {
            sum += u64::from(u16::from_le_bytes(*word));
        }
    }
    sum
}

struct Parity;

impl Checksum for Parity {
    type Register = u8;
    const START: u8 = 0;

    #[inline(always)]
    fn finish(parity: u8, _: &[u8], _: u64, out: &mut [u8]) {
        out.copy_from_slice(&[parity]);
    }
}

/// The parity after a few bytes: of them the compiler makes few vectors.
#[inline(always)]
fn parity_of_few(parity: u8, bytes: &[u8]) -> u8 {
    bytes.iter().fold(parity, |parity, byte| parity ^ byte)
}

/// Eight words at a time: of fewer, the speed of the loop depends on where it lies.
#[inline(always)]
fn after_parity(parity: u8, bytes: &[u8]) -> u8 {
    let (groups, rest) = bytes.as_chunks::<64>();
    let mut words = [u64::from(parity), 0, 0, 0, 0, 0, 0, 0];
    for group in groups {
        let group: [u64; 8] = bytemuck::cast(*group);
        for (word, of_group) in words.iter_mut().zip(group) {
            *word ^= of_group;
        }
    }
    let (eights, rest) = rest.as_chunks::<8>();
    let word =
        eights.iter().fold(few_of_word(rest), |word, eight| word ^ u64::from_le_bytes(*eight));
    let word = words.into_iter().fold(word, |word, other| word ^ other);
    // Byte k of a word is as good as any other byte: the columns join in the lowest one.
    [32, 16, 8].into_iter().fold(word, |word, distance| word ^ word >> distance) as u8
}
