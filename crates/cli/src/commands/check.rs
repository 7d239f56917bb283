use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use files::audit::audit;
use files::check::{Options, check};
use files::list::{Algorithm, Grammar, Reader};
use files::meter::Meter;
use files::names::{self, quoted};
use files::open::{Root, reason};
use files::sum::fitting_threads;

use super::MOST_THREADS;
use super::sum::{bar, digest, unwritten};
use crate::failure::{self, BadInput};
use crate::progress::Bytes;
use crate::stdio::message;

/// What `check` is told.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hashdyno check SHA256SUMS
  hashdyno check -a md5 old.list
  hashdyno check --quiet --ignore-missing downloads.b3

Reads the lists of md5sum and its kin, BSD, OpenSSL, shasum, b3sum, xxhsum, rhash, SFV, hashdeep, BagIt, MHL, ASC MHL, and JSON lines.
Names that lead out of the folder are refused, and so are pipes and devices.")]
pub struct Arguments {
    /// Lists; `-` or none is standard input.
    lists: Vec<OsString>,
    /// The digest of lines without a tag, where their length alone does not tell.
    #[arg(short, long)]
    algorithm: Option<String>,
    /// The folder that names are relative to: by default the current one, the list's own for BagIt and MHL.
    #[arg(short = 'C', long, value_name = "FOLDER")]
    directory: Option<PathBuf>,
    /// Fail if a line is none.
    #[arg(long)]
    strict: bool,
    /// Say which lines are none.
    #[arg(short, long)]
    warn: bool,
    /// Say nothing of files that match.
    #[arg(long)]
    quiet: bool,
    /// Say nothing of files; the exit code tells.
    #[arg(long)]
    status: bool,
    /// Leave out files that are not there.
    #[arg(long)]
    ignore_missing: bool,
    /// Hold everything below this folder against the list: what matches, is edited, rotten, moved, missing, new.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["strict", "warn", "quiet", "status", "ignore_missing", "algorithm", "directory"])]
    audit: Option<OsString>,
    /// Follow names that lead out of the folder.
    #[arg(long)]
    allow_outside: bool,
    /// Read named pipes and devices.
    #[arg(long)]
    allow_special: bool,
    /// Threads; by default one for each core, or 1 where the disk rotates.
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    jobs: Option<u16>,
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let algorithm = match &self.algorithm {
            Some(name) => Algorithm::One(digest(name)?),
            None => Algorithm::Any,
        };
        let options = Options {
            program: "hashdyno".to_owned(),
            grammar: Grammar { algorithm, ..Grammar::ANY },
            strict: self.strict,
            warn: self.warn,
            quiet: self.quiet,
            status: self.status,
            ignore_missing: self.ignore_missing,
            threads: self.jobs.map_or_else(|| fitting_threads(b"."), usize::from),
        };
        let meter = Meter::default();
        let (directory, outside, special) = (self.directory, self.allow_outside, self.allow_special);
        let counted = meter.clone();
        let root = move |list: &[u8]| {
            let folder = directory.clone().unwrap_or_else(|| folder_of(list));
            Ok(Root::at(&folder)?.confined(!outside).special(special).metered(counted.clone()))
        };
        match self.audit {
            Some(folder) => audited(folder.as_bytes(), &self.lists, &options),
            None => {
                let bar = Bytes::show(&meter, lengths(self.lists.clone(), options.grammar, root.clone()), |len| len);
                Ok(run(self.lists, &options, &bar, root))
            }
        }
    }
}

fn audited(folder: &[u8], lists: &[OsString], options: &Options) -> anyhow::Result<ExitCode> {
    let [list] = lists else {
        let message = format!("an audit holds a folder against one list, not {}", lists.len());
        return Err(BadInput { message, hint: "hashdyno check --audit FOLDER LIST".to_owned() }.into());
    };
    let list = list.as_bytes();
    let file = open(list).with_context(|| format!("cannot read {}", quoted(list)))?;
    let meter = Meter::default();
    let bar = bar(&meter, &[folder.to_vec()], true);
    let mut out = BufWriter::with_capacity(1 << 16, bar.beside(io::stdout()));
    let root = Root::anywhere().metered(meter);
    match audit(&root, folder, file, list, options.threads, &mut out, &mut bar.beside(io::stderr())) {
        Ok(audit) => Ok(ExitCode::from(if audit.passed() { 0 } else { failure::INCOMPLETE })),
        Err(error) => Ok(unwritten(&options.program, &error, true)),
    }
}

/// Lengths of the files that lists speak of, as far as they can be told without reading standard input.
fn lengths(lists: Vec<OsString>, grammar: Grammar, root: impl Fn(&[u8]) -> io::Result<Root>) -> impl Iterator<Item = u64> {
    lists.into_iter().filter(|list| list != "-").flat_map(move |list| {
        let list = list.as_bytes();
        let opened = File::open(names::path(list)).and_then(|file| Ok((Reader::new(file, grammar), root(list)?)));
        opened.into_iter().flat_map(|(mut reader, root)| {
            let lines = std::iter::from_fn(move || reader.next_line().ok().flatten());
            lines.filter_map(|line| line.entry).map(move |entry| root.size_hint(&entry.name))
        })
    })
}

/// Checks each list; one that cannot be read fails like one that does not hold.
pub fn run(lists: Vec<OsString>, options: &Options, bar: &Bytes, root: impl Fn(&[u8]) -> io::Result<Root>) -> ExitCode {
    let mut lists: Vec<_> = lists.into_iter().map(OsString::into_vec).collect();
    if lists.is_empty() {
        lists.push(b"-".to_vec());
    }
    let mut out = BufWriter::with_capacity(1 << 16, bar.beside(io::stdout()));
    let mut holds = true;
    for list in lists {
        let opened = root(&list).and_then(|root| Ok((root, open(&list)?)));
        let tally = match opened {
            Ok((root, file)) => check(&root, file, &list, options, &mut out, &mut bar.beside(io::stderr())),
            Err(error) => {
                bar.aside(|| message!("{}: {}: {}", options.program, quoted(&list), reason(&error)));
                holds = false;
                continue;
            }
        };
        match tally {
            Ok(tally) => holds &= tally.holds(options.strict),
            Err(error) => return unwritten(&options.program, &error, false),
        }
    }
    if holds { ExitCode::SUCCESS } else { ExitCode::from(failure::INCOMPLETE) }
}

fn open(list: &[u8]) -> io::Result<File> {
    if list == b"-" { Root::anywhere().open(b"-") } else { File::open(names::path(list)) }
}

/// Where a list's names begin: a bag's manifests lie in the bag, media hash lists on their card, other lists are read where they were written.
fn folder_of(list: &[u8]) -> PathBuf {
    let path = names::path(list);
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let card = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mhl"));
    match (card, parent.ends_with("ascmhl")) {
        (true, true) => parent.join(".."),
        (true, false) => parent.to_owned(),
        _ if parent.join("bagit.txt").is_file() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}
