//! One page of results: of each record its question, its answer, and each claim as it was published
//! and as it is here.

use super::markdown::{plain, table};
use super::{Report, cells};
use crate::judge::Judgement;

/// The page, as Markdown. `parts` are links to records, from where the page is to lie, and their
/// reports.
pub fn results(parts: &[(String, Report<'_>)]) -> String {
    parts.iter().map(|(link, report)| part(link, report)).collect::<Vec<_>>().join("\n")
}

fn part(link: &str, report: &Report<'_>) -> String {
    let head = &report.record.head;
    let mut out = format!(
        "## {}\n\n**{}** Source: {}.\n\nMeasured: {}, {}, [record]({link}) of `{}`.\n\n",
        plain(&head.study.title),
        plain(&head.study.question),
        plain(&head.study.source),
        plain(&super::machine(&head.machine)),
        plain(head.date.split('T').next().unwrap_or_default()),
        format!("hashdyno {}", head.command).replace('`', ""),
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
    let row = |(claim, judgements): &(&crate::study::Claim, Vec<Judgement>)| {
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
