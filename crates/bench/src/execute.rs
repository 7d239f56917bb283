//! Runs a study: starts the runners, verifies every answer before and after it is timed, measures group by group.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gauge::{Engine, Limits, Machine, Outcome, Plan, Series, Subject};
use hashdyno::Digest;

use crate::record::{Entry, Head, ProviderLine, Record, SCHEMA};
use crate::study::{Source, Study};
use crate::{Greeting, Job, Offer, Options, Provider, Runner, RunnerError};

/// What `run` is told beside the study.
pub struct Request {
    /// `quick`, `standard` ...
    pub preset: String,
    /// How each group is measured.
    pub plan: Plan,
    /// How runners are started.
    pub options: Options,
    /// The arguments of the program, for the record.
    pub command: String,
}

/// Is told how far a run is.
pub trait Progress {
    /// How many groups there will be.
    fn start(&mut self, groups: usize);
    /// A group begins: algorithm and size.
    fn group(&mut self, label: &str);
    /// Something a person should know now.
    fn warn(&mut self, message: &str);
}

/// What ends a run before it has a record.
#[derive(Debug, thiserror::Error)]
pub enum ExecuteError {
    /// Nobody can compute it.
    #[error("no provider of table '{table}' has the algorithm '{algorithm}': asked {asked}")]
    NobodyHas {
        /// The table's id.
        table: String,
        /// As the study writes it.
        algorithm: String,
        /// The providers and what became of each.
        asked: String,
    },
    /// The engine cannot measure here.
    #[error("cannot measure on this machine: {0}")]
    Engine(#[from] std::io::Error),
}

/// Measures every cell of a study.
pub fn run(study: &Study, request: &Request, progress: &mut dyn Progress) -> Result<Record, ExecuteError> {
    let mut engine = Engine::new(request.plan.clone())?;
    let mut crew = Crew::start(study, &request.options);
    crew.check_offers(study)?;
    let groups = shuffled(groups(study), request.plan.seed);
    progress.start(groups.len());
    let mut entries = Vec::new();
    for group in &groups {
        progress.group(&format!("{} {} bytes", group.algorithm, group.size));
        entries.extend(crew.measure(group, &mut engine, progress));
    }
    entries.sort_by_key(|entry: &Entry| groups.iter().find(|group| group.has(entry)).map(|group| group.place));
    let machine = Machine::detect();
    let limits = engine.limits(&machine, None);
    entries.iter_mut().for_each(|entry| guard(entry, &limits));
    let head = head(study, request, &engine, machine);
    Ok(Record { head, providers: crew.receipts(), entries })
}

fn head(study: &Study, request: &Request, engine: &Engine, machine: Machine) -> Head {
    Head {
        schema: SCHEMA,
        hashdyno: env!("CARGO_PKG_VERSION").to_owned(),
        date: jiff::Timestamp::now().round(jiff::Unit::Second).unwrap_or_default().to_string(),
        command: request.command.clone(),
        preset: request.preset.clone(),
        cpu: request.options.cpu.clone().unwrap_or_else(|| "all".to_owned()),
        plan: engine.plan().clone(),
        core: engine.core(),
        machine,
        name: study.name.clone(),
        study: study.clone(),
    }
}

/// One algorithm on one size: what is measured together, so that ratios are paired.
struct Group {
    /// Its place in the study, whatever the order of measuring.
    place: usize,
    algorithm: String,
    size: usize,
    sources: BTreeSet<Source>,
}

impl Group {
    fn has(&self, entry: &Entry) -> bool {
        self.algorithm == entry.algorithm && self.size == entry.size
    }

    fn digest(&self) -> &'static Digest {
        hashdyno::find(&self.algorithm).expect("a study names only what the registry has")
    }

    fn entry(&self, source: &Source, implementation: String, series: Series) -> Entry {
        Entry { source: source.clone(), algorithm: self.algorithm.clone(), size: self.size, implementation, series }
    }

    /// The same pseudo-random bytes for every provider.
    fn message(&self) -> Vec<u8> {
        let mut random = fastrand::Rng::with_seed(self.size as u64);
        std::iter::repeat_with(|| random.u8(..)).take(self.size).collect()
    }
}

fn groups(study: &Study) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for table in &study.tables {
        for algorithm in &table.algorithms {
            for &size in &table.sizes {
                let known = groups.iter_mut().find(|group| group.algorithm == *algorithm && group.size == size);
                match known {
                    Some(group) => group.sources.extend(table.providers.iter().cloned()),
                    None => groups.push(Group {
                        place: groups.len(),
                        algorithm: algorithm.clone(),
                        size,
                        sources: table.providers.iter().cloned().collect(),
                    }),
                }
            }
        }
    }
    groups
}

/// In a random order, so that slow drift of the machine does not follow the tables.
fn shuffled(mut groups: Vec<Group>, seed: u64) -> Vec<Group> {
    fastrand::Rng::with_seed(seed).shuffle(&mut groups);
    groups
}

/// The runners of a study: one process for each source.
struct Crew<'a> {
    options: &'a Options,
    members: BTreeMap<Source, Member>,
}

struct Member {
    provider: &'static Provider,
    runner: Result<Runner, String>,
    receipt: Option<Greeting>,
    missing: bool,
    restarts: u32,
}

/// A runner that dies is started again this many times in a study.
const RESTARTS: u32 = 2;

impl<'a> Crew<'a> {
    fn start(study: &Study, options: &'a Options) -> Self {
        let sources: BTreeSet<_> = study.tables.iter().flat_map(|table| &table.providers).cloned().collect();
        let member = |source: Source| {
            let provider = Provider::find(&source.provider).expect("a study names only providers that there are");
            let mut member = Member { provider, runner: Err(String::new()), receipt: None, missing: false, restarts: 0 };
            member.begin(options);
            (source, member)
        };
        Self { options, members: sources.into_iter().map(member).collect() }
    }

    /// Every algorithm of every table must be offered by somebody who is asked for it.
    fn check_offers(&mut self, study: &Study) -> Result<(), ExecuteError> {
        for table in &study.tables {
            for algorithm in &table.algorithms {
                let digest = hashdyno::find(algorithm).expect("a study names only what the registry has");
                if !table.providers.iter().any(|source| self.offer(source, digest).is_some()) {
                    let asked = table.providers.iter().map(|source| self.members[source].describe(source)).collect::<Vec<_>>();
                    let (table, algorithm) = (table.id.clone(), algorithm.clone());
                    return Err(ExecuteError::NobodyHas { table, algorithm, asked: asked.join(", ") });
                }
            }
        }
        Ok(())
    }

    /// The runner of a source with its offer of `digest`; `None` if it has none, or not by that implementation.
    fn offer(&mut self, source: &Source, digest: &Digest) -> Option<(&mut Runner, Offer)> {
        let runner = self.members.get_mut(source)?.runner.as_mut().ok()?;
        let offer = runner.offers(digest)?.clone();
        let has = source.implementation.as_ref().is_none_or(|wanted| offer.variants.contains(wanted));
        has.then_some((runner, offer))
    }

    fn measure(&mut self, group: &Group, engine: &mut Engine, progress: &mut dyn Progress) -> Vec<Entry> {
        let message: Arc<[u8]> = group.message().into();
        let mut ready = Vec::new();
        let mut entries = Vec::new();
        for source in &group.sources {
            self.revive(source);
            let Some((runner, offer)) = self.offer(source, group.digest()) else {
                entries.extend(self.lost(source, group));
                continue;
            };
            let implementation = source.implementation.as_ref().or(offer.variants.first());
            let job = Job::digest(group.digest(), &offer, message.clone());
            let job = implementation.iter().fold(job, |job, name| job.by(name));
            let result = runner.job(&job);
            let entry = |series| group.entry(source, implementation.cloned().unwrap_or_default(), series);
            match result {
                Ok(_) => ready.push(entry(unmeasured(String::new()))),
                Err(error) => entries.push(entry(self.failed(source, &error, progress))),
            }
        }
        let measured = self.time(&ready, engine);
        for (mut entry, series) in ready.into_iter().zip(measured) {
            entry.series = match self.answer_again(&entry.source) {
                Ok(()) => series,
                Err(error) => self.failed(&entry.source, &error, progress),
            };
            entries.push(entry);
        }
        entries
    }

    fn time(&mut self, ready: &[Entry], engine: &mut Engine) -> Vec<Series> {
        let wanted = self.members.iter_mut().filter(|(source, _)| ready.iter().any(|entry| entry.source == **source));
        let mut timed: Vec<_> = wanted.filter_map(|(_, member)| member.runner.as_mut().ok()).map(Timed).collect();
        let mut subjects: Vec<_> = timed.iter_mut().map(|timed| timed as &mut dyn Subject).collect();
        engine.measure(&mut subjects)
    }

    fn answer_again(&mut self, source: &Source) -> Result<(), RunnerError> {
        match self.members.get_mut(source).map(|member| &mut member.runner) {
            Some(Ok(runner)) => runner.again().map(drop),
            _ => Ok(()),
        }
    }

    /// Voids a cell; a runner that is gone or no longer in step is given up.
    fn failed(&mut self, source: &Source, error: &RunnerError, progress: &mut dyn Progress) -> Series {
        let reason = format!("{source}: {error}");
        progress.warn(&reason);
        let lives_on = matches!(error, RunnerError::Refused { .. } | RunnerError::WrongAnswer { .. });
        if let Some(member) = self.members.get_mut(source)
            && !lives_on
        {
            member.runner = Err(reason.clone());
        }
        unmeasured(reason)
    }

    /// Starts a runner again that died in an earlier group.
    fn revive(&mut self, source: &Source) {
        if let Some(member) = self.members.get_mut(source)
            && member.runner.is_err()
            && !member.missing
            && member.restarts < RESTARTS
        {
            member.restarts += 1;
            member.begin(self.options);
        }
    }

    /// The void entry of a source that died for good; nothing for one that lacks the algorithm or is missing.
    fn lost(&self, source: &Source, group: &Group) -> Option<Entry> {
        let member = &self.members[source];
        let reason = member.runner.as_ref().err().filter(|_| !member.missing)?;
        let series = unmeasured(format!("not started again after: {reason}"));
        Some(group.entry(source, source.implementation.clone().unwrap_or_default(), series))
    }

    fn receipts(&self) -> Vec<ProviderLine> {
        let mut lines: Vec<ProviderLine> = Vec::new();
        for member in self.members.values() {
            if lines.iter().all(|line| line.name != member.provider.name) {
                lines.push(member.receipt());
            }
        }
        lines
    }
}

impl Member {
    fn begin(&mut self, options: &Options) {
        self.runner = match self.provider.start(options) {
            Ok(runner) => {
                self.receipt = Some(runner.greeting.clone());
                Ok(runner)
            }
            Err(error) => {
                self.missing = self.receipt.is_none() && matches!(error, RunnerError::Missing { .. });
                Err(error.to_string())
            }
        };
    }

    fn receipt(&self) -> ProviderLine {
        ProviderLine {
            name: self.provider.name.clone(),
            version: self.receipt.as_ref().map(|greeting| greeting.version.clone()),
            facts: self.receipt.as_ref().map(|greeting| greeting.facts.clone()).unwrap_or_default(),
            missing: self.receipt.is_none().then(|| self.runner.as_ref().err().cloned()).flatten(),
        }
    }

    fn describe(&self, source: &Source) -> String {
        match &self.runner {
            Ok(_) => source.to_string(),
            Err(reason) => format!("{source} ({reason})"),
        }
    }
}

/// A series without samples, and why.
fn unmeasured(reason: String) -> Series {
    Series { iterations: 0, clock_step_ns: 0, samples: Vec::new(), first_call_ns: f64::NAN, outcome: Outcome::Void { reason } }
}

/// A rate that this core cannot reach counts for nothing.
fn guard(entry: &mut Entry, limits: &Limits) {
    let ns = entry.estimate().map(|estimate| estimate.ns.high);
    if let Some(Err(implausible)) = ns.map(|ns| limits.rate(entry.size as u64, ns)) {
        entry.series.outcome = Outcome::Void { reason: implausible.to_string() };
    }
}

/// A runner with its job set, as the engine sees it.
struct Timed<'a>(&'a mut Runner);

impl Subject for Timed<'_> {
    fn run(&mut self, iterations: u64) -> std::io::Result<std::time::Duration> {
        self.0.run(iterations).map_err(std::io::Error::other)
    }
}
