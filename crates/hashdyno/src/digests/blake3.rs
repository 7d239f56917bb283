//! BLAKE3: chunks of 1024 bytes, the leaves of a binary tree.
//!
//! A block is a whole chunk here. Chunks are absorbed as they come, although the root is compressed
//! in another way than the rest: [`Tree`] keeps what the root may turn out to be made of.
//!
//! | kernel | one chunk | longer messages |
//! |---|---|---|
//! | `crate-words` | general registers | the `blake3` crate |
//! | `crate-avx512vl-split`, `crate-avx512vl` | rows, AVX-512 | the `blake3` crate |
//! | `avx2-words` | general registers | the `blake3` crate, or `leaves.rs`: lanes of AVX2 |
//! | `avx2` | rows, AVX2 | the same |
//! | `crate-sse2-words` | general registers | the `blake3` crate |
//! | `crate-sse4.1`, `crate-sse2` | rows, SSE | the `blake3` crate |
//! | `crate` | straight Rust | the `blake3` crate |
//! | `portable` | straight Rust | chunk by chunk |
//!
//! Many messages of up to eight chunks share lanes (`many.rs`). Under a key the crate does all but
//! short messages in lanes (`keyed.rs`).

mod end;
mod keyed;
#[cfg(target_arch = "x86_64")]
mod lanes;
#[cfg(target_arch = "x86_64")]
mod leaves;
#[cfg(target_arch = "x86_64")]
mod many;
mod node;
#[cfg(target_arch = "x86_64")]
mod one;
mod subtrees;
mod tree;

#[cfg(target_arch = "x86_64")]
use super::blake::rows;
use crate::kernel::{kernels, many_kernels};
use crate::modes::Modes;
use crate::{Code, Cores, Digest, Features, Kernel, Security, State, Tail};
use end::Root;
use node::{CHUNK_LEN, Portable};
use tree::Tree;

digests! {
    BLAKE3 blake3 Blake3,
}

static BLAKE3: Digest = Digest {
    name: "blake3",
    aliases: &["b3", "blake3-256"],
    family: "blake3",
    specified_in: "BLAKE3: one function, fast everywhere (2020)",
    security: Security::Sound,
    output_len: 32,
    extendable: true,
    block_len: CHUNK_LEN,
    start: |state| state.init([0u8; 0]),
    finish,
    one: ONE,
    many: MANY,
    modes: &Modes {
        keyed: keyed::keyed,
        deriving: keyed::deriving,
        // The kernels for many messages give the usual length alone.
        of_len: |digest, len| Digest { output_len: len, many: &[], ..*digest },
        admits: |_, state, chunks| Tree::admits(state, chunks),
        hmac_block_len: Some(64),
        hmac_at_usual_len: true,
        ..Modes::NONE
    },
    ..Digest::BASE
};

/// BLAKE3 under a key: the state has it.
static UNDER_KEY: Digest = Digest {
    holds_last_block: true,
    start: |state| state.init([0u8; 0]),
    finish: keyed::finish,
    one: &[Kernel::of("crate", Features::empty(), Code::Blocks(keyed::absorb))],
    many: many_kernels![many::KEYED_AVX512_X16, many::KEYED_AVX2_X8],
    ..BLAKE3
};

/// The crate chooses among its own vectors by itself, from SSE2 to AVX-512: a mask that leaves SSE2
/// does not narrow it.
const ONE: &[Kernel] = kernels![
    // It stands for a CPU whose AVX-512 is not hidden: without it, the kernels below are the ones
    // that heed the mask.
    Kernel::of(
        "crate-words",
        rows::avx512::NEEDS,
        Code::OneShot(subtrees::absorb, subtrees::ONE_SHOT_BY_WORDS),
    )
    .only(Cores::ZEN5),
    Kernel::of(
        "crate-avx512vl-split",
        rows::split::NEEDS,
        Code::OneShot(subtrees::absorb_by_split_rows, subtrees::ONE_SHOT_SPLIT),
    )
    .only(Cores::ZEN),
    Kernel::of(
        "crate-avx512vl",
        rows::avx512::NEEDS,
        Code::OneShot(subtrees::absorb_by_rows, subtrees::ONE_SHOT_AVX512VL),
    )
    .except(Cores::AMD),
    Kernel::of(
        "avx2-words",
        Features::AVX2,
        Code::OneShot(leaves::absorb, leaves::ONE_SHOT_BY_WORDS),
    )
    .only(Cores::ZEN5),
    Kernel::of("avx2", Features::AVX2, Code::OneShot(leaves::absorb, leaves::ONE_SHOT)),
    // On a Zen 5 most vector operations take two cycles, and one chunk waits for each of them.
    Kernel::of(
        "crate-sse2-words",
        Features::SSE2,
        Code::OneShot(subtrees::absorb, subtrees::ONE_SHOT_BY_WORDS),
    )
    .only(Cores::ZEN5),
    Kernel::of(
        "crate-sse4.1",
        Features::SSE41,
        Code::OneShot(subtrees::absorb, subtrees::ONE_SHOT_SSE41),
    ),
    Kernel::of(
        "crate-sse2",
        Features::SSE2,
        Code::OneShot(subtrees::absorb, subtrees::ONE_SHOT_SSE2),
    );
    Kernel::of("crate", Features::NEON, Code::Blocks(subtrees::absorb));
    Kernel::of("crate", Features::SIMD128, Code::Blocks(subtrees::absorb));
    Kernel::portable(absorb),
];

const MANY: &[Kernel] = many_kernels![many::AVX512_X16, many::AVX2_X8];

fn finish(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    let mut chunk = [0; CHUNK_LEN];
    chunk[..tail.bytes.len()].copy_from_slice(tail.bytes);
    // The state says how many bytes of this block are the message's: a kernel is given blocks
    // alone.
    end::announce(state, tail.bytes.len());
    tail.kernel.absorb(state, &chunk);
    state.view::<Root>().output(out);
}

fn absorb(state: &mut State, chunks: &[u8]) {
    if end::reached::<Portable>(state, chunks) {
        return;
    }
    let tree = Tree::of(state);
    chunks.chunks(CHUNK_LEN).for_each(|chunk| tree.push_chunk::<Portable>(chunk));
}
