//! Copies: what arrives, what is refused, what is told.

mod copying;

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

use copying::{Heard, job, run, tree, write};
use files::copy::{CopyError, CopyJob, Layout, OnConflict, Proof, Verify, copy};
use files::meter::Meter;
use rustix::fs::{XattrFlags, getxattr, setxattr};

#[test]
fn everything_arrives_with_its_times_mode_and_attributes() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("from"), folder.path().join("to"));
    let large: Vec<u8> = (0..700_001u32).map(|at| (at * 7 + at / 251) as u8).collect();
    let odd = OsStr::from_bytes(b"odd \xff\n\\ name");
    write(&from.join("sub/large"), &large);
    write(&from.join("empty"), "");
    write(&from.join("-"), "a file called -");
    write(&from.join(odd), "odd");
    symlink("empty", from.join("link")).unwrap();
    let large_from = fs::File::options().write(true).open(from.join("sub/large")).unwrap();
    large_from.set_permissions(fs::Permissions::from_mode(0o640)).unwrap();
    large_from
        .set_modified(SystemTime::UNIX_EPOCH + Duration::new(1_600_000_000, 123_456_789))
        .unwrap();
    // Not every file system has attributes.
    let attributes = setxattr(from.join("empty"), "user.tag", b"kept", XattrFlags::empty()).is_ok();

    let (report, heard) = run(&job(&[&from], &to));
    assert!(report.holds(), "{:?}", heard.failed);
    assert_eq!((report.files, report.left_out, report.bytes), (4, 1, 700_001 + 15 + 3));
    assert_eq!((report.destinations[0].copied, report.destinations[0].unkept), (4, 0));
    assert_eq!(heard.settled.len(), 4);
    assert_eq!(report.destinations[0].proofs.iter().sum::<u64>(), 4);
    assert_eq!(tree(&to), ["from/-", "from/empty", "from/odd \u{fffd}\n\\ name", "from/sub/large"]);
    assert_eq!(fs::read(to.join("from/sub/large")).unwrap(), large);
    let [was, is] =
        [&from, &to.join("from")].map(|folder| fs::metadata(folder.join("sub/large")).unwrap());
    assert_eq!(
        (was.mode(), was.mtime(), was.mtime_nsec()),
        (is.mode(), is.mtime(), is.mtime_nsec())
    );
    if attributes {
        let mut value = [0; 16];
        let len = getxattr(to.join("from/empty"), "user.tag", &mut value[..]).unwrap();
        assert_eq!(&value[..len], b"kept");
    }
    let names: Vec<_> = heard.listed.iter().map(|entry| &entry.name[..]).collect();
    assert_eq!(
        names,
        [&b"from/-"[..], b"from/empty", b"from/odd \xff\n\\ name", b"from/sub/large"]
    );
    assert!(heard.listed.iter().all(|entry| entry.claims[0].digests[0].name == "sha256"
        && entry.claims[1].digests[0].name == "md5"));

    let inode = fs::metadata(to.join("from/empty")).unwrap().ino();
    let (report, heard) = run(&job(&[&from], &to));
    assert_eq!((report.destinations[0].copied, report.destinations[0].present), (0, 4));
    assert!(heard.settled.iter().all(|name| name.starts_with('=')));
    assert_eq!(fs::metadata(to.join("from/empty")).unwrap().ino(), inode);
}

#[test]
fn another_content_is_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("to");
    for (card, content) in [("a", "one"), ("b", "two"), ("c", "one"), ("d", "three")] {
        write(&folder.path().join(card).join("IMG.JPG"), content);
    }
    let cards = ["a", "b", "c", "d"].map(|card| folder.path().join(card));
    let cards = cards.each_ref().map(|card| &**card);
    let flat = |to: &Path| CopyJob { layout: Layout::parse("{name}").unwrap(), ..job(&cards, to) };
    // Whatever the threads do, names are given in the order of the sources.
    for round in 0..5 {
        let to = to.with_file_name(format!("to{round}"));
        let (report, heard) = run(&flat(&to));
        assert_eq!((report.destinations[0].copied, report.destinations[0].present), (3, 1));
        assert_eq!(heard.settled, ["IMG.JPG", "IMG-1.JPG", "=IMG.JPG", "IMG-2.JPG"]);
        let contents = ["IMG.JPG", "IMG-1.JPG", "IMG-2.JPG"]
            .map(|name| fs::read_to_string(to.join(name)).unwrap());
        assert_eq!(contents, ["one", "two", "three"]);
        let (report, _) = run(&flat(&to));
        assert_eq!((report.destinations[0].copied, report.destinations[0].present), (0, 4));
    }
    let (report, heard) = run(&CopyJob { on_conflict: OnConflict::Refuse, ..flat(&to) });
    assert_eq!(
        (
            report.destinations[0].copied,
            report.destinations[0].present,
            report.destinations[0].failed
        ),
        (1, 1, 2)
    );
    assert!(
        heard.failed.iter().all(|(_, reason)| reason.ends_with("to/IMG.JPG has another content")),
        "{:?}",
        heard.failed
    );
    assert_eq!(tree(&to), [".hashdyno-copy/journal", "IMG.JPG"]);
    assert_eq!(fs::read(to.join("IMG.JPG")).unwrap(), b"one");
}

#[test]
fn a_destination_that_flips_a_bit_is_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("from"), folder.path().join("to"));
    (0..20).for_each(|at| write(&from.join(format!("{at:02}")), vec![at; 5000]));
    for verify in [Verify::Device, Verify::Cache] {
        let job =
            CopyJob { verify, layout: Layout::parse("{name}").unwrap(), ..job(&[&from], &to) };
        let flip = || {
            let mut content = fs::read(to.join("07"))?;
            content[4321] ^= 0x10;
            fs::write(to.join("07"), content)
        };
        let mut heard = Heard { meanwhile: Some(Box::new(flip)), ..Heard::default() };
        let report = copy(&job, Meter::default(), &mut heard).unwrap();
        assert!(!report.holds());
        assert_eq!((report.destinations[0].copied, report.destinations[0].failed), (19, 1));
        assert!(
            heard.failed[0].1.contains("reads back differently")
                && heard.failed[0].1.ends_with("moved to 07.damaged"),
            "{:?}",
            heard.failed
        );
        assert!(!to.join("07").exists() && heard.listed.len() == 19);

        let (report, heard) = run(&CopyJob { resume: true, ..job });
        assert_eq!(
            (report.destinations[0].earlier, report.destinations[0].copied, report.bytes),
            (19, 1, 5000)
        );
        assert_eq!((heard.settled, heard.listed.len()), (vec!["07".to_owned()], 20));
        fs::remove_dir_all(&to).unwrap();
    }
}

/// Which of the two readings was right, nobody knows: no file that may be wrong keeps its final
/// name, at any destination.
#[test]
fn a_source_that_reads_differently_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to, other) =
        (folder.path().join("from"), folder.path().join("to"), folder.path().join("other"));
    write(&from.join("a"), "a");
    write(&from.join("b"), "b");
    let job = CopyJob {
        reread_source: true,
        destinations: vec![to.clone(), other.clone()],
        ..job(&[&from], &to)
    };
    let mut heard =
        Heard { meanwhile: Some(Box::new(|| fs::write(from.join("a"), "A"))), ..Heard::default() };
    let report = copy(&job, Meter::default(), &mut heard).unwrap();
    assert_eq!(heard.failed.len(), 2);
    assert_eq!(heard.settled, ["from/b", "from/b"]);
    for (at, to) in [to, other].iter().enumerate() {
        assert_eq!((report.destinations[at].copied, report.destinations[at].failed), (1, 1));
        assert!(
            heard.failed[at]
                .1
                .ends_with("its source reads differently the second time; moved to from/a.damaged")
        );
        assert!(!to.join("from/a").exists());
        assert_eq!(fs::read(to.join("from/a.damaged")).unwrap(), b"a");
    }
}

/// What was at a destination before is not moved.
#[test]
fn a_source_that_reads_differently_moves_no_file_that_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("from"), folder.path().join("to"));
    write(&from.join("a"), "a");
    write(&to.join("from/a"), "a");
    let job = CopyJob { reread_source: true, ..job(&[&from], &to) };
    let mut heard =
        Heard { meanwhile: Some(Box::new(|| fs::write(from.join("a"), "A"))), ..Heard::default() };
    let report = copy(&job, Meter::default(), &mut heard).unwrap();
    assert_eq!((report.destinations[0].present, report.destinations[0].failed), (0, 1));
    assert!(heard.failed[0].1.ends_with("its source reads differently the second time"));
    assert_eq!(fs::read(to.join("from/a")).unwrap(), b"a");
}

/// The size of a file in /proc is 0, whatever it holds.
#[test]
fn one_file_that_fails_does_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("from"), folder.path().join("to"));
    let long = "n".repeat(200);
    [&long, "good", "blocked", "out"].iter().for_each(|name| write(&from.join(name), name));
    write(&to.join("blockedblocked"), "in the way of a folder");
    symlink(folder.path(), to.join("outout")).unwrap();
    write(&from.join("closed"), "closed");
    fs::set_permissions(from.join("closed"), fs::Permissions::from_mode(0o0)).unwrap();
    // root reads it all the same.
    let root = fs::read(from.join("closed")).is_ok();
    let sources =
        [&from, Path::new("/proc/self/status"), Path::new("/no such file"), Path::new("/dev/null")];
    let job = CopyJob { layout: Layout::parse("{stem}{stem}/x").unwrap(), ..job(&sources, &to) };
    let (report, heard) = run(&job);
    let reason = |name: &str| {
        heard.failed.iter().find(|(source, _)| source == name).map(|(_, reason)| reason.as_str())
    };
    assert_eq!(reason("status"), Some("changed while it was read"));
    assert_eq!(reason("no such file"), Some("No such file or directory"));
    assert_eq!(reason("null"), Some("Is a device, not a file"));
    assert_eq!(reason(&long), Some("File name too long"));
    assert!(reason("blocked").unwrap().ends_with("to/blockedblocked is no folder"));
    assert!(reason("out").unwrap().ends_with("to/outout is a link, which is not followed"));
    assert_eq!(reason("closed"), (!root).then_some("Permission denied"));
    assert_eq!(report.destinations[0].copied, 1 + u64::from(root));
    assert!(to.join("goodgood/x").exists() && !folder.path().join("x").exists());
    assert_eq!(fs::read_dir(to.join(".hashdyno-copy")).unwrap().count(), 1);
}

#[test]
fn one_destination_that_fails_does_not_stop_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let [from, to, also] = ["from", "to", "also"].map(|name| folder.path().join(name));
    write(&from.join("a"), "a");
    write(&from.join("sub/b"), "b");
    write(&also.join("from/sub"), "in the way");
    let mut job = job(&[&from], &to);
    job.destinations.push(also.clone());
    let (report, heard) = run(&job);
    let [first, second] = &report.destinations[..] else { panic!("two destinations") };
    assert_eq!((first.copied, first.failed, second.copied, second.failed), (2, 0, 1, 1));
    assert_eq!(report.bytes, 2, "one read for both");
    assert_eq!(heard.failed.len(), 1);
    assert_eq!(
        (tree(&to), tree(&also)),
        (
            vec!["from/a".into(), "from/sub/b".into()],
            vec![".hashdyno-copy/journal".into(), "from/a".into(), "from/sub".into()]
        )
    );
}

#[test]
fn an_interrupted_job_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("from"), folder.path().join("to"));
    (0..30).for_each(|at| write(&from.join(format!("{at:02}")), format!("content {at}")));
    let first = job(&[&from], &to);
    let mut heard = Heard {
        meanwhile: Some(Box::new(|| Err(io::Error::other("interrupted")))),
        ..Heard::default()
    };
    assert!(matches!(copy(&first, Meter::default(), &mut heard), Err(CopyError::Io(_))));

    let refused = |job: &CopyJob| match copy(job, Meter::default(), &mut Heard::default()) {
        Err(CopyError::Refused { message, hint }) => (message, hint),
        other => panic!("{other:?}"),
    };
    assert!(refused(&first).0.ends_with("an earlier copy into it was not finished"));
    assert!(refused(&first).1.contains("--resume"));
    let mut resumed = CopyJob { resume: true, ..first.clone() };
    resumed.digests.pop();
    let (message, hint) = refused(&resumed);
    assert!(message.ends_with("another layout or other digests"), "{message}");
    assert!(hint.contains("the same --layout and -a"), "{hint}");
    resumed.digests = first.digests.clone();

    // A line that was cut off is none; a temporary file that was left is swept; a file that is
    // gone, or has changed, is copied again.
    let journal = to.join(".hashdyno-copy/journal");
    let whole = fs::read(&journal).unwrap();
    fs::write(&journal, &whole[..whole.len() - 5]).unwrap();
    fs::write(to.join(".hashdyno-copy/17"), "left over").unwrap();
    fs::remove_file(to.join("from/03")).unwrap();
    write(&from.join("04"), "changed since");
    write(&to.join("from/05"), "cut");
    let (report, heard) = run(&resumed);
    let tally = &report.destinations[0];
    assert_eq!(
        (tally.earlier, tally.copied, tally.present, tally.failed),
        (26, 3, 1, 0),
        "{:?}",
        heard.failed
    );
    // The last file was in place: it was read, not copied. The others were read back for the first
    // time.
    assert_eq!(report.bytes, (9 + 13 + 9 + 10) as u64);
    assert_eq!((heard.settled.len(), heard.listed.len()), (31, 31));
    assert_eq!(tree(&to).len(), 32);
    assert_eq!(fs::read(to.join("from/04-1")).unwrap(), b"changed since");
    assert_eq!(fs::read(to.join("from/05-1")).unwrap(), b"content 5");
}

#[test]
fn a_copy_into_itself_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let from = folder.path().join("from");
    write(&from.join("a"), "a");
    for to in [from.clone(), from.join("new"), folder.path().join("from/../from/new")] {
        let refused = copy(&job(&[&from], &to), Meter::default(), &mut Heard::default());
        assert!(matches!(
            refused,
            Err(CopyError::Refused { message, .. }) if message.contains("lies in the source")
        ));
    }
    assert_eq!(tree(&from), ["a"]);
    let to = folder.path().join("to");
    let mut job = job(&[&from], &to);
    job.destinations.push(folder.path().join("not/there"));
    let missing = copy(&job, Meter::default(), &mut Heard::default());
    assert!(matches!(missing, Err(CopyError::Destination(..))));
    // Nothing was finished, so there is nothing to go on with.
    job.destinations.pop();
    assert!(run(&job).0.holds());
}

#[test]
fn a_digest_that_is_named_twice_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("from/a"), "a");
    let md5 = hashdyno::find("md5").unwrap();
    let job = CopyJob {
        digests: vec![md5, md5],
        ..job(&[&folder.path().join("from")], &folder.path().join("to"))
    };
    let error = copy(&job, Meter::default(), &mut Heard::default()).unwrap_err();
    assert!(error.to_string().contains("the digest md5 is named twice"), "{error}");
    assert!(!folder.path().join("to").exists());
}

#[test]
fn unproved_is_said_so() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("from/a"), "a");
    let job = CopyJob {
        verify: Verify::None,
        ..job(&[&folder.path().join("from")], &folder.path().join("to"))
    };
    struct Quiet;
    impl files::copy::Watch for Quiet {
        fn failed(&mut self, failure: &files::copy::Failure<'_>) -> io::Result<()> {
            panic!("{failure:?}")
        }
        fn settled(&mut self, settled: &files::copy::Settled<'_>) -> io::Result<()> {
            assert_eq!(settled.proof, Proof::None);
            Ok(())
        }
        fn listed(&mut self, _: &files::list::Entry) -> io::Result<()> {
            Ok(())
        }
    }
    let report = copy(&job, Meter::default(), &mut Quiet).unwrap();
    assert_eq!(report.destinations[0].proved(Proof::None), 1);
}

#[test]
fn the_journal_takes_64_files_or_64_mib_at_a_time() {
    for (count, size, expected) in [(63, 1, 0), (129, 1, 128), (1, 64 << 20, 1)] {
        let folder = tempfile::tempdir().unwrap();
        let [from, to] = ["from", "to"].map(|name| folder.path().join(name));
        write(&from.join("z"), "one");
        write(&to.join("from/z"), "two");
        for number in 0..count {
            let file = fs::File::create(from.join(format!("f{number:03}"))).unwrap();
            file.set_len(size).unwrap();
        }
        // The last file gets another name, and the journal is looked at then.
        let mut lines = None;
        let look = || {
            let journal = fs::read_to_string(to.join(".hashdyno-copy/journal")).unwrap();
            lines = Some(journal.lines().filter(|line| line.contains("from/f")).count());
        };
        let mut heard = Heard { on_renamed: Some(Box::new(look)), ..Heard::default() };
        let job = CopyJob { threads: 1, ..job(&[&from], &to) };
        let report = copy(&job, Meter::default(), &mut heard).unwrap();
        drop(heard);
        assert_eq!(lines, Some(expected), "{count} files of {size} bytes");
        let tally = &report.destinations[0];
        assert_eq!((tally.copied, tally.renamed), (count + 1, 1));
    }
}
