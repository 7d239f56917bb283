//! The hashes of 32 bits of many messages.

use std::arch::x86_64::*;

use super::{Fnv1, Fnv1a, Word, after};
use crate::chains::bytewise;

/// Both take a byte in the same way.
macro_rules! fnv {
    ($($checksum:ty)*) => {$(
        bytewise! {
            $checksum, after;
            |hashes, bytes| _mm256_mullo_epi32(_mm256_xor_si256(hashes, bytes), _mm256_set1_epi32(u32::PRIME as i32));
        }
    )*};
}

fnv! { Fnv1<u32> Fnv1a<u32> }
