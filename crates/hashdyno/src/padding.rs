use crate::{Last, MAX_BLOCK_LEN, State};

/// The order of the bytes of a length field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Little,
    Big,
}

/// Merkle-Damgard strengthening, as MD4 introduced it (RFC 1320, 3.1): the rest of the message, a `mark` byte, zeros, and
/// the message's length in bits in the last `field` bytes of a block; absorbs the one or two blocks that this makes.
#[inline]
pub(crate) fn strengthen<const BLOCK: usize>(state: &mut State, last: Last<'_>, mark: u8, field: usize, order: Order) {
    let mut blocks = [[0u8; BLOCK]; 2];
    let rest = last.bytes.len();
    let flat = blocks.as_flattened_mut();
    flat[..rest].copy_from_slice(last.bytes);
    flat[rest] = mark;
    let len = if rest + 1 + field <= BLOCK { BLOCK } else { 2 * BLOCK };
    let bits = u128::from(last.message_len) << 3;
    match order {
        Order::Little => {
            let width = field.min(16);
            flat[len - field..][..width].copy_from_slice(&bits.to_le_bytes()[..width]);
        }
        Order::Big => {
            let width = field.min(16);
            flat[len - width..len].copy_from_slice(&bits.to_be_bytes()[16 - width..]);
        }
    }
    last.kernel.absorb(state, &flat[..len]);
}

const _: () = assert!(MAX_BLOCK_LEN >= 128);
