//! Memory of buffers. The allocator gives memory back to the system, which hands it out again page
//! by page, and clears it. That takes as long as many digests. So the buffers of columns that are
//! gone are taken again, and large pages are asked for.

use std::collections::VecDeque;
use std::sync::Mutex;

/// A list of words for a caller who writes all of them: they hold anything.
pub fn take(len: usize) -> Vec<u64> {
    let found = if is_worthwhile(len) { KEPT.try_lock().ok() } else { None }
        .and_then(|mut kept| kept.taken(len));
    found.unwrap_or_else(|| {
        let mut words = vec![0; len];
        if size_of_val(&words[..]) >= LARGE {
            system::enlarge(words.as_mut_ptr().cast(), size_of_val(&words[..]));
        }
        words
    })
}

/// Keeps a list for the next [`take`], unless it is small. A thread that finds the others locked
/// goes without.
pub fn give_back(words: Vec<u64>) {
    if is_worthwhile(words.len())
        && let Ok(mut kept) = KEPT.try_lock()
    {
        kept.keep(words);
    }
}

fn is_worthwhile(len: usize) -> bool {
    len * size_of::<u64>() >= WORTHWHILE
}

/// Lists that were given back, the oldest first.
struct Kept {
    lists: VecDeque<Vec<u64>>,
    /// Of all of them, [`MOST`] at most.
    bytes: usize,
}

impl Kept {
    /// A list of that length. The last one is most likely still in a cache.
    fn taken(&mut self, len: usize) -> Option<Vec<u64>> {
        let fits = |words: &Vec<u64>| (len..=2 * len).contains(&words.len());
        let mut words = self.lists.remove(self.lists.iter().rposition(fits)?)?;
        self.bytes -= size_of_val(&words[..]);
        words.truncate(len);
        Some(words)
    }

    fn keep(&mut self, words: Vec<u64>) {
        self.bytes += size_of_val(&words[..]);
        self.lists.push_back(words);
        while self.bytes > MOST
            && let Some(oldest) = self.lists.pop_front()
        {
            self.bytes -= size_of_val(&oldest[..]);
        }
    }
}

static KEPT: Mutex<Kept> = Mutex::new(Kept { lists: VecDeque::new(), bytes: 0 });

/// Bytes of a list that is kept. The allocator keeps smaller ones itself, pages and all.
const WORTHWHILE: usize = 64 << 10;

/// Bytes of a list from which on large pages are asked for.
const LARGE: usize = 8 << 20;

/// Bytes that a process keeps at most.
const MOST: usize = 128 << 20;

#[cfg(target_os = "linux")]
mod system {
    /// Asks for large pages in memory that nobody has touched yet.
    pub fn enlarge(start: *mut u8, len: usize) {
        // From the first large page on: the advice must begin where a page does.
        let skipped = start.align_offset(PAGE);
        if skipped < len {
            // SAFETY: this advice changes no byte, and the memory is the caller's. The answer does
            // not matter.
            unsafe { libc::madvise(start.add(skipped).cast(), len - skipped, libc::MADV_HUGEPAGE) };
        }
    }

    /// Bytes of a large page of x86-64. A small page of any CPU divides them.
    const PAGE: usize = 2 << 20;
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub fn enlarge(_: *mut u8, _: usize) {}
}
