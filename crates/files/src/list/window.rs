//! The beginning of a list, which tells its dialect.
//!
//! Where NULs end lines, names may hold line feeds. Taken for a list of lines, such a list reads as
//! another one. So the decision needs as many bytes as the window has, and not only those that a
//! pipe happens to give at first.

use std::io::{self, Read};

/// How much is looked at to tell a list with NULs from one with line feeds.
pub(super) const WINDOW: usize = 1 << 16;

/// A source whose first read fills the buffer: a pipe gives less at a time, and a list that is cut
/// in an entry looks like another one.
pub(super) struct Window<R> {
    source: R,
    first: bool,
    /// What ended the first read, for the second one: the end of the source, or an error behind
    /// bytes that are good.
    ended: Option<io::Result<usize>>,
}

impl<R> Window<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, first: true, ended: None }
    }
}

impl<R: Read> Read for Window<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(ended) = self.ended.take() {
            return ended;
        }
        if !std::mem::replace(&mut self.first, false) {
            return self.source.read(buffer);
        }
        let mut len = 0;
        while len < buffer.len() {
            match self.source.read(&mut buffer[len..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(more) if more > 0 => len += more,
                ended if len == 0 => return ended,
                ended => {
                    self.ended = Some(ended);
                    break;
                }
            }
        }
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::{Format, Grammar, Reader};

    /// Gives 100 bytes at a time, with an interruption before each, and then fails or ends.
    struct Pipe<'a> {
        rest: &'a [u8],
        interrupts: bool,
        fails: bool,
    }

    impl Read for Pipe<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.interrupts = !self.interrupts;
            if self.interrupts {
                return Err(io::ErrorKind::Interrupted.into());
            }
            if self.rest.is_empty() && std::mem::replace(&mut self.fails, false) {
                return Err(io::Error::other("the pipe broke"));
            }
            let len = buffer.len().min(100);
            self.rest.read(&mut buffer[..len])
        }
    }

    fn piped(rest: &[u8], fails: bool) -> Pipe<'_> {
        Pipe { rest, interrupts: false, fails }
    }

    #[test]
    fn a_list_with_nul_is_read_from_a_pipe() {
        let line = |at: usize| format!("{}  file {at}\0", "5".repeat(64));
        for count in [1, 2, 20, 3000] {
            let list: String = (0..count).map(line).collect();
            let mut reader = Reader::new(piped(list.as_bytes(), false), Grammar::ANY);
            for at in 0..count {
                let entry = reader.next_line().unwrap().unwrap().entry;
                let name = entry.unwrap_or_else(|| panic!("{at} of {count}")).name;
                assert_eq!(name, format!("file {at}").as_bytes());
            }
            assert_eq!(reader.next_line().unwrap(), None);
            assert_eq!(reader.format(), Some((Format::Gnu { binary: false }, true)));
        }
    }

    #[test]
    fn what_came_before_an_error_is_read_and_the_error_is_told() {
        for list in [&b""[..], b"b1946ac92492d2347c6235b4d2611184  a\n"] {
            let mut reader = Reader::new(piped(list, true), Grammar::ANY);
            if !list.is_empty() {
                assert_eq!(reader.next_line().unwrap().unwrap().entry.unwrap().name, b"a");
            }
            assert_eq!(reader.next_line().unwrap_err().to_string(), "the pipe broke");
        }
    }
}
