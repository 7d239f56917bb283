//! The screen that a report is printed on: its width in columns, and whether it shows more than
//! ASCII.
//!
//! ```text
//! width   COLUMNS, else the terminal's; none in a pipe or a file: lines of any length
//! utf8    LC_ALL, else LC_CTYPE, else LANG names it; otherwise ± becomes +-, µ becomes u
//! ```
//!
//! Widths are counted as a terminal shows them: escape sequences of colours have none.

use std::io::IsTerminal;
use std::sync::LazyLock;

use textwrap::core::display_width;
use textwrap::{Options, WordSeparator, WordSplitter};

/// Where text is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// Columns; `None` where lines may be of any length.
    pub width: Option<usize>,
    /// Whether characters beyond ASCII are shown.
    pub utf8: bool,
}

impl Screen {
    /// Standard output. `COLUMNS` comes before the terminal's own width; a pipe, a file and a width
    /// of 0 are not limited.
    pub fn here() -> Self {
        static HERE: LazyLock<Screen> = LazyLock::new(|| {
            let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
            let terminal = || {
                Some(std::io::stdout())
                    .filter(IsTerminal::is_terminal)
                    .and_then(terminal_size::terminal_size_of)
            };
            let told = variable("COLUMNS").and_then(|columns| columns.parse().ok());
            let width = told.or_else(|| terminal().map(|(width, _)| usize::from(width.0)));
            Screen { width: width.filter(|&width| width > 0), utf8: shows_utf8(variable) }
        });
        *HERE
    }

    /// A line broken between words where it is longer than the screen; the lines after its first
    /// begin with `indent`.
    pub fn wrap(self, line: &str, indent: &str) -> String {
        match self.width {
            None => line.to_owned(),
            Some(width) => textwrap::wrap(line, words(width).subsequent_indent(indent)).join("\n"),
        }
    }

    /// A line that ends after a word with `…` where it is longer than the screen, two columns of
    /// margin left. Its colours, if any, come before the cut.
    pub fn cut(self, line: &str) -> String {
        let Some(width) = self.width.filter(|&width| display_width(line) + MARGIN > width) else {
            return line.to_owned();
        };
        let room = width.saturating_sub(MARGIN + 1);
        // Characters are not columns: those of colours take none, and those of Chinese take two.
        let ends: Vec<_> = line.char_indices().map(|(at, _)| at).chain([line.len()]).collect();
        let fitting = ends.partition_point(|&end| display_width(&line[..end]) <= room);
        let kept = &line[..ends[fitting - 1]];
        let words = kept.rfind(' ').map_or(kept, |space| &kept[..=space]);
        format!("{words}…")
    }

    /// Text as this screen can show it.
    pub fn spell(self, text: String) -> String {
        match self.utf8 || text.is_ascii() {
            true => text,
            false => PLAIN.iter().fold(text, |text, (from, to)| text.replace(*from, to)),
        }
    }
}

/// Columns that a section indents its lines by.
const MARGIN: usize = 4;

/// Lines of at most `width` columns, unless a word is longer.
pub fn words<'a>(width: usize) -> Options<'a> {
    Options::new(width)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        // A figure or a name in two parts would be read as two.
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit)
}

/// Whether the locale is one of UTF-8: the first of POSIX's three variables that is set says so.
fn shows_utf8(variable: impl Fn(&str) -> Option<String>) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(variable)
        .unwrap_or_default()
        .to_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// What stands in reports beyond ASCII, and what is written in its place.
const PLAIN: [(char, &str); 6] =
    [('±', "+-"), ('→', "->"), ('–', "-"), ('µ', "u"), ('×', "x"), ('…', "...")];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_names_the_locale() {
        let with = |set: &'static [(&str, &str)]| {
            shows_utf8(|name| {
                set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(with(&[("LANG", "en_GB.UTF-8")]));
        assert!(with(&[("LC_CTYPE", "C.utf8"), ("LANG", "C")]));
        assert!(!with(&[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")]));
        assert!(!with(&[]));
    }

    #[test]
    fn lines_end_between_words_and_ascii_stays_ascii() {
        let screen = Screen { width: Some(12), utf8: false };
        assert_eq!(
            screen.wrap("a line of 123456789.25 figures", "  "),
            "a line of\n  123456789.25\n  figures"
        );
        assert_eq!(
            Screen { width: None, ..screen }.wrap("a line of 123456789.25", ""),
            "a line of 123456789.25"
        );
        assert_eq!(screen.cut("a line of 12 figures"), "a line …");
        assert_eq!(screen.cut("\u{1b}[2ma\u{1b}[0m line of 12"), "\u{1b}[2ma\u{1b}[0m line …");
        assert_eq!(screen.cut("a line of12 figures"), "a line …");
        assert_eq!(screen.cut("a line"), "a line");
        assert_eq!(screen.cut("日本語日本語 12"), "日本語…");
        assert_eq!(screen.cut("日本 語日本語"), "日本 …");
        assert_eq!(screen.cut("日本語 "), "日本語 ");
        assert_eq!(screen.spell("±1.5% a → b".to_owned()), "+-1.5% a -> b");
    }
}
