//! What the standard library has for arrays, inlined always. Its own functions are sometimes called
//! where a crate is compiled in several units: without the vector instructions of the kernel that
//! calls them, and through memory.

use std::mem::MaybeUninit;

/// As [`std::array::from_fn`].
#[inline(always)]
pub(crate) fn from_fn<T, const N: usize>(mut item: impl FnMut(usize) -> T) -> [T; N] {
    let mut array = [const { MaybeUninit::uninit() }; N];
    let mut index = 0;
    while index < N {
        array[index] = MaybeUninit::new(item(index));
        index += 1;
    }
    // SAFETY: every item was written.
    unsafe { std::mem::transmute_copy(&array) }
}

/// Arrays of which each item is turned into another.
pub(crate) trait Mapped<T, const N: usize> {
    /// As `map` of an array.
    fn mapped<U>(self, of: impl FnMut(T) -> U) -> [U; N];
}

impl<T: Copy, const N: usize> Mapped<T, N> for [T; N] {
    #[inline(always)]
    fn mapped<U>(self, mut of: impl FnMut(T) -> U) -> [U; N] {
        from_fn(|index| of(self[index]))
    }
}
