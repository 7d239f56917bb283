//! Photos go where their own date says, and their side-cars with them.

mod copying;
#[path = "copying/media.rs"]
mod media;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use copying::{job, run, tree, write};
use files::copy::{CopyJob, Layout, Taken, Undated};
use media::{SINCE_1904, heic, jpeg, mp4, mp4_long, png, quicktime, quicktime_long, tiff};

/// Name, content, and the date as its camera's clock showed it.
fn photos() -> Vec<(&'static str, Vec<u8>, Option<&'static str>)> {
    let late = tiff("2024:05:01 23:59:08", Some("+09:00"), "A CAMERA");
    let plain = tiff("2019:02:12 00:00:01", None, "A CAMERA");
    vec![
        ("tokyo.jpg", jpeg(&late), Some("2024-05-01T23:59:08")),
        ("plain.jpg", jpeg(&plain), Some("2019-02-12T00:00:01")),
        ("raw.nef", late.clone(), Some("2024-05-01T23:59:08")),
        ("image.png", png(&late), Some("2024-05-01T23:59:08")),
        ("phone.heic", heic(&late), Some("2024-05-01T23:59:08")),
        // 2023-11-02 16:58:34 UTC
        ("film.mp4", mp4(1_698_944_314 + SINCE_1904), Some("2023-11-02T16:58:34")),
        (
            "phone.mov",
            quicktime(1_698_944_314 + SINCE_1904, "2023-11-03T00:58:34+0800", "A PHONE"),
            Some("2023-11-03T00:58:34"),
        ),
        (
            "long.mov",
            quicktime_long(
                1_698_944_314 + u64::from(SINCE_1904),
                "2023-11-03T00:58:34+0800",
                "A PHONE",
            ),
            Some("2023-11-03T00:58:34"),
        ),
        ("long.mp4", mp4_long(1_698_944_314 + u64::from(SINCE_1904)), Some("2023-11-02T16:58:34")),
        ("after-2040.mp4", mp4_long(u64::from(u32::MAX) + 86400), Some("2040-02-07T06:28:15")),
        ("no-time.mp4", mp4_long(u64::MAX), None),
        ("unset-long.mp4", mp4_long(0), None),
        ("unset.mp4", mp4(0), None),
        ("unset.jpg", jpeg(&tiff("0000:00:00 00:00:00", None, "A CAMERA")), None),
        ("of-1970.jpg", jpeg(&tiff("1970:01:01 00:00:00", None, "A CAMERA")), None),
        ("broken.jpg", jpeg(&late)[..60].to_vec(), None),
        ("text.txt", b"2024:05:01 23:59:08".to_vec(), None),
        ("empty.jpg", Vec::new(), None),
    ]
}

#[test]
fn dates_are_what_the_cameras_clock_showed() {
    let folder = tempfile::tempdir().unwrap();
    for (name, content, expected) in photos() {
        let path = folder.path().join(name);
        write(&path, &content);
        let taken = Taken::read(&fs::File::open(&path).unwrap());
        assert_eq!(taken.date.map(|date| date.to_string()).as_deref(), expected, "{name}");
        if name == "tokyo.jpg" {
            assert_eq!(taken.offset.unwrap().seconds(), 9 * 3600);
            assert_eq!(taken.camera.as_deref(), Some("A CAMERA"));
        }
        if name == "long.mp4" {
            assert_eq!(taken.offset, None);
        }
        if name == "phone.mov" {
            assert_eq!(
                (taken.offset.unwrap().seconds(), taken.camera.as_deref()),
                (8 * 3600, Some("A PHONE"))
            );
        }
        if let (Some(told), Some(expected)) = (exiftool(&path), expected) {
            assert_eq!(told, expected, "{name}, by exiftool");
        }
    }
}

/// The same by exiftool, where it is installed.
fn exiftool(path: &Path) -> Option<String> {
    let dates = ["-DateTimeOriginal", "-Keys:CreationDate", "-QuickTime:CreateDate"];
    let told = Command::new("exiftool")
        .args(["-s3", "-d", "%Y-%m-%dT%H:%M:%S"])
        .args(dates)
        .arg(path)
        .env("TZ", "UTC")
        .output()
        .ok()?;
    let told = String::from_utf8(told.stdout).ok()?;
    // What has its own offset is printed in it.
    told.lines().find(|line| line.starts_with("20")).map(str::to_owned)
}

#[test]
fn photos_go_to_their_day_and_take_their_sidecars_along() {
    let folder = tempfile::tempdir().unwrap();
    let (card, to) = (folder.path().join("card"), folder.path().join("to"));
    let late = tiff("2024:05:01 23:59:08", Some("+09:00"), "A/CAMERA");
    write(&card.join("DCIM/IMG.JPG"), jpeg(&late));
    write(&card.join("DCIM/IMG.JPG.xmp"), "of the jpeg");
    write(&card.join("DCIM/IMG.NEF"), &late);
    write(&card.join("DCIM/IMG.xmp"), "of the raw file");
    write(&card.join("OTHER/IMG.NEF"), [&late[..], b"another"].concat());
    write(&card.join("OTHER/IMG.xmp"), "of the other raw file");
    write(&card.join("lonely.xmp"), "of nothing");
    let job = |undated| CopyJob {
        layout: Layout::parse("{date:%Y/%m/%d}/{name}").unwrap(),
        undated,
        ..job(&[&card], &to)
    };
    let (report, heard) = run(&job(Undated::Folder));
    assert!(report.holds(), "{:?}", heard.failed);
    let day = ["IMG-1.NEF", "IMG-1.xmp", "IMG.JPG", "IMG.JPG.xmp", "IMG.NEF", "IMG.xmp"]
        .map(|name| format!("2024/05/01/{name}"));
    assert_eq!(tree(&to), [&day[..], &["undated/lonely.xmp".to_owned()]].concat());
    assert_eq!(fs::read(to.join("2024/05/01/IMG-1.xmp")).unwrap(), b"of the other raw file");
    assert_eq!(fs::read(to.join("2024/05/01/IMG.xmp")).unwrap(), b"of the raw file");

    // Again: everything is there, under the names that it got.
    let (report, _) = run(&job(Undated::Folder));
    assert_eq!((report.destinations[0].present, report.destinations[0].copied), (7, 0));

    // A photo that cannot be copied keeps its side-car back.
    let torn = folder.path().join("torn");
    write(&torn.join("...JPG"), jpeg(&late));
    write(&torn.join("...JPG.xmp"), "of it");
    let stems = Layout::parse("{date:%Y}/{stem}").unwrap();
    let (report, heard) =
        run(&CopyJob { layout: stems, ..copying::job(&[&torn], &to.with_file_name("none")) });
    assert_eq!((report.files, report.destinations[0].failed), (2, 2));
    assert_eq!(heard.failed[1], ("...JPG.xmp".to_owned(), "its photo cannot be copied".to_owned()));

    let lonely = fs::File::options().write(true).open(card.join("lonely.xmp")).unwrap();
    lonely.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000)).unwrap();
    let (report, _) = run(&job(Undated::FileTime));
    assert_eq!((report.destinations[0].present, report.destinations[0].copied), (6, 1));
    assert!(to.join("2001/09/09/lonely.xmp").exists());
}

#[test]
fn cameras_and_times_name_files() {
    let folder = tempfile::tempdir().unwrap();
    let (card, to) = (folder.path().join("card"), folder.path().join("to"));
    write(&card.join("a.jpg"), jpeg(&tiff("2024:05:01 23:59:08", Some("+09:00"), "E-M1 / II")));
    write(&card.join("b"), "no photo");
    let layout = Layout::parse("{camera}/{stem}{date:-%H%M%S%z}.{ext}").unwrap();
    let (report, heard) = run(&CopyJob { layout, ..job(&[&card], &to) });
    assert!(report.holds(), "{:?}", heard.failed);
    assert_eq!(tree(&to), ["E-M1 - II/a-235908+0900.jpg", "undated/b"]);
    let layout = Layout::parse("{camera}/{name}").unwrap();
    run(&CopyJob { layout, ..job(&[&card], &to.with_file_name("to2")) });
    assert_eq!(tree(&to.with_file_name("to2")), ["E-M1 - II/a.jpg", "unknown/b"]);
}
