//! Lists that are read once more, beside their check.
//!
//! The progress bar wants the bytes to come. So a thread reads the lists as well, where a terminal
//! shows the bar. The check never depends on this thread.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;

use files::list::{Grammar, Reader};
use files::names;
use files::open::Root;

/// Opens a list once more. `None` where it is no regular file: each line of a pipe is read once,
/// and one that is read here would never be checked. The open of a named pipe without a writer
/// would never end.
pub fn reopened(list: &[u8]) -> Option<File> {
    let path = names::path(list);
    let is_regular = list != b"-" && path.metadata().is_ok_and(|there| there.is_file());
    if is_regular { File::open(path).ok() } else { None }
}

/// Lengths of the files that lists speak of, as far as they can be told without taking lines from
/// the check.
pub fn lengths(
    lists: Vec<OsString>,
    grammar: Grammar,
    root: impl Fn(&[u8]) -> io::Result<Root>,
) -> impl Iterator<Item = u64> {
    lists.into_iter().flat_map(move |list| {
        let list = list.as_bytes();
        let opened = reopened(list)
            .and_then(|file| Some((Reader::new(file, grammar.clone()), root(list).ok()?)));
        opened.into_iter().flat_map(|(mut reader, root)| {
            let lines = std::iter::from_fn(move || reader.next_line().ok().flatten());
            lines.filter_map(|line| line.entry).map(move |entry| root.size_hint(&entry.name))
        })
    })
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::os::fd::AsRawFd;

    use super::*;

    const LINE: &str = "b1946ac92492d2347c6235b4d2611184  /dev/null\n";

    fn count(list: &str) -> usize {
        let root = |_: &[u8]| Ok(Root::anywhere());
        lengths(vec![OsString::from(list)], Grammar::ANY, root).count()
    }

    #[test]
    fn a_pipe_keeps_its_lines_for_the_check() {
        let (mut reader, mut writer) = io::pipe().unwrap();
        writer.write_all(LINE.as_bytes()).unwrap();
        drop(writer);
        let list = format!("/dev/fd/{}", reader.as_raw_fd());
        assert_eq!(count(&list), 0);
        assert!(reopened(list.as_bytes()).is_none());
        let mut left = String::new();
        reader.read_to_string(&mut left).unwrap();
        assert_eq!(left, LINE);
    }

    #[test]
    fn a_regular_list_is_read_once_more() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list");
        std::fs::write(&list, LINE).unwrap();
        assert_eq!(count(list.to_str().unwrap()), 1);
        assert!(reopened(b"-").is_none());
    }
}
