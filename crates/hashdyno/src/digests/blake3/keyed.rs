//! Keyed hashing and key derivation: chunks and nodes begin with the key in place of the initial
//! value, and have a flag. The `blake3` crate does so for subtrees; this keeps their values.
//!
//! ```text
//! chunks = 13 = 0b1101:    stack = [value of 8 chunks] [of 4] [of 1]         depth = 3
//! a subtree of 1 more:     merged with the last one of its size, and so on;  chunks = 14
//! end:                     the last chunk, merged with the stack; the last merge is the root
//! ```
//!
//! The last block of a message is held, so the stack never has the root.

use blake3::Hasher;
use blake3::hazmat::{
    HasherExt, Mode, hash_derive_key_context, merge_subtrees_non_root, merge_subtrees_root_xof,
};
use bytemuck::{Pod, Zeroable};
use zeroize::Zeroize;

use super::UNDER_KEY;
use super::node::CHUNK_LEN;
use crate::parts::arrays::Mapped;
use crate::{Digest, KeyError, State, Tail};

/// A key, which as words is what chunks begin with.
pub(super) fn keyed(digest: &'static Digest, key: &[u8]) -> Result<crate::Keyed, KeyError> {
    KeyError::unless_len(digest.name, key.len(), KEY_LEN, KEY_LEN)?;
    let mut words = [0; 8];
    bytemuck::bytes_of_mut(&mut words).copy_from_slice(key);
    Ok(starting(words, KEYED_HASH))
}

/// A context, whose own hash is the key.
pub(super) fn deriving(_: &'static Digest, context: &str) -> Result<crate::Keyed, KeyError> {
    Ok(starting(bytemuck::cast(hash_derive_key_context(context)), DERIVE_KEY_MATERIAL))
}

fn starting(words: [u32; 8], kind: u64) -> crate::Keyed {
    let mut state = State::new();
    let mut keyed = Keyed { key: words.mapped(u32::from_le), kind, ..Keyed::zeroed() };
    state.init(keyed);
    keyed.key.zeroize();
    crate::Keyed::starting(&UNDER_KEY, &mut state)
}

const KEY_LEN: usize = 32;
const KEYED_HASH: u64 = 16;
const DERIVE_KEY_MATERIAL: u64 = 64;

/// A subtree for each bit of the number of chunks, which 54 bits have.
const DEPTH: usize = 54;

type Value = [u8; 32];

/// A key and the chunks so far, as the values of the subtrees that they fill, largest first.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Keyed {
    pub(super) key: [u32; 8],
    /// The flag of every block.
    pub(super) kind: u64,
    /// How many chunks have been taken.
    chunks: u64,
    /// How many values of `stack` are in use: the bits set in `chunks`.
    depth: u64,
    /// Values of full subtrees, the largest first.
    stack: [Value; DEPTH],
}

impl Keyed {
    fn key(&self) -> Value {
        bytemuck::cast(self.key.mapped(u32::to_le))
    }

    /// Of bytes that begin with the next chunk.
    fn hasher(&self, bytes: &[u8]) -> Hasher {
        let key = self.key();
        let mut hasher = if self.kind == KEYED_HASH {
            Hasher::new_keyed(&key)
        } else {
            Hasher::new_from_context_key(&key)
        };
        hasher.set_input_offset(self.chunks * CHUNK_LEN as u64).update(bytes);
        hasher
    }

    /// The value of the next subtree, and of those before it up to the last `left`, as one.
    fn merged(&mut self, mut value: Value, left: u64, key: &Value) -> Value {
        while self.depth > left {
            self.depth -= 1;
            let before = &self.stack[self.depth as usize];
            value = merge_subtrees_non_root(before, &value, self.mode(key));
        }
        value
    }

    fn mode<'a>(&self, key: &'a Value) -> Mode<'a> {
        if self.kind == KEYED_HASH { Mode::KeyedHash(key) } else { Mode::DeriveKeyMaterial(key) }
    }
}

/// Whole chunks, behind which more of the message is to come.
pub(super) fn absorb(state: &mut State, chunks: &[u8]) {
    let keyed = state.view::<Keyed>();
    let key = keyed.key();
    let mut chunks = chunks.as_chunks::<CHUNK_LEN>().0;
    while !chunks.is_empty() {
        let most = 1 << chunks.len().ilog2();
        // No chunk so far: any power of two fits there.
        let aligned = 1usize.checked_shl(keyed.chunks.trailing_zeros()).unwrap_or(most);
        let (subtree, rest) = chunks.split_at(most.min(aligned));
        let value = keyed.hasher(subtree.as_flattened()).finalize_non_root();
        keyed.chunks += subtree.len() as u64;
        // The values that stay are of larger subtrees, one for each bit above the lowest.
        let left = u64::from(keyed.chunks.count_ones()) - 1;
        let value = keyed.merged(value, left, &key);
        keyed.stack[left as usize] = value;
        keyed.depth = left + 1;
        chunks = rest;
    }
}

pub(super) fn finish(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    let keyed = state.view::<Keyed>();
    let (key, mut hasher) = (keyed.key(), keyed.hasher(tail.bytes));
    if keyed.chunks == 0 {
        hasher.finalize_xof().fill(out);
    } else {
        let value = keyed.merged(hasher.finalize_non_root(), 1, &key);
        merge_subtrees_root_xof(&keyed.stack[0], &value, keyed.mode(&key)).fill(out);
    }
    hasher.zeroize();
}
