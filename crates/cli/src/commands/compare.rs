//! `hashdyno compare`: two records, cell by cell. Exit codes: 0; 1 a cell is as `--fail-on` names
//! it; 2 the records cannot be compared. JSON: a line for each cell, see docs/JSON.md.

mod refusal;

use std::path::PathBuf;
use std::process::ExitCode;

use bench::report::Grid;
use bench::report::machines::Machines;
use bench::{Agreement, Board, Change, Record, Side};
use clap::ArgAction;
use serde_json::json;

use super::output::{self, LineFormat};
use crate::failure::{self, BadInput};
use crate::stdio::message;

const EXAMPLES: &str = "Examples:
  hashdyno compare records/before.jsonl records/after.jsonl
  openssl speed -mr md5 sha256 > openssl.txt
  hashdyno speed md5 sha256 --record here.jsonl
  hashdyno compare openssl.txt here.jsonl
  hashdyno compare before.jsonl after.jsonl --threshold 5% --fail-on slower,missing

It also reads the output of `openssl speed`, `openssl speed -mr` and
`hyperfine --export-json`. They name no machine, so there is no verdict.
Records of two machines stand side by side, each figure under its machine's
name, without a verdict. `--fail-on` and `--again` refuse records without one.
A cell is slower or faster if the whole interval of its ratio lies beyond
--threshold, in every pair of records. With less than three pairs, enough of its
samples must be clean, too. docs/CI.md shows how a build fails on that.
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
    /// Changes up to this many per cent are noise: two runs of one program differ, too.
    #[arg(long, value_name = "PER CENT", default_value = "2%", value_parser = per_cent)]
    threshold: f64,
    /// Two more records of the same programs: a cell is slower or faster if it is in every pair,
    /// and the pair that differs least is shown. May be given again.
    #[arg(long, num_args = 2, value_names = ["BEFORE", "AFTER"], action = ArgAction::Append)]
    again: Vec<PathBuf>,
    /// Exit with code 1 if a cell is slower, faster, or measured in the first record alone.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "CHANGE")]
    fail_on: Vec<FailOn>,
    /// How it is printed.
    #[arg(long, value_enum, default_value = "terminal")]
    format: LineFormat,
    /// The same as --format json: a JSON object for each cell, one a line.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// What makes `compare` fail.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum FailOn {
    /// A cell takes longer.
    Slower,
    /// A cell takes less time.
    Faster,
    /// A cell has a figure in the first record of a pair and none in the second.
    Missing,
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let (before, after) = (output::read(&self.before)?, output::read(&self.after)?);
        let (machines, again) = (Machines::new(&before, &after), self.again()?);
        let records = [&before, &after].into_iter().chain(again.iter().flatten());
        let paths = [&self.before, &self.after].into_iter().chain(&self.again);
        let records = paths.map(PathBuf::as_path).zip(records);
        refusal::refuse(&self.of_verdicts(), machines.is_some(), records)?;
        if let Some(machines) = machines {
            return self.side_by_side(&machines);
        }
        let cells = bench::compare(&before, &after)?;
        let boards = Board::new(&before).zip(Board::new(&after));
        if cells.is_empty() && boards.is_none() {
            return Err(nothing_in_common());
        }
        let json = self.json || self.format == LineFormat::Json;
        let judged = !before.is_imported() && !after.is_imported();
        let threshold = judged.then_some(self.threshold);
        let others: Vec<_> = again
            .iter()
            .map(|[before, after]| bench::compare(before, after))
            .collect::<Result<_, _>>()?;
        let (mut gone, mut added) = (Vec::new(), Vec::new());
        if judged {
            let others = again.iter().map(|pair| pair.each_ref());
            gone = bench::missing([[&before, &after]].into_iter().chain(others));
            added = bench::only_in(&after, &before);
        }
        let is_gone = |side: &Side| gone.iter().any(|gone| gone.is_same(side));
        added.retain(|side| !is_gone(side));
        let of_cell = |cell| {
            let others = others
                .iter()
                .map(|cells: &Vec<bench::Compared>| cells.iter().find(|other| other.is_same(cell)));
            Line::new(cell, others.collect(), threshold)
        };
        let mut lines: Vec<_> =
            cells.iter().filter(|cell| !is_gone(&cell.before)).map(of_cell).collect();
        lines.extend(gone.into_iter().map(Line::gone));
        lines.extend(added.into_iter().map(Line::added));
        let mut text: String = if json {
            lines.iter().map(|line| line.json(threshold)).collect()
        } else {
            table(&lines, threshold, &versions(&before, &after))
        };
        if let Some((before, after)) = &boards {
            let agreement = before.agreement(after);
            text += &if json {
                agreed(&agreement)
            } else {
                format!("\n{}", bench::report::agreement(&agreement).terminal())
            };
        }
        output::print(&text)?;
        Ok(self.code(&lines))
    }

    /// Two records of different machines, named and without a verdict.
    fn side_by_side(&self, machines: &Machines) -> anyhow::Result<ExitCode> {
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

    /// The options that need verdicts, as far as they are given.
    fn of_verdicts(&self) -> Vec<&'static str> {
        let fail_on = (!self.fail_on.is_empty()).then_some("--fail-on");
        fail_on.into_iter().chain((!self.again.is_empty()).then_some("--again")).collect()
    }

    /// The other pairs of records.
    fn again(&self) -> anyhow::Result<Vec<[Record; 2]>> {
        let pair = |pair: &[PathBuf]| Ok([output::read(&pair[0])?, output::read(&pair[1])?]);
        self.again.chunks_exact(2).map(pair).collect()
    }

    /// Whether a change came that must not.
    fn code(&self, lines: &[Line<'_>]) -> ExitCode {
        let named = |fail_on: &FailOn| match fail_on {
            FailOn::Slower => SLOWER,
            FailOn::Faster => FASTER,
            FailOn::Missing => GONE,
        };
        let mut failed = false;
        for verdict in self.fail_on.iter().map(named) {
            let count = lines.iter().filter(|line| line.verdict == verdict).count();
            if count > 0 {
                message!("{count} of {} cells: {verdict}", lines.len());
                failed = true;
            }
        }
        if failed { ExitCode::from(failure::INCOMPLETE) } else { ExitCode::SUCCESS }
    }
}

fn nothing_in_common() -> anyhow::Error {
    let message = "the two have no cell in common: expected an algorithm and a message length \
        that stand in both";
    let hint = "`hashdyno report FILE` shows what a record holds".to_owned();
    BadInput { message: message.to_owned(), hint }.into()
}

/// `5%` as 0.05.
fn per_cent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').and_then(|number| number.trim_end().parse().ok());
    number
        .filter(|number| (0.0..=1000.0).contains(number))
        .map(|number: f64| number / 100.0)
        .ok_or_else(|| "expected per cent from 0% to 1000%, such as 5%".to_owned())
}

/// What two scoreboards agree on, as a line of JSON.
fn agreed(agreement: &Agreement<'_>) -> String {
    let differ = agreement.differ.iter().map(|(before, after)| {
        serde_json::json!({
            "algorithm": before.algorithm,
            "size": before.size,
            "before": before.standing,
            "after": after.standing,
        })
    });
    let differ: Vec<_> = differ.collect();
    let Agreement { cells, decided, .. } = agreement;
    let value = serde_json::json!({
        "schema": output::JSON_SCHEMA,
        "cells": cells,
        "decided": decided,
        "agree": agreement.alike(),
        "differ": differ,
    });
    format!("{value}\n")
}

/// A line of what is shown: a cell of both, or of one alone.
struct Line<'a> {
    cell: Cell<'a>,
    verdict: &'static str,
}

enum Cell<'a> {
    Both(&'a bench::Compared),
    Before(Side),
    After(Side),
}

impl<'a> Line<'a> {
    /// Changes up to `threshold` are noise; without it there is no verdict. `others` are the same
    /// cell in other pairs of records, which must agree. A pair that lacks it does not.
    fn new(
        cell: &'a bench::Compared,
        others: Vec<Option<&'a bench::Compared>>,
        threshold: Option<f64>,
    ) -> Self {
        let is_in_all = others.iter().all(Option::is_some);
        let all: Vec<_> = [cell].into_iter().chain(others.into_iter().flatten()).collect();
        let change = |threshold| match is_in_all {
            true => bench::change(&all, threshold),
            false => Change::Uncertain,
        };
        let verdict = threshold.map_or(ELSEWHERE, |threshold| name(change(threshold)));
        let size = |cell: &&bench::Compared| cell.ratio.value.ln().abs();
        let least = all.into_iter().min_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(cell);
        Self { cell: Cell::Both(least), verdict }
    }

    fn gone(side: Side) -> Self {
        Self { cell: Cell::Before(side), verdict: GONE }
    }

    fn added(side: Side) -> Self {
        Self { cell: Cell::After(side), verdict: ADDED }
    }

    fn json(&self, threshold: Option<f64>) -> String {
        let of_one = |side: &Side, before: Option<f64>, after: Option<f64>| {
            json!({
                "provider": side.source,
                "provider_after": side.source,
                "algorithm": side.algorithm,
                "size": side.size,
                "ns_before": before,
                "ns_after": after,
                "ratio": null,
            })
        };
        let mut value = match &self.cell {
            Cell::Both(bench::Compared { before, after, ratio }) => json!({
                "provider": before.source,
                "provider_after": after.source,
                "algorithm": before.algorithm,
                "size": before.size,
                "ns_before": before.ns,
                "ns_after": after.ns,
                "ratio": ratio,
            }),
            Cell::Before(side) => of_one(side, Some(side.ns), None),
            Cell::After(side) => of_one(side, None, Some(side.ns)),
        };
        value["schema"] = json!(output::JSON_SCHEMA);
        value["threshold"] = json!(threshold);
        value["verdict"] = json!(self.verdict);
        format!("{value}\n")
    }

    fn row(&self) -> Vec<String> {
        let ns = bench::report::figure;
        let of_one = |side: &Side, before, after| {
            let (algorithm, source) = (side.algorithm.clone(), side.source.to_string());
            [algorithm, source, side.size.to_string(), before, after, String::new()]
        };
        let cells = match &self.cell {
            Cell::Both(cell) => {
                let bench::Compared { before, after, ratio } = cell;
                let source = match before.source == after.source {
                    true => before.source.to_string(),
                    false => format!("{} → {}", before.source, after.source),
                };
                let ratio = match cell.has_interval() {
                    true => format!("{:.3} ({:.3} to {:.3})", ratio.value, ratio.low, ratio.high),
                    false => format!("{:.3}", ratio.value),
                };
                let (algorithm, size) = (before.algorithm.clone(), before.size.to_string());
                [algorithm, source, size, ns(before.ns), ns(after.ns), ratio]
            }
            Cell::Before(side) => of_one(side, ns(side.ns), String::new()),
            Cell::After(side) => of_one(side, String::new(), ns(side.ns)),
        };
        cells.into_iter().chain([self.verdict.to_owned()]).collect()
    }

    fn is_of_both(&self) -> bool {
        matches!(self.cell, Cell::Both(_))
    }
}

fn name(change: Change) -> &'static str {
    match change {
        Change::Slower => SLOWER,
        Change::Faster => FASTER,
        Change::NotDistinguishable => TIE,
        Change::Uncertain => FEW,
    }
}

const SLOWER: &str = "slower";
const FASTER: &str = "faster";
const TIE: &str = "not distinguishable";
const FEW: &str = "too few clean samples";
const GONE: &str = "missing";
const ADDED: &str = "new";

/// In place of a verdict where another program's figures, of a machine that it does not name, are
/// compared.
const ELSEWHERE: &str = "another machine";

/// The providers of both records whose version is another in the second.
fn versions(before: &Record, after: &Record) -> Vec<String> {
    let mut changed = Vec::new();
    for provider in &before.providers {
        let other = after.providers.iter().find(|other| other.source() == provider.source());
        let versions = provider.version.as_ref().zip(other.and_then(|it| it.version.as_ref()));
        if let Some((old, new)) = versions.filter(|(old, new)| old != new) {
            changed.push(format!("{}: {old} before, {new} after", provider.source()));
        }
    }
    changed
}

fn table(lines: &[Line<'_>], threshold: Option<f64>, versions: &[String]) -> String {
    let header =
        ["algorithm", "provider", "bytes", "ns before", "ns after", "after / before", "verdict"]
            .map(str::to_owned);
    let both = lines.iter().filter(|line| line.is_of_both()).count();
    let count = |verdict| lines.iter().filter(|line| line.verdict == verdict).count();
    let [faster, slower, tie, few, gone, added] =
        [FASTER, SLOWER, TIE, FEW, GONE, ADDED].map(count);
    let few = match few {
        0 => String::new(),
        _ => format!(", {few} with too few clean samples"),
    };
    let alone = match (gone, added) {
        (0, 0) => String::new(),
        _ => format!("; {gone} in the first alone, {added} in the second alone"),
    };
    let (title, note) = match threshold {
        None => (
            format!("{both} cells in both; the ratio is of machines and programs together"),
            String::new(),
        ),
        Some(threshold) => (
            format!(
                "{both} cells in both: {faster} faster, {slower} slower, {tie} not \
                    distinguishable{few}{alone}"
            ),
            format!(
                "faster, slower: by more than {}%, the whole interval of the ratio",
                (threshold * 1e5).round() / 1e3
            ),
        ),
    };
    let notes = Some(note).filter(|note| !note.is_empty()).into_iter();
    let note = notes.chain(versions.iter().cloned()).collect::<Vec<_>>().join("; ");
    Grid { title, note, header: header.into(), rows: lines.iter().map(Line::row).collect() }
        .terminal()
}

#[cfg(test)]
mod tests {
    use super::per_cent;

    #[test]
    fn a_threshold_is_in_per_cent() {
        assert_eq!(per_cent("5%"), Ok(0.05));
        assert_eq!(per_cent("0 %"), Ok(0.0));
        for text in ["", "%", "5", "0.05", "-1%", "nan%", "1001%"] {
            assert!(per_cent(text).is_err(), "{text}");
        }
    }
}
