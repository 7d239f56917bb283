//! A running hash as bytes: to be stored, sent, and gone on with in another process.

use thiserror::Error;

use super::{FittedHasher, Hasher, started};
use crate::digests::plain64;
use crate::{Cpu, Digest, MAX_BLOCK_LEN, ReadyKernel, find};

/// Why bytes are no saved [`Hasher`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "these bytes are no saved hasher: damaged, or saved by another version or on a machine of the \
        other byte order"
)]
pub struct SavedError;

impl FittedHasher {
    /// The running hash as bytes, for [`Hasher::restore`] of this version on a machine of this byte
    /// order: the version of the layout, the digest's name, the message's length, the state, the
    /// bytes not absorbed yet, and a checksum over all that. Nothing is encrypted: whoever reads
    /// them knows as much of the message as the state tells.
    pub fn save(&self) -> Vec<u8> {
        let (name, (state, buffered)) = (self.digest.name.as_bytes(), self.parts_read());
        let state = state.as_bytes();
        let mut saved = vec![LAYOUT, name.len() as u8];
        saved.extend_from_slice(name);
        saved.extend_from_slice(&self.message_len.to_ne_bytes());
        saved.extend_from_slice(&(state.len() as u16).to_ne_bytes());
        saved.extend_from_slice(state);
        saved.extend_from_slice(buffered);
        saved.extend_from_slice(&plain64(&saved));
        saved
    }
}

impl Hasher {
    /// The running hash that [`Hasher::save`] made bytes of, by the best kernel of this machine.
    ///
    /// The checksum finds damage, not malice: bytes that were forged may give a hasher of no
    /// message that there is, but no worse. Messages of 2^63 bytes and more count as damage.
    ///
    /// # Errors
    /// If the bytes are damaged, or were saved by another version or on a machine of the other byte
    /// order.
    pub fn restore(saved: &[u8]) -> Result<Self, SavedError> {
        parse(saved).ok_or(SavedError)
    }
}

fn parse(saved: &[u8]) -> Option<Hasher> {
    let (saved, sum) = saved.split_last_chunk::<CHECKSUM_LEN>()?;
    let (&[layout, name_len], rest) = saved.split_first_chunk()?;
    if layout != LAYOUT || plain64(saved) != *sum {
        return None;
    }
    let (name, rest) = rest.split_at_checked(name_len.into())?;
    let (message_len, rest) = rest.split_first_chunk()?;
    let (state_len, rest) = rest.split_first_chunk()?;
    let (bytes, buffered) = rest.split_at_checked(u16::from_ne_bytes(*state_len).into())?;
    let digest = find(str::from_utf8(name).ok()?)?;
    let message_len = u64::from_ne_bytes(*message_len);
    // What is counted on from there must not overflow.
    if message_len >= 1 << 63 {
        return None;
    }
    let kernel = digest.bind(Cpu::native());
    // A message of as many bytes in its last block, and at most one block before: its length fits
    // into a word of 32 bits.
    let block = digest.block_len as u64;
    let short = if message_len < block { message_len } else { block + message_len % block };
    let fits = buffered.len() == digest.tail_len(short as usize)
        && bytes.len() == state_len_after(digest, &kernel, message_len > buffered.len() as u64)
        && (digest.modes.admits)(digest, bytes, (message_len - buffered.len() as u64) / block);
    fits.then(|| {
        let mut hasher = Hasher::with_kernel(digest, kernel);
        hasher.message_len = message_len;
        hasher.parts().0.fill(bytes);
        hasher.push(buffered);
        hasher
    })
}

/// How much of a state the digest uses at the start, or after its first blocks.
fn state_len_after(digest: &Digest, kernel: &ReadyKernel, blocks: bool) -> usize {
    let mut state = started(digest);
    if blocks {
        kernel.absorb(&mut state, &[0; MAX_BLOCK_LEN][..digest.block_len]);
    }
    state.as_bytes().len()
}

/// That of [`plain64`], in bytes.
const CHECKSUM_LEN: usize = 8;

/// Version 2, by byte order.
const LAYOUT: u8 = if cfg!(target_endian = "little") { 2 } else { 0x82 };
