//! Everything but the raw samples, as one JSON document. docs/JSON.md is the reference.
//!
//! Within a schema keys are added, and none is taken away or changes its meaning. The page reads
//! the same value: `html` takes away the parts that it does not show.

use serde_json::{Value, json};

use super::{Format, Render, Report, behaviour, board, cells, files, plot::Plot};
use crate::judge;
use crate::record::{Entry, Record};
use gauge::Outcome;

/// The version of this JSON; it rises where a key changes its meaning or goes.
const SCHEMA: u32 = 1;

/// Everything but the raw samples.
pub const FORMAT: Format = Format {
    name: "json",
    endings: &["json"],
    about: "Everything but the raw samples",
    ..Format::by(Render::One(render))
};

fn render(report: &Report<'_>) -> String {
    serde_json::to_string_pretty(&value(report)).expect("a report is plain data") + "\n"
}

/// Everything but the raw samples; the page reads the same.
pub fn value(report: &Report<'_>) -> Value {
    let head = &report.record.head;
    let claims = report.claims.iter().map(|(claim, judgements)| {
        json!({
            "says": claim.says,
            "place": claim.place,
            "note": claim.note,
            "judgements": judgements,
        })
    });
    // Every table has a plot of single messages, for the page; of many only where there are any.
    let of_one = head.study.tables.iter().map(|table| Plot::new(report.record, table));
    let of_many = head.study.tables.iter().map(|table| Plot::of_many(report.record, table));
    let plots = of_one.chain(of_many.filter(|plot| !plot.measured.is_empty()));
    json!({
        "schema": SCHEMA,
        "study": head.study.name,
        "title": head.study.title,
        "source": head.study.source,
        "question": head.study.question,
        "answer": report.answer,
        "answers": report.answers,
        "facts": report.facts,
        "unfinished": report.record.unfinished,
        "hashdyno": head.hashdyno,
        "date": head.date,
        "command": head.command,
        "preset": head.preset,
        "cpu": head.cpu,
        "machine": head.machine,
        "providers": report.record.providers,
        "loops": report
            .record
            .loops
            .iter()
            .map(|bare| json!({ "provider": bare.source, "estimate": bare.series.estimate() }))
            .collect::<Vec<_>>(),
        "cells": report
            .record
            .entries
            .iter()
            .map(|entry| cell(report.record, entry))
            .collect::<Vec<_>>(),
        "told": report.record.told,
        "files": files::json(report.record),
        "plots": plots.collect::<Vec<_>>(),
        "grids": report.grids,
        "behaviour": behaviour::moments(report.record),
        "board": report.board.as_ref().map(board::json),
        "claims": claims.collect::<Vec<_>>(),
        "errata": report.errata,
        "not_measured": report.gaps,
    })
}

/// A cell; the record's mask is that of whoever has none of its own.
fn cell(record: &Record, entry: &Entry) -> Value {
    let cpu = &record.head.cpu;
    let mut cell = json!({
        "source": entry.source,
        "provider": entry.source.provider,
        "implementation": entry.implementation,
        "mask": entry.source.mask.as_ref().unwrap_or(cpu),
        "threads": entry.source.threads,
        "algorithm": entry.algorithm,
        "size": entry.size,
        "bytes": entry.size.mean(),
    });
    match &entry.series.outcome {
        Outcome::Estimate(estimate) => {
            cell["estimate"] = json!(estimate);
            // Beside the estimate, whose own key for the state is absent on a quiet core.
            cell["core"] = json!(cells::core(estimate.state));
            cell["gigabytes_per_second"] = json!(entry.size.mean() / estimate.ns.value);
            cell["spread"] = json!(cells::spread(&estimate.ns));
            if let Some(share) = judge::of_ceiling(record, entry) {
                cell["of_ceiling"] = json!(share);
            }
        }
        Outcome::Void { reason } => cell["void"] = json!(reason),
    }
    cell
}
