//! `hashdyno check`: files against lists, a folder against its list (`--audit`), or two folders.
//! Each file gets one word: `a.txt: OK`, `a.txt: FAILED`, as JSON
//! `{"name":"rot","schema":1,"verdict":"differs"}`. Exit codes: 0 all hold; 1 a file does not, or a
//! list cannot be read; 2 wrong arguments; 3 no list for `--audit`.

mod lengths;
mod relative;

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
use files::list::{Algorithm, Grammar};
use files::meter::Meter;
use files::names::{self, quoted};
use files::open::{Root, reason};
use files::skip::Skip;
use files::sum::{Sources, fitting_threads};
use files::trees;
use files::verdict::Style;

use super::MOST_THREADS;
use super::digests::{method, whole};
use super::keyed::KeyFile;
use super::output::LineFormat;
use super::sum::{bar, part_size};
use super::walk::WalkArguments;
use crate::failure::{self, BadInput};
use crate::progress::Bytes;
use crate::stdio::message;
use crate::unwritten::unwritten;
use lengths::lengths;
use relative::relative;

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
    /// The length of the parts in which S3 objects were uploaded, or of a torrent's pieces
    /// [default: the usual ones that give the listed number of parts].
    #[arg(long, value_name = "SIZE", value_parser = part_size)]
    part_size: Option<usize>,
    /// Compare everything in this folder with the list: matched, edited, rotten, moved, missing,
    /// new.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = [
        "strict", "warn", "quiet", "status", "ignore_missing", "algorithm", "part_size",
        "allow_outside", "allow_special",
    ])]
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
    /// The key of a list of codes that `sum --key-file` or `openssl dgst -hmac` wrote: every byte
    /// of this file; `-` is standard input. Lines without a code are none. -a says of which digest
    /// the codes without a tag are, by its own keyed mode, or with --hmac.
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// Codes without a tag are HMACs under the key of --key-file.
    #[arg(long, requires = "key_file")]
    hmac: bool,
    /// Threads; by default one for each core, or 1 where the disk rotates.
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    jobs: Option<u16>,
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let algorithm = self.wanted()?;
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
        let skip = self.walk.skip()?;
        if let Some(folder) = &self.audit {
            return audited(folder, &self.lists, self.directory.as_deref(), skip, &options);
        }
        if let Some(folders) = two_folders(&self.lists)? {
            if self.key_file.is_some() {
                return Err(BadInput::new(
                    "two folders are compared without a key",
                    "hashdyno check FOLDER FOLDER",
                )
                .into());
            }
            self.refuse_those_of_lists()?;
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
            lengths(self.lists.clone(), options.grammar.clone(), root.clone()),
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

    /// Refuses options that speak of a list: two folders have none, and the caller would believe
    /// that they were heard.
    fn refuse_those_of_lists(&self) -> Result<(), BadInput> {
        let options = [
            ("--algorithm", self.algorithm.is_some()),
            ("--directory", self.directory.is_some()),
            ("--strict", self.strict),
            ("--warn", self.warn),
            ("--quiet", self.quiet),
            ("--ignore-missing", self.ignore_missing),
            ("--part-size", self.part_size.is_some()),
            ("--allow-outside", self.allow_outside),
            ("--allow-special", self.allow_special),
        ];
        let given: Vec<_> =
            options.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| *name).collect();
        if given.is_empty() {
            return Ok(());
        }
        Err(BadInput::new(
            format!(
                "two folders are compared without a list: expected no option of lists, not {}",
                given.join(", ")
            ),
            "hashdyno check FOLDER FOLDER takes --exclude, --one-file-system, --status, --json, \
                --format and --jobs",
        ))
    }

    /// Which digests or codes the lines have.
    fn wanted(&self) -> anyhow::Result<Algorithm> {
        // The length of parts is settled when a file's length is known.
        let told = self.algorithm.as_deref().map(method).transpose()?;
        let Some(file) = &self.key_file else {
            return Ok(told.map_or(Algorithm::Any, Algorithm::One));
        };
        let plain = whole(told.as_slice(), "--key-file")?;
        let key = KeyFile::read(file)?;
        let from_stdin = self.lists.is_empty() || self.lists.iter().any(|list| list == "-");
        key.apart_from(from_stdin)?;
        let told = key.methods(self.hmac, &plain)?.pop();
        Ok(told.map_or(Algorithm::Keyed(key.secret), Algorithm::One))
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
    let how = audit::Options {
        grammar: options.grammar.clone(),
        skip,
        threads: options.threads,
        style: options.style,
    };
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
        bar.aside(|| message!("hint: {}", relative(&list, &options.grammar, Some(&folder))));
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
                    let hint = relative(&list, &options.grammar, None);
                    bar.aside(|| message!("hint: {hint}"));
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
