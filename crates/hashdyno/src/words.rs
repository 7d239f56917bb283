//! Words, and how kernels come by them.

/// The same value, in a register of that class (`reg`, `xmm_reg`, `ymm_reg`, `vreg`), for all the
/// compiler knows another one: it cannot move the computation of it into that of others. Costs no
/// instruction.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! opaque_in {
    (vreg $value:expr) => {
        $crate::words::opaque_in!("/* {0:v} */", vreg $value)
    };
    ($class:ident $value:expr) => {
        $crate::words::opaque_in!("/* {0} */", $class $value)
    };
    ($comment:literal, $class:ident $value:expr) => {{
        let mut value = $value;
        // SAFETY: the text is a comment.
        unsafe { std::arch::asm!($comment, inout($class) value, options(pure, nomem, nostack, preserves_flags)) };
        value
    }};
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use opaque_in;

/// [`opaque_in!`] of a word: it does not become a lane of a vector either.
#[inline(always)]
pub(crate) fn opaque(word: u64) -> u64 {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        opaque_in!(reg word)
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    word
}

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

/// The same words, for all the compiler knows others, and all of them ready here: what comes after
/// in the text does so in the code, and fewer registers are taken at a time. They do not become
/// lanes of a vector either. Costs no instruction.
macro_rules! tied {
    ($($word:ident),*) => {
        $(#[allow(unused_mut, reason = "where there is no such text")] let mut $word: u64 = $word;)*
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        // SAFETY: the text is a comment.
        unsafe {
            std::arch::asm!(concat!("/*", $(" {", stringify!($word), "}",)* " */"), $($word = inout(reg) $word,)*
                options(pure, nomem, nostack, preserves_flags));
        }
    };
}
pub(crate) use tied;

/// The same bytes, for all the compiler knows others: what is read of them is a load, where it
/// would else be a constant in the code, and those of 64 bits take twice the place of a load in the
/// CPU's queue of instructions. Costs no instruction.
#[allow(
    clippy::pointers_in_nomem_asm_block,
    reason = "nothing is read by way of it there, the text is a comment"
)]
#[inline(always)]
pub(crate) fn loaded<const LEN: usize>(bytes: &'static [u8; LEN]) -> &'static [u8; LEN] {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let bytes = opaque_in!(reg std::ptr::from_ref(bytes));
        // SAFETY: it is the same reference still.
        unsafe { &*bytes }
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    bytes
}

/// The same word, for all the compiler knows another one, which is computed where the text has it:
/// sums are not put in another order, and two chains whose steps take turns in the text do so in
/// the code. Costs no instruction.
#[allow(
    asm_sub_register,
    reason = "only a comment names the register, and each architecture has its own modifiers"
)]
#[inline(always)]
pub(crate) fn in_order(word: u32) -> u32 {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let mut word = word;
        // Not `pure`: such statements keep their order.
        // SAFETY: a comment.
        unsafe {
            std::arch::asm!("/* {0} */", inout(reg) word, options(nomem, nostack, preserves_flags))
        };
        word
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    word
}

/// A word and a constant by one instruction of that name, which reads the constant where it lies:
/// as eight bytes of an instruction it would take one more, and two places among those decoded.
/// `$otherwise` is the same, where there is no such instruction.
macro_rules! by_memory {
    ($instruction:literal, $word:expr, $constant:ident, $otherwise:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            let mut word: u64 = $word;
            // SAFETY: reads eight bytes that are there.
            unsafe {
                std::arch::asm!(
                    concat!($instruction, " {word}, qword ptr [rip + {constant}]"),
                    word = inout(reg) word,
                    constant = sym $constant,
                    options(pure, readonly, nostack),
                );
            }
            word
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            $otherwise($word, $constant)
        }
    }};
}
pub(crate) use by_memory;

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
    std::array::from_fn(|word| u64::from_le_bytes(words[word]))
}

/// Says that the way here is the rare one: where a jump counts, the others go straight on.
#[cold]
pub(crate) fn cold_path() {}

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
    let (few, mark) = (few(bytes), u64::from(mark) << (8 * (bytes.len() % 8)));
    if bytes.len() < 8 { [few as u64 | mark, 0] } else { [few as u64, (few >> 64) as u64 | mark] }
}

/// Fewer than eight bytes, the first lowest: the two halves overlap, unless the length is a power
/// of 2.
#[inline(always)]
pub(crate) fn few_of_word(bytes: &[u8]) -> u64 {
    macro_rules! halves {
        ($word:ty) => {
            if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
                let shift = 8 * (bytes.len() - size_of::<$word>());
                return u64::from(<$word>::from_le_bytes(*first))
                    | u64::from(<$word>::from_le_bytes(*last)) << shift;
            }
        };
    }
    halves!(u32);
    halves!(u16);
    bytes.first().copied().unwrap_or(0).into()
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

/// The items of a slice that has no more than so many. It tells the compiler, which would prepare
/// for more.
#[inline(always)]
pub(crate) fn at_most<const MOST: usize, T>(items: &[T]) -> impl Iterator<Item = &T> {
    (0..MOST).map_while(|index| items.get(index))
}

/// Copies fewer than 128 bytes to where there are no fewer, in halves that overlap: a copy of
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
    assert!(bytes.len() < 128);
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
    to[..16].copy_from_slice(bytemuck::cast_slice(&words.map(u64::to_le)));
}
