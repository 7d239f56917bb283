//! `hashdyno`: measures digests, checksums and ciphers; computes digests and checksums.
//!
//! ```text
//! a link named md5sum, b3sum ...   `tool` answers as that program, with its options and exit codes
//! hashdyno COMMAND                 `words`, then clap, then `commands`; `failure` reports errors
//! ```
//!
//! A command gives its exit code itself, or an error that `failure` turns into a message, a hint
//! and a code. clap ends the program with 2 for wrong arguments. `--help` shows the exit codes in
//! EXAMPLES, the man pages take them from EXIT_CODES: both texts must say the same.

mod chart;
mod commands;
mod failure;
mod nearest;
mod progress;
mod signals;
mod stdio;
mod tool;
mod unwritten;
mod words;

use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Measures digests, checksums and ciphers; computes digests and checksums.
#[derive(Parser)]
#[command(name = "hashdyno", version, propagate_version = true, after_long_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: commands::Command,
}

const EXAMPLES: &str = "Examples:
  hashdyno speed sha256 blake3           speed in every implementation found
  hashdyno speed md5 --provider hashdyno,php --cpu none --bytes 5,5k
  hashdyno study php-hash --quick        a published benchmark, in two minutes
  hashdyno compare before.jsonl after.jsonl
  hashdyno sum -r photos > photos.list   digests of files
  hashdyno check photos.list
  hashdyno copy card photos              a copy that is read back and compared
  hashdyno list                          algorithms

Exit codes:
  0  success
  1  a result is missing or void: a failed check, a wrong answer; or a cell is
     as `compare --fail-on` names it
  2  wrong input: an unknown name, a malformed file
  3  input/output error, or no way to measure on this machine
  129, 130, 143  ended by SIGHUP, SIGINT (Ctrl-C), SIGTERM";

/// What every command but `mask` gives; the man pages repeat it.
const EXIT_CODES: &str = "Exit codes:
  0  success
  1  a result is missing or void: a failed check, a wrong answer; or a cell is
     as `compare --fail-on` names it
  2  wrong input: an unknown name, a malformed file
  3  input/output error, or no way to measure on this machine
  129, 130, 143  ended by SIGHUP, SIGINT (Ctrl-C), SIGTERM";

fn main() -> ExitCode {
    if let Some(code) = tool::called_by_name() {
        return code;
    }
    let arguments = Arguments::try_parse_from(words::translated(std::env::args_os()));
    let arguments = arguments.unwrap_or_else(|error| helped(error).exit());
    match arguments.command.run() {
        Ok(code) => code,
        Err(error) => failure::report(&error),
    }
}

/// The error with a tip where the name of an algorithm stands in place of a command.
fn helped(mut error: clap::Error) -> clap::Error {
    let tip = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(name)) if error.kind() == ErrorKind::InvalidSubcommand => {
            tip(name)
        }
        _ => None,
    };
    if let Some(tip) = tip {
        // clap would suggest the command whose name looks like the algorithm's.
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

fn tip(name: &str) -> Option<String> {
    let digest = name.strip_suffix("sum").unwrap_or(name);
    match (files::algorithm::method(digest), name) {
        (_, "version") => Some("`hashdyno --version` prints the version".to_owned()),
        (None, _) => None,
        (Some(_), _) => Some(format!("to compute it: hashdyno sum -a {digest} FILE")),
    }
}
