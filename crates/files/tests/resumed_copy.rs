//! Copies that go on, and files that lose their names meanwhile: what is told is there, and each
//! side-car is beside its own photo.

mod copying;

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use copying::{Heard, job, run, tree, write};
use files::copy::{CopyJob, Layout, OnConflict, copy};
use files::meter::Meter;

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// A job by these sources below the folder.
fn of(folder: &Path, sources: &[&str]) -> CopyJob {
    let sources: Vec<_> = sources.iter().map(|source| folder.join(source)).collect();
    let sources: Vec<&Path> = sources.iter().map(|source| &**source).collect();
    job(&sources, &folder.join("to"))
}

fn resumed(job: CopyJob) -> CopyJob {
    CopyJob { resume: true, ..job }
}

/// Copied, present, from an earlier run, failed.
fn counts(report: &files::copy::CopyReport) -> [u64; 4] {
    let tally = &report.destinations[0];
    [tally.copied, tally.present, tally.earlier, tally.failed]
}

#[test]
fn a_sidecar_goes_nowhere_without_its_photo() {
    let folder = tempfile::tempdir().unwrap();
    let (card, to) = (folder.path().join("card"), folder.path().join("to"));
    let also = folder.path().join("also");
    write(&card.join("IMG.JPG"), "photo");
    write(&card.join("IMG.xmp"), "of the photo");
    write(&to.join("IMG.JPG"), "another photo");
    let job = of(folder.path(), &["card/."]);
    let refuse = CopyJob {
        on_conflict: OnConflict::Refuse,
        destinations: vec![to.clone(), also.clone()],
        ..job.clone()
    };
    let (report, heard) = {
        let mut heard = Heard::default();
        (copy(&refuse, Meter::default(), &mut heard).unwrap(), heard)
    };
    assert_eq!(counts(&report), [0, 0, 0, 2]);
    assert_eq!(report.destinations[1].copied, 2);
    assert_eq!(heard.failed[1], ("IMG.xmp".to_owned(), "its photo is not there".to_owned()));
    assert_eq!(tree(&to), [".hashdyno-copy/journal", "IMG.JPG"]);
    assert_eq!(tree(&also), ["IMG.JPG", "IMG.xmp"]);

    let (report, _) = run(&resumed(job));
    assert_eq!(counts(&report), [2, 0, 0, 0]);
    assert_eq!(tree(&to), ["IMG-1.JPG", "IMG-1.xmp", "IMG.JPG"]);
}

/// What happens at the destination between two runs; what the second counts; the names that are
/// there then; how many files are listed.
type Case<'a> = (&'a dyn Fn(&Path), [u64; 4], &'a [&'a str], usize);

/// A first run leaves its journal, in which a photo and its side-car are finished.
#[test]
fn a_sidecar_of_an_earlier_run_is_beside_its_photo_or_copied_again() {
    let change = |to: &Path| fs::write(to.join("IMG.JPG"), "another photo").unwrap();
    let remove = |to: &Path| fs::remove_file(to.join("IMG.JPG")).unwrap();
    let nothing = |_: &Path| ();
    let beside = ["IMG-1.JPG", "IMG-1.xmp", "IMG.JPG", "IMG.xmp", "sub/z"];
    let cases: [Case; 3] = [
        (&nothing, [1, 0, 2, 0], &["IMG.JPG", "IMG.xmp", "sub/z"], 3),
        (&remove, [2, 1, 0, 0], &["IMG.JPG", "IMG.xmp", "sub/z"], 3),
        // The first copy of the side-car stays.
        (&change, [3, 0, 0, 0], &beside, 4),
    ];
    for (meanwhile, expected, names, listed) in cases {
        let folder = tempfile::tempdir().unwrap();
        let (card, to) = (folder.path().join("card"), folder.path().join("to"));
        write(&card.join("IMG.JPG"), "photo");
        write(&card.join("IMG.xmp"), "of the photo");
        write(&card.join("sub/z"), "z");
        write(&to.join("sub"), "in the way of a folder");
        let job = of(folder.path(), &["card/."]);
        assert_eq!(counts(&run(&job).0), [2, 0, 0, 1]);
        fs::remove_file(to.join("sub")).unwrap();
        meanwhile(&to);
        let (report, heard) = run(&resumed(job));
        assert_eq!(counts(&report), expected, "{:?}", heard.failed);
        assert_eq!(tree(&to), names);
        assert_eq!(heard.listed.len(), listed, "{names:?}");
    }
}

/// A first run leaves its journal, in which `card/sub/y` is finished and `card/x` is not.
#[test]
fn a_file_of_an_earlier_run_is_finished_only_where_it_goes() {
    for (sources, expected, names) in [
        (
            &["card", "card/sub"][..],
            [2, 0, 1, 0],
            &["card/sub/y", "card/x", "card/x-1", "sub/y"][..],
        ),
        (&["card/sub"], [1, 0, 0, 0], &["card/sub/y", "card/x", "sub/y"]),
        // One line, and two files that it speaks of.
        (&["card", "card"], [1, 1, 2, 0], &["card/sub/y", "card/x", "card/x-1"]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        write(&folder.path().join("card/x"), "x");
        write(&folder.path().join("card/sub/y"), "y");
        write(&folder.path().join("to/card/x"), "another");
        let refuse = CopyJob { on_conflict: OnConflict::Refuse, ..of(folder.path(), &["card"]) };
        assert_eq!(counts(&run(&refuse).0), [1, 0, 0, 1]);
        let (report, heard) = run(&resumed(of(folder.path(), sources)));
        assert_eq!(counts(&report), expected, "{sources:?}: {:?}", heard.failed);
        assert_eq!(tree(&folder.path().join("to")), names, "{sources:?}");
    }
}

/// A first run is killed before it proves its files. The second names one of them, and the other
/// one is not as it was.
#[test]
fn a_file_that_is_not_named_again_fails_on_its_own_account() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("card/a"), "a");
    write(&folder.path().join("card/b"), "b");
    let ends = || Err(std::io::Error::other("it was killed"));
    let mut first = Heard { meanwhile: Some(Box::new(ends)), ..Heard::default() };
    let both = of(folder.path(), &["card/a", "card/b"]);
    assert!(copy(&both, Meter::default(), &mut first).is_err());
    fs::write(folder.path().join("to/a"), "x").unwrap();
    let (report, heard) = run(&resumed(of(folder.path(), &["card/b"])));
    assert_eq!(counts(&report), [0, 0, 1, 1], "{:?}", heard.failed);
    assert_eq!(tree(&folder.path().join("to")), [".hashdyno-copy/journal", "a.damaged", "b"]);
}

#[test]
fn a_file_that_has_another_name_by_now_is_listed_once() {
    let folder = tempfile::tempdir().unwrap();
    let (card, to) = (folder.path().join("card"), folder.path().join("to"));
    write(&card.join("a.jpg"), "photo");
    write(&card.join("sub/b"), "b");
    write(&to.join("a.jpg"), "another photo");
    write(&to.join("sub"), "in the way of a folder");
    let job = of(folder.path(), &["card/."]);
    assert_eq!(counts(&run(&job).0), [1, 0, 0, 1]);
    fs::rename(to.join("a-1.jpg"), to.join("a.jpg")).unwrap();
    fs::remove_file(to.join("sub")).unwrap();
    let (report, heard) = run(&resumed(job));
    assert_eq!(counts(&report), [1, 1, 0, 0]);
    let listed: Vec<_> = heard.listed.iter().map(|entry| &entry.name[..]).collect();
    assert_eq!(listed, [&b"a.jpg"[..], b"sub/b"]);
}

#[test]
fn a_file_whose_name_has_the_content_of_another_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("to");
    write(&folder.path().join("1/p"), "one!");
    write(&folder.path().join("2/p"), "two!");
    // What is not there keeps the journal.
    let first = of(folder.path(), &["1/.", "gone"]);
    assert_eq!(counts(&run(&first).0), [1, 0, 0, 1]);
    fs::write(to.join("p"), "two!").unwrap();
    let both = resumed(of(folder.path(), &["1/.", "2/."]));
    let (report, heard) = run(&both);
    assert_eq!(counts(&report), [0, 1, 0, 1]);
    let why = "another file has its name by now: it must be copied again";
    assert_eq!(heard.failed, [("p".to_owned(), why.to_owned())]);
    assert_eq!(counts(&run(&both).0), [1, 0, 1, 0]);
    assert_eq!((read(&to.join("p")), read(&to.join("p-1"))), ("two!".into(), "one!".into()));
}

/// The second photo is found at the destination, and then the first one takes its name.
#[test]
fn a_file_that_was_there_keeps_its_content_when_another_takes_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let (card, to) = (folder.path().join("card"), folder.path().join("to"));
    for (name, content) in [("0/0.jpg", "new"), ("1/a.jpg", "one!"), ("2/a.jpg", "two!")] {
        write(&card.join(name), content);
    }
    write(&card.join("3/z.jpg"), "last");
    write(&to.join("0.jpg"), "old");
    write(&to.join("a.jpg"), "two!");
    // The first file is told when it takes its name; the others are staged meanwhile, one by one.
    // When the last one has its temporary file beside that of `1/a.jpg`, `2/a.jpg` has been seen.
    let mut waited = false;
    let wait = || {
        let begun = Instant::now();
        let temps = || fs::read_dir(to.join(".hashdyno-copy")).unwrap().count() - 1;
        while !waited && temps() < 2 {
            assert!(begun.elapsed() < Duration::from_secs(60), "nothing is staged");
            sleep(Duration::from_millis(5));
        }
        waited = true;
    };
    let job = CopyJob {
        threads: 1,
        layout: Layout::parse("{name}").unwrap(),
        on_conflict: OnConflict::Replace,
        ..of(folder.path(), &["card"])
    };
    let mut heard = Heard { on_renamed: Some(Box::new(wait)), ..Heard::default() };
    let report = copy(&job, Meter::default(), &mut heard).unwrap();
    assert_eq!(counts(&report), [3, 1, 0, 0], "{:?}", heard.failed);
    assert_eq!((report.destinations[0].renamed, report.destinations[0].replaced), (1, 1));
    assert_eq!(heard.settled, ["0.jpg", "a.jpg", "=a-1.jpg", "z.jpg"]);
    drop(heard);
    assert_eq!(tree(&to), ["0.jpg", "a-1.jpg", "a.jpg", "z.jpg"]);
    let contents = ["0.jpg", "a.jpg", "a-1.jpg"].map(|name| read(&to.join(name)));
    assert_eq!(contents, ["new", "one!", "two!"]);
}

/// A destination that ignores case has one name for both, and nobody tells which one does.
#[test]
fn no_file_replaces_one_of_its_job_whose_name_differs_in_case_alone() {
    for runs in [&["card/."][..], &["card/IMG.JPG", "card/img.jpg"]] {
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join("to");
        write(&folder.path().join("card/IMG.JPG"), "one");
        write(&folder.path().join("card/img.jpg"), "two!");
        write(&to.join("IMG.JPG"), "before");
        write(&to.join("img.jpg"), "another");
        // In one run, or in several: what is not there keeps the journal.
        for (at, source) in runs.iter().enumerate() {
            let is_last = at + 1 == runs.len();
            let sources = if is_last { vec![*source] } else { vec![*source, "gone"] };
            let job = of(folder.path(), &sources);
            run(&CopyJob { on_conflict: OnConflict::Replace, resume: at > 0, ..job });
        }
        assert_eq!(tree(&to), ["IMG.JPG", "img-1.jpg", "img.jpg"]);
        let contents = ["IMG.JPG", "img-1.jpg", "img.jpg"].map(|name| read(&to.join(name)));
        assert_eq!(contents, ["one", "two!", "another"]);
    }
}
