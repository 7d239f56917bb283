//! Memory does not grow with the number of files, nor with the length of a list.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use files::check::{Options, check};
use files::list::Grammar;
use files::open::Root;
use files::sum::{Sources, sum};
use hashdyno::find;

const FOLDERS: usize = 50;
const FILES: usize = 1000;
const LINES: usize = 500_000;

/// What issue 5 allows, for this whole process.
const LIMIT_KIB: u64 = 64 << 10;

#[test]
fn fifty_thousand_files_fit_in_64_mib() {
    let folder = tempfile::tempdir().unwrap();
    plant(folder.path());
    let sources = Sources::new(vec![files::names::name(folder.path()).to_vec()], true);
    let (mut count, mut bytes) = (0, 0);
    sum(
        &Root::anywhere(),
        sources,
        &["md5", "sha256"].map(|name| find(name).unwrap().into()),
        2,
        |_, summed| {
            count += 1;
            bytes += summed?.entry.size.unwrap();
            io::Result::Ok(())
        },
    )
    .unwrap();
    assert_eq!((count, bytes), (FOLDERS * FILES, (FILES * (FOLDERS - 1) * FOLDERS / 2) as u64));
    assert!(peak_kib() < LIMIT_KIB, "{} KiB", peak_kib());
}

/// A file for each folder, as many bytes long as its number, under a thousand names: links are made
/// faster than files.
fn plant(root: &Path) {
    for folder in 0..FOLDERS {
        let inside = root.join(format!("{folder:02}"));
        fs::create_dir(&inside).unwrap();
        let first = inside.join("0000");
        fs::write(&first, vec![b'x'; folder]).unwrap();
        (1..FILES)
            .for_each(|file| fs::hard_link(&first, inside.join(format!("{file:04}"))).unwrap());
    }
}

#[test]
fn half_a_million_lines_fit_in_64_mib() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("there"), b"hello\n").unwrap();
    let root = Root::at(folder.path()).unwrap().confined(true);
    let options = options(2);
    let lines = Lines { number: 0, line: Vec::new(), at: 0 };
    let tally = check(&root, lines, b"list", &options, &mut io::sink(), &mut io::sink()).unwrap();
    assert_eq!((tally.entries, tally.matched), (LINES as u64, (LINES / 10) as u64));
    assert!(peak_kib() < LIMIT_KIB, "{} KiB", peak_kib());
}

#[test]
fn a_media_hash_list_fits_in_64_mib() {
    let root = Root::anywhere();
    let options = options(1);
    let start = b"<?xml version=\"1.0\"?><hashlist>";
    for (head, piece) in [
        (&b"<!--"[..], &b"endless comment "[..]),
        (b"<hash><file>", b"endless name "),
        (b"<hash><file>a</file>", b"<md5>b1946ac92492d2347c6235b4d2611184</md5>"),
        (b"<hash a=\"", b"endless attribute "),
        (b"", b"<a>"),
    ] {
        let endless = Repeated { piece, at: 0, left: 600 << 20 };
        let list = start.chain(head).chain(endless);
        let mut errors = Vec::new();
        let tally = check(&root, list, b"x.mhl", &options, &mut io::sink(), &mut errors).unwrap();
        assert!(tally.broken && !tally.holds(false));
        let errors = String::from_utf8(errors).unwrap();
        assert!(errors.contains("line 1: "), "{errors}");
    }
    assert!(peak_kib() < LIMIT_KIB, "{} KiB", peak_kib());
}

/// The same bytes again and again.
struct Repeated<'a> {
    piece: &'a [u8],
    at: usize,
    left: usize,
}

impl Read for Repeated<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = (&self.piece[self.at..]).take(self.left as u64).read(buffer)?;
        self.at = (self.at + read) % self.piece.len();
        self.left -= read;
        Ok(read)
    }
}

/// How lists are checked here: files that are not there are no failure.
fn options(threads: usize) -> Options {
    Options {
        program: "check".to_owned(),
        grammar: Grammar::ANY,
        strict: false,
        warn: false,
        quiet: false,
        status: false,
        ignore_missing: true,
        part_len: None,
        threads,
        style: files::verdict::Style::Text,
        totals: false,
    }
}

/// A list that is made while it is read: every tenth line names the file that is there.
struct Lines {
    number: usize,
    line: Vec<u8>,
    at: usize,
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.line.len() && self.number < LINES {
            let name = if self.number.is_multiple_of(10) {
                "there".to_owned()
            } else {
                format!("gone-{}", self.number)
            };
            self.line = format!("b1946ac92492d2347c6235b4d2611184  {name}\n").into_bytes();
            (self.number, self.at) = (self.number + 1, 0);
        }
        let read = (&self.line[self.at..]).read(buffer)?;
        self.at += read;
        Ok(read)
    }
}

/// The most memory that this process has had, in KiB.
fn peak_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_ascii_whitespace().nth(1).unwrap().parse().unwrap()
}
