//! Errors of a runner, from the host's side. After all of them but `Refused` and `WrongAnswer` the
//! runner is dead, or was never there.
//!
//! ```text
//! before the greeting   Missing, Unmeasurable, System, WrongMagic, WrongVersion
//! at any question       Timeout, Died, Truncated, Malformed, System
//! the runner lives on   Refused, WrongAnswer
//! ```

use std::time::Duration;
use std::{io, process::ExitStatus};

/// What can go wrong with a runner. Whatever it is, there is no figure.
#[derive(Debug, thiserror::Error)]
pub enum RunnerError {
    /// The program is not on this machine.
    #[error("{program} is not on this machine\nhint: {hint}")]
    Missing {
        /// What was looked for.
        program: String,
        /// How to get it.
        hint: String,
    },
    /// It cannot be run as it was asked to be: under that mask, on that many cores.
    #[error("{reason}")]
    Unmeasurable {
        /// Why not.
        reason: String,
    },
    /// The program is there, and the system would not start it, or talk to it.
    #[error("{program} cannot be run: {source}")]
    System {
        /// What was started.
        program: String,
        /// The system's reason.
        source: io::Error,
    },
    /// The first line is not a runner's.
    #[error("this is not a runner: its first line is '{line}', expected 'runner 1 NAME VERSION'")]
    WrongMagic {
        /// The line it said instead.
        line: String,
    },
    /// A runner of another time.
    #[error("the runner speaks protocol version {version}, expected 1")]
    WrongVersion {
        /// The version it speaks.
        version: String,
    },
    /// No answer in time; the runner was killed.
    #[error("no answer to '{}' within {limit:.1?}", brief(.request))]
    Timeout {
        /// What it was asked.
        request: String,
        /// How long it had.
        limit: Duration,
    },
    /// The runner ended when it should not have.
    #[error("the runner ended at '{}' with {status}{}", brief(.request), said(.stderr))]
    Died {
        /// What it was asked.
        request: String,
        /// Its exit status or signal.
        status: ExitStatus,
        /// The end of what it wrote to stderr.
        stderr: String,
    },
    /// The output ended in the middle of a line.
    #[error("the answer to '{}' ends in the middle of the line: '{line}'", brief(.request))]
    Truncated {
        /// What it was asked.
        request: String,
        /// As much of the line as there was.
        line: String,
    },
    /// An answer that the protocol does not know.
    #[error("the answer to '{}' is '{}', expected {expected}", brief(.request), brief(.line))]
    Malformed {
        /// What it was asked.
        request: String,
        /// What it said.
        line: String,
        /// The form of a right answer.
        expected: &'static str,
    },
    /// The runner says that it cannot; it lives on.
    #[error("'{}' was refused: {}", brief(.request), brief(.words))]
    Refused {
        /// What it was asked.
        request: String,
        /// Its reason.
        words: String,
    },
    /// The digest is wrong, or is not the one it gave before timing.
    #[error("wrong answer to '{}': {answer}, expected {expected}", brief(.request))]
    WrongAnswer {
        /// What it was asked.
        request: String,
        /// Its digest, in hexadecimal.
        answer: String,
        /// The right one.
        expected: String,
    },
}

/// A line as an error shows it: one that gives a thousand lengths not to its end.
fn brief(line: &str) -> String {
    // By characters, because a cut between the bytes of one would panic.
    match line.char_indices().nth(300) {
        Some((end, _)) => format!("{} ...", &line[..end]),
        None => line.to_owned(),
    }
}

fn said(stderr: &str) -> String {
    if stderr.is_empty() { String::new() } else { format!(", and said: {stderr}") }
}
