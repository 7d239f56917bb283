//! Large pages for large buffers.

/// Asks the system for large pages in the room of a list that nobody has touched yet. Memory above
/// 32 MiB comes anew from the system each time, and less of it often does. The system hands it out
/// and clears it page by page.
pub fn enlarge<T>(list: &mut Vec<T>) {
    let (start, len) = (list.as_mut_ptr(), list.capacity() * size_of::<T>());
    if len >= WORTHWHILE {
        system::enlarge(start.cast(), len);
    }
}

/// Smaller buffers are kept by the allocator, pages and all.
const WORTHWHILE: usize = 8 << 20;

#[cfg(target_os = "linux")]
mod system {
    pub fn enlarge(start: *mut u8, len: usize) {
        // From the first large page on: the advice must begin where a page does.
        let skipped = start.align_offset(LARGE);
        if skipped < len {
            // SAFETY: this advice changes no byte, and the memory is the caller's. The answer does
            // not matter.
            unsafe { libc::madvise(start.add(skipped).cast(), len - skipped, libc::MADV_HUGEPAGE) };
        }
    }

    /// Bytes of a large page of x86-64. A small page of any CPU divides them.
    const LARGE: usize = 2 << 20;
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub fn enlarge(_: *mut u8, _: usize) {}
}
