//! Messages that are in no near cache.

/// From how many bytes on a message is not expected in the nearest cache: from there on kernels of
/// many bytes a cycle call [`fetch_ahead`].
pub(crate) const UNCACHED: usize = 1 << 16;

/// Has what lies 12 KiB behind `read` fetched, as much as that. A CPU looks ahead by itself, but
/// not into the next page: of a message that is in no cache, a kernel of some bytes a cycle would
/// wait at each. By 2 KiB it still does, by 32 the nearest cache loses them again.
#[inline(always)]
pub(crate) fn fetch_ahead<T>(read: &T) {
    fetch(std::ptr::from_ref(read).wrapping_byte_add(12 << 10));
}

/// Has the cache lines fetched that a `T` there would lie in, where the CPU can be told to. Nothing
/// is read: the address may be any.
#[inline(always)]
pub(crate) fn fetch<T>(at: *const T) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..size_of::<T>().div_ceil(64) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast::<i8>().wrapping_add(64 * line)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}
