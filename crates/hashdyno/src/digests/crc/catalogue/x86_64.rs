//! Kernels of the catalogue by carry-less multiplication: those of `crc/x86_64.rs`, with numbers
//! from memory.

use super::super::BitOrder;
use super::super::x86_64::{
    NEEDS, NEEDS_256, NEEDS_512, after_128, after_256, after_512, after_word,
};
use super::entry::Running;
use crate::{Code, Kernel, State};

/// Declares kernels: name of the function and of the kernel, the features that it needs and is
/// compiled for, and the function that gives the register after some bytes more.
macro_rules! catalogue_kernels {
    ($(
        $(#[$doc:meta])* $id:ident $name:literal $needs:expr, $features:literal $after:ident;
    )*) => {$(
        $(#[$doc])*
        pub(super) const fn $id<O: BitOrder>() -> Kernel {
            #[target_feature(enable = $features)]
            fn absorb<O: BitOrder>(state: &mut State, bytes: &[u8]) {
                let running: &mut Running = state.view();
                running.register = match bytes.len() {
                    // SAFETY: this function is compiled for what it wants.
                    1..=8 => unsafe { after_word(running.folding::<O>(), running.register, bytes) },
                    _ => $after(running.folding::<O>(), running.register, bytes),
                };
            }
            Kernel::of($name, $needs.covering($features), Code::Blocks(absorb::<O>))
        }
    )*};
}

catalogue_kernels! {
    /// 16 bytes at a time.
    pclmulqdq "pclmulqdq" NEEDS, "pclmulqdq,sse4.2" after_128;
    /// 32 bytes at a time.
    vpclmulqdq_avx2 "vpclmulqdq-avx2" NEEDS_256, "pclmulqdq,vpclmulqdq,avx2" after_256;
    /// 64 bytes at a time.
    vpclmulqdq "vpclmulqdq" NEEDS_512, "pclmulqdq,vpclmulqdq,avx512f,gfni" after_512;
}
