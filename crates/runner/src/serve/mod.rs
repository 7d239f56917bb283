//! The runner's side of the protocol, for runners written in Rust: one loop, whatever is measured.
//!
//! ```text
//! host> job digest md5 len=3          Request::Job, then 3 bytes
//! host> run 2000                      Request::Run: the loop alone is timed
//! host> again                         Request::Again
//! end of input                        Ok: exit status 0
//! end of input within a payload       Err: another exit status
//! the host is gone (EPIPE)            Ok: without a word
//! ```
//!
//! The payload is read before the job is judged, so that a refusal does not take it for lines.
//! Output is flushed after each answer: the host waits for it.

mod aligned;
mod implementation;
mod inputs;
mod many;
mod one;
mod ours;
mod stack;

use std::ffi::OsString;
use std::fs::File;
use std::hint::black_box;
use std::io::{self, BufRead, Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::time::Instant;

use hashdyno::hex;

use crate::protocol::MAX_SPELLED;
use crate::text::{number, unhex};
use crate::work::{Cipher, Direction, MAX_PAYLOAD};

pub use implementation::{CipherTask, Implementation, Task, Work};
pub use inputs::Inputs;
pub use many::Each;
pub use one::One;
pub use ours::Ours;
pub use stack::on_a_page;

/// Answers the host until its input ends, or the host is gone.
///
/// # Errors
/// Input or output failed, or the input ended within a payload.
pub fn serve(
    implementation: &impl Implementation,
    input: impl BufRead,
    output: impl Write,
) -> io::Result<()> {
    match answer_all(implementation, input, output) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

fn answer_all(
    implementation: &impl Implementation,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    writeln!(output, "{}", implementation.greeting())?;
    output.flush()?;
    let mut work = None;
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        let reply = match Request::parse(line.trim_end_matches('\n')) {
            Ok(Request::List) => Ok(list(implementation).into()),
            Ok(Request::Job(job)) => {
                // A job that is refused must leave none: the host would time the old one.
                work = None;
                let mut payload = vec![0; job.len];
                input.read_exact(&mut payload)?;
                job.start(implementation, payload).and_then(|mut ready| {
                    let reply = answer(&mut ready);
                    work = reply.is_ok().then_some(ready);
                    reply
                })
            }
            Ok(Request::Run(calls)) => work
                .as_mut()
                .ok_or_else(no_job)
                .and_then(|work| Ok(format!("ran {}", timed(work, calls)?).into())),
            Ok(Request::Again) => work.as_mut().ok_or_else(no_job).and_then(answer),
            Err(words) => Err(words),
        };
        let reply = reply.unwrap_or_else(|words| format!("error {words}").into());
        writeln!(output, "{}", reply.line)?;
        output.write_all(&reply.behind)?;
        output.flush()?;
        line.clear();
    }
    Ok(())
}

fn list(implementation: &impl Implementation) -> String {
    implementation.offers().iter().map(|offer| format!("{offer}\n")).collect::<String>() + "end"
}

/// A line, and what follows it.
struct Reply {
    line: String,
    behind: Vec<u8>,
}

impl From<String> for Reply {
    fn from(line: String) -> Self {
        Self { line, behind: Vec::new() }
    }
}

fn answer(work: &mut Box<dyn Work + '_>) -> Result<Reply, String> {
    let took = timed(work, 1)?;
    let bytes = work.answer();
    Ok(match bytes.len() {
        0 => format!("ready - {took}").into(),
        1..=MAX_SPELLED => format!("ready {} {took}", hex(&bytes)).into(),
        len => Reply { line: format!("ready +{len} {took}"), behind: bytes },
    })
}

/// Nanoseconds of so many calls.
fn timed(work: &mut Box<dyn Work + '_>, calls: u64) -> Result<u128, String> {
    let begin = Instant::now();
    work.run(calls)?;
    Ok(begin.elapsed().as_nanos())
}

fn no_job() -> String {
    "no job".to_owned()
}

/// What the host may say.
enum Request<'a> {
    List,
    Job(JobLine<'a>),
    Run(u64),
    Again,
}

/// A `job` line.
#[derive(Default)]
struct JobLine<'a> {
    kind: &'a str,
    /// Of a cipher: direction, key and initialisation vector, as they are written.
    cipher: [&'a str; 3],
    task: Task<'a>,
    /// Of the payload.
    len: usize,
    /// Of each message in it, where they are many.
    lens: Vec<usize>,
    /// A word that means nothing to us: an error, but only after the payload, or that would be
    /// taken for the next line.
    unknown: Option<&'a str>,
}

impl<'a> Request<'a> {
    fn parse(line: &'a str) -> Result<Self, String> {
        let words: Vec<_> = line.split(' ').collect();
        match words[..] {
            ["list"] => Some(Self::List),
            ["again"] => Some(Self::Again),
            ["run", calls] => number(calls).map(Self::Run),
            ["job", "empty"] => Some(Self::Job(JobLine { kind: "empty", ..JobLine::default() })),
            ["job", "open", length] => JobLine::parse("open", "", &[length]).map(Self::Job),
            ["job", "cipher", name, direction, ref rest @ ..] => {
                JobLine::parse("cipher", name, rest).map(|job| {
                    Self::Job(JobLine { cipher: [direction, job.cipher[1], job.cipher[2]], ..job })
                })
            }
            ["job", kind, name, ref rest @ ..] => JobLine::parse(kind, name, rest).map(Self::Job),
            _ => None,
        }
        .ok_or_else(|| format!("not understood: {line}"))
    }
}

impl<'a> JobLine<'a> {
    fn parse(kind: &'a str, name: &'a str, words: &[&'a str]) -> Option<Self> {
        let (mut len, mut lens, mut unknown, mut cipher) = (None, Vec::new(), None, [""; 3]);
        let mut task = Task { name, ..Task::default() };
        for &word in words {
            match word.split_once('=') {
                Some(("len", value)) if kind != "many" => len = Some(size(value)?),
                Some(("lens", value)) if kind == "many" => {
                    lens = value.split(',').map(size).collect::<Option<_>>()?;
                    len = Some(lens.iter().sum()).filter(|&sum| sum <= MAX_PAYLOAD);
                }
                Some(("out", value)) if size(value).is_some() => task.output_len = size(value),
                Some(("impl", value)) if kind != "cipher" => task.implementation = Some(value),
                Some(("key", value)) if kind == "cipher" => cipher[1] = value,
                Some(("iv", value)) if kind == "cipher" => cipher[2] = value,
                _ => unknown = Some(word),
            }
        }
        Some(Self { kind, cipher, task, len: len?, lens, unknown })
    }

    fn start<'i>(
        &self,
        implementation: &'i impl Implementation,
        payload: Vec<u8>,
    ) -> Result<Box<dyn Work + 'i>, String> {
        if let Some(word) = self.unknown {
            return Err(format!("not understood: {word}"));
        }
        match self.kind {
            "empty" => Ok(Box::new(Empty)),
            "open" => Ok(Box::new(Open {
                path: OsString::from_vec(payload).into(),
                piece: [0; 4096],
                count: 0,
            })),
            "digest" => implementation.digest(self.task, payload),
            "many" => {
                implementation.many(self.task, Inputs { bytes: payload, lens: self.lens.clone() })
            }
            "cipher" => implementation.cipher(self.cipher(payload.len())?, payload),
            kind => Err(format!("no such kind of job: {kind}")),
        }
    }
}

impl JobLine<'_> {
    /// The cipher that is wanted of `len` bytes, if all is as long as it must be.
    fn cipher(&self, len: usize) -> Result<CipherTask, String> {
        let [direction, key, iv] = self.cipher;
        let parts =
            (Cipher::find(self.task.name), Direction::find(direction), unhex(key), unhex(iv));
        let (Some(cipher), Some(direction), Some(key), Some(iv)) = parts else {
            return Err(format!(
                "no cipher {} {direction}, or key or iv is not hexadecimal",
                self.task.name
            ));
        };
        if key.len() != cipher.key_len
            || iv.len() != cipher.iv_len()
            || !cipher.accepts(direction, len)
        {
            return Err(format!("{} wants other lengths", cipher.name));
        }
        Ok(CipherTask { cipher, direction, key, iv })
    }
}

/// A length in bytes that this protocol allows.
fn size(word: &str) -> Option<usize> {
    number(word).and_then(|len| usize::try_from(len).ok()).filter(|&len| len <= MAX_PAYLOAD)
}

/// The bare loop.
struct Empty;

impl Work for Empty {
    fn answer(&self) -> Vec<u8> {
        Vec::new()
    }

    fn run(&mut self, calls: u64) -> Result<(), String> {
        (0..calls).for_each(|call| {
            black_box(call);
        });
        Ok(())
    }
}

/// A small file.
struct Open {
    path: PathBuf,
    piece: [u8; 4096],
    count: usize,
}

impl Work for Open {
    fn answer(&self) -> Vec<u8> {
        self.piece[..self.count].to_vec()
    }

    fn run(&mut self, calls: u64) -> Result<(), String> {
        (0..calls)
            .try_for_each(|_| {
                self.count = File::open(&self.path)?.read(&mut self.piece)?;
                Ok::<_, io::Error>(())
            })
            .map_err(|error| format!("{}: {error}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What our own runner says to `input`, line by line, timings apart.
    fn said(input: &[u8]) -> Vec<String> {
        let mut output = Vec::new();
        serve(&Ours::new(None).unwrap(), input, &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        let timeless = |line: &str| match line.split(' ').collect::<Vec<_>>()[..] {
            ["ran", _] => "ran".to_owned(),
            ["ready", answer, _] => format!("ready {answer}"),
            _ => line.to_owned(),
        };
        text.lines().map(timeless).collect()
    }

    #[test]
    fn a_job_is_done_and_done_again() {
        let lines = said(b"job digest md5 len=3\nabcrun 10\nagain\njob empty\nrun 5\nagain\n");
        let md5 = "ready 900150983cd24fb0d6963f7d28e17f72";
        assert!(lines[0].starts_with("runner 1 hashdyno "), "{}", lines[0]);
        assert_eq!(lines[1..], [md5, "ran", md5, "ready -", "ran", "ready -"]);
    }

    #[test]
    fn many_messages_are_answered_one_after_another() {
        let digests = [
            "d41d8cd98f00b204e9800998ecf8427e",
            "900150983cd24fb0d6963f7d28e17f72",
            "0cc175b9c0f1b6a831c399e269772661",
        ];
        let ready = format!("ready {}", digests.concat());
        let lines = said(
            b"job many md5 lens=0,3,1\nabcarun 2\nagain\njob many md5 lens=0,3,1 \
            impl=portable\nabca",
        );
        assert_eq!(lines[1..], [&ready, "ran", &ready, &ready]);
        for lens in [
            "",
            " lens=",
            " lens=-1",
            " lens=1,,2",
            " lens=1,",
            " len=3",
            " lens=1073741824,1",
            " lens=1 lens=1073741825",
        ] {
            let lines = said(format!("job many md5{lens}\nlist\n").as_bytes());
            assert!(lines[1].starts_with("error "), "{lens}: {}", lines[1]);
            assert_eq!(lines.last().unwrap(), "end", "{lens}");
        }
    }

    #[test]
    fn what_is_not_understood_is_an_error_and_no_end() {
        for line in [
            "",
            "frob",
            "run",
            "run x",
            "run -1",
            "run 1 2",
            "again",
            "run 1",
            "job",
            "job digest",
            "job digest md5",
            "job empty len=1",
        ] {
            let lines = said(format!("{line}\nlist\n").as_bytes());
            assert!(lines[1].starts_with("error "), "{line}: {}", lines[1]);
            assert_eq!(lines.last().unwrap(), "end", "{line}");
        }
        for len in ["", "-1", "+1", "x", "0x3", "1e3", "1073741825", "18446744073709551617"] {
            assert!(
                said(format!("job digest md5 len={len}\n").as_bytes())[1].starts_with("error "),
                "{len}"
            );
        }
    }

    #[test]
    fn a_job_that_is_refused_ends_the_one_before() {
        let lines =
            said(b"job digest md5 len=0\njob digest no-such-digest len=3\nabcrun 1\nagain\n");
        assert!(lines[2..].iter().all(|line| line.starts_with("error ")), "{lines:?}");
        assert_eq!(lines.len(), 5);
    }

    #[test]
    fn a_payload_cut_short_ends_the_runner() {
        let mut output = Vec::new();
        let end = serve(&Ours::new(None).unwrap(), &b"job digest md5 len=4\nabc"[..], &mut output);
        assert_eq!(end.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
