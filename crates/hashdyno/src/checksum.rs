//! Checksums whose kernels are functions from a register and bytes to a register: what their kernels are made of.

use bytemuck::Pod;

use crate::{Last, State};

/// A checksum that keeps a register and nothing else.
pub(crate) trait Checksum: 'static {
    /// What is kept between blocks.
    type Register: Pod;
    /// The register of the empty message.
    const START: Self::Register;
    /// As [`crate::Digest::block_len`].
    const BLOCK: usize = 1;
    /// Writes the checksum of a message of `len` bytes to all of `out`: `rest` are the bytes after the last block, fewer than one,
    /// `register` is that of those before.
    fn finish(register: Self::Register, rest: &[u8], len: u64, out: &mut [u8]);
}

/// [`crate::Digest::start`] of a checksum.
pub(crate) fn start<C: Checksum>(state: &mut State) {
    state.init(C::START);
}

/// [`crate::Digest::finish`] of a checksum.
pub(crate) fn finish<C: Checksum>(state: &mut State, last: Last<'_>, out: &mut [u8]) {
    C::finish(state.read(), last.bytes, last.message_len, out);
}

/// The whole blocks of a message, and what is left.
#[inline(always)]
pub(crate) fn split<C: Checksum>(message: &[u8]) -> (&[u8], &[u8]) {
    message.split_at(message.len() - message.len() % C::BLOCK)
}

/// The kernel of that name of a [`Checksum`], `checksum: Bound` where the function is generic over it: `after`, marked `#[inline]`
/// and compiled for the same features, gives the register after some whole blocks more (none, too).
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
        fn absorb$($generics)*(state: &mut $crate::State, blocks: &[u8]) {
            let register = state.view::<<$checksum as Checksum>::Register>();
            *register = $after(*register, blocks);
        }

        $(#[target_feature(enable = $features)])?
        #[inline]
        fn whole$($generics)*(message: &[u8], out: &mut [u8]) {
            // No function of a closure here: one that is not inlined is compiled for no instruction set.
            let (blocks, rest) = $crate::checksum::split::<$checksum>(message);
            $checksum::finish($after($checksum::START, blocks), rest, message.len() as u64, out);
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
