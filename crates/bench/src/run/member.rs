//! The runners of one source: its team, its spares, and their fate.
//!
//! A scoreboard starts two processes of each source, the second from a copy of the program's file.
//! Before each group a heat of some samples chooses the one that is measured. Elsewhere a source
//! has one process (METHODOLOGY.md, "The process lottery").

use gauge::{Engine, Subject};
use runner::{Greeting, Options, Provider, RunnerError};

use super::Stop;
use super::team::{Cores, Team};
use crate::record::ProviderLine;
use crate::study::Source;

/// The runners of a source. `missing` means that it never started and never will; `restarts` counts
/// how often it was started again.
pub(super) struct Member {
    pub(super) provider: &'static Provider,
    pub(super) team: Result<Team, String>,
    /// More of the same: before each group the fastest of all becomes the team.
    pub(super) spares: Vec<Team>,
    receipt: Option<Greeting>,
    pub(super) missing: bool,
    pub(super) restarts: u32,
}

impl Member {
    /// Starts the team of a source, and `more` of the same, each from a copy of its program.
    pub(super) fn start(source: &Source, more: usize, options: &Options, cores: &Cores) -> Self {
        let provider =
            Provider::find(&source.provider).expect("a study names only providers that there are");
        let (team, spares) = (Err(String::new()), Vec::new());
        let mut member =
            Self { provider, team, spares, receipt: None, missing: false, restarts: 0 };
        member.begin(source, options, cores);
        if member.team.is_ok() {
            let options = Options { copied: true, ..options.clone() };
            let spares =
                (0..more).map_while(|_| Team::start(provider, source, &options, cores).ok());
            member.spares = spares.collect();
        }
        member
    }

    pub(super) fn begin(&mut self, source: &Source, options: &Options, cores: &Cores) {
        self.team = match Team::start(self.provider, source, options, cores) {
            Ok(team) => {
                self.receipt = Some(team.greeting().clone());
                Ok(team)
            }
            Err(error) => {
                // A program that is not here will not come. Another failure may pass.
                let never =
                    matches!(error, RunnerError::Missing { .. } | RunnerError::Unmeasurable { .. });
                // A source that greeted once is here, also if its next start fails.
                self.missing = self.receipt.is_none() && never;
                Err(error.to_string())
            }
        };
    }

    /// Which of its teams, all with the same job, is to be measured: the fastest. A process may be
    /// unlucky in where its pages and those of its program lie, and is so as long as it lives.
    pub(super) fn choose(&mut self, engine: &mut Engine, stop: &Stop) {
        let Ok(team) = &mut self.team else { return };
        if self.spares.is_empty() {
            return;
        }
        let mut timed: Vec<_> = std::iter::once(&mut *team)
            .chain(&mut self.spares)
            .map(|team| Timed { team, stop })
            .collect();
        let mut subjects: Vec<_> =
            timed.iter_mut().map(|timed| timed as &mut dyn Subject).collect();
        // The loser becomes the spare and keeps its chance: the next algorithm is another lottery.
        if let Some(place @ 1..) = engine.fastest(&mut subjects) {
            std::mem::swap(team, &mut self.spares[place - 1]);
        }
    }

    pub(super) fn receipt(&self, source: &Source) -> ProviderLine {
        ProviderLine {
            name: source.provider.clone(),
            mask: source.mask.clone(),
            threads: source.threads,
            version: self.receipt.as_ref().map(|greeting| greeting.version.clone()),
            facts: self.receipt.as_ref().map(|greeting| greeting.facts.clone()).unwrap_or_default(),
            // The reason of the last attempt; one that greeted has a receipt in its place.
            missing: self.receipt.is_none().then(|| self.team.as_ref().err().cloned()).flatten(),
        }
    }

    pub(super) fn describe(&self, source: &Source) -> String {
        match &self.team {
            Ok(_) => source.to_string(),
            Err(reason) => format!("{source} ({})", reason.lines().next().unwrap_or_default()),
        }
    }
}

/// A team with its job set, as the engine sees it.
pub(crate) struct Timed<'a> {
    pub(crate) team: &'a mut Team,
    pub(crate) stop: &'a Stop,
}

impl Subject for Timed<'_> {
    fn run(&mut self, iterations: u64) -> std::io::Result<std::time::Duration> {
        // The engine gives up a subject that fails: so the end of a group is not waited for.
        if self.stop.is_asked() {
            return Err(std::io::Error::other("the run is to stop"));
        }
        self.team.run(iterations).map_err(std::io::Error::other)
    }
}

/// A runner that dies is started again this many times in a study.
pub(super) const RESTARTS: u32 = 2;
