use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::CommandFactory;

/// What `man` is told.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  hashdyno man ~/.local/share/man/man1")]
pub struct Arguments {
    /// The folder to write into; it is made if it is not there.
    folder: PathBuf,
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let folder = self.folder.display();
        std::fs::create_dir_all(&self.folder).with_context(|| format!("cannot make the folder {folder}"))?;
        clap_mangen::generate_to(crate::Arguments::command(), &self.folder)
            .with_context(|| format!("cannot write man pages into {folder}"))?;
        Ok(ExitCode::SUCCESS)
    }
}
