//! Whether a runner keeps to the protocol: `hashdyno runner --check NAME`.

use std::fmt;

use crate::{Greeting, Options, Provider};

/// What [`check`] found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The provider's name.
    pub provider: String,
    /// Who answered, if somebody did.
    pub greeting: Option<Greeting>,
    /// What was asked of it, in order; it ends with the first failure that leaves no runner.
    pub checks: Vec<Check>,
}

/// One rule of the protocol.
#[derive(Clone, Debug)]
pub struct Check {
    /// The rule, in a few words.
    pub rule: &'static str,
    /// What was seen, or what is wrong.
    pub outcome: Result<String, String>,
}

impl Report {
    /// Whether the runner keeps to every rule.
    pub fn passed(&self) -> bool {
        self.greeting.is_some() && self.checks.iter().all(|check| check.outcome.is_ok())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Check { rule, outcome } in &self.checks {
            match outcome {
                Ok(seen) => writeln!(f, "ok      {rule}: {seen}")?,
                Err(wrong) => writeln!(f, "FAILED  {rule}: {wrong}")?,
            }
        }
        Ok(())
    }
}

/// Starts the provider's runner, and asks of it all that the protocol demands.
pub fn check(provider: &Provider, options: &Options) -> Report {
    let mut report = Report { provider: provider.name.clone(), greeting: None, checks: Vec::new() };
    let outcome = provider.start(options).map(|runner| {
        report.greeting = Some(runner.greeting.clone());
        runner.greeting.to_string()
    });
    report.checks.push(Check { rule: "greeting and list", outcome: outcome.map_err(|error| error.to_string()) });
    report
}
