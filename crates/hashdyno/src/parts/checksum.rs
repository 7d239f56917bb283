//! Checksums whose kernels are functions from a register and bytes to a register: what their
//! kernels are made of.

use bytemuck::Pod;

use crate::{State, Tail};

/// A checksum that keeps a register and nothing else.
pub(crate) trait Checksum: 'static {
    /// What is kept between blocks.
    type Register: Pod;
    /// The register of the empty message.
    const START: Self::Register;
    /// As [`crate::Digest::block_len`].
    const BLOCK: usize = 1;
    /// As [`crate::Digest::holds_last_block`].
    const HOLDS_LAST_BLOCK: bool = false;
    /// Its length in bytes.
    const LEN: usize = size_of::<Self::Register>();
    /// Writes the checksum of a message of `len` bytes to all of `out`: `rest` are the bytes after
    /// the last block, fewer than one, or the last block if it is held; `register` is that of those
    /// before.
    fn finish(register: Self::Register, rest: &[u8], len: u64, out: &mut [u8]);
}

/// [`crate::Digest::start`] of a checksum.
pub(crate) fn start<C: Checksum>(state: &mut State) {
    state.init(C::START);
}

/// [`crate::Digest::finish`] of a checksum.
pub(crate) fn finish<C: Checksum>(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    C::finish(state.read(), tail.bytes, tail.message_len, out);
}

/// The whole blocks of a message, and what is left.
#[inline(always)]
pub(crate) fn split<C: Checksum>(message: &[u8]) -> (&[u8], &[u8]) {
    let free = message.len().saturating_sub(C::HOLDS_LAST_BLOCK.into());
    message.split_at(free - free % C::BLOCK)
}

/// The kernel of that name of a [`Checksum`], `checksum: Trait` where the functions are generic
/// over it: `after`, marked `#[inline]` and compiled for the same features, gives the register
/// after some whole blocks more (none, too). `few` does so of messages of at most so many bytes, in
/// whose place in the kernel it is compiled: it is marked `#[inline(always)]`, which goes with no
/// features, and may do all that the CPU can that has them. So may `after`, where `unsafe` stands
/// before it.
///
/// ```ignore
/// const fn kernel<C: Crc>() -> Kernel {
///     checksum_kernel!(
///         "pclmulqdq", NEEDS, "pclmulqdq,sse4.2", C: Crc, after_128::<C>,
///         ..=64 => unsafe after_few::<C>
///     )
/// }
/// ```
macro_rules! checksum_kernel {
    (
        $name:expr, $needs:expr, $($features:literal,)? $checksum:ident: $bound:path,
        $($functions:tt)*
    ) => {
        $crate::parts::checksum::checksum_kernel!(
            @ $name, $needs, [$($features)?] $checksum [<$checksum: $bound>] [::<$checksum>]
            $($functions)*
        )
    };
    ($name:expr, $needs:expr, $($features:literal,)? $checksum:ident, $($functions:tt)*) => {
        $crate::parts::checksum::checksum_kernel!(
            @ $name, $needs, [$($features)?] $checksum [] [] $($functions)*
        )
    };
    (
        @ $name:expr, $needs:expr, $features:tt $checksum:ident $generics:tt $arguments:tt
        unsafe $after:path, ..=$most:expr => unsafe $few:path
    ) => {
        $crate::parts::checksum::checksum_kernel!(
            @ inline(never), $name, $needs, $features $checksum $generics $arguments [unsafe]
            $after, $most => $few
        )
    };
    (
        @ $name:expr, $needs:expr, $features:tt $checksum:ident $generics:tt $arguments:tt
        $after:path
    ) => {
        $crate::parts::checksum::checksum_kernel!(
            @ inline, $name, $needs, $features $checksum $generics $arguments [] $after
        )
    };
    (
        @ $name:expr, $needs:expr, $features:tt $checksum:ident $generics:tt $arguments:tt
        $after:path, ..=$most:expr => unsafe $few:path
    ) => {
        // A function that ends in a call of another keeps nothing for its return, nor does what
        // comes before in it.
        $crate::parts::checksum::checksum_kernel!(
            @ inline(never), $name, $needs, $features $checksum $generics $arguments [] $after,
            $most => $few
        )
    };
    (
        @ $inline:meta, $name:expr, $needs:expr, [$($features:literal)?] $checksum:ident
        [$($generics:tt)*] [$($arguments:tt)*] [$($unsafe:ident)?] $after:path
        $(, $most:expr => $few:path)?
    ) => {{
        use $crate::parts::checksum::Checksum;

        $(#[target_feature(enable = $features)])?
        fn absorb$($generics)*(state: &mut $crate::State, blocks: &[u8]) {
            let register = state.view::<<$checksum as Checksum>::Register>();
            // SAFETY: this function is compiled for the features.
            *register = $($unsafe)? { $after(*register, blocks) };
        }

        $(#[target_feature(enable = $features)])?
        #[$inline]
        fn long$($generics)*(message: &[u8], out: &mut [u8]) {
            $(
                // Never true. It lets the compiler leave out the code for short messages.
                if message.len() <= $most {
                    return;
                }
            )?
            // No function of a closure here: one that is not inlined is compiled for no instruction
            // set.
            let (blocks, rest) = $crate::parts::checksum::split::<$checksum>(message);
            // SAFETY: as above.
            let register = $($unsafe)? { $after($checksum::START, blocks) };
            $checksum::finish(register, rest, message.len() as u64, out);
        }

        let whole = $crate::kernel::one_shot!(
            $($features,)? [$($generics)*] [$($arguments)*] <$checksum as Checksum>::LEN,
            |message, out| {
                $(
                    if message.len() <= $most {
                        let (blocks, rest) = $crate::parts::checksum::split::<$checksum>(message);
                        // SAFETY: this function is compiled for the features.
                        #[allow(unused_unsafe, reason = "some want none")]
                        let register = unsafe { $few($checksum::START, blocks) };
                        return $checksum::finish(register, rest, message.len() as u64, out);
                    }
                )?
                long$($arguments)*(message, out);
            }
        );
        $crate::Kernel::of($name, $needs, $crate::Code::OneShot(absorb$($arguments)*, whole))
    }};
}
pub(crate) use checksum_kernel;
