//! The keys of XXH3's stripes, a line of the cache for each: in the secret they reach across two.

use std::arch::asm;

use super::*;
use crate::parts::lines::Lines;

/// Where the keys of a message's last stripe are, behind those of a block.
pub(super) const LAST: usize = 16;

/// The keys of each stripe of a block, and those of a message's last: a vector of the secret would
/// reach from one line of the cache into the next.
static KEYS: Lines<[[u8; STRIPE]; LAST + 1]> = {
    let (mut keys, mut stripe) = ([[0; STRIPE]; LAST + 1], 0);
    while stripe <= LAST {
        let (at, mut byte) = (if stripe == LAST { LAST_KEYS } else { 8 * stripe }, 0);
        while byte < STRIPE {
            keys[stripe][byte] = SECRET[at + byte];
            byte += 1;
        }
        stripe += 1;
    }
    Lines(keys)
};

/// [`KEYS`], for all the compiler knows others for other stripes: it would load those of a block
/// before all blocks, and store what finds no register across the lines of the cache.
#[allow(
    clippy::pointers_in_nomem_asm_block,
    reason = "nothing is read by way of them there, the text is a comment"
)]
#[inline(always)]
pub(super) fn keys_for(stripes: &[[u8; STRIPE]]) -> &'static [[u8; STRIPE]; LAST + 1] {
    let mut keys = &raw const KEYS.0;
    // SAFETY: the text is a comment, and what is given back what was given.
    unsafe {
        asm!(
            "/* {0} {1} */",
            inout(reg) keys,
            in(reg) stripes.as_ptr(),
            options(pure, nomem, nostack, preserves_flags),
        );
        &*keys
    }
}
