//! One page of results: of each record its question, its answer, and each claim as it was published
//! and as it is here. `docs/RESULTS.md` is written by it.
//!
//! ```text
//! ## title    **question**    - Source, - Measured
//! ### On CPU  answers         only where a study has several records
//! | claim | published | CPU 1 | CPU 2 |
//! ```
//!
//! Records of one study are parts of one section, by the study's title. The claims are the first
//! record's: every record is judged by them, also one whose study had others.

use super::format::{Format, Part, Render};
use super::markdown::{plain, table};
use super::{Report, cells};
use crate::judge::Judgement;
use crate::study::Claim;

/// `--format results`.
pub const FORMAT: Format = Format {
    name: "results",
    about: "Question, answer and claims of each record, as Markdown",
    ..Format::by(Render::Several(render))
};

fn render(parts: &[Part<'_>]) -> String {
    let mut studies: Vec<Vec<&Part<'_>>> = Vec::new();
    for part in parts {
        match studies.iter_mut().find(|study| title(study[0]) == title(part)) {
            Some(study) => study.push(part),
            None => studies.push(vec![part]),
        }
    }
    studies.iter().map(|parts| study(parts)).collect::<Vec<_>>().join("\n")
}

fn title<'a>(part: &Part<'a>) -> &'a str {
    &part.report.record.head.study.title
}

/// A study, and what each of its records says.
fn study(parts: &[&Part<'_>]) -> String {
    let study = &parts[0].report.record.head.study;
    let [title, question, source] =
        [&study.title, &study.question, &study.source].map(|text| plain(text));
    let mut out = format!("## {title}\n\n**{question}**\n\n- Source: {source}.\n");
    for part in parts {
        if parts.len() > 1 {
            out += &format!("\n### On {}\n\n", plain(&cpu(part)));
        }
        out += &answer(part);
    }
    if !parts[0].report.claims.is_empty() {
        let here = |part: &&Part<'_>| if parts.len() > 1 { cpu(part) } else { "here".to_owned() };
        let columns = parts.iter().map(here).map(|name| plain(&name));
        let header: Vec<_> =
            ["claim", "published"].map(str::to_owned).into_iter().chain(columns).collect();
        out += &format!("\n{}", table(&header, &claims(parts)));
    }
    out
}

fn cpu(part: &Part<'_>) -> String {
    super::cpu(&part.report.record.head.machine)
}

fn answer(Part { report, file, .. }: &Part<'_>) -> String {
    let head = &report.record.head;
    let (machine, date) = (plain(&super::machine(&head.machine)), plain(&head.date));
    let preset = plain(&super::preset(head));
    let file = plain(file);
    let mut out = format!("- Measured: {date}, {preset}, on {machine}. Record: {file}.\n\n");
    for sentence in &report.answer {
        out += &format!("- {}\n", plain(sentence));
    }
    out
}

/// A row for each claim of the first record: as it was published, and as it is in each record.
fn claims(parts: &[&Part<'_>]) -> Vec<Vec<String>> {
    let row = |(claim, judgements): &(&Claim, Vec<Judgement>)| {
        let (_, published) = judgements.split_last().expect("every claim is judged here");
        let published = published.iter().map(short).collect::<Vec<_>>();
        let here = parts.iter().map(|part| verdict_on(claim, part.report));
        [plain(&claim.says), published.join("<br>")].into_iter().chain(here).collect()
    };
    parts[0].report.claims.iter().map(row).collect()
}

/// What a record's figures say of a claim, which a newer study may have changed.
fn verdict_on(claim: &Claim, report: &Report<'_>) -> String {
    claim.judgements(report.record).last().map_or_else(String::new, short)
}

/// A verdict and its ratio.
fn short(judgement: &Judgement) -> String {
    let verdict = cells::verdict(judgement.verdict);
    match &judgement.ratio {
        Some(ratio) => plain(&format!("{verdict}, {}", cells::times(ratio))),
        None => plain(verdict),
    }
}
