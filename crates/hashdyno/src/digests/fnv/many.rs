//! The hashes of 32 bits of many messages.

use std::arch::x86_64::*;

use super::{Word, absorbed};
use crate::chains::bytewise;

/// Declares both, which differ in where they start and in how they end.
macro_rules! fnv {
    ($($chain:ident $start:expr, $end:expr;)*) => {$(
        bytewise! {
            $chain u32::OFFSET.wrapping_mul($start);
            |hashes, bytes| _mm256_mullo_epi32(_mm256_xor_si256(hashes, bytes), _mm256_set1_epi32(u32::PRIME as i32));
            |hash, rest| absorbed::<u32>(hash, rest).times($end)
        }
    )*};
}

fnv! {
    Fnv1 u32::PRIME, u32::INVERSE;
    Fnv1a 1, 1;
}
