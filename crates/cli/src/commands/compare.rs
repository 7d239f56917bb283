use std::path::PathBuf;
use std::process::ExitCode;

use bench::report::Grid;
use bench::{Agreement, Board, import};

use super::output::{self, LineFormat};
use crate::failure::BadInput;

const EXAMPLES: &str = "Examples:
  hashdyno compare records/before.jsonl records/after.jsonl
  openssl speed -mr md5 sha256 > openssl.txt
  hashdyno speed md5 sha256 --record here.jsonl
  hashdyno compare openssl.txt here.jsonl

It also reads the output of `openssl speed`, `openssl speed -mr` and
`hyperfine --export-json`. They name no machine, so there is no verdict.
Records of two machines stand side by side, each figure under its machine's
name, without a verdict.
Of two scoreboards, it counts the decided cells (win, tie or loss) with the
same verdict, and lists the others.";

/// What `compare` is told.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The record to compare with, or another program's output.
    before: PathBuf,
    /// The record that is compared, or another program's output.
    after: PathBuf,
    /// How it is printed.
    #[arg(long, value_enum, default_value = "terminal")]
    format: LineFormat,
    /// The same as --format json: a JSON object for each cell, one a line.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let (before, after) = (import::read(&self.before)?, import::read(&self.after)?);
        if let Some(machines) = bench::report::machines::Machines::new(&before, &after) {
            return self.side_by_side(&machines);
        }
        let cells = bench::compare(&before, &after)?;
        let boards = Board::new(&before).zip(Board::new(&after));
        if cells.is_empty() && boards.is_none() {
            return Err(nothing_in_common());
        }
        let json = self.json || self.format == LineFormat::Json;
        let judged = !before.is_imported() && !after.is_imported();
        let lines: Vec<_> = cells.iter().map(|cell| Line::new(cell, judged)).collect();
        let mut text: String =
            if json { lines.iter().map(Line::json).collect() } else { table(&lines) };
        if let Some((before, after)) = &boards {
            let agreement = before.agreement(after);
            text += &if json {
                agreed(&agreement)
            } else {
                format!("\n{}", bench::report::agreement(&agreement).terminal())
            };
        }
        output::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Two records of different machines, named and without a verdict.
    fn side_by_side(
        &self,
        machines: &bench::report::machines::Machines,
    ) -> anyhow::Result<ExitCode> {
        if machines.cells.is_empty() {
            return Err(nothing_in_common());
        }
        let text = match self.json || self.format == LineFormat::Json {
            true => machines.lines(output::JSON_SCHEMA),
            false => machines.grid().terminal(),
        };
        output::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn nothing_in_common() -> anyhow::Error {
    let message = "the two have no cell in common: expected an algorithm and a message length \
        that stand in both";
    let hint = "`hashdyno report FILE` shows what a record holds".to_owned();
    BadInput { message: message.to_owned(), hint }.into()
}

/// What two scoreboards agree on, as a line of JSON.
fn agreed(agreement: &Agreement<'_>) -> String {
    let differ = agreement.differ.iter().map(|(before, after)| {
        serde_json::json!({ "algorithm": before.algorithm, "size": before.size, "before": before.standing, "after": after.standing })
    });
    let differ: Vec<_> = differ.collect();
    let Agreement { cells, decided, .. } = agreement;
    let value = serde_json::json!({ "schema": output::JSON_SCHEMA, "cells": cells, "decided": decided, "agree": agreement.alike(), "differ": differ });
    format!("{value}\n")
}

/// A compared cell as it is shown.
struct Line<'a> {
    cell: &'a bench::Compared,
    verdict: &'static str,
}

impl<'a> Line<'a> {
    fn new(cell: &'a bench::Compared, judged: bool) -> Self {
        let verdict = match &cell.ratio {
            _ if !judged => ELSEWHERE,
            ratio if ratio.low > 1.0 => "slower",
            ratio if ratio.high < 1.0 => "faster",
            _ => "not distinguishable",
        };
        Self { cell, verdict }
    }

    fn json(&self) -> String {
        let bench::Compared { before, after, ratio } = self.cell;
        let value = serde_json::json!({
            "schema": output::JSON_SCHEMA,
            "provider": before.source,
            "provider_after": after.source,
            "algorithm": before.algorithm,
            "size": before.size,
            "ns_before": before.ns,
            "ns_after": after.ns,
            "ratio": ratio,
            "verdict": self.verdict,
        });
        format!("{value}\n")
    }

    fn row(&self) -> Vec<String> {
        let bench::Compared { before, after, ratio } = self.cell;
        let ns = |side: &bench::Side| format!("{:.1}", side.ns);
        let source = match before.source == after.source {
            true => before.source.to_string(),
            false => format!("{} → {}", before.source, after.source),
        };
        let mut row =
            vec![before.algorithm.clone(), source, before.size.to_string(), ns(before), ns(after)];
        row.push(format!("{:.3} ({:.3} to {:.3})", ratio.value, ratio.low, ratio.high));
        row.push(self.verdict.to_owned());
        row
    }
}

/// In place of a verdict where another program's figures, of a machine that it does not name, are
/// compared.
const ELSEWHERE: &str = "another machine";

fn table(lines: &[Line<'_>]) -> String {
    let header =
        ["algorithm", "provider", "bytes", "ns before", "ns after", "after / before", "verdict"]
            .map(str::to_owned);
    let count = |verdict| lines.iter().filter(|line| line.verdict == verdict).count();
    let [faster, slower, tie] = ["faster", "slower", "not distinguishable"].map(count);
    let title = match lines.iter().any(|line| line.verdict == ELSEWHERE) {
        true => {
            format!("{} cells in both; the ratio is of machines and programs together", lines.len())
        }
        false => format!(
            "{} cells in both: {faster} faster, {slower} slower, {tie} not distinguishable",
            lines.len()
        ),
    };
    Grid {
        title,
        note: String::new(),
        header: header.into(),
        rows: lines.iter().map(Line::row).collect(),
    }
    .terminal()
}
