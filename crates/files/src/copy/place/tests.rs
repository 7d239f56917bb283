use std::fs;
use std::io::Write;
use std::path::Path;

use hashdyno::MD5;

use super::super::include::Include;
use super::super::job::{Settled, Undated};
use super::super::journal::folded;
use super::super::layout::Layout;
use super::super::sidecars::sidecars_of;
use super::super::verify::Verify;
use super::super::write::Seen;
use super::replacing::is_one_file;
use super::*;

/// What was told of files that failed.
#[derive(Default)]
struct Told(Vec<String>);

impl Watch for Told {
    fn failed(&mut self, failure: &Failure<'_>) -> io::Result<()> {
        self.0.push(failure.reason.clone());
        Ok(())
    }
    fn settled(&mut self, _: &Settled<'_>) -> io::Result<()> {
        Ok(())
    }
    fn listed(&mut self, _: &Entry) -> io::Result<()> {
        Ok(())
    }
}

fn job(destination: &Path) -> CopyJob {
    CopyJob {
        sources: Vec::new(),
        destinations: vec![destination.to_owned()],
        digests: vec![MD5],
        include: Include::default(),
        layout: Layout::default(),
        undated: Undated::Folder,
        on_conflict: OnConflict::Replace,
        verify: Verify::Cache,
        reread_source: false,
        resume: true,
        list: None,
        threads: 1,
    }
}

fn staged(source: &str, content: &str) -> Staged {
    Staged {
        source: source.into(),
        place: source.into(),
        sidecar: None,
        states: Ok(Vec::new()),
        seen: Seen { size: content.len() as u64, modified: (0, 0) },
        values: vec![MD5.digest(content.as_bytes())],
    }
}

/// A destination of a job of which an earlier run has finished files: of a source, by a name, with
/// a content. The offsets of their lines.
fn resumed(job: &CopyJob, lines: &[(&str, &str, &str)]) -> (Site, Ledger, Vec<u64>) {
    let target = Target::open(&job.destinations[0]).unwrap();
    let open = |target: &Target| {
        Journal::open(target.journal().unwrap(), true, &job.layout, &job.digests).unwrap()
    };
    let (mut journal, _) = open(&target);
    for (source, name, content) in lines {
        let file = staged(source, content);
        journal.finished(&[finished(job, &file, name.as_bytes().to_vec(), false)]).unwrap();
    }
    drop(journal);
    let (journal, earlier) = open(&target);
    let offsets = journal.files(journal.len()).unwrap().map(|line| line.unwrap().0).collect();
    let ledger = Ledger::new(&target, journal);
    (Site { target, earlier }, ledger, offsets)
}

#[test]
fn a_file_whose_line_was_struck_out_meanwhile_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let job = job(folder.path());
    let (site, mut ledger, lines) = resumed(&job, &[("a", "a", "a"), ("b", "b", "b")]);
    let mut told = Told::default();
    let mut place = |ledger: &mut Ledger, source: &str, line: u64| {
        let mut file = staged(source, source);
        let earlier = finished(&job, &file, source.into(), false);
        file.states = Ok(vec![Ok(SiteState::Earlier(line, earlier))]);
        ledger.place(&job, &site, &mut file, 0, source.as_bytes(), &mut told).unwrap()
    };
    ledger.void(lines[0]);
    assert_eq!(place(&mut ledger, "a", lines[0]), None);
    assert_eq!((ledger.tally.earlier, ledger.tally.failed, ledger.claimed()), (0, 1, 0));
    assert_eq!(place(&mut ledger, "b", lines[1]), Some(b"b".to_vec()));
    assert_eq!((ledger.tally.earlier, ledger.tally.failed, ledger.claimed()), (1, 1, 1));
    assert_eq!(told.0, [TAKEN]);
}

/// While the thread that gives names replaces a file, its name leads nowhere for a moment. Threads
/// that look at files meanwhile fail none for that.
#[test]
fn a_file_that_was_moved_aside_has_no_content() {
    let folder = tempfile::tempdir().unwrap();
    let job = job(folder.path());
    let (site, ..) = resumed(&job, &[]);
    let holds =
        |content: &str| has(&job, &site.target, b"a", &[MD5.digest(content.as_bytes())]).unwrap();
    fs::write(folder.path().join("a"), "old").unwrap();
    assert!(holds("old") && !holds("new"));
    site.target.keep(b"a", |_| Ok(())).unwrap();
    assert!(!holds("old"));
}

#[test]
fn a_sidecar_of_an_earlier_run_stays_with_the_name_of_its_photo() {
    let folder = tempfile::tempdir().unwrap();
    let card = folder.path().join("card");
    fs::create_dir(&card).unwrap();
    for name in ["IMG.JPG", "IMG.xmp"] {
        fs::write(card.join(name), name).unwrap();
    }
    let photo = card.join("IMG.JPG");
    let sidecar = sidecars_of(crate::read::names::name(&photo)).unwrap().remove(0);
    let job = job(&folder.path().join("to"));
    let (site, mut ledger, lines) = resumed(&job, &[("IMG.xmp", "IMG.xmp", "of it")]);
    let mut told = Told::default();
    for (wanted, is_there) in [(&b"IMG-1.xmp"[..], false), (b"IMG.xmp", true)] {
        let mut file = staged("IMG.xmp", "of it");
        let earlier = finished(&job, &file, b"IMG.xmp".to_vec(), false);
        file.states = Ok(vec![Ok(SiteState::Earlier(lines[0], earlier))]);
        file.sidecar = Some(sidecar.clone());
        let placed = ledger.place(&job, &site, &mut file, 0, wanted, &mut told).unwrap();
        assert_eq!(placed, is_there.then(|| b"IMG.xmp".to_vec()));
    }
    assert_eq!(told.0, ["its photo has another name by now: it must be copied again"]);
}

/// The offsets of lines that a new file of that source, name and content strikes out.
fn superseded(
    lines: &[(&str, &str, &str)],
    (source, name, content): (&str, &str, &str),
    claimed: Option<usize>,
) -> Vec<usize> {
    let folder = tempfile::tempdir().unwrap();
    let job = job(folder.path());
    let (site, mut ledger, offsets) = resumed(&job, lines);
    for (_, name, _) in lines {
        fs::write(folder.path().join(name), "").unwrap();
    }
    ledger.claimed.extend(claimed.map(|line| offsets[line]));
    let file = staged(source, content);
    ledger.supersede(&site, &file, name.as_bytes(), &mut Told::default()).unwrap();
    (0..lines.len()).filter(|line| ledger.is_void(offsets[*line])).collect()
}

#[test]
fn lines_that_hold_stay() {
    let lines = [("one", "p", "X"), ("two", "p", "X"), ("one", "P", "X"), ("two", "P", "Y")];
    // The same file again; the others speak of another source or another file.
    assert_eq!(superseded(&lines, ("one", "p", "X"), None), [0]);
    // A line that a file of this job stands by is no older one.
    assert_eq!(superseded(&lines, ("one", "p", "X"), Some(0)), [0; 0]);
    // Another content takes the name: what said otherwise of it goes, whoever stands by it.
    assert_eq!(superseded(&lines, ("one", "p", "Z"), Some(1)), [0, 1]);
}

#[test]
fn a_file_is_known_by_all_of_its_names() {
    let folder = tempfile::tempdir().unwrap();
    let target = Target::open(folder.path()).unwrap();
    fs::write(folder.path().join("a"), "a").unwrap();
    fs::write(folder.path().join("b"), "b").unwrap();
    // As a file system does that ignores case.
    fs::hard_link(folder.path().join("a"), folder.path().join("A")).unwrap();
    assert!(is_one_file(&target, b"a", b"A") && is_one_file(&target, b"gone", b"gone"));
    for (one, other) in [("a", "b"), ("a", "gone"), ("gone", "a"), ("gone", "Gone")] {
        assert!(!is_one_file(&target, one.as_bytes(), other.as_bytes()), "{one} {other}");
    }
}

#[test]
fn the_first_file_that_lost_something_says_what() {
    let folder = tempfile::tempdir().unwrap();
    let job = job(folder.path());
    let (_, mut ledger, _) = resumed(&job, &[]);
    for (name, unkept) in
        [("whole", None), ("first", Some("its mode: refused")), ("second", Some("its times"))]
    {
        ledger.unkept(unkept.map(str::to_owned), &staged(name, ""));
    }
    assert_eq!(ledger.tally.unkept, 2);
    assert_eq!(ledger.tally.unkept_reason.unwrap(), "first: its mode: refused");
}

#[test]
fn a_name_lies_in_every_folder_above_it() {
    let of = |name: &[u8]| folders(name).collect::<Vec<_>>();
    assert_eq!(of(b"a/bc/d"), [&b""[..], b"a/", b"a/bc/"]);
    assert_eq!(of(b"d"), [b""]);
}

/// A run that was killed has made the folders, and synced none of them.
#[test]
fn the_first_file_in_a_folder_has_all_folders_above_it_synced() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("a/b")).unwrap();
    let job = CopyJob { on_conflict: OnConflict::Suffix, ..job(folder.path()) };
    let (site, mut ledger, _) = resumed(&job, &[]);
    let place = |ledger: &mut Ledger, name: &str| {
        let mut file = staged(name, name);
        let mut temp = site.target.temp().unwrap();
        temp.file.write_all(name.as_bytes()).unwrap();
        file.states = Ok(vec![Ok(SiteState::Temp(temp, None, None))]);
        let told = &mut Told::default();
        let placed = ledger.place(&job, &site, &mut file, 0, name.as_bytes(), told).unwrap();
        assert_eq!(placed, Some(name.as_bytes().to_vec()));
        let touched: Vec<_> = ledger.touched.iter().cloned().collect();
        ledger.flush(&site.target, told).unwrap();
        touched
    };
    assert_eq!(place(&mut ledger, "a/b/1"), [&b""[..], b"a/", b"a/b/"]);
    assert_eq!(place(&mut ledger, "a/b/2"), [b"a/b/"]);
    assert_eq!(place(&mut ledger, "a/3"), [&b""[..], b"a/"]);
    assert_eq!((ledger.tally.copied, ledger.touched.len()), (3, 0));
    assert!(ledger.given.is_empty(), "nobody asks where nothing is replaced");
}

/// A power cut would bring the line back, and `--resume` would move the old content away.
#[test]
fn an_old_content_has_its_name_again_only_when_the_line_is_durably_void() {
    let folder = tempfile::tempdir().unwrap();
    let job = job(folder.path());
    let (site, mut ledger, lines) = resumed(&job, &[("a", "a", "new")]);
    fs::write(folder.path().join("a.replaced"), "old").unwrap();
    let journal = std::mem::replace(&mut ledger.journal, Journal::unsyncable());
    let restore = |ledger: &mut Ledger| {
        ledger.replaced.insert(folded(b"a"), (b"a".to_vec(), b"a.replaced".to_vec()));
        ledger.restore_replaced(&site.target, lines[0], b"a")
    };
    assert_eq!(restore(&mut ledger), "; the file that it replaced is a.replaced");
    assert!(ledger.is_void(lines[0]) && !folder.path().join("a").exists());

    ledger.journal = journal;
    assert!(restore(&mut ledger).ends_with("has its name again"));
    assert_eq!(fs::read_to_string(folder.path().join("a")).unwrap(), "old");
    drop((site, ledger));
    let (site, _, _) = resumed(&job, &[]);
    assert!(site.earlier.is_void(lines[0]));
}
