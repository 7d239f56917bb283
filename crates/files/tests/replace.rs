//! Copies that take a name from another content: nothing is lost, whatever goes wrong before the
//! new file is proved.

mod copying;

use std::path::Path;

use copying::{Heard, job, run, tree, write};
use files::copy::{Include, Job, OnConflict, copy};
use files::meter::Meter;

/// A source with one file, and a destination that has another content under its name.
fn prepared(folder: &Path) -> Job {
    write(&folder.join("from/a.jpg"), "new");
    write(&folder.join("to/a.jpg"), "old");
    Job { on_conflict: OnConflict::Replace, ..job(&[&folder.join("from/.")], &folder.join("to")) }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn another_content_is_gone_when_the_new_file_is_proved_and_not_before() {
    let folder = tempfile::tempdir().unwrap();
    let (job, to) = (prepared(folder.path()), folder.path().join("to"));
    let mut seen = Vec::new();
    let looks = || {
        seen.push((read(&to.join("a.jpg")), read(&to.join("a.jpg.replaced"))));
        Ok(())
    };
    let mut heard = Heard { meanwhile: Some(Box::new(looks)), ..Heard::default() };
    let report = copy(&job, Meter::default(), &mut heard).unwrap();
    drop(heard);
    assert_eq!(seen, [("new".to_owned(), "old".to_owned())]);
    let tally = &report.destinations[0];
    assert_eq!((tally.copied, tally.replaced, tally.renamed, tally.failed), (1, 1, 0, 0));
    assert_eq!((tree(&to), read(&to.join("a.jpg"))), (vec!["a.jpg".to_owned()], "new".to_owned()));
    let (report, heard) = run(&job);
    assert_eq!((heard.settled, report.destinations[0].replaced), (vec!["=a.jpg".to_owned()], 0));
}

#[test]
fn another_content_has_its_name_again_where_the_new_file_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let (job, to) = (prepared(folder.path()), folder.path().join("to"));
    let damages = || std::fs::write(to.join("a.jpg"), "nEw");
    let mut heard = Heard { meanwhile: Some(Box::new(damages)), ..Heard::default() };
    let report = copy(&job, Meter::default(), &mut heard).unwrap();
    assert_eq!((report.destinations[0].failed, report.destinations[0].replaced), (1, 0));
    assert!(
        heard.failed[0].1.ends_with("the file that it replaced has its name again"),
        "{:?}",
        heard.failed
    );
    drop(heard);
    assert_eq!(
        (read(&to.join("a.jpg")), read(&to.join("a.jpg.damaged"))),
        ("old".to_owned(), "nEw".to_owned())
    );
}

#[test]
fn another_content_is_replaced_though_the_new_one_is_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let (job, to) = (prepared(folder.path()), folder.path().join("to"));
    write(&to.join("a-1.jpg"), "new");
    let (report, heard) = run(&job);
    assert_eq!((report.destinations[0].replaced, heard.settled), (1, vec!["a.jpg".to_owned()]));
    assert_eq!(read(&to.join("a.jpg")), "new");
}

#[test]
fn links_and_folders_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (job, to) = (prepared(folder.path()), folder.path().join("to"));
    std::fs::remove_file(to.join("a.jpg")).unwrap();
    std::os::unix::fs::symlink("elsewhere", to.join("a.jpg")).unwrap();
    let (report, heard) = run(&job);
    assert_eq!(report.destinations[0].failed, 1);
    assert!(heard.failed[0].1.contains("is not a file, and is not replaced"), "{:?}", heard.failed);
    assert!(to.join("a.jpg").symlink_metadata().unwrap().is_symlink());
}

#[test]
fn only_files_that_match_are_copied_and_other_names_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let job = Job { on_conflict: OnConflict::Suffix, ..prepared(folder.path()) };
    write(&folder.path().join("from/deep/b.txt"), "b");
    let include = Include::parse(&["*.jpg".to_owned()]).unwrap();
    let (report, heard) = run(&Job { include, ..job });
    assert_eq!((report.files, report.destinations[0].renamed), (1, 1));
    assert_eq!(heard.settled, ["a-1.jpg"]);
}
