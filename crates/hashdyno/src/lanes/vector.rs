//! What the lanes of all vector registers have in common.

/// Declares a type of lanes: each operation an expression of its operands.
///
/// What makes the calls sound, here, in `transpose` and in `tiny`: the types are private to the
/// crate, and their operations are reached only below functions that are compiled for, and whose
/// kernels need, what these operations need: those of `kernels`, those of `chains`, and BLAKE3's.
macro_rules! vector {
    (
        $(#[$doc:meta])* $name:ident: $count:literal of $word:ident as $signed:ident,
        $transpose:ident together, in $register:ident, needs $needs:expr;
        splat $splat:ident; plus $plus:ident; xor $xor:ident; and $and:ident; or $or:ident;
        $($method:ident($($operand:ident),* $(; $distance:ident)?) $body:expr;)*
        $([$pad:ident $(, rows $tiny_rows:ident)? $(, table $look_up:ident)?])?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Pod, Zeroable)]
        #[repr(transparent)]
        pub(crate) struct $name($register);

        vector!(@operator $name BitXor bitxor $xor);
        vector!(@operator $name BitAnd bitand $and);
        vector!(@operator $name BitOr bitor $or);

        impl Not for $name {
            type Output = Self;

            #[inline(always)]
            fn not(self) -> Self {
                self ^ Self::splat($word::MAX)
            }
        }

        impl Lanes for $name {
            type Word = $word;
            const NEEDS: Features = $needs;
            const COUNT: usize = $count;
            const PIECE: usize = size_of::<$register>();
            const AVX2: bool = cfg!(target_arch = "x86_64") && size_of::<$register>() == 32;

            #[inline(always)]
            fn splat(word: $word) -> Self {
                // SAFETY: see the macro.
                Self(unsafe { $splat(word as $signed) })
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                // SAFETY: see the macro.
                Self(unsafe { $plus(self.0, other.0) })
            }

            $(
                #[inline(always)]
                fn $method($($operand: Self),* $(, $distance: u32)?) -> Self {
                    // SAFETY: see the macro.
                    #[allow(unused_unsafe, reason = "some are made of other operations")]
                    unsafe {
                        $body
                    }
                }
            )*

            #[inline(always)]
            fn read_pieces<'a, const WORDS: usize>(pieces: &impl Pieces<'a>) -> [Self; WORDS] {
                const SIZE: usize = size_of::<$word>();
                let mut words = [Self::zeroed(); WORDS];
                if WORDS < $count {
                    // Blocks shorter than a register, with zeros behind.
                    let mut rows: [$register; $count] = bytemuck::Zeroable::zeroed();
                    for (lane, row) in rows.iter_mut().enumerate() {
                        let block = pieces.piece(lane, 0, WORDS * SIZE);
                        bytemuck::bytes_of_mut(row)[..WORDS * SIZE].copy_from_slice(block);
                    }
                    transpose(&mut rows);
                    words.copy_from_slice(&rows.map(Self)[..WORDS]);
                    return words;
                }
                for first in (0..WORDS).step_by($count) {
                    // Where the words do not come out even, some are read twice.
                    let first = first.min(WORDS - $count);
                    // No function of a closure: see `wide`.
                    let mut rows: [$register; $count] = bytemuck::Zeroable::zeroed();
                    for (lane, bytes) in rows.iter_mut().enumerate() {
                        *bytes = bytemuck::pod_read_unaligned(pieces.piece(
                            lane,
                            first * SIZE,
                            Self::PIECE,
                        ));
                    }
                    transpose(&mut rows);
                    words[first..][..$count].copy_from_slice(&rows.map(Self));
                }
                words
            }

            #[inline(always)]
            fn run<const N: usize>(vectors: &[Self; N], run: usize, lanes: &mut [[u8; 16]]) {
                const WORDS: usize = 16 / size_of::<$word>();
                let mut registers = [vectors[run * WORDS].0; WORDS];
                for place in 1..WORDS {
                    registers[place] = vectors[(run * WORDS + place).min(N - 1)].0;
                }
                $transpose(&mut registers);
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
            )?
        }
    };
    (@operator $name:ident $operator:ident $method:ident $instruction:ident) => {
        impl $operator for $name {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: see the macro.
                Self(unsafe { $instruction(self.0, other.0) })
            }
        }
    };
}
pub(super) use vector;
