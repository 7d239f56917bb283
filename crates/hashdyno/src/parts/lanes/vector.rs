//! The macro for lanes that are one vector register: `vector!`.
//!
//! It declares a type of lanes and writes the struct, `BitXor`, `BitAnd`, `BitOr`, `Not` and
//! `Lanes`. Its grammar:
//!
//! ```text
//! /// Documentation.
//! NAME: COUNT of WORD as SIGNED, TRANSPOSE together, in REGISTER,
//! compiled for FEATURES, needs NEEDS;
//! splat INTRINSIC; plus INTRINSIC; xor INTRINSIC; and INTRINSIC; or INTRINSIC;
//! METHOD(OPERAND, ..) EXPRESSION;                 a method of `Lanes`: a line for each
//! METHOD(OPERAND, ..; DISTANCE) EXPRESSION;       the same, with a number of bits
//! [PAD, rows ROWS, table TABLE, ends END]         optional, and so are its last three parts
//! ```
//!
//! | parameter | meaning |
//! |---|---|
//! | `COUNT of WORD` | the register holds a word of each of `COUNT` messages, `u32` or `u64` |
//! | `SIGNED` | the type of the number that the intrinsic of `splat` takes |
//! | `TRANSPOSE` | `four` or `two`: the words of 16 bytes; a method of `transpose::Register` |
//! | `FEATURES` | features that each operation is compiled for |
//! | `NEEDS` | all of them as `Features`, for `Lanes::NEEDS` |
//! | `METHOD` | `left`, `up`, `down`, `swap_bytes`; others where the default is slower |
//! | `EXPRESSION` | the result, of operands that are registers and not lanes |
//! | `PAD` | the function for `Lanes::pad`; without brackets the default serves |
//! | `ROWS` | the function for `Lanes::tiny_rows` |
//! | `TABLE` | the function for `Lanes::look_up` |
//! | `END` | the function that loads a register of `Lanes::read_ends` |
//!
//! For example, `left(a; distance) left_256_of_32(a, distance);` of `U32x8` becomes:
//!
//! ```text
//! fn left(self, distance: u32) -> Self {                              inlined always
//!     #[target_feature(enable = "avx2")]
//!     fn left(&U32x8(a): &U32x8, distance: u32) -> U32x8 {            inlined by LLVM
//!         U32x8(left_256_of_32(a, distance))
//!     }
//!     unsafe { left(&self, distance) }
//! }
//! ```
//!
//! `read_pieces` brings words of messages into lanes, `COUNT` words of each message at a time.
//! `run` is the way back, for 16 bytes of each lane:
//!
//! ```text
//! a register of each message         transpose         a register of each word
//! message a:  a0 a1 a2 a3                              word 0:  a0 b0 c0 d0
//! message b:  b0 b1 b2 b3          ----------->        word 1:  a1 b1 c1 d1
//! message c:  c0 c1 c2 c3                              word 2:  a2 b2 c2 d2
//! message d:  d0 d1 d2 d3                              word 3:  a3 b3 c3 d3
//! ```

/// Declares a type of lanes: each operation an expression of its operands' registers.
///
/// An operation is a function that is compiled for its instruction set, and a method that calls it,
/// inlined whatever the compiler thinks. The function takes references: registers that are given by
/// value go through memory of their own, which takes the compiler as long to remove as all the
/// rest. What depends on a distance is decided in the function, once the distance is known.
///
/// What makes the calls sound, here, in `transpose` and in `tiny`: the types are private to the
/// crate, and their operations are reached only below functions that are compiled for, and whose
/// kernels need, what these operations need: those of `kernels`, those of `chains`, and BLAKE3's.
macro_rules! vector {
    (
        $(#[$doc:meta])* $name:ident: $count:literal of $word:ident as $signed:ident,
        $transpose:ident together, in $register:ident,
        compiled for $features:literal, needs $needs:expr;
        splat $splat:ident; plus $plus:ident; xor $xor:ident; and $and:ident; or $or:ident;
        $($method:ident($($operand:ident),* $(; $distance:ident)?) $body:expr;)*
        $([
            $pad:ident $(, rows $tiny_rows:ident)? $(, table $look_up:ident)? $(, ends $end:ident)?
        ])?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Pod, Zeroable)]
        #[repr(transparent)]
        pub(crate) struct $name($register);

        vector!(@operator $name BitXor bitxor(a, b) $features, $xor(a, b));
        vector!(@operator $name BitAnd bitand(a, b) $features, $and(a, b));
        vector!(@operator $name BitOr bitor(a, b) $features, $or(a, b));
        vector!(@operator $name Not not(a) $features, $xor(a, $splat($word::MAX as $signed)));

        impl Lanes for $name {
            type Word = $word;
            const NEEDS: Features = $needs.covering($features);
            const COUNT: usize = $count;
            const PIECE: usize = size_of::<$register>();
            const AVX2: bool = cfg!(target_arch = "x86_64") && size_of::<$register>() == 32;

            #[inline(always)]
            fn splat(word: $word) -> Self {
                #[inline]
                #[target_feature(enable = $features)]
                fn splat(word: $word) -> $name {
                    $name($splat(word as $signed))
                }
                // SAFETY: see the macro.
                unsafe { splat(word) }
            }

            vector!(@method $name plus(a, b) $features, $plus(a, b));
            $(vector!(@method $name $method($($operand),* $(; $distance)?) $features, $body);)*

            #[inline(always)]
            fn read_pieces<'a, const WORDS: usize>(pieces: &impl Pieces<'a>) -> [Self; WORDS] {
                const SIZE: usize = size_of::<$word>();
                let mut words = [Self::zeroed(); WORDS];
                if const { WORDS < $count } {
                    // Blocks shorter than a register, with zeros behind.
                    let mut rows: [$register; $count] = bytemuck::Zeroable::zeroed();
                    for (lane, row) in rows.iter_mut().enumerate() {
                        let block = pieces.piece(lane, 0, WORDS * SIZE);
                        bytemuck::bytes_of_mut(row)[..WORDS * SIZE].copy_from_slice(block);
                    }
                    transpose(&mut rows);
                    let rows = $crate::parts::arrays::Mapped::mapped(rows, Self);
                    words.copy_from_slice(&rows[..WORDS]);
                    return words;
                }
                vector!(@registers $register $count $word words, usize::MAX; |lane, from| {
                    bytemuck::pod_read_unaligned(pieces.piece(lane, from, Self::PIECE))
                });
                words
            }

            #[inline(always)]
            fn run<const N: usize>(vectors: &[Self; N], run: usize, lanes: &mut [[u8; 16]]) {
                const WORDS: usize = 16 / size_of::<$word>();
                let mut registers = [vectors[run * WORDS].0; WORDS];
                // A run may reach behind the last word: the last one fills its place, and nobody
                // reads it.
                for place in 1..WORDS {
                    registers[place] = vectors[(run * WORDS + place).min(N - 1)].0;
                }
                $register::$transpose(&mut registers);
                for place in 0..WORDS {
                    let of_register: [[u8; 16]; $count / WORDS] = bytemuck::cast(registers[place]);
                    for block in 0..$count / WORDS {
                        lanes[block * WORDS + place] = of_register[block];
                    }
                }
            }

            $(
                #[inline(always)]
                fn pad(
                    blocks: &mut [u8],
                    message: &[u8],
                    rest: usize,
                    mark: u8,
                    trailer: [u64; 4],
                ) {
                    // SAFETY: see the macro.
                    unsafe { $pad(blocks, message, rest, mark, trailer) }
                }

                $(
                    #[inline(always)]
                    fn tiny_rows(data: &[u8], width: usize, mark: u8) -> Option<[Self; 2]> {
                        // SAFETY: see the macro.
                        let [low, high] = unsafe { $tiny_rows(data, width, mark) }?;
                        Some([Self(low), Self(high)])
                    }
                )?

                $(
                    #[inline(always)]
                    fn look_up(self, table: &[$word; 256]) -> Self {
                        // SAFETY: see the macro.
                        Self(unsafe { $look_up(self.0, table) })
                    }
                )?

                $(
                    const READS_ENDS: bool = true;

                    #[inline(always)]
                    fn read_ends<'a, const WORDS: usize>(
                        ends: &impl Ends<'a>,
                        mark: u8,
                    ) -> [Self; WORDS] {
                        let mut words = [Self::zeroed(); WORDS];
                        let mut longest = 0;
                        for lane in 0..Self::COUNT {
                            longest = longest.max(ends.end(lane).len());
                        }
                        // The place of the mark, if there is one.
                        let last = longest.saturating_sub(usize::from(mark == 0));
                        vector!(@registers $register $count $word words, last; |lane, from| {
                            // SAFETY: see the macro.
                            unsafe { $end(ends.end(lane), from, mark) }
                        });
                        words
                    }
                )?
            )?
        }
    };
    // Words of a register of each message at a time, up to that byte, and zeros behind.
    // No function of a closure: see `wide`.
    (
        @registers $register:ident $count:literal $word:ident $words:ident, $last:expr;
        |$lane:ident, $from:ident| $load:expr
    ) => {
        let count = $words.len();
        for first in (0..count).step_by($count) {
            // Where the words do not come out even, some are read twice.
            let first = first.min(count - $count);
            let $from = first * size_of::<$word>();
            if $from > $last {
                break;
            }
            let mut rows: [$register; $count] = bytemuck::Zeroable::zeroed();
            for ($lane, row) in rows.iter_mut().enumerate() {
                *row = $load;
            }
            transpose(&mut rows);
            let rows = $crate::parts::arrays::Mapped::mapped(rows, Self);
            $words[first..][..$count].copy_from_slice(&rows);
        }
    };
    (@operator $name:ident $operator:ident $method:ident($($operand:ident),*) $($function:tt)*) => {
        impl $operator for $name {
            type Output = Self;

            vector!(@method $name $method($($operand),*) $($function)*);
        }
    };
    (
        @method $name:ident
        $method:ident($first:ident $(, $operand:ident)* $(; $distance:ident)?)
        $features:literal, $body:expr
    ) => {
        #[inline(always)]
        fn $method(self $(, $operand: Self)* $(, $distance: u32)?) -> Self {
            #[inline]
            #[target_feature(enable = $features)]
            fn $method(
                &$name($first): &$name,
                $(&$name($operand): &$name,)*
                $($distance: u32,)?
            ) -> $name {
                $name($body)
            }
            // SAFETY: see the macro.
            unsafe { $method(&self $(, &$operand)* $(, $distance)?) }
        }
    };
}
pub(super) use vector;
