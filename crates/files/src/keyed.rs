//! Codes of files under a key: written as tagged lines, and held against lists of them.
//!
//! `HMAC-SHA256 (name) = ...` is an HMAC, as OpenSSL prints it, too; `KEYED-BLAKE3 (name) = ...` a
//! digest in its own keyed mode.

use std::io::{self, BufRead, BufReader, Read, Write};

use hashdyno::{Digest, Key, KeyError, Mode, Output};

use crate::check::{Options, Tally};
use crate::list::{
    Algorithm, Claim, Entry, Format, Grammar, Reader, WriteError, Writer, algorithm,
};
use crate::read::names::quoted;
use crate::read::open::{Root, reason};
use crate::read::ordered::ordered;
use crate::verdict::Line;

/// Prefixes of tags, each with what the key is used for.
const PREFIXES: [(&[u8], Mode); 2] = [(b"HMAC-", Mode::Hmac), (b"KEYED-", Mode::Keyed)];

/// A key for a digest: HMAC, or the digest's own keyed mode.
///
/// # Errors
/// If there is none.
pub fn key(mode: Mode, digest: &'static Digest, secret: &[u8]) -> Result<Key, KeyError> {
    if mode == Mode::Hmac { Key::hmac(digest, secret) } else { Key::keyed(digest, secret) }
}

/// Codes of every source: `sink` is given each name with its codes, one for each key, or its error,
/// in order.
///
/// # Errors
/// The first error of `sink`. A file that cannot be read is no error: `sink` is told.
pub fn sum<E>(
    root: &Root,
    mut sources: impl Iterator<Item = Result<Vec<u8>, (Vec<u8>, io::Error)>>,
    keys: &[Key],
    threads: usize,
    mut sink: impl FnMut(&[u8], io::Result<Vec<Output>>) -> Result<(), E>,
) -> Result<(), E> {
    ordered(
        threads,
        &mut sources,
        |sources| Ok(sources.next()),
        |found| match found {
            Ok(name) => {
                let codes = codes(root, &name, keys);
                (name, codes)
            }
            Err((name, error)) => (name, Err(error)),
        },
        |_, (name, codes)| sink(&name, codes),
    )
}

/// The codes of a file.
fn codes(root: &Root, name: &[u8], keys: &[Key]) -> io::Result<Vec<Output>> {
    let mut file = root.open(name)?;
    let mut hashers: Vec<_> = keys.iter().map(Key::hasher).collect();
    let mut buffer = vec![0; 1 << 18];
    loop {
        let len = match file.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        if len == 0 {
            return Ok(hashers.into_iter().map(|hasher| hasher.finish()).collect());
        }
        hashers.iter_mut().for_each(|hasher| hasher.update(&buffer[..len]));
    }
}

/// Writes the line of a file and a key.
///
/// # Errors
/// [`WriteError`]: the list cannot be written, or a line cannot have that name.
pub fn write(out: &mut dyn Write, name: &[u8], key: &Key, code: Output) -> Result<(), WriteError> {
    let digests = algorithm::alone(key.algorithm());
    let mut writer = Writer::new(Vec::new(), Format::Tagged, &digests);
    let claims = vec![Claim { digests: digests.clone(), value: code }];
    writer.entry(&Entry { name: name.to_vec(), claims, size: None, modified: None })?;
    let line = writer.into_inner();
    let (escaped, rest) = line.split_at(usize::from(line.starts_with(b"\\")));
    let prefix = PREFIXES.iter().find(|(_, mode)| *mode == key.mode()).map_or(&b""[..], |it| it.0);
    Ok([escaped, prefix, rest].into_iter().try_for_each(|part| out.write_all(part))?)
}

/// Checks the files of a list under a key. Verdicts go to `out`, messages to `errors`; an error is
/// one of writing to `out`, or of reading the list.
///
/// # Errors
/// As that. A file that fails is no error: it is counted.
pub fn check(
    root: &Root,
    source: impl Read,
    list: &[u8],
    secret: &[u8],
    options: &Options,
    out: &mut dyn Write,
    errors: &mut dyn Write,
) -> io::Result<Tally> {
    let (mut tally, mut keys) = (Tally::default(), Vec::new());
    let mut state = (BufReader::new(source).split(b'\n').enumerate(), &mut tally, out, errors);
    let complain = |errors: &mut dyn Write, what: &str| {
        // Whether anybody reads messages changes no verdict.
        let _ = writeln!(errors, "{}: {what}", options.program);
    };
    let shown = quoted(if list == b"-" { b"standard input" } else { list });
    ordered(
        options.threads,
        &mut state,
        |(lines, tally, _, errors)| -> io::Result<Option<Job>> {
            for (number, line) in lines.by_ref() {
                let line = line?;
                if line.trim_ascii().is_empty() || line.starts_with(b"#") {
                    continue;
                }
                let found = entry(&line).and_then(|(mode, entry)| {
                    let digest = entry.claims[0].digests[0].digest()?;
                    let key = known(&mut keys, mode, digest, secret);
                    Some(Job { entry, key })
                });
                match found {
                    Some(job) => return Ok(Some(job)),
                    None => tally.malformed += 1,
                }
                if options.warn {
                    let what = format!("{shown}: {}: improperly formatted line", number + 1);
                    complain(*errors, &what);
                }
            }
            Ok(None)
        },
        |Job { entry, key }| {
            let code =
                key.map(|key| codes(root, &entry.name, &[key]).map(|codes| codes[0].clone()));
            (entry, code)
        },
        |(_, tally, out, errors), (entry, code)| {
            let name = entry.name.as_slice();
            tally.entries += 1;
            let (text, word) = match code {
                Ok(Ok(code)) if code == entry.claims[0].value => {
                    tally.matched += 1;
                    ("OK", "ok")
                }
                Ok(Ok(_)) => {
                    tally.mismatched += 1;
                    ("FAILED", "failed")
                }
                Ok(Err(error))
                    if error.kind() == io::ErrorKind::NotFound && options.ignore_missing =>
                {
                    tally.absent += 1;
                    return Ok(());
                }
                unread => {
                    tally.unreadable += 1;
                    let why = match unread {
                        Ok(Err(error)) => reason(&error),
                        Err(error) => error.to_string(),
                        Ok(Ok(_)) => unreachable!("it was compared"),
                    };
                    complain(*errors, &format!("{}: {why}", quoted(name)));
                    ("FAILED open or read", "unreadable")
                }
            };
            if options.status || options.quiet && word == "ok" {
                return Ok(());
            }
            Line { name, text, word, other: None }.write(*out, options.style)
        },
    )?;
    let (_, _, out, errors) = state;
    out.flush()?;
    if tally.entries == 0 {
        complain(errors, &format!("{shown}: no lines of codes under a key found"));
    } else if tally.mismatched > 0 && !options.status {
        complain(errors, &format!("WARNING: {} computed codes did NOT match", tally.mismatched));
    }
    Ok(tally)
}

/// A line of a list, and the key for it.
struct Job {
    entry: Entry,
    key: Result<Key, KeyError>,
}

/// The line without its prefix.
fn entry(line: &[u8]) -> Option<(Mode, Entry)> {
    let line = line.trim_ascii();
    let (escaped, line) = line.split_at(usize::from(line.starts_with(b"\\")));
    let (mode, rest) =
        PREFIXES.iter().find_map(|(prefix, mode)| Some((*mode, line.strip_prefix(*prefix)?)))?;
    let plain = [escaped, rest].concat();
    let grammar = Grammar { algorithm: Algorithm::Tagged, ..Grammar::ANY };
    let entry = Reader::new(&plain[..], grammar).next_line().ok()??.entry?;
    Some((mode, entry))
}

/// The key for a digest. A new one is added to `keys`.
fn known(
    keys: &mut Vec<(Mode, &'static Digest, Result<Key, KeyError>)>,
    mode: Mode,
    digest: &'static Digest,
    secret: &[u8],
) -> Result<Key, KeyError> {
    match keys.iter().find(|(known, of, _)| (*known, *of) == (mode, digest)) {
        Some((.., key)) => key.clone(),
        None => {
            keys.push((mode, digest, key(mode, digest, secret)));
            keys[keys.len() - 1].2.clone()
        }
    }
}
