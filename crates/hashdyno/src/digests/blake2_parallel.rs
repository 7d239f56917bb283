//! BLAKE2bp and BLAKE2sp (Aumasson, Neves, Wilcox-O'Hearn, Winnerlein: BLAKE2: simpler, smaller,
//! fast as MD5, 2013): four leaves of BLAKE2b or eight of BLAKE2s, which take the message's blocks
//! in turn, and a root of their digests. Without a key or with one.
//!
//! A block here is one block of every leaf. The last block of a leaf is compressed in another way,
//! and a leaf may have had it when the message ends: so the state keeps the newest block.

use zeroize::{Zeroize, Zeroizing};

use super::blake::arx::{Rounds, Word, count};
use super::blake::rounds::rounds;
use super::blake2::{Blake2bLanes, Blake2sLanes};
use crate::kernel::kernels;
use crate::modes::Modes;
use crate::parts::arrays::Mapped;
use crate::parts::lanes::{self, Lanes, Word as _};
use crate::{Begun, Digest, Kernel, KeyError, Keyed, Security, State, Tail};
#[cfg(target_arch = "x86_64")]
use crate::{Code, Cores, Features};

digests! {
    BLAKE2BP blake2bp Blake2bp,
    BLAKE2SP blake2sp Blake2sp,
}

static BLAKE2BP: Digest = Digest {
    name: "blake2bp",
    aliases: &["blake2bp-512"],
    one: kernels![
        Kernel::of("avx512vl", lanes::x86_64::AVX512, Code::Blocks(absorb_avx512_u64)),
        Kernel::of("avx2", Features::AVX2, Code::Blocks(absorb_avx2_u64)),
        Kernel::of("ssse3", Features::SSSE3, Code::Blocks(absorb_ssse3_u64)).except(Cores::ZEN5);
        Kernel::portable(absorb::<Blake2bLanes, u64, 4>),
    ],
    ..design::<Blake2bLanes, u64, 4>()
};

static BLAKE2SP: Digest = Digest {
    name: "blake2sp",
    aliases: &["blake2sp-256"],
    one: kernels![
        Kernel::of("avx2", Features::AVX2, Code::Blocks(absorb_avx2_u32)),
        Kernel::of("ssse3", Features::SSSE3, Code::Blocks(absorb_ssse3_u32)),
        Kernel::of("sse2", Features::SSE2, Code::Blocks(absorb_sse2_u32));
        Kernel::portable(absorb::<Blake2sLanes, u32, 8>),
    ],
    ..design::<Blake2sLanes, u32, 8>()
};

const fn design<R: Rounds, W: Word + lanes::Word, const LEAVES: usize>() -> Digest {
    Digest {
        family: "blake2-parallel",
        specified_in: "BLAKE2: simpler, smaller, fast as MD5 (2013)",
        security: Security::Sound,
        output_len: digest_len::<W>(),
        block_len: LEAVES * block_len::<W>(),
        holds_last_block: true,
        start: start::<W, LEAVES>,
        finish: finish::<R, W, LEAVES>,
        modes: const { &Modes { keyed: keyed::<W, LEAVES>, ..Modes::NONE } },
        ..Digest::BASE
    }
}

/// Bytes of a leaf's block.
const fn block_len<W>() -> usize {
    16 * size_of::<W>()
}

/// Bytes of the digest of each node.
const fn digest_len<W>() -> usize {
    8 * size_of::<W>()
}

/// What is kept, a word of each leaf in a row: [`CHAIN`] rows, the newest block of every leaf as it
/// is in the message, and a row of [`KEPT`], [`AS_IT_IS`] and [`KEY_LEN`].
type Leaves<W, const LEAVES: usize> = [[W; LEAVES]; CHAIN + 16 + 1];

/// Rows of what a compression changes or takes: the chaining value, the number of bytes in the
/// blocks so far (low, high), the mark of the last block, and that of the last leaf.
const CHAIN: usize = 12;

/// Where the last row says whether a block is kept.
const KEPT: usize = 0;

/// Where it says that blocks are compressed at once, and none is kept: the end of the message has
/// come.
const AS_IT_IS: usize = 1;

/// Where it says how many bytes the key has.
const KEY_LEN: usize = 2;

fn start<W: Word + lanes::Word, const LEAVES: usize>(state: &mut State) {
    let mut rows: Leaves<W, LEAVES> = bytemuck::Zeroable::zeroed();
    for (row, word) in rows.iter_mut().zip(initial::<W>(LEAVES, 0)) {
        *row = [word; LEAVES];
    }
    // The leaves differ in their place, byte 8 of the parameters.
    for (leaf, word) in rows[8 / size_of::<W>()].iter_mut().enumerate() {
        *word = *word ^ W::cut(leaf as u64);
    }
    state.init(rows);
}

/// As BLAKE2 (RFC 7693, section 3.3): every node has the key's length, and every leaf the key, with
/// zeros behind, a block before its part of the message.
fn keyed<W: Word + lanes::Word, const LEAVES: usize>(
    digest: &'static Digest,
    key: &[u8],
) -> Result<Keyed, KeyError> {
    KeyError::unless_len(digest.name, key.len(), 1, digest_len::<W>())?;
    let mut state = State::new();
    start::<W, LEAVES>(&mut state);
    let rows = state.view::<Leaves<W, LEAVES>>();
    let len = W::cut(key.len() as u64);
    rows[0] = rows[0].mapped(|word| word ^ len.up(8));
    rows[CHAIN + 16][KEY_LEN] = len;
    let mut prefix = Zeroizing::new(vec![0; digest.block_len]);
    for block in prefix.chunks_mut(block_len::<W>()) {
        block[..key.len()].copy_from_slice(key);
    }
    Ok(Keyed { digest, first: Begun::new(&mut state, 0), prefix })
}

/// The chaining value that the first node of a level begins with: its parameters say how long its
/// digest and those below are, how many leaves there are, and on which of the two levels it is.
fn initial<W: Word + lanes::Word>(leaves: usize, depth: u8) -> [W; 8] {
    let len = digest_len::<W>() as u8;
    let mut parameters = [0; 64];
    parameters[..4].copy_from_slice(&[len, 0, leaves as u8, 2]);
    let level = if size_of::<W>() == 8 { 16 } else { 14 };
    parameters[level..level + 2].copy_from_slice(&[depth, len]);
    let mut words = W::INITIAL;
    for (word, bytes) in words.iter_mut().zip(parameters.chunks(size_of::<W>())) {
        *word = *word ^ bytemuck::pod_read_unaligned::<W>(bytes).to_le();
    }
    words
}

/// Every leaf takes its last block, if need be after the one that is kept, and the root their
/// digests.
fn finish<R: Rounds, W: Word + lanes::Word, const LEAVES: usize>(
    state: &mut State,
    ended: Tail<'_>,
    out: &mut [u8],
) {
    let block = block_len::<W>();
    let mut tail = [0; MAX_BLOCK];
    let tail = &mut tail[..LEAVES * block];
    tail[..ended.bytes.len()].copy_from_slice(ended.bytes);

    let rows = state.view::<Leaves<W, LEAVES>>();
    let key_len = rows[CHAIN + 16][KEY_LEN];
    let mut before = if says(rows[CHAIN + 16][KEPT]) { Some(*rows) } else { None };
    rows[CHAIN + 16][AS_IT_IS] = W::cut(1);
    if let Some(before) = &before {
        ended.kernel.absorb(state, kept(before));
    }

    let rows = state.view::<Leaves<W, LEAVES>>();
    for leaf in 0..LEAVES {
        let mut len = ended.bytes.len().saturating_sub(leaf * block).min(block);
        if len == 0
            && let Some(before) = &before
        {
            // The kept block is this leaf's last.
            for (row, before) in rows[..CHAIN].iter_mut().zip(before) {
                row[leaf] = before[leaf];
            }
            tail[leaf * block..][..block].copy_from_slice(&kept(before)[leaf * block..][..block]);
            len = block;
        }
        // A block adds its full length.
        let count = W::join([rows[8][leaf], rows[9][leaf]]);
        let count = W::split(count.wrapping_add(len as u128).wrapping_sub(block as u128));
        [rows[8][leaf], rows[9][leaf]] = count;
        rows[10][leaf] = !W::cut(0);
    }
    // The last leaf of a level has a mark of its own.
    rows[11][LEAVES - 1] = !W::cut(0);
    ended.kernel.absorb(state, tail);
    if says(key_len) {
        // What is kept of a short message is the key.
        tail.zeroize();
        if let Some(before) = &mut before {
            bytemuck::bytes_of_mut(before).zeroize();
        }
    }

    let rows = state.view::<Leaves<W, LEAVES>>();
    let mut digests = [W::cut(0); MAX_BLOCK / 2 / size_of::<u32>()];
    let digests = &mut digests[..8 * LEAVES];
    for leaf in 0..LEAVES {
        for word in 0..8 {
            digests[8 * leaf + word] = rows[word][leaf].to_le();
        }
    }
    let root = root::<R, W>(bytemuck::cast_slice(digests), LEAVES, key_len);
    out.copy_from_slice(&root[..out.len()]);
}

/// The block that is kept.
fn kept<W: Word + lanes::Word, const LEAVES: usize>(rows: &Leaves<W, LEAVES>) -> &[u8] {
    bytemuck::cast_slice(&rows[CHAIN..CHAIN + 16])
}

/// The digest of the digests of the leaves.
fn root<R: Rounds, W: Word + lanes::Word>(digests: &[u8], leaves: usize, key_len: W) -> [u8; 64] {
    let mut chain = [W::cut(0); CHAIN];
    chain[..8].copy_from_slice(&initial::<W>(leaves, 1));
    chain[0] = chain[0] ^ key_len.up(8);
    let (blocks, last) = digests.split_at(digests.len() - block_len::<W>());
    blocks.chunks(block_len::<W>()).for_each(|block| compress_one::<R, W>(&mut chain, block));
    [chain[10], chain[11]] = [!W::cut(0); 2];
    compress_one::<R, W>(&mut chain, last);
    let mut digest = [0; 64];
    for (bytes, word) in digest.chunks_mut(size_of::<W>()).zip(&chain[..8]) {
        bytes.copy_from_slice(bytemuck::bytes_of(&word.to_le()));
    }
    digest
}

fn absorb<R: Rounds, W: Word + lanes::Word, const LEAVES: usize>(state: &mut State, blocks: &[u8]) {
    absorb_in::<R, W, LEAVES>(state, blocks);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn absorb_avx512_u64(state: &mut State, blocks: &[u8]) {
    absorb_in::<Blake2bLanes, lanes::x86_64::U64x4Vl, 4>(state, blocks);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn absorb_avx2_u64(state: &mut State, blocks: &[u8]) {
    absorb_in::<Blake2bLanes, lanes::x86_64::U64x4, 4>(state, blocks);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "ssse3")]
fn absorb_ssse3_u64(state: &mut State, blocks: &[u8]) {
    absorb_in::<Blake2bLanes, lanes::x86_64::U64x2, 4>(state, blocks);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn absorb_avx2_u32(state: &mut State, blocks: &[u8]) {
    absorb_in::<Blake2sLanes, lanes::x86_64::U32x8, 8>(state, blocks);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "ssse3")]
fn absorb_ssse3_u32(state: &mut State, blocks: &[u8]) {
    absorb_in::<Blake2sLanes, lanes::x86_64::U32x4Ssse3, 8>(state, blocks);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "sse2")]
fn absorb_sse2_u32(state: &mut State, blocks: &[u8]) {
    absorb_in::<Blake2sLanes, lanes::x86_64::U32x4, 8>(state, blocks);
}

/// Compresses the block that is kept and all of these but the newest, which is kept then: as many
/// leaves at a time as there are lanes.
#[inline(always)]
fn absorb_in<R: Rounds, L: Lanes<Word: Word>, const LEAVES: usize>(
    state: &mut State,
    blocks: &[u8],
) {
    const { assert!(LEAVES.is_multiple_of(L::COUNT)) };
    let block = block_len::<L::Word>();
    let (chain, kept) = state.view::<Leaves<L::Word, LEAVES>>().split_at_mut(CHAIN);
    let (kept, [last]) = kept.split_at_mut(16) else { unreachable!("there is one row more") };
    let kept: &mut [u8] = bytemuck::cast_slice_mut(kept);
    // The newest block is kept, unless the message has ended: it may be the last of each leaf.
    let (older, first, newest) = if says(last[AS_IT_IS]) {
        (0, blocks, &[][..])
    } else {
        let (first, newest) = blocks.split_at(blocks.len() - LEAVES * block);
        (if says(last[KEPT]) { kept.len() } else { 0 }, first, newest)
    };
    for run in kept[..older].chunks(RUN).chain(first.chunks(RUN)) {
        for group in (0..LEAVES).step_by(L::COUNT) {
            let mut lanes: [L; CHAIN] = bytemuck::Zeroable::zeroed();
            for (lane, row) in lanes.iter_mut().zip(&*chain) {
                L::words(std::slice::from_mut(lane)).copy_from_slice(&row[group..][..L::COUNT]);
            }
            for all in run.chunks_exact(LEAVES * block) {
                let leaves = &all[group * block..][..L::COUNT * block];
                if L::COUNT == 1 {
                    let lanes = L::words(&mut lanes).first_chunk_mut().expect("a word of each row");
                    compress_one::<R, L::Word>(lanes, leaves);
                } else {
                    compress::<R, L>(&mut lanes, leaves);
                }
            }
            for (lane, row) in lanes.iter_mut().zip(&mut *chain) {
                row[group..][..L::COUNT].copy_from_slice(L::words(std::slice::from_mut(lane)));
            }
        }
    }
    if !newest.is_empty() {
        kept.copy_from_slice(newest);
        last[KEPT] = L::Word::cut(1);
    }
}

/// Whether a word of the last row says yes.
#[inline(always)]
fn says<W: Word>(word: W) -> bool {
    W::join([word; 2]) != 0
}

/// Of one leaf, or of the root: apart, for both have it.
#[inline(never)]
fn compress_one<R: Rounds, W: Word + lanes::Word>(chain: &mut [W; CHAIN], block: &[u8]) {
    compress::<R, W>(chain, block);
}

/// One block of each lane; they follow each other.
#[inline(always)]
fn compress<R: Rounds, L: Lanes<Word: Word>>(chain: &mut [L; CHAIN], blocks: &[u8]) {
    let block = block_len::<L::Word>();
    let mut words: [L; 16] = L::read(|lane| &blocks[lane * block..][..block]);
    if cfg!(target_endian = "big") {
        for word in &mut words {
            *word = word.swap_bytes();
        }
    }
    count(&mut chain[8..10], L::Word::cut(block as u64));
    let [h0, h1, h2, h3, h4, h5, h6, h7, low, high, last, last_leaf] = *chain;
    let [mut lower, mut halves] = [[h0, h1, h2, h3, h4, h5, h6, h7]; 2];
    for (lane, word) in lower.iter_mut().zip(<L::Word as Word>::INITIAL) {
        *lane = L::splat(word);
    }
    for (lane, word) in lower[4..].iter_mut().zip([low, high, last, last_leaf]) {
        *lane = *lane ^ word;
    }
    rounds::<R, L>(&mut halves, &lower, &words);
    for (word, half) in chain.iter_mut().zip(halves) {
        *word = *word ^ half;
    }
}

/// Bytes of one block of every leaf.
const MAX_BLOCK: usize = 512;

/// Bytes that one group of leaves takes before the next: they stay in the cache.
const RUN: usize = 1 << 15;
