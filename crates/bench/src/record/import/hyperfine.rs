//! `hyperfine --export-json`: a row for each command, with the time of every run.
//!
//! ```text
//! {"results":[{"command":"md5sum x","mean":0.2,"stddev":0.1,"median":0.2,...,
//!              "times":[0.1,0.2,0.3],"exit_codes":[0,0,0]}]}
//! ```
//!
//! The median of the runs and its interval are taken, as of our own samples. The mean and its
//! deviation are not: a single run beside a busy neighbour moves both.

use gauge::stats;
use serde::Deserialize;

use super::printed::{Figure, Printed};
use crate::record::printable;

#[derive(Deserialize)]
struct Export {
    results: Vec<Row>,
}

/// What is read of a command; hyperfine says more.
#[derive(Deserialize)]
struct Row {
    command: String,
    /// Seconds.
    times: Option<Vec<f64>>,
    /// Seconds.
    median: f64,
}

/// The figures; `None` if it is not hyperfine's JSON, else what is wrong with it.
pub(super) fn read(text: &str) -> Option<Result<Printed, (usize, String)>> {
    let value: serde_json::Value =
        serde_json::from_slice(&printable::json(text.as_bytes()))
            .ok()
            .filter(|value: &serde_json::Value| value.get("results").is_some())?;
    let export: Result<Export, _> = serde_json::from_value(value);
    Some(match export {
        Ok(export) => Ok(Printed {
            program: "hyperfine",
            figures: export.results.into_iter().map(figure).collect(),
        }),
        Err(error) => Err((1, format!("expected hyperfine's results: {error}"))),
    })
}

fn figure(row: Row) -> Figure {
    let mut ns: Vec<f64> = row
        .times
        // An empty list has no median, and hyperfine prints one of its own.
        .filter(|times| !times.is_empty())
        .unwrap_or_else(|| vec![row.median])
        .into_iter()
        .map(|seconds| seconds * 1e9)
        .collect();
    Figure {
        // The command stands in the algorithm's place: hyperfine has no other name of a row.
        algorithm: row.command,
        size: 0,
        runs: ns.len(),
        ns: stats::median_interval(&mut ns, CONFIDENCE),
    }
}

/// That of our own plans.
const CONFIDENCE: f64 = 0.99;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_become_rows() {
        let text = r#"{"results":[{"command":"md5sum x","mean":0.2,"stddev":0.1,"median":0.2,
                       "user":0.1,"system":0.0,"min":0.1,"max":0.3,
                      "times":[0.1,0.2,0.3],"exit_codes":[0,0,0]}]}"#;
        let printed = read(text).unwrap().unwrap();
        let figure = &printed.figures[0];
        assert_eq!(
            (printed.program, figure.algorithm.as_str(), figure.runs),
            ("hyperfine", "md5sum x", 3)
        );
        assert!(
            (figure.ns.value - 2e8).abs() < 1.0
                && figure.ns.low <= figure.ns.value
                && figure.ns.high >= figure.ns.value
        );
        let no_runs = read(r#"{"results":[{"command":"x","median":0.5,"times":[]}]}"#);
        let figure = &no_runs.unwrap().unwrap().figures[0];
        assert_eq!((figure.runs, figure.ns.value), (1, 5e8));
        assert!(read(r#"{"results":[{"median":1}]}"#).unwrap().unwrap_err().1.contains("command"));
        let refused = read(r#"{"results":[{"command":"x","median":"\u001b]0;x"}]}"#);
        assert!(!refused.unwrap().unwrap_err().1.contains('\u{1b}'));
        assert!(read("{}").is_none() && read("+H:16").is_none());
    }
}
