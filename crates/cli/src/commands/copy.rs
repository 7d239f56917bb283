//! `hashdyno copy`: files are copied, read back and compared.
//!
//! ```text
//! arguments -> CopyJob; --dry-run: plan, nothing is written
//! copy      -> Teller: a line for each file; the bar; the list, entry by entry
//! report    -> the list takes its place, then the counts are printed
//! ```
//!
//! As JSON a line for each event, `{"source":"a","destination":"to","outcome":"failed", ...}`, and
//! then one with `report`. Exit code 1: a file failed, or a name is not in the list. Exit code 2:
//! the job is refused, before anything is written.

mod manifest;
mod tell;

use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use files::copy::{CopyError, CopyJob, Include, Layout, OnConflict, Undated, Verify, copy};
use files::meter::Meter;
use files::names::{self, quoted};
use files::sum::{Sources, fitting_threads};

use self::manifest::Manifest;
use self::tell::Teller;
use super::MOST_THREADS;
use super::dialect::Dialect;
use super::digests::digests;
use crate::failure::{self, BadInput};
use crate::progress::Bytes;
use crate::unwritten::unwritten;

/// What `copy` is told.
#[derive(clap::Args)]
#[command(override_usage = "hashdyno copy [OPTIONS] <SOURCE>... <DESTINATION>")]
#[command(after_help = "Examples:
  hashdyno copy /media/card/DCIM photos --layout '{date:%Y/%m/%d}/{name}'
  hashdyno copy project /media/a --also /media/b --manifest project.list
  hashdyno copy project /media/disk --resume
  hashdyno copy card photos --dry-run            print what would be done
  hashdyno copy card photos --include '*.jpg' --include '*.cr3'

A folder is copied by its name, `folder/.` by what is in it.
Each file is hashed while it is read, written under a temporary name, made
durable and then given its name. Another content under that name is never
replaced without --on-conflict replace. When all files are in place, each is
read back from the device and compared.
Fields of a layout: {date:FORMAT} {path} {parent} {name} {stem} {ext} {camera}.
FORMAT is that of date(1).")]
pub struct Arguments {
    /// Files and folders, then the folder to copy into. Links, pipes and devices in folders are
    /// left out. The folder to copy into is made if its parent exists.
    // One list: clap takes two only where no option is between them.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<OsString>,
    /// Another folder to copy into. Each source is read only once.
    #[arg(long, value_name = "FOLDER")]
    also: Vec<PathBuf>,
    /// Copy only files that match: a pattern of names, such as *.jpg, or of paths below the source,
    /// such as DCIM/**.
    #[arg(long, value_name = "PATTERN")]
    include: Vec<String>,
    /// Print what would be done, and do nothing.
    #[arg(long, conflicts_with_all = ["manifest", "format", "reread_source"])]
    dry_run: bool,
    /// Path of each file below the destination, from the metadata of photos [default: the path in
    /// the source].
    #[arg(long)]
    layout: Option<String>,
    /// The date of photos that have none.
    #[arg(long, value_enum, default_value = "folder")]
    undated: UndatedArgument,
    /// What is done with a file if another content has its name.
    #[arg(long, value_enum, default_value = "suffix")]
    on_conflict: ConflictArgument,
    /// How each copy is verified.
    #[arg(long, value_enum, default_value = "device")]
    verify: VerifyArgument,
    /// Read every source a second time, after the copy, and compare it too.
    #[arg(long)]
    reread_source: bool,
    /// Algorithms, with commas between; `hashdyno list` names all.
    #[arg(short, long, value_delimiter = ',', default_value = "sha256")]
    algorithm: Vec<String>,
    /// Write a checksum list of the copy. Its names are relative to the destination: check it with
    /// -C DESTINATION.
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// The format of the list; ascmhl begins the history in the destination and needs no FILE.
    #[arg(long, value_enum)]
    format: Option<Dialect>,
    /// Continue a copy that was interrupted or had failures. Finished files are not read again.
    #[arg(long)]
    resume: bool,
    /// Print only failures, conflicts and the summary.
    #[arg(short, long)]
    quiet: bool,
    /// Print JSON lines.
    #[arg(long)]
    json: bool,
    /// Files processed at once; by default one for each core, or 1 where a disk rotates.
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    jobs: Option<u16>,
}

/// What is done with photos without a date.
#[derive(Clone, Copy, clap::ValueEnum)]
enum UndatedArgument {
    /// The file goes to the folder `undated`.
    Folder,
    /// The time of the last change, in UTC.
    FileTime,
}

/// What is done with a file whose name has another content.
#[derive(Clone, Copy, clap::ValueEnum)]
enum ConflictArgument {
    /// The file is copied as name-1.jpg, name-2.jpg and so on.
    Suffix,
    /// The file is not copied, and counts as failed.
    Refuse,
    /// The file takes the name. The other one is kept as name.jpg.replaced until the copy is
    /// verified.
    Replace,
}

/// How a copy is verified.
#[derive(Clone, Copy, clap::ValueEnum)]
enum VerifyArgument {
    /// Not at all.
    None,
    /// Read back from the system's memory or the device.
    Cache,
    /// Read back from the device.
    Device,
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let job = self.job()?;
        if self.dry_run {
            return tell::plan(&job, self.json, self.quiet).map_err(refusal);
        }
        let manifest = self.manifest(&job)?;
        let meter = Meter::default();
        // How often each byte is read: as a source, from each destination, and as a source again.
        let passes = 1
            + u64::from(job.verify != Verify::None) * job.destinations.len() as u64
            + u64::from(job.reread_source);
        let sources = Sources::new(job.sources.clone(), true);
        let bar = Bytes::show(&meter, sources.flatten(), move |name| passes * tell::len(&name));
        let mut teller = Teller::new(bar, manifest, self.json, self.quiet);
        let report = match copy(&job, meter, &mut teller) {
            Ok(report) => report,
            Err(CopyError::Io(error)) if teller.cannot_write() => {
                return Ok(unwritten("hashdyno", &error, true));
            }
            Err(error) => return Err(refusal(error)),
        };
        // Both, without a short cut: the list of an incomplete copy is written, too.
        let complete = report.holds() & teller.finish_manifest(report.holds())?;
        if let Err(error) = teller.report(&report, self.again(&job).as_deref()) {
            return Ok(unwritten("hashdyno", &error, true));
        }
        Ok(ExitCode::from(if complete { 0 } else { failure::INCOMPLETE }))
    }

    /// The command that checks the list later: its names begin in the destination.
    fn again(&self, job: &CopyJob) -> Option<String> {
        let list = quoted(names::name(self.manifest.as_deref()?));
        Some(format!("hashdyno check -C {} {list}", quoted(names::name(&job.destinations[0]))))
    }

    fn job(&self) -> anyhow::Result<CopyJob> {
        let layout = match self.layout.as_deref().map(Layout::parse) {
            None => Layout::default(),
            Some(Ok(layout)) => layout,
            Some(Err(error)) => {
                return Err(BadInput { message: error.message, hint: error.hint }.into());
            }
        };
        let include = Include::parse(&self.include)
            .map_err(|message| bad(&message, "such as '*.jpg' or 'DCIM/**'"))?;
        if matches!(
            (self.on_conflict, self.verify),
            (ConflictArgument::Replace, VerifyArgument::None)
        ) {
            return Err(
                bad("--on-conflict replace needs verification", "leave --verify none out").into()
            );
        }
        let (destination, sources) =
            self.paths.split_last().filter(|(_, sources)| !sources.is_empty()).ok_or_else(
                || bad("copy needs a folder to copy into", "hashdyno copy SOURCE... DESTINATION"),
            )?;
        let mut destinations = vec![PathBuf::from(destination)];
        destinations.extend(self.also.iter().cloned());
        let sources: Vec<_> = sources.iter().map(|source| source.clone().into_vec()).collect();
        let storages = sources
            .iter()
            .map(Vec::as_slice)
            .chain(destinations.iter().map(|path| names::name(existing(path))));
        let threads =
            self.jobs.map_or_else(|| storages.map(fitting_threads).min().unwrap_or(1), usize::from);
        Ok(CopyJob {
            sources,
            destinations,
            digests: digests(&self.algorithm, "copy")?,
            include,
            layout,
            undated: match self.undated {
                UndatedArgument::Folder => Undated::Folder,
                UndatedArgument::FileTime => Undated::FileTime,
            },
            on_conflict: match self.on_conflict {
                ConflictArgument::Suffix => OnConflict::Suffix,
                ConflictArgument::Refuse => OnConflict::Refuse,
                ConflictArgument::Replace => OnConflict::Replace,
            },
            verify: match self.verify {
                VerifyArgument::None => Verify::None,
                VerifyArgument::Cache => Verify::Cache,
                VerifyArgument::Device => Verify::Device,
            },
            reread_source: self.reread_source,
            resume: self.resume,
            list: self.manifest.clone(),
            threads,
        })
    }

    fn manifest(&self, job: &CopyJob) -> anyhow::Result<Option<Manifest>> {
        let several = job.digests.len() > 1;
        let dialect = self.format.unwrap_or(if several { Dialect::Tag } else { Dialect::Gnu });
        match (&self.manifest, dialect) {
            (None, Dialect::Ascmhl) => {
                Manifest::history(&job.destinations[0], &job.digests).map(Some)
            }
            (Some(_), Dialect::Ascmhl) => {
                Err(bad("an ASC MHL history lies in the destination", "leave --manifest out")
                    .into())
            }
            (None, _) if self.format.is_some() => {
                Err(bad("--format is that of a list", "--manifest FILE writes one").into())
            }
            (None, _) => Ok(None),
            (Some(path), dialect) => Manifest::file(path, dialect, job).map(Some),
        }
    }
}

/// The folder, or if it will be made, the one that it will be in.
fn existing(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !path.exists() && parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) if !path.exists() => parent,
        _ => path,
    }
}

fn bad(message: &str, hint: &str) -> BadInput {
    BadInput { message: message.to_owned(), hint: hint.to_owned() }
}

/// What came of writing something.
type Written = io::Result<()>;

/// A job that is refused as a whole says what to do instead.
fn refusal(error: CopyError) -> anyhow::Error {
    match error {
        CopyError::Refused { message, hint } => BadInput { message, hint }.into(),
        error => error.into(),
    }
}
