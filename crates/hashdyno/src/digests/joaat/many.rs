//! The hash of many messages.

use std::arch::x86_64::*;

use super::{OneAtATime, after};
use crate::chains::bytewise;

bytewise! {
    OneAtATime, after;
    |hashes, bytes| {
        let sums = _mm256_add_epi32(hashes, bytes);
        let sums = _mm256_add_epi32(sums, _mm256_slli_epi32::<10>(sums));
        _mm256_xor_si256(sums, _mm256_srli_epi32::<6>(sums))
    };
}
