//! `sum --lines`: a digest for each line of a file.
//!
//! Lines of one file go to all threads and come out in order. With `--json`:
//! `{"digests":{"crc32b":"..."},"input":"2,bob","line":2,"name":"k.csv"}`. A line without the field
//! ends its file. Exit codes: 0; 1 a file that cannot be read, or a line without the field; 3 `-o`
//! cannot be written.

use std::io::BufWriter;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;

use files::lines::{Layout, LinesError, Style, sum_lines};
use files::method::Method;
use files::names::quoted;
use files::open::{Root, reason};
use files::skip::Skip;

use super::target::Target;
use super::unwritable;
use crate::failure;
use crate::progress::Bytes;
use crate::stdio::message;

/// What `sum --lines` is told.
#[derive(clap::Args)]
pub struct LineArguments {
    /// Print a digest for each line of the input. The newline is not hashed; a carriage return
    /// before it is, unless --crlf is given. Lines of several files follow each other; --json names
    /// file and line.
    #[arg(long, conflicts_with_all = ["format", "tag", "untagged", "recursive", "update"])]
    pub lines: bool,
    /// With --lines: print each line after its digests.
    #[arg(long, requires = "lines")]
    with_input: bool,
    /// With --lines: hash only this field of each line; 1 is the first. Quotes do not protect a
    /// delimiter.
    #[arg(long, value_name = "N", requires = "lines")]
    field: Option<NonZeroUsize>,
    /// With --lines: the character between fields, and between the columns that are printed
    /// [default: tab].
    #[arg(long, value_name = "CHARACTER", requires = "lines", value_parser = delimiter)]
    delimiter: Option<u8>,
    /// With --lines: lines end with CRLF, and the carriage return is not hashed.
    #[arg(long, requires = "lines", conflicts_with = "zero")]
    crlf: bool,
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        _ if text == "\\t" => Ok(b'\t'),
        [byte] if *byte != b'\n' => Ok(*byte),
        _ => Err("expected one ASCII character, such as ',' or '\\t'".to_owned()),
    }
}

/// How digests of lines are printed, besides what is of lines alone.
#[derive(Clone, Copy)]
pub struct Form<'a> {
    pub zero: bool,
    pub base64: bool,
    pub json: bool,
    pub output: Option<&'a Path>,
}

impl LineArguments {
    /// Prints the digests of the lines of each file.
    pub fn print(
        &self,
        paths: &[Vec<u8>],
        digests: &[Method],
        form: Form<'_>,
        threads: usize,
    ) -> ExitCode {
        let target = match Target::open(form.output, &Bytes::hidden(), &mut Skip::default()) {
            Ok(target) => target,
            Err(error) => return unwritable("hashdyno", form.output, &error),
        };
        let mut out = BufWriter::with_capacity(1 << 16, target);
        let mut failed = false;
        for path in paths {
            let layout = self.layout(path, form);
            let file = Root::anywhere().open(path).map_err(LinesError::Read);
            let result = file.and_then(|file| sum_lines(file, digests, &layout, threads, &mut out));
            match result {
                Ok(()) => {}
                Err(LinesError::Write(error)) => {
                    return unwritable("hashdyno", form.output, &error);
                }
                Err(LinesError::Read(error)) => {
                    failed = true;
                    message!("hashdyno: {}: {}", quoted(path), reason(&error));
                }
                Err(error @ LinesError::MissingField { .. }) => {
                    let field = self.field.map_or(0, usize::from);
                    failed = true;
                    message!("hashdyno: {}: {error}, expected field {field}", quoted(path));
                    message!("hint: --delimiter is what stands between fields; a tab by default");
                }
            }
        }
        let target = match out.into_inner() {
            // Rows would be missing: whoever joins them with the lines must not find the file.
            Ok(Target::List(..)) if failed => {
                message!("hashdyno: no digests were written");
                return ExitCode::from(failure::INCOMPLETE);
            }
            Ok(target) => target,
            Err(error) => return unwritable("hashdyno", form.output, error.error()),
        };
        match target.finish() {
            Err(error) => unwritable("hashdyno", form.output, &error),
            Ok(()) => ExitCode::from(if failed { failure::INCOMPLETE } else { 0 }),
        }
    }

    fn layout(&self, path: &[u8], form: Form<'_>) -> Layout {
        Layout {
            end: if form.zero { 0 } else { b'\n' },
            crlf: self.crlf,
            field: self.field.map(|field| field.get() - 1),
            delimiter: self.delimiter.unwrap_or(b'\t'),
            with_input: self.with_input,
            style: match form {
                Form { json: true, .. } => Style::Json(path.to_vec()),
                Form { base64: true, .. } => Style::Base64,
                _ => Style::Hex,
            },
        }
    }
}
