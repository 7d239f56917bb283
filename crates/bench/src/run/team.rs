//! The processes of one source: one, or as many as it has threads, each on a core of its own and
//! all at work at once.
//!
//! ```text
//! run(calls):   begin the last ... begin the first      (the engine's own core is told last)
//!               end the last   ... end the first        the time is that of the slowest
//! ```
//!
//! Threads are processes: no provider's own scheduler takes part (METHODOLOGY.md, "Masks and
//! threads"). All have the same job and number of calls. The series is that of the slowest, divided
//! by their number.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::time::Duration;

use gauge::Series;
use runner::{Algorithm, Greeting, Job, Offer, Options, Provider, Runner, RunnerError, Size};

use crate::run::system::{allowed_cores, on_core};
use crate::study::Source;

/// Runners that do the same job at the same time. It dies with the first of them that does.
pub(crate) struct Team {
    runners: Vec<Runner>,
    greeting: Greeting,
}

impl Team {
    pub(crate) fn start(
        provider: &Provider,
        source: &Source,
        options: &Options,
        cores: &Cores,
    ) -> Result<Self, RunnerError> {
        let options =
            Options { cpu: source.mask.clone().or_else(|| options.cpu.clone()), ..options.clone() };
        let mut runners = Vec::new();
        for &core in cores.first(source.threads)? {
            let started = on_core(core, || provider.start(&options));
            runners.push(started.map_err(|source| RunnerError::System {
                program: provider.name.clone(),
                source,
            })??);
        }
        let mut greeting = runners[0].greeting.clone();
        if source.threads > 1 {
            let used: Vec<_> =
                cores.first(source.threads)?.iter().map(ToString::to_string).collect();
            greeting.facts.insert("cores".to_owned(), used.join(","));
        }
        Ok(Self { runners, greeting })
    }

    /// Who they are, and on which cores they run if they are several.
    pub(crate) fn greeting(&self) -> &Greeting {
        &self.greeting
    }

    /// What they can do of `algorithm`, with one message, many or a column.
    pub(crate) fn offer(&self, algorithm: Algorithm, size: Size) -> Option<Offer> {
        match size {
            Size::One(_) | Size::Filled(_) => self.runners[0].offer(algorithm).cloned(),
            Size::Many(_) => self.runners[0].offer_of_many(algorithm),
            Size::Column(_) => self.runners[0].offer_of_column(algorithm).cloned(),
        }
    }

    /// Gives each of them the job; each answers, and rightly.
    pub(crate) fn job(&mut self, job: &Job) -> Result<(), RunnerError> {
        self.runners.iter_mut().try_for_each(|runner| runner.job(job).map(drop))
    }

    /// What the call took that its last job was answered by, in nanoseconds, as one of them says.
    pub(crate) fn first_call_ns(&self) -> Option<f64> {
        self.runners[0].first_call().map(|took| took.as_nanos() as f64)
    }

    /// Each does the job `calls` times; how long that took the slowest.
    ///
    /// The one on the engine's own core is told last: once it runs, it keeps the engine from
    /// telling the others.
    pub(crate) fn run(&mut self, calls: u64) -> Result<Duration, RunnerError> {
        let begun: Vec<_> =
            self.runners.iter_mut().rev().map(|runner| runner.begin(calls)).collect();
        let ended: Vec<_> = self
            .runners
            .iter_mut()
            .rev()
            .zip(begun)
            .map(|(runner, running)| runner.end(running?))
            .collect();
        ended.into_iter().try_fold(Duration::ZERO, |longest, time| Ok(longest.max(time?)))
    }

    /// Each gives its answer again.
    pub(crate) fn again(&mut self) -> Result<(), RunnerError> {
        self.runners.iter_mut().try_for_each(|runner| runner.again().map(drop))
    }

    /// What all of them did, from the series of the slowest.
    pub(crate) fn together(&self, series: Series) -> Series {
        series.side_by_side(self.runners.len() as u64)
    }
}

/// The cores that runners may have, the best first.
pub(crate) struct Cores(Vec<usize>);

impl Cores {
    /// Those that this thread may use now; to be asked before an engine pins it to one.
    pub(crate) fn allowed() -> io::Result<Self> {
        allowed_cores().map(Self)
    }

    /// The engine's core first, then those of other physical cores, then whatever shares one with
    /// an earlier.
    pub(crate) fn beginning_with(self, core: usize) -> Self {
        // The probes watch the engine's core: the first process must be there.
        let others = self.0.into_iter().filter(|&other| other != core);
        let mut taken = HashSet::new();
        let (apart, sharing): (Vec<_>, Vec<_>) =
            [core].into_iter().chain(others).partition(|&core| taken.insert(siblings(core)));
        Self([apart, sharing].concat())
    }

    fn first(&self, count: usize) -> Result<&[usize], RunnerError> {
        self.0.get(..count).ok_or_else(|| RunnerError::Unmeasurable {
            reason: format!(
                "{count} threads need as many cores, and this program may use {}",
                self.0.len()
            ),
        })
    }
}

/// The logical cores of the physical one that this belongs to, as the kernel lists them; the core
/// itself where it does not tell.
fn siblings(core: usize) -> String {
    let path = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
    fs::read_to_string(path).map_or_else(|_| core.to_string(), |list| list.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engines_core_comes_first_and_no_core_twice() {
        let allowed = Cores::allowed().unwrap().0;
        let last = *allowed.last().unwrap();
        let mut cores = Cores(allowed.clone()).beginning_with(last).0;
        assert_eq!(cores[0], last);
        cores.sort_unstable();
        assert_eq!(cores, allowed);
    }

    #[test]
    fn too_many_threads_say_so() {
        let error = Cores(vec![4, 5]).first(3).unwrap_err().to_string();
        assert_eq!(error, "3 threads need as many cores, and this program may use 2");
    }

    #[test]
    fn what_is_started_on_a_core_stays_and_the_rest_does_not() {
        let before = Cores::allowed().unwrap().0;
        let core = before[0];
        let output = on_core(core, || {
            std::process::Command::new("grep")
                .args(["Cpus_allowed_list", "/proc/self/status"])
                .output()
        });
        let text = String::from_utf8(output.unwrap().unwrap().stdout).unwrap();
        assert_eq!(text.split_whitespace().nth(1), Some(core.to_string().as_str()));
        assert_eq!(Cores::allowed().unwrap().0, before);
    }
}
