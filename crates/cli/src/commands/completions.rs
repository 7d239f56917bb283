//! `hashdyno completions`: names for a shell to complete.
//!
//! clap_complete writes the script from the program's arguments. Arguments that take any text, such
//! as the name of an algorithm, get their known names as possible values first. That is for the
//! script alone: the program itself takes other names, too.

use std::process::ExitCode;

use bench::{CIPHERS, Study, providers};
use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use hashdyno::{ALL, composite};

/// What `completions` is told.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hashdyno completions bash > ~/.local/share/bash-completion/completions/hashdyno
  hashdyno completions zsh > ~/.zfunc/_hashdyno
  hashdyno completions fish > ~/.config/fish/completions/hashdyno.fish")]
pub struct Arguments {
    /// Which shell.
    shell: Shell,
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let mut text = Vec::new();
        clap_complete::generate(
            self.shell,
            &mut named(crate::Arguments::command()),
            "hashdyno",
            &mut text,
        );
        let mut text = String::from_utf8_lossy(&text).into_owned();
        if self.shell == Shell::Fish {
            text += &positionals_of_fish();
        }
        super::output::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// clap_complete has no values of positional arguments for fish.
fn positionals_of_fish() -> String {
    let line = |command: &str| {
        let program = named(crate::Arguments::command());
        let command = program.find_subcommand(command).expect("it is a command").clone();
        let values =
            command.get_positionals().next().expect("it has an argument").get_possible_values();
        let values =
            values.iter().map(|value| value.get_name().to_owned()).collect::<Vec<_>>().join(" ");
        format!(
            "complete -c hashdyno -n \"__fish_hashdyno_using_subcommand {}\" -a \"{values}\"\n",
            command.get_name()
        )
    };
    ["speed", "study", "advise", "mask"].map(line).concat()
}

/// The program's command line, with names of algorithms, providers, studies and masks where it
/// takes any text.
fn named(program: Command) -> Command {
    let digests = || ALL.iter().map(|digest| digest.name).collect::<Vec<_>>();
    let algorithms = || {
        digests().into_iter().chain(CIPHERS.iter().map(|cipher| cipher.name)).collect::<Vec<_>>()
    };
    let providers =
        || providers().iter().map(|provider| provider.name.as_str()).collect::<Vec<_>>();
    let masks = || {
        let features = cpumask::FEATURES.iter().map(|feature| kept(format!("-{}", feature.name)));
        cpumask::PRESETS.iter().map(|preset| preset.name).chain(features).collect::<Vec<_>>()
    };
    let studies = || Study::shipped().into_iter().map(kept).collect::<Vec<_>>();
    let purposes = || super::purposes().iter().map(|one| one.name.as_str()).collect::<Vec<_>>();
    let with = |program: Command, command: &str, argument: &str, values: PossibleValuesParser| {
        program.mut_subcommand(command, |command| {
            command.mut_arg(argument, |argument| argument.value_parser(values))
        })
    };
    let program = with(program, "speed", "algorithms", algorithms().into());
    let program = with(program, "speed", "evp", algorithms().into());
    let program = with(program, "speed", "provider", providers().into());
    let program = with(program, "speed", "cpu", masks().into());
    let program = with(program, "study", "study", studies().into());
    let program = with(program, "study", "only", digests().into());
    let program = with(program, "study", "cpu", masks().into());
    let program = with(program, "advise", "purpose", purposes().into());
    let program = with(program, "advise", "installed", providers().into());
    let program = with(program, "runner", "check", providers().into());
    let program = with(program, "runner", "cpu", masks().into());
    let program = with(program, "mask", "mask", masks().into());
    let composites = composite::ALL.iter().map(|composite| composite.name);
    let of_files: Vec<_> = digests().into_iter().chain(composites).collect();
    let program = with(program, "copy", "algorithm", digests().into());
    let program = with(program, "sum", "algorithm", of_files.clone().into());
    with(program, "check", "algorithm", of_files.into())
}

/// clap wants names that last; this program ends when the completions are printed.
fn kept(name: String) -> &'static str {
    name.leak()
}
