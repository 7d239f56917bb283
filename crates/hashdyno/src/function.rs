//! Digests as functions, for callers who know which one they want when they are compiled.

/// Every function, for what goes through all of them: `$with` is given the names of their digests,
/// and theirs.
#[doc(hidden)]
#[macro_export]
macro_rules! functions {
    ($with:ident) => {
        $with! {
            "crc32b" crc32b "crc32c" crc32c "crc64-nvme" crc64_nvme "crc64-xz" crc64_xz
            "xxh32" xxh32 "xxh64" xxh64 "xxh3" xxh3 "xxh128" xxh128
            "rapidhash" rapidhash "rapidhash-nano" rapidhash_nano "komihash" komihash
        }
    };
}

/// Declares the function of a digest: each `$short` is that of messages of up to so many bytes, of
/// which a call by way of [`crate::ReadyKernel`] takes a tenth of the time and more.
macro_rules! function {
    ($(#[$doc:meta])* $name:ident: $word:ty = $digest:ident, $(..=$most:expr => $short:expr),+) => {
        $(#[$doc])*
        ///
        /// The digest of that name, as an integer: a [`crate::Digest`] writes its most significant
        /// byte first. The shortest messages are hashed where this is called, longer ones by the
        /// best kernel of this machine.
        #[inline(always)]
        pub fn $name(message: &[u8]) -> $word {
            static KERNEL: std::sync::LazyLock<$crate::ReadyKernel> =
                std::sync::LazyLock::new(|| $digest.bind($crate::Cpu::native()));
            type Out = [u8; size_of::<$word>()];

            /// By a kernel that takes no whole messages. Apart: a state is 2 KiB of stack, which
            /// every caller would set up.
            #[cold]
            fn by_state(message: &[u8], out: &mut Out) {
                $digest.digest_into(&KERNEL, message, out);
            }

            $(
                if message.len() <= $most {
                    return $short(message);
                }
            )+
            let mut out = Out::default();
            if !KERNEL.digest_one_shot(message, &mut out) {
                by_state(message, &mut out);
            }
            <$word>::from_be_bytes(out)
        }
    };
}
pub(crate) use function;

/// The portable kernel of a [`Checksum`](crate::parts::checksum::Checksum) that has a function from
/// whole messages to integers, which is compiled into the loop over many of them. `after` is as for
/// [`crate::parts::checksum::checksum_kernel`].
macro_rules! kernel_of_function {
    ($checksum:ident, $after:path, $function:path) => {{
        use $crate::parts::checksum::Checksum;

        fn absorb(state: &mut $crate::State, blocks: &[u8]) {
            let register = state.view::<<$checksum as Checksum>::Register>();
            *register = $after(*register, blocks);
        }
        let one_shot = $crate::kernel::one_shot!(
            [] [] <$checksum as Checksum>::LEN,
            |message, out| $crate::parts::words::write($function(message).to_be_bytes(), out)
        );
        let code = $crate::Code::OneShot(absorb, one_shot);
        $crate::Kernel::of("portable", $crate::Features::empty(), code)
    }};
}
pub(crate) use kernel_of_function;
