//! `hashdyno`: the dynamometer for digests, checksums and ciphers.

mod chart;
mod commands;
mod failure;
mod openssl_words;
mod progress;
mod stdio;
mod tool;

use std::process::ExitCode;

use clap::Parser;

/// The dynamometer for digests, checksums and ciphers.
#[derive(Parser)]
#[command(name = "hashdyno", version, propagate_version = true, after_long_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: commands::Command,
}

const EXAMPLES: &str = "Examples:
  hashdyno study php-hash --quick        repeat a founding document on this machine, in under two minutes
  hashdyno speed sha256 blake3           how fast, by size, in every implementation found
  hashdyno speed md5 --provider ours,php --cpu none --bytes 5,5000
  hashdyno list                          digests, kernels, providers and CPU features
  hashdyno compare before.jsonl after.jsonl

Exit codes:
  0  all went well
  1  a result is missing or void: a runner failed, a wrong answer, a failed check
  2  the input is wrong: an unknown name, a malformed file, records that must not be compared
  3  the machine said no: a file that cannot be read or written, no way to measure";

fn main() -> ExitCode {
    if let Some(code) = tool::called_by_name() {
        return code;
    }
    let arguments = Arguments::parse_from(openssl_words::translated(std::env::args_os()));
    match arguments.command.run() {
        Ok(code) => code,
        Err(error) => failure::report(&error),
    }
}
