//! Whether a runner keeps to the protocol: `hashdyno runner --check NAME`.

mod ciphers;
mod columns;

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use hashdyno::Digest;

use super::{Options, Provider, Runner};
use crate::protocol::{Greeting, Job, Kind, Offer, RunnerError};
use crate::work::Shape;
use ciphers::ciphers;

/// The lengths in bytes at which every digest is verified: around the edges of 64- and 128-byte
/// blocks and their padding, the documents' 5000, and more than a pipe holds.
pub const LENGTHS: [usize; 12] = [0, 1, 55, 56, 63, 64, 111, 112, 127, 128, 5000, 65543];

/// The lengths in bytes of a few messages in one job: empty ones at the beginning, beside each
/// other and at the end, and the edges of blocks.
const FEW: [usize; 10] = [0, 1, 64, 600, 0, 0, 55, 128, 111, 0];

/// What [`check`] found.
#[derive(Clone, Debug)]
pub struct ConformanceReport {
    /// The provider's name.
    pub provider: String,
    /// Who answered, if somebody did.
    pub greeting: Option<Greeting>,
    /// What was asked of it, in order.
    pub checks: Vec<Check>,
}

/// One rule of the protocol.
#[derive(Clone, Debug)]
pub struct Check {
    /// The rule, in a few words.
    pub rule: &'static str,
    /// What was seen, or what is wrong.
    pub outcome: Result<String, String>,
}

impl ConformanceReport {
    /// Whether the runner keeps to every rule.
    pub fn passed(&self) -> bool {
        self.checks.iter().all(|check| check.outcome.is_ok())
    }
}

impl fmt::Display for ConformanceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.checks.iter().try_for_each(|Check { rule, outcome }| match outcome {
            Ok(seen) => writeln!(f, "ok      {rule}: {seen}"),
            Err(wrong) => writeln!(f, "FAILED  {rule}: {wrong}"),
        })
    }
}

/// Asks of the provider's runner all that the protocol demands. Each rule gets a runner of its own,
/// so that one broken rule does not hide the next.
pub fn check(provider: &Provider, options: &Options) -> ConformanceReport {
    let greeting = provider.start(options).map(|runner| runner.greeting.clone());
    let first = greeting.as_ref().map(Greeting::to_string).map_err(ToString::to_string);
    let mut checks = vec![Check { rule: "it greets and lists", outcome: first }];
    if greeting.is_ok() {
        let rules = if provider.columns { columns::RULES } else { RULES };
        checks.extend(rules.iter().map(|rule| rule_kept(provider, options, rule)));
    }
    ConformanceReport { provider: provider.name.clone(), greeting: greeting.ok(), checks }
}

/// The rule for ciphers alone.
pub fn check_ciphers(provider: &Provider, options: &Options) -> Check {
    rule_kept(provider, options, &CIPHERS)
}

fn rule_kept(provider: &Provider, options: &Options, &(rule, ask): &Rule) -> Check {
    let mut options = options.clone();
    // Nothing here is a measurement: no runner need warm up.
    options.env.push(("HASHDYNO_CHECK".to_owned(), "1".to_owned()));
    let outcome = provider.start(&options).map_err(Broken::from).and_then(ask);
    Check { rule, outcome: outcome.map_err(|broken| broken.0) }
}

/// How a rule is broken, in words.
struct Broken(String);

impl From<RunnerError> for Broken {
    fn from(error: RunnerError) -> Self {
        Self(error.to_string())
    }
}

/// What was seen that shows a rule kept.
type Outcome = Result<String, Broken>;

/// A rule, and how to ask it of a runner.
type Rule = (&'static str, fn(Runner) -> Outcome);

const CIPHERS: Rule = ("every cipher is right both ways, and again, and checks its tag", ciphers);

const RULES: &[Rule] = &[
    ("it offers what we know, and nothing twice", offers),
    ("every digest is right, and again", answers),
    ("every digest of many messages is right, and again", many),
    CIPHERS,
    ("more calls take longer", timing),
    ("more calls on many messages take longer", many_timing),
    ("the empty job is empty", empty),
    ("what it cannot do is an error, and it lives on", refusals),
    ("a wrong length is an error, and it lives on", lengths),
    ("a payload cut short gets no answer", truncation),
    ("many messages cut short get no answer", many_truncation),
    ("it ends with its input", end),
];

fn offers(runner: Runner) -> Outcome {
    let mut seen = HashSet::new();
    if let Some(twice) = runner.list().iter().find(|offer| !seen.insert((offer.kind, &offer.name)))
    {
        return Err(Broken(format!("{} is offered twice", twice.name)));
    }
    match known(&runner).len() {
        0 => Err(Broken(
            "none of its digests is one of ours: is 'names' right in runners.toml?".to_owned(),
        )),
        known => Ok(format!("{} offers, {known} of them digests that we can verify", seen.len())),
    }
}

fn answers(mut runner: Runner) -> Outcome {
    let mut count = 0;
    for (digest, offer) in known(&runner) {
        for job in jobs(digest, &offer) {
            runner.job(&job)?;
            runner.run(1)?;
            runner.again()?;
            count += 1;
        }
    }
    Ok(format!("{count} digests, twice each"))
}

/// By every way there is: one message, and a few whose digests it has just given one by one. As
/// many as a job may have by what takes them at once, or else by the default.
fn many(mut runner: Runner) -> Outcome {
    let (mut count, mut at_once) = (0, 0);
    for (digest, offer) in known(&runner) {
        let ways = runner.offers_many(digest).map(|offer| offer.variants).unwrap_or_default();
        for lens in [&FEW[..], &[0], &[600]] {
            let job = many_job(digest, &offer, lens);
            let mut singles = Vec::new();
            for &len in lens {
                singles.extend_from_slice(&runner.job(&Job::digest_expecting(
                    digest,
                    &offer,
                    message(len),
                    None,
                ))?);
            }
            for job in ways.iter().map(|way| job.clone().by(way)).chain([job.clone()]) {
                let together = runner.job(&job)?;
                if *together != *singles {
                    return Err(Broken(format!(
                        "'{job}' gives other digests than one message after another"
                    )));
                }
                runner.run(1)?;
                runner.again()?;
                count += 1;
            }
        }
        let lens: Vec<_> =
            Shape::new(Shape::USUAL_COUNT, 0, 600).expect("a job can be so large").lens().collect();
        let job = many_job(digest, &offer, &lens);
        let list = runner.list().iter();
        let interfaces = list.filter(|other| other.kind == Kind::Many && other.name == offer.name);
        let interfaces: Vec<_> =
            interfaces.flat_map(|offer| &offer.variants).map(|way| job.clone().by(way)).collect();
        at_once += interfaces.len();
        for job in interfaces.into_iter().chain([job]) {
            runner.job(&job)?;
            runner.run(1)?;
            runner.again()?;
            count += 1;
        }
    }
    Ok(format!("{count} jobs, twice each; {at_once} ways to take {} at once", Shape::USUAL_COUNT))
}

/// The messages of these lengths begin as [`message`] does.
fn many_job(digest: &Digest, offer: &Offer, lens: &[usize]) -> Job {
    Job::many(
        digest,
        offer,
        lens.into(),
        lens.iter().flat_map(|&len| message(len).to_vec()).collect(),
    )
}

/// Eight times the calls take longer, by twice at least: a clock that stands, a job done once, or a
/// loop removed do not.
fn timing(mut runner: Runner) -> Outcome {
    sample(&mut runner)?;
    takes_longer(runner)
}

fn many_timing(mut runner: Runner) -> Outcome {
    let (digest, offer) = first(&runner)?;
    runner.job(&many_job(digest, &offer, &FEW))?;
    takes_longer(runner)
}

fn takes_longer(mut runner: Runner) -> Outcome {
    let mut calls = 1;
    while runner.run(calls)? < Duration::from_micros(200) {
        calls *= 2;
        if calls > 1 << 30 {
            return Err(Broken(format!("{calls} calls take less than 0.2 ms")));
        }
    }
    let mut best = |calls| {
        (0..5)
            .map(|_| runner.run(calls))
            .try_fold(Duration::MAX, |best, next| Ok::<_, RunnerError>(best.min(next?)))
    };
    // Many first: meanwhile a compiler at run time comes to an end, and the few are not its work.
    let (many, few) = (best(8 * calls)?, best(calls)?);
    let ratio = many.as_secs_f64() / few.as_secs_f64();
    let seen = format!("{} calls take {ratio:.1} times as long as {calls}", 8 * calls);
    if ratio > 2.0 { Ok(seen) } else { Err(Broken(seen)) }
}

fn empty(mut runner: Runner) -> Outcome {
    runner.job(&Job::Empty)?;
    let calls = 100_000;
    let elapsed = runner.run(calls)?;
    runner.again()?;
    Ok(format!("{:.1} ns a turn", elapsed.as_nanos() as f64 / calls as f64))
}

fn refusals(mut runner: Runner) -> Outcome {
    refused(&mut runner, &["run 1", "again"])?;
    let strange = [
        "",
        "job",
        "frobnicate",
        "run",
        "run x",
        "run -1",
        "run 1 2",
        "job digest no-such-digest len=0",
        "job no-such-kind x len=0",
    ];
    for line in strange {
        sample(&mut runner)?;
        refused(&mut runner, &[line])?;
    }
    for words in [
        "no-such-digest len=3",
        "no-such-digest len=3 impl=x",
        &format!("{} len=3 impl=no-such", first(&runner)?.1.name),
    ] {
        sample(&mut runner)?;
        refused_with(&mut runner, &format!("job digest {words}"), b"abc")?;
        // A job that is refused is not replaced by the one before.
        refused(&mut runner, &["run 1", "again"])?;
    }
    sample(&mut runner)?;
    for words in
        ["no-such-digest lens=1,2", &format!("{} lens=3,0 impl=no-such", first(&runner)?.1.name)]
    {
        refused_with(&mut runner, &format!("job many {words}"), b"abc")?;
    }
    sample(&mut runner)?;
    // A runner without files refuses this one, but not before it has read the path.
    match runner.request("job open len=3", b"abc") {
        Ok(_) | Err(RunnerError::Refused { .. }) => sample(&mut runner)?,
        Err(error) => return Err(error.into()),
    }
    Ok(format!("{} lines refused", 2 + strange.len() + 3 * 3 + 2))
}

fn lengths(mut runner: Runner) -> Outcome {
    let name = first(&runner)?.1.name;
    let lengths = [
        "",
        " len=",
        " len=-1",
        " len=x",
        " len=0x3",
        " len=1e3",
        " len=1073741825",
        " len=18446744073709551617",
    ];
    for len in lengths {
        refused(&mut runner, &[&format!("job digest {name}{len}")])?;
    }
    let many = [
        "",
        " lens=",
        " lens=1,,2",
        " lens=1,",
        " lens=-1",
        " lens=x",
        " lens=1073741824,1",
        " lens=0,18446744073709551617",
    ];
    for lens in many {
        refused(&mut runner, &[&format!("job many {name}{lens}")])?;
    }
    sample(&mut runner)?;
    Ok(format!("{} refused", lengths.len() + many.len()))
}

fn truncation(runner: Runner) -> Outcome {
    let line = format!("job digest {} len=1000", first(&runner)?.1.name);
    cut_short(runner, &line)
}

fn many_truncation(runner: Runner) -> Outcome {
    let line = format!("job many {} lens=1,2,1", first(&runner)?.1.name);
    cut_short(runner, &line)
}

/// No answer to a payload of three bytes.
fn cut_short(runner: Runner, line: &str) -> Outcome {
    match runner.request_cut_short(line, b"abc") {
        Ok(line) => Err(Broken(format!("it answers '{line}'"))),
        Err(RunnerError::Died { status, .. }) if !status.success() => {
            Ok(format!("it ends with {status}"))
        }
        Err(RunnerError::Refused { words, .. }) => Ok(format!("error {words}")),
        Err(error) => Err(error.into()),
    }
}

fn end(mut runner: Runner) -> Outcome {
    sample(&mut runner)?;
    runner.finish()?;
    Ok("exit status 0".to_owned())
}

/// What it offers of the digests that are ours too.
fn known(runner: &Runner) -> Vec<(&'static Digest, Offer)> {
    let digests = runner.list().iter().filter(|offer| offer.kind == Kind::Digest);
    digests.filter_map(|offer| Some((runner.names().digest(&offer.name)?, offer.clone()))).collect()
}

/// Some digest that it offers.
fn first(runner: &Runner) -> Result<(&'static Digest, Offer), Broken> {
    known(runner).into_iter().next().ok_or_else(|| Broken("there is no digest to try".to_owned()))
}

/// Gives it a job that it can do.
fn sample(runner: &mut Runner) -> Result<(), Broken> {
    let (digest, offer) = first(runner)?;
    runner.job(&Job::digest(digest, &offer, message(5000)))?;
    Ok(())
}

/// Every implementation of `digest` at every length.
fn jobs(digest: &Digest, offer: &Offer) -> Vec<Job> {
    let lengths = LENGTHS.iter().map(|&len| Job::digest(digest, offer, message(len)));
    lengths
        .flat_map(|job| {
            offer
                .variants
                .iter()
                .map(|name| job.clone().by(name))
                .chain([job.clone()])
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Bytes whose blocks all differ.
fn message(len: usize) -> Arc<[u8]> {
    (0..len).map(|index| (index % 251) as u8).collect()
}

fn refused(runner: &mut Runner, lines: &[&str]) -> Result<(), Broken> {
    lines.iter().try_for_each(|line| refused_with(runner, line, b""))
}

fn refused_with(runner: &mut Runner, line: &str, payload: &[u8]) -> Result<(), Broken> {
    match runner.request(line, payload) {
        Err(RunnerError::Refused { .. }) => Ok(()),
        Err(error) => Err(error.into()),
        Ok(answer) => {
            Err(Broken(format!("'{line}' is answered by '{answer}', expected 'error WORDS'")))
        }
    }
}
