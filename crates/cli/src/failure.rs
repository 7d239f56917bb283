//! What went wrong, what was expected, a hint, and the exit code.
//!
//! ```text
//! 0                success
//! 1    INCOMPLETE  a result is missing or void
//! 2    BAD_INPUT   a name, an option or a file is wrong: the hint says how to go on
//! 3    MACHINE     the system refused, or nothing can be measured here
//! 128+N            a signal ended the program; 141 (SIGPIPE) where the reader of stdout went away
//! ```
//!
//! An error stands on standard error as two lines, `error: ...` and `hint: ...`. A kind of error
//! that `classify` does not know is the system's: code 3, without a hint.

use std::process::ExitCode;

use anstyle::AnsiColor;
use bench::{ExecuteError, RecordError, StudyError};

use crate::signals::Signal;
use crate::stdio::message;

/// A result is missing or void.
pub const INCOMPLETE: u8 = 1;
/// The input is wrong.
pub const BAD_INPUT: u8 = 2;
/// Input or output failed, or nothing can be measured.
pub const MACHINE: u8 = 3;

/// Prints the error with its hint and gives the exit code that main's help defines.
pub fn report(error: &anyhow::Error) -> ExitCode {
    let (code, hint) = classify(error);
    let (red, cyan) = (AnsiColor::Red.on_default().bold(), AnsiColor::Cyan.on_default());
    message!("{red}error:{red:#} {}", chain(error));
    hint.iter().for_each(|hint| message!("{cyan}hint:{cyan:#} {hint}"));
    ExitCode::from(code)
}

/// The error and its causes, each once: many say their cause themselves.
fn chain(error: &anyhow::Error) -> String {
    error
        .chain()
        .map(ToString::to_string)
        .reduce(|said, cause| if said.contains(&cause) { said } else { format!("{said}: {cause}") })
        .unwrap_or_default()
}

/// Words for an error in the input, with a hint.
#[derive(Debug)]
pub struct BadInput {
    /// What was wrong and what was expected.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl BadInput {
    /// An error of these words.
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into() }
    }
}

impl std::fmt::Display for BadInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for BadInput {}

/// That a signal stopped a run before anything was measured.
#[derive(Debug)]
pub struct Stopped(pub Signal);

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "stopped by {} before anything was measured", self.0)
    }
}

impl std::error::Error for Stopped {}

fn classify(error: &anyhow::Error) -> (u8, Option<String>) {
    if let Some(bad) = error.downcast_ref::<BadInput>() {
        return (BAD_INPUT, Some(bad.hint.clone()));
    }
    if let Some(Stopped(signal)) = error.downcast_ref::<Stopped>() {
        return (signal.code(), None);
    }
    if let Some(error) = error.downcast_ref::<StudyError>() {
        return study(error);
    }
    if let Some(error) = error.downcast_ref::<RecordError>() {
        return record(error);
    }
    if let Some(error) = error.downcast_ref::<ExecuteError>() {
        return match error {
            ExecuteError::NobodyHas { .. } => (
                BAD_INPUT,
                Some(
                    "hashdyno has every digest and no cipher; openssl has most ciphers".to_owned(),
                ),
            ),
            ExecuteError::Stopped => (INCOMPLETE, None),
            ExecuteError::Record(error) => record(error),
            ExecuteError::Differs { .. } => (
                BAD_INPUT,
                Some("a run goes on where it began; without --resume a new one begins".to_owned()),
            ),
            ExecuteError::Files(_) => {
                (MACHINE, Some("--keep FOLDER puts the files elsewhere".to_owned()))
            }
            ExecuteError::Engine(_) => (
                MACHINE,
                Some("the engine pins itself to one core and reads the monotonic clock".to_owned()),
            ),
        };
    }
    if error.downcast_ref::<cpumask::MaskError>().is_some() {
        return (BAD_INPUT, Some("`hashdyno mask --list` shows features and presets".to_owned()));
    }
    if error.downcast_ref::<cpumask::Unavailable>().is_some() {
        return (MACHINE, Some(NO_MASK.to_owned()));
    }
    if error.downcast_ref::<bench::Incomparable>().is_some() {
        return (
            BAD_INPUT,
            Some("compare records of one machine, CPU mask, preset and payload file".to_owned()),
        );
    }
    (MACHINE, None)
}

/// What hides CPU features where nothing hides them from every program.
const NO_MASK: &str = "our own kernels: `hashdyno speed --cpu -avx2`; OpenSSL without AES and \
    PCLMULQDQ, with all its words: \
    OPENSSL_ia32cap=~0x200000200000000:~0x60000000000";

fn study(error: &StudyError) -> (u8, Option<String>) {
    match error {
        StudyError::Unknown { name, .. } => {
            (BAD_INPUT, Some(crate::nearest::study(name, "`hashdyno study --list` names all")))
        }
        StudyError::Unreadable { .. } => (MACHINE, None),
        StudyError::Malformed { .. } | StudyError::Names { .. } => {
            (BAD_INPUT, Some("docs/STUDY.md describes the file of a study".to_owned()))
        }
    }
}

fn record(error: &RecordError) -> (u8, Option<String>) {
    match error {
        RecordError::Io { .. } => (MACHINE, None),
        RecordError::Malformed { .. } => (
            BAD_INPUT,
            Some(
                "records are written by `hashdyno study` and `hashdyno speed --record`".to_owned(),
            ),
        ),
        RecordError::Truncated { .. } => (
            BAD_INPUT,
            Some("copy it again from where it was written, or repeat the run".to_owned()),
        ),
        RecordError::Taken { path } => (
            BAD_INPUT,
            Some(format!("`--resume {path}` goes on with a stopped run; or remove the file")),
        ),
        RecordError::Busy { .. } => (BAD_INPUT, Some("wait for its end, or stop it".to_owned())),
        RecordError::NoPart { .. } => {
            (BAD_INPUT, Some("a stopped run leaves a record that ends in .part".to_owned()))
        }
        RecordError::Schema { .. } => (
            BAD_INPUT,
            Some(
                "read it with the version of hashdyno that \
            wrote it"
                    .to_owned(),
            ),
        ),
    }
}
