//! The kernels of checksums: each is made of one function from a register and bytes to a register.
//!
//! Such a checksum keeps a register between blocks and nothing else. The function of a kernel is
//! `after(register, blocks) -> register`. `checksum_kernel!` makes three entries from that
//! function:
//!
//! ```text
//! absorb(state, blocks)     a piece:          register = after(register, blocks)
//! one_shot(message, out)    a whole message:  blocks, rest = split(message)
//!                           up to MOST bytes: register = few(START, blocks)
//!                           else, in `long`:  register = after(START, blocks)
//!                                             finish(register, rest, message.len(), out)
//! every(batch)              `one_shot` of each message, compiled into one loop
//! ```
//!
//! `few` is compiled into `one_shot`, and `long` is a call at its end. So short messages need no
//! register saved for the others. A whole message may have no block; a piece has at least one.
//!
//! The macro rewrites its parameters twice, so that one arm can write all functions. Each pair of
//! brackets holds tokens that may be missing:
//!
//! ```text
//! "avx2", NEEDS, "avx2", C: Crc, after::<C>, ..=64 => unsafe few::<C>      as a kernel has it
//!   @ "avx2", NEEDS, ["avx2"] C [<C: Crc>] [::<C>] after::<C>, ..=64 => unsafe few::<C>
//!   @ inline(never), "avx2", NEEDS, ["avx2"] C [<C: Crc>] [::<C>] [] after::<C>, 64 => few::<C>
//!     |                             |          |          |       |
//!     |                             |          |          |       `unsafe`, if `after` needs it
//!     |                             |          |          arguments for the generic parameters
//!     |                             |          generic parameters of the functions
//!     |                             features of `#[target_feature]`; none: portable code
//!     attribute of `long`: `inline(never)` beside a `few`, else `inline`
//! ```

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

        let one_shot = $crate::kernel::one_shot!(
            $($features,)? [$($generics)*] [$($arguments)*] <$checksum as Checksum>::LEN,
            |message, out| {
                $(
                    // No loop over blocks: none of its registers is saved.
                    if const { <$checksum as Checksum>::BLOCK > 8 }
                        && message.len() < <$checksum as Checksum>::BLOCK
                    {
                        let len = message.len() as u64;
                        return $checksum::finish($checksum::START, message, len, out);
                    }
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
        $crate::Kernel::of(
            $name,
            $needs$(.covering($features))?,
            $crate::Code::OneShot(absorb$($arguments)*, one_shot),
        )
    }};
}
pub(crate) use checksum_kernel;
