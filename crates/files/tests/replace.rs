//! Copies that take a name from another content: nothing is lost, whatever goes wrong before the
//! new file is proved.

mod copying;

use std::path::Path;

use copying::{Heard, job, run, tree, write};
use files::copy::{CopyError, CopyJob, Include, OnConflict, copy};
use files::meter::Meter;
use files::names;

/// A source with one file, and a destination that has another content under its name.
fn prepared(folder: &Path) -> CopyJob {
    write(&folder.join("from/a.jpg"), "new");
    write(&folder.join("to/a.jpg"), "old");
    CopyJob {
        on_conflict: OnConflict::Replace,
        ..job(&[&folder.join("from/.")], &folder.join("to"))
    }
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

/// A run that has replaced `old` by `new`, and ends before it has proved `new`. The job that goes
/// on with it.
fn interrupted(folder: &Path) -> CopyJob {
    let (job, to) = (prepared(folder), folder.join("to"));
    let ends = || Err(std::io::Error::other("it was killed"));
    let mut heard = Heard { meanwhile: Some(Box::new(ends)), ..Heard::default() };
    assert!(copy(&job, Meter::default(), &mut heard).is_err());
    assert_eq!(tree(&to), [".hashdyno-copy/journal", "a.jpg", "a.jpg.replaced"]);
    CopyJob { resume: true, ..job }
}

#[test]
fn a_resumed_copy_removes_what_was_replaced_when_the_new_file_is_proved() {
    let folder = tempfile::tempdir().unwrap();
    let (job, to) = (interrupted(folder.path()), folder.path().join("to"));
    let (report, _) = run(&job);
    assert_eq!((report.destinations[0].earlier, report.destinations[0].replaced), (1, 1));
    assert_eq!((tree(&to), read(&to.join("a.jpg"))), (vec!["a.jpg".to_owned()], "new".to_owned()));
}

#[test]
fn a_resumed_copy_gives_a_content_its_name_again_where_no_file_has_taken_it() {
    for (on_conflict, expected) in [
        (OnConflict::Replace, &[("a.jpg", "new")][..]),
        (OnConflict::Suffix, &[("a-1.jpg", "new"), ("a.jpg", "old")]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (job, to) = (interrupted(folder.path()), folder.path().join("to"));
        std::fs::remove_file(to.join("a.jpg")).unwrap();
        let (report, _) = run(&CopyJob { on_conflict, ..job });
        assert_eq!((report.destinations[0].copied, report.destinations[0].failed), (1, 0));
        let there = tree(&to).into_iter().map(|name| (read(&to.join(&name)), name));
        let expected = expected.iter().map(|(name, content)| (content, name));
        assert!(there.eq(expected.map(|(content, name)| (content.to_string(), name.to_string()))));
    }
}

#[test]
fn a_resumed_copy_leaves_another_file_alone_that_has_the_name_of_what_was_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (job, to) = (interrupted(folder.path()), folder.path().join("to"));
    // Beside the old one, whose number it could have otherwise.
    write(&to.join("b"), "precious");
    std::fs::rename(to.join("b"), to.join("a.jpg.replaced")).unwrap();
    let (report, _) = run(&job);
    assert_eq!(report.destinations[0].replaced, 0);
    assert_eq!(read(&to.join("a.jpg.replaced")), "precious");
}

/// Of a name whose folder is a link by now, nothing is known. The other files are copied.
#[test]
fn a_resumed_copy_goes_on_where_a_folder_of_what_was_replaced_has_become_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("from"), folder.path().join("to"));
    let job = prepared(folder.path());
    write(&from.join("sub/b.jpg"), "new");
    write(&to.join("sub/b.jpg"), "old");
    let ends = || Err(std::io::Error::other("it was killed"));
    let mut first = Heard { meanwhile: Some(Box::new(ends)), ..Heard::default() };
    assert!(copy(&job, Meter::default(), &mut first).is_err());
    std::fs::rename(to.join("sub"), folder.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", to.join("sub")).unwrap();
    let (report, heard) = run(&CopyJob { resume: true, ..job });
    assert_eq!((heard.settled, report.destinations[0].replaced), (vec!["a.jpg".to_owned()], 1));
    assert_eq!((report.destinations[0].failed, heard.failed.len()), (1, 1), "{:?}", heard.failed);
    assert_eq!(read(&folder.path().join("elsewhere/b.jpg.replaced")), "old");
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
    let job = CopyJob { on_conflict: OnConflict::Suffix, ..prepared(folder.path()) };
    write(&folder.path().join("from/deep/b.txt"), "b");
    let include = Include::parse(&["*.jpg".to_owned()]).unwrap();
    let (report, heard) = run(&CopyJob { include, ..job });
    assert_eq!((report.files, report.destinations[0].renamed), (1, 1));
    assert_eq!(heard.settled, ["a-1.jpg"]);
}

/// What a job is refused for, which then has done nothing at its destination.
fn refusal(job: &CopyJob) -> (String, String) {
    let before = tree(&job.destinations[0]);
    match copy(job, Meter::default(), &mut Heard::default()) {
        Err(CopyError::Refused { message, hint }) => {
            assert_eq!(tree(&job.destinations[0]), before);
            (message, hint)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn sources_in_the_destination_are_refused_however_they_are_called() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(&at.join("photos/2024/a.jpg"), "a");
    write(&at.join("elsewhere/b.jpg"), "b");
    for (link, to) in [
        ("to", "photos"),
        ("year", "photos/2024"),
        ("a.jpg", "photos/2024/a.jpg"),
        ("photos/b.jpg", "../elsewhere/b.jpg"),
        ("photos/elsewhere", "../elsewhere"),
    ] {
        std::os::unix::fs::symlink(to, at.join(link)).unwrap();
    }
    let jobs = |source: &str, destination: &str| CopyJob {
        on_conflict: OnConflict::Replace,
        ..job(&[&at.join("elsewhere"), &at.join(source)], &at.join(destination))
    };
    for (source, destination) in [
        ("photos/2024", "photos"),
        ("photos/2024/.", "photos"),
        ("photos/2024/a.jpg", "photos"),
        ("photos/2024", "to"),
        ("year", "photos"),
        ("a.jpg", "to"),
        // The photo lies elsewhere, but its side-cars lie beside the link.
        ("photos/b.jpg", "photos"),
    ] {
        let (message, hint) = refusal(&jobs(source, destination));
        assert!(message.contains(&format!("{source} lies in the destination ")), "{message}");
        assert!(message.contains(&format!("{destination}, where")), "{message}");
        assert!(hint.starts_with("leave --on-conflict replace out"), "{hint}");
    }
    let also = CopyJob {
        destinations: vec![at.join("new"), at.join("photos")],
        ..jobs("photos/2024", "photos")
    };
    assert!(copy(&also, Meter::default(), &mut Heard::default()).is_err());
    assert!(!at.join("new").exists(), "nothing is made before the refusal");

    // Neither a folder to which a link leads, nor one whose name only begins alike.
    write(&at.join("photos-2/c.jpg"), "c");
    let apart = CopyJob {
        sources: [at.join("photos/elsewhere"), at.join("photos-2")]
            .map(|path| names::name(&path).to_vec())
            .to_vec(),
        ..jobs("photos-2", "photos")
    };
    let (report, heard) = run(&apart);
    assert_eq!(report.destinations[0].failed, 1, "a link is not followed below a destination");
    assert_eq!(heard.settled, ["photos-2/c.jpg"]);
}
