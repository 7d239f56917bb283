//! Skein-MAC.

use zeroize::Zeroizing;

use super::{CONFIGURATION, FIRST, LAST, MAX_BLOCK, MESSAGE, Skein, absorb, tweak};
use crate::{Digest, KeyError, Keyed, State};

/// What a block of the key is for, in the upper word of its tweak.
const KEY: u64 = 0;

/// Skein-MAC (section 4.3): the key, of any length but 0, is compressed before the configuration.
pub(super) fn keyed(digest: &'static Digest, key: &[u8]) -> Result<Keyed, KeyError> {
    KeyError::unless_len(digest.name, key.len(), 1, usize::MAX)?;
    Ok(match digest.block_len {
        32 => keyed_by::<4>(digest, key),
        64 => keyed_by::<8>(digest, key),
        _ => keyed_by::<16>(digest, key),
    })
}

fn keyed_by<const N: usize>(digest: &'static Digest, key: &[u8]) -> Keyed {
    let mut state = State::new();
    state.init::<Skein<N>>([[0; N], tweak(0, FIRST | KEY)]);
    compress::<N>(&mut state, key);
    let mut configuration = [0; 32];
    configuration[..4].copy_from_slice(b"SHA3");
    configuration[4] = 1; // the version
    configuration[8..16].copy_from_slice(&(8 * digest.output_len as u64).to_le_bytes());
    state.view::<Skein<N>>()[1] = tweak(0, FIRST | CONFIGURATION);
    compress::<N>(&mut state, &configuration);
    state.view::<Skein<N>>()[1] = tweak(0, FIRST | MESSAGE);
    Keyed::starting(digest, &mut state)
}

/// All blocks of one kind, the last with zeros behind and marked (section 3.4, UBI).
fn compress<const N: usize>(state: &mut State, bytes: &[u8]) {
    let (blocks, last) = bytes.split_at((bytes.len() - 1) / (8 * N) * (8 * N));
    absorb::<N>(state, blocks);
    let mut block = Zeroizing::new([0; MAX_BLOCK]);
    block[..last.len()].copy_from_slice(last);
    let [_, row] = state.view::<Skein<N>>();
    row[0] = (bytes.len() as u64).wrapping_sub(8 * N as u64);
    row[1] |= LAST;
    absorb::<N>(state, &block[..8 * N]);
}
