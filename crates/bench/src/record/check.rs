//! Errors of a record's lines, one by one. Reports and comparisons rely on this check.
//!
//! A record may come from anybody. A line that can be parsed may still hold a value at which a
//! report would panic, or count for minutes: an interval of certainty, a tree of no photographs, a
//! time of nothing. `tests/malformed_records.rs` replaces each value of each kind of line in turn.
//!
//! A line is checked alone. The order of lines is checked by `read`.

use std::ops::RangeInclusive;

use gauge::{Outcome, Plan, Series};

use super::{Head, Line, Raw, files};
use crate::study::MOST_PHOTOS;

impl Line {
    /// The error of the line, and the value that was expected.
    pub(super) fn check(&self) -> Result<(), String> {
        match self {
            Self::Head(head) => head_of_record(head),
            Self::Loop(bare) | Self::Open(bare) => estimate(&bare.series),
            Self::Series(entry) => estimate(&entry.series),
            Self::Files(files::FilesLine::Hashed(cell)) => estimate(&cell.series),
            Self::Files(files::FilesLine::Tree(tree)) => photographs(tree),
            Self::Told(told) => told.check(),
            Self::Files(files::FilesLine::Process(_))
            | Self::Provider(_)
            | Self::Begun { .. }
            | Self::Resumed(_)
            | Self::Done { .. }
            | Self::Cold(_)
            | Self::Ratio(_)
            | Self::Cost(_)
            | Self::End { .. } => Ok(()),
        }
    }
}

fn head_of_record(head: &Head) -> Result<(), String> {
    let Plan { confidence, .. } = head.plan;
    within("the plan's confidence", confidence, CONFIDENCE)?;
    head.summary_of.as_ref().map_or(Ok(()), digest_of_raw)?;
    head.study.check_shape().map_err(|error| error.to_string())
}

fn digest_of_raw(raw: &Raw) -> Result<(), String> {
    let is_sha256 =
        // The index of records shows the first 16 digits.
        raw.sha256.len() == 64 && raw.sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_sha256 {
        Ok(())
    } else {
        Err(format!("the raw record's SHA-256 is '{}': expected 64 hexadecimal digits", raw.sha256))
    }
}

fn estimate(series: &Series) -> Result<(), String> {
    let Outcome::Estimate(estimate) = &series.outcome else { return Ok(()) };
    // Rates divide by the time, and ratios by one of two times.
    within("an estimate", estimate.ns.value, NANOSECONDS)?;
    if estimate.clean > estimate.total || estimate.total > MOST_SAMPLES {
        let (clean, total) = (estimate.clean, estimate.total);
        return Err(format!(
            "{clean} of {total} samples are clean: expected at most all, and at most \
                {MOST_SAMPLES} of them"
        ));
    }
    Ok(())
}

fn photographs(tree: &files::Pass) -> Result<(), String> {
    match (1..=MOST_PHOTOS).contains(&tree.photos) {
        true => Ok(()),
        false => {
            Err(format!("a tree of {} photographs: expected 1 to {}", tree.photos, MOST_PHOTOS))
        }
    }
}

fn within(what: &str, value: f64, expected: RangeInclusive<f64>) -> Result<(), String> {
    match expected.contains(&value) {
        true => Ok(()),
        false => Err(format!(
            "{what} is {value:e}: expected {:e} to {:e}",
            expected.start(),
            expected.end()
        )),
    }
}

/// What an interval can be sure of; at 0 and 1 it has no ends.
const CONFIDENCE: RangeInclusive<f64> = 0.01..=0.999_999;

/// From far less than a cycle to thirty years.
const NANOSECONDS: RangeInclusive<f64> = 1e-9..=1e18;

/// More than a plan asks for; the sum over all series still fits.
const MOST_SAMPLES: usize = u32::MAX as usize;
