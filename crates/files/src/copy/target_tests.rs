//! Destinations: what has a name once, and what lies outside.

use std::io::Write;
use std::os::unix::fs::symlink;

use super::*;

#[test]
fn names_are_given_once_and_never_outside() {
    let outer = tempfile::tempdir().unwrap();
    let path = outer.path().join("to");
    let target = Target::open(&path).unwrap();
    let mut touched = Vec::new();
    let mut put = |place: &[u8], content: &[u8]| {
        let mut temp = target.temp()?;
        temp.file.write_all(content)?;
        target.give(&mut temp, place, &mut touched)
    };
    assert!(put(b"a/b/c", b"first").unwrap());
    assert!(!put(b"a/b/c", b"second").unwrap());
    symlink(outer.path(), path.join("out")).unwrap();
    symlink("../c", path.join("a/link")).unwrap();
    assert!(
        put(b"out/c", b"x")
            .unwrap_err()
            .to_string()
            .ends_with("to/out is a link, which is not followed")
    );
    assert!(put(b"a/b/c/d", b"x").unwrap_err().to_string().ends_with("to/a/b/c is no folder"));
    assert!(!put(b"a/link", b"x").unwrap());
    assert_eq!(touched, [b"".to_vec(), b"a/".to_vec(), b"a/b/".to_vec()]);
    assert_eq!(std::fs::read(path.join("a/b/c")).unwrap(), b"first");
    touched.iter().for_each(|folder| target.sync(folder).unwrap());
    assert_eq!(target.set_aside(b"a/b/c").unwrap(), b"a/b/c.damaged");
    assert!(
        target.stat(b"a/b/c").unwrap().is_none()
            && target.stat(b"a/b/c.damaged").unwrap().is_some()
    );
    assert_eq!(std::fs::read_dir(path.join(STAGING)).unwrap().count(), 0);
    symlink("b/c.damaged", path.join("a/near")).unwrap();
    for link in [&b"a/link"[..], b"a/near"] {
        assert!(target.read(link, OFlags::empty()).is_err());
    }
    target.read(b"a/b/c.damaged", OFlags::empty()).unwrap();
    assert_eq!(std::fs::read_dir(outer.path()).unwrap().count(), 1);
}

#[test]
fn folders_are_told_also_if_the_file_gets_no_name_in_them() {
    let outer = tempfile::tempdir().unwrap();
    let target = Target::open(&outer.path().join("to")).unwrap();
    let (mut touched, too_long) = (Vec::new(), [b"new/", &b"x".repeat(256)[..]].concat());
    target.give(&mut target.temp().unwrap(), &too_long, &mut touched).unwrap_err();
    assert_eq!(touched, [b""]);
}

#[test]
fn a_journal_has_one_copy_at_a_time() {
    let outer = tempfile::tempdir().unwrap();
    let target = Target::open(&outer.path().join("to")).unwrap();
    let journal = target.journal().unwrap();
    assert_eq!(target.journal().unwrap_err().kind(), ErrorKind::ResourceBusy);
    drop(journal);
    target.journal().unwrap();
    let path = outer.path().join("to").join(STAGING).join(JOURNAL);
    std::fs::hard_link(path, outer.path().join("elsewhere")).unwrap();
    assert_eq!(target.journal().unwrap_err().kind(), ErrorKind::InvalidData);
}

#[test]
fn names_that_lead_out_are_none() {
    let outer = tempfile::tempdir().unwrap();
    let target = Target::open(&outer.path().join("to")).unwrap();
    std::fs::write(outer.path().join("file"), "").unwrap();
    for place in [&b"../file"[..], b"a/../../file", b"..", b".", b"", b"a//b", b"./a"] {
        assert!(target.stat(place).is_err() && target.set_aside(place).is_err(), "{place:?}");
    }
}

/// A file system that folds letters knows the folder by names that `is_staging` does not.
#[test]
fn the_folder_of_unfinished_copies_is_known_by_its_identity() {
    let outer = tempfile::tempdir().unwrap();
    let target = Target::open(&outer.path().join("to")).unwrap();
    let error = target.folder(STAGING.as_bytes(), &mut None).unwrap_err();
    assert!(error.to_string().contains("kept for unfinished copies"), "{error}");
}

#[test]
fn a_parent_that_is_missing_is_not_made() {
    let outer = tempfile::tempdir().unwrap();
    assert!(Target::open(&outer.path().join("not/there")).is_err());
}

/// Somebody else may put a link where a temporary file or the journal comes.
#[test]
fn what_is_written_is_written_through_no_link() {
    let outer = tempfile::tempdir().unwrap();
    let (path, precious) = (outer.path().join("to"), outer.path().join("precious"));
    std::fs::write(&precious, "precious").unwrap();
    let target = Target::open(&path).unwrap();
    symlink(&precious, path.join(STAGING).join("0")).unwrap();
    symlink(&precious, path.join(STAGING).join(JOURNAL)).unwrap();
    assert!(target.temp().is_err() && target.journal().is_err());
    assert_eq!(std::fs::read(&precious).unwrap(), b"precious");
}
