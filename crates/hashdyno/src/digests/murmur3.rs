//! MurmurHash3 (A. Appleby, 2011), seed 0 or any of 32 bits: 32 bits, 128 bits for 32-bit machines,
//! 128 bits for 64-bit machines. As PHP prints them, each word's most significant byte comes first.
//!
//! ```text
//! murmur3a: one word h of 32 bits
//!     key(w) = rotate(w * A[0], 15) * A[1]
//!     h = rotate(h ^ key(w), 13) * 5 + addend                         for each word w
//!     h ^ key(rest) ^ length, avalanche
//! murmur3c: four words a b c d, and four words of a block
//!     a = (rotate(a ^ key of word 1, 19) + b) * 5 + addend            b adds c, c adds d, d adds a
//!     each word ^ key of its rest ^ length, spread, avalanche, spread
//! murmur3f: the same of two words of 64 bits
//! spread: the first word becomes the sum of all, and the others add it
//! ```

mod many;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use crate::kernel::{kernels, many_kernels};
use crate::modes::Modes;
use crate::parts::arrays::{Mapped, from_fn};
use crate::parts::chains::chains;
use crate::parts::checksum::{self, Checksum, checksum_kernel};
use crate::parts::words::{at_most, few};
use crate::{Cores, Digest, Features, KeyError, Keyed, Purpose, Security, Spelling, State};

digests! {
    MURMUR3A murmur3a Murmur3a: u32,
    MURMUR3C murmur3c Murmur3c: u128,
    MURMUR3F murmur3f Murmur3f: u128,
}

static MURMUR3A: Digest = Digest {
    name: "murmur3a",
    aliases: &["murmur3-32", "murmur3-x86-32"],
    spelling: Spelling { php: Some("murmur3a"), ..Spelling::NONE },
    output_len: 4,
    block_len: Murmur3a::BLOCK,
    start: checksum::start::<Murmur3a>,
    finish: checksum::finish::<Murmur3a>,
    one: kernels![
        x86_64::MURMUR3A;
        checksum_kernel!("portable", Features::empty(), Murmur3a, after_a)
    ],
    many: many_kernels![chains!(Murmur3a, u32, 2 * avx2)],
    ..BASE
};

static MURMUR3C: Digest = Digest {
    name: "murmur3c",
    aliases: &["murmur3-x86-128"],
    spelling: Spelling { php: Some("murmur3c"), ..Spelling::NONE },
    start: checksum::start::<Murmur3c>,
    finish: checksum::finish::<Murmur3c>,
    one: kernels![
        x86_64::MURMUR3C;
        checksum_kernel!("portable", Features::empty(), Murmur3c, after_c)
    ],
    many: many_kernels![chains!(Murmur3c, u32, 2 * avx2)],
    ..BASE
};

static MURMUR3F: Digest = Digest {
    name: "murmur3f",
    aliases: &["murmur3-128", "murmur3-x64-128"],
    spelling: Spelling { php: Some("murmur3f"), ..Spelling::NONE },
    start: checksum::start::<Murmur3f>,
    finish: checksum::finish::<Murmur3f>,
    one: kernels![
        // Other cores, Intel's among them, multiply a vector's 64-bit words in three steps.
        x86_64::MURMUR3F.only(Cores::AMD);
        checksum_kernel!("portable", Features::empty(), Murmur3f, after_f)
    ],
    many: many_kernels![chains!(Murmur3f, u64, 4 * avx512), chains!(Murmur3f, u64, 2 * avx2),],
    ..BASE
};

const BASE: Digest = Digest {
    family: "murmur3",
    purpose: Purpose::HashTable,
    specified_in: "MurmurHash3.cpp (SMHasher)",
    security: Security::Checksum,
    output_len: 16,
    block_len: Murmur3c::BLOCK,
    start: checksum::start::<Murmur3c>,
    finish: checksum::finish::<Murmur3c>,
    one: &[],
    modes: &Modes { seeded, ..Modes::NONE },
    ..Digest::BASE
};

/// Every word begins as the seed; where words have 64 bits, so has the seed, as PHP has it.
fn seeded(digest: &'static Digest, seed: u64) -> Result<Keyed, KeyError> {
    let word = || u32::try_from(seed).map_err(|_| KeyError::Seed { digest: digest.name, seed });
    let mut state = State::new();
    match digest.name {
        "murmur3a" => state.init(word()?),
        "murmur3c" => state.init([word()?; 4]),
        _ => state.init([seed; 2]),
    }
    Ok(Keyed::starting(digest, &mut state))
}

// The factors of the keys, named c1, c2 and so on in MurmurHash3.cpp.
const A: [u32; 2] = [0xcc9e_2d51, 0x1b87_3593];
const C: [u32; 4] = [0x239b_961b, 0xab0e_9789, 0x38b3_4ae5, 0xa1e3_8b93];
const F: [u64; 2] = [0x87c3_7b91_1142_53d5, 0x4cf5_ad43_2745_937f];

struct Murmur3a;

impl Checksum for Murmur3a {
    type Register = u32;
    const START: u32 = 0;
    const BLOCK: usize = 4;

    #[inline(always)]
    fn finish(hash: u32, rest: &[u8], len: u64, out: &mut [u8]) {
        // Zeros in place of bytes that are not there change nothing.
        out.copy_from_slice(
            &avalanche32(hash ^ key_a(few(rest) as u32) ^ len as u32).to_be_bytes(),
        );
    }
}

#[inline(always)]
fn after_a(hash: u32, blocks: &[u8]) -> u32 {
    let after = |hash, word: &[u8; 4]| step_a(hash, key_a(u32::from_le_bytes(*word)));
    // Four words in a turn: the branches of a loop by words take a twelfth of the time.
    let (groups, rest) = blocks.as_chunks::<16>();
    let hash = groups.iter().fold(hash, |hash, group| group.as_chunks().0.iter().fold(hash, after));
    at_most::<3, _>(rest.as_chunks().0).fold(hash, after)
}

#[inline(always)]
fn step_a(hash: u32, key: u32) -> u32 {
    scaled::<0xe654_6b64>((hash ^ key).rotate_left(13).into()) as u32
}

#[inline(always)]
fn key_a(word: u32) -> u32 {
    word.wrapping_mul(A[0]).rotate_left(15).wrapping_mul(A[1])
}

struct Murmur3c;

impl Checksum for Murmur3c {
    type Register = [u32; 4];
    const START: [u32; 4] = [0; 4];
    const BLOCK: usize = 16;

    #[inline(always)]
    fn finish(hash: [u32; 4], rest: &[u8], len: u64, out: &mut [u8]) {
        // Words behind the rest are 0, and so are their keys.
        let keys = keys_c(&few(rest).to_le_bytes());
        let mixed: [u32; 4] = from_fn(|index| hash[index] ^ keys[index] ^ len as u32);
        let spread = |[a, b, c, d]: [u32; 4]| {
            let sum = a.wrapping_add(b).wrapping_add(c).wrapping_add(d);
            [sum, b.wrapping_add(sum), c.wrapping_add(sum), d.wrapping_add(sum)]
        };
        out.copy_from_slice(
            spread(spread(mixed).mapped(avalanche32)).mapped(u32::to_be_bytes).as_flattened(),
        );
    }
}

#[inline(always)]
fn after_c(hash: [u32; 4], blocks: &[u8]) -> [u32; 4] {
    blocks.as_chunks().0.iter().fold(hash, |hash, block| step_c(hash, keys_c(block)))
}

#[inline(always)]
fn step_c([mut a, mut b, mut c, mut d]: [u32; 4], [k1, k2, k3, k4]: [u32; 4]) -> [u32; 4] {
    a = scaled::<0x561c_cd1b>((a ^ k1).rotate_left(19).wrapping_add(b).into()) as u32;
    b = scaled::<0x0bca_a747>((b ^ k2).rotate_left(17).wrapping_add(c).into()) as u32;
    c = scaled::<0x96cd_1c35>((c ^ k3).rotate_left(15).wrapping_add(d).into()) as u32;
    d = scaled::<0x32ac_3b17>((d ^ k4).rotate_left(13).wrapping_add(a).into()) as u32;
    [a, b, c, d]
}

#[inline(always)]
fn keys_c(block: &[u8; 16]) -> [u32; 4] {
    let words: [u32; 4] = bytemuck::cast::<_, [[u8; 4]; 4]>(*block).mapped(u32::from_le_bytes);
    let key = |index: usize| {
        words[index]
            .wrapping_mul(C[index])
            .rotate_left(15 + index as u32)
            .wrapping_mul(C[(index + 1) % 4])
    };
    [key(0), key(1), key(2), key(3)]
}

struct Murmur3f;

impl Checksum for Murmur3f {
    type Register = [u64; 2];
    const START: [u64; 2] = [0; 2];
    const BLOCK: usize = 16;

    #[inline(always)]
    fn finish(hash: [u64; 2], rest: &[u8], len: u64, out: &mut [u8]) {
        // As in `Murmur3c`.
        let keys = keys_f(&few(rest).to_le_bytes());
        let mixed = [hash[0] ^ keys[0] ^ len, hash[1] ^ keys[1] ^ len];
        let spread = |[a, b]: [u64; 2]| [a.wrapping_add(b), a.wrapping_add(b).wrapping_add(b)];
        out.copy_from_slice(
            spread(spread(mixed).mapped(avalanche64)).mapped(u64::to_be_bytes).as_flattened(),
        );
    }
}

#[inline(always)]
fn after_f(hash: [u64; 2], blocks: &[u8]) -> [u64; 2] {
    blocks.as_chunks().0.iter().fold(hash, |hash, block| step_f(hash, keys_f(block)))
}

/// As defined, each word has the other added before it is multiplied; multiplied apart, that waits
/// for an instruction and an addition where it would for an addition and a longer instruction.
#[inline(always)]
fn step_f([mut a, mut b]: [u64; 2], [k1, k2]: [u64; 2]) -> [u64; 2] {
    a = scaled::<0x52dc_e729>((a ^ k1).rotate_left(27)).wrapping_add(b.wrapping_mul(5));
    b = scaled::<0x3849_5ab5>((b ^ k2).rotate_left(31)).wrapping_add(a.wrapping_mul(5));
    [a, b]
}

#[inline(always)]
fn keys_f(block: &[u8; 16]) -> [u64; 2] {
    let words: [u64; 2] = bytemuck::cast::<_, [[u8; 8]; 2]>(*block).mapped(u64::from_le_bytes);
    [
        words[0].wrapping_mul(F[0]).rotate_left(31).wrapping_mul(F[1]),
        words[1].wrapping_mul(F[1]).rotate_left(33).wrapping_mul(F[0]),
    ]
}

/// 5 times the word, and the addend, which must be below 2^31 if all 64 bits count: one instruction
/// of x86-64, of which compilers make two for the sake of older machines. All words here wait for
/// each other, so that it counts.
#[inline(always)]
fn scaled<const ADDEND: u32>(word: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        let mut word = word;
        // SAFETY: arithmetic on one register.
        unsafe {
            std::arch::asm!(
                "lea {0}, [{0} + 4 * {0} + {1}]",
                inout(reg) word,
                const ADDEND as i32,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        word
    }
    #[cfg(not(target_arch = "x86_64"))]
    word.wrapping_mul(5).wrapping_add(ADDEND.into())
}

/// `fmix32` of MurmurHash3.cpp.
#[inline(always)]
fn avalanche32(mut hash: u32) -> u32 {
    hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}

/// `fmix64` of MurmurHash3.cpp.
#[inline(always)]
fn avalanche64(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ hash >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}
