//! MurmurHash3 (A. Appleby, 2011), seed 0: 32 bits, 128 bits for 32-bit machines, 128 bits for 64-bit machines. As PHP prints
//! them, each word's most significant byte comes first.

#[cfg(target_arch = "x86_64")]
mod many;

use crate::words::few;
use crate::{Digest, Kernel, Last, Security, Spelling, State};

/// The digests of this family.
pub(crate) const DIGESTS: &[&Digest] = &[&MURMUR3A, &MURMUR3C, &MURMUR3F];

static MURMUR3A: Digest = Digest {
    name: "murmur3a",
    aliases: &["murmur3-32", "murmur3-x86-32"],
    spelling: Spelling { php: Some("murmur3a"), ..Spelling::NONE },
    output_len: 4,
    block_len: 4,
    check: "b4fef382",
    sweep: "6deb47e9",
    start: |state| state.init(0u32),
    finish: finish_a,
    kernels: &[
        #[cfg(target_arch = "x86_64")]
        crate::chains::avx2x16::<many::Many>(),
        Kernel::portable(absorb_a),
    ],
    ..BASE
};

static MURMUR3C: Digest = Digest {
    name: "murmur3c",
    aliases: &["murmur3-x86-128"],
    spelling: Spelling { php: Some("murmur3c"), ..Spelling::NONE },
    check: "c65876bb119a1552c5e3e5d7a9168ca4",
    sweep: "b8e1088f260c8b527c113baaf906ecb0",
    start: |state| state.init([0u32; 4]),
    finish: finish_c,
    kernels: &[Kernel::portable(absorb_c)],
    ..BASE
};

static MURMUR3F: Digest = Digest {
    name: "murmur3f",
    aliases: &["murmur3-128", "murmur3-x64-128"],
    spelling: Spelling { php: Some("murmur3f"), ..Spelling::NONE },
    check: "3c84645edb66cca499f8fac73a1ea105",
    sweep: "2e85efafb98fab2d613221de3528f160",
    start: |state| state.init([0u64; 2]),
    finish: finish_f,
    kernels: &[Kernel::portable(absorb_f)],
    ..BASE
};

const BASE: Digest = Digest {
    name: "",
    aliases: &[],
    spelling: Spelling::NONE,
    family: "murmur3",
    specified_in: "MurmurHash3.cpp (SMHasher)",
    security: Security::Checksum,
    output_len: 16,
    extendable: false,
    block_len: 16,
    holds_last_block: false,
    check: "",
    sweep: "",
    start: |_| {},
    finish: finish_c,
    kernels: &[],
};

const A: [u32; 2] = [0xcc9e_2d51, 0x1b87_3593];
const C: [u32; 4] = [0x239b_961b, 0xab0e_9789, 0x38b3_4ae5, 0xa1e3_8b93];
const F: [u64; 2] = [0x87c3_7b91_1142_53d5, 0x4cf5_ad43_2745_937f];

fn absorb_a(state: &mut State, blocks: &[u8]) {
    let hash = state.view::<u32>();
    *hash = absorbed_a(*hash, blocks.as_chunks().0);
}

#[inline(always)]
fn absorbed_a(hash: u32, words: &[[u8; 4]]) -> u32 {
    words.iter().fold(hash, |hash, word| {
        let hash = (hash ^ key_a(u32::from_le_bytes(*word))).rotate_left(13);
        scaled::<0xe654_6b64>(hash.into()) as u32
    })
}

fn key_a(word: u32) -> u32 {
    word.wrapping_mul(A[0]).rotate_left(15).wrapping_mul(A[1])
}

fn finish_a(state: &mut State, last: Last<'_>, out: &mut [u8]) {
    out.copy_from_slice(&finished_a(state.read(), last.bytes, last.message_len).to_be_bytes());
}

/// Fewer than four bytes are left.
#[inline(always)]
fn finished_a(hash: u32, rest: &[u8], message_len: u64) -> u32 {
    // Zeros in place of bytes that are not there change nothing.
    avalanche32(hash ^ key_a(few(rest) as u32) ^ message_len as u32)
}

fn absorb_c(state: &mut State, blocks: &[u8]) {
    let hash = state.view::<[u32; 4]>();
    let [mut a, mut b, mut c, mut d] = *hash;
    for block in blocks.as_chunks::<16>().0 {
        let [k1, k2, k3, k4] = keys_c(block);
        a = scaled::<0x561c_cd1b>((a ^ k1).rotate_left(19).wrapping_add(b).into()) as u32;
        b = scaled::<0x0bca_a747>((b ^ k2).rotate_left(17).wrapping_add(c).into()) as u32;
        c = scaled::<0x96cd_1c35>((c ^ k3).rotate_left(15).wrapping_add(d).into()) as u32;
        d = scaled::<0x32ac_3b17>((d ^ k4).rotate_left(13).wrapping_add(a).into()) as u32;
    }
    *hash = [a, b, c, d];
}

fn keys_c(block: &[u8; 16]) -> [u32; 4] {
    let words: [u32; 4] = bytemuck::cast::<_, [[u8; 4]; 4]>(*block).map(u32::from_le_bytes);
    let key = |index: usize| words[index].wrapping_mul(C[index]).rotate_left(15 + index as u32).wrapping_mul(C[(index + 1) % 4]);
    [key(0), key(1), key(2), key(3)]
}

fn finish_c(state: &mut State, last: Last<'_>, out: &mut [u8]) {
    let keys = keys_c(&few(last.bytes).to_le_bytes());
    let hash = state.read::<[u32; 4]>();
    let mixed: [u32; 4] = std::array::from_fn(|index| hash[index] ^ keys[index] ^ last.message_len as u32);
    let spread = |[a, b, c, d]: [u32; 4]| {
        let sum = a.wrapping_add(b).wrapping_add(c).wrapping_add(d);
        [sum, b.wrapping_add(sum), c.wrapping_add(sum), d.wrapping_add(sum)]
    };
    out.copy_from_slice(spread(spread(mixed).map(avalanche32)).map(u32::to_be_bytes).as_flattened());
}

fn absorb_f(state: &mut State, blocks: &[u8]) {
    let hash = state.view::<[u64; 2]>();
    let [mut a, mut b] = *hash;
    for block in blocks.as_chunks::<16>().0 {
        let [k1, k2] = keys_f(block);
        a = scaled::<0x52dc_e729>((a ^ k1).rotate_left(27).wrapping_add(b));
        b = scaled::<0x3849_5ab5>((b ^ k2).rotate_left(31).wrapping_add(a));
    }
    *hash = [a, b];
}

fn keys_f(block: &[u8; 16]) -> [u64; 2] {
    let words: [u64; 2] = bytemuck::cast::<_, [[u8; 8]; 2]>(*block).map(u64::from_le_bytes);
    [words[0].wrapping_mul(F[0]).rotate_left(31).wrapping_mul(F[1]), words[1].wrapping_mul(F[1]).rotate_left(33).wrapping_mul(F[0])]
}

fn finish_f(state: &mut State, last: Last<'_>, out: &mut [u8]) {
    let keys = keys_f(&few(last.bytes).to_le_bytes());
    let hash = state.read::<[u64; 2]>();
    let mixed = [hash[0] ^ keys[0] ^ last.message_len, hash[1] ^ keys[1] ^ last.message_len];
    let spread = |[a, b]: [u64; 2]| [a.wrapping_add(b), a.wrapping_add(b).wrapping_add(b)];
    out.copy_from_slice(spread(spread(mixed).map(avalanche64)).map(u64::to_be_bytes).as_flattened());
}

/// 5 times the word, and the addend, which must be below 2^31 if all 64 bits count: one instruction of x86-64, of which compilers
/// make two for the sake of older machines. All words here wait for each other, so that it counts.
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

fn avalanche32(mut hash: u32) -> u32 {
    hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}

fn avalanche64(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ hash >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}
