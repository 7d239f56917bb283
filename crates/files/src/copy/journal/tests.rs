use hashdyno::MD5;
use jiff::Timestamp;

use super::*;

fn file(name: &str, modified: Timestamp) -> Finished {
    let claims = vec![Claim { digests: vec![MD5.into()], value: MD5.digest(name.as_bytes()) }];
    Finished {
        source: format!("card/{name}").into_bytes(),
        entry: Entry { name: name.into(), claims, size: Some(3), modified: Some(modified) },
        present: false,
    }
}

fn open(file: &File) -> (Journal, Earlier) {
    let layout = Layout::parse("{name}").unwrap();
    Journal::open(file.try_clone().unwrap(), true, &layout, &[MD5]).unwrap()
}

#[test]
fn what_an_earlier_run_finished_is_found_and_what_is_void_is_not() {
    let held = tempfile::tempfile().unwrap();
    let time = Timestamp::new(1_714_600_000, 5).unwrap();
    let files = [file("a", time), file("b", time), file("c", time)];
    let (mut journal, _) = open(&held);
    journal.finished(&files[..2]).unwrap();
    let end = journal.len();
    journal.finished(&files[2..]).unwrap();
    let listed = |end| -> Vec<_> {
        let listed = journal.files(end).unwrap().map(|file| file.unwrap());
        listed.map(|(offset, file)| (offset, file.entry.name)).collect()
    };
    let first = listed(end);
    assert_eq!(first.iter().map(|(_, name)| &name[..]).collect::<Vec<_>>(), [b"a", b"b"]);
    let all = listed(journal.len());
    assert_eq!(all[2], (end, b"c".to_vec()));
    journal.proved(&[all[0].0]).unwrap();
    journal.void(all[1].0).unwrap();
    drop(journal);

    let (_, earlier) = open(&held);
    let seen = Seen { size: 3, modified: (1_714_600_000, 5) };
    let any = |_: &[u8]| true;
    assert_eq!(earlier.find(b"card/a", seen, any), Some((all[0].0, files[0].clone())));
    assert_eq!(earlier.find(b"card/b", seen, any), None);
    assert_eq!(earlier.find(b"card/c", Seen { size: 4, ..seen }, any), None);
    let later = Seen { modified: (1_714_600_000, 6), ..seen };
    assert_eq!(earlier.find(b"card/c", later, any), None);
    assert_eq!(earlier.find(b"card/d", seen, any), None);
    assert_eq!(earlier.find(b"card/a", seen, |name| name == b"elsewhere/a"), None);
    let told = |is: fn(&Earlier, u64) -> bool| {
        all.iter().map(|(offset, _)| is(&earlier, *offset)).collect::<Vec<_>>()
    };
    assert_eq!(told(Earlier::is_proved), [true, false, false]);
    assert_eq!(told(Earlier::is_void), [false, true, false]);
}

/// As a destination may ignore case, and nobody tells.
#[test]
fn a_name_is_known_in_any_case() {
    let held = tempfile::tempfile().unwrap();
    let named = file("IMG-\u{e4}.JPG", Timestamp::new(1_714_600_000, 5).unwrap());
    open(&held).0.finished(std::slice::from_ref(&named)).unwrap();
    let (_, earlier) = open(&held);
    for name in ["IMG-\u{e4}.JPG", "img-\u{c4}.jpg"] {
        let found: Vec<_> = earlier.named(name.as_bytes()).map(|(_, file)| file).collect();
        assert_eq!(found, std::slice::from_ref(&named), "{name}");
    }
    assert_eq!(earlier.named("IMG-a.JPG".as_bytes()).count(), 0);
    for (one, other) in [("\u{212a}", "k"), ("\u{3a3}", "\u{3c2}"), ("\u{3c3}", "\u{3c2}")] {
        assert_eq!(folded(one.as_bytes()), folded(other.as_bytes()));
    }
}

#[test]
fn times_are_as_the_system_has_them() {
    for (time, expected) in [
        (Timestamp::new(5, 0).unwrap(), (5, 0)),
        (Timestamp::new(5, 7).unwrap(), (5, 7)),
        (Timestamp::new(-5, 0).unwrap(), (-5, 0)),
        (Timestamp::new(-1, -300_000_000).unwrap(), (-2, 700_000_000)),
    ] {
        assert_eq!(file("a", time).modified(), expected);
    }
}
