//! `hashdyno runner`: this program as a runner, and the check of any runner.
//!
//! Without `--check` the program is a runner itself: hashdyno's kernels on the line protocol, as
//! `{self}` in runners.toml starts it. With `--check` it prints a line for each rule. A broken rule
//! is exit code 1:
//!
//! ```text
//! ok      it greets and lists: runner 1 php 8.2.36 zts=0 path=/usr/bin/php8.2
//! FAILED  every digest is right, and again: ...
//! ```

use std::process::ExitCode;

use bench::{Options, Ours, Provider, conformance, serve};

use super::output;
use crate::failure::{self, BadInput};
use crate::nearest;

/// What `runner` is told.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hashdyno runner --check php
  printf 'list\\n' | hashdyno runner        speak the protocol of docs/PROTOCOL.md yourself")]
pub struct Arguments {
    /// Check that the runner of this provider keeps the protocol; without it, serve hashdyno's own
    /// kernels.
    #[arg(long, value_name = "NAME")]
    check: Option<String>,
    /// CPU features to hide, such as -avx512f,-sha; none: no vector instructions.
    #[arg(long, value_name = "MASK", default_value = "all", allow_hyphen_values = true)]
    cpu: String,
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let options = super::measure::options(&self.cpu, None)?;
        match self.check {
            Some(name) => check(&name, &options),
            None => {
                let ours = Ours::new(Some(&self.cpu))?;
                serve::on_a_page(|| {
                    serve::serve(&ours, std::io::stdin().lock(), std::io::stdout().lock())
                })??;
                Ok(ExitCode::SUCCESS)
            }
        }
    }
}

fn check(name: &str, options: &Options) -> anyhow::Result<ExitCode> {
    let provider = Provider::find(name).ok_or_else(|| BadInput {
        message: format!("unknown provider '{name}': expected one of {}", known()),
        hint: nearest::provider(name, "`hashdyno list providers` shows all"),
    })?;
    crate::signals::end_at_once()?;
    let report = conformance::check(provider, options);
    output::print(&report.to_string())?;
    Ok(if report.passed() { ExitCode::SUCCESS } else { ExitCode::from(failure::INCOMPLETE) })
}

fn known() -> String {
    bench::providers().iter().map(|provider| provider.name.as_str()).collect::<Vec<_>>().join(", ")
}
