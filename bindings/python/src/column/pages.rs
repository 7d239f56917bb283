//! Memory of large buffers. The system hands out memory above 32 MiB anew each time, and less of it
//! often, page by page, and clears it. That takes as long as many digests. So large pages are asked
//! for, and the buffer of a column that is gone is taken again.

use std::mem;
use std::sync::Mutex;

/// A list of words for a caller who writes all of them: they hold anything.
pub fn take(len: usize) -> Vec<u64> {
    if is_large::<u64>(len)
        && let Ok(mut kept) = KEPT.try_lock()
        && (len..=2 * len).contains(&kept.len())
    {
        let mut words = mem::take(&mut *kept);
        words.truncate(len);
        return words;
    }
    let mut words = vec![0; len];
    enlarge(&mut words);
    words
}

/// Keeps a list for the next [`take`], unless it is small, or larger than [`MOST`].
pub fn give_back(words: Vec<u64>) {
    if is_large::<u64>(words.len())
        && size_of_val(&words[..]) <= MOST
        && let Ok(mut kept) = KEPT.try_lock()
    {
        *kept = words;
    }
}

/// Asks the system for large pages in the room of a list that nobody has touched yet.
pub fn enlarge<T>(list: &mut Vec<T>) {
    if is_large::<T>(list.capacity()) {
        system::enlarge(list.as_mut_ptr().cast(), list.capacity() * size_of::<T>());
    }
}

fn is_large<T>(len: usize) -> bool {
    len * size_of::<T>() >= WORTHWHILE
}

/// The list that was given back last. Who finds it locked goes without.
static KEPT: Mutex<Vec<u64>> = Mutex::new(Vec::new());

/// Smaller buffers are kept by the allocator, pages and all.
const WORTHWHILE: usize = 8 << 20;

/// Bytes that a process keeps at most.
const MOST: usize = 128 << 20;

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
