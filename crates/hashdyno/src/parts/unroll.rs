//! Unrolling by the source: LLVM unrolls small loops only, and a round of a hash is fast only where
//! its indices, constants and rotations are immediate operands.

/// Repeats a block sixteen times, with a constant of the given name that goes from 0 to 15.
macro_rules! sixteen {
    ($index:ident => $body:block) => {
        $crate::parts::unroll::sixteen!(@ $index $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
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

/// Functions, one for each length from 1 on, as rows of sixteen: a constant of the given name is
/// the length. Behind the comma are the lengths before each row.
///
/// ```ignore
/// let start = by_len!(LEN => start::<LEN>, 0 16 32 48).as_flattened()[len - 1];
/// ```
macro_rules! by_len {
    ($len:ident => $function:expr, $($before:literal)+) => {
        [$($crate::parts::unroll::by_len!(
            @ $len $function, $before; 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
        )),+]
    };
    (@ $len:ident $function:expr, $before:literal; $($number:literal)*) => {
        [$({
            const $len: usize = $before + $number;
            $function as fn(&mut $crate::State)
        }),*]
    };
}

pub(crate) use by_len;
