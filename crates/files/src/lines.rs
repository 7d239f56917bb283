//! A digest for each line of a file: many short messages at the speed of the lanes.
//!
//! ```text
//! source -> Pieces: 1 MiB or more, cut behind the end of a line -> a thread hashes its lines
//!        -> rows in the order of the lines: DIGEST <TAB> DIGEST <TAB> LINE
//! ```
//!
//! No line is cut in two: the begin of one whose end was not read yet is carried into the next
//! piece. An error leaves the rows of all lines before it in the output.

use std::fmt;
use std::io::{self, Read, Write};

use data_encoding::{BASE64, Encoding, HEXLOWER};
use serde_json::{Map, Value};

use crate::list::json::put_name;
use crate::read::method::Method;
use crate::read::ordered::ordered;

/// What of each line is hashed, and how its digests are written.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The byte that ends a line. It is not hashed.
    pub end: u8,
    /// A carriage return before that byte is not hashed, either.
    pub crlf: bool,
    /// The field that is hashed, counted from 0; by default the whole line.
    pub field: Option<usize>,
    /// What stands between the fields of a line, and between the columns that are written.
    pub delimiter: u8,
    /// The line is written after its digests.
    pub with_input: bool,
    /// How digests are written.
    pub style: Style,
}

/// How digests of lines are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Style {
    /// In hexadecimal, in columns.
    Hex,
    /// In Base64, in columns.
    Base64,
    /// As objects that name this file, and the line by its number.
    Json(Vec<u8>),
}

impl Default for Layout {
    fn default() -> Self {
        let (field, style) = (None, Style::Hex);
        Self { end: b'\n', crlf: false, field, delimiter: b'\t', with_input: false, style }
    }
}

/// Why lines have no digests.
#[derive(Debug)]
pub enum LinesError {
    /// The file cannot be read.
    Read(io::Error),
    /// The digests cannot be written.
    Write(io::Error),
    /// A line lacks the field that is to be hashed. Digests of the lines before it are written.
    MissingField {
        /// The number of the line; 1 is the first.
        line: u64,
        /// How many fields it has.
        fields: usize,
    },
}

impl fmt::Display for LinesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) | Self::Write(error) => error.fmt(f),
            Self::MissingField { line, fields: 1 } => write!(f, "line {line} has 1 field only"),
            Self::MissingField { line, fields } => {
                write!(f, "line {line} has {fields} fields only")
            }
        }
    }
}

impl std::error::Error for LinesError {}

/// How much is read, and hashed by one thread, at a time.
const PIECE: usize = 1 << 20;

/// Writes the digests of each line of `source` as a line. A line may be as long as memory is.
///
/// # Errors
/// [`LinesError`]: `source` cannot be read, `out` cannot be written, or a line lacks the field.
///
/// # Panics
/// If a digest is made of parts, or not [`Method::usable`].
pub fn sum_lines(
    source: impl Read,
    digests: &[Method],
    layout: &Layout,
    threads: usize,
    out: &mut dyn Write,
) -> Result<(), LinesError> {
    let is_numbered = layout.field.is_some() || matches!(layout.style, Style::Json(_));
    let pieces = Pieces { source, layout, is_numbered, carried: Vec::new(), lines: 0, over: false };
    let mut state = (pieces, out);
    ordered(
        threads,
        &mut state,
        |(pieces, _)| pieces.next().map_err(LinesError::Read),
        |piece| hashed(&piece, digests, layout),
        |(_, out), (text, missing)| {
            out.write_all(&text).map_err(LinesError::Write)?;
            missing.map_or(Ok(()), Err)
        },
    )?;
    state.1.flush().map_err(LinesError::Write)
}

/// Runs of whole lines.
struct Pieces<'a, R> {
    source: R,
    layout: &'a Layout,
    /// Lines are counted.
    is_numbered: bool,
    /// The begin of a line whose end was not read yet.
    carried: Vec<u8>,
    /// Lines that were given out, if they are counted.
    lines: u64,
    /// The source is at its end.
    over: bool,
}

/// Whole lines, the last perhaps without its end.
struct Piece {
    text: Vec<u8>,
    /// How many lines come before these, if they are counted.
    before: u64,
}

impl<R: Read> Pieces<'_, R> {
    fn next(&mut self) -> io::Result<Option<Piece>> {
        let end = self.layout.end;
        let mut text = std::mem::take(&mut self.carried);
        while !self.over {
            // Bytes that were searched for an end are not searched again, however long a line is.
            let searched = text.len();
            self.over = (&mut self.source).take(PIECE as u64).read_to_end(&mut text)? == 0;
            if let Some(last) = text[searched..].iter().rposition(|&byte| byte == end) {
                self.carried = text.split_off(searched + last + 1);
                break;
            }
        }
        let before = self.lines;
        // To count is one more pass over all bytes. Only fields and JSON name lines by number.
        if self.is_numbered {
            self.lines += text.iter().filter(|&&byte| byte == end).count() as u64;
        }
        Ok(Some(Piece { text, before }).filter(|piece| !piece.text.is_empty()))
    }
}

/// The digests of a piece's lines, up to one that lacks its field.
fn hashed(piece: &Piece, digests: &[Method], layout: &Layout) -> (Vec<u8>, Option<LinesError>) {
    // An end of a line begins no further line: `a\n` is one line, `a\n\n` are two.
    let whole = piece.text.strip_suffix(&[layout.end]).unwrap_or(&piece.text);
    let mut lines: Vec<_> =
        whole.split(|&byte| byte == layout.end).map(|line| layout.cut(line)).collect();
    let (mut messages, mut missing) = (lines.clone(), None);
    if let Some(field) = layout.field {
        messages = lines.iter().map_while(|&line| layout.fields(line).nth(field)).collect();
        if let Some(line) = lines.get(messages.len()) {
            let (line, fields) =
                (piece.before + 1 + messages.len() as u64, layout.fields(line).count());
            missing = Some(LinesError::MissingField { line, fields });
            lines.truncate(messages.len());
        }
    }
    let column = |digest: &Method| digest.many(&messages).expect("a line has no parts");
    let columns: Vec<_> = digests.iter().map(column).collect();
    let width: usize = digests.iter().map(|digest| 2 * digest.output_len + 1).sum();
    let mut text = Vec::with_capacity(lines.len() * width);
    for (at, line) in lines.iter().enumerate() {
        let values = digests.iter().zip(&columns).map(|(digest, column)| {
            (digest.name, &column[at * digest.output_len..][..digest.output_len])
        });
        let input = Some(*line).filter(|_| layout.with_input);
        match &layout.style {
            Style::Hex => layout.row(&mut text, &HEXLOWER, values, input),
            Style::Base64 => layout.row(&mut text, &BASE64, values, input),
            Style::Json(name) => {
                text.extend(object(name, piece.before + 1 + at as u64, values, input).into_bytes());
                text.push(layout.end);
            }
        }
    }
    (text, missing)
}

impl Layout {
    /// A line without the carriage return before its end.
    fn cut<'a>(&self, line: &'a [u8]) -> &'a [u8] {
        line.strip_suffix(b"\r").filter(|_| self.crlf).unwrap_or(line)
    }

    fn fields<'a>(&self, line: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        let delimiter = self.delimiter;
        line.split(move |&byte| byte == delimiter)
    }

    fn row<'a>(
        &self,
        text: &mut Vec<u8>,
        encoding: &Encoding,
        values: impl Iterator<Item = (&'static str, &'a [u8])>,
        input: Option<&[u8]>,
    ) {
        for (_, value) in values {
            let start = text.len();
            text.resize(start + encoding.encode_len(value.len()), 0);
            encoding.encode_mut(value, &mut text[start..]);
            text.push(self.delimiter);
        }
        match input {
            Some(input) => text.extend(input.iter().chain(&[self.end])),
            None => *text.last_mut().expect("there is at least one digest") = self.end,
        }
    }
}

fn object<'a>(
    name: &[u8],
    line: u64,
    values: impl Iterator<Item = (&'static str, &'a [u8])>,
    input: Option<&[u8]>,
) -> String {
    let mut object = Map::new();
    put_name(&mut object, "name", name);
    object.insert("line".to_owned(), line.into());
    let values = values.map(|(digest, value)| (digest.to_owned(), HEXLOWER.encode(value).into()));
    object.insert("digests".to_owned(), Value::Object(values.collect()));
    input.into_iter().for_each(|input| put_name(&mut object, "input", input));
    Value::Object(object).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(text: &[u8], digests: &[&str], layout: &Layout) -> (String, Result<(), String>) {
        let digests: Vec<Method> =
            digests.iter().map(|name| hashdyno::find(name).unwrap().into()).collect();
        let mut out = Vec::new();
        let result = sum_lines(text, &digests, layout, 3, &mut out);
        (String::from_utf8(out).unwrap(), result.map_err(|error| error.to_string()))
    }

    #[test]
    fn each_line_has_its_digests() {
        let [md5, sha1] = ["md5", "sha1"].map(|name| hashdyno::find(name).unwrap());
        let lines: Vec<Vec<u8>> =
            (0..50_000usize).map(|i| i.to_string().repeat(i % 20).into_bytes()).collect();
        for last in [&b"\n"[..], b""] {
            let text = [lines.join(&b'\n'), last.to_vec()].concat();
            let row = |line: &Vec<u8>| format!("{}\t{}\n", md5.digest(line), sha1.digest(line));
            let expected = lines.iter().map(row).collect::<String>();
            assert_eq!(sums(&text, &["md5", "sha1"], &Layout::default()), (expected, Ok(())));
        }
        let (empty, layout) = ("d41d8cd98f00b204e9800998ecf8427e\n", Layout::default());
        assert_eq!(sums(b"", &["md5"], &layout).0, "");
        assert_eq!(sums(b"\n", &["md5"], &layout).0, empty);
        assert_eq!(sums(b"\n\n", &["md5"], &layout).0, empty.repeat(2));
    }

    #[test]
    fn a_field_is_hashed_and_its_line_stays_beside_the_digest() {
        let layout =
            Layout { field: Some(1), delimiter: b',', with_input: true, ..Layout::default() };
        let digest = hashdyno::crc32b(b"b");
        let (text, result) = sums(b"a,b,c\nd,b\n", &["crc32b"], &layout);
        assert_eq!(text, format!("{digest:08x},a,b,c\n{digest:08x},d,b\n"));
        result.unwrap();
        // Far enough that the line is in another piece than the first.
        let long = [b"a,b\n".repeat(1_000_000), b"a\na,b\n".to_vec()].concat();
        let (text, result) = sums(&long, &["crc32b"], &layout);
        assert_eq!(text, format!("{digest:08x},a,b\n").repeat(1_000_000));
        assert_eq!(result.unwrap_err(), "line 1000001 has 1 field only");
    }

    #[test]
    fn a_carriage_return_is_hashed_unless_lines_end_with_crlf() {
        let (plain, crlf) = (Layout::default(), Layout { crlf: true, ..Layout::default() });
        let [with, without] =
            [&b"a\r"[..], b"a"].map(|line| format!("{:08x}\n", hashdyno::crc32b(line)));
        assert_eq!(sums(b"a\r\n", &["crc32b"], &plain).0, with);
        assert_eq!(sums(b"a\r\na\n", &["crc32b"], &crlf).0, without.repeat(2));
    }

    #[test]
    fn objects_name_file_and_line() {
        let style = Style::Json(b"keys".to_vec());
        let layout = Layout { with_input: true, style, ..Layout::default() };
        let (text, _) = sums(b"a\n\xff\n", &["crc32b"], &layout);
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(
            lines[0],
            serde_json::json!({
                "name": "keys", "line": 1, "digests": {"crc32b": "e8b7be43"}, "input": "a"
            })
        );
        assert_eq!((&lines[1]["line"], &lines[1]["input_bytes"]), (&2.into(), &"ff".into()));
        let layout = Layout { style: Style::Base64, ..Layout::default() };
        assert_eq!(sums(b"a\n", &["crc32b"], &layout).0, "6Le+Qw==\n");
    }
}
