//! Verdicts on files, as lines of text or of JSON. docs/JSON.md says what of the latter is stable.
//!
//! ```text
//! a.txt: OK
//! b/deep: differs
//! {"name":"a/new","schema":1,"verdict":"new"}
//! ```
//!
//! A name cannot forge a verdict. In text, characters that end a line or move the cursor are shown
//! as `names::shown` writes them. In JSON they are escaped.

use std::io::{self, Write};

use serde_json::{Map, Value};

use crate::list::json::put_name;
use crate::read::names::shown;

/// How verdicts are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// `name: verdict`.
    #[default]
    Text,
    /// The same for a terminal: what is wrong is red.
    Coloured,
    /// `{"schema":1,"name":"a.txt","verdict":"ok"}`.
    Json,
}

impl Style {
    /// Whether people read it.
    pub fn is_text(self) -> bool {
        self != Self::Json
    }
}

/// The version of every JSON line; it rises where a key changes its meaning or goes.
pub const SCHEMA: u32 = 1;

/// A line on one file.
pub struct VerdictLine<'a> {
    /// The file.
    pub name: &'a [u8],
    /// The verdict in text.
    pub text: &'a str,
    /// The verdict in JSON, a word.
    pub word: &'a str,
    /// Another file that belongs to the verdict, under its key.
    pub other: Option<(&'a str, &'a [u8])>,
}

impl VerdictLine<'_> {
    /// Writes the line.
    ///
    /// # Errors
    /// `out` cannot be written.
    pub fn write(&self, out: &mut dyn Write, style: Style) -> io::Result<()> {
        if style == Style::Json {
            let mut line = object();
            put_name(&mut line, "name", self.name);
            line.insert("verdict".to_owned(), self.word.into());
            self.other.iter().for_each(|(key, name)| put_name(&mut line, key, name));
            return writeln!(out, "{}", Value::Object(line));
        }
        out.write_all(&shown(self.name))?;
        if style == Style::Coloured && WRONG.contains(&self.word) {
            write!(out, ": {RED}{}{PLAIN}", self.text)?;
        } else {
            write!(out, ": {}", self.text)?;
        }
        if let Some((_, name)) = self.other {
            out.write_all(b" ")?;
            out.write_all(&shown(name))?;
        }
        writeln!(out)
    }
}

/// Verdicts that are red.
const WRONG: [&str; 5] = ["failed", "unreadable", "rotten", "differs", "missing"];

/// What terminals take for "from here on in red", and for "as before".
const RED: &str = "\x1b[31m";
const PLAIN: &str = "\x1b[0m";

/// Writes what came of all files, as the last line of JSON.
///
/// # Errors
/// `out` cannot be written.
pub fn report(out: &mut dyn Write, counts: &[(&str, Value)]) -> io::Result<()> {
    let mut line = object();
    let counts: Map<_, _> =
        counts.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    line.insert("report".to_owned(), counts.into());
    writeln!(out, "{}", Value::Object(line))
}

/// An object with the schema's version.
pub fn object() -> Map<String, Value> {
    Map::from_iter([("schema".to_owned(), SCHEMA.into())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_a_terminal_what_is_wrong_is_red() {
        let line = |text, word, style| {
            let mut out = Vec::new();
            VerdictLine { name: b"a", text, word, other: None }.write(&mut out, style).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(line("FAILED", "failed", Style::Coloured), "a: \x1b[31mFAILED\x1b[0m\n");
        assert_eq!(line("FAILED", "failed", Style::Text), "a: FAILED\n");
        assert_eq!(line("OK", "ok", Style::Coloured), "a: OK\n");
    }
}
