//! Options that fail by verdicts, and records that have none.
//!
//! `--fail-on` and `--again` judge. Without a verdict they would let every change pass, so they are
//! refused with exit code 2 before anything is printed.

use std::path::Path;

use bench::Record;

use crate::failure::BadInput;

/// Refuses `options` where no cell gets a verdict: they could never fail, and a build would pass
/// whatever had changed.
pub fn refuse<'a>(
    options: &[&str],
    is_of_two_machines: bool,
    records: impl IntoIterator<Item = (&'a Path, &'a Record)>,
) -> Result<(), BadInput> {
    let imported = records.into_iter().find(|(_, record)| record.is_imported());
    let why = match imported {
        _ if options.is_empty() => return Ok(()),
        Some((path, _)) => format!("{} names no machine", path.display()),
        None if is_of_two_machines => "the records are of two machines".to_owned(),
        None => return Ok(()),
    };
    let options = options.join(" and ");
    Err(BadInput::new(
        format!("there is no verdict for {options}: {why}; expected records of one machine"),
        format!("without {options} the figures stand side by side; docs/CI.md compares versions"),
    ))
}
