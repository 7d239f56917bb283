//! The report as Markdown, for documents and for issues.
//!
//! A record may come from anybody, and Markdown holds HTML and links. So every text of a record
//! goes through `plain`, which escapes the signs of both. Only the formats write signs that count.

use super::{Format, Grid, Render, Report, cells};

/// The report as Markdown.
pub const FORMAT: Format = Format {
    name: "markdown",
    endings: &["md"],
    about: "The same as Markdown",
    grid: Some(grid),
    ..Format::by(Render::One(render))
};

fn render(report: &Report<'_>) -> String {
    let study = &report.record.head.study;
    let [title, question, source] =
        [&study.title, &study.question, &study.source].map(|text| plain(text));
    let mut out = format!("# {title}\n\n{question}\n\nSource: {source}.\n");
    section(&mut out, "Answer", report.answer.iter().map(|line| plain(line)));
    let facts =
        report.facts.iter().map(|(name, value)| format!("**{}**: {}", plain(name), plain(value)));
    section(&mut out, "Measured", facts);
    report.grids.iter().for_each(|one| out += &format!("\n{}", grid(one)));
    if !report.claims.is_empty() {
        let header = ["claim", "published", "here"].map(str::to_owned);
        let rows = report.claims.iter().map(|(claim, judgements)| {
            let (here, published) = judgements.split_last().expect("every claim is judged here");
            let published = published.iter().map(|judgement| {
                plain(&format!("{}: {}", judgement.on, cells::judgement(judgement)))
            });
            let says = claim
                .note
                .iter()
                .fold(claim.says.clone(), |says, note| format!("{says}. ({note})"));
            vec![
                plain(&says),
                published.collect::<Vec<_>>().join("<br>"),
                plain(&cells::judgement(here)),
            ]
        });
        out += &format!("\n## Claims\n\n{}", table(&header, &rows.collect::<Vec<_>>()));
    }
    let errata = report
        .errata
        .iter()
        .map(|erratum| plain(&format!("{} → {} {}", erratum.says, erratum.is, erratum.reason)));
    section(&mut out, "Errata of the document", errata);
    section(&mut out, "Not measured", report.gaps.iter().map(|gap| plain(gap)));
    out
}

/// A table under its title.
pub fn grid(grid: &Grid) -> String {
    let note =
        if grid.note.is_empty() { String::new() } else { format!("{}\n\n", plain(&grid.note)) };
    let row = |cells: &Vec<String>| cells.iter().map(|cell| plain(cell)).collect::<Vec<_>>();
    let rows: Vec<_> = grid.rows.iter().map(row).collect();
    let legend = match grid.legend() {
        legend if legend.is_empty() => legend,
        legend => format!("\n{}\n", plain(&legend)),
    };
    let table = table(&row(&grid.header), &rows);
    format!("## {}\n\n{note}{table}{legend}", plain(&grid.title))
}

fn section(out: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let lines: Vec<_> = lines.collect();
    if !lines.is_empty() {
        *out += &format!("\n## {title}\n\n- {}\n", lines.join("\n- "));
    }
}

/// A table of cells that are Markdown.
pub(super) fn table(header: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule = format!("|{}\n", "---|".repeat(header.len()));
    rows.iter().fold(line(header) + &rule, |text, row| text + &line(row))
}

/// Markdown that shows the text as it is, on one line: no markup, no HTML, no link. A record may
/// come from anybody. An address of mail may still become a link: GitHub looks for those after it
/// has read the escapes.
pub(super) fn plain(text: &str) -> String {
    let marker = marker(text);
    let mut out = String::with_capacity(text.len());
    for (place, letter) in text.char_indices() {
        match letter {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' => out.extend(['\\', letter]),
            // GitHub makes a link of `https://x` and of `www.x` without any sign of Markdown.
            ':' if text[place..].starts_with("://") => out += "\\:",
            '.' if ends_in_www(&text[..place]) => out += "\\.",
            letter if letter.is_control() => out.push(' '),
            letter if marker == Some(place) => out.extend(['\\', letter]),
            letter => out.push(letter),
        }
    }
    out
}

fn ends_in_www(text: &str) -> bool {
    text.len()
        .checked_sub(3)
        .and_then(|at| text.get(at..))
        .is_some_and(|end| end.eq_ignore_ascii_case("www"))
}

/// Where the text has the sign that would make a line a heading, a rule or an item of a list: `#`,
/// `---`, `1.`.
fn marker(text: &str) -> Option<usize> {
    let place = text.find(|letter: char| !letter.is_ascii_digit())?;
    let sign = text[place..].chars().next()?;
    let is_sign = if place == 0 { "#=+-".contains(sign) } else { ".)".contains(sign) };
    let ends = text[place + sign.len_utf8()..]
        .chars()
        .next()
        .is_none_or(|next| next == sign || next.is_whitespace());
    (is_sign && ends).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn text_is_shown_as_it_is() {
        for (text, markdown) in [
            ("</script><img src=x>", "&lt;/script&gt;&lt;img src=x&gt;"),
            ("&lt;", "&amp;lt;"),
            ("[x](javascript:1) ![y]", "\\[x\\](javascript:1) !\\[y\\]"),
            ("a|b\nc\x1b[0m", "a\\|b c \\[0m"),
            ("*a* _b_ `c` ~d~ \\", "\\*a\\* \\_b\\_ \\`c\\` \\~d\\~ \\\\"),
            ("# a - # b", "\\# a - # b"),
            ("---", "\\---"),
            ("1. a 2. b", "1\\. a 2. b"),
            ("2)", "2\\)"),
            ("0.5 ns", "0.5 ns"),
            ("-sha", "-sha"),
            ("±0.1%", "±0.1%"),
            ("see https://x.y, FTP://x.y", "see https\\://x.y, FTP\\://x.y"),
            ("www.x.y or µWWW.x", "www\\.x.y or µWWW\\.x"),
            ("a: b w.x ww.x", "a: b w.x ww.x"),
            ("", ""),
        ] {
            assert_eq!(plain(text), markdown);
        }
    }
}
