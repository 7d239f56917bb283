//! Reading a record: line by line, each of them checked.
//!
//! ```text
//! whole record           head  provider* loop* open* cold* told* series* ratio* cost* files*  end
//! part of a record       head  begun  ( lines of a step  done | resumed )*
//! ```
//!
//! The form follows from the second line: `begun` makes a part. Of a part the steps with a `done`
//! count. Of a whole record that lost its end, the last group goes: some of its series may be
//! missing.
//!
//! A line has 64 MiB at most, so that a file without line ends does not fill the memory.

use std::fs::File;
use std::io::{BufRead, Read};
use std::path::Path;

use super::{Done, Entry, Line, Record, RecordError, SCHEMA, Unfinished, printable, zstd};

impl Record {
    /// Reads a whole record; one that is cut short is an error, not a shorter record.
    ///
    /// # Errors
    /// [`RecordError`]: the file cannot be read, is malformed, is cut short, or has another schema.
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        let read = as_far_as_it_goes(path)?;
        match read.record.unfinished {
            Some(_) => Err(read.truncated(path)),
            None => Ok(read.record),
        }
    }

    /// Reads a record as far as it goes: of one whose run was stopped, or that has lost its end,
    /// the groups that are whole; [`Record::unfinished`] says how many.
    ///
    /// # Errors
    /// [`RecordError`]: the file cannot be read, is malformed before its end, or has another
    /// schema.
    pub fn read_as_far_as_it_goes(path: &Path) -> Result<Self, RecordError> {
        as_far_as_it_goes(path).map(|read| read.record)
    }
}

/// A record and how far it goes.
pub(super) struct Found {
    pub(super) record: Record,
    pub(super) done: Done,
    /// Lines that are whole.
    number: usize,
    /// Bytes up to the end of the last step that is done, if it is the part of a record.
    pub(super) bytes: Option<u64>,
}

impl Found {
    fn truncated(&self, path: &Path) -> RecordError {
        RecordError::Truncated {
            path: path.display().to_string(),
            number: self.number,
            series: self.record.series(),
        }
    }
}

/// [`Record::read_as_far_as_it_goes`], and how far that is.
pub(super) fn as_far_as_it_goes(path: &Path) -> Result<Found, RecordError> {
    let name = path.display().to_string();
    let io = |source| RecordError::Io { action: "read", path: name.clone(), source };
    let mut reader = Reader { path: name.clone(), ..Reader::default() };
    let mut file = zstd::reader(path, File::open(path).map_err(io)?).map_err(io)?;
    if !may_begin_a_record(file.fill_buf().map_err(io)?) {
        return Err(reader.malformed(format!("expected a record, which begins {BEGIN}\"head\"")));
    }
    let mut line = Vec::new();
    while next(&mut file, &mut line).map_err(io)? {
        // Only the last line of a file may be torn. Before others a wrong line is an error.
        // A line that is torn is no line.
        if reader.is_torn(&line) && file.fill_buf().map_err(io)?.is_empty() {
            break;
        }
        if let Some(end) = reader.take(&line)? {
            let more = next(&mut file, &mut line).map_err(io)?;
            return if more {
                Err(reader.malformed(AFTER_THE_END.to_owned()))
            } else {
                reader.close(end)
            };
        }
    }
    reader.without_end()
}

/// How every record begins.
const BEGIN: &str = "{\"line\":";

/// Whether a file of which these are the first bytes may be a record, or a part of one.
pub(crate) fn may_begin_a_record(bytes: &[u8]) -> bool {
    let begin = BEGIN.as_bytes();
    bytes.starts_with(begin) || begin.starts_with(bytes)
}

/// Reads the next line with its end, or one byte more than [`LONGEST_LINE`] of it; false at the
/// end of the file.
fn next(file: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<bool> {
    line.clear();
    Ok(file.take(LONGEST_LINE + 1).read_until(b'\n', line)? > 0)
}

/// In bytes: room for a million samples.
const LONGEST_LINE: u64 = 64 << 20;

const AFTER_THE_END: &str =
    "expected nothing after the closing line, as where two records stand in one file";

/// Takes a record line by line.
#[derive(Default)]
struct Reader {
    path: String,
    record: Option<Record>,
    /// Of the part of a record: how many groups it is to have.
    groups: Option<usize>,
    done: Done,
    /// Of a part: lines of the step that is not done yet.
    pending: Vec<Line>,
    number: usize,
    bytes: u64,
    /// Up to the last step that is done.
    whole: u64,
}

/// What the closing line says.
struct End {
    series: usize,
    unfinished: Option<Unfinished>,
}

impl Reader {
    /// Whether this is no whole line, as the last one of a file may be whose writer was killed. The
    /// closing line needs no end.
    fn is_torn(&self, line: &[u8]) -> bool {
        !line.ends_with(b"\n") && !matches!(serde_json::from_slice(line), Ok(Line::End { .. }))
    }

    /// Takes a line; the closing one gives what it promises.
    fn take(&mut self, line: &[u8]) -> Result<Option<End>, RecordError> {
        let parsed = self.parse(line)?;
        self.number += 1;
        self.bytes += line.len() as u64;
        let Some(record) = &mut self.record else {
            self.record = match parsed {
                Line::Head(head) => Some(Record::of(*head)),
                _ => None,
            };
            return Ok(None);
        };
        match parsed {
            Line::End { series, unfinished } => return Ok(Some(End { series, unfinished })),
            Line::Begun { groups } => self.groups = Some(groups),
            Line::Done { step } => {
                let pending = std::mem::take(&mut self.pending);
                record.commit(&mut self.done, step, pending);
            }
            // It is whole by itself, and belongs to no step.
            Line::Resumed(_) => record.take(parsed),
            line if self.groups.is_some() => {
                self.pending.push(line);
                return Ok(None);
            }
            line => record.take(line),
        }
        self.whole = self.bytes;
        Ok(None)
    }

    /// A line that is right by itself and in its place.
    fn parse(&self, line: &[u8]) -> Result<Line, RecordError> {
        if line.len() as u64 > LONGEST_LINE {
            return Err(self.malformed(format!("expected lines of at most {LONGEST_LINE} bytes")));
        }
        let mut parsed = serde_json::from_slice(&printable::json(line))
            .map_err(|error| self.malformed(error.to_string()))?;
        match &mut parsed {
            // The schema comes first: the lines behind this head may have another form.
            Line::Head(head) if head.schema != SCHEMA => {
                return Err(RecordError::Schema { path: self.path.clone(), found: head.schema });
            }
            Line::Head(_) if self.record.is_some() => {
                return Err(self.malformed("a second head".to_owned()));
            }
            // A study does not write its name: it is the name of a file.
            Line::Head(head) => head.study.name.clone_from(&head.name),
            _ if self.record.is_none() => {
                return Err(self.malformed("expected the head first".to_owned()));
            }
            Line::Begun { .. } if self.number != 1 => {
                return Err(self.malformed("expected this behind the head".to_owned()));
            }
            Line::Done { .. } | Line::Resumed(_) if self.groups.is_none() => {
                return Err(self.malformed("expected this in the part of a record".to_owned()));
            }
            Line::End { .. } if self.groups.is_some() => {
                return Err(self.malformed("expected no end in the part of a record".to_owned()));
            }
            _ => {}
        }
        parsed.check().map_err(|message| self.malformed(message))?;
        Ok(parsed)
    }

    fn close(self, end: End) -> Result<Found, RecordError> {
        let Some(mut record) = self.record else { return Err(self.no_head()) };
        let series = record.series();
        // A line may be lost within a file, as by a careless editor.
        if series != end.series {
            let message = format!("{series} series stand before an end that counts {}", end.series);
            return Err(RecordError::Malformed { path: self.path, number: self.number, message });
        }
        record.unfinished = end.unfinished;
        Ok(Found { record, done: self.done, number: self.number, bytes: None })
    }

    /// What there is of a record without its closing line. Where no line says which groups are
    /// whole, the last one may lack some of its series.
    fn without_end(self) -> Result<Found, RecordError> {
        let Some(mut record) = self.record else { return Err(self.no_head()) };
        let groups = match self.groups {
            Some(_) => self.done.groups(),
            None => {
                if let Some(last) = record.entries.pop() {
                    let is_of_last = |entry: &Entry| {
                        entry.algorithm == last.algorithm && entry.size == last.size
                    };
                    record.entries.retain(|entry| !is_of_last(entry));
                }
                let alike = |a: &Entry, b: &Entry| a.algorithm == b.algorithm && a.size == b.size;
                record.entries.chunk_by(alike).count()
            }
        };
        record.unfinished = Some(Unfinished { groups, of: self.groups });
        let bytes = self.groups.map(|_| self.whole);
        Ok(Found { record, done: self.done, number: self.number, bytes })
    }

    fn no_head(self) -> RecordError {
        RecordError::Truncated { path: self.path, number: self.number, series: 0 }
    }

    fn malformed(&self, message: String) -> RecordError {
        RecordError::Malformed { path: self.path.clone(), number: self.number + 1, message }
    }
}

impl Record {
    /// How many series it has, those of files among them.
    pub(super) fn series(&self) -> usize {
        self.entries.len() + self.files.count()
    }
}
