//! Unrolling by the source: LLVM unrolls small loops only, and a round of a hash is fast only where
//! its indices, constants and rotations are immediate operands.

/// Repeats a block sixteen times, with a constant of the given name that goes from 0 to 15.
macro_rules! sixteen {
    ($index:ident => $body:block) => {
        $crate::unroll::sixteen!(@ $index $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@ $index:ident $body:block $($number:literal)*) => {
        $(#[allow(clippy::absurd_extreme_comparisons, reason = "the constant is 0 only once")]
        {
            const $index: usize = $number;
            $body
        })*
    };
}

pub(crate) use sixteen;
