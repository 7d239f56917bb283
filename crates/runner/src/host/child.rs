//! A runner as its host sees it.
//!
//! A `Runner` asks one question at a time, and each question has one answer. The value is in one of
//! these states:
//!
//! ```text
//! start    greeting and list are heard                             -> no job
//! no job   job: the answer is the expected one                     -> a job is current
//! no job   run, again: refused here, the runner is not asked       -> no job
//! current  run N, again                                            -> current
//! current  job; a refusal or a wrong answer                        -> no job
//! any      silence, death, half a line, a malformed line           -> dead: killed
//! ```
//!
//! A runner that only refused, or that answered wrongly, lives on and may get the next job.

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hashdyno::Digest;
use tempfile::TempDir;

use super::process::{Process, Question};
use super::provider::{Names, Provider};
use super::ready::{Ready, Spelled, difference};
use crate::protocol::{Greeting, Job, Kind, MAX_LIST, Offer, RunnerError};
use crate::text::number;
use crate::work::Algorithm;

/// A running child that does jobs over and over and says how long they took. It dies with this
/// value.
pub struct Runner {
    /// Who it is.
    pub greeting: Greeting,
    offers: Vec<Offer>,
    names: Names,
    process: Process,
    /// The time limit of every answer. Work adds to it.
    limit: Duration,
    /// None before the first job, and after one that was refused or wrong.
    current: Option<Current>,
    /// The runner's script is in here.
    _scripts: TempDir,
}

/// The job at hand.
struct Current {
    /// The verified answer, which `again` must give once more.
    answer: Arc<[u8]>,
    /// Bytes of the payload: the first time limit of `run` depends on it.
    len: usize,
    /// How many messages it is about.
    count: usize,
    /// As the runner timed the call that gave the answer.
    first_call: Option<Duration>,
    /// Nanoseconds per call in the last run.
    pace: Option<f64>,
}

/// A run that was asked for and not yet answered.
pub struct Running {
    /// The question, for errors.
    text: String,
    calls: u64,
    limit: Duration,
    /// By the host's clock: no run can have taken longer than since then.
    asked: Instant,
}

impl Runner {
    /// `limit` is for each answer, `patience` for the first.
    pub(crate) fn start(
        command: Command,
        provider: &Provider,
        limit: Duration,
        patience: Duration,
        scripts: TempDir,
    ) -> Result<Self, RunnerError> {
        let mut process = Process::start(command, &provider.hint)?;
        let hello = hear(&mut process, patience).inspect_err(|_| process.kill());
        let (greeting, offers) = hello.map_err(|error| match error {
            // An `error` in place of the greeting names the missing library, build or feature.
            RunnerError::Refused { words, .. } => {
                RunnerError::Missing { program: words, hint: provider.hint.clone() }
            }
            error => error,
        })?;
        Ok(Self {
            greeting,
            offers,
            names: provider.names,
            process,
            limit,
            current: None,
            _scripts: scripts,
        })
    }

    /// All that it can do, in its own words and order.
    pub fn list(&self) -> &[Offer] {
        &self.offers
    }

    /// Whose names for digests it uses.
    pub fn names(&self) -> Names {
        self.names
    }

    /// Its offer of `digest`, if it has it.
    pub fn offers(&self, digest: &Digest) -> Option<&Offer> {
        let name = self.names.of(digest)?;
        self.offers
            .iter()
            .find(|offer| offer.kind == Kind::Digest && offer.name.eq_ignore_ascii_case(name))
    }

    /// What it can do with many messages, if it has `digest`: its interfaces that take them at
    /// once, the default first, then the loops over its implementations for one.
    pub fn offers_many(&self, digest: &Digest) -> Option<Offer> {
        let one = self.offers(digest)?;
        let at_once =
            self.offers.iter().filter(|offer| offer.kind == Kind::Many && offer.name == one.name);
        let mut ways: Vec<String> = Vec::new();
        for way in at_once.chain([one]).flat_map(|offer| &offer.variants) {
            if !ways.contains(way) {
                ways.push(way.clone());
            }
        }
        Some(Offer::many(&one.name, ways))
    }

    /// What it can do of `algorithm` with many messages: of a digest [`Runner::offers_many`].
    pub fn offer_of_many(&self, algorithm: Algorithm) -> Option<Offer> {
        match algorithm {
            Algorithm::Digest(digest) => self.offers_many(digest),
            Algorithm::Cipher(..) => None,
        }
    }

    /// What it can do of `algorithm` with columns, if it has it.
    pub fn offer_of_column(&self, algorithm: Algorithm) -> Option<&Offer> {
        let Algorithm::Digest(digest) = algorithm else { return None };
        let name = self.names.of(digest)?;
        self.offers.iter().find(|offer| offer.kind == Kind::Column && offer.name == name)
    }

    /// Its offer of `algorithm`, if it has it.
    pub fn offer(&self, algorithm: Algorithm) -> Option<&Offer> {
        match algorithm {
            Algorithm::Digest(digest) => self.offers(digest),
            Algorithm::Cipher(cipher, direction) => self.offers.iter().find(|offer| {
                offer.kind == Kind::Cipher
                    && offer.name == cipher.name
                    && offer.variants.contains(&direction.to_string())
            }),
        }
    }

    /// Gives it a job; the answer, which is the expected one if the job knows it.
    ///
    /// # Errors
    /// [`RunnerError`]: the runner refuses, answers wrongly, breaks the protocol, is late, or ends.
    pub fn job(&mut self, job: &Job) -> Result<Arc<[u8]>, RunnerError> {
        self.current = None;
        let (text, len, count) = (job.to_string(), job.payload().len(), job.count());
        let (answer, first_call) = self.answer(self.allowance(len), &text, job.payload())?;
        let answer = self.compare(&text, answer, job.expected(), count)?;
        self.current = Some(Current { answer: answer.clone(), len, count, first_call, pace: None });
        Ok(answer)
    }

    /// How long the one call took that the job at hand was verified by, if the runner says so. Of a
    /// runner that has done nothing yet it is a cold call.
    pub fn first_call(&self) -> Option<Duration> {
        self.current.as_ref()?.first_call
    }

    /// Does the job `calls` times; how long that took by the runner's clock. Without a job whose
    /// answer was right there is nothing to time.
    ///
    /// # Errors
    /// [`RunnerError`]: there is no job, the runner breaks the protocol, is late, or ends.
    pub fn run(&mut self, calls: u64) -> Result<Duration, RunnerError> {
        let running = self.begin(calls)?;
        self.end(running)
    }

    /// The first half of [`Runner::run`]: tells it to, and does not wait.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn begin(&mut self, calls: u64) -> Result<Running, RunnerError> {
        let text = format!("run {calls}");
        let current = self.current.as_ref().ok_or_else(|| no_job(&text))?;
        // The last run tells how long a call takes. Before the first, the length of the payload
        // must do.
        let pace =
            current.pace.map_or(SLOWEST_BYTE * current.len as f64, |pace| PACE_MAY_GROW * pace);
        let (limit, asked) = (self.limit + times(pace, calls), Instant::now());
        self.process.ask(&Question::new(&text, limit), &[]).inspect_err(|_| self.process.kill())?;
        Ok(Running { text, calls, limit, asked })
    }

    /// The second half: waits for its answer.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn end(
        &mut self,
        Running { text, calls, limit, asked }: Running,
    ) -> Result<Duration, RunnerError> {
        let line =
            self.process.line(&Question::new(&text, limit)).inspect_err(|_| self.process.kill())?;
        let line = accepted(&text, line)?;
        let nanoseconds = line.strip_prefix("ran ").and_then(number);
        let nanoseconds =
            nanoseconds.ok_or_else(|| self.malformed(&text, &line, "'ran NANOSECONDS'"))?;
        if let Some(current) = &mut self.current {
            // One that claims a century does not get another.
            let possible = (nanoseconds as f64).min(asked.elapsed().as_nanos() as f64);
            current.pace = Some(possible / calls.max(1) as f64);
        }
        Ok(Duration::from_nanos(nanoseconds))
    }

    /// Does the job once more; the answer, which is the same as before.
    ///
    /// # Errors
    /// As [`Runner::job`].
    pub fn again(&mut self) -> Result<Arc<[u8]>, RunnerError> {
        let current = self.current.as_ref().ok_or_else(|| no_job("again"))?;
        let (expected, limit, count) =
            (current.answer.clone(), self.allowance(current.len), current.count);
        let (answer, _) = self.answer(limit, "again", &[])?;
        self.compare("again", answer, Some(expected), count)
    }

    /// Ends it by closing its input, as the protocol has it: an error unless it exits in time and
    /// well.
    ///
    /// # Errors
    /// [`RunnerError`]: it does not end in time, or ends with another status than 0.
    pub fn finish(mut self) -> Result<(), RunnerError> {
        let question = Question::new("end of input", self.limit);
        if self.process.close(&question)?.success() {
            Ok(())
        } else {
            Err(self.process.died(&question))
        }
    }

    /// Says `text` and the payload; the line that comes back. After any error but a refusal the
    /// runner is dead: who knows what its next line would answer.
    fn request_within(
        &mut self,
        limit: Duration,
        text: &str,
        payload: &[u8],
    ) -> Result<String, RunnerError> {
        let question = Question::new(text, limit);
        let line = self.process.ask(&question, payload).and_then(|()| self.process.line(&question));
        let line = line.inspect_err(|_| self.process.kill())?;
        accepted(text, line)
    }

    /// As the host never speaks, but a check may: any line, any payload.
    pub(crate) fn request(&mut self, text: &str, payload: &[u8]) -> Result<String, RunnerError> {
        self.request_within(self.limit, text, payload)
    }

    /// As [`Runner::request`], with the end of the input after the payload.
    pub(crate) fn request_cut_short(
        mut self,
        text: &str,
        payload: &[u8],
    ) -> Result<String, RunnerError> {
        let question = Question::new(text, self.limit);
        self.process.ask(&question, payload)?;
        self.process.end_input();
        accepted(text, self.process.line(&question)?)
    }

    /// The limit for one answer about `len` bytes.
    fn allowance(&self, len: usize) -> Duration {
        self.limit + times(SLOWEST_BYTE, len as u64)
    }

    /// Asks for an answer: its bytes, and how long the call took if the runner says so.
    fn answer(
        &mut self,
        limit: Duration,
        text: &str,
        payload: &[u8],
    ) -> Result<(Vec<u8>, Option<Duration>), RunnerError> {
        let line = self.request_within(limit, text, payload)?;
        let ready = Ready::parse(&line).ok_or_else(|| {
            self.malformed(text, &line, "'ready HEX [NANOSECONDS]', or '+LENGTH' for HEX")
        })?;
        let bytes = match ready.answer {
            Spelled::Here(bytes) => bytes,
            Spelled::Behind(len) => {
                let question = Question::new(text, limit);
                self.process.bytes(&question, len).inspect_err(|_| self.process.kill())?
            }
        };
        Ok((bytes, ready.took))
    }

    /// The answer about `count` messages, kept once: as `expected` where that is known.
    fn compare(
        &mut self,
        text: &str,
        answer: Vec<u8>,
        expected: Option<Arc<[u8]>>,
        count: usize,
    ) -> Result<Arc<[u8]>, RunnerError> {
        match expected {
            Some(expected) if *expected == *answer => Ok(expected),
            Some(expected) => {
                self.current = None;
                let (answer, expected) = difference(&answer, &expected, count);
                Err(RunnerError::WrongAnswer { request: text.to_owned(), answer, expected })
            }
            None => Ok(answer.into()),
        }
    }

    fn malformed(&mut self, text: &str, line: &str, expected: &'static str) -> RunnerError {
        self.process.kill();
        Question::new(text, self.limit).malformed(line, expected)
    }
}

/// The greeting and the list.
fn hear(process: &mut Process, limit: Duration) -> Result<(Greeting, Vec<Offer>), RunnerError> {
    let greeting = accepted("greeting", process.line(&Question::new("greeting", limit))?)?;
    let greeting = Greeting::parse(&greeting)?;
    let question = Question::new("list", limit);
    process.ask(&question, &[])?;
    let (mut offers, mut bytes) = (Vec::new(), 0);
    loop {
        let line = process.line(&question)?;
        bytes += line.len() + 1;
        match line.as_str() {
            "end" => return Ok((greeting, offers)),
            // A runner that never says `end` must not fill the memory.
            line if bytes > MAX_LIST => return Err(question.malformed(line, "'end' within 1 MiB")),
            line => offers.push(Offer::parse(line).ok_or_else(|| {
                question
                    .malformed(line, "'digest NAME [IMPLEMENTATION ...]', another offer or 'end'")
            })?),
        }
    }
}

/// `line`, unless it is a refusal.
fn accepted(request: &str, line: String) -> Result<String, RunnerError> {
    match line.strip_prefix("error ") {
        Some(words) => {
            Err(RunnerError::Refused { request: request.to_owned(), words: words.to_owned() })
        }
        None => Ok(line),
    }
}

fn no_job(request: &str) -> RunnerError {
    RunnerError::Refused { request: request.to_owned(), words: "no job".to_owned() }
}

/// `nanoseconds` x `count`, or as long as there is.
fn times(nanoseconds: f64, count: u64) -> Duration {
    Duration::from_nanos((nanoseconds * count as f64) as u64)
}

/// Nanoseconds; no digest that anybody measures takes longer: MD2 in a debug build.
const SLOWEST_BYTE: f64 = 500.0;

/// How many times slower than the last run the next one may be.
const PACE_MAY_GROW: f64 = 8.0;
