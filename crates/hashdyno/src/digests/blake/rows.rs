//! The rounds of BLAKE, BLAKE2 and BLAKE3 by rows: four words in one vector or two, so that the
//! four G of half a round are one.
//!
//! Between columns and diagonals all rows turn but the second, which is the one that the next
//! addition waits for.
//!
//! ```text
//! lane            0               1               2               3
//! columns         v0 v4 v8  v12   v1 v5 v9  v13   v2 v6 v10 v14   v3 v7 v11 v15     rows a b c d
//! diagonals       v3 v4 v9  v14   v0 v5 v10 v15   v1 v6 v11 v12   v2 v7 v8  v13
//! ```
//!
//! So the inputs of diagonals begin with the last one.

pub(in crate::digests) mod avx2;
pub(in crate::digests) mod avx512;
pub(in crate::digests) mod split;

/// What one round takes from the message, in the order of the four rows that it adds, and what is
/// xored to that.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(in crate::digests) struct Input<W> {
    /// The number of the message word for each lane of each row.
    order: [W; 16],
    /// Digits of pi for BLAKE, zeros for BLAKE2.
    constants: [W; 16],
}

macro_rules! input {
    ($word:ident) => {
        impl Input<$word> {
            /// Of a round that takes the words in this order, with `constants[order[i ^ 1]]` xored
            /// to word `order[i]`.
            const fn new(order: &[usize; 16], constants: &[$word; 16]) -> Self {
                let (mut input, mut i) = (Self { order: [0; 16], constants: [0; 16] }, 0);
                while i < 16 {
                    let (step, lane) = (i / 4, i % 4);
                    let from = if step < 2 {
                        2 * lane + step
                    } else {
                        8 + 2 * ((lane + 3) % 4) + step - 2
                    };
                    input.order[i] = order[from] as $word;
                    input.constants[i] = constants[order[from ^ 1]];
                    i += 1;
                }
                input
            }

            /// Of as many rounds as there are orders.
            pub(in crate::digests) const fn all<const N: usize>(
                orders: &[[usize; 16]; N],
                constants: &[$word; 16],
            ) -> [Self; N] {
                let (mut all, mut round) = ([Self { order: [0; 16], constants: [0; 16] }; N], 0);
                while round < N {
                    all[round] = Self::new(&orders[round], constants);
                    round += 1;
                }
                all
            }
        }
    };
}

input!(u32);
input!(u64);

/// Declares `$rounds` and `$next`, for rows of a type and the operations on them. `$input` makes
/// the four rows of a round out of what `$message` has made of the message. `$xor_right` xors two
/// rows and rotates the words right; the second row is the one that comes late.
macro_rules! compression_by_rows {
    (
        $features:literal $rounds:ident $next:ident: $word:ident in $row:ty;
        $message:ident $input:ident $add:ident $xor:ident $xor_right:ident $turn:ident
    ) => {
        /// The chaining value after a block, of the one before: BLAKE's and BLAKE2's. `lower` is
        /// the lower half of what goes into the `ROUNDS` rounds.
        #[target_feature(enable = $features)]
        #[inline]
        pub(in crate::digests) fn $next<
            const ROUNDS: usize,
            const R0: i32,
            const R1: i32,
            const R2: i32,
            const R3: i32,
            const PERIOD: usize,
        >(
            chain: [$row; 2],
            lower: [$word; 8],
            message: [$word; 16],
            inputs: &[Input<$word>; PERIOD],
        ) -> [$row; 2] {
            let [upper, lower] =
                $rounds::<ROUNDS, R0, R1, R2, R3, PERIOD>(chain, cast(lower), message, inputs);
            [$xor(chain[0], upper), $xor(chain[1], lower)]
        }

        /// The xor of both halves after `ROUNDS` rounds. The words are in rows, which stay in
        /// registers from block to block.
        #[target_feature(enable = $features)]
        #[inline]
        pub(in crate::digests) fn $rounds<
            const ROUNDS: usize,
            const R0: i32,
            const R1: i32,
            const R2: i32,
            const R3: i32,
            const PERIOD: usize,
        >(
            [mut a, mut b]: [$row; 2],
            [mut c, mut d]: [$row; 2],
            message: [$word; 16],
            inputs: &[Input<$word>; PERIOD],
        ) -> [$row; 2] {
            let message = $message(message);
            macro_rules! half {
                ($x:expr, $y:expr) => {
                    a = $add($add(a, $x), b);
                    d = $xor_right::<R0>(d, a);
                    c = $add(c, d);
                    b = $xor_right::<R1>(b, c);
                    a = $add($add(a, $y), b);
                    d = $xor_right::<R2>(d, a);
                    c = $add(c, d);
                    b = $xor_right::<R3>(b, c);
                };
            }
            unroll!(|ROUND| if const { ROUND < ROUNDS } {
                let [x0, x1, x2, x3] = $input(message, &inputs[ROUND % PERIOD]);
                half!(x0, x1);
                (a, c, d) = (
                    $turn::<0b10_01_00_11>(a),
                    $turn::<0b00_11_10_01>(c),
                    $turn::<0b01_00_11_10>(d),
                );
                half!(x2, x3);
                (a, c, d) = (
                    $turn::<0b00_11_10_01>(a),
                    $turn::<0b10_01_00_11>(c),
                    $turn::<0b01_00_11_10>(d),
                );
            });
            [$xor(a, c), $xor(b, d)]
        }
    };
}
use compression_by_rows;
