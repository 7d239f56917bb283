//! Media hash lists, read as a stream: a `<hash>` at a time, and never more than 1 MiB.
//!
//! ```text
//! Xml::next    reads to the end of the next <hash>, whatever stands before and between
//! Hash         its children: name, size, time, digests; what lies deeper says nothing of the file
//! Counted      the source: counts lines for messages, bytes for the limit
//! ```
//!
//! Errors differ in reach. A `<hash>` that makes no sense is one improper entry. A list that is no
//! XML, or ends too early, is an error of the whole list: what is missing behind it nobody knows.

use std::io::{self, BufRead, Read};

use data_encoding::HEXLOWER_PERMISSIVE;
use hashdyno::find;
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

use crate::list::entry::{Claim, Entry};
use crate::list::line::LINE_LIMIT;
use crate::list::{algorithm, c4};

/// Where a reader of a list is.
#[derive(Clone, Debug)]
pub(in crate::list) struct Xml {
    /// The elements that are open, the outermost first.
    open: Vec<String>,
    /// The line, counted from 1.
    line: u64,
}

/// More open elements than any list has: the reader's memory must not grow with the list.
const DEEPEST: usize = 64;

impl Xml {
    /// At the beginning of a list.
    pub(in crate::list) fn new() -> Self {
        Self { open: Vec::new(), line: 1 }
    }

    /// The next `<hash>` of the list; `Some(None)` if it is no whole one, `None` at the end of the
    /// list.
    ///
    /// # Errors
    /// If the list cannot be read, is not well-formed XML, ends within an element, or a `<hash>` or
    /// anything beside one is longer than 1 MiB. The error names the line.
    pub(in crate::list) fn next(
        &mut self,
        source: &mut impl BufRead,
    ) -> io::Result<Option<Option<Entry>>> {
        let mut source = Counted { source, spent: 0, lines: 0 };
        let found = self.next_of(&mut source);
        self.line += source.lines;
        found.map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => invalid(&format!("line {}: {error}", self.line)),
            _ => error,
        })
    }

    fn next_of(&mut self, source: &mut Counted<impl BufRead>) -> io::Result<Option<Option<Entry>>> {
        let mut xml = Reader::from_reader(source);
        // The elements that are open are known here, where they outlive this call.
        xml.config_mut().check_end_names = false;
        xml.config_mut().allow_unmatched_ends = true;
        let (mut buffer, mut hash): (Vec<u8>, Option<Hash>) = (Vec::new(), None);
        loop {
            buffer.clear();
            // The limit is for a whole `<hash>`, and for each element, comment or text beside one.
            if hash.is_none() {
                xml.get_mut().spent = 0;
            }
            let event = xml.read_event_into(&mut buffer).map_err(|error| match error {
                quick_xml::Error::Io(error) => io::Error::new(error.kind(), error.to_string()),
                error => invalid(&error.to_string()),
            })?;
            match (event, &mut hash) {
                (Event::Eof, _) => {
                    return match self.open.last() {
                        None => Ok(None),
                        Some(element) => Err(invalid(&format!("the list ends within <{element}>"))),
                    };
                }
                (Event::Start(tag), hash) => {
                    well_formed(&tag)?;
                    match hash {
                        None if tag.local_name().as_ref() == "hash" => {
                            *hash = Some(Hash::new(self.open.len() + 1))
                        }
                        None => {}
                        Some(hash) => hash.open(&tag, self.open.len()),
                    }
                    self.enter(&tag)?;
                }
                // `<file/>` and `<md5/>` have no text, so they say nothing.
                (Event::Empty(tag), _) => well_formed(&tag)?,
                (Event::Text(text), Some(hash)) => hash.push(&text, self.open.len()),
                (Event::CData(text), Some(hash)) => hash.push(&text, self.open.len()),
                // An unknown reference in a name would otherwise be left out: another file's name.
                (Event::GeneralRef(reference), Some(hash)) => {
                    match unescape(&format!("&{};", &*reference)) {
                        Ok(text) => hash.push(&text, self.open.len()),
                        Err(_) => hash.broken = true,
                    }
                }
                (Event::End(tag), inside) => {
                    self.leave(tag.name().as_ref())?;
                    match inside {
                        // Its own end: by depth, as a `<hash>` within a `<hash>` ends with the same
                        // tag.
                        Some(open) if open.depth > self.open.len() => {
                            return Ok(Some(hash.take().and_then(Hash::entry)));
                        }
                        Some(open) => open.close(tag.local_name().as_ref(), self.open.len()),
                        None => {}
                    }
                }
                _ => {}
            }
        }
    }

    fn enter(&mut self, tag: &BytesStart) -> io::Result<()> {
        if self.open.len() == DEEPEST {
            return Err(invalid(&format!("more than {DEEPEST} elements within each other")));
        }
        self.open.push(tag.name().as_ref().to_owned());
        Ok(())
    }

    fn leave(&mut self, name: &str) -> io::Result<()> {
        match self.open.pop() {
            Some(open) if open == name => Ok(()),
            Some(open) => Err(invalid(&format!("</{name}> where </{open}> was expected"))),
            None => Err(invalid(&format!("</{name}> of an element that was not opened"))),
        }
    }
}

/// A tag whose attributes are none, such as `<a <b>`, is an error: quick-xml looks at them only
/// when it is asked for them.
fn well_formed(tag: &BytesStart) -> io::Result<()> {
    let wrong = |what: &str| invalid(&format!("<{}>: {what}", tag.name().as_ref()));
    tag.attributes().try_for_each(|attribute| match attribute {
        Ok(attribute) if attribute.value.contains('<') => Err(wrong("`<` in an attribute")),
        Ok(_) => Ok(()),
        Err(error) => Err(wrong(&error.to_string())),
    })
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// What a `<hash>` has said so far.
struct Hash {
    /// How many elements are open within it, itself among them.
    depth: usize,
    /// The text of the child that is open.
    text: String,
    entry: Entry,
    /// Whether the child that is open has elements of its own.
    nested: bool,
    /// It has said something that is no entry, whatever follows.
    broken: bool,
}

impl Hash {
    fn new(depth: usize) -> Self {
        Self { depth, text: String::new(), entry: Entry::default(), nested: false, broken: false }
    }

    /// Only its own children say something of the file: `open` elements are open around this one.
    fn open(&mut self, tag: &BytesStart, open: usize) {
        self.nested = open > self.depth;
        if self.nested {
            return;
        }
        self.text.clear();
        let is_path = tag.local_name().as_ref() == "path";
        for attribute in tag.attributes().flatten() {
            let value = &attribute.value;
            match attribute.key.local_name().as_ref() {
                "size" if is_path => self.size(value),
                "lastmodificationdate" if is_path => self.entry.modified = value.parse().ok(),
                // The file was not as an earlier generation says: this is no digest to trust.
                "action" if &**value == "failed" => self.broken = true,
                _ => {}
            }
        }
    }

    fn push(&mut self, text: &str, open: usize) {
        if open == self.depth + 1 {
            self.text.push_str(text);
        }
    }

    /// The element with that name has ended; `open` are open around it.
    fn close(&mut self, tag: &str, open: usize) {
        if open > self.depth {
            return;
        }
        let text = std::mem::take(&mut self.text);
        let nested = std::mem::take(&mut self.nested);
        match tag {
            "file" | "path" => self.entry.name = text.into_bytes(),
            "size" => self.size(text.trim()),
            "lastmodificationdate" => self.entry.modified = text.trim().parse().ok(),
            tag => match claim(tag, text.trim()) {
                Some(Some(claim)) => self.entry.claims.push(claim),
                Some(None) => self.broken = true,
                None => return,
            },
        }
        // A value or a name with elements in it, as `<md5>b1<x/>94</md5>`, is refused.
        self.broken |= nested;
    }

    fn size(&mut self, text: &str) {
        match text.parse() {
            Ok(size) => self.entry.size = Some(size),
            Err(_) => self.broken = true,
        }
    }

    fn entry(self) -> Option<Entry> {
        let Entry { name, claims, .. } = &self.entry;
        let whole = !self.broken && !name.is_empty() && !name.contains(&0) && !claims.is_empty();
        whole.then_some(self.entry)
    }
}

/// The claim of an element; `None` if the element is no digest, `Some(None)` if its text is no
/// value of the digest.
fn claim(tag: &str, text: &str) -> Option<Option<Claim>> {
    let hex = || HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok();
    let (name, value) = match tag {
        "md5" | "sha1" | "xxh32" | "xxh64" | "xxh3" | "xxh128" => (tag, hex()),
        "c4" => ("sha512", c4::decode(text).map(|value| value.to_vec())),
        "xxhash64be" => ("xxh64", hex()),
        // Written with the lowest byte first, unlike its sibling with `be`.
        "xxhash64" => ("xxh64", hex().map(|bytes| bytes.into_iter().rev().collect())),
        "xxhash" => ("xxh32", text.parse::<u32>().ok().map(|number| number.to_be_bytes().to_vec())),
        _ => return None,
    };
    let digest = find(name).expect("the registry has every digest of MHL");
    Some(value.and_then(|value| Claim::new(algorithm::alone(digest), &value)))
}

/// A source that ends with an error where an element is too long, and counts lines.
struct Counted<'a, R> {
    source: &'a mut R,
    /// Bytes since the beginning of what is read.
    spent: usize,
    lines: u64,
}

impl<R: BufRead> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.spent > LINE_LIMIT {
            return Err(invalid("an element or a comment longer than 1 MiB"));
        }
        self.source.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        if let Ok(window) = self.source.fill_buf() {
            self.lines += window[..count].iter().filter(|&&byte| byte == b'\n').count() as u64;
        }
        self.spent += count;
        self.source.consume(count);
    }
}
