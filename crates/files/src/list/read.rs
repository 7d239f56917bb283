//! A list read line by line in whatever dialect it is; memory does not grow with it.
//!
//! ```text
//! the list's name      x.sfv -> SFV    manifest-md5.txt -> BagIt
//! its first bytes      <?xml or <hashlist -> MHL    all entries end with NUL -> Zero
//! a line               {...} -> JSON    %%%% HASHDEEP-1.0 -> hashdeep, from there on
//!                      else the lines of `line`, and SFV where nothing else fits
//! ```

use std::io::{self, BufRead, BufReader, Read};

use super::entry::Entry;
use super::format::Format;
use super::line::{Grammar, LINE_LIMIT, sfv};
use super::window::{WINDOW, Window};
use super::{algorithm, bagit, hashdeep, json, mhl};
use crate::read::method::Method;

/// Reads a list.
pub struct Reader<R> {
    source: BufReader<Window<R>>,
    grammar: Grammar,
    dialect: Dialect,
    /// Which of two ways to write a name the lines so far have.
    reversed: Option<bool>,
    number: u64,
    line: Vec<u8>,
    started: bool,
    note: Option<Note>,
    format: Option<Format>,
}

/// A line that is neither blank nor a comment.
#[derive(Debug, PartialEq)]
pub struct ListLine {
    /// Counted from 1.
    pub number: u64,
    /// What it says; `None` if it is no line of a list.
    pub entry: Option<Entry>,
}

/// What is to be told of a list as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// It begins with the byte order mark of UTF-8, which was skipped.
    ByteOrderMark,
    /// It is UTF-16: nothing of it was read.
    Utf16,
}

/// How the lines are to be read.
#[derive(Clone, Debug)]
enum Dialect {
    /// GNU's, BSD's, OpenSSL's lines, JSON lines, and SFV's where nothing else fits.
    Lines,
    /// The same, each ended by NUL and without escapes.
    Zero,
    Sfv,
    Bagit(Method),
    /// With the digests of its columns, once it has said them.
    Hashdeep(Vec<Method>),
    /// MHL of either version: XML, not lines.
    Mhl(mhl::Xml),
}

impl<R: Read> Reader<R> {
    /// A reader of lines in that grammar.
    pub fn new(source: R, grammar: Grammar) -> Self {
        Self {
            source: BufReader::with_capacity(WINDOW, Window::new(source)),
            grammar,
            dialect: Dialect::Lines,
            reversed: None,
            number: 0,
            line: Vec::new(),
            started: false,
            note: None,
            format: None,
        }
    }

    /// A reader that heeds what the list's own name says of its dialect: `x.sfv`,
    /// `manifest-sha256.txt`.
    pub fn named(source: R, grammar: Grammar, name: &str) -> Self {
        let plain = grammar.exact || grammar.is_keyed();
        let mut reader = Self::new(source, grammar);
        if plain {
            return reader;
        }
        let name = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
        let bag = name
            .strip_prefix("tag")
            .unwrap_or(&name)
            .strip_prefix("manifest-")
            .and_then(|rest| rest.strip_suffix(".txt"));
        reader.dialect = match bag.and_then(algorithm::method) {
            Some(digest) => Dialect::Bagit(digest),
            None if name.ends_with(".sfv") => Dialect::Sfv,
            None => Dialect::Lines,
        };
        reader.grammar.least = algorithm::of_list_name(&name).map_or(0, |digest| digest.output_len);
        reader
    }

    /// What is to be told of the list; known once the first line was asked for.
    pub fn note(&self) -> Option<Note> {
        self.note
    }

    /// How the first entry is written, with whether lines end with NUL: an entry to come is best
    /// written like it.
    pub fn format(&self) -> Option<(Format, bool)> {
        self.format.map(|format| (format, matches!(self.dialect, Dialect::Zero)))
    }

    /// The next line that says something; `None` at the end.
    ///
    /// # Errors
    /// The list cannot be read.
    pub fn next_line(&mut self) -> io::Result<Option<ListLine>> {
        if !std::mem::replace(&mut self.started, true) {
            self.start()?;
        }
        if let Dialect::Mhl(xml) = &mut self.dialect {
            self.number += 1;
            self.format = Some(Format::Mhl(mhl::Version::Mhl));
            return Ok(xml.next(&mut self.source)?.map(|entry| self.line(entry)));
        }
        while let Some(whole) = self.take_line()? {
            self.number += 1;
            let line = std::mem::take(&mut self.line);
            let said = if whole { self.parse(&line) } else { Said::Entry(None) };
            if self.format.is_none() && matches!(said, Said::Entry(Some(_))) {
                self.format = Some(self.format_of(&line));
            }
            self.line = line;
            if let Said::Entry(entry) = said {
                return Ok(Some(self.line(entry)));
            }
        }
        Ok(None)
    }

    /// A line with its entry, unless that contradicts itself or lacks the digest that was asked
    /// for.
    fn line(&self, entry: Option<Entry>) -> ListLine {
        let entry = entry.and_then(Entry::consistent).filter(|entry| self.grammar.admits(entry));
        ListLine { number: self.number, entry }
    }

    /// Looks at the beginning of the list.
    fn start(&mut self) -> io::Result<()> {
        let window = self.source.fill_buf()?;
        if window.starts_with(b"\xff\xfe") || window.starts_with(b"\xfe\xff") {
            self.note = Some(Note::Utf16);
            return io::copy(&mut self.source, &mut io::sink()).map(drop);
        }
        if window.starts_with(b"\xef\xbb\xbf") {
            self.note = Some(Note::ByteOrderMark);
            self.source.consume(3);
        }
        let begins_as = |start: &[u8]| self.source.buffer().trim_ascii_start().starts_with(start);
        if !self.grammar.exact && (begins_as(b"<?xml") || begins_as(b"<hashlist")) {
            self.dialect = Dialect::Mhl(mhl::Xml::new());
        } else if !self.grammar.exact
            && matches!(self.dialect, Dialect::Lines)
            && self.ends_lines_with_nul()
        {
            self.dialect = Dialect::Zero;
        }
        Ok(())
    }

    /// Whether all that is in the window up to its last NUL is entries that end with one, and
    /// nothing but a cut entry follows.
    fn ends_lines_with_nul(&self) -> bool {
        let window = self.source.buffer();
        let Some(last) = window.iter().rposition(|&byte| byte == 0) else { return false };
        let cut = window.len() == WINDOW || last + 1 == window.len();
        cut && window[..last]
            .split(|&byte| byte == 0)
            .all(|line| self.raw_entry(line, &mut None).is_some())
    }

    /// Of a list with NULs: nothing is escaped.
    fn raw_entry(&self, line: &[u8], reversed: &mut Option<bool>) -> Option<Entry> {
        (!line.starts_with(b"\\")).then(|| self.grammar.entry(line, reversed)).flatten()
    }

    /// Reads a line into `self.line` without its end; `false` if it was longer than any line can
    /// be, `None` at the end.
    fn take_line(&mut self) -> io::Result<Option<bool>> {
        let end = if matches!(self.dialect, Dialect::Zero) { 0 } else { b'\n' };
        self.line.clear();
        let (mut any, mut whole) = (false, true);
        loop {
            let window = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                window => window?,
            };
            if window.is_empty() {
                return Ok(any.then_some(whole));
            }
            any = true;
            let at = window.iter().position(|&byte| byte == end);
            let piece = &window[..at.unwrap_or(window.len())];
            whole &= self.line.len() + piece.len() <= LINE_LIMIT;
            if whole {
                self.line.extend_from_slice(piece);
            }
            let taken = piece.len() + usize::from(at.is_some());
            self.source.consume(taken);
            if at.is_some() {
                return Ok(Some(whole));
            }
        }
    }

    fn format_of(&self, line: &[u8]) -> Format {
        match &self.dialect {
            Dialect::Sfv => Format::Sfv,
            Dialect::Bagit(_) => Format::Bagit,
            Dialect::Hashdeep(_) => Format::Hashdeep,
            Dialect::Mhl(_) => Format::Mhl(mhl::Version::Mhl),
            Dialect::Lines | Dialect::Zero if line.starts_with(b"{") => Format::Json,
            Dialect::Lines | Dialect::Zero => match self.reversed {
                Some(false) if names_its_digest(line) => Format::Oci,
                Some(true) => Format::Reversed,
                Some(false) => Format::Gnu {
                    binary: line
                        .split(|&byte| byte == b' ')
                        .nth(1)
                        .is_some_and(|rest| rest.starts_with(b"*")),
                },
                None if line.contains(&b'(') => Format::Tagged,
                None => Format::Sfv,
            },
        }
    }

    fn parse(&mut self, line: &[u8]) -> Said {
        if matches!(self.dialect, Dialect::Zero) {
            let mut reversed = self.reversed;
            let entry = self.raw_entry(line, &mut reversed);
            self.reversed = reversed;
            return Said::Entry(entry);
        }
        let comment = line.starts_with(b"#");
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if comment || line.is_empty() {
            return Said::Nothing;
        }
        if self.grammar.exact {
            return Said::Entry(self.grammar.entry(line, &mut self.reversed));
        }
        match &mut self.dialect {
            Dialect::Lines => self.any_line(line),
            Dialect::Zero | Dialect::Mhl(_) => unreachable!("handled above"),
            _ if line.starts_with(b";") => Said::Nothing,
            Dialect::Sfv => Said::Entry(sfv(line)),
            Dialect::Bagit(digest) => Said::Entry(bagit::entry(line, digest.clone())),
            Dialect::Hashdeep(columns) if line.starts_with(b"%%%%") => {
                columns.extend(hashdeep::columns(line).unwrap_or_default());
                Said::Nothing
            }
            Dialect::Hashdeep(columns) => {
                Said::Entry(hashdeep::entry(line, columns).filter(|entry| !entry.claims.is_empty()))
            }
        }
    }

    fn any_line(&mut self, line: &[u8]) -> Said {
        match line[0] {
            b';' => return Said::Nothing,
            b'{' => return Said::Entry(json::entry(line, |name| self.grammar.named(name))),
            b'%' if line == hashdeep::MAGIC => {
                self.dialect = Dialect::Hashdeep(Vec::new());
                return Said::Nothing;
            }
            _ => {}
        }
        let by_sfv = || sfv(line).filter(|entry| entry.claims[0].value.len() >= self.grammar.least);
        Said::Entry(self.grammar.entry(line, &mut self.reversed).or_else(by_sfv))
    }
}

/// Whether a line begins with `name:`, as container registries write digests.
fn names_its_digest(line: &[u8]) -> bool {
    let name = line.splitn(2, |&byte| byte == b':').next().and_then(|it| str::from_utf8(it).ok());
    line.contains(&b':') && name.is_some_and(|name| algorithm::by_name(name).is_some())
}

enum Said {
    Entry(Option<Entry>),
    Nothing,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::Algorithm;

    fn names(list: &[u8], name: &str) -> Vec<Option<String>> {
        let mut reader = Reader::named(list, Grammar::ANY, name);
        let mut names = Vec::new();
        while let Some(line) = reader.next_line().unwrap() {
            names.push(line.entry.map(|entry| String::from_utf8_lossy(&entry.name).into_owned()));
        }
        names
    }

    fn some(names: &[&str]) -> Vec<Option<String>> {
        names.iter().map(|name| Some((*name).to_owned())).collect()
    }

    #[test]
    fn ends_of_lines_and_marks() {
        let list = b"\xef\xbb\xbfb1946ac92492d2347c6235b4d2611184  a\r\n\r\n# \
            no\nb1946ac92492d2347c6235b4d2611184  b";
        assert_eq!(names(list, "L"), some(&["a", "b"]));
        let mut utf16 = Reader::new(&b"\xff\xfea\0"[..], Grammar::ANY);
        assert_eq!(utf16.next_line().unwrap(), None);
        assert_eq!(utf16.note(), Some(Note::Utf16));
    }

    #[test]
    fn nul_ends_lines_only_where_it_ends_all_of_them() {
        assert_eq!(
            names(
                b"b1946ac92492d2347c6235b4d2611184  a\nb\0b1946ac92492d2347c6235b4d2611184  \\c\0",
                "L"
            ),
            some(&["a\nb", "\\c"])
        );
        assert_eq!(names(b"b1946ac92492d2347c6235b4d2611184  a\0junk\n", "L"), [None]);
    }

    #[test]
    fn other_dialects() {
        assert_eq!(names(b"; comment\na b.txt 363A3020\n", "x"), some(&["a b.txt"]));
        assert_eq!(names(b"deadbeef 363A3020\n", "x.sfv"), some(&["deadbeef"]));
        assert_eq!(names(b"%a 363A3020\n", "x"), some(&["%a"]), "no hashdeep");
        let deep = b"%%%% HASHDEEP-1.0\n%%%% size,md5,filename\n## \
            x\n##\n6,b1946ac92492d2347c6235b4d2611184,a,b.txt\n";
        assert_eq!(names(deep, "x"), some(&["a,b.txt"]));
        assert_eq!(
            names(b"{\"name\":\"a\",\"digests\":{\"crc32b\":\"363a3020\"}}\n{}\n", "x"),
            [Some("a".to_owned()), None]
        );
        assert_eq!(
            names(b"b1946ac92492d2347c6235b4d2611184   data/x%0A\n", "manifest-md5.txt"),
            some(&["data/x\n"])
        );
    }

    #[test]
    fn a_list_says_how_its_first_entry_is_written() {
        const MD5: &str = "b1946ac92492d2347c6235b4d2611184";
        let format = |list: &str| {
            let mut reader = Reader::named(list.as_bytes(), Grammar::ANY, "x");
            reader.next_line().unwrap();
            reader.format()
        };
        let gnu = |binary| Format::Gnu { binary };
        for (line, expected) in [
            (format!("{MD5}  a"), gnu(false)),
            (format!("{MD5} *a"), gnu(true)),
            (format!("{MD5}  a:b"), gnu(false)),
            (format!("{MD5} a"), Format::Reversed),
            (format!("md5:{MD5}  a"), Format::Oci),
            (format!("MD5 (a) = {MD5}"), Format::Tagged),
            ("a 363A3020".to_owned(), Format::Sfv),
            (format!("{{\"name\":\"a\",\"digests\":{{\"md5\":\"{MD5}\"}}}}"), Format::Json),
        ] {
            assert_eq!(format(&format!("{line}\n")), Some((expected, false)), "{line}");
        }
        assert_eq!(format(&format!("{MD5}  a\0")), Some((gnu(false), true)));
        assert_eq!(format("nothing\n"), None);
    }

    #[test]
    fn a_line_without_end_is_not_kept() {
        let endless = io::repeat(b'a').take(50 << 20);
        let mut reader = Reader::new(
            endless,
            Grammar { algorithm: Algorithm::Any, exact: true, base64: false, least: 0 },
        );
        assert_eq!(reader.next_line().unwrap(), Some(ListLine { number: 1, entry: None }));
        assert!(reader.line.capacity() <= 4 * LINE_LIMIT);
    }
}
