//! Jenkins's one-at-a-time hash (R. Jenkins, "A hash function for hash table lookup", Dr. Dobb's
//! Journal, 1997).
//!
//! ```text
//! each byte:   hash += byte         hash += hash << 10      hash ^= hash >> 6
//! end:         hash += hash << 3    hash ^= hash >> 11      hash += hash << 15
//! ```

mod many;

use crate::kernel::many_kernels;
use crate::parts::barrier;
use crate::parts::chains::chains;
use crate::parts::checksum::{self, Checksum, checksum_kernel};
use crate::{Digest, Features, Kernel, Purpose, Security, Spelling};

digests! {
    JOAAT joaat Joaat: u32,
}

static JOAAT: Digest = Digest {
    name: "joaat",
    aliases: &["one-at-a-time"],
    spelling: Spelling { php: Some("joaat"), openssl: None, python: None },
    family: "joaat",
    purpose: Purpose::HashTable,
    specified_in: "Dr. Dobb's Journal, September 1997",
    security: Security::Checksum,
    output_len: 4,
    block_len: 1,
    start: checksum::start::<OneAtATime>,
    finish: checksum::finish::<OneAtATime>,
    one: &[portable()],
    many: many_kernels![chains!(OneAtATime, u32, 4 * avx2)],
    ..Digest::BASE
};

struct OneAtATime;

impl Checksum for OneAtATime {
    type Register = u32;
    const START: u32 = 0;

    #[inline(always)]
    fn finish(mut hash: u32, _: &[u8], _: u64, out: &mut [u8]) {
        hash = hash.wrapping_add(hash << 3);
        hash ^= hash >> 11;
        out.copy_from_slice(&hash.wrapping_add(hash << 15).to_be_bytes());
    }
}

const fn portable() -> Kernel {
    checksum_kernel!("portable", Features::empty(), OneAtATime, after)
}

/// As defined, each byte is added before the multiplication by 1025; multiplied apart, it waits for
/// nothing, and the hash for one addition less.
#[inline(always)]
fn after(hash: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(hash, |hash, &byte| {
        // hash * 1025 + byte * 1025, of which `sum` has all but the shift. The barrier holds the
        // order.
        let sum = barrier::word(hash.wrapping_add(u32::from(byte) * 1025).into()) as u32;
        let hash = (hash << 10).wrapping_add(sum);
        hash ^ hash >> 6
    })
}
