//! `sum --update`.
//!
//! New files are added to the list, and files that it has are compared with it. A changed file is
//! reported and keeps its entry, so that a rotten file does not replace a good digest. Exit codes:
//! 0; 1 changed or failed files; 2 a list whose algorithm is not clear.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use files::meter::Meter;
use files::method::Method;
use files::names;
use files::names::quoted;
use files::open::Root;
use files::sum::Sources;
use files::update::{Update, update};

use super::bar;
use crate::failure::{self, BadInput};
use crate::stdio::message;

/// Brings a list up to date and says on standard error what came of it.
pub fn updated(
    list: &Path,
    told: Option<Method>,
    sources: impl Fn() -> Sources,
    threads: usize,
) -> anyhow::Result<ExitCode> {
    let meter = Meter::default();
    let bar = bar(&meter, sources());
    let root = Root::anywhere().metered(meter);
    let context = || format!("cannot update {}", list.display());
    let hint = match &told {
        None => "-a says which, or a name such as SHA256SUMS or x.b3",
        Some(_) => "-a with the list's own algorithm, or another list: hashdyno sum -o LIST FILE",
    };
    let updated = update(&root, list, told, sources(), threads, &mut bar.beside(io::stderr()));
    let Update { added, same, changed, failed } = match updated {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
            return Err(BadInput::new(format!("{}: {error}", context()), hint).into());
        }
        updated => updated.with_context(context)?,
    };
    bar.finish();
    message!(
        "hashdyno: {}: {added} added, {same} as listed, {changed} changed, {failed} failed",
        quoted(names::name(list))
    );
    Ok(ExitCode::from(if changed + failed > 0 { failure::INCOMPLETE } else { 0 }))
}
