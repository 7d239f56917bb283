use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use anyhow::Context;
use files::audit;
use files::check::{Options, check};
use files::list::{Algorithm, Grammar, Reader};
use files::meter::Meter;
use files::names::{self, quoted};
use files::open::{Root, reason};
use files::skip::Skip;
use files::sum::{Sources, fitting_threads};
use files::trees;
use files::verdict::Style;

use super::MOST_THREADS;
use super::digests::method;
use super::keyed::{Secret, verify};
use super::output::LineFormat;
use super::sum::{bar, part_size};
use super::walk::WalkArguments;
use crate::failure::{self, BadInput};
use crate::progress::Bytes;
use crate::stdio::message;
use crate::unwritten::unwritten;

/// What `check` is told.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hashdyno check SHA256SUMS
  hashdyno check card photos                  compare two folders
  hashdyno check src backup --exclude .git    without what has this name
  hashdyno check -C photos photos.list        names begin in the folder photos
  hashdyno check --audit photos photos.list   also new, moved, missing files
  hashdyno check -a md5 old.list
  hashdyno check --quiet --ignore-missing downloads.b3
  hashdyno check --part-size 5MiB etags       ETags of S3; the usual sizes are tried

Formats of lists: md5sum and its kin, BSD, OpenSSL, shasum, b3sum, xxhsum, rhash
with TTH, AICH, ED2K and BTIH, ETags and checksums of S3, OCI, SFV, hashdeep,
BagIt, MHL, ASC MHL, and JSON lines.
Names that lead out of the folder are refused, and so are pipes and devices.")]
pub struct Arguments {
    /// Checksum lists, or two folders to compare; `-` or none is standard input.
    #[arg(value_name = "LIST|FOLDER")]
    lists: Vec<OsString>,
    /// The algorithm of lines that do not name theirs [default: by the length of the digest].
    #[arg(short, long)]
    algorithm: Option<String>,
    /// The folder that names are relative to [default: the current one; the list's own for BagIt
    /// and MHL].
    #[arg(short = 'C', long, value_name = "FOLDER")]
    directory: Option<PathBuf>,
    /// Fail on lines that are not checksums.
    #[arg(long)]
    strict: bool,
    /// Warn about lines that are not checksums.
    #[arg(short, long)]
    warn: bool,
    /// Do not print files that match, nor how many.
    #[arg(short, long)]
    quiet: bool,
    /// Print nothing about files; the exit code tells.
    #[arg(long)]
    status: bool,
    /// Do not report listed files that do not exist.
    #[arg(long)]
    ignore_missing: bool,
    /// The length of the parts in which S3 objects were uploaded, or of a torrent's pieces [default:
    /// the usual ones that give the listed number of parts].
    #[arg(long, value_name = "SIZE", value_parser = part_size)]
    part_size: Option<usize>,
    /// Compare everything in this folder with the list: matched, edited, rotten, moved, missing,
    /// new.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["strict", "warn", "quiet", "status", "ignore_missing", "algorithm", "part_size"])]
    audit: Option<OsString>,
    #[command(flatten)]
    walk: WalkArguments,
    /// Follow names that lead out of the folder.
    #[arg(long)]
    allow_outside: bool,
    /// Read named pipes and devices.
    #[arg(long)]
    allow_special: bool,
    /// Print verdicts as JSON lines.
    #[arg(long)]
    json: bool,
    /// How verdicts are printed.
    #[arg(long, value_enum, default_value = "terminal", conflicts_with = "json")]
    format: LineFormat,
    /// The key of a list of codes that `sum --key-file` or `openssl dgst -hmac` wrote: every byte of
    /// this file; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["audit", "algorithm"])]
    key_file: Option<PathBuf>,
    /// Threads; by default one for each core, or 1 where the disk rotates.
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    jobs: Option<u16>,
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let algorithm = match &self.algorithm {
            // The length of parts is settled when a file's length is known.
            Some(name) => Algorithm::One(method(name)?),
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
            part_len: self.part_size,
            threads: self.jobs.map_or_else(|| fitting_threads(b"."), usize::from),
            style: self.style(),
            // A script that reads standard error hears of failures alone.
            totals: !self.quiet && self.style().is_text() && io::stderr().is_terminal(),
        };
        if let Some(file) = &self.key_file {
            let (outside, special) = (self.allow_outside, self.allow_special);
            let secret = Secret::read(file)?;
            return verify(&secret, self.lists, &options, self.directory, outside, special);
        }
        let skip = self.walk.skip()?;
        if let Some(folder) = &self.audit {
            return audited(folder, &self.lists, self.directory.as_deref(), skip, &options);
        }
        if let Some(folders) = two_folders(&self.lists)? {
            return compared(folders, skip, &options);
        }
        if self.walk.are_given() {
            let message = "--exclude and -x are for folders, and a list names its files";
            return Err(BadInput::new(message, "check FOLDER FOLDER, or check --audit").into());
        }
        let meter = Meter::default();
        let (directory, outside, special) =
            (self.directory, self.allow_outside, self.allow_special);
        let counted = meter.clone();
        let root = move |list: &[u8]| {
            let folder = directory.clone().unwrap_or_else(|| folder_of(list));
            Ok(Root::at(&folder)?.confined(!outside).special(special).metered(counted.clone()))
        };
        let bar = Bytes::show(
            &meter,
            lengths(self.lists.clone(), options.grammar, root.clone()),
            |len| len,
        );
        Ok(run(self.lists, &options, &bar, root))
    }

    fn style(&self) -> Style {
        match (self.json || self.format == LineFormat::Json, AutoStream::choice(&io::stdout())) {
            (true, _) => Style::Json,
            (false, ColorChoice::Never) => Style::Text,
            (false, _) => Style::Coloured,
        }
    }
}

/// Two folders that are to be compared; a folder in place of a list is an error.
fn two_folders(lists: &[OsString]) -> Result<Option<[&[u8]; 2]>, BadInput> {
    let is_folder = |name: &&OsString| Path::new(name).is_dir();
    let Some(folder) = lists.iter().find(is_folder) else { return Ok(None) };
    match lists {
        [first, second] if is_folder(&first) && is_folder(&second) => {
            Ok(Some([first.as_bytes(), second.as_bytes()]))
        }
        _ => Err(BadInput {
            message: format!(
                "{} is a folder: expected lists, or exactly two folders",
                quoted(folder.as_bytes())
            ),
            hint: "hashdyno check FOLDER FOLDER compares two folders, check --audit FOLDER LIST a \
                folder with its list"
                .to_owned(),
        }),
    }
}

fn compared(folders: [&[u8]; 2], skip: Skip, options: &Options) -> anyhow::Result<ExitCode> {
    let meter = Meter::default();
    let paths = folders.map(<[u8]>::to_vec).to_vec();
    let bar = bar(&meter, Sources::new(paths, true).skipping(skip.clone()));
    let mut out = BufWriter::with_capacity(1 << 16, bar.beside(io::stdout()));
    let Options { threads, status, style, .. } = *options;
    let told = trees::Options { skip, threads, status, style };
    let root = Root::anywhere().metered(meter);
    match trees::compare(&root, folders, &told, &mut out, &mut bar.beside(io::stderr())) {
        Ok(trees) => Ok(ExitCode::from(if trees.agree() { 0 } else { failure::INCOMPLETE })),
        Err(error) => Ok(unwritten(&options.program, &error, true)),
    }
}

fn audited(
    folder: &OsStr,
    lists: &[OsString],
    base: Option<&Path>,
    skip: Skip,
    options: &Options,
) -> anyhow::Result<ExitCode> {
    let [list] = lists else {
        let message = format!("expected one list, not {}", lists.len());
        return Err(
            BadInput { message, hint: "hashdyno check --audit FOLDER LIST".to_owned() }.into()
        );
    };
    let file = open(list.as_bytes())
        .with_context(|| format!("cannot read {}", quoted(list.as_bytes())))?;
    let (folder, list) = match base {
        Some(base) => below(base, folder, list)?,
        None => (folder.as_bytes().to_vec(), list.as_bytes().to_vec()),
    };
    let meter = Meter::default();
    let bar = bar(&meter, Sources::new(vec![folder.clone()], true).skipping(skip.clone()));
    let mut out = BufWriter::with_capacity(1 << 16, bar.beside(io::stdout()));
    let root = Root::anywhere().metered(meter);
    let how = audit::Options { skip, threads: options.threads, style: options.style };
    let audit = match audit::audit(
        &root,
        &folder,
        file,
        &list,
        how,
        &mut out,
        &mut bar.beside(io::stderr()),
    ) {
        Ok(audit) => audit,
        Err(error) => return Ok(unwritten(&options.program, &error, true)),
    };
    if audit.matched == 0 && audit.missing + audit.moved > 0 && base.is_none() {
        bar.aside(|| message!("hint: {}", relative(&list, Some(&folder))));
    }
    Ok(ExitCode::from(if audit.passed() { 0 } else { failure::INCOMPLETE }))
}

/// Goes into the folder that a list's names are relative to; gives the folder and the list as they
/// are named from there.
fn below(base: &Path, folder: &OsStr, list: &OsStr) -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
    let real = |path: &Path| {
        path.canonicalize().with_context(|| format!("cannot open {}", quoted(names::name(path))))
    };
    let (base, folder, list) = (
        real(base)?,
        real(Path::new(folder))?,
        Path::new(list).canonicalize().unwrap_or_else(|_| list.into()),
    );
    let Ok(inner) = folder.strip_prefix(&base) else {
        let message = format!(
            "{} does not lie in {}",
            quoted(names::name(&folder)),
            quoted(names::name(&base))
        );
        return Err(BadInput {
            message,
            hint: "-C is the folder that the list's names are relative to".to_owned(),
        }
        .into());
    };
    std::env::set_current_dir(&base)
        .with_context(|| format!("cannot open {}", quoted(names::name(&base))))?;
    let inner = if inner.as_os_str().is_empty() { Path::new(".") } else { inner };
    let list = list.strip_prefix(&base).unwrap_or(&list);
    Ok((names::name(inner).to_vec(), names::name(list).to_vec()))
}

/// Says where the names of a list begin, and where its first file is, if that is near: in the
/// audited folder before all others.
fn relative(list: &[u8], audited: Option<&[u8]>) -> String {
    let near = first_name(list).and_then(|name| {
        let own = names::path(list)
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
            .unwrap_or(Path::new("."))
            .to_owned();
        let inner = [Path::new("."), &own]
            .into_iter()
            .filter_map(|folder| folder.read_dir().ok())
            .flatten()
            .flatten();
        let inner = inner.map(|entry| entry.path()).filter(|path| path.is_dir());
        let first = audited.map(|folder| names::path(folder).to_owned());
        first
            .into_iter()
            .chain([own.clone()])
            .chain(inner)
            .find(|folder| folder.join(names::path(&name)).is_file())
    });
    let folder = near.map_or("FOLDER".to_owned(), |folder| {
        let folder = folder.strip_prefix(".").unwrap_or(&folder);
        quoted(names::name(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }))
            .to_string()
    });
    format!("names of a list are relative to the folder that it was made for: try -C {folder}")
}

/// The first name in a list.
fn first_name(list: &[u8]) -> Option<Vec<u8>> {
    let mut reader = Reader::new(File::open(names::path(list)).ok()?, Grammar::ANY);
    std::iter::from_fn(|| reader.next_line().ok().flatten())
        .find_map(|line| line.entry)
        .map(|entry| entry.name)
}

/// Lengths of the files that lists speak of, as far as they can be told without reading standard
/// input.
fn lengths(
    lists: Vec<OsString>,
    grammar: Grammar,
    root: impl Fn(&[u8]) -> io::Result<Root>,
) -> impl Iterator<Item = u64> {
    lists.into_iter().filter(|list| list != "-").flat_map(move |list| {
        let list = list.as_bytes();
        let opened = File::open(names::path(list))
            .and_then(|file| Ok((Reader::new(file, grammar), root(list)?)));
        opened.into_iter().flat_map(|(mut reader, root)| {
            let lines = std::iter::from_fn(move || reader.next_line().ok().flatten());
            lines.filter_map(|line| line.entry).map(move |entry| root.size_hint(&entry.name))
        })
    })
}

/// Checks each list; one that cannot be read fails like one that does not hold.
pub fn run(
    lists: Vec<OsString>,
    options: &Options,
    bar: &Bytes,
    root: impl Fn(&[u8]) -> io::Result<Root>,
) -> ExitCode {
    let mut lists: Vec<_> = lists.into_iter().map(OsString::into_vec).collect();
    if lists.is_empty() {
        lists.push(b"-".to_vec());
    }
    let mut out = BufWriter::with_capacity(1 << 16, bar.beside(io::stdout()));
    let mut holds = true;
    for list in lists {
        let opened = root(&list).and_then(|root| Ok((root, open(&list)?)));
        let tally = match opened {
            Ok((root, file)) => {
                check(&root, file, &list, options, &mut out, &mut bar.beside(io::stderr()))
            }
            Err(error) => {
                bar.aside(|| {
                    message!("{}: {}: {}", options.program, quoted(&list), reason(&error))
                });
                holds = false;
                continue;
            }
        };
        match tally {
            Ok(tally) => {
                if tally.entries > 0 && tally.absent == tally.entries && !options.grammar.exact {
                    bar.aside(|| message!("hint: {}", relative(&list, None)));
                }
                holds &= tally.holds(options.strict);
            }
            Err(error) => return unwritten(&options.program, &error, false),
        }
    }
    if holds { ExitCode::SUCCESS } else { ExitCode::from(failure::INCOMPLETE) }
}

fn open(list: &[u8]) -> io::Result<File> {
    if list == b"-" { Root::anywhere().open(b"-") } else { File::open(names::path(list)) }
}

/// Where a list's names begin: a bag's manifests lie in the bag, media hash lists on their card,
/// other lists are read where they were written.
fn folder_of(list: &[u8]) -> PathBuf {
    let path = names::path(list);
    let parent =
        path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let card = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mhl"));
    match (card, parent.ends_with("ascmhl")) {
        (true, true) => parent.join(".."),
        (true, false) => parent.to_owned(),
        _ if parent.join("bagit.txt").is_file() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}
