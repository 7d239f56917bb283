//! The rules for runners of columns, which have neither messages nor ciphers.
//!
//! These rules stand in for the rules of `conformance` where `columns = true` is in `runners.toml`.
//! The payload of a column is offsets and then the rows, so a row of one letter is 9 bytes:
//!
//! ```text
//! job column md5 rows=1 len=9
//! 00 00 00 00  01 00 00 00  61
//! ```

use hashdyno::Digest;

use super::super::Runner;
use super::{Broken, Outcome, Rule, cut_short, empty, refused, refused_with, takes_longer};
use crate::protocol::{Job, Kind, Offer};
use crate::work::Column;

pub(super) const RULES: &[Rule] = &[
    ("every column is right, and again", columns),
    ("more calls on a column take longer", timing),
    ("the empty job is empty", empty),
    ("what it cannot do is an error, and it lives on", refusals),
    ("a column cut short gets no answer", truncation),
    ("it ends with its input", end),
];

/// Of no strings but empty ones, of mixed ones, and of as many as an engine takes in pieces.
fn columns(mut runner: Runner) -> Outcome {
    let mut count = 0;
    for (digest, offer) in known(&runner)? {
        for (rows, shortest, longest) in [(3, 0, 0), (100, 0, 300), (5000, 5, 40)] {
            let column = Column::new(rows, shortest, longest).expect("a job can be so large");
            let job = Job::column(digest, &offer, column);
            for job in offer.variants.iter().map(|way| job.clone().by(way)).chain([job.clone()]) {
                runner.job(&job)?;
                runner.run(1)?;
                runner.again()?;
                count += 1;
            }
        }
    }
    Ok(format!("{count} columns, twice each"))
}

fn timing(mut runner: Runner) -> Outcome {
    sample(&mut runner)?;
    takes_longer(runner)
}

fn refusals(mut runner: Runner) -> Outcome {
    refused(&mut runner, &["run 1", "again", "", "job column", "job digest md5"])?;
    let name = known(&runner)?.remove(0).1.name;
    let (one, layout) = ("rows=1 len=9", b"\0\0\0\0\x01\0\0\0a");
    for words in [
        &format!("no-such-digest {one}"),
        &format!("{name} {one} impl=no-such"),
        &format!("{name} {one} out=7"),
        &format!("{name} rows=2 len=9"),
        &format!("{name} len=9"),
    ] {
        sample(&mut runner)?;
        refused_with(&mut runner, &format!("job column {words}"), layout)?;
        refused(&mut runner, &["run 1", "again"])?;
    }
    let text = format!("job column {name} {one}");
    // The last offset lies beyond the data: an engine that trusts it reads memory that is not its
    // own.
    refused_with(&mut runner, &text, b"\0\0\0\0\x02\0\0\0a")?;
    sample(&mut runner)?;
    Ok("11 refused".to_owned())
}

fn truncation(runner: Runner) -> Outcome {
    let line = format!("job column {} rows=1 len=1000", known(&runner)?.remove(0).1.name);
    cut_short(runner, &line)
}

fn end(mut runner: Runner) -> Outcome {
    sample(&mut runner)?;
    runner.finish()?;
    Ok("exit status 0".to_owned())
}

/// Gives it a job that it can do.
fn sample(runner: &mut Runner) -> Result<(), Broken> {
    let (digest, offer) = known(runner)?.remove(0);
    let column = Column::new(1000, 5, 40).expect("a job can be so large");
    runner.job(&Job::column(digest, &offer, column))?;
    Ok(())
}

/// What it offers, one at least.
fn known(runner: &Runner) -> Result<Vec<(&'static Digest, Offer)>, Broken> {
    let columns = runner.list().iter().filter(|offer| offer.kind == Kind::Column);
    let known: Vec<_> = columns
        .filter_map(|offer| Some((runner.names().digest(&offer.name)?, offer.clone())))
        .collect();
    if known.is_empty() { Err(Broken("it offers no column".to_owned())) } else { Ok(known) }
}
