//! The report as one HTML file: the page of `report/`, with the reports inside, and the records
//! where they are asked for.
//!
//! ```text
//! @@REPORTS@@  ->  base64(gzip(JSON: [{file, bytes, record, project, report}, ...]))
//! ```
//!
//! The page needs no network and no server. Base64 has no sign that could end the script in which
//! it stands, whoever wrote the record.

use std::io::Write;

use data_encoding::BASE64;
use flate2::{Compression, write::GzEncoder};
use serde_json::{Number, Value, json};

use super::strip::{self, Strip};
use super::{Format, Part, Render, bars::Bars, json};

/// The page, a part for each record. It needs no network.
pub const FORMAT: Format = Format {
    name: "html",
    endings: &["html", "htm"],
    about: "One page with charts and tables",
    ..Format::by(Render::Several(render))
};

fn render(parts: &[Part<'_>]) -> String {
    let data: Vec<_> = parts.iter().map(part).collect();
    let data = serde_json::to_vec(&data).expect("a report is plain data");
    let page = PAGE.replacen(PLACE, &BASE64.encode(&compressed(&data)), 1);
    page.replacen(TITLE, &format!("<title>{}</title>", escaped(&title(parts))), 1)
}

fn part(part: &Part<'_>) -> Value {
    let mut report = json::value(part.report);
    let record = part.report.record;
    report["bars"] = json!(Bars::all(record));
    report["strip"] = json!(part.report.board.as_ref().and_then(Strip::new).map(told));
    // The page shows these from the grids and facts of the report.
    for unseen in ["schema", "providers", "loops", "board", "files"] {
        report.as_object_mut().expect("a report is an object").remove(unseen);
    }
    slim(&mut report);
    shorten(&mut report);
    json!({
        "file": part.file,
        "bytes": part.bytes.map(<[u8]>::len),
        "record": part.bytes.map(|bytes| BASE64.encode(&compressed(bytes))),
        "project": env!("CARGO_PKG_REPOSITORY"),
        "report": report,
    })
}

/// The chart of a scoreboard, with the words of each dot.
fn told(chart: Strip) -> Value {
    let mut value = json!(chart);
    for (row, line) in chart.rows.iter().enumerate() {
        for (place, dot) in line.dots.iter().enumerate() {
            value["rows"][row]["dots"][place]["words"] = json!(strip::words(dot));
        }
    }
    value
}

/// Leaves out what the page finds elsewhere: it takes the time of a chart's figure from its cell.
fn slim(report: &mut Value) {
    for cell in report["cells"].as_array_mut().expect("cells are a list") {
        without(cell, &["gigabytes_per_second", "spread"]);
        if let Some(estimate) = cell.get_mut("estimate") {
            without(estimate, &["ghz", "drift", "narrow"]);
        }
    }
    for plot in report["plots"].as_array_mut().expect("plots are a list") {
        for measured in plot["measured"].as_array_mut().expect("figures are a list") {
            without(measured, &["ns", "cycles"]);
        }
    }
}

fn without(value: &mut Value, keys: &[&str]) {
    if let Some(object) = value.as_object_mut() {
        object.retain(|key, _| !keys.contains(&key.as_str()));
    }
}

/// Rounds every figure to five digits: the page shows four.
fn shorten(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let figure = number.as_f64().expect("it is one");
            // A board has thousands of figures, and a page may be sent by mail.
            let short = format!("{figure:.4e}").parse().ok().and_then(Number::from_f64);
            *number = short.unwrap_or_else(|| number.clone());
        }
        Value::Array(items) => items.iter_mut().for_each(shorten),
        Value::Object(items) => items.values_mut().for_each(shorten),
        _ => (),
    }
}

/// What a browser's tab and a link's preview say.
fn title(parts: &[Part<'_>]) -> String {
    match parts {
        [part] => {
            let head = &part.report.record.head;
            format!("{} · {} · hashdyno", head.study.title, head.machine.cpu)
        }
        _ => format!("{} records · hashdyno", parts.len()),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::best());
    out.write_all(bytes).expect("writing to memory does not fail");
    out.finish().expect("writing to memory does not fail")
}

/// Built from `report/` by `make page`.
const PAGE: &str = include_str!("../../../../report/dist/report.html");

/// Where the data goes.
const PLACE: &str = "@@REPORTS@@";

/// Where the title goes.
const TITLE: &str = "<title>hashdyno report</title>";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_one_place_for_the_data_and_asks_for_nothing_else() {
        assert_eq!(PAGE.matches(PLACE).count(), 1);
        assert_eq!(PAGE.matches(TITLE).count(), 1);
        for outside in ["src=\"", "href=\"http", "@import", "url(http"] {
            assert!(!PAGE.contains(outside), "the page has {outside}");
        }
    }

    #[test]
    fn figures_are_rounded_and_nothing_else() {
        let mut value = json!({"a": [1.234_567_891, 2, "1.234567891"], "b": {"c": 1.0e-9}});
        shorten(&mut value);
        assert_eq!(value, json!({"a": [1.2346, 2, "1.234567891"], "b": {"c": 1.0e-9}}));
    }
}
