//! What a copy says, as JSON objects.

use serde_json::{Map, Value, json};

use super::job::{Failure, Renamed, Settled};
use super::plan::Planned;
use super::report::{Report, Tally};
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

impl Report {
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
