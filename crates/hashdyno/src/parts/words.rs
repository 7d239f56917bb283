//! Words, and how kernels come by them.

use bytemuck::Pod;

use crate::parts::arrays::from_fn;

/// Whether two texts are the same, also when this is compiled.
pub(crate) const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// Writes bytes to `out`, which is as long; to another it writes nothing: a panic, never met, costs
/// every call a place on the stack.
#[inline(always)]
pub(crate) fn write<const LEN: usize>(bytes: [u8; LEN], out: &mut [u8]) {
    debug_assert_eq!(out.len(), LEN, "the digest has another length");
    if let Ok(out) = out.try_into() {
        let out: &mut [u8; LEN] = out;
        *out = bytes;
    }
}

/// Writes the first bytes of `words`, which are in memory order, to `out`: as many bytes as it has,
/// 128 at most.
#[inline(always)]
pub(crate) fn write_first<W: Pod, const COUNT: usize>(words: [W; COUNT], out: &mut [u8]) {
    let bytes: &[u8] = bytemuck::cast_slice(&words);
    // A digest of full length goes from registers to its place. A copy would store word by word and
    // load vectors, and such a load waits for all those stores.
    if out.len() == bytes.len() {
        out.copy_from_slice(bytes);
    } else {
        copy(&bytes[..out.len()], out);
    }
}

/// Both halves of the product of 128 bits, added without carry.
#[inline(always)]
pub(crate) const fn folded_product(a: u64, b: u64) -> u64 {
    let [low, high] = product(a, b);
    low ^ high
}

/// The halves of the product of 128 bits, the lower first.
#[inline(always)]
pub(crate) const fn product(a: u64, b: u64) -> [u64; 2] {
    let product = a as u128 * b as u128;
    [product as u64, (product >> 64) as u64]
}

/// Bytes as words, the first byte lowest.
#[inline(always)]
pub(crate) fn words_of<const BYTES: usize, const WORDS: usize>(
    bytes: &[u8; BYTES],
) -> [u64; WORDS] {
    let (words, []) = bytes.as_chunks::<8>() else { unreachable!("a whole number of words") };
    from_fn(|word| u64::from_le_bytes(words[word]))
}

/// Fewer than 16 bytes, the first lowest.
#[inline(always)]
pub(crate) fn few(bytes: &[u8]) -> u128 {
    match (bytes.first_chunk(), bytes.last_chunk()) {
        // A shift of 128 bits by a number that is not constant takes longer.
        (Some(first), Some(last)) => {
            let upper = u64::from_le_bytes(*last).unbounded_shr(8 * (16 - bytes.len()) as u32);
            u128::from(upper) << 64 | u128::from(u64::from_le_bytes(*first))
        }
        _ => few_of_word(bytes).into(),
    }
}

/// Fewer than 16 bytes with a mark behind them, the first lowest.
#[inline(always)]
pub(crate) fn marked(bytes: &[u8], mark: u8) -> [u64; 2] {
    if bytes.len() < 8 {
        return [marked_word(bytes, mark, mark), 0];
    }
    let few = few(bytes);
    [few as u64, (few >> 64) as u64 | u64::from(mark) << (8 * (bytes.len() % 8))]
}

/// Fewer than eight bytes, the first lowest.
#[inline(always)]
pub(crate) fn few_of_word(bytes: &[u8]) -> u64 {
    marked_word(bytes, 0, 0)
}

/// Fewer than eight bytes with a mark behind them, the first lowest; `empty` for no bytes. The two
/// halves overlap, unless the length is a power of 2. The mark is shifted with the upper half.
#[inline(always)]
pub(crate) fn marked_word(bytes: &[u8], mark: u8, empty: u8) -> u64 {
    macro_rules! halves {
        ($word:ty) => {
            if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
                let shift = 8 * (bytes.len() - size_of::<$word>());
                let last =
                    u64::from(mark) << <$word>::BITS | u64::from(<$word>::from_le_bytes(*last));
                return u64::from(<$word>::from_le_bytes(*first)) | last << shift;
            }
        };
    }
    halves!(u32);
    halves!(u16);
    bytes.first().map_or(empty.into(), |byte| u64::from(mark) << 8 | u64::from(*byte))
}

/// Up to eight bytes, the last highest, above zeros.
#[inline(always)]
pub(crate) fn upper_of_word(bytes: &[u8]) -> u64 {
    macro_rules! halves {
        ($word:ty) => {
            if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
                let last =
                    u64::from(<$word>::from_le_bytes(*last)) << (64 - 8 * size_of::<$word>());
                return last | u64::from(<$word>::from_le_bytes(*first)) << (8 * (8 - bytes.len()));
            }
        };
    }
    halves!(u32);
    halves!(u16);
    u64::from(bytes.first().copied().unwrap_or(0)) << 56
}

/// The sum of a word's bytes, and the sum of the values that this sum takes from byte to byte. The
/// lowest byte counts eight times in the second sum. No product leaves 16 bits.
#[inline(always)]
pub(crate) fn byte_sums(word: u64) -> (u32, u32) {
    const LANES: u64 = 0x00ff_00ff_00ff_00ff;
    let (even, odd) = (word & LANES, word >> 8 & LANES);
    let total = |lanes: u64, weights: u64| (lanes.wrapping_mul(weights) >> 48) as u32;
    let sum = total(even + odd, 0x0001_0001_0001_0001);
    let sums = total(even, 0x0008_0006_0004_0002) + total(odd, 0x0007_0005_0003_0001);
    // SAFETY: all eight bytes are 255 at most. So a caller compares neither with a larger modulus.
    unsafe { std::hint::assert_unchecked(sum <= 8 * 255 && sums <= 36 * 255) };
    (sum, sums)
}

/// Both sums after these bytes.
#[inline(always)]
pub(crate) fn byte_sums_after(sums: (u64, u64), bytes: &[u8]) -> (u64, u64) {
    let add = |(sum, sums): (u64, u64), word: u64, len: u64| {
        let (bytes, weighted) = byte_sums(word);
        (sum + u64::from(bytes), sums + len * sum + u64::from(weighted))
    };
    let (words, rest) = bytes.as_chunks();
    let sums = words.iter().fold(sums, |sums, word| add(sums, u64::from_le_bytes(*word), 8));
    if rest.is_empty() { sums } else { add(sums, upper_of_word(rest), rest.len() as u64) }
}

/// The items of a slice that has no more than so many. It tells the compiler, which would prepare
/// for more.
#[inline(always)]
pub(crate) fn at_most<const MAX: usize, T>(items: &[T]) -> impl Iterator<Item = &T> {
    (0..MAX).map_while(|index| items.get(index))
}

/// Copies up to 128 bytes to where there are no fewer, in halves that overlap: a copy of
/// unknown length would be a call.
#[inline(always)]
pub(crate) fn copy(bytes: &[u8], to: &mut [u8]) {
    macro_rules! halves {
        ($len:literal) => {
            if let (Some(first), Some(last)) =
                (bytes.first_chunk::<$len>(), bytes.last_chunk::<$len>())
            {
                to[..$len].copy_from_slice(first);
                to[bytes.len() - $len..bytes.len()].copy_from_slice(last);
                return;
            }
        };
    }
    assert!(bytes.len() <= 128);
    halves!(64);
    halves!(32);
    halves!(16);
    halves!(8);
    halves!(4);
    halves!(2);
    if let [byte] = bytes {
        to[0] = *byte;
    }
}

/// Stores two words, little-endian, at once, so that a load of both need not wait for two stores.
#[inline(always)]
pub(crate) fn store(words: [u64; 2], to: &mut [u8]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_set_epi64x, _mm_storeu_si128};
        let to: &mut [u8; 16] = to.first_chunk_mut().expect("there is room for both");
        // SAFETY: x86-64 has SSE2; the store touches the 16 bytes of `to`.
        unsafe {
            _mm_storeu_si128(
                to.as_mut_ptr().cast(),
                _mm_set_epi64x(words[1] as i64, words[0] as i64),
            )
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    to[..16].copy_from_slice(bytemuck::cast_slice(&[words[0].to_le(), words[1].to_le()]));
}
