//! `hashdyno man`: the man pages.
//!
//! A page for the program and one for each command, `hashdyno-sum.1`. clap_mangen writes the
//! options. The help behind the options is taken apart at blank lines. A heading with a colon and
//! indented lines make a section, and any other paragraph is a note. `Exit codes:` becomes EXIT
//! STATUS.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Arg, ArgAction, Command, CommandFactory};
use clap_mangen::Man;
use roff::{Roff, bold, roman};

use super::output;

/// What `man` is told.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  hashdyno man ~/.local/share/man/man1")]
pub struct Arguments {
    /// The folder for the pages; it is made if it does not exist.
    folder: PathBuf,
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let folder = &self.folder;
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let mut program = crate::Arguments::command();
        program.build();
        let names: Vec<_> = program
            .get_subcommands()
            .filter(|command| command.get_name() != "help")
            .map(page_name)
            .collect();
        for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
            output::write(
                &folder.join(page_name(command) + ".1"),
                &page(command, &["hashdyno".to_owned()])?,
            )?;
        }
        output::write(&folder.join("hashdyno.1"), &page(&program, &names)?)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// `hashdyno-sum` of `hashdyno sum`.
fn page_name(command: &Command) -> String {
    command.get_bin_name().unwrap_or(command.get_name()).replace(' ', "-")
}

/// A page; clap_mangen's, but for a synopsis with values, examples line by line, exit codes and
/// other pages.
fn page(command: &Command, see_also: &[String]) -> anyhow::Result<Vec<u8>> {
    let man = Man::new(
        command.clone().display_name(page_name(command)).override_usage(synopsis(command)),
    )
    .source(concat!("hashdyno ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if command.get_arguments().any(|argument| !argument.is_hide_set()) {
        man.render_options_section(&mut page)?;
    }
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    let mut more = Roff::new();
    let after = command
        .get_after_long_help()
        .or(command.get_after_help())
        .map(ToString::to_string)
        .unwrap_or_default();
    after.split("\n\n").for_each(|part| section(&mut more, part));
    if !after.contains("Exit codes:") {
        section(&mut more, crate::EXIT_CODES);
    }
    more.control("SH", ["SEE ALSO"]);
    let links = see_also.iter().flat_map(|name| [bold(name.clone()), roman("(1) ")]);
    more.text(links.collect::<Vec<_>>());
    more.to_writer(&mut page)?;
    Ok(page)
}

/// A paragraph of the help that stands behind the options: a heading and its lines as they are, or
/// a note.
fn section(page: &mut Roff, text: &str) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    match first.split_once(':').filter(|_| !rest.is_empty() && rest.starts_with(' ')) {
        Some((heading, more)) => {
            let heading = if heading == "Exit codes" {
                "EXIT STATUS".to_owned()
            } else {
                heading.to_uppercase()
            };
            page.control("SH", [heading.as_str()]);
            if !more.is_empty() {
                page.text([roman(more.trim())]);
            }
            page.control("nf", []);
            for line in rest.lines() {
                page.text([roman(line)]);
            }
            page.control("fi", []);
        }
        None if text.is_empty() => {}
        None => {
            page.control("SH", ["NOTES"]);
            page.text([roman(text.replace('\n', " "))]);
        }
    }
}

/// Every option with its value, then the arguments.
fn synopsis(command: &Command) -> String {
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let shown = || {
        command
            .get_arguments()
            .filter(|argument| !argument.is_hide_set() && !argument.is_global_set())
    };
    let options = shown().filter(|argument| !argument.is_positional()).map(option);
    let values = shown().filter(|argument| argument.is_positional()).map(positional);
    let inner = command.has_subcommands().then(|| "COMMAND".to_owned());
    [name.to_owned()]
        .into_iter()
        .chain(options)
        .chain(values)
        .chain(inner)
        .collect::<Vec<_>>()
        .join(" ")
}

fn option(argument: &Arg) -> String {
    let name = argument.get_short().map(|short| format!("-{short}"));
    let name =
        name.or_else(|| argument.get_long().map(|long| format!("--{long}"))).unwrap_or_default();
    let takes = matches!(argument.get_action(), ArgAction::Set | ArgAction::Append);
    let text = if takes { format!("{name} {}", values(argument)) } else { name };
    if argument.is_required_set() { text } else { format!("[{text}]") }
}

fn positional(argument: &Arg) -> String {
    let several = argument.get_num_args().is_some_and(|range| range.max_values() > 1);
    let text = format!("{}{}", values(argument), if several { "..." } else { "" });
    if argument.is_required_set() { text } else { format!("[{text}]") }
}

fn values(argument: &Arg) -> String {
    let names = argument
        .get_value_names()
        .map(|names| names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
    names.unwrap_or_else(|| argument.get_id().as_str().to_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page_of(name: &str) -> String {
        let mut program = crate::Arguments::command();
        program.build();
        let command = program.get_subcommands().find(|command| command.get_name() == name).unwrap();
        String::from_utf8(page(command, &["hashdyno".to_owned()]).unwrap()).unwrap()
    }

    #[test]
    fn a_page_has_values_in_its_synopsis_and_examples_as_written() {
        let page = page_of("sum");
        assert!(page.contains("[\\-a ALGORITHM]") && page.contains("[PATH...]"), "{page}");
        assert!(page.contains(".SH EXAMPLES\n.nf\n  hashdyno sum *.iso\n"), "{page}");
        assert!(
            page.contains(".SH \"EXIT STATUS\"\n.nf\n  0 ")
                && page.contains(".SH \"SEE ALSO\"\n\\fBhashdyno\\fR(1)"),
            "{page}"
        );
        assert!(page.starts_with(".ie") && page.contains(".TH hashdyno-sum 1"), "{page}");
    }

    #[test]
    fn the_page_of_mask_has_its_own_exit_codes() {
        let page = page_of("mask");
        assert_eq!(page.matches("EXIT STATUS").count(), 1, "{page}");
        assert!(page.contains("126, 127"), "{page}");
    }
}
