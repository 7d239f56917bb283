//! A tree of photographs and its copy: read here, hashed by runners, the time of hashing counted
//! apart from reading.
//!
//! ```text
//! for each round, for each photograph, for source then copy:
//!     read the file once                     reading_ns of the round
//!     for each hand in a new random order:   verified, then timed between two probes
//! ```
//!
//! A hand is a provider at an algorithm. All hands hash the same bytes one after another, so that
//! two of them are compared file by file. The digest of a copy is held against its source's, as a
//! program for copies would do it.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;
use std::time::Instant;

use gauge::{Engine, Sample};
use hashdyno::Digest;
use runner::{Algorithm, Job, RunnerError, Size};

use super::photos::{SIDES, Side, Tree};
use super::{FilesError, Place};
use crate::record::files::{Hashed, Pass};
use crate::run::crew::Crew;
use crate::run::member::Timed;
use crate::run::{Progress, work};
use crate::study::{FileTable, Source};

/// Makes the tree and hashes it in every provider that is asked, file by file in turn. Where the
/// run is to stop, that is not all.
pub(crate) fn measure(
    table: &FileTable,
    quick: bool,
    place: &Place,
    crew: &mut Crew<'_>,
    engine: &mut Engine,
    progress: &mut dyn Progress,
) -> Result<(Pass, Vec<Hashed>), FilesError> {
    let (rounds, photos) = table.amount(quick);
    let photos = photos.expect("a tree has photographs");
    // A kept folder may lie on a disk that is full of these very photographs.
    let missing = Tree::missing(place.path(), photos);
    if missing > 0 {
        place.need(missing)?;
    }
    let tree = Tree::write(place.path(), photos).map_err(place.error("write photographs"))?;
    let mut hands = hands(table, crew);
    let mut pass =
        Pass { table: table.id.clone(), photos: photos.count, bytes: 0, reading_ns: Vec::new() };
    pass.bytes = 2 * tree.photos.iter().map(super::photos::Photo::bytes).sum::<u64>();
    let mut order = fastrand::Rng::with_seed(engine.plan().seed);
    let mut answers = Answers::default();
    for round in 0..rounds * MOST_TIMES {
        // More rounds come only where a busy machine left too few clean samples.
        if round >= rounds && hands.iter().all(|hand| hand.is_enough(engine)) {
            break;
        }
        for hand in &mut hands {
            let rounds = table.rounds_of(&hand.source, quick);
            hand.takes_part = round < rounds || !hand.is_enough(engine);
        }
        let mut reading_ns = 0;
        for (index, photo) in tree.photos.iter().enumerate() {
            if crew.stop().is_asked() {
                return Ok((pass, Vec::new()));
            }
            progress.group(&format!("round {} of {rounds}, {}", round + 1, photo.name));
            for side in SIDES {
                let begin = Instant::now();
                let bytes: Arc<[u8]> = fs::read(tree.path(photo, side))
                    .map_err(place.error("read photographs"))?
                    .into();
                reading_ns += begin.elapsed().as_nanos() as u64;
                order.shuffle(&mut hands);
                // The number of the reading pairs the samples of two hands.
                let turn = (round as usize * tree.photos.len() + index) * 2
                    + usize::from(side == Side::Destination);
                let last = index + 1 == tree.photos.len() && side == Side::Destination;
                let file =
                    File { photo: index, name: &photo.name, side, turn: turn as u32, bytes, last };
                hands
                    .iter_mut()
                    .filter(|hand| hand.takes_part)
                    .for_each(|hand| hand.hash(&file, &mut answers, crew, engine, progress));
            }
            if round < rounds {
                progress.done(work::of_step(table, quick, round));
            }
        }
        pass.reading_ns.push(reading_ns);
    }
    hands.sort_by_key(|hand| hand.place);
    Ok((pass, hands.into_iter().map(|hand| hand.conclude(table, engine)).collect()))
}

/// Every algorithm with every provider that has it, in the table's order.
fn hands(table: &FileTable, crew: &mut Crew<'_>) -> Vec<Hand> {
    let mut hands = Vec::new();
    for name in &table.algorithms {
        let algorithm = Algorithm::find(name).expect("a study names only what there is");
        for source in &table.providers {
            let Some((_, offer)) = crew.offer(source, algorithm, Size::default()) else { continue };
            let implementation = source
                .implementation
                .as_ref()
                .or(offer.implementations(algorithm).first())
                .cloned();
            let (source, name, place) = (source.clone(), name.clone(), hands.len());
            hands.push(Hand {
                place,
                source,
                name,
                algorithm,
                implementation,
                takes_part: true,
                samples: Vec::new(),
                failure: None,
            });
        }
    }
    hands
}

/// A provider at an algorithm.
struct Hand {
    /// In the table's order.
    place: usize,
    source: Source,
    name: String,
    algorithm: Algorithm,
    implementation: Option<String>,
    /// In the round that is under way.
    takes_part: bool,
    samples: Vec<Sample>,
    failure: Option<String>,
}

/// One photograph on one side, as read.
struct File<'a> {
    photo: usize,
    name: &'a str,
    side: Side,
    /// Which of all readings of the study it is: samples of one turn are set against each other.
    turn: u32,
    bytes: Arc<[u8]>,
    /// The last of its round.
    last: bool,
}

impl Hand {
    fn hash(
        &mut self,
        file: &File<'_>,
        answers: &mut Answers,
        crew: &mut Crew<'_>,
        engine: &mut Engine,
        progress: &mut dyn Progress,
    ) {
        if self.failure.is_some() {
            return;
        }
        crew.revive(&self.source);
        match self.sample(file, answers, crew, engine) {
            Ok(sample) => self.samples.push(sample),
            Err(Failure::Runner(error)) => {
                let reason = crew.failed(&self.source, &error, progress).outcome;
                self.failure = Some(match reason {
                    gauge::Outcome::Void { reason } => reason,
                    gauge::Outcome::Estimate(_) => error.to_string(),
                });
            }
            Err(Failure::Words(reason)) => {
                progress.warn(&format!("{} {}: {reason}", self.source, self.name));
                self.failure = Some(reason);
            }
        }
    }

    /// One file: the digest verified, then timed between two probes; the last one of a round
    /// verified again.
    fn sample(
        &mut self,
        file: &File<'_>,
        answers: &mut Answers,
        crew: &mut Crew<'_>,
        engine: &mut Engine,
    ) -> Result<Sample, Failure> {
        let stop = crew.stop();
        let Some((team, offer)) = crew.offer(&self.source, self.algorithm, Size::default()) else {
            return Err(Failure::Words("its runner ended and was not started again".to_owned()));
        };
        let Algorithm::Digest(digest) = self.algorithm else {
            unreachable!("a files table has digests only")
        };
        let job = Job::digest_expecting(
            digest,
            &offer,
            file.bytes.clone(),
            Some(answers.at_source(digest, file)),
        );
        let job = self.implementation.iter().fold(job, |job, name| job.by(name));
        team.job(&job).map_err(|error| match error {
            // A wrong digest of a source is the runner's fault, of a copy it may be the disk's.
            RunnerError::WrongAnswer { answer, expected, .. } if file.side == Side::Destination => {
                Failure::Words(format!(
                    "{}: the copy's digest is {answer}, expected {expected} as at its source",
                    file.name
                ))
            }
            error => Failure::Runner(error),
        })?;
        let mut sample =
            engine.once(&mut Timed { team, stop }, file.turn).map_err(Failure::Words)?;
        // Files differ in length: an iteration is a byte, and the estimate is of a byte.
        sample.iterations = file.bytes.len() as u64;
        if file.last {
            team.again().map_err(Failure::Runner)?;
        }
        Ok(sample)
    }

    /// Whether enough samples are clean for a comparison; nothing is to be gained of one that
    /// failed.
    fn is_enough(&self, engine: &Engine) -> bool {
        let series = || engine.conclude(self.samples.clone(), None);
        self.failure.is_some()
            || series().estimate().is_some_and(|estimate| estimate.clean >= ENOUGH)
    }

    fn conclude(self, table: &FileTable, engine: &Engine) -> Hashed {
        Hashed {
            table: table.id.clone(),
            source: self.source,
            algorithm: self.name,
            implementation: self.implementation.unwrap_or_default(),
            series: engine.conclude(self.samples, self.failure),
        }
    }
}

/// Why there is no sample.
enum Failure {
    Runner(RunnerError),
    Words(String),
}

/// The digests of the photographs at their source, each computed once, by our portable kernel.
#[derive(Default)]
struct Answers(BTreeMap<(usize, &'static str), Vec<u8>>);

impl Answers {
    /// The file's own where it is a source; where it is a copy, that of its source, which came
    /// before.
    fn at_source(&mut self, digest: &'static Digest, file: &File<'_>) -> Vec<u8> {
        self.0
            .entry((file.photo, digest.name))
            .or_insert_with(|| runner::portable(digest, &file.bytes))
            .clone()
    }
}

/// Clean samples below which there is no comparison.
const ENOUGH: usize = 8;

/// The rounds of the table are followed by more where a busy machine left too few clean samples,
/// until there are this many times as many.
const MOST_TIMES: u32 = 3;
