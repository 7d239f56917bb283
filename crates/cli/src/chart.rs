//! `--chart FILE`: a record's chart as SVG.

use std::path::PathBuf;

use bench::Record;
use bench::report::chart;

use crate::commands::output;
use crate::failure::BadInput;

/// The file that a chart is written to.
#[derive(Clone, Debug)]
pub struct ChartFile(PathBuf);

impl std::str::FromStr for ChartFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let path = PathBuf::from(text);
        match path.extension().is_some_and(|ending| ending == "svg") {
            true => Ok(Self(path)),
            false => Err("expected a file ending in .svg".to_owned()),
        }
    }
}

impl ChartFile {
    /// Draws the record and writes the file, whole or not at all.
    pub fn write(&self, record: &Record) -> anyhow::Result<()> {
        let svg = chart::svg(record).ok_or_else(|| BadInput {
            message: "nothing to draw: expected figures of two message lengths, or published ones".to_owned(),
            hint: "`--format html` shows every figure".to_owned(),
        })?;
        output::write(&self.0, svg.as_bytes())
    }
}
