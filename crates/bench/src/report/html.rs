//! The report as one HTML file: the page of `report/`, with the reports and their records inside.

use std::io::Write;

use data_encoding::BASE64;
use flate2::{Compression, write::GzEncoder};
use serde_json::json;

use super::{Report, json};

/// A report and the record that it was made from.
pub struct Part<'a> {
    /// What the record says.
    pub report: Report<'a>,
    /// The record's file name, for the one who takes it out of the page again.
    pub file: String,
    /// The record's bytes.
    pub bytes: &'a [u8],
}

/// The page, a part for each record. It needs no network and holds every record whole.
pub fn render(parts: &[Part<'_>]) -> String {
    let part = |part: &Part<'_>| {
        json!({
            "file": part.file,
            "bytes": part.bytes.len(),
            "record": BASE64.encode(&compressed(part.bytes)),
            "report": json::value(&part.report),
        })
    };
    let parts: Vec<_> = parts.iter().map(part).collect();
    let data = serde_json::to_string(&parts).expect("a report is plain data");
    // In a script element `</` would end it and `<!--` would change how it is read.
    PAGE.replacen(PLACE, &data.replace('<', "\\u003c"), 1)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_one_place_for_the_data_and_asks_for_nothing_else() {
        assert_eq!(PAGE.matches(PLACE).count(), 1);
        for outside in ["src=\"", "href=\"http", "@import", "url(http"] {
            assert!(!PAGE.contains(outside), "the page has {outside}");
        }
    }
}
