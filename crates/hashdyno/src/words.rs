//! Words, and how kernels come by them.

/// The same word, for all the compiler knows another one: it cannot move the computation of it into that of others, nor make it a
/// lane of a vector. Costs no instruction.
#[inline(always)]
pub(crate) fn opaque(word: u64) -> u64 {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let mut word = word;
        // SAFETY: a comment.
        unsafe { std::arch::asm!("/* {0} */", inout(reg) word, options(pure, nomem, nostack, preserves_flags)) };
        word
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    word
}

/// The same word, for all the compiler knows another one, which is computed where the text has it: sums are not put in another
/// order, and two chains whose steps take turns in the text do so in the code. Costs no instruction.
#[allow(asm_sub_register, reason = "only a comment names the register, and each architecture has its own modifiers")]
#[inline(always)]
pub(crate) fn in_order(word: u32) -> u32 {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let mut word = word;
        // Not `pure`: such statements keep their order.
        // SAFETY: a comment.
        unsafe { std::arch::asm!("/* {0} */", inout(reg) word, options(nomem, nostack, preserves_flags)) };
        word
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    word
}

/// Fewer than 16 bytes, the first lowest: the two halves overlap, unless the length is a power of 2.
#[inline(always)]
pub(crate) fn few(bytes: &[u8]) -> u128 {
    macro_rules! halves {
        ($word:ty) => {
            if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
                let shift = 8 * (bytes.len() - size_of::<$word>());
                return u128::from(<$word>::from_le_bytes(*first)) | u128::from(<$word>::from_le_bytes(*last)) << shift;
            }
        };
    }
    halves!(u64);
    halves!(u32);
    halves!(u16);
    bytes.first().copied().unwrap_or(0).into()
}
