//! Digests as functions, for callers who know which one they want when they are compiled.

use std::mem::transmute;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::{Cpu, Digest};

/// Writes the digest of a message. The function knows the digest's length. The field `digest` of
/// [`OneShot`](crate::OneShot) is such a function.
type OneShotFunction = unsafe fn(&[u8], *mut u8);

/// The best function of this machine for whole messages of a digest, which the first call chooses.
/// A `LazyLock` of a kernel would cost each call two comparisons and two loads, which is a tenth of
/// a CRC of 64 bytes.
pub(crate) struct Chosen(AtomicPtr<()>);

impl Chosen {
    /// `first` chooses.
    pub(crate) const fn new(first: OneShotFunction) -> Self {
        Self(AtomicPtr::new(first as *mut ()))
    }

    /// The function that is chosen; `first` until then.
    #[inline(always)]
    pub(crate) fn get(&self) -> OneShotFunction {
        // SAFETY: `new` and `choose` store functions of this type alone. A function is not written
        // to, so its address may be seen without what else its thread has written.
        unsafe { transmute::<*mut (), OneShotFunction>(self.0.load(Ordering::Relaxed)) }
    }

    /// The function of the digest's best kernel; `by_state` if that takes no whole messages.
    pub(crate) fn choose(&self, digest: &Digest, by_state: OneShotFunction) -> OneShotFunction {
        let one_shot = digest.bind(Cpu::native()).one_shot(digest.output_len);
        let chosen = one_shot.unwrap_or(by_state);
        self.0.store(chosen as *mut (), Ordering::Relaxed);
        chosen
    }
}

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
            static CHOSEN: $crate::function::Chosen = $crate::function::Chosen::new(first);
            type Out = [u8; size_of::<$word>()];

            #[cold]
            unsafe fn first(message: &[u8], out: *mut u8) {
                // SAFETY: this function's own condition.
                unsafe { CHOSEN.choose(&$digest, by_state)(message, out) }
            }

            /// By a kernel that takes no whole messages.
            #[cold]
            unsafe fn by_state(message: &[u8], out: *mut u8) {
                // SAFETY: this function's own condition.
                let out = unsafe { &mut *out.cast::<Out>() };
                $digest.digest_into(&$digest.bind($crate::Cpu::native()), message, out);
            }

            $(
                if message.len() <= $most {
                    return $short(message);
                }
            )+
            let mut out = Out::default();
            // SAFETY: a kernel's function that is bound to this CPU, or a function for every CPU.
            // There is room for the digest.
            unsafe { CHOSEN.get()(message, out.as_mut_ptr()) };
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
