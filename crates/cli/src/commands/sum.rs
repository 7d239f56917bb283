//! `hashdyno sum`: digests of files.
//!
//! One of four ways: `--lines`, `--update`, an ASC MHL history, or a `SumJob`: files to lines.
//! `check` is a command of its own. A line of JSON is
//! `{"name":"a.txt","size":6,"modified":"2026-01-31T12:00:00Z","digests":{"md5":"..."}}`. Exit
//! codes: 0; 1 a file has no digest; 2 wrong arguments; 3 `-o` cannot be written.

mod history;
mod lines;
mod target;
mod updated;

use std::ffi::OsString;
use std::io::{self, BufWriter};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use files::list::{Format, Version, WriteError, Writer};
use files::meter::Meter;
use files::method::Method;
use files::names;
use files::names::quoted;
use files::open::{Root, reason};
use files::skip::Skip;
use files::sum::{Sources, Summed, fitting_threads, sum};

use super::MOST_THREADS;
use super::dialect::{Dialect, ended_by_nul, fitting};
use super::digests::{methods, of_bits, whole, without_parts};
use super::keyed::KeyFile;
use super::speed::length;
use super::walk::WalkArguments;
use crate::failure::{self, BadInput};
use crate::progress::Bytes;
use crate::stdio::message;
use crate::unwritten::unwritten;
use history::begin_history;
use lines::{Form, LineArguments};
use target::{Target, is_list, keep_input};
use updated::updated;

/// Options that make checksums: `--check` takes none of them.
const OF_SUM: [&str; 14] = [
    "length",
    "recursive",
    "format",
    "tag",
    "untagged",
    "json",
    "base64",
    "lines",
    "update",
    "zero",
    "part_size",
    "output",
    "exclude",
    "one_file_system",
];

/// What `sum` is told.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hashdyno sum *.iso
  hashdyno sum -a md5,sha256,blake3 -r photos > photos.list
  hashdyno sum -c photos.list                 the same as hashdyno check
  hashdyno sum -a md5,sha256 --format hashdeep -r .
  hashdyno sum -r --exclude .git -o ../src.list .
  hashdyno sum --lines -a xxh3 < keys.txt     a digest for each line
  hashdyno sum --lines -a xxh3 --field 2 --delimiter , --with-input users.csv
  hashdyno sum -a shake256 --length 1024 a.iso
  hashdyno sum -a dropbox,git-blob notes.txt  as Dropbox and Git name the file
  hashdyno sum -a s3-etag --part-size 16MiB backup.tar
  hashdyno sum -a tth,aich,ed2k,btih film.mkv as RHash writes them
  hashdyno sum --format oci layer.tar         sha256:..., as registries have it
  hashdyno sum --hmac -a sha256 --key-file key *.iso
  hashdyno sum -a blake3 --key-file key -r photos > photos.codes
  hashdyno sum --lines --hmac --key-file key < names.txt

A link named md5sum, sha1sum, sha256sum, sha512sum, b2sum, b3sum, cksum,
shasum or xxhsum makes hashdyno answer as that program.")]
pub struct Arguments {
    /// Files, or with -r folders; `-` or none is standard input.
    #[arg(value_name = "PATH")]
    paths: Vec<OsString>,
    /// Check lists: the same as `hashdyno check`, with all of its options.
    #[arg(short, long, conflicts_with_all = OF_SUM)]
    check: bool,
    /// Algorithms, with commas between; `hashdyno list` names all [default: sha256]. crc32 is that
    /// of zip; PHP's is php-crc32.
    #[arg(short, long, value_delimiter = ',')]
    algorithm: Vec<String>,
    /// Bits of each digest, a multiple of 8, where the algorithm leaves them to you: BLAKE2, Skein,
    /// SHAKE and others. `-a shake256-1024` says the same of one algorithm.
    #[arg(short, long, value_name = "BITS")]
    length: Option<usize>,
    /// Go into folders, sorted by name; links are not followed.
    #[arg(short, long)]
    recursive: bool,
    #[command(flatten)]
    walk: WalkArguments,
    /// Write to this file, and print nothing. It is there whole or not at all. Its own digest is
    /// left out.
    #[arg(short, long, value_name = "FILE", conflicts_with = "update")]
    output: Option<PathBuf>,
    /// The format of the lines [default: gnu; tag with several algorithms].
    #[arg(long, value_enum)]
    format: Option<Dialect>,
    /// The same as --format tag.
    #[arg(long, conflicts_with = "format")]
    tag: bool,
    /// The same as --format gnu.
    #[arg(long, conflicts_with_all = ["format", "tag"])]
    untagged: bool,
    /// The same as --format json.
    #[arg(long, conflicts_with_all = ["format", "tag", "untagged"])]
    json: bool,
    /// Write the mark of binary mode in GNU's lines. The digest is the same.
    #[arg(short, long)]
    binary: bool,
    /// Write the mark of text mode (the default). The digest is the same.
    #[arg(short, long, conflicts_with = "binary")]
    text: bool,
    /// End each line with NUL, not with a newline, and do not escape names. With --lines: lines of
    /// the input end with NUL.
    #[arg(short, long)]
    zero: bool,
    /// Write digests in Base64, as S3 and Google Cloud Storage show checksums.
    #[arg(long, conflicts_with = "json")]
    base64: bool,
    /// The length of the parts of s3-etag, s3-sha256, s3-sha1, s3-crc32c and s3-crc32 [default:
    /// 8MiB], or of btih's pieces [default: by the length of the file]. A file shorter than a part
    /// has no parts.
    #[arg(long, value_name = "SIZE", value_parser = part_size)]
    part_size: Option<usize>,
    #[command(flatten)]
    lines: LineArguments,
    /// Add files to this list that it lacks, in its format. Files that changed are reported; their
    /// entries stay. Use -a where the length of the list's digests fits two algorithms.
    #[arg(long, value_name = "LIST", conflicts_with_all = [
        "format", "tag", "untagged", "json", "base64", "zero",
    ])]
    update: Option<PathBuf>,
    /// The key of the codes: every byte of this file, a newline at its end, too; `-` is standard
    /// input. Codes are by the digest's own keyed mode (BLAKE2, BLAKE3, Skein), or with --hmac.
    /// Lines are tagged unless --format says otherwise.
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// HMAC under the key of --key-file.
    #[arg(long, requires = "key_file")]
    hmac: bool,
    /// Threads; by default one for each core, or 1 where the disk rotates.
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    jobs: Option<u16>,
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        if self.check {
            // `words` has made `check` of it, but where -c stands in one word with other letters.
            return Err(BadInput::new(
                "-c stands alone",
                "hashdyno sum -c LIST, or hashdyno check LIST",
            )
            .into());
        }
        let default =
            [if self.format == Some(Dialect::Sfv) { "crc32" } else { "sha256" }.to_owned()];
        let names = if self.algorithm.is_empty() { &default[..] } else { &self.algorithm };
        let mut digests = methods(names, self.part_size)?;
        if let Some(bits) = self.length {
            digests = of_bits(&digests, bits)?;
        }
        let mut paths: Vec<_> = self.paths.iter().cloned().map(OsString::into_vec).collect();
        if paths.is_empty() {
            paths.push(if self.recursive { b"." } else { b"-" }.to_vec());
        }
        let threads = self.jobs.map_or_else(|| fitting_threads(&paths[0]), usize::from);
        if let Some(file) = &self.key_file {
            let plain = whole(&digests, "--key-file")?;
            let key = KeyFile::read(file)?;
            key.apart_from(paths.iter().any(|path| path == b"-"))?;
            digests = key.methods(self.hmac, &plain)?;
        }
        keep_input(self.output.as_deref(), &paths, |path| {
            !self.lines.lines && (self.key_file.is_some() || is_list(path))
        })?;
        let format = self.dialect(&digests)?;
        if self.lines.lines {
            without_parts(&digests, "--lines")?;
            let form = Form {
                zero: self.zero,
                base64: self.base64,
                json: self.json,
                output: self.output.as_deref(),
            };
            return Ok(self.lines.print(&paths, &digests, form, threads));
        }
        let skip = self.walk.skip()?;
        if let Some(list) = &self.update {
            let told = match &digests[..] {
                _ if self.algorithm.is_empty() && self.key_file.is_none() => None,
                [told] => Some(told.clone()),
                _ => {
                    return Err(BadInput::new(
                        "--update takes one algorithm",
                        "hashdyno sum --update LIST -a sha256 FILE",
                    )
                    .into());
                }
            };
            let sources = || Sources::new(paths.clone(), self.recursive).skipping(skip.clone());
            return updated(list, told, sources, threads);
        }
        if format == Format::Mhl(Version::Asc) {
            if self.output.is_some() || self.walk.are_given() {
                return Err(BadInput::new(
                    "an ASC MHL history is of a whole folder and lies in it",
                    "leave -o, --exclude and -x out",
                )
                .into());
            }
            return begin_history(&paths, &digests, threads);
        }
        let job = SumJob {
            program: "hashdyno",
            threads,
            paths,
            recursive: self.recursive,
            skip,
            output: self.output.as_deref(),
            digests: &digests,
            format,
            zero: self.zero,
            base64: self.base64,
            tells_changes: true,
            shows_progress: true,
        };
        let folder = !job.recursive && job.paths.iter().any(|path| names::path(path).is_dir());
        let code = job.run();
        if folder {
            message!("hint: -r goes into folders");
        }
        Ok(code)
    }

    fn dialect(&self, digests: &[Method]) -> Result<Format, BadInput> {
        let decimal = matches!(digests[0].name, "cksum" | "sum-bsd" | "sum-sysv");
        let by_flag = match (self.tag, self.untagged, self.json) {
            (true, ..) => Some(Dialect::Tag),
            (_, true, _) => Some(Dialect::Gnu),
            (.., true) => Some(Dialect::Json),
            _ => None,
        };
        let format = match self.format.or(by_flag) {
            None if digests.len() > 1 || digests[0].keyed().is_some() => Format::Tagged,
            None if decimal => Format::Decimal { named: self.recursive || !self.paths.is_empty() },
            None => Dialect::Gnu.format(self.binary),
            Some(dialect) => dialect.format(self.binary),
        };
        if self.base64 && !may_be_base64(format) {
            return Err(BadInput::new(
                "this format has no digests in Base64",
                "--format gnu, tag, reversed or bare",
            ));
        }
        if self.zero && !self.lines.lines {
            ended_by_nul(format)?;
        }
        fitting(format, digests)
    }
}

fn may_be_base64(format: Format) -> bool {
    matches!(format, Format::Gnu { .. } | Format::Tagged | Format::Reversed | Format::Bare)
}

/// A length of parts in bytes.
pub fn part_size(text: &str) -> Result<usize, String> {
    length(text).ok().filter(|&len| len > 0).ok_or_else(|| {
        "expected a number of bytes above 0, such as 8MiB (k, M and G are powers of 1024)"
            .to_owned()
    })
}

/// Files whose digests are to be printed.
pub struct SumJob<'a> {
    /// Whom messages come from.
    pub program: &'a str,
    /// Files and folders.
    pub paths: Vec<Vec<u8>>,
    /// Whether folders are opened up.
    pub recursive: bool,
    /// What is left out.
    pub skip: Skip,
    /// Where the digests go; by default to standard output.
    pub output: Option<&'a Path>,
    /// Which digests.
    pub digests: &'a [Method],
    /// How they are written.
    pub format: Format,
    /// Lines end with NUL.
    pub zero: bool,
    /// Values are in Base64.
    pub base64: bool,
    /// On how many threads.
    pub threads: usize,
    /// A file that changes while it is read is reported, and has no digest.
    pub tells_changes: bool,
    /// A terminal shows how far it is.
    pub shows_progress: bool,
}

impl SumJob<'_> {
    /// Prints the digests, and what went wrong to standard error.
    pub fn run(&self) -> ExitCode {
        let mut failed = false;
        let result = self.print(&mut failed);
        match result {
            Err(error) => unwritable(self.program, self.output, &error),
            Ok(()) if failed => ExitCode::from(failure::INCOMPLETE),
            Ok(()) => ExitCode::SUCCESS,
        }
    }

    fn print(&self, failed: &mut bool) -> io::Result<()> {
        let meter = Meter::default();
        let bar = if self.shows_progress { bar(&meter, self.sources()) } else { Bytes::hidden() };
        let mut skip = self.skip.clone();
        let target = Target::open(self.output, &bar, &mut skip)?;
        let out = BufWriter::with_capacity(1 << 16, target);
        let mut writer =
            Writer::new(out, self.format, self.digests).zero(self.zero).base64(self.base64);
        let here = std::env::current_dir().unwrap_or_default();
        let command: Vec<_> = std::env::args_os().map(OsString::into_vec).collect();
        writer.start(names::name(&here), &command.join(&b' '))?;
        sum(
            &Root::anywhere().metered(meter),
            self.sources().skipping(skip),
            self.digests,
            self.threads,
            |name, summed| {
                let problem = match summed {
                    Ok(Summed { changed: true, .. }) if self.tells_changes => {
                        "changed while it was read".to_owned()
                    }
                    Ok(Summed { entry, .. }) => match writer.entry(&entry) {
                        Ok(()) => return Ok(()),
                        Err(WriteError::Io(error)) => return Err(error),
                        Err(WriteError::Name(reason)) => reason.to_owned(),
                    },
                    Err(error) => reason(&error),
                };
                *failed = true;
                bar.aside(|| message!("{}: {}: {problem}", self.program, quoted(name)));
                Ok(())
            },
        )?;
        writer.finish()?;
        writer.into_inner().into_inner()?.finish()
    }

    fn sources(&self) -> Sources {
        Sources::new(self.paths.clone(), self.recursive).skipping(self.skip.clone())
    }
}

/// Says that the digests could not be written.
fn unwritable(program: &str, output: Option<&Path>, error: &io::Error) -> ExitCode {
    match output.filter(|&path| path != Path::new("-")) {
        None => unwritten(program, error, true),
        Some(path) => {
            let path = quoted(names::name(path));
            message!("{program}: cannot write {path}: {}", reason(error));
            ExitCode::from(failure::MACHINE)
        }
    }
}

/// A bar for the reading of these files.
pub fn bar(meter: &Meter, sources: Sources) -> Bytes {
    let root = Root::anywhere();
    Bytes::show(meter, sources.flatten(), move |name| root.size_hint(&name))
}
