use std::process::ExitCode;

use clap::CommandFactory;

/// What `completions` is told.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  hashdyno completions bash > ~/.local/share/bash-completion/completions/hashdyno")]
pub struct Arguments {
    /// The shell.
    shell: clap_complete::Shell,
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut crate::Arguments::command(), "hashdyno", &mut text);
        super::output::print(&String::from_utf8_lossy(&text))?;
        Ok(ExitCode::SUCCESS)
    }
}
