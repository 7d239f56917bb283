//! The programs that hash files: the tables of `runners/tools.toml`.
//!
//! ```text
//! [[tool]]
//! name = "shasum"
//! command = ["shasum", "-a", "{digest}", "{file}"]
//! version = ["shasum", "--version"]
//! digests = { sha1 = "1", sha256 = "256", sha512 = "512" }
//! ```
//!
//! A tool is run as a whole process, without a shell, and prints a digest as its first word. A tool
//! whose answer is `none` only reads: `cat` is the floor under all others.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use serde::Deserialize;

/// A program that hashes a file: a table of `runners/tools.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// What it is called in studies.
    pub name: String,
    /// What it is called in reports.
    pub title: String,
    /// Its colour and its shape in charts: names of `report/colours.json`.
    pub mark: [String; 2],
    /// Program and arguments. `{file}` is the file, `{digest}` what the tool calls the digest,
    /// `{self}` this program.
    pub command: Vec<String>,
    /// A command whose first line says what is measured.
    pub version: Vec<String>,
    /// Our name of a digest, and what the tool calls it.
    #[serde(default)]
    pub digests: BTreeMap<String, String>,
    /// Where the digest stands in what it prints.
    #[serde(default)]
    pub answer: Answer,
    /// How to get it where it is missing.
    pub hint: String,
}

/// Where the digest stands in what a tool prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// Before the first blank.
    #[default]
    FirstWord,
    /// Nowhere: it only reads the file, and what it prints goes to nobody.
    None,
}

/// What a tool that only reads has in place of an algorithm.
pub const READING: &str = "reading";

/// All that `runners/tools.toml` names, in its order.
pub fn tools() -> &'static [Tool] {
    static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Table {
            tool: Vec<Tool>,
        }
        toml::from_str::<Table>(TOOLS_TOML).expect("tools.toml is right, or no test passes").tool
    });
    &TOOLS
}

impl Tool {
    /// The tool of that name.
    pub fn find(name: &str) -> Option<&'static Self> {
        tools().iter().find(|tool| tool.name == name)
    }

    /// What it can do of `algorithms`: each under the study's name, with what the tool calls it.
    pub fn offers<'a>(&self, algorithms: &'a [String]) -> Vec<(&'a str, String)> {
        if self.answer == Answer::None {
            return vec![(READING, String::new())];
        }
        // A study may write an alias; the table has the registry's names.
        let own = |name: &'a String| {
            Some((name.as_str(), self.digests.get(hashdyno::find(name)?.name)?.clone()))
        };
        algorithms.iter().filter_map(own).collect()
    }

    /// The command that hashes `file` by what the tool calls `digest`.
    pub fn command(&self, digest: &str, file: &Path) -> Command {
        let mut command = started(&self.command, |word| {
            word.replace("{digest}", digest).replace("{file}", &file.to_string_lossy())
        });
        // The output of `cat` is the file. A pipe would be filled and would cost time.
        let output = if self.answer == Answer::None { Stdio::null() } else { Stdio::piped() };
        command.stdout(output);
        command
    }

    /// The command without its file, for a person: `shasum -a 256`.
    pub fn shown(&self, digest: &str) -> String {
        let words = self.command.iter().filter(|word| *word != "{file}");
        words
            .map(|word| word.replace("{self}", "hashdyno").replace("{digest}", digest))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// The first line that the version command prints.
    ///
    /// # Errors
    /// In words: the program is not here, cannot be run, or prints nothing.
    pub fn ask_version(&self) -> Result<String, String> {
        first_line(&self.version)
    }
}

/// The first line that a command prints, or the reason in words why the command printed none.
pub(super) fn first_line(words: &[String]) -> Result<String, String> {
    let program = &words[0];
    let output = started(words, str::to_owned).output().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("{program} is not on this machine"),
        _ => format!("{program} cannot be run: {error}"),
    })?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let first = text.lines().next().unwrap_or_default().trim().to_owned();
    // A version is part of a record. A program without one would be measured and not known.
    if output.status.success() && !first.is_empty() {
        return Ok(first);
    }
    Err(format!("`{}` says no version, and ends with {}", words.join(" "), output.status))
}

const TOOLS_TOML: &str = include_str!("../../../../runners/tools.toml");

/// A command of `words`, in the plainest language, without input.
/// Translated messages have other first words. A program that waits for input would never end.
fn started(words: &[String], replaced: impl Fn(&str) -> String) -> Command {
    let word = |word: &String| match word.as_str() {
        "{self}" => {
            std::env::current_exe().map_or_else(|_| "hashdyno".into(), |path| path.into_os_string())
        }
        word => replaced(word).into(),
    };
    let mut command = Command::new(word(&words[0]));
    command.args(words[1..].iter().map(word)).env("LC_ALL", "C").stdin(Stdio::null());
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_right() {
        for tool in tools() {
            assert_eq!(Tool::find(&tool.name).unwrap().title, tool.title, "two tools of one name");
            assert!(
                !tool.version.is_empty() && tool.command.iter().any(|word| word == "{file}"),
                "{tool:?}"
            );
            assert!(
                tool.digests
                    .keys()
                    .all(|name| hashdyno::find(name).is_some_and(|digest| digest.name == name)),
                "{tool:?}"
            );
            assert_eq!(tool.digests.is_empty(), tool.answer == Answer::None, "{tool:?}");
        }
    }

    #[test]
    fn a_command_is_made_of_its_words() {
        let tool = Tool::find("shasum").unwrap();
        assert_eq!(
            tool.offers(&["SHA-256".to_owned(), "md5".to_owned()]),
            [("SHA-256", "256".to_owned())]
        );
        let command = tool.command("256", Path::new("/a b"));
        assert_eq!(command.get_program(), "shasum");
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["-a", "256", "/a b"]);
        assert_eq!(tool.shown("256"), "shasum -a 256");
    }
}
