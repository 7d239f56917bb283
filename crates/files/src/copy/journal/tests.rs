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
    assert_eq!(earlier.find(b"card/a", seen), Some((all[0].0, files[0].clone())));
    assert_eq!(earlier.find(b"card/b", seen), None);
    assert_eq!(earlier.find(b"card/c", Seen { size: 4, ..seen }), None);
    assert_eq!(earlier.find(b"card/c", Seen { modified: (1_714_600_000, 6), ..seen }), None);
    assert_eq!(earlier.find(b"card/d", seen), None);
    let told = |is: fn(&Earlier, u64) -> bool| {
        all.iter().map(|(offset, _)| is(&earlier, *offset)).collect::<Vec<_>>()
    };
    assert_eq!(told(Earlier::is_proved), [true, false, false]);
    assert_eq!(told(Earlier::is_void), [false, true, false]);
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
