//! `hashdyno copy` as it is called: killed, out of room, told what to write.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;

fn hashdyno(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(cargo_bin("hashdyno"))
        .current_dir(folder)
        .args(arguments)
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn write(path: &Path, content: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// A source of many small files, no two alike.
fn many(folder: &Path, count: u32, len: impl Fn(u32) -> usize) {
    for at in 0..count {
        let content: Vec<u8> = (0..len(at)).map(|byte| (byte as u32 * 31 + at * 7) as u8).collect();
        write(&folder.join(format!("{}/{at:03}", at % 5)), content);
    }
}

/// Every file below a folder: its name below it, and its inode.
fn files(folder: &Path) -> HashMap<PathBuf, u64> {
    let mut found = HashMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).into_iter().flatten() {
            let entry = entry.unwrap();
            match entry.file_type().unwrap().is_dir() {
                true if entry.file_name() == ".hashdyno-copy" => {}
                true => folders.push(entry.path()),
                false => drop(found.insert(
                    entry.path().strip_prefix(folder).unwrap().to_owned(),
                    entry.metadata().unwrap().ino(),
                )),
            }
        }
    }
    found
}

/// What is under a final name is whole.
fn assert_whole(source: &Path, destination: &Path, found: &HashMap<PathBuf, u64>) {
    for name in found.keys() {
        assert!(
            fs::read(source.join(name)).unwrap() == fs::read(destination.join(name)).unwrap(),
            "{} is not whole",
            name.display()
        );
    }
}

/// Where files are quickly written; a kill is no power cut, so it need not be a disk.
fn quick_folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

#[test]
fn a_copy_killed_200_times_is_whole() {
    const KILLS: u32 = 200;
    let folder = quick_folder();
    let (source, to) = (folder.path().join("source"), folder.path().join("to"));
    many(&source, 500, |at| 1 + (at as usize * 37) % 3000);
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    let copy = || {
        let mut command = Command::new(cargo_bin("hashdyno"));
        command
            .current_dir(folder.path())
            .args(["copy", "source/.", "to", "--resume", "-q"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command
    };
    // A kill comes at any time up to `within`, which grows if copies never end, and shrinks if they
    // end before it.
    let mut within = Duration::from_millis(40);
    let (mut kills, mut in_a_row, mut copies) = (0, 0, 0);
    let mut seen = HashMap::new();
    while kills < KILLS {
        let mut child = copy().spawn().unwrap();
        std::thread::sleep(within.mul_f64((next() % 1000) as f64 / 1000.0));
        let _ = child.kill();
        let output = child.wait_with_output().unwrap();
        let found = files(&to);
        let moved = seen.iter().find(|(name, inode)| found.get(*name) != Some(*inode));
        assert_eq!(moved, None, "was there, and was written again");
        if output.status.signal() == Some(9) {
            kills += 1;
            in_a_row += 1;
            seen = found;
            if in_a_row % 20 == 0 {
                within = (within * 2).min(Duration::from_secs(1));
            }
            // Whatever a file is, it stays: it was seen with that inode. So to look at some of the
            // times is enough.
            if kills % 4 == 0 {
                assert_whole(&source, &to, &seen);
            }
            continue;
        }
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_whole(&source, &to, &found);
        assert_eq!(found.len(), 500);
        copies += 1;
        if in_a_row < 3 {
            within = (within / 2).max(Duration::from_millis(2));
        }
        in_a_row = 0;
        fs::remove_dir_all(&to).unwrap();
        seen.clear();
    }
    let last = copy().output().unwrap();
    assert!(last.status.success(), "{}", text(&last.stderr));
    let found = files(&to);
    assert_eq!(found.len(), 500);
    assert_whole(&source, &to, &found);
    assert!(!to.join(".hashdyno-copy").exists());
    eprintln!("{kills} kills in {} copies", copies + 1);
}

#[test]
fn a_full_disk_takes_what_fits_and_goes_on_when_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    many(&folder.path().join("source"), 40, |_| 60_000);
    // A file system of its own, in a mount namespace that ends with the shell.
    let script = r#"
        mkdir disk out && mount -t tmpfs -o size=1m none disk 2>/dev/null || exit 99
        "$HASHDYNO" copy source/. disk -q -j 2 > report; echo $? > code
        cp -r disk/. out
        mount -o remount,size=8m disk || exit 99
        exec "$HASHDYNO" copy source/. disk -q --resume
    "#;
    let own = if is_root() { "-m" } else { "-rm" };
    let ran = Command::new("unshare")
        .args([own, "sh", "-c", script])
        .current_dir(folder.path())
        .env("HASHDYNO", cargo_bin("hashdyno"))
        .output();
    let ran = match ran {
        Ok(ran) if folder.path().join("code").exists() => ran,
        _ => return eprintln!("skipped: a file system cannot be mounted here"),
    };
    let [code, report] =
        ["code", "report"].map(|name| fs::read_to_string(folder.path().join(name)).unwrap());
    assert_eq!(code, "1\n");
    assert!(text(&ran.stderr).contains("No space left on device"), "{}", text(&ran.stderr));
    assert!(!report.contains(" 0 copied") && !report.contains(" 0 failed"), "{report}");
    let out = folder.path().join("out");
    let found = files(&out);
    assert!(!found.is_empty() && found.len() < 40);
    assert_whole(&folder.path().join("source"), &out, &found);
    assert_eq!(fs::read_dir(out.join(".hashdyno-copy")).unwrap().count(), 1, "the journal alone");
    assert!(ran.status.success(), "{}", text(&ran.stderr));
    assert!(text(&ran.stdout).contains(" 0 failed"), "{}", text(&ran.stdout));
}

/// Whether /proc says that the effective user is root.
fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0)
}

#[test]
fn the_report_the_lists_and_the_exit_codes() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(&at.join("from/a"), "a");
    write(&at.join("from/sub/new\nline"), "b");
    let run = |arguments: &[&str]| {
        let output = hashdyno(at, arguments);
        (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
    };

    let (code, out, err) = run(&["copy", "from", "to", "--manifest", "list", "-a", "md5,sha256"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let lines: Vec<_> = out.lines().collect();
    assert!(lines[0].starts_with("to/from/a: copied, "), "{out}");
    assert!(lines[1].starts_with("\\to/from/sub/new\\nline: copied, "), "{out}");
    assert!(lines[2].starts_with("2 files, 2 B (2 bytes) read"), "{out}");
    assert!(lines[3].starts_with("to: 2 copied, 0 present, 0 failed, 2 "), "{out}");
    assert!(lines[4].starts_with("seconds: ") && lines[5].contains("reading "), "{out}");
    assert_eq!(run(&["check", "-C", "to", "list", "--quiet"]), (0, String::new(), String::new()));

    let (code, out, _) = run(&["copy", "from/.", "to", "--also", "also", "--json"]);
    assert_eq!(code, 0);
    let lines: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(
        (lines[0]["name"].as_str(), lines[0]["outcome"].as_str()),
        (Some("a"), Some("copied"))
    );
    let report = &lines[4]["report"];
    assert_eq!(
        (report["files"].as_u64(), report["destinations"][1]["copied"].as_u64()),
        (Some(2), Some(2))
    );
    assert!(report["seconds"]["elapsed"].is_number());

    // Every dialect; a name that one cannot carry is told.
    for (format, digests, expected) in [
        ("gnu", "md5", 0),
        ("tag", "md5", 0),
        ("reversed", "md5", 0),
        ("sfv", "crc32b", 1),
        ("hashdeep", "md5,sha256", 1),
        ("bagit", "sha512", 0),
        ("json", "sha256,md5", 0),
        ("mhl", "xxh64", 1),
    ] {
        let list = format!("{format}.list");
        let (code, _, err) =
            run(&["copy", "from", "to", "--manifest", &list, "--format", format, "-a", digests]);
        assert_eq!(code, expected, "{format}: {err}");
        assert!(fs::metadata(at.join(&list)).unwrap().len() > 0);
    }
    write(&at.join("card/clip"), "clip");
    assert_eq!(run(&["copy", "card", "shelf", "--format", "ascmhl", "-a", "xxh64"]).0, 0);
    assert!(at.join("shelf/ascmhl/ascmhl_chain.xml").exists());
    // An empty folder, as a power cut leaves it, is no history.
    fs::create_dir_all(at.join("tidy/ascmhl")).unwrap();
    assert_eq!(run(&["copy", "card", "tidy", "--format", "ascmhl", "-a", "xxh64"]).0, 0);
    assert!(at.join("tidy/ascmhl/ascmhl_chain.xml").exists());

    for (arguments, hint) in [
        (&["copy", "from", "to", "--layout", "{nam}"][..], "its fields are"),
        (&["copy", "from", "from/to"], "outside of the source"),
        (&["copy", "from", "to", "--manifest", "list"], "name a new file"),
        (&["copy", "from", "to", "--format", "tag"], "--manifest FILE"),
        (&["copy", "from", "shelf", "--format", "ascmhl", "-a", "xxh64"], "history already"),
        (&["copy", "from", "to", "-a", "md6"], "hashdyno list"),
    ] {
        let (code, out, err) = run(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        assert!(err.contains(hint), "{err}");
    }
    assert_eq!(run(&["copy", "from", "no/such/parent"]).0, 3);
    let (code, _, err) = run(&["copy", "from", "gone", "to"]);
    assert_eq!((code, err.as_str()), (1, "hashdyno: gone: No such file or directory\n"));
    let (code, _, err) = run(&["copy", "from", "to"]);
    assert_eq!(code, 2);
    assert!(err.contains("--resume") && err.contains("to/.hashdyno-copy"), "{err}");
    write(&at.join("gone"), "found");
    assert_eq!(run(&["copy", "from", "gone", "to", "--resume"]).0, 0);
    assert!(at.join("to/gone").exists() && !at.join("to/.hashdyno-copy").exists());
}

#[test]
fn a_pipe_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let made = Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap();
    assert!(made.success());
    let output = hashdyno(folder.path(), &["copy", "pipe", "to"]);
    assert_eq!(
        (output.status.code(), text(&output.stderr).as_str()),
        (Some(1), "hashdyno: pipe: Is a named pipe, not a file\n")
    );
}

#[test]
fn a_list_in_the_source_is_no_part_of_the_copy() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("card/a.jpg"), "photo");
    let output = hashdyno(
        &folder.path().join("card"),
        &["copy", ".", "../backup", "--manifest", "SHA256SUMS"],
    );
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
    let names: Vec<_> = files(&folder.path().join("backup")).into_keys().collect();
    assert_eq!(names, [PathBuf::from("a.jpg")]);
    let list = fs::read_to_string(folder.path().join("card/SHA256SUMS")).unwrap();
    assert_eq!(
        list.lines().map(|line| line.rsplit(' ').next().unwrap()).collect::<Vec<_>>(),
        ["a.jpg"]
    );
}

#[test]
fn a_list_replaces_no_file_that_the_copy_itself_brings() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let theirs = &format!("{}  theirs\n", "0".repeat(64));
    write(&at.join("card/SHA256SUMS"), theirs);
    fs::create_dir(at.join("to")).unwrap();
    fs::create_dir(at.join("also")).unwrap();
    // From the second time on, the list of the card is there already.
    let all = ["copy", "card/.", "to", "--also", "also"];
    for (list, resume) in [
        ("to", &["--quiet"][..]),
        ("to", &["--resume"]),
        ("to/.", &["--resume"]),
        ("also", &["--resume"]),
    ] {
        let list = format!("{list}/SHA256SUMS");
        let output = hashdyno(at, &[&all[..], &["--manifest", &list], resume].concat());
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains("is a file of the copy") && told.contains("hint: write"), "{told}");
        for folder in ["to", "also"] {
            let names: Vec<_> = files(&at.join(folder)).into_keys().collect();
            assert_eq!(names, [PathBuf::from("SHA256SUMS")], "{folder}: no part of a list is left");
            assert_eq!(&fs::read_to_string(at.join(folder).join("SHA256SUMS")).unwrap(), theirs);
        }
    }
    assert!(hashdyno(at, &[&all[..], &["--manifest", "list"]].concat()).status.success());
    assert!(fs::read_to_string(at.join("list")).unwrap().ends_with("  SHA256SUMS\n"));
    let output = hashdyno(
        at,
        &["copy", "card/SHA256SUMS", "other", "--resume", "--manifest", "card/SHA256SUMS"],
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("is a source"), "{}", text(&output.stderr));
    // The source holds the list of an earlier run. The copy leaves this list out.
    write(&at.join("card/photo"), "photo");
    fs::rename(at.join("card/SHA256SUMS"), at.join("card/own")).unwrap();
    assert_eq!(
        hashdyno(at, &["copy", "card/.", "third", "--resume", "--manifest", "card/own"])
            .status
            .code(),
        Some(0)
    );
    assert!(at.join("third/photo").exists() && !at.join("third/own").exists());
    assert!(fs::read_to_string(at.join("card/own")).unwrap().ends_with("  photo\n"));
}

#[test]
fn only_a_list_is_replaced_by_a_list() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(&at.join("from/photo.jpg"), b"\xff\xd8\xff\xe1 a photograph");
    write(&at.join("from/notes.txt"), "shopping\n");
    std::os::unix::fs::symlink("notes.txt", at.join("from/link")).unwrap();
    for taken in ["from/photo.jpg", "from/notes.txt", "from/link"] {
        let before = fs::read(at.join(taken)).unwrap();
        let output = hashdyno(at, &["copy", "from", "to", "--resume", "--manifest", taken]);
        assert_eq!(output.status.code(), Some(2), "{taken}");
        assert!(
            text(&output.stderr).contains("is not a checksum list"),
            "{}",
            text(&output.stderr)
        );
        assert_eq!(fs::read(at.join(taken)).unwrap(), before, "{taken}");
    }
    for list in ["", "d41d8cd98f00b204e9800998ecf8427e  an old entry\n"] {
        write(&at.join("list"), list);
        assert_eq!(
            hashdyno(at, &["copy", "from", "to", "--resume", "--manifest", "list"]).status.code(),
            Some(0)
        );
        assert!(fs::read_to_string(at.join("list")).unwrap().ends_with("from/photo.jpg\n"));
    }
}

#[test]
fn no_side_car_is_left_to_a_photo_that_does_not_bring_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for name in ["IMG.JPG", "IMG.JPG.xMP", "IMG.Xmp"] {
        write(&at.join("card").join(name), name);
    }
    let copied = |to: &str, options: &[&str], sources: &[&str]| {
        let output = hashdyno(at, &[&["copy"][..], options, sources, &[to]].concat());
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
        let mut names: Vec<_> = files(&at.join(to)).into_keys().collect();
        names.sort();
        names
    };
    let all = ["IMG.JPG", "IMG.JPG.xMP", "IMG.Xmp"].map(PathBuf::from);
    assert_eq!(copied("whole", &[], &["card/."]), all);
    assert_eq!(copied("named", &[], &["card/IMG.JPG", "card/IMG.Xmp"]), all);
    assert_eq!(copied("photo", &["--include", "*.JPG"], &["card/."]), all);
    for sources in [&["card/."][..], &["card/IMG.JPG", "card/IMG.Xmp", "card/IMG.JPG.xMP"]] {
        let to = format!("only {}", sources.len());
        assert_eq!(copied(&to, &["--include", "*.[xX]*"], sources), all[1..]);
    }
}
