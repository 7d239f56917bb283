//! How far the program is, on stderr: bars on a terminal.
//!
//! `Bar` is for measurements: groups done, and a forecast. `Bytes` is for files: bytes read of the
//! bytes to read. Without a terminal, `Bar` says a line every 30 seconds and `Bytes` says nothing.
//! Whoever prints while a bar is shown does so by `aside` or `beside`, which take the bar away
//! meanwhile.

use std::io::{self, IsTerminal, Write};
use std::thread;
use std::time::{Duration, Instant};

use bench::Work;
use files::meter::Meter;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::stdio::message;

/// Shows how far a run is and how long is left: a bar on a terminal, elsewhere a line now and then.
pub struct Bar {
    bar: ProgressBar,
    forecast: Forecast,
    /// Told once, where the plan takes a minute or more.
    hint: Option<&'static str>,
    begin: Instant,
    /// When the last line was written where there is no terminal.
    told: Instant,
}

impl Bar {
    /// A bar without a length yet; `indicatif` hides it where stderr is no terminal. Its thread
    /// starts now, before the engine pins this one to the core that it measures. Of a long run
    /// `hint` says how it is made shorter.
    pub fn new(hint: Option<&'static str>) -> Self {
        let bar = ProgressBar::no_length();
        bar.enable_steady_tick(Duration::from_secs(1));
        let now = Instant::now();
        Self { bar, forecast: Forecast::default(), hint, begin: now, told: now }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn left(&self) -> HumanDuration {
        HumanDuration(self.forecast.left(self.begin.elapsed()))
    }

    /// What there is to do, if that takes long.
    fn announce(&self, work: &Work) {
        if work.planned < LONG {
            return;
        }
        let (cells, groups) = (HumanCount(work.cells as u64), HumanCount(work.groups as u64));
        let planned = HumanDuration(work.planned);
        message!("{cells} cells in {groups} groups: about {planned} by the plan");
        if let Some(hint) = self.hint {
            message!("hint: {hint}");
        }
    }
}

impl bench::Progress for Bar {
    fn start(&mut self, work: &Work) {
        self.announce(work);
        self.forecast = Forecast::of(work);
        self.begin = Instant::now();
        self.told = self.begin;
        let style = ProgressStyle::with_template(
            "{bar:30.cyan/dim} {pos}/{len} {elapsed}, about {prefix} left  {msg}",
        );
        self.bar.set_style(style.expect("the template is well formed").progress_chars("━━─"));
        self.bar.set_length(work.groups as u64);
        self.bar.set_prefix(self.left().to_string());
    }

    fn more(&mut self, work: &Work) {
        self.forecast.more(work);
        self.bar.inc_length(work.groups as u64);
    }

    fn group(&mut self, label: &str) {
        self.bar.set_message(label.to_owned());
    }

    fn done(&mut self, planned: Duration) {
        self.forecast.done(planned);
        self.bar.inc(1);
        self.bar.set_prefix(self.left().to_string());
        if !io::stderr().is_terminal() && self.told.elapsed() >= NOW_AND_THEN {
            self.told = Instant::now();
            let (done, all) = (self.bar.position(), self.bar.length().unwrap_or_default());
            let (elapsed, left) = (HumanDuration(self.begin.elapsed()), self.left());
            message!("{done} of {all} groups are done after {elapsed}, about {left} left");
        }
    }

    fn warn(&mut self, message: &str) {
        self.bar.suspend(|| message!("warning: {message}"));
    }
}

/// How long is left of a run. At first the plan knows, later the run itself: the plan counts as if
/// it had been right for a while already.
#[derive(Clone, Copy, Debug, Default)]
struct Forecast {
    /// All groups together, by the plan.
    planned: Duration,
    done: Duration,
}

impl Forecast {
    fn of(work: &Work) -> Self {
        Self { planned: work.planned, done: Duration::ZERO }
    }

    fn more(&mut self, work: &Work) {
        self.planned += work.planned;
    }

    fn done(&mut self, planned: Duration) {
        self.done += planned;
    }

    fn left(&self, elapsed: Duration) -> Duration {
        // Time taken over time planned for the same groups. TRUST on both sides keeps early groups
        // from deciding.
        let pace = (TRUST + elapsed).div_duration_f64(TRUST + self.done);
        self.planned.saturating_sub(self.done).mul_f64(pace)
    }
}

/// For how long the plan counts as if it had been right.
const TRUST: Duration = Duration::from_secs(20);

/// What takes longer is announced.
const LONG: Duration = Duration::from_secs(60);

/// Between two lines where there is no terminal.
const NOW_AND_THEN: Duration = Duration::from_secs(30);

/// Shows how many bytes a run has read, and how long is left: on stderr, only on a terminal, and
/// only if the run lasts.
pub struct Bytes {
    bar: ProgressBar,
}

impl Bytes {
    /// No bar at all.
    pub fn hidden() -> Self {
        Self { bar: ProgressBar::hidden() }
    }

    /// Follows a meter. What there is to read is counted meanwhile, item by item.
    pub fn show<T>(
        meter: &Meter,
        items: impl Iterator<Item = T> + Send + 'static,
        len: impl Fn(T) -> u64 + Send + 'static,
    ) -> Self {
        let shown = Self::hidden();
        if !io::stderr().is_terminal() {
            return shown;
        }
        let style = ProgressStyle::with_template(
            "{bar:30.cyan/dim} {bytes}/{total_bytes} {elapsed}, {eta} left",
        );
        shown.bar.set_style(style.expect("the template is well formed").progress_chars("━━─"));
        shown.bar.set_length(0);
        let (bar, meter) = (shown.bar.clone(), meter.clone());
        thread::spawn(move || {
            // Most runs end within a second, and a bar that flashes tells nothing.
            thread::sleep(Duration::from_secs(1));
            if !bar.is_finished() {
                bar.set_draw_target(ProgressDrawTarget::stderr());
            }
            while !bar.is_finished() {
                bar.set_position(meter.bytes());
                thread::sleep(Duration::from_millis(200));
            }
        });
        let bar = shown.bar.clone();
        thread::spawn(move || {
            items.take_while(|_| !bar.is_finished()).for_each(|item| bar.inc_length(len(item)))
        });
        shown
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Does something with the terminal while the bar is out of the way.
    pub fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }

    /// A stream to the terminal that keeps clear of the bar.
    pub fn beside<W: Write>(&self, out: W) -> Beside<W> {
        Beside { bar: self.bar.clone(), out }
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        // Whoever leaves early leaves no bar behind.
        self.finish();
    }
}

/// A stream that keeps clear of a bar.
pub struct Beside<W> {
    bar: ProgressBar,
    out: W,
}

impl<W: Write> Write for Beside<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bar.suspend(|| self.out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.bar.suspend(|| self.out.flush())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forecast_begins_with_the_plan_and_learns() {
        let seconds = Duration::from_secs;
        let work = Work { groups: 100, cells: 100, planned: seconds(1000) };
        let mut forecast = Forecast::of(&work);
        assert_eq!(forecast.left(Duration::ZERO), seconds(1000));
        // The run takes twice as long as planned.
        forecast.done(seconds(10));
        let early = forecast.left(seconds(20));
        assert!((seconds(1300)..seconds(1330)).contains(&early), "{early:?}");
        forecast.done(seconds(490));
        let later = forecast.left(seconds(1000));
        assert!((seconds(970)..seconds(1000)).contains(&later), "{later:?}");
        forecast.more(&Work { planned: seconds(100), ..work });
        forecast.done(seconds(600));
        assert_eq!(forecast.left(seconds(2200)), Duration::ZERO);
    }
}
