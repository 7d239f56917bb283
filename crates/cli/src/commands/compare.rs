use std::path::PathBuf;
use std::process::ExitCode;

use bench::Record;
use bench::report::Grid;

use super::output;

/// What `compare` is told.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  hashdyno compare records/before.jsonl records/after.jsonl")]
pub struct Arguments {
    /// The record to compare with.
    before: PathBuf,
    /// The record that is compared.
    after: PathBuf,
    /// Print JSON lines.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let (before, after) = (Record::read(&self.before)?, Record::read(&self.after)?);
        let cells = bench::compare(&before, &after)?;
        let lines: Vec<_> = cells.iter().map(Line::new).collect();
        let text = if self.json { lines.iter().map(Line::json).collect() } else { table(&lines) };
        output::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A compared cell as it is shown.
struct Line<'a> {
    cell: &'a bench::Compared<'a>,
    verdict: &'static str,
}

impl<'a> Line<'a> {
    fn new(cell: &'a bench::Compared<'a>) -> Self {
        let verdict = match &cell.ratio {
            ratio if ratio.low > 1.0 => "slower",
            ratio if ratio.high < 1.0 => "faster",
            _ => "not distinguishable",
        };
        Self { cell, verdict }
    }

    fn json(&self) -> String {
        let bench::Compared { before, ratio, .. } = self.cell;
        let value = serde_json::json!({
            "provider": before.source,
            "algorithm": before.algorithm,
            "size": before.size,
            "ratio": ratio,
            "verdict": self.verdict,
        });
        format!("{value}\n")
    }

    fn row(&self) -> Vec<String> {
        let bench::Compared { before, after, ratio } = self.cell;
        let ns = |entry: &bench::Entry| entry.estimate().map(|estimate| format!("{:.1}", estimate.ns.value)).unwrap_or_default();
        let mut row = vec![before.algorithm.clone(), before.source.to_string(), before.size.to_string(), ns(before), ns(after)];
        row.push(format!("{:.3} ({:.3} to {:.3})", ratio.value, ratio.low, ratio.high));
        row.push(self.verdict.to_owned());
        row
    }
}

fn table(lines: &[Line<'_>]) -> String {
    let header = ["algorithm", "provider", "bytes", "ns before", "ns after", "after / before", "verdict"].map(str::to_owned);
    let count = |verdict| lines.iter().filter(|line| line.verdict == verdict).count();
    let [faster, slower, tie] = ["faster", "slower", "not distinguishable"].map(count);
    let title = format!("{} cells in both: {faster} faster, {slower} slower, {tie} not distinguishable", lines.len());
    Grid { title, note: String::new(), header: header.into(), rows: lines.iter().map(Line::row).collect() }.terminal()
}
