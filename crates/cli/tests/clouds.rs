//! Digests by which clouds and networks name files: `hashdyno sum` and `hashdyno check` as they are
//! called, beside RHash and Git, which are left out where this machine lacks them.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;

/// Exit code, standard output and standard error; standard input is empty.
fn hashdyno(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    run(Command::new(cargo_bin("hashdyno")).args(arguments), folder)
        .expect("the program that is tested is there")
}

/// The same of any program; none if this machine lacks it.
fn run(command: &mut Command, folder: &Path) -> Option<(i32, String, String)> {
    let output = command.current_dir(folder).stdin(Stdio::null()).output().ok()?;
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code().expect("it ends by itself");
    Some((code, text(output.stdout), text(output.stderr)))
}

/// A file of that length. All of its blocks differ.
fn write(folder: &Path, name: &str, len: usize) {
    let content: Vec<u8> = (0..len).map(|at| (at % 251) as u8).collect();
    fs::write(folder.join(name), content).unwrap();
}

/// Changes the byte in the middle of a file.
fn damage(path: &Path) {
    let mut content = fs::read(path).unwrap();
    let middle = content.len() / 2;
    content[middle] ^= 1;
    fs::write(path, content).unwrap();
}

#[test]
fn rhash_and_hashdyno_read_each_others_lists() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("sub")).unwrap();
    let files = ["empty", "a b", "sub/300k", "large"];
    for (name, len) in files.into_iter().zip([0, 6, 300_000, 20_000_000]) {
        write(at, name, len);
    }
    let rhash = |arguments: &[&str]| run(Command::new("rhash").args(arguments), at);
    let options = ["--bsd", "--tth", "--aich", "--ed2k", "--btih"];
    let Some((0, tagged, _)) = rhash(&[&options[..], &files].concat()) else { return };
    fs::write(at.join("list"), &tagged).unwrap();
    let ok: String = files.iter().map(|name| format!("{name}: OK\n").repeat(4)).collect();
    assert_eq!(hashdyno(at, &["check", "list"]), (0, ok, String::new()));

    // The lines are the same but for RHash's padding and its order of digests.
    let sum = ["sum", "-a", "tth,btih,ed2k,aich"];
    let (code, ours, _) = hashdyno(at, &[&sum[..], &files].concat());
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!((code, squeezed(&ours)), (0, squeezed(&tagged)));
    fs::write(at.join("ours"), &ours).unwrap();
    assert_eq!(rhash(&["--check", "ours"]).unwrap().0, 0);

    // Lines of one digest: Base32 says which; ed2k looks like MD5, and btih like SHA-1.
    for option in ["--tth", "--aich", "--ed2k", "--btih"] {
        let (_, lines, _) = rhash(&[&[option], &files[..]].concat()).unwrap();
        fs::write(at.join("plain"), &lines).unwrap();
        let told = ["-a", &option[2..]];
        let told = if option == "--tth" || option == "--aich" { &[][..] } else { &told };
        let (code, out, err) = hashdyno(at, &[&["check", "plain"], told].concat());
        assert_eq!((code, out.matches(": OK\n").count()), (0, 4), "{option}: {out}{err}");
        let (_, ours, _) = hashdyno(at, &[&["sum", "-a", &option[2..]], &files[..]].concat());
        assert_eq!(ours, lines);
    }
    damage(&at.join("large"));
    let (code, out, _) = hashdyno(at, &["check", "--quiet", "list"]);
    assert_eq!((code, out.as_str()), (1, "large: FAILED\n".repeat(4).as_str()));
}

#[test]
fn git_names_files_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let sizes = [("empty", 0), ("small", 6), ("large", 3_000_000)];
    sizes.iter().for_each(|(name, len)| write(at, name, *len));
    for (format, algorithm) in [("sha1", "git-blob"), ("sha256", "git-blob-sha256")] {
        let repository = at.join(format);
        let mut init = Command::new("git");
        init.args(["init", "-q", "--object-format", format]).arg(&repository);
        let Some((0, ..)) = run(&mut init, at) else { return };
        for (name, _) in sizes {
            let mut git = Command::new("git");
            git.args(["hash-object", "--no-filters"]).arg(at.join(name));
            let (_, id, _) = run(&mut git, &repository).unwrap();
            let (code, line, err) = hashdyno(at, &["sum", "-a", algorithm, name]);
            assert_eq!((code, line), (0, format!("{}  {name}\n", id.trim())), "{err}");
            // Of a pipe the length is known only at its end.
            let mut piped = Command::new(cargo_bin("hashdyno"))
                .args(["sum", "-a", algorithm])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let content = fs::read(at.join(name)).unwrap();
            piped.stdin.take().unwrap().write_all(&content).unwrap();
            let piped = piped.wait_with_output().unwrap();
            assert_eq!(String::from_utf8(piped.stdout).unwrap(), format!("{}  -\n", id.trim()));
        }
    }
}

/// Values by Python's hashlib, as in the library's tests.
#[test]
fn etags_are_verified_whatever_usual_length_the_parts_had() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "backup", 20_000_000);
    let etags = [
        ("8MiB", "f238683a1b8d92f8ad455461aeb11a66-3"),
        ("5M", "c6a567dd641ca15469d648c0e8d58049-4"),
    ];
    for (size, etag) in etags {
        let (code, line, _) =
            hashdyno(at, &["sum", "-a", "s3-etag", "--part-size", size, "backup"]);
        assert_eq!((code, line), (0, format!("{etag}  backup\n")));
    }
    let (_, md5, _) = hashdyno(at, &["sum", "-a", "md5", "backup"]);
    let whole = ["sum", "-a", "s3-etag", "--part-size", "33554432", "backup"];
    assert_eq!(hashdyno(at, &whole).1, md5, "shorter than a part: uploaded in one request");

    let list = |lines: &str| fs::write(at.join("list"), lines).unwrap();
    let check = |arguments: &[&str]| hashdyno(at, &[&["check", "list"], arguments].concat());
    let ok = (0, "backup: OK\n".to_owned(), String::new());
    let sha256 = "3gtF+r8hSSiz/4ubFLNH+bHVabL0FMOhSzYl0szgzY0=-3";
    for line in [
        format!("{}  backup\n", etags[1].1),
        format!("S3-ETAG (backup) = \"{}\"\n", etags[1].1),
        format!("{sha256}  backup\n"),
        format!("{{\"name\":\"backup\",\"digests\":{{\"s3-sha256\":\"{sha256}\"}}}}\n"),
        md5.clone(),
    ] {
        list(&line);
        assert_eq!(check(&[]), ok, "{line}");
    }
    list(&md5);
    assert_eq!(check(&["-a", "s3-etag"]), ok);
    list(&format!("{}  backup\n", etags[1].1));
    assert_eq!(check(&["-a", "s3-etag", "--part-size", "5MiB"]), ok);
    let (code, out, err) = check(&["--part-size", "6MiB"]);
    assert_eq!((code, out.as_str()), (1, "backup: FAILED\n"), "{err}");
    let audit = ["check", "--audit", ".", "list"];
    assert!(hashdyno(at, &audit).1.contains("Files matched: 1\n"), "{:?}", hashdyno(at, &audit));

    damage(&at.join("backup"));
    let (code, out, err) = check(&[]);
    assert_eq!((code, out.as_str()), (1, "backup: FAILED\n"));
    assert!(err.contains("hint: --part-size"), "{err}");
}

/// The check value of CRC-32C, by RFC 3720 0xe3069283, as Google Cloud Storage writes it; the rest
/// by sha256sum.
#[test]
fn spellings_of_registries_and_stores() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("a"), "123456789").unwrap();
    let (_, crc, _) = hashdyno(at, &["sum", "-a", "crc32c", "--base64", "--tag", "a"]);
    assert_eq!(crc, "CRC32C (a) = 4waSgw==\n");
    let sha256 = "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225";
    let (_, oci, _) = hashdyno(at, &["sum", "--format", "oci", "a"]);
    assert_eq!(oci, format!("sha256:{sha256}  a\n"));
    fs::write(at.join("list"), format!("{crc}SHA256 (a) = sha256:{sha256}\n")).unwrap();
    assert_eq!(hashdyno(at, &["check", "list"]).0, 0);
    fs::write(at.join("list"), &oci).unwrap();
    for arguments in [&["check", "list"][..], &["check", "-a", "sha256", "list"]] {
        assert_eq!(hashdyno(at, arguments), (0, "a: OK\n".to_owned(), String::new()));
    }
    assert_eq!(hashdyno(at, &["check", "-a", "md5", "list"]).0, 1);
    // A list in that spelling goes on in it.
    fs::write(at.join("b"), "b").unwrap();
    assert_eq!(hashdyno(at, &["sum", "--update", "list", "b"]).0, 0);
    let more = fs::read_to_string(at.join("list")).unwrap();
    assert_eq!(more.matches("sha256:").count(), 2, "{more}");
}

#[test]
fn what_cannot_be_is_told_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "a", 10);
    for (arguments, told) in [
        (&["sum", "-a", "dropbx", "a"][..], "'dropbox'"),
        (&["sum", "-a", "s3etag", "a"], "'s3-etag'"),
        (&["sum", "-a", "sha256", "--part-size", "8MiB", "a"], "hint: -a s3-etag"),
        (&["sum", "-a", "s3-etag", "--part-size", "0", "a"], "above 0"),
        (&["sum", "-a", "tth", "--lines", "a"], "--lines has no digests of parts"),
        (&["copy", "-a", "dropbox", "a", "to"], "copy has no digests of parts"),
        (&["sum", "-a", "tth", "--format", "mhl", "a"], "this format cannot hold tth"),
        (&["sum", "-a", "tth", "--format", "oci", "a"], "this format cannot hold tth"),
    ] {
        let (code, _, err) = hashdyno(at, arguments);
        assert_eq!(code, 2, "{arguments:?}: {err}");
        assert!(err.contains(told), "{arguments:?}: {err}");
    }
}

#[test]
fn every_dialect_leads_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "a", 400_000);
    write(at, "b", 9_000_000);
    let names = "dropbox,s3-etag,s3-crc32c,ed2k,aich,tth,btih,bittorrent-v2,git-blob";
    for format in ["tag", "json", "hashdeep"] {
        let (code, list, err) = hashdyno(at, &["sum", "-a", names, "--format", format, "a", "b"]);
        assert_eq!(code, 0, "{format}: {err}");
        fs::write(at.join("list"), &list).unwrap();
        let (code, out, err) = hashdyno(at, &["check", "list"]);
        assert_eq!(code, 0, "{format}: {out}{err}");
    }
    // Beside a digest of the whole file, and of all of them alone.
    let (_, mixed, _) = hashdyno(at, &["sum", "-a", &format!("md5,{names}"), "a", "b"]);
    let (_, alone, _) = hashdyno(at, &["sum", "-a", names, "a", "b"]);
    let without_md5: String =
        mixed.split_inclusive('\n').filter(|it| !it.starts_with("MD5")).collect();
    assert_eq!(without_md5, alone);
}
