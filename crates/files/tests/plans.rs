//! Plans: what they tell of each file, and that a copy does just that.

mod copying;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use copying::{job, run, tree, write};
use files::copy::{CopyJob, Fate, Layout, OnConflict, plan};

/// The name and the fate of each file, in order, and the sources that cannot be read.
fn planned(job: &CopyJob) -> (Vec<(String, u64, Fate)>, Vec<String>) {
    let (mut fates, mut failed) = (Vec::new(), Vec::new());
    plan(
        job,
        &mut |planned| {
            assert_eq!(planned.destination, job.destinations[0]);
            let name = String::from_utf8_lossy(planned.name).into_owned();
            fates.push((name, planned.size, planned.fate));
            Ok(())
        },
        &mut |source, _| {
            failed.push(String::from_utf8_lossy(source).into_owned());
            Ok(())
        },
    )
    .unwrap();
    (fates, failed)
}

fn told(fates: &[(&str, u64, Fate)]) -> Vec<(String, u64, Fate)> {
    fates.iter().map(|(name, size, fate)| ((*name).to_owned(), *size, *fate)).collect()
}

/// Cards whose files have names in common, with each other and with the destination.
fn cards(folder: &Path, on_conflict: OnConflict) -> CopyJob {
    for (name, content) in [
        ("a/new.txt", "new"),
        ("a/same.txt", "same"),
        ("b/new.txt", "new, too"),
        ("b/same.txt", "rest"),
        ("b/taken", "a folder has its name"),
        ("to/same.txt", "same"),
        ("to/taken/file", ""),
    ] {
        write(&folder.join(name), content);
    }
    CopyJob {
        layout: Layout::parse("{name}").unwrap(),
        on_conflict,
        ..job(&[&folder.join("a"), &folder.join("b")], &folder.join("to"))
    }
}

#[test]
fn a_plan_tells_where_each_file_goes_and_a_copy_does_it() {
    let folder = tempfile::tempdir().unwrap();
    let job = cards(folder.path(), OnConflict::Suffix);
    let before = tree(&job.destinations[0]);
    let (fates, failed) = planned(&job);
    assert_eq!(
        fates,
        told(&[
            ("new.txt", 3, Fate::Copy),
            ("same.txt", 4, Fate::Present),
            // Another file of the same job has this name by then.
            ("new-1.txt", 8, Fate::Beside),
            // As many bytes as the file that is there, and others.
            ("same-1.txt", 4, Fate::Beside),
            ("taken-1", 21, Fate::Beside),
        ])
    );
    assert_eq!(failed, [""; 0]);
    assert_eq!(tree(&job.destinations[0]), before, "a plan writes nothing");

    let (report, heard) = run(&job);
    assert!(report.holds(), "{:?}", heard.failed);
    assert_eq!(
        heard.settled,
        ["new.txt", "=same.txt", "new-1.txt", "same-1.txt", "taken-1"],
        "what the plan told"
    );
    let (fates, _) = planned(&job);
    assert!(fates.iter().all(|(_, _, fate)| *fate == Fate::Present), "{fates:?}");
}

#[test]
fn a_plan_knows_what_is_done_about_conflicts() {
    let alike: [(&str, u64, Fate); 2] =
        [("new.txt", 3, Fate::Copy), ("same.txt", 4, Fate::Present)];
    let refused: &[(&str, u64, Fate)] =
        &[("new.txt", 8, Fate::Refuse), ("same.txt", 4, Fate::Refuse), ("taken", 21, Fate::Refuse)];
    // A job replaces none of its own files, and no folder.
    let beside: &[(&str, u64, Fate)] =
        &[("new-1.txt", 8, Fate::Beside), ("same-1.txt", 4, Fate::Beside)];
    let (none, folder_there): (&[&str], &[&str]) = (&[], &["taken"]);
    let all: &[&str] = &["new.txt", "=same.txt", "new-1.txt", "same-1.txt"];
    for (on_conflict, others, unread, settled) in [
        (OnConflict::Refuse, refused, none, &all[..2]),
        (OnConflict::Replace, beside, folder_there, all),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let job = cards(folder.path(), on_conflict);
        let (fates, failed) = planned(&job);
        assert_eq!(fates, told(&[&alike[..], others].concat()));
        let failed: Vec<_> = failed.iter().map(|name| name.rsplit('/').next().unwrap()).collect();
        assert_eq!(failed, unread);
        assert_eq!(run(&job).1.settled, settled, "what the plan told");
    }
}

#[test]
fn a_plan_compares_the_files_of_a_job_with_each_other() {
    let (present, beside) = (Fate::Present, Fate::Beside);
    for (on_conflict, there, fates) in [
        (OnConflict::Suffix, None, [Fate::Copy, present, beside]),
        (OnConflict::Refuse, None, [Fate::Copy, present, Fate::Refuse]),
        (OnConflict::Replace, None, [Fate::Copy, present, beside]),
        (OnConflict::Replace, Some("old!"), [Fate::Replace, present, beside]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        for (name, content) in [("a/x", "same"), ("b/x", "same"), ("c/x", "rest")] {
            write(&at.join(name), content);
        }
        there.into_iter().for_each(|content| write(&at.join("to/x"), content));
        let job = CopyJob {
            layout: Layout::parse("{name}").unwrap(),
            on_conflict,
            threads: 1,
            ..job(&[&at.join("a"), &at.join("b"), &at.join("c")], &at.join("to"))
        };
        let last = if fates[2] == beside { "x-1" } else { "x" };
        let (told_fates, failed) = planned(&job);
        assert_eq!(told_fates, told(&[("x", 4, fates[0]), ("x", 4, present), (last, 4, fates[2])]));
        assert_eq!(failed, [""; 0]);

        let (report, _) = run(&job);
        let tally = &report.destinations[0];
        let count = |fate: Fate| fates.iter().filter(|told| **told == fate).count() as u64;
        let copied = count(Fate::Copy) + count(Fate::Replace) + count(Fate::Beside);
        assert_eq!(
            (tally.copied, tally.present, tally.replaced, tally.failed),
            (copied, count(Fate::Present), count(Fate::Replace), count(Fate::Refuse)),
            "what the plan told"
        );
    }
}

#[test]
fn sidecars_are_planned_beside_their_photos() {
    let folder = tempfile::tempdir().unwrap();
    let (card, to) = (folder.path().join("card"), folder.path().join("to"));
    write(&card.join("IMG.JPG"), "a photo");
    write(&card.join("IMG.xmp"), "of it");
    write(&to.join("card/IMG.JPG"), "another photo");
    let job = job(&[&card], &to);
    let (fates, failed) = planned(&job);
    assert_eq!(
        fates,
        told(&[("card/IMG-1.JPG", 7, Fate::Beside), ("card/IMG-1.xmp", 5, Fate::Copy)])
    );
    assert_eq!(failed, [""; 0]);
    assert_eq!(run(&job).1.settled, ["card/IMG-1.JPG", "card/IMG-1.xmp"], "what the plan told");
}

/// The last parts of names.
fn last(names: &[String]) -> Vec<&str> {
    names.iter().map(|name| name.rsplit('/').next().unwrap()).collect()
}

#[test]
fn a_sidecar_is_not_planned_where_its_photo_gets_no_name() {
    for (on_conflict, in_the_way, refused, failed_files) in [
        (OnConflict::Refuse, "to/card/IMG.JPG", 1, &["IMG.xmp"][..]),
        // A folder is not replaced.
        (OnConflict::Replace, "to/card/IMG.JPG/file", 0, &["IMG.JPG", "IMG.xmp"]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (card, to) = (folder.path().join("card"), folder.path().join("to"));
        write(&card.join("IMG.JPG"), "a photo");
        write(&card.join("IMG.xmp"), "of it");
        write(&folder.path().join(in_the_way), "in the way");
        let job = CopyJob { on_conflict, ..job(&[&card], &to) };
        let (fates, failed) = planned(&job);
        assert!(fates.iter().all(|(_, _, fate)| *fate == Fate::Refuse), "{fates:?}");
        assert_eq!((fates.len(), last(&failed)), (refused, failed_files.to_vec()));

        let (report, heard) = run(&job);
        assert_eq!((report.destinations[0].copied, report.destinations[0].failed), (0, 2));
        assert_eq!(heard.failed[1], ("IMG.xmp".to_owned(), "its photo is not there".to_owned()));
    }
}

#[test]
fn a_sidecar_is_told_beside_its_photo_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let (photo, to) = (folder.path().join("IMG.JPG"), folder.path().join("to"));
    symlink("nowhere", &photo).unwrap();
    write(&photo.with_extension("xmp"), "of it");
    let job = job(&[&photo], &to);
    let (fates, failed) = planned(&job);
    assert_eq!((fates.len(), last(&failed)), (0, vec!["IMG.JPG", "IMG.xmp"]));
    let (report, heard) = run(&job);
    assert_eq!(report.destinations[0].failed, 2);
    assert_eq!(heard.failed[1], ("IMG.xmp".to_owned(), "its photo cannot be copied".to_owned()));
}

#[test]
fn what_cannot_be_read_is_told_and_the_rest_is_planned() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("from"), folder.path().join("to"));
    write(&from.join("there"), "there");
    symlink("nowhere", folder.path().join("dangling")).unwrap();
    let job = job(&[&folder.path().join("dangling"), &from], &to);
    let (fates, failed) = planned(&job);
    assert_eq!(fates, told(&[("from/there", 5, Fate::Copy)]));
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert!(failed[0].ends_with("/dangling"), "{failed:?}");
    let (report, heard) = run(&job);
    assert_eq!((report.destinations[0].copied, report.destinations[0].failed), (1, 1));
    assert_eq!(heard.failed[0].0, "dangling");
    fs::remove_dir_all(&to).unwrap();

    // Where a folder of the destination is a file, a copy has no place, and the plan says it.
    write(&to, "a file");
    let (fates, failed) = planned(&job);
    assert_eq!((fates, failed.len()), (vec![], 2));
}
