//! SHA-2 of one message, in straight Rust, for words of either size.
//!
//! ```text
//! first  = h + K[t] + W[t] + Ch(e, f, g) + Sigma1(e)      T1 of FIPS 180-4, 6.2.2 and 6.4.2
//! second = Maj(a, b, c) + Sigma0(a)                       T2
//! a .. h = first + second, a, b, c, d + first, e, f, g
//! ```

/// Defines a kernel of SHA-2 in straight Rust, for words of one type. `$barrier` is that of such a
/// word. Sums of rotations are nested, `(x ^ x >>> 2) >>> 3` for `x >>> 3 ^ x >>> 5`: x is copied
/// less often.
macro_rules! sha2_kernel {
    (
        $(#[$doc:meta])*
        fn $name:ident: $word:ident by $roots:ident, $distances:ident, $barrier:path;
    ) => {
        $(#[$doc])*
        fn $name(state: &mut State, blocks: &[u8]) {
            use $crate::parts::arrays::Mapped;
            use $crate::parts::barrier;
            use $crate::parts::unroll::sixteen;
            const SIZE: usize = size_of::<$word>();
            const A: [u32; 3] = $distances.a;
            const E: [u32; 3] = $distances.e;
            const OLD: [u32; 3] = $distances.old;
            const NEW: [u32; 3] = $distances.new;
            let chain = state.view::<[$word; 8]>();
            for block in blocks.as_chunks::<{ 16 * SIZE }>().0 {
                let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *chain;
                // The schedule is a ring of sixteen words: W[t] takes the place of W[t - 16].
                let mut words =
                    bytemuck::cast::<_, [[u8; SIZE]; 16]>(*block).mapped($word::from_be_bytes);
                // The choice of three by majority is b where a and b agree, and c elsewhere; a ^ b
                // is the next step's b ^ c.
                let mut differ = b ^ c;
                macro_rules! sixteen_steps {
                    ($added:expr, $next:expr) => {
                        sixteen!(I => {
                            // Steps 0 to 15 take the block as it is. Later steps make their word
                            // first.
                            let word = $next(I, &mut words);
                            // A sum that is ready before e. The compiler would add the root last,
                            // and to two sums.
                            let ready =
                                $barrier(h.wrapping_add(word).wrapping_add($added[I]));
                            let first = ready
                                // Ch: f ^ g is ready before e, the newest word of its half.
                                .wrapping_add(g ^ (e & (f ^ g)))
                                .wrapping_add(
                                    (e ^ e.rotate_right(const { E[1] - E[0] }))
                                        .rotate_right(const { E[0] })
                                        ^ e.rotate_right(const { E[2] }),
                                );
                            // Maj costs two exclusive ors and one AND here.
                            let agree = differ;
                            differ = a ^ b;
                            let second = (b ^ (differ & agree))
                                .wrapping_add(
                                    ((a.rotate_right(const { A[2] - A[1] }) ^ a)
                                        .rotate_right(const { A[1] - A[0] })
                                        ^ a)
                                        .rotate_right(const { A[0] }),
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
                let (first, others) =
                    $roots.as_chunks::<16>().0.split_first().expect("there are 64 or 80");
                sixteen_steps!(first, |i: usize, words: &mut [$word; 16]| words[i]);
                for roots in others {
                    // One register for their address, and none for a distance from the first.
                    let roots = barrier::loaded(roots);
                    sixteen_steps!(roots, |i: usize, words: &mut [$word; 16]| {
                        // W[t - 15] and W[t - 2]; behind them, W[t - 16] and W[t - 7] are added as
                        // they are. All stay in memory, and a .. h in registers.
                        let at = |i: usize| barrier::load(&words[i % 16]);
                        let (old, new) = (at(i + 1), at(i + 14));
                        let word = at(i)
                            .wrapping_add(at(i + 9))
                            .wrapping_add(
                                (old.rotate_right(const { OLD[1] - OLD[0] }) ^ old)
                                    .rotate_right(const { OLD[0] })
                                    ^ (old >> const { OLD[2] }),
                            )
                            .wrapping_add(
                                (new.rotate_right(const { NEW[1] - NEW[0] }) ^ new)
                                    .rotate_right(const { NEW[0] })
                                    ^ (new >> const { NEW[2] }),
                            );
                        barrier::store(&mut words[i], word);
                        word
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
