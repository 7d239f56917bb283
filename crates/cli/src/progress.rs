//! Progress bars: on stderr, only on a terminal.

use std::io::{self, IsTerminal, Write};
use std::thread;
use std::time::Duration;

use files::meter::Meter;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::stdio::message;

/// Shows how far a run is and how long is left.
pub struct Bar {
    bar: ProgressBar,
}

impl Bar {
    /// A bar without a length yet; `indicatif` hides it where stderr is no terminal. Its thread
    /// starts now, before the engine pins this one to the core that it measures.
    pub fn new() -> Self {
        let bar = ProgressBar::no_length();
        bar.enable_steady_tick(Duration::from_secs(1));
        Self { bar }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl bench::Progress for Bar {
    fn start(&mut self, groups: usize) {
        let style = ProgressStyle::with_template(
            "{bar:30.cyan/dim} {pos}/{len} {elapsed} of about {duration}, {eta} left  {msg}",
        );
        self.bar.set_style(style.expect("the template is well formed").progress_chars("━━─"));
        self.bar.set_length(groups as u64);
    }

    fn group(&mut self, label: &str) {
        self.bar.set_message(label.to_owned());
        self.bar.inc(1);
    }

    fn warn(&mut self, message: &str) {
        self.bar.suspend(|| message!("warning: {message}"));
    }
}

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
