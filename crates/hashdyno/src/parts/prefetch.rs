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

/// The same for `len` bytes at that distance from the begin of each row. In assembly, since a
/// kernel has all of its registers in use: a call, or a loop that the compiler unrolls, made
/// SHA-256 and SHA-512 of short messages slower, where nothing was to be fetched.
#[inline(always)]
pub(crate) fn fetch_rows(rows: &[*const u8], at: usize, len: usize) {
    assert!(!rows.is_empty(), "the loop has one turn at least");
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    for from in (at..at + len).step_by(64) {
        // SAFETY: it reads the rows' addresses, and gives hints.
        unsafe {
            std::arch::asm!(
                "2:",
                "mov {row}, qword ptr [{rows} + 8 * {left} - 8]",
                "prefetcht0 byte ptr [{row} + {from}]",
                "dec {left}",
                "jnz 2b",
                row = out(reg) _,
                rows = in(reg) rows.as_ptr(),
                left = inout(reg) rows.len() => _,
                from = in(reg) from,
                options(nostack, readonly),
            );
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = (rows, at, len);
}
