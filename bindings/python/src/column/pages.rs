//! Large pages for large buffers.

/// Asks the system for large pages in a buffer that nobody has touched yet. Memory above 32 MiB
/// comes anew from the system each time, and the system hands it out and clears it page by page.
pub fn enlarge(buffer: &mut [u64]) {
    if size_of_val(buffer) >= WORTHWHILE {
        system::enlarge(buffer);
    }
}

/// Smaller buffers are kept by the allocator, pages and all.
const WORTHWHILE: usize = 8 << 20;

#[cfg(target_os = "linux")]
mod system {
    pub fn enlarge(buffer: &mut [u64]) {
        // From the first large page on: the advice must begin where a page does.
        let skipped = buffer.as_ptr().align_offset(LARGE);
        let Some(rest) = buffer.get_mut(skipped..) else { return };
        // SAFETY: this advice changes no byte, and the memory is ours. The answer does not matter.
        unsafe { libc::madvise(rest.as_mut_ptr().cast(), size_of_val(rest), libc::MADV_HUGEPAGE) };
    }

    /// Bytes of a large page of x86-64. A small page of any CPU divides them.
    const LARGE: usize = 2 << 20;
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub fn enlarge(_: &mut [u64]) {}
}
