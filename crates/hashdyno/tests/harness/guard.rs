//! Memory that ends where it ends.

use region::{Allocation, Protection};

/// Memory between two pages that can be neither read nor written.
pub struct Guarded {
    pages: Allocation,
    inner: usize,
}

impl Guarded {
    /// Memory that can only be read. It holds `pattern` repeated, at least `pattern.len()` bytes of
    /// it.
    pub fn new(pattern: &[u8]) -> Self {
        Self::with(pattern, Protection::READ)
    }

    /// At least `len` bytes of memory that can be read and written.
    pub fn writable(len: usize) -> Self {
        Self::with(&vec![0; len], Protection::READ_WRITE)
    }

    fn with(pattern: &[u8], protection: Protection) -> Self {
        let page = region::page::size();
        let inner = pattern.len().next_multiple_of(page);
        let mut pages =
            region::alloc(inner + 2 * page, Protection::READ_WRITE).expect("there is memory");
        let start = pages.as_mut_ptr::<u8>();
        for (at, byte) in pattern.iter().cycle().take(inner).enumerate() {
            // SAFETY: `at < inner`, and `inner` bytes lie after the first page of the allocation,
            // which nobody else knows yet.
            unsafe { start.add(page + at).write(*byte) };
        }
        for (at, len, protection) in [
            (0, page, Protection::NONE),
            (page, inner, protection),
            (page + inner, page, Protection::NONE),
        ] {
            // SAFETY: whole pages of the allocation above, which nobody borrows yet; it gives
            // itself back as a whole when dropped.
            unsafe { region::protect(start.add(at), len, protection) }
                .expect("pages can be protected");
        }
        Self { pages, inner }
    }

    /// `len` bytes that end where the guard page begins.
    pub fn before(&self, len: usize) -> &[u8] {
        &self.bytes()[self.inner - len..]
    }

    /// `len` bytes that begin where the guard page ends.
    pub fn after(&self, len: usize) -> &[u8] {
        &self.bytes()[..len]
    }

    /// Where memory begins that is `len` bytes before the guard page.
    pub fn place_before(&mut self, len: usize) -> *mut u8 {
        // SAFETY: `inner` bytes lie after the first page, and `len` is no more.
        unsafe { self.pages.as_mut_ptr::<u8>().add(region::page::size() + self.inner - len) }
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: `inner` readable and initialised bytes lie after the first page, as long as the
        // allocation lives.
        unsafe {
            std::slice::from_raw_parts(
                self.pages.as_ptr::<u8>().add(region::page::size()),
                self.inner,
            )
        }
    }
}
