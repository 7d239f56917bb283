//! The hashes of many messages: a vector holds the hash of each message.
//!
//! A step takes a word, byte by byte. Each byte is an exclusive or and a product, and the product
//! waits for the one before. Lanes have a chain under way for each message.

use super::{Fnv1, Fnv1a, Word};
use crate::parts::chains::{Chain, Rest};
use crate::parts::checksum::Checksum;
use crate::parts::lanes::{self, Arithmetic};

/// Both take a byte in the same way, and differ in what they begin with and end in.
macro_rules! fnv {
    ($($checksum:ident<$word:ty>, $piece:literal, |$hash:ident| $finished:expr;)*) => {$(
        impl Chain<$word, 1, 1, $piece> for $checksum<$word> {
            const SHORT: usize = 8;
            const START: [$word; 1] = [<Self as Checksum>::START];

            #[inline(always)]
            fn step<L: Arithmetic<Word = $word>>([hash]: &mut [L; 1], [word]: &[L; 1]) {
                for byte in 0..size_of::<$word>() as u32 {
                    *hash = stepped(*hash, *word, byte);
                }
            }

            #[inline(always)]
            fn finish<L: Arithmetic<Word = $word>, const TINY: bool>(
                [mut hash]: [L; 1],
                rest: Rest<L, 1, TINY>,
            ) -> [L; 1] {
                for byte in 0..rest.most {
                    hash = rest.where_it_has(byte, stepped(hash, rest.words[0], byte as u32), hash);
                }
                // `Fnv1` is one product ahead, and `INVERSE` takes it back.
                let $hash = hash;
                [$finished.swap_bytes()]
            }
        }
    )*};
}

fnv! {
    Fnv1<u32>, 8, |hash| hash.times(L::splat(u32::INVERSE));
    Fnv1<u64>, 4, |hash| hash.times(L::splat(u64::INVERSE));
    Fnv1a<u32>, 8, |hash| hash;
    Fnv1a<u64>, 4, |hash| hash;
}

/// The hash with one byte of a word more.
#[inline(always)]
fn stepped<W: Word + lanes::Word, L: Arithmetic<Word = W>>(hash: L, word: L, byte: u32) -> L {
    let byte = if byte == 0 { word } else { word.down(8 * byte) }
        & L::splat(<W as lanes::Word>::cut(0xff));
    (hash ^ byte).times(L::splat(W::PRIME))
}
