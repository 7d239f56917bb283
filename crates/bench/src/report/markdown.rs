use super::{Grid, Report, cells};

/// The report as Markdown.
pub fn render(report: &Report<'_>) -> String {
    let study = &report.record.head.study;
    let mut out = format!("# {}\n\n{}\n\nSource: {}.\n", study.title, study.question, study.source);
    section(&mut out, "Answer", report.answer.iter().cloned());
    section(&mut out, "Measured", report.facts.iter().map(|(name, value)| format!("**{name}**: {value}")));
    report.grids.iter().for_each(|one| out += &format!("\n{}", grid(one)));
    if !report.claims.is_empty() {
        let header = ["claim", "published", "here"].map(str::to_owned);
        let rows = report.claims.iter().map(|(claim, judgements)| {
            let (here, published) = judgements.split_last().expect("every claim is judged here");
            let published = published.iter().map(|judgement| format!("{}: {}", judgement.on, cells::judgement(judgement)));
            let says = claim.note.iter().fold(claim.says.clone(), |says, note| format!("{says}. ({note})"));
            vec![says, published.collect::<Vec<_>>().join("<br>"), cells::judgement(here)]
        });
        out += &format!("\n## Claims\n\n{}", table(&header, &rows.collect::<Vec<_>>()));
    }
    let errata = report.errata.iter().map(|erratum| format!("{} → {} {}", erratum.says, erratum.is, erratum.reason));
    section(&mut out, "Errata of the document", errata);
    section(&mut out, "Not measured", report.gaps.iter().cloned());
    out
}

/// A table under its title.
pub fn grid(grid: &Grid) -> String {
    let note = if grid.note.is_empty() { String::new() } else { format!("{}\n\n", grid.note) };
    format!("## {}\n\n{note}{}", grid.title, table(&grid.header, &grid.rows))
}

fn section(out: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let lines: Vec<_> = lines.collect();
    if !lines.is_empty() {
        *out += &format!("\n## {title}\n\n- {}\n", lines.join("\n- "));
    }
}

fn table(header: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<_> = cells.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = format!("|{}\n", "---|".repeat(header.len()));
    rows.iter().fold(line(header) + &rule, |text, row| text + &line(row))
}
