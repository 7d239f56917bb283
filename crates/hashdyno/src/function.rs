//! Digests as functions, for callers who know which one they want when they are compiled.

/// Declares the function of a digest: each `$short` is that of messages of up to so many bytes, of which a call by way of
/// [`crate::Bound`] takes a tenth of the time and more.
macro_rules! function {
    ($(#[$doc:meta])* $name:ident: $word:ty = $digest:ident, $(..=$most:literal => $short:expr),+) => {
        $(#[$doc])*
        ///
        /// The digest of that name, as an integer: a [`crate::Digest`] writes its most significant byte first. The shortest messages
        /// are hashed where this is called, longer ones by the best kernel of this machine.
        #[inline(always)]
        pub fn $name(message: &[u8]) -> $word {
            #[inline(never)]
            fn by_kernel(message: &[u8]) -> $word {
                static KERNEL: std::sync::LazyLock<$crate::Bound> =
                    std::sync::LazyLock::new(|| $digest.bind($crate::Cpu::native()));
                let mut out = [0; size_of::<$word>()];
                $digest.digest_into(&KERNEL, message, &mut out);
                <$word>::from_be_bytes(out)
            }
            $(
                if message.len() <= $most {
                    return $short(message);
                }
            )+
            by_kernel(message)
        }
    };
}
pub(crate) use function;
