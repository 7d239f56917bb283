//! Contents that a job has moved aside, as another file takes their names.
//!
//! ```text
//! {"aside":"a.jpg.replaced","inode":7,"name":"a.jpg"}
//! ```
//!
//! The line comes before the rename. So it says which file it means: a run that was killed between
//! the two has moved nothing, and the other name may be that of a user's file. It is not synced:
//! after a power cut it can be missing, and the content stays under its other name.

use std::io;

use serde_json::{Map, Value};

use super::super::layout::tidy;
use super::super::suffix::is_suffixed;
use super::super::target::REPLACED;
use super::{Earlier, Journal, json};

/// A content that was moved aside.
#[derive(Clone, Debug, PartialEq)]
pub struct Aside {
    /// The name that it had.
    pub name: Vec<u8>,
    /// Its other name.
    pub aside: Vec<u8>,
    /// The number of its file.
    pub inode: u64,
}

impl Journal {
    /// Says that a content is about to be moved aside.
    pub fn aside(&mut self, aside: &Aside) -> io::Result<()> {
        self.append(&aside.line())
    }
}

impl Earlier {
    /// What earlier runs moved aside, the oldest first. It may be gone, or have its name again.
    pub fn asides(&self) -> Vec<Aside> {
        self.asides.iter().filter_map(|offset| Aside::parse(&self.line(*offset)?)).collect()
    }

    /// Takes a line for void.
    pub fn strike_out(&mut self, offset: u64) {
        let at = self.void.partition_point(|void| *void < offset);
        self.void.insert(at, offset);
    }
}

impl Aside {
    fn line(&self) -> String {
        let mut object = Map::new();
        json::put_name(&mut object, "name", &self.name);
        json::put_name(&mut object, "aside", &self.aside);
        object.insert("inode".to_owned(), self.inode.into());
        Value::Object(object).to_string()
    }

    /// As a journal may come from strangers, both names must be some that a copy gives.
    fn parse(line: &[u8]) -> Option<Self> {
        let object: Map<_, _> = serde_json::from_slice(line).ok()?;
        let (name, aside) = (json::name(&object, "name")?, json::name(&object, "aside")?);
        let inode = object.get("inode")?.as_u64()?;
        let is_one = tidy(&name).as_deref() == Some(&name[..])
            && is_suffixed(&[&name[..], REPLACED].concat(), &aside);
        is_one.then_some(Self { name, aside, inode })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_means_one_file_of_the_destination() {
        let aside = Aside {
            name: b"2024/a\xff.jpg".into(),
            aside: b"2024/a\xff.jpg-3.replaced".into(),
            inode: 7,
        };
        assert_eq!(Aside::parse(aside.line().as_bytes()), Some(aside));
        for (name, other) in [
            ("../a", "../a.replaced"),
            ("/a", "/a.replaced"),
            ("a", "b.replaced"),
            ("a", "a"),
            ("a", "b/a.replaced"),
        ] {
            let line = Aside { name: name.into(), aside: other.into(), inode: 7 }.line();
            assert_eq!(Aside::parse(line.as_bytes()), None, "{line}");
        }
    }
}
