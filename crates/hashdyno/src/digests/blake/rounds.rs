//! All rounds of a design on lanes, by whichever way these lanes have.

use super::arx::{Rounds, round, unroll};
use crate::parts::lanes::{Lanes, Word as _};
use crate::parts::unroll::sixteen;

/// All rounds of a design; the upper half of the state becomes the xor of both.
#[inline(always)]
pub(in crate::digests) fn rounds<R: Rounds, L: Lanes>(
    upper: &mut [L; 8],
    lower: &[L; 8],
    words: &[L; 16],
) {
    #[cfg(target_arch = "x86_64")]
    if L::AVX2 {
        return super::columns::rounds::<R, L>(upper, lower, words);
    }
    let mut v = [upper[0]; 16];
    v[..8].copy_from_slice(upper);
    v[8..].copy_from_slice(lower);
    unroll!(|ROUND| if const { ROUND < R::COUNT } {
        let takes = R::ORDER[ROUND % R::ORDER.len()];
        let mut input = [words[0]; 16];
        sixteen!(I => {
            input[I] = match R::MASKS {
                Some(masks) => words[takes[I]] ^ L::splat(L::Word::cut(masks[takes[I ^ 1]])),
                None => words[takes[I]],
            };
        });
        round(&mut v, R::ROTATIONS, |i| input[i]);
    });
    for i in 0..8 {
        upper[i] = v[i] ^ v[i + 8];
    }
}
