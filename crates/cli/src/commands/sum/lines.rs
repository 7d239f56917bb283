//! `sum --lines`: a digest for each line of a file.

use std::fs::File;
use std::io::{self, Read};
use std::process::ExitCode;

use files::lines::sum_lines;
use files::method::Method;
use files::names::quoted;
use files::open::{Root, reason};

use crate::failure;
use crate::stdio::message;
use crate::unwritten::unwritten;

/// Prints the digests of the lines of each file.
pub fn lines(paths: &[Vec<u8>], end: u8, digests: &[Method], threads: usize) -> ExitCode {
    let mut out = io::stdout().lock();
    let mut failed = false;
    for path in paths {
        match Root::anywhere().open(path).and_then(Input::new) {
            Err(error) => {
                failed = true;
                message!("hashdyno: {}: {}", quoted(path), reason(&error));
            }
            Ok(mut input) => {
                let result = sum_lines(&mut input, end, digests, threads, &mut out);
                match (result, input.error.take()) {
                    (Err(_), Some(error)) => {
                        failed = true;
                        message!("hashdyno: {}: {}", quoted(path), reason(&error));
                    }
                    (Err(error), None) => return unwritten("hashdyno", &error, true),
                    (Ok(()), _) => {}
                }
            }
        }
    }
    ExitCode::from(if failed { failure::INCOMPLETE } else { 0 })
}

/// A file that remembers why it could not be read: an error of writing looks the same.
struct Input {
    file: File,
    error: Option<io::Error>,
}

impl Input {
    fn new(file: File) -> io::Result<Self> {
        Ok(Self { file, error: None })
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer).inspect_err(|error| {
            self.error = error.raw_os_error().map(io::Error::from_raw_os_error)
        })
    }
}
