//! The progress bar: on stderr, only on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Shows how far a run is and how long is left.
pub struct Bar {
    bar: ProgressBar,
}

impl Bar {
    /// A bar without a length yet; `indicatif` hides it where stderr is no terminal. Its thread starts now, before the engine
    /// pins this one to the core that it measures.
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
        let style = ProgressStyle::with_template("{bar:30.cyan/dim} {pos}/{len} {elapsed} of about {duration}, {eta} left  {msg}");
        self.bar.set_style(style.expect("the template is well formed").progress_chars("━━─"));
        self.bar.set_length(groups as u64);
    }

    fn group(&mut self, label: &str) {
        self.bar.set_message(label.to_owned());
        self.bar.inc(1);
    }

    fn warn(&mut self, message: &str) {
        self.bar.suspend(|| anstream::eprintln!("warning: {message}"));
    }
}
