//! A program that is ended by a signal.

use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;

/// Far more rounds than pass before the signal.
const STUDY: &str = r#"
    title = "Photographs"
    source = "this test"
    question = "What is left of them?"
    [[files]]
    id = "photos"
    title = "Photographs"
    measures = "tree"
    algorithms = ["md5"]
    providers = ["hashdyno"]
    photos = { count = 50, from = 100000, to = 200000 }
    rounds = 100000
"#;

#[test]
fn a_study_that_is_stopped_leaves_no_files() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let (study, temporary) = (folder.path().join("photos.toml"), folder.path().join("tmp"));
    std::fs::write(&study, STUDY).expect("the folder is ours");
    std::fs::create_dir(&temporary).expect("the folder is ours");
    let mut command = Command::new(cargo_bin("hashdyno"));
    command
        .arg("study")
        .arg(&study)
        .current_dir(folder.path()) // what it has measured stays in `records/`
        .env("TMPDIR", &temporary)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut program = command.spawn().expect("the program starts");
    wait("photograph", || is_begun(&temporary));
    let stopped = Command::new("sh")
        .arg("-c")
        .arg(format!("kill -TERM {}", program.id()))
        .status()
        .expect("there is a shell");
    assert!(stopped.success() && ended(&mut program).code() == Some(143));
    assert_eq!(std::fs::read_dir(&temporary).expect("it is still there").count(), 0);
}

/// Whether the study has written its first photograph.
fn is_begun(temporary: &Path) -> bool {
    let folders = std::fs::read_dir(temporary).into_iter().flatten().flatten();
    folders.filter(|folder| folder.path().join("card/DCIM/100HASHD/IMG_0001.JPG").exists()).count()
        > 0
}

fn ended(program: &mut Child) -> ExitStatus {
    let mut status = None;
    wait("end", || {
        status = program.try_wait().expect("it is our child");
        status.is_some()
    });
    status.expect("it was waited for")
}

/// Minutes, for a machine that has much else to do.
fn wait(what: &str, mut is_there: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_there() {
        assert!(start.elapsed() < Duration::from_secs(300), "there is no {what}");
        sleep(Duration::from_millis(20));
    }
}
