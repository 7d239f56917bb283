//! Where the names of a list begin.
//!
//! The commonest mistake with a list is the wrong folder: then no file is found. The hint looks for
//! the first file of the list near by, and names the folder for `-C`. It looks and changes nothing.

use std::path::Path;

use files::list::{Grammar, Reader};
use files::names::{self, quoted};

use super::lengths::reopened;

/// Says where the names of a list begin, and where its first file is, if that is near: in the
/// audited folder before all others.
pub fn relative(list: &[u8], grammar: &Grammar, audited: Option<&[u8]>) -> String {
    let near = first_name(list, grammar.clone()).and_then(|name| {
        let own = names::path(list)
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
            .unwrap_or(Path::new("."))
            .to_owned();
        let inner = [Path::new("."), &own]
            .into_iter()
            .filter_map(|folder| folder.read_dir().ok())
            .flatten()
            .flatten();
        let inner = inner.map(|entry| entry.path()).filter(|path| path.is_dir());
        let first = audited.map(|folder| names::path(folder).to_owned());
        first
            .into_iter()
            .chain([own.clone()])
            .chain(inner)
            .find(|folder| folder.join(names::path(&name)).is_file())
    });
    let folder = near.map_or("FOLDER".to_owned(), |folder| {
        let folder = folder.strip_prefix(".").unwrap_or(&folder);
        quoted(names::name(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }))
            .to_string()
    });
    format!("names of a list are relative to the folder that it was made for: try -C {folder}")
}

/// The first name in a list that can be read once more.
fn first_name(list: &[u8], grammar: Grammar) -> Option<Vec<u8>> {
    let mut reader = Reader::new(reopened(list)?, grammar);
    std::iter::from_fn(|| reader.next_line().ok().flatten())
        .find_map(|line| line.entry)
        .map(|entry| entry.name)
}
