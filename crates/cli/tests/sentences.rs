//! Sentences are short in what users read: the README, the documents and the help.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;

/// Words of the median sentence of a text, at most.
const MEDIAN: usize = 16;
/// Words that nine of ten sentences of a text have, at most.
const NINE_OF_TEN: usize = 28;

#[test]
fn sentences_of_the_documents_are_short() {
    for name in ["README.md", "METHODOLOGY.md", "docs/ARCHITECTURE.md"] {
        let text = fs::read_to_string(root().join(name)).unwrap();
        let lengths = lengths(&paragraphs(&text));
        assert!(lengths.len() >= 20, "{name}: {} sentences", lengths.len());
        check(name, &lengths, MEDIAN);
    }
}

#[test]
fn no_document_has_many_long_sentences() {
    let folders = ["", "docs", "crates/files", "crates/hashdyno"].map(|name| root().join(name));
    let files = folders.iter().flat_map(|folder| folder.read_dir().unwrap());
    let files: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    // The sentences of the results are of studies, with figures.
    let is_written = |path: &&PathBuf| !path.ends_with("RESULTS.md");
    let documents: Vec<_> = files
        .iter()
        .filter(|path| path.extension().is_some_and(|it| it == "md"))
        .filter(is_written)
        .collect();
    assert!(documents.len() >= 15, "{documents:?}");
    for path in documents {
        let text = fs::read_to_string(path).unwrap();
        check(&path.to_string_lossy(), &lengths(&paragraphs(&text)), NINE_OF_TEN);
    }
}

#[test]
fn sentences_of_the_help_are_short() {
    let commands = commands();
    assert!(commands.len() >= 14, "{commands:?}");
    let paragraphs: Vec<_> =
        commands.iter().flat_map(|command| help_paragraphs(&help(&[command]))).collect();
    let lengths = lengths(&paragraphs);
    assert!(lengths.len() >= 200, "{}", lengths.len());
    check("help", &lengths, MEDIAN);
}

#[test]
fn words_are_counted() {
    let text = "# A title\n\nOne sentence of `some code` here. Two, see [a link](a/b.md)\nhere:\n\n\
                - an item\n1. another. And more.\n\n| a | table |\n\n```\ncode. Code.\n```\n";
    let sentences = lengths(&paragraphs(text));
    assert_eq!(sentences, [2, 2, 5, 5]);
    let help = "Usage: x [OPTIONS]\n\nOptions:\n  -a, --all <N>\n          Takes all of it. It is \
                long\n          and wide\n\n          - one: The first one\n\nExamples:\n  x -a  \
                no sentence\n\nA note of words.\n";
    assert_eq!(lengths(&help_paragraphs(help)), [3, 4, 4, 5]);
}

fn check(name: &str, lengths: &[usize], median: usize) {
    if let Some(last) = lengths.len().checked_sub(1) {
        let (half, most) = (lengths[last / 2], lengths[last * 9 / 10]);
        assert!(half <= median, "{name}: half of the sentences have {half} words or more");
        assert!(most <= NINE_OF_TEN, "{name}: one of ten sentences has {most} words or more");
    }
}

/// Paragraphs and items of Markdown, without code, tables and titles.
fn paragraphs(text: &str) -> Vec<String> {
    let (mut paragraphs, mut current, mut is_code) = (Vec::new(), String::new(), false);
    for line in text.lines() {
        let line = line.trim();
        let fence = line.starts_with("```");
        is_code ^= fence;
        if is_code || fence || line.is_empty() || line.starts_with(['#', '|']) {
            paragraphs.push(std::mem::take(&mut current));
            continue;
        }
        let item = item(line);
        if item.is_some() {
            paragraphs.push(std::mem::take(&mut current));
        }
        current = format!("{current} {}", item.unwrap_or(line));
    }
    paragraphs.push(current);
    paragraphs
}

/// The text of an item of a list.
fn item(line: &str) -> Option<&str> {
    let numbered = line.split_once(". ").filter(|(number, _)| number.parse::<u32>().is_ok());
    numbered.map(|(_, rest)| rest).or_else(|| line.strip_prefix("- "))
}

/// Paragraphs of a command's help, without its usage, names of options and examples.
fn help_paragraphs(text: &str) -> Vec<String> {
    let (mut paragraphs, mut current, mut is_example) = (Vec::new(), String::new(), false);
    for line in text.lines() {
        let (indent, line) = (line.len() - line.trim_start().len(), line.trim());
        is_example = line == "Examples:" || is_example && !line.is_empty();
        let heading = ["Usage:", "Options:", "Arguments:", "Possible values:"];
        let is_heading = heading.iter().any(|heading| line.starts_with(heading));
        if line.is_empty() || is_example || is_heading || (2..10).contains(&indent) {
            paragraphs.push(std::mem::take(&mut current));
            continue;
        }
        let value = line.strip_prefix("- ").and_then(|value| value.split_once(": "));
        if value.is_some() {
            paragraphs.push(std::mem::take(&mut current));
        }
        current = format!("{current} {}", value.map_or(line, |(_, about)| about.trim()));
    }
    paragraphs.push(current);
    paragraphs
}

/// The number of words of each sentence, sorted. A single word is not a sentence.
fn lengths(paragraphs: &[String]) -> Vec<usize> {
    let mut lengths = Vec::new();
    for paragraph in paragraphs {
        let mut words = 0;
        let paragraph = without_code(paragraph);
        let mut rest = paragraph.split_whitespace().peekable();
        while let Some(word) = rest.next() {
            words += usize::from(word.contains(char::is_alphanumeric));
            let ends = word.trim_end_matches([')', ']', '*', '"']).ends_with(['.', '!', '?', ':']);
            let begins = |next: &&str| {
                let next = next.trim_start_matches(['(', '[', '*', '"']);
                next.starts_with(|first: char| first.is_uppercase() || first == '`')
            };
            if rest.peek().is_none_or(|next| ends && begins(next)) {
                lengths.push(std::mem::take(&mut words));
            }
        }
    }
    lengths.retain(|words| *words > 1);
    lengths.sort_unstable();
    lengths
}

/// Code is one word, and a link has no address.
fn without_code(text: &str) -> String {
    let code =
        text.split('`').enumerate().map(|(at, part)| if at % 2 == 1 { "`code`" } else { part });
    let mut plain = String::new();
    for (at, part) in code.collect::<String>().split("](").enumerate() {
        let address = part.find(')').filter(|_| at > 0).map_or(0, |end| end + 1);
        plain += &part[address..];
    }
    plain
}

fn commands() -> Vec<String> {
    let all = help(&[]);
    let list = all.split("Commands:").nth(1).unwrap().split("Options:").next().unwrap();
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

fn help(command: &[&str]) -> String {
    let mut program = Command::new(cargo_bin("hashdyno"));
    let output = program.args(command).arg("--help").env("COLUMNS", "100").output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
