//! The Markdown report of a record that somebody else wrote.

use std::fs;
use std::path::Path;

use bench::import;
use bench::report::{Format, Report, index};
use serde_json::Value;

mod small;

const HTML: &str = "</script><img src=x onerror=alert(1)>";
const MARKUP: &str = "`a` *b* [c](javascript:d) | e\n# f\u{1b}[31m";
const LINKS: &str = " http://a.b https://a.b ftp://a.b www.a.b";

#[test]
fn no_text_of_a_speed_record_is_markup() {
    no_text_is_markup(&small::lines(&small::speed()), 40);
}

#[test]
fn no_text_of_a_record_of_files_is_markup() {
    no_text_is_markup(&small::lines(&small::files()), 25);
}

#[test]
fn no_text_of_a_scoreboard_is_markup() {
    no_text_is_markup(&small::lines(&small::scoreboard()), 15);
}

#[test]
fn no_text_of_a_record_is_markup_in_an_index() {
    let folder = tempfile::tempdir().unwrap();
    let mut record = small::speed();
    record.head.machine.cpu = format!("A CPU {HTML} {MARKUP}");
    record.head.command = "speed | ` <b>\n# f".to_owned();
    record.write(&folder.path().join("a.jsonl")).unwrap();
    let index = index::of_folder(folder.path()).unwrap();
    let row = index.lines().last().unwrap();
    let (facts, command) = row.split_once(" | `hashdyno ").expect("the last line is the record's");
    assert!(facts.starts_with("| [a.jsonl](a.jsonl) | "), "{index}");
    assert_plain(facts, "the CPU");
    assert_eq!(command, "speed \\|   <b> # f` | whole |");
}

#[test]
fn an_index_lists_what_other_programs_wrote_apart() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    small::speed().write(&folder.path().join("z.jsonl")).unwrap();
    write("a.txt", "# 2026-11-25, a CPU\na figure\n");
    write("b.txt", &format!("# {HTML} {MARKUP}"));
    write("c.txt", "\na figure\n");
    write("d.json", "{\"date\": \"2026-11-25\", \"command\": \"sum.py FOLDER\"}\n");
    write("e.json", "{\"line\": \"head\", \"command\": \"bench.php 5\"}\n{\"line\": \"end\"}\n");
    write("f.json", "[1, 2]\n");
    write("g.csv", "a,b\n");
    let index = index::of_folder(folder.path()).unwrap();
    let (records, others) = index.split_once("\n## Other records\n").expect("a second table");
    assert!(records.contains("| [z.jsonl](z.jsonl) | "), "{index}");
    let rows: Vec<_> = others.lines().filter(|line| line.starts_with("| [")).collect();
    assert_eq!(rows[0], "| [a.txt](a.txt) | 2026-11-25, a CPU |");
    assert_plain(rows[1], "a first line");
    assert_eq!(
        rows[2..],
        [
            "| [c.txt](c.txt) | c.txt |",
            "| [d.json](d.json) | sum.py FOLDER |",
            "| [e.json](e.json) | bench.php 5 |",
            "| [f.json](f.json) | f.json |",
        ]
    );
}

/// Plants markup in each text of the record in turn. `least` of them are shown, or the test shows
/// nothing.
fn no_text_is_markup(lines: &[Value], least: usize) {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut shown = 0;
    for line in 0..lines.len() {
        for place in texts(&lines[line]) {
            let html = markdown(file.path(), lines, line, &place, HTML);
            let markup = markdown(file.path(), lines, line, &place, MARKUP);
            shown += usize::from(html.as_ref().is_some_and(|text| text.contains("onerror")));
            let links = markdown(file.path(), lines, line, &place, LINKS);
            for text in [html, markup, links].into_iter().flatten() {
                assert_plain(&text, &place);
            }
        }
    }
    assert!(shown >= least, "{shown} texts are shown");
}

/// The report with `planted` behind the text at `place`; nothing where that is no record.
fn markdown(
    path: &Path,
    lines: &[Value],
    line: usize,
    place: &str,
    planted: &str,
) -> Option<String> {
    let mut lines = lines.to_vec();
    let value = lines[line].pointer_mut(place).expect("the place is in the line");
    *value = format!("{}{planted}", value.as_str().expect("it is text")).into();
    small::write(path, &lines);
    let record = import::read(path).ok()?;
    let report = Report::new(&record);
    let top = report.top(3, Format::named("markdown")).unwrap_or_default();
    Some(report.render(Format::named("markdown")) + &top)
}

fn assert_plain(text: &str, place: &str) {
    let of_ours = text.replace("<br>", "");
    assert!(!of_ours.contains(['<', '>', '\u{1b}']), "{place}: {text}");
    assert!(!text.lines().any(|line| line.starts_with("# f")), "{place}: {text}");
    // GitHub makes links of these.
    let links = ["http://", "https://", "ftp://", "www.a"];
    assert!(!links.iter().any(|link| text.contains(link)), "{place}: {text}");
    for sign in ["`a`", "*b*", "[c]", "| e"] {
        let raw = text.match_indices(sign).find(|(at, _)| !text[..*at].ends_with('\\'));
        assert_eq!(raw, None, "{place}: {text}");
    }
}

/// The JSON pointer of every text.
fn texts(value: &Value) -> Vec<String> {
    let below = |key: String, value: &Value| {
        texts(value).into_iter().map(move |place| format!("/{key}{place}"))
    };
    match value {
        Value::String(_) => vec![String::new()],
        Value::Object(fields) => {
            fields.iter().flat_map(|(key, value)| below(key.clone(), value)).collect()
        }
        Value::Array(items) => items
            .iter()
            .enumerate()
            .flat_map(|(index, value)| below(index.to_string(), value))
            .collect(),
        _ => Vec::new(),
    }
}
