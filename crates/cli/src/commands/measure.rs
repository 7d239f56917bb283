//! What `study` and `speed` share: a run under a progress bar, and how one goes on that was
//! stopped.
//!
//! ```text
//! a new run    Keep::At or Keep::Usual -> RECORD.part grows -> RECORD, whole
//! stopped      RECORD.part stays, code 128 + N   -> --resume RECORD -> Begun -> Keep::GoOn
//! nothing      Keep::Nowhere: the record is in memory alone
//! ```
//!
//! With `--resume` the record has the study and the plan. Arguments may repeat it, and must then
//! agree.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use bench::report::Format;
use bench::{ExecuteError, Head, Keep, Options, Payload, Record, Request, Study};

use super::output;
use crate::chart::ChartFile;
use crate::failure::{BadInput, Stopped};
use crate::progress::Bar;
use crate::signals::{self, Signal};
use crate::stdio::message;

/// What a run leaves.
pub struct Ran {
    pub record: Record,
    /// The file that holds it, if one does.
    pub path: Option<PathBuf>,
    /// The signal that stopped it, if one did.
    pub stopped: Option<Signal>,
}

/// Runs a study under a progress bar, until a signal stops it. `hint` says how a long one is made
/// shorter.
pub fn run(
    study: &Study,
    request: &Request,
    keep: &Keep,
    hint: Option<&'static str>,
) -> anyhow::Result<Ran> {
    if let Some(payload) =
        study.tables.iter().flat_map(|table| &table.payload).find(|payload| !payload.is_here())
    {
        let message = format!("the payload '{payload}' is not here");
        return Err(BadInput { message, hint: "--payload FILE names it".to_owned() }.into());
    }
    let stopping = signals::stop_first()?;
    let mut bar = Bar::new(hint);
    let ran = bench::run_and_keep(study, request, keep, stopping.stop(), &mut bar);
    bar.finish();
    match (ran, stopping.signal()) {
        (Ok(bench::Ran { record, path }), signal) => {
            let stopped = signal.filter(|_| record.unfinished.is_some());
            Ok(Ran { record, path, stopped })
        }
        // Whatever goes wrong while it is stopped, that it was stopped is why.
        (Err(ExecuteError::Stopped), Some(signal)) => Err(Stopped(signal).into()),
        (Err(error), _) => Err(error.into()),
    }
}

/// The file of the record, where it is known before the run.
pub fn place(keep: &Keep) -> Option<PathBuf> {
    match keep {
        Keep::At(path) => Some(path.clone()),
        Keep::GoOn(part) => Some(Record::place(part)),
        Keep::Nowhere | Keep::Usual => None,
    }
}

/// Refuses a chart in the place of the record, which it would be written over. No page and no
/// summary has the ending of a chart.
pub fn check_chart(keep: &Keep, chart: Option<&ChartFile>) -> Result<(), BadInput> {
    match place(keep).zip(chart) {
        Some((record, chart)) if resolved(&record) == resolved(chart.path()) => {
            let message = format!(
                "{} is to be the record and the chart: expected two files",
                record.display()
            );
            let hint = "give the record a name that ends in .jsonl or .jsonl.zst";
            Err(BadInput::new(message, hint))
        }
        _ => Ok(()),
    }
}

/// The one path of a file that is to be written: whole, and its folders without links.
fn resolved(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let Some((folder, name)) = path.parent().zip(path.file_name()) else { return path };
    let mut place = PathBuf::new();
    for part in folder.components() {
        match part {
            Component::ParentDir => drop(place.pop()),
            part => place.push(part),
        }
        // A folder that is not there yet will be made.
        place = place.canonicalize().unwrap_or(place);
    }
    place.join(name)
}

/// A payload by its name; any other word is the name of the user's file.
pub fn payload(text: &str) -> Result<Payload, String> {
    let named = [Payload::Random, Payload::Zeros, Payload::A];
    if let Some(payload) = named.into_iter().find(|payload| payload.to_string() == text) {
        return Ok(payload);
    }
    let bytes = std::fs::read(text)
        .map_err(|error| format!("{error}: expected random, zeros, a, or the name of a file"))?;
    Payload::use_file(bytes).map(|()| Payload::File)
}

impl Ran {
    /// Prints what a stopped run has, and how it goes on.
    pub fn show_stopped(&self, command: &str, signal: Signal, format: &Format) -> ExitCode {
        // Nobody may be there to read it, as where a terminal was closed.
        let _ = output::show(&self.record, format);
        let there = self.record.unfinished.map(|there| there.to_string()).unwrap_or_default();
        message!("stopped by {signal}: {there}");
        match &self.path {
            Some(path) => {
                let path = path.display();
                message!("record: {path}\nhint: hashdyno {command} --resume {path}");
            }
            None => message!("hint: --record FILE keeps what a stopped run has measured"),
        }
        ExitCode::from(signal.code())
    }
}

/// The record of a run that is to go on.
pub struct Begun {
    record: Record,
    path: PathBuf,
}

impl Begun {
    /// Reads the record at `path`, or its part if there is one.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let part = Some(Record::part(path)).filter(|part| part.exists());
        let path = part.unwrap_or_else(|| path.to_owned());
        Ok(Self { record: Record::read_as_far_as_it_goes(&path)?, path })
    }

    /// What it says of the run.
    pub fn head(&self) -> &Head {
        &self.record.head
    }

    /// What its messages hold.
    pub fn payloads(&self) -> BTreeSet<Payload> {
        let tables = &self.head().study.tables;
        tables.iter().flat_map(|table| table.payloads()).copied().collect()
    }

    /// Refuses to go on with messages that hold anything else.
    pub fn check_payloads(&self, now: &BTreeSet<Payload>) -> Result<(), ExecuteError> {
        let before = &self.payloads();
        if before == now {
            return Ok(());
        }
        let names = |payloads: &BTreeSet<Payload>| {
            payloads.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
        };
        let (what, before, now) = ("payload".to_owned(), names(before), names(now));
        Err(ExecuteError::Differs { what, before, now })
    }

    /// Where the run goes on.
    pub fn keep(&self) -> Keep {
        Keep::GoOn(self.path.clone())
    }

    /// The record and its file, if nothing is missing, which is said.
    pub fn whole(&self) -> Option<(&Record, &Path)> {
        self.record.unfinished.is_none().then(|| {
            message!("{}: nothing is missing", self.path.display());
            (&self.record, self.path.as_path())
        })
    }
}

/// How runners are started, the mask checked before anything runs.
pub fn options(cpu: &str, libcrypto: Option<PathBuf>) -> anyhow::Result<Options> {
    bench::check_mask(cpu).map_err(|error| BadInput {
        message: error.to_string(),
        hint: "`hashdyno list cpu` names the features, `hashdyno mask --list` the presets too"
            .to_owned(),
    })?;
    Ok(Options { cpu: Some(cpu.to_owned()), libcrypto, ..Options::default() })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_file_has_one_path_however_it_is_spelled() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| resolved(&folder.path().join(path));
        std::fs::create_dir(folder.path().join("there")).unwrap();
        symlink("there", folder.path().join("link")).unwrap();
        for path in ["there/a.svg", "./there/./a.svg", "link/a.svg", "link/../there/a.svg"] {
            assert_eq!(at(path), at("there/a.svg"), "{path}");
        }
        for path in ["new/er/a.svg", "new/b/../er/a.svg", "link/../new/er/a.svg"] {
            assert_eq!(at(path), at("new/er/a.svg"), "{path}");
        }
        // A file is put in the place of a link.
        symlink("a.svg", folder.path().join("b.svg")).unwrap();
        assert_ne!(at("a.svg"), at("b.svg"));
        assert_ne!(at("a.svg"), at("there/a.svg"));
        assert_eq!(resolved(Path::new("a.svg")), resolved(&Path::new(".").join("a.svg")));
    }
}
