//! Copies from sources and into destinations that somebody else prepared.

mod copying;

use std::fs;
use std::path::Path;

use copying::{Heard, job, run, tree, write};
use files::copy::{CopyError, CopyJob, Layout, copy};
use files::meter::Meter;
use hashdyno::{find, hex};
use rustix::fs::{CWD, FileType, Mode, mknodat};

/// The folder that a destination keeps for unfinished copies.
const STAGING: &str = ".hashdyno-copy";

fn refusal(job: &CopyJob) -> (String, String) {
    match copy(job, Meter::default(), &mut Heard::default()).unwrap_err() {
        CopyError::Refused { message, hint } => (message, hint),
        error => panic!("{error}"),
    }
}

/// The folder of unfinished copies is removed with all its files when a copy ends.
#[test]
fn nothing_is_copied_into_the_folder_of_unfinished_copies() {
    let folder = tempfile::tempdir().unwrap();
    let card = folder.path().join("card");
    write(&card.join("good.jpg"), "good");
    (0..61).for_each(|at| write(&card.join(STAGING).join(at.to_string()), format!("{at}")));
    write(&card.join(STAGING).join("journal"), "no journal of this copy");
    let inside = card.join(".");
    let layout = Layout::parse(&format!("{STAGING}/{{name}}")).unwrap();
    let of_layout =
        CopyJob { layout, ..job(&[&card.join("good.jpg")], &folder.path().join("by-layout")) };
    for (job, copied, failed) in
        [(job(&[&inside], &folder.path().join("to")), 1, 62), (of_layout, 0, 1)]
    {
        let (report, heard) = run(&job);
        assert!(!report.holds());
        assert_eq!(
            (report.destinations[0].copied, report.destinations[0].failed),
            (copied, failed)
        );
        assert!(
            heard.failed.iter().all(|(_, why)| why.contains("kept for unfinished copies")),
            "{:?}",
            heard.failed
        );
        assert_eq!(heard.settled.len() as u64, copied);
        assert!(
            tree(&job.destinations[0])
                .iter()
                .all(|name| name == "good.jpg" || name == ".hashdyno-copy/journal")
        );
    }
    // Below another folder it is a folder like any other.
    let (report, _) = run(&job(&[&card], &folder.path().join("whole")));
    assert!(report.holds());
    assert_eq!(report.destinations[0].copied, 63);
}

#[test]
fn a_destination_is_no_folder_of_unfinished_copies() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("photo");
    write(&source, "photo");
    for inside in [STAGING, ".Hashdyno-Copy", ".hashdyno-copy/deeper"] {
        let to = folder.path().join("to").join(inside);
        fs::create_dir_all(&to).unwrap();
        let (message, hint) = refusal(&job(&[&source], &to));
        assert!(
            message.contains("unfinished copies") && hint.contains("another folder"),
            "{message}: {hint}"
        );
    }
}

#[test]
fn names_that_differ_in_case_alone_are_refused_too() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("photo");
    write(&source, "photo");
    let layout = Layout::parse(".HASHDYNO-COPY/{name}").unwrap();
    let (report, heard) = run(&CopyJob { layout, ..job(&[&source], &folder.path().join("to")) });
    assert_eq!((report.destinations[0].copied, heard.failed.len()), (0, 1));
}

#[test]
fn files_that_no_copy_made_stay() {
    let folder = tempfile::tempdir().unwrap();
    let (source, to) = (folder.path().join("photo"), folder.path().join("to"));
    write(&source, "photo");
    write(&to.join(STAGING).join("keep.jpg"), "precious");
    write(&to.join(STAGING).join("17"), "half a file of an interrupted copy");
    let (report, _) = run(&job(&[&source], &to));
    assert!(report.holds());
    assert_eq!(tree(&to), [".hashdyno-copy/keep.jpg", "photo"]);
}

#[test]
fn a_journal_that_is_another_file_too_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (source, to, victim) =
        (folder.path().join("photo"), folder.path().join("to"), folder.path().join("precious"));
    write(&source, "photo");
    write(&victim, "precious");
    fs::create_dir_all(to.join(STAGING)).unwrap();
    fs::hard_link(&victim, to.join(STAGING).join("journal")).unwrap();
    let (message, hint) = refusal(&job(&[&source], &to));
    assert!(
        message.contains("has another name") && hint.starts_with("remove "),
        "{message}: {hint}"
    );
    assert_eq!(fs::read(&victim).unwrap(), b"precious");
}

/// Puts a link to a secret in the place of a file that the walk has found, before it is copied: the
/// folder is listed whole, and a source that fails is told of first.
struct Swapping<'a> {
    file: &'a Path,
    secret: &'a Path,
    reasons: Vec<String>,
}

impl files::copy::Watch for Swapping<'_> {
    fn failed(&mut self, failure: &files::copy::Failure<'_>) -> std::io::Result<()> {
        if self.reasons.is_empty() {
            fs::remove_file(self.file)?;
            std::os::unix::fs::symlink(self.secret, self.file)?;
        }
        self.reasons.push(failure.reason.clone());
        Ok(())
    }

    fn settled(&mut self, _: &files::copy::Settled<'_>) -> std::io::Result<()> {
        Ok(())
    }

    fn listed(&mut self, _: &files::list::Entry) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_link_that_takes_the_place_of_a_source_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let [from, to, secret] = ["from", "to", "secret"].map(|name| folder.path().join(name));
    (0..20).for_each(|at| write(&from.join(format!("{at:02}")), "photo"));
    write(&from.join("z"), "photo");
    write(&secret, "secret");
    let job = CopyJob { threads: 1, ..job(&[Path::new("/no such file"), &from], &to) };
    let mut watch = Swapping { file: &from.join("z"), secret: &secret, reasons: Vec::new() };
    let report = copy(&job, Meter::default(), &mut watch).unwrap();
    assert_eq!((report.destinations[0].copied, report.destinations[0].failed), (20, 2));
    assert_eq!(watch.reasons[1], "has become a link, which is not followed");
    assert!(!to.join("from/z").exists());
}

/// A journal whose only entry has that name and is of that source.
fn forged(to: &Path, source: &Path, name: &str) {
    let modified =
        jiff::Timestamp::try_from(fs::metadata(source).unwrap().modified().unwrap()).unwrap();
    let [sha256, md5] =
        ["sha256", "md5"].map(|digest| hex(&find(digest).unwrap().digest(b"another content")));
    let head = r#"{"hashdyno-copy":1,"layout":"{path}","digests":["sha256","md5"]}"#;
    let line = serde_json::json!({
        "source": source,
        "name": name,
        "size": 5,
        "modified": modified.to_string(),
        "present": false,
        "digests": { "sha256": sha256, "md5": md5 },
    });
    write(&to.join(STAGING).join("journal"), format!("{head}\n{line}\n"));
}

#[test]
fn a_forged_journal_touches_nothing_outside_of_the_destination() {
    let folder = tempfile::tempdir().unwrap();
    let (source, victim) = (folder.path().join("photo"), folder.path().join("victim/precious"));
    write(&source, "photo");
    write(&victim, "these");
    let names = [
        "../victim/precious",
        "x/../../victim/precious",
        victim.to_str().unwrap(),
        "./a",
        "..",
        "",
    ];
    for (at, name) in names.iter().enumerate() {
        let to = folder.path().join(format!("to{at}"));
        forged(&to, &source, name);
        let (report, _) = run(&CopyJob { resume: true, ..job(&[&source], &to) });
        assert!(report.holds(), "{name}");
        assert_eq!(
            (report.destinations[0].copied, report.destinations[0].earlier),
            (1, 0),
            "{name}"
        );
        assert_eq!(
            (tree(&to), tree(victim.parent().unwrap())),
            (vec!["photo".to_owned()], vec!["precious".to_owned()])
        );
    }
}

#[test]
fn a_destination_is_named_once() {
    let folder = tempfile::tempdir().unwrap();
    let (source, to) = (folder.path().join("photo"), folder.path().join("to"));
    write(&source, "photo");
    std::os::unix::fs::symlink("to", folder.path().join("link")).unwrap();
    for other in ["to/.", "link", "./to"] {
        let job = CopyJob {
            destinations: vec![to.clone(), folder.path().join(other)],
            ..job(&[&source], &to)
        };
        let (message, hint) = refusal(&job);
        assert!(
            message.contains("named twice as a destination") && hint.contains("once"),
            "{message}: {hint}"
        );
    }
}

#[test]
fn a_copy_that_is_under_way_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let (source, to) = (folder.path().join("photo"), folder.path().join("to"));
    write(&source, "photo");
    write(&to.join(STAGING).join("journal"), "");
    let journal = fs::File::open(to.join(STAGING).join("journal")).unwrap();
    rustix::fs::flock(&journal, rustix::fs::FlockOperation::LockExclusive).unwrap();
    let (message, hint) = refusal(&job(&[&source], &to));
    assert!(
        message.contains("under way") && hint.contains("wait") && !hint.contains("remove"),
        "{message}: {hint}"
    );
}

/// The open of a named pipe waits for a writer, if nobody says that it must not.
#[test]
fn a_source_that_has_become_a_pipe_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let (source, to) = (folder.path().join("photo"), folder.path().join("to"));
    write(&source, "photo");
    let replace = || {
        fs::remove_file(&source)?;
        Ok(mknodat(CWD, &source, FileType::Fifo, Mode::RUSR, 0)?)
    };
    let mut heard = Heard { meanwhile: Some(Box::new(replace)), ..Heard::default() };
    let job = CopyJob { reread_source: true, ..job(&[&source], &to) };
    let report = copy(&job, Meter::default(), &mut heard).unwrap();
    assert_eq!((report.destinations[0].copied, report.destinations[0].failed), (0, 1));
    assert!(
        heard.failed[0].1.ends_with("its source cannot be read again: Is a named pipe, not a file"),
        "{:?}",
        heard.failed
    );
    assert_eq!(fs::read(to.join("photo")).unwrap(), b"photo");
}

/// A file counts as copied only when its folder is on the device.
#[test]
fn files_whose_folder_has_gone_are_not_copied() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("from"), folder.path().join("to"));
    ["a", "b", "z"].iter().for_each(|name| write(&from.join(name), name));
    write(&to.join("from/z"), "another");
    let away = folder.path().join("away");
    // The last file gets another name, and the folder goes then.
    let go = || fs::rename(to.join("from"), &away).unwrap();
    let mut heard = Heard { on_renamed: Some(Box::new(go)), ..Heard::default() };
    let report = copy(&job(&[&from], &to), Meter::default(), &mut heard).unwrap();
    assert_eq!((report.destinations[0].copied, report.destinations[0].failed), (0, 3));
    let why = "is in place, but not in the journal: No such file or directory";
    assert_eq!(heard.failed, ["a", "b", "z"].map(|name| (name.to_owned(), why.to_owned())));
    assert_eq!((heard.settled, heard.listed.len()), (vec![], 0));
    assert_eq!(tree(&away), ["a", "b", "z", "z-1"]);
}

#[test]
fn a_folder_that_goes_before_it_is_read_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("from"), folder.path().join("to"));
    // The first file gets another name, and the folder goes then: files are staged ahead, but fewer
    // than there are here.
    (0..20).for_each(|at| write(&from.join(format!("{at:02}")), at.to_string()));
    write(&to.join("from/00"), "another");
    write(&from.join("later/file"), "file");
    let go = || fs::remove_dir_all(from.join("later")).unwrap();
    let mut heard = Heard { on_renamed: Some(Box::new(go)), ..Heard::default() };
    let job = CopyJob { threads: 1, ..job(&[&from], &to) };
    let report = copy(&job, Meter::default(), &mut heard).unwrap();
    assert_eq!((report.destinations[0].copied, report.destinations[0].failed), (20, 1));
    assert_eq!(heard.failed, [("later".to_owned(), "No such file or directory".to_owned())]);
}
