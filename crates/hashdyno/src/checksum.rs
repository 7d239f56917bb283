//! Checksums whose kernels are functions from a register and bytes to a register: what their kernels are made of.

use bytemuck::Pod;

use crate::{Last, State};

/// A checksum that takes bytes as they come.
pub(crate) trait Checksum: 'static {
    /// What is kept between bytes.
    type Register: Pod;
    /// The register of the empty message.
    const START: Self::Register;
    /// Writes what the register of a message of `len` bytes says to all of `out`.
    fn finish(register: Self::Register, len: u64, out: &mut [u8]);
}

/// [`crate::Digest::start`] of a checksum.
pub(crate) fn start<C: Checksum>(state: &mut State) {
    state.init(C::START);
}

/// [`crate::Digest::finish`] of a checksum.
pub(crate) fn finish<C: Checksum>(state: &mut State, last: Last<'_>, out: &mut [u8]) {
    C::finish(state.read(), last.message_len, out);
}

/// The kernel of that name of a [`Checksum`], `checksum: Bound` where the function is generic over it: `after`, marked `#[inline]`
/// and compiled for the same features, gives the register after some bytes more.
///
/// ```ignore
/// const fn kernel<C: Crc>() -> Kernel {
///     checksum::kernel!("pclmulqdq", NEEDS, "pclmulqdq,sse4.2", C: Crc, after_128)
/// }
/// ```
macro_rules! kernel {
    ($name:expr, $needs:expr, $($features:literal,)? $checksum:ident: $bound:path, $after:path) => {
        $crate::checksum::kernel!(@ $name, $needs, [$($features)?] $checksum [<$checksum: $bound>] [::<$checksum>] $after)
    };
    ($name:expr, $needs:expr, $($features:literal,)? $checksum:ident, $after:path) => {
        $crate::checksum::kernel!(@ $name, $needs, [$($features)?] $checksum [] [] $after)
    };
    (@ $name:expr, $needs:expr, [$($features:literal)?] $checksum:ident [$($generics:tt)*] [$($arguments:tt)*] $after:path) => {{
        use $crate::checksum::Checksum;

        $(#[target_feature(enable = $features)])?
        fn absorb$($generics)*(state: &mut $crate::State, bytes: &[u8]) {
            let register = state.view::<<$checksum as Checksum>::Register>();
            *register = $after(*register, bytes);
        }

        $(#[target_feature(enable = $features)])?
        #[inline]
        fn whole$($generics)*(message: &[u8], out: &mut [u8]) {
            $checksum::finish($after($checksum::START, message), message.len() as u64, out);
        }

        $(#[target_feature(enable = $features)])?
        fn every$($generics)*(batch: &mut $crate::Batch<'_>) {
            batch.each(|message, out| whole$($arguments)*(message, out));
        }

        let whole = $crate::Whole { digest: whole$($arguments)*, each: every$($arguments)* };
        $crate::Kernel { name: $name, needs: $needs, absorb: $crate::Absorb::Whole(absorb$($arguments)*, whole) }
    }};
}
pub(crate) use kernel;
