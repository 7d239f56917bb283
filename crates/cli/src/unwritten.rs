//! Standard output that did not take everything.
//!
//! `sum`, `check` and `copy` end by this, as GNU's tools do: code 1 and `PROGRAM: write error:
//! REASON`, or 141 without a word after SIGPIPE. Other commands print by `output::print`, where a
//! reader that went away is no error.

use std::io::{self, Write};
use std::process::ExitCode;

use files::open::reason;

use crate::failure;
use crate::stdio::is_stdout_closed;

/// Says that standard output did not take everything, with the system's reason if that is `told`. A
/// reader that went away ends us as the signal would have.
pub fn unwritten(program: &str, error: &io::Error, told: bool) -> ExitCode {
    const KILLED_BY_SIGPIPE: u8 = 128 + 13;
    if error.kind() == io::ErrorKind::BrokenPipe {
        return ExitCode::from(KILLED_BY_SIGPIPE);
    }
    let reason = match told {
        _ if is_stdout_closed() => ": standard output is closed".to_owned(),
        true => format!(": {}", reason(error)),
        false => String::new(),
    };
    let _ = writeln!(io::stderr(), "{program}: write error{reason}");
    ExitCode::from(failure::INCOMPLETE)
}
