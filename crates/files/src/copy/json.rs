//! What a copy says, as JSON objects, a line each. docs/JSON.md says which keys are stable.
//!
//! A name that is not UTF-8 stands in hexadecimal, under its key with `_bytes` behind it. Every
//! line but those within a report has the schema's version.

use serde_json::{Map, Value, json};

use super::job::{Failure, Renamed, Settled};
use super::plan::Planned;
use super::report::{CopyReport, Tally};
use super::verify::Proof;
use crate::list::json::{object, put_name};
use crate::read::names::name;
use crate::verdict;

impl Settled<'_> {
    /// `{"source","destination","name","size","modified","digests","outcome","proof"}`.
    pub fn json(&self) -> Value {
        let mut line = verdict::object();
        line.extend(object(self.entry));
        put_name(&mut line, "source", self.source);
        put_name(&mut line, "destination", name(self.destination));
        line.insert("outcome".to_owned(), if self.present { "present" } else { "copied" }.into());
        line.insert("proof".to_owned(), self.proof.name().into());
        line.into()
    }
}

impl Failure<'_> {
    /// `{"source","destination","outcome":"failed","reason"}`.
    pub fn json(&self) -> Value {
        let mut line = verdict::object();
        put_name(&mut line, "source", self.source);
        self.destination
            .into_iter()
            .for_each(|path| put_name(&mut line, "destination", name(path)));
        line.insert("outcome".to_owned(), "failed".into());
        line.insert("reason".to_owned(), self.reason.as_str().into());
        line.into()
    }
}

impl Renamed<'_> {
    /// `{"source","destination","wanted","name","outcome":"renamed"}`; `"replaced"` where the name
    /// is the wanted one.
    pub fn json(&self) -> Value {
        let mut line = verdict::object();
        put_name(&mut line, "source", self.source);
        put_name(&mut line, "destination", name(self.destination));
        put_name(&mut line, "wanted", self.wanted);
        put_name(&mut line, "name", self.name);
        line.insert(
            "outcome".to_owned(),
            if self.wanted == self.name { "replaced" } else { "renamed" }.into(),
        );
        line.into()
    }
}

impl Planned<'_> {
    /// `{"source","destination","name","size","outcome":"would-copy"}`.
    pub fn json(&self) -> Value {
        let mut line = verdict::object();
        put_name(&mut line, "source", self.source);
        put_name(&mut line, "destination", name(self.destination));
        put_name(&mut line, "name", self.name);
        line.insert("size".to_owned(), self.size.into());
        line.insert("outcome".to_owned(), self.fate.name().into());
        line.into()
    }
}

impl CopyReport {
    /// `{"report":{"files","bytes","left_out","destinations":[...],"seconds":{...}}}`.
    pub fn json(&self) -> Value {
        let seconds = &self.seconds;
        json!({ "schema": verdict::SCHEMA, "report": {
            "files": self.files,
            "bytes": self.bytes,
            "left_out": self.left_out,
            "destinations": self.destinations.iter().map(Tally::json).collect::<Vec<_>>(),
            "seconds": {
                "reading": seconds.reading,
                "hashing": seconds.hashing,
                "writing": seconds.writing,
                "verifying": seconds.verifying,
                "elapsed": seconds.elapsed,
            },
        } })
    }
}

impl Tally {
    fn json(&self) -> Value {
        let proofs = Proof::ALL
            .into_iter()
            .map(|proof| (proof.name().to_owned(), self.proved(proof).into()));
        let mut line = Map::new();
        put_name(&mut line, "destination", name(&self.path));
        let counts = [
            ("copied", self.copied),
            ("present", self.present),
            ("earlier", self.earlier),
            ("failed", self.failed),
            ("renamed", self.renamed),
            ("replaced", self.replaced),
            ("unkept", self.unkept),
        ];
        line.extend(counts.map(|(key, count)| (key.to_owned(), count.into())));
        line.insert("proofs".to_owned(), Value::Object(proofs.collect()));
        line.into()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::plan::Fate;
    use super::super::report::Seconds;
    use super::*;

    #[test]
    fn a_failure_names_the_destination_that_lacks_the_file() {
        let failed = Failure {
            source: b"a",
            destination: Some(Path::new("to")),
            reason: "no room".to_owned(),
        };
        let mut expected = json!({
            "schema": verdict::SCHEMA, "source": "a", "destination": "to", "outcome": "failed",
            "reason": "no room",
        });
        assert_eq!(failed.json(), expected);

        // All destinations lack it.
        expected.as_object_mut().unwrap().remove("destination");
        assert_eq!(Failure { destination: None, ..failed }.json(), expected);
    }

    #[test]
    fn another_name_is_told_apart_from_another_content() {
        let renamed =
            |name| Renamed { source: b"a", destination: Path::new("to"), wanted: b"x", name };
        let expected = |name: &str, outcome: &str| {
            json!({
                "schema": verdict::SCHEMA, "source": "a", "destination": "to", "wanted": "x",
                "name": name, "outcome": outcome,
            })
        };
        assert_eq!(renamed(b"x-1").json(), expected("x-1", "renamed"));
        assert_eq!(renamed(b"x").json(), expected("x", "replaced"));
    }

    #[test]
    fn a_plan_says_what_would_become_of_a_file() {
        let planned = Planned {
            source: b"a",
            destination: Path::new("to"),
            name: b"x",
            size: 3,
            fate: Fate::Refuse,
        };
        let expected = json!({
            "schema": verdict::SCHEMA, "source": "a", "destination": "to", "name": "x", "size": 3,
            "outcome": "would-refuse",
        });
        assert_eq!(planned.json(), expected);
    }

    #[test]
    fn a_report_has_every_count() {
        let tally = Tally {
            path: "to".into(),
            copied: 1,
            present: 2,
            earlier: 3,
            failed: 4,
            renamed: 5,
            replaced: 6,
            unkept: 7,
            unkept_reason: None,
            proofs: [8, 9, 10, 11],
        };
        let seconds =
            Seconds { reading: 0.5, hashing: 1.5, writing: 2.5, verifying: 3.5, elapsed: 4.5 };
        let report =
            CopyReport { files: 12, bytes: 13, left_out: 14, destinations: vec![tally], seconds };
        let expected = json!({ "schema": verdict::SCHEMA, "report": {
            "files": 12, "bytes": 13, "left_out": 14,
            "destinations": [{
                "destination": "to", "copied": 1, "present": 2, "earlier": 3, "failed": 4,
                "renamed": 5, "replaced": 6, "unkept": 7,
                "proofs": { "device": 8, "cache": 9, "unknown": 10, "none": 11 },
            }],
            "seconds": {
                "reading": 0.5, "hashing": 1.5, "writing": 2.5, "verifying": 3.5, "elapsed": 4.5,
            },
        } });
        assert_eq!(report.json(), expected);
    }
}
