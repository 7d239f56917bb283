//! One page of results: of each record its question, its answer, and each claim as it was published
//! and as it is here.

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
    parts.iter().map(part).collect::<Vec<_>>().join("\n")
}

fn part(Part { report, file, .. }: &Part<'_>) -> String {
    let head = &report.record.head;
    let [title, question, source] =
        [&head.study.title, &head.study.question, &head.study.source].map(|text| plain(text));
    let (machine, date) = (plain(&super::machine(&head.machine)), plain(&head.date));
    let preset = plain(&super::preset(head));
    let mut out = format!(
        "## {title}\n\n**{question}**\n\n- Source: {source}.\n- Measured: {date}, {preset}, on \
            {machine}. Record: {}.\n\n",
        plain(file)
    );
    for sentence in &report.answer {
        out += &format!("- {}\n", plain(sentence));
    }
    if !report.claims.is_empty() {
        let header = ["claim", "published", "here"].map(str::to_owned);
        out += &format!("\n{}", table(&header, &claims(report)));
    }
    out
}

fn claims(report: &Report<'_>) -> Vec<Vec<String>> {
    let row = |(claim, judgements): &(&Claim, Vec<Judgement>)| {
        let (here, published) = judgements.split_last().expect("every claim is judged here");
        let published = published.iter().map(short).collect::<Vec<_>>();
        vec![plain(&claim.says), published.join("<br>"), short(here)]
    };
    report.claims.iter().map(row).collect()
}

/// A verdict and its ratio.
fn short(judgement: &Judgement) -> String {
    let verdict = cells::verdict(judgement.verdict);
    match &judgement.ratio {
        Some(ratio) => plain(&format!("{verdict}, {}", cells::times(ratio))),
        None => plain(verdict),
    }
}
