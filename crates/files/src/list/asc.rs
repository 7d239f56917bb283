//! The history that ASC MHL 2.0 keeps beside the files: the folder `ascmhl`, a list for each
//! generation, and the chain.
//!
//! ```text
//! FOLDER/ascmhl/0001_FOLDER_2026-01-31_123456Z.mhl     the list of the first generation
//! FOLDER/ascmhl/ascmhl_chain.xml                       <path>0001_...mhl</path><c4>c4...</c4>
//! ```
//!
//! The order: the folder, the list (whole, synced), the chain (the same), then a sync of the folder
//! above. The chain comes after the list that it vouches for. A power cut between the steps can
//! leave a folder `ascmhl` without a chain. If it is empty, the next `begin` takes it. If not, the
//! next one refuses it: nobody knows whose files are in it.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use atomic_file::AtomicFile;
use hashdyno::find;
use jiff::Timestamp;
use quick_xml::escape::escape;
use rustix::fs::{CWD, Dir, Mode, OFlags, openat};

use crate::list::c4;

/// The chain's name: the file that a history ends with.
const CHAIN: &str = "ascmhl_chain.xml";

/// Fails where a history cannot begin in that folder.
///
/// # Errors
/// Of the file system. [`io::ErrorKind::AlreadyExists`]: the folder has a history, or what an
/// interrupted run has left of one. An empty `ascmhl` is neither.
pub fn check_begin(folder: &Path) -> io::Result<()> {
    let history = folder.join("ascmhl");
    if !history.exists() || is_empty(&history)? {
        return Ok(());
    }
    let message = if history.join(CHAIN).exists() {
        "it has an ASC MHL history already; `hashdyno check` verifies it"
    } else {
        "its folder ascmhl has no ascmhl_chain.xml, as after an interrupted run; move that folder \
            away to begin anew"
    };
    Err(io::Error::new(io::ErrorKind::AlreadyExists, message))
}

/// Puts the first generation, `list`, into a folder that has no history yet, each file whole or not
/// at all.
///
/// # Errors
/// As [`check_begin`].
pub fn begin(folder: &Path, list: &[u8]) -> io::Result<()> {
    check_begin(folder)?;
    let history = folder.join("ascmhl");
    let root = folder
        .canonicalize()?
        .file_name()
        .map_or("root".to_owned(), |name| name.to_string_lossy().into_owned());
    let name = format!("0001_{root}_{}Z.mhl", Timestamp::now().strftime("%Y-%m-%d_%H%M%S"));
    let id = c4::encode(&find("sha512").expect("the registry has SHA-512").digest(list));
    let chain = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ascmhldirectory \
            xmlns=\"urn:ASC:MHL:DIRECTORY:v2.0\">\n  \
         <hashlist \
         sequencenr=\"1\">\n    <path>{}</path>\n    <c4>{id}</c4>\n  \
         </hashlist>\n</ascmhldirectory>\n",
        escape(name.as_str())
    );
    // Only one of two programs that begin at once makes the folder: the other one fails here. Where
    // it was left empty, the other one fails at the chain, as `write` replaces nothing.
    if !history.exists() {
        fs::create_dir(&history)?;
    }
    write(&history.join(name), list)?;
    write(&history.join(CHAIN), chain.as_bytes())?;
    fs::File::open(folder)?.sync_all()
}

/// Whether there is nothing in a folder.
fn is_empty(folder: &Path) -> io::Result<bool> {
    let flags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
    // The standard library's reader panics where a folder cannot be closed, as on a disk that
    // fails.
    for entry in Dir::new(openat(CWD, folder, flags, Mode::empty())?)? {
        if !matches!(entry?.file_name().to_bytes(), b"." | b"..") {
            return Ok(false);
        }
    }
    Ok(true)
}

fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::new(path)?;
    file.write_all(content)?;
    file.finish(false, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_begins_once() {
        let folder = tempfile::tempdir().unwrap();
        begin(folder.path(), b"<hashlist/>").unwrap();
        let history = folder.path().join("ascmhl");
        let chain = fs::read_to_string(history.join("ascmhl_chain.xml")).unwrap();
        let names = fs::read_dir(&history).unwrap().map(|entry| entry.unwrap().file_name());
        let lists: Vec<_> = names.filter(|name| name != "ascmhl_chain.xml").collect();
        let [list] = &lists[..] else { panic!("{lists:?}") };
        assert_eq!(fs::read(history.join(list)).unwrap(), b"<hashlist/>");
        assert!(chain.contains(&format!("<path>{}</path>", list.to_str().unwrap())), "{chain}");
        let id = c4::encode(&find("sha512").unwrap().digest(b"<hashlist/>"));
        assert!(chain.contains(&format!("<c4>{id}</c4>")), "{chain}");
        let again = begin(folder.path(), b"").unwrap_err();
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
        assert!(again.to_string().contains("`hashdyno check` verifies it"), "{again}");
        assert_eq!(fs::read(history.join(list)).unwrap(), b"<hashlist/>");
    }

    #[test]
    fn a_folder_that_a_power_cut_left_is_used_if_empty_and_told_if_not() {
        let folder = tempfile::tempdir().unwrap();
        let history = folder.path().join("ascmhl");
        fs::create_dir(&history).unwrap();
        begin(folder.path(), b"<hashlist/>").unwrap();
        assert_eq!(fs::read_dir(&history).unwrap().count(), 2);

        fs::remove_file(history.join(CHAIN)).unwrap();
        let again = begin(folder.path(), b"<hashlist/>").unwrap_err();
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
        assert!(again.to_string().contains("move that folder away to begin anew"), "{again}");
        assert_eq!(fs::read_dir(&history).unwrap().count(), 1, "nothing was changed");
    }
}
