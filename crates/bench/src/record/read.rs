//! Reading a record: line by line, each of them checked.

use std::fs::File;
use std::io::{BufRead, Read};
use std::path::Path;

use super::{
    Cold, Entry, Head, Kept, Line, Loop, ProviderLine, Record, RecordError, SCHEMA, files, zstd,
};

impl Record {
    /// Reads a whole record; one that is cut short is an error, not a shorter record.
    ///
    /// # Errors
    /// [`RecordError`]: the file cannot be read, is malformed, is cut short, or has another schema.
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        let name = path.display().to_string();
        let io = |source| RecordError::Io { action: "read", path: name.clone(), source };
        let mut reader = Reader { path: name.clone(), ..Reader::default() };
        let mut file = zstd::reader(path, File::open(path).map_err(io)?).map_err(io)?;
        if !may_begin_a_record(file.fill_buf().map_err(io)?) {
            return Err(
                reader.malformed(format!("expected a record, which begins {BEGIN}\"head\""))
            );
        }
        let mut line = Vec::new();
        while next(&mut file, &mut line).map_err(io)? {
            if let Some(series) = reader.take(&line)? {
                let more = next(&mut file, &mut line).map_err(io)?;
                return if more {
                    Err(reader.malformed(AFTER_THE_END.to_owned()))
                } else {
                    reader.close(series)
                };
            }
        }
        Err(reader.truncated())
    }
}

/// How every record begins.
const BEGIN: &str = "{\"line\":";

/// Whether a file of which these are the first bytes may be a record, or a part of one.
pub(crate) fn may_begin_a_record(bytes: &[u8]) -> bool {
    let begin = BEGIN.as_bytes();
    bytes.starts_with(begin) || begin.starts_with(bytes)
}

/// Reads the next line without its end, or one byte more than [`LONGEST_LINE`] of it; false at the
/// end of the file.
fn next(file: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<bool> {
    line.clear();
    let count = file.take(LONGEST_LINE + 1).read_until(b'\n', line)?;
    line.pop_if(|last| *last == b'\n');
    Ok(count > 0)
}

/// In bytes: room for a million samples.
const LONGEST_LINE: u64 = 64 << 20;

const AFTER_THE_END: &str =
    "expected nothing after the closing line, as where two records stand in one file";

/// Takes a record line by line.
#[derive(Default)]
struct Reader {
    path: String,
    head: Option<Head>,
    providers: Vec<ProviderLine>,
    loops: Vec<Loop>,
    opens: Vec<Loop>,
    cold: Vec<Cold>,
    entries: Vec<Entry>,
    kept: Kept,
    files: files::Measured,
    number: usize,
}

impl Reader {
    /// Takes a line; the closing one gives the number of series that it promises.
    fn take(&mut self, line: &[u8]) -> Result<Option<usize>, RecordError> {
        let parsed = self.parse(line)?;
        self.number += 1;
        match parsed {
            Line::Head(head) => self.head = Some(*head),
            Line::Provider(provider) => self.providers.push(provider),
            Line::Loop(bare) => self.loops.push(*bare),
            Line::Open(open) => self.opens.push(*open),
            Line::Cold(cold) => self.cold.push(cold),
            Line::Series(entry) => self.entries.push(*entry),
            Line::Ratio(kept) => self.kept.take_ratio(*kept),
            Line::Cost(kept) => self.kept.take_cost(*kept),
            Line::Files(line) => self.files.take(line),
            Line::End { series } => return Ok(Some(series)),
        }
        Ok(None)
    }

    /// A line that is right by itself and in its place.
    fn parse(&self, line: &[u8]) -> Result<Line, RecordError> {
        if line.len() as u64 > LONGEST_LINE {
            return Err(self.malformed(format!("expected lines of at most {LONGEST_LINE} bytes")));
        }
        let mut parsed = serde_json::from_slice(line).map_err(|error| match error.is_eof() {
            true => self.truncated(),
            false => self.malformed(error.to_string()),
        })?;
        match &mut parsed {
            Line::Head(head) if head.schema != SCHEMA => {
                return Err(RecordError::Schema { path: self.path.clone(), found: head.schema });
            }
            Line::Head(_) if self.head.is_some() => {
                return Err(self.malformed("a second head".to_owned()));
            }
            Line::Head(head) => head.study.name.clone_from(&head.name),
            _ if self.head.is_none() => {
                return Err(self.malformed("expected the head first".to_owned()));
            }
            _ => {}
        }
        parsed.check().map_err(|message| self.malformed(message))?;
        Ok(parsed)
    }

    fn close(self, series: usize) -> Result<Record, RecordError> {
        if self.series() != series {
            return Err(self.malformed(format!(
                "{} series stand before an end that counts {series}",
                self.series()
            )));
        }
        let Self { head, providers, loops, opens, cold, entries, kept, files, .. } = self;
        Ok(Record {
            head: head.expect("no other line is taken before the head"),
            providers,
            loops,
            opens,
            cold,
            entries,
            kept,
            files,
        })
    }

    fn series(&self) -> usize {
        self.entries.len() + self.files.count()
    }

    fn malformed(&self, message: String) -> RecordError {
        RecordError::Malformed { path: self.path.clone(), number: self.number + 1, message }
    }

    fn truncated(&self) -> RecordError {
        RecordError::Truncated {
            path: self.path.clone(),
            number: self.number,
            series: self.series(),
        }
    }
}
