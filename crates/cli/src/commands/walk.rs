//! What `sum` and `check` leave out of folders.
//!
//! The same two options for `sum -r`, `check --audit` and `check FOLDER FOLDER`. A pattern that
//! cannot be read is exit code 2.

use files::skip::{Patterns, Skip};

use crate::failure::BadInput;

/// What is left out.
#[derive(clap::Args, Clone, Debug)]
pub struct WalkArguments {
    /// Leave out of folders what has this name, such as '*.tmp' or .git, or this path below the
    /// folder, such as 'build/**'. May be given again.
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<String>,
    /// Do not go into folders of another file system.
    #[arg(short = 'x', long)]
    one_file_system: bool,
}

impl WalkArguments {
    /// Whether there is any.
    pub fn are_given(&self) -> bool {
        !self.exclude.is_empty() || self.one_file_system
    }

    /// The same for a walk.
    pub fn skip(&self) -> Result<Skip, BadInput> {
        let patterns = Patterns::parse(&self.exclude)
            .map_err(|message| BadInput::new(message, "such as --exclude '*.tmp'"))?;
        Ok(Skip { patterns, files: Vec::new(), other_file_systems: self.one_file_system })
    }
}
