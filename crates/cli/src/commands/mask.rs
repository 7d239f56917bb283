//! `hashdyno mask`: a program runs with CPU features hidden from it.
//!
//! The program inherits standard streams and terminal. Messages about gaps go to standard error:
//!
//! ```text
//! note: PROGRAM has a CPUID in shared memory: it sees the real CPU
//! error: ...                                                         with --strict, which ends it
//! ```
//!
//! The exit code is the program's, 128 and the signal's number, or one of the help's list: 2, 3,
//! 126, 127. A runner that is started under a mask relies on 127.

use std::ffi::OsString;
use std::io;
use std::ops::ControlFlow;
use std::process::{Command, ExitCode};

use anyhow::Context;
use bench::report::Grid;
use cpumask::{FEATURES, Gap, Mask, Mechanism, Outcome, PRESETS};
use serde_json::{Value, json};

use super::output::{self, LineFormat};
use crate::failure;
use crate::stdio::message;

/// What `mask` is told.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = ABOUT)]
pub struct Arguments {
    /// Features to hide, such as -aes,-vaes; or a preset (all, no-avx512, avx2, sse42, as-2008,
    /// scalar); or both: avx2,-sha.
    #[arg(allow_hyphen_values = true, required_unless_present = "list")]
    mask: Option<String>,
    /// The program and its arguments, after `--`.
    #[arg(last = true, required_unless_present = "list", value_name = "COMMAND")]
    command: Vec<OsString>,
    /// List features, presets and the mechanisms that work on this machine.
    #[arg(long, conflicts_with_all = ["mask", "command"])]
    list: bool,
    /// Print the list as JSON.
    #[arg(long, requires = "list")]
    json: bool,
    /// How the list is printed.
    #[arg(
        long,
        value_enum,
        default_value = "terminal",
        requires = "list",
        conflicts_with = "json"
    )]
    format: LineFormat,
    /// How CPUID is intercepted: faulting or patching [default: the first that works].
    #[arg(long, conflicts_with = "list")]
    mechanism: Option<Mechanism>,
    /// End the program with exit code 3 if a part of it may see the real CPU.
    #[arg(long)]
    strict: bool,
    /// Print at the end how many CPUID instructions were answered.
    #[arg(long)]
    verbose: bool,
}

const EXAMPLES: &str = "Examples:
  hashdyno mask -pclmulqdq -- php -r 'echo hash(\"crc32b\", \"abc\");'
  hashdyno mask scalar -- openssl speed -evp aes-128-gcm
  hashdyno mask --list";

const ABOUT: &str =
    "Any unmodified program runs as if the CPU had less: each CPUID that it or a child of it
executes is answered without the hidden features. Hiding a feature hides what builds on
it. Only CPUID and a few system calls become slow; the rest runs at full speed.

Mechanisms:
  faulting  the CPU is told to fault at CPUID (cpuid_fault in /proc/cpuinfo)
  patching  each CPUID in executable memory is overwritten, in copies that only this
            program has; any x86-64 Linux where ptrace is allowed

What glibc chooses for itself (memcpy) is masked with the rest.

What cannot be hidden:
  - XGETBV, /proc/cpuinfo, and what code compiled for one CPU uses anyway
  - 32-bit programs (--strict ends them); code that a 64-bit program maps by int 0x80
Under patching, besides:
  - a CPUID in shared memory (--strict ends the program)
  - doubtful bytes: they may be a CPUID or data, and are not overwritten (--strict ends
    the program, even if they are never executed)
  - a CPUID among data that no jump within 96 bytes before leads to; it is not noticed
  - a CPUID written into memory which was executed before, or which is shared; it is not
    noticed

What changes for the program:
  - each CPUID takes microseconds; it stops by SIGSEGV, which the program never gets
  - a CPUID executed while SIGSEGV is blocked unblocks it, if SIGSEGV has no handler
  - a CPUID executed while SIGSEGV is blocked or ignored resets its handler until it is
    answered, for less than a millisecond; if another thread faults in that time, the
    program dies
  - arch_prctl(ARCH_SET_CPUID) fails with ENODEV, as on a CPU without faulting
  - under patching, a program that checks its own code in memory finds it changed

Set-user-id programs run without that privilege; debuggers and strace do not work
inside. Children that outlive the program are waited for.

Exit codes: those of the program, 128 and the signal's number if a signal ended it;
  2  the mask is wrong
  3  CPU features cannot be hidden here, or --strict found where they are not
  126, 127  the program cannot be executed, is not found

Examples:
  hashdyno mask -pclmulqdq -- php -r 'echo hash(\"crc32b\", \"abc\");'
  hashdyno mask scalar -- openssl speed -evp aes-128-gcm
  hashdyno mask --list";

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        if self.list {
            output::print(&if self.json || self.format == LineFormat::Json {
                format!("{:#}\n", json())
            } else {
                tables()
            })?;
            return Ok(ExitCode::SUCCESS);
        }
        let mask = Mask::parse(self.mask.as_deref().unwrap_or_default())?;
        let mechanism = match self.mechanism {
            Some(mechanism) => mechanism.probe()?,
            None => cpumask::mechanism()?,
        };
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]);
        let tell = |gap: &Gap| {
            message!("{}: {gap}", if self.strict { "error" } else { "note" });
            if self.strict { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        match cpumask::watch(&mask, mechanism, command, tell) {
            Ok(outcome) => Ok(self.ended(mechanism, &outcome)),
            Err(error) => not_started(&self.command[0], error),
        }
    }

    fn ended(&self, mechanism: Mechanism, outcome: &Outcome) -> ExitCode {
        if self.verbose {
            let Outcome { answered, patched, doubtful, .. } = outcome;
            message!(
                "{mechanism}: {answered} CPUIDs answered, {patched} overwritten, {doubtful} \
                    doubtful left alone"
            );
        }
        let code = if self.strict && !outcome.gaps.is_empty() {
            failure::MACHINE
        } else {
            outcome.code() as u8
        };
        ExitCode::from(code)
    }
}

/// As env has it: 127 where there is no such program, 126 where it cannot be executed.
fn not_started(program: &OsString, error: io::Error) -> anyhow::Result<ExitCode> {
    let code = match error.kind() {
        io::ErrorKind::NotFound => 127,
        io::ErrorKind::PermissionDenied | io::ErrorKind::IsADirectory => 126,
        _ if error.raw_os_error() == Some(ENOEXEC) => 126,
        _ => return Err(error).with_context(|| format!("cannot run {}", program.display())),
    };
    message!("error: cannot run {}: {error}", program.display());
    Ok(ExitCode::from(code))
}

fn json() -> Value {
    let features = FEATURES.iter().map(|feature| {
        json!({
            "name": feature.name,
            "leaf": feature.leaf,
            "subleaf": feature.subleaf,
            "register": format!("{:?}", feature.register).to_lowercase(),
            "bit": feature.bit,
            "needs": feature.needs,
            "here": feature.is_here(),
        })
    });
    let mechanisms = Mechanism::ALL.map(|mechanism| {
        let probed = mechanism.probe();
        json!({
            "name": mechanism.to_string(),
            "works": probed.is_ok(),
            "reason": probed.err().map(|error| error.reason),
        })
    });
    json!({
        "schema": output::JSON_SCHEMA,
        "features": features.collect::<Vec<_>>(),
        "presets": PRESETS
            .iter()
            .map(|preset| json!({ "name": preset.name, "about": preset.about }))
            .collect::<Vec<_>>(),
        "mechanisms": mechanisms,
    })
}

fn tables() -> String {
    let features = FEATURES.iter().map(|feature| {
        let bit = format!("{:?} {}", feature.register, feature.bit).to_lowercase();
        let here = if feature.is_here() { "yes" } else { "" };
        let leaf = format!("{:x}.{}", feature.leaf, feature.subleaf);
        [feature.name, here, &feature.needs.join(" "), &leaf, &bit].map(str::to_owned).to_vec()
    });
    let presets =
        PRESETS.iter().map(|preset| vec![preset.name.to_owned(), preset.about.to_owned()]);
    let mechanisms = Mechanism::ALL.map(|mechanism| {
        let status =
            mechanism.probe().map_or_else(|error| error.reason, |_| "works here".to_owned());
        vec![mechanism.to_string(), status]
    });
    [
        table(&["feature", "here", "builds on", "leaf", "bit"], features.collect()),
        table(&["preset", "what is left"], presets.collect()),
        table(&["mechanism", ""], mechanisms.to_vec()),
    ]
    .join("\n")
}

fn table(header: &[&str], rows: Vec<Vec<String>>) -> String {
    let title = format!("{} {}s", rows.len(), header[0]);
    Grid {
        title,
        note: String::new(),
        header: header.iter().map(|&name| name.to_owned()).collect(),
        rows,
    }
    .terminal()
}

/// exec's word for a file that is no program.
const ENOEXEC: i32 = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_has_one_name() {
        let ours = hashdyno::Features::all().to_string();
        let unknown = |name: &&str| !FEATURES.iter().any(|feature| feature.name == *name);
        let unknown: Vec<_> = ours.split_whitespace().filter(unknown).collect();
        assert_eq!(
            unknown,
            ["sse2"],
            "features of our kernels that `mask` does not know; every x86-64 has SSE2"
        );
    }
}
