//! The runners of a study: one team for each source, started, asked, timed, started again.
//!
//! ```text
//! a group:   revive who died -> job and first answer -> heat of the processes -> timed in turn
//!            -> answer again -> an entry for each source
//! ```
//!
//! A member of the crew is in one of these states:
//!
//! ```text
//! team Ok               it takes jobs
//! team Err, missing     it never started: no entry, the receipt says why
//! team Err, restarts    it died, and is started again before the next group
//! team Err, no restarts it died too often: its cells are void
//! ```
//!
//! An answer is compared before and after timing. A wrong answer or a refusal voids one cell; any
//! other error ends the process, because host and runner may be out of step.

use std::collections::{BTreeMap, BTreeSet};

use gauge::{Engine, Outcome, Series, Subject};
use runner::{Algorithm, Job, Offer, Options, RunnerError, Size};

use super::member::{Member, RESTARTS, Timed};
use super::team::{Cores, Team};
use super::{ExecuteError, Group, Progress, Stop};
use crate::record::{Entry, Loop, ProviderLine};
use crate::study::{Source, Study, Table};

/// The runners of a study: a team for each source, which is one process unless it has threads.
pub(crate) struct Crew<'a> {
    options: &'a Options,
    cores: Cores,
    members: BTreeMap<Source, Member>,
    stop: &'a Stop,
}

/// What is in the small file.
const SMALL_FILE: &[u8] = b"sixteen bytes ..";

impl<'a> Crew<'a> {
    /// Starts them; where the run is to stop, none is started any more.
    pub(crate) fn start(study: &Study, options: &'a Options, cores: Cores, stop: &'a Stop) -> Self {
        let files = study.trees().flat_map(|table| table.providers.iter().cloned());
        let sources: BTreeSet<_> =
            study.tables.iter().flat_map(Table::sources).chain(files).collect();
        // Only a board draws among processes (METHODOLOGY.md, "The process lottery").
        let more = study.board.as_ref().map_or(0, |board| board.processes - 1);
        let member = |source: Source| {
            let member = Member::start(&source, more, options, &cores);
            (source, member)
        };
        let members = sources.into_iter().take_while(|_| !stop.is_asked()).map(member).collect();
        Self { options, cores, members, stop }
    }

    /// Every algorithm of every table must be offered by somebody who is asked for it.
    pub(crate) fn check_offers(&mut self, study: &Study) -> Result<(), ExecuteError> {
        for table in &study.tables {
            self.check_table(&table.id, &table.algorithms, &table.columns(), &table.sources())?;
        }
        // Photographs are single messages: the offer for one message holds at each length.
        let any = [Size::default()];
        study.trees().try_for_each(|table| {
            self.check_table(&table.id, &table.algorithms, &any, &table.providers)
        })
    }

    fn check_table(
        &mut self,
        id: &str,
        algorithms: &[String],
        sizes: &[Size],
        sources: &[Source],
    ) -> Result<(), ExecuteError> {
        for algorithm in algorithms {
            let wanted = Algorithm::find(algorithm).expect("a study names only what there is");
            let mut has =
                |source| sizes.iter().any(|&size| self.offer(source, wanted, size).is_some());
            if !sources.iter().any(&mut has) {
                let asked: Vec<_> =
                    sources.iter().map(|source| self.members[source].describe(source)).collect();
                let (table, algorithm) = (id.to_owned(), algorithm.clone());
                return Err(ExecuteError::NobodyHas { table, algorithm, asked: asked.join(", ") });
            }
        }
        Ok(())
    }

    /// The team of a source with its offer of `algorithm` for one message or many; `None` if it has
    /// none, or not by that implementation.
    pub(crate) fn offer(
        &mut self,
        source: &Source,
        algorithm: Algorithm,
        size: Size,
    ) -> Option<(&mut Team, Offer)> {
        let team = self.members.get_mut(source)?.team.as_mut().ok()?;
        let offer = team.offer(algorithm, size)?;
        let has = source
            .implementation
            .as_ref()
            .is_none_or(|wanted| offer.implementations(algorithm).contains(wanted));
        has.then_some((team, offer))
    }

    /// The sources that a table wants for a cell. Of a table of `*` those are left out that stand
    /// there already as their provider's default.
    pub(crate) fn wanted(
        &mut self,
        table: &Table,
        algorithm: &str,
        size: Size,
    ) -> BTreeSet<Source> {
        let algorithm = Algorithm::find(algorithm).expect("a study names only what there is");
        let mut wanted: BTreeSet<_> = table.sources().into_iter().collect();
        let defaults: BTreeSet<_> = wanted
            .iter()
            .filter(|source| table.every && source.implementation.is_none())
            .cloned()
            .collect();
        wanted.retain(|source| {
            // The default by its own name would be measured twice and could tie with itself.
            let default = Source { implementation: None, ..source.clone() };
            let offer = self.offer(source, algorithm, size).map(|(_, offer)| offer);
            let first = offer.and_then(|offer| offer.implementations(algorithm).first().cloned());
            source.implementation.is_none()
                || source.implementation != first
                || !defaults.contains(&default)
        });
        wanted
    }

    /// How many of the group's sources can do it.
    pub(crate) fn count(&mut self, group: &Group) -> usize {
        let has = |source: &&Source| self.offer(source, group.algorithm(), group.size).is_some();
        group.sources.iter().filter(has).count()
    }

    /// Measures a group. Where the run is to stop, nothing that it gives counts.
    pub(crate) fn measure(
        &mut self,
        group: &Group,
        engine: &mut Engine,
        progress: &mut dyn Progress,
    ) -> Vec<Entry> {
        // The right answer is worked out once, however many runners are asked for it.
        let mut known: Option<Job> = None;
        let mut ready = Vec::new();
        let mut entries = Vec::new();
        for source in group.sources.iter().take_while(|_| !self.stop.is_asked()) {
            self.revive(source);
            let Some((team, offer)) = self.offer(source, group.algorithm(), group.size) else {
                entries.extend(self.lost(source, group));
                continue;
            };
            let implementation =
                source.implementation.as_ref().or(offer.implementations(group.algorithm()).first());
            let job = known
                .get_or_insert_with(|| Job::of_algorithm(group.algorithm(), &offer, group.size))
                .clone()
                .of(&offer);
            // Providers differ in their words for one job; the answer is the same for all.
            let job = implementation.iter().fold(job, |job, name| job.by(name));
            let result = team.job(&job);
            let entry =
                |series| group.entry(source, implementation.cloned().unwrap_or_default(), series);
            match result {
                Ok(_) => {
                    ready.push(entry(unmeasured(String::new())));
                    let member = self.members.get_mut(source).expect("it has just had a job");
                    // A source is measured by one process if its spare process fails.
                    member.spares.retain_mut(|spare| spare.job(&job).is_ok());
                }
                Err(error) => entries.push(entry(self.failed(source, &error, progress))),
            }
        }
        let sources: BTreeSet<_> = ready.iter().map(|entry| &entry.source).collect();
        self.members
            .iter_mut()
            .filter(|(source, _)| sources.contains(source))
            .for_each(|(_, member)| member.choose(engine, self.stop));
        // All at once, so that each round has a sample of each source.
        let measured = self.time(&sources, engine);
        for (mut entry, series) in ready.into_iter().zip(measured) {
            entry.series = match self.answer_again(&entry.source) {
                Ok(()) => series.of_each(group.size.count()),
                Err(error) => self.failed(&entry.source, &error, progress),
            };
            entries.push(entry);
        }
        entries
    }

    /// The bare loop of every runner: what a job that does nothing takes.
    pub(crate) fn measure_loops(
        &mut self,
        engine: &mut Engine,
        progress: &mut dyn Progress,
    ) -> Vec<Loop> {
        let sources: Vec<_> = self.members.keys().cloned().collect();
        self.measure_job(&sources, &Job::Empty, engine, progress)
    }

    /// What opening a small file, reading it and closing it takes in each runner of the tables
    /// whose messages are chunks.
    pub(crate) fn measure_opens(
        &mut self,
        study: &Study,
        engine: &mut Engine,
        progress: &mut dyn Progress,
    ) -> std::io::Result<Vec<Loop>> {
        let sources: BTreeSet<_> =
            study.tables.iter().filter(|table| table.chunk).flat_map(Table::sources).collect();
        if sources.is_empty() {
            return Ok(Vec::new());
        }
        let mut file = tempfile::NamedTempFile::new()?;
        std::io::Write::write_all(&mut file, SMALL_FILE)?;
        let job = Job::Open {
            path: file.path().to_string_lossy().into_owned(),
            holds: SMALL_FILE.into(),
        };
        Ok(self.measure_job(&Vec::from_iter(sources), &job, engine, progress))
    }

    /// A job that every runner has, in those of these sources that are there.
    fn measure_job(
        &mut self,
        sources: &[Source],
        job: &Job,
        engine: &mut Engine,
        progress: &mut dyn Progress,
    ) -> Vec<Loop> {
        let (mut ready, mut loops) = (BTreeSet::new(), Vec::new());
        for source in sources {
            let Some(Ok(team)) = self.members.get_mut(source).map(|member| &mut member.team) else {
                continue;
            };
            match team.job(job) {
                Ok(_) => drop(ready.insert(source)),
                Err(error) => loops.push(Loop {
                    source: source.clone(),
                    series: self.failed(source, &error, progress),
                }),
            }
        }
        let measured = self.time(&ready, engine);
        loops.extend(
            ready
                .into_iter()
                .cloned()
                .zip(measured)
                .map(|(source, series)| Loop { source, series }),
        );
        loops
    }

    /// Whether the run is to stop.
    pub(crate) fn stop(&self) -> &'a Stop {
        self.stop
    }

    /// Whether its runners have started.
    pub(crate) fn is_there(&self, source: &Source) -> bool {
        self.members[source].team.is_ok()
    }

    /// Another team of that source, which has done nothing yet.
    pub(crate) fn fresh(&self, source: &Source) -> Result<Team, RunnerError> {
        Team::start(self.members[source].provider, source, self.options, &self.cores)
    }

    /// Times the runners of these sources in turn; a series for each, in the order of the set.
    fn time(&mut self, sources: &BTreeSet<&Source>, engine: &mut Engine) -> Vec<Series> {
        let wanted = self.members.iter_mut().filter(|(source, _)| sources.contains(source));
        let mut timed: Vec<_> = wanted
            .filter_map(|(_, member)| member.team.as_mut().ok())
            .map(|team| Timed { team, stop: self.stop })
            .collect();
        let mut subjects: Vec<_> =
            timed.iter_mut().map(|timed| timed as &mut dyn Subject).collect();
        let measured = engine.measure(&mut subjects);
        timed.iter().zip(measured).map(|(timed, series)| timed.team.together(series)).collect()
    }

    fn answer_again(&mut self, source: &Source) -> Result<(), RunnerError> {
        match self.members.get_mut(source).map(|member| &mut member.team) {
            Some(Ok(team)) => team.again(),
            _ => Ok(()),
        }
    }

    /// Voids a cell; a runner that is gone or no longer in step is given up.
    pub(crate) fn failed(
        &mut self,
        source: &Source,
        error: &RunnerError,
        progress: &mut dyn Progress,
    ) -> Series {
        let reason = format!("{source}: {error}");
        // Of a run that is to stop the runners may be gone already.
        if !self.stop.is_asked() {
            progress.warn(&reason);
        }
        // After these two the runner waits for its next job, as after an answer.
        let lives_on =
            matches!(error, RunnerError::Refused { .. } | RunnerError::WrongAnswer { .. });
        if let Some(member) = self.members.get_mut(source)
            && !lives_on
        {
            member.team = Err(reason.clone());
        }
        unmeasured(reason)
    }

    /// Starts a runner again that died in an earlier group.
    pub(crate) fn revive(&mut self, source: &Source) {
        if let Some(member) = self.members.get_mut(source)
            && member.team.is_err()
            && !member.missing
            && member.restarts < RESTARTS
        {
            member.restarts += 1;
            member.begin(source, self.options, &self.cores);
        }
    }

    /// Why nothing is to be had of a source whose runner died for good; nothing of one that is
    /// missing.
    pub(crate) fn death(&self, source: &Source) -> Option<String> {
        let member = &self.members[source];
        let reason = member.team.as_ref().err().filter(|_| !member.missing)?;
        Some(format!("not started again after: {reason}"))
    }

    /// The void entry of a source that died for good; nothing for one that lacks the algorithm or
    /// is missing.
    fn lost(&self, source: &Source, group: &Group) -> Option<Entry> {
        let series = unmeasured(self.death(source)?);
        Some(group.entry(source, source.implementation.clone().unwrap_or_default(), series))
    }

    /// Who answers, a line for each provider under its mask on its threads: of several runners what
    /// one says that was started.
    pub(crate) fn receipts(&self) -> Vec<ProviderLine> {
        let mut lines: Vec<ProviderLine> = Vec::new();
        for (source, member) in &self.members {
            let line = member.receipt(source);
            match lines.iter_mut().find(|told| told.source() == line.source()) {
                // Of several runners of a provider one may have started: a version beats a reason.
                Some(told) if told.version.is_none() && line.version.is_some() => *told = line,
                Some(_) => {}
                None => lines.push(line),
            }
        }
        lines
    }
}

/// A series without samples, and why.
fn unmeasured(reason: String) -> Series {
    Series {
        iterations: 0,
        clock_step_ns: 0,
        samples: Vec::new(),
        first_call_ns: f64::NAN,
        outcome: Outcome::Void { reason },
    }
}
