//! SHA-2 of one message, in straight Rust, for words of either size.

/// Defines a kernel of SHA-2 in straight Rust, for words of one type: the rotations (and, of the
/// schedule, the shift) are those of FIPS 180-4, 4.1. Sums of rotations are nested, `(x ^ x >>> 2)
/// >>> 3` for `x >>> 3 ^ x >>> 5`: x is copied less often.
macro_rules! sha2_kernel {
    (
        $(#[$doc:meta])* fn $name:ident: $word:ident, $steps:literal steps of $roots:ident;
        chain [$a0:literal, $a1:literal, $a2:literal] [$e0:literal, $e1:literal, $e2:literal];
        schedule
            [$s0:literal, $s1:literal, >> $s2:literal]
            [$t0:literal, $t1:literal, >> $t2:literal];
    ) => {
        $(#[$doc])*
        fn $name(state: &mut State, blocks: &[u8]) {
            use $crate::parts::arrays::Mapped;
            use $crate::parts::unroll::sixteen;
            const SIZE: usize = size_of::<$word>();
            let chain = state.view::<[$word; 8]>();
            for block in blocks.as_chunks::<{ 16 * SIZE }>().0 {
                let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *chain;
                let mut words =
                    bytemuck::cast::<_, [[u8; SIZE]; 16]>(*block).mapped($word::from_be_bytes);
                // The choice of three by majority is b where a and b agree, and c elsewhere; a ^ b
                // is the next step's b ^ c.
                let mut differ = b ^ c;
                macro_rules! sixteen_steps {
                    ($first:expr, $next:expr) => {
                        sixteen!(I => {
                            let word = $next(I, &mut words);
                            let first = h
                                .wrapping_add($roots[$first + I])
                                .wrapping_add(word)
                                .wrapping_add(g ^ (e & (f ^ g)))
                                .wrapping_add(
                                    (e ^ e.rotate_right($e1 - $e0)).rotate_right($e0)
                                        ^ e.rotate_right($e2),
                                );
                            let agree = differ;
                            differ = a ^ b;
                            let second = (b ^ (differ & agree))
                                .wrapping_add(
                                    ((a.rotate_right($a2 - $a1) ^ a).rotate_right($a1 - $a0) ^ a)
                                        .rotate_right($a0),
                                );
                            (h, g, f, e, d, c, b, a) = (
                                g,
                                f,
                                e,
                                d.wrapping_add(first),
                                c,
                                b,
                                a,
                                first.wrapping_add(second),
                            );
                        });
                    };
                }
                sixteen_steps!(0, |i: usize, words: &mut [$word; 16]| words[i]);
                for first in (16..$steps).step_by(16) {
                    sixteen_steps!(first, |i: usize, words: &mut [$word; 16]| {
                        let (old, new) = (words[(i + 1) % 16], words[(i + 14) % 16]);
                        words[i] = words[i]
                            .wrapping_add(words[(i + 9) % 16])
                            .wrapping_add(
                                (old.rotate_right($s1 - $s0) ^ old).rotate_right($s0)
                                    ^ (old >> $s2),
                            )
                            .wrapping_add(
                                (new.rotate_right($t1 - $t0) ^ new).rotate_right($t0)
                                    ^ (new >> $t2),
                            );
                        words[i]
                    });
                }
                for (chain, word) in chain.iter_mut().zip([a, b, c, d, e, f, g, h]) {
                    *chain = chain.wrapping_add(word);
                }
            }
        }
    };
}
pub(super) use sha2_kernel;
