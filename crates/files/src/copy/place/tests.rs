use super::super::layout::Layout;
use super::super::write::Seen;
use super::*;

#[test]
fn the_first_file_that_lost_something_says_what() {
    let folder = tempfile::tempdir().unwrap();
    let target = Target::open(folder.path()).unwrap();
    let journal = target.journal().unwrap();
    let (journal, _) = Journal::open(journal, false, &Layout::default(), &[]).unwrap();
    let mut ledger = Ledger::new(&target, journal);
    for (name, unkept) in
        [("whole", None), ("first", Some("its mode: refused")), ("second", Some("its times"))]
    {
        let file = Staged {
            source: name.into(),
            place: name.into(),
            sidecar: None,
            states: Ok(Vec::new()),
            seen: Seen { size: 0, modified: (0, 0) },
            values: Vec::new(),
        };
        ledger.unkept(unkept.map(str::to_owned), &file);
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
