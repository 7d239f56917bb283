//! Studies of whole files: the photographs, the tools, what a record holds of them. Nothing is
//! asserted about times, and a cell that a busy machine left without a clean sample is as good as
//! another.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use bench::files::photos::{Photo, SIDES, Side, Tree, month};
use bench::files::{Answer, Cache, Clock, FileTable, Photos, Place, Process, Tool, measure_tools};
use bench::report::{Format, Report, voids};
use bench::{
    OnlyWarnings, Options, Preset, Progress, ProviderLine, Record, Request, Stop, Study, Work,
};
use gauge::Plan;
use hashdyno::hex;

const SMALL: Photos = Photos { count: 5, from: 4000, to: 6000 };
const OF_THE_STUDY: Photos = Photos { count: 154, from: 4_000_000, to: 6_000_000 };

#[test]
fn the_photographs_are_the_same_on_every_machine() {
    let bytes: Vec<u8> = month(SMALL).iter().flat_map(Photo::jpeg).collect();
    assert_eq!(
        hex(&hashdyno::find("sha256").unwrap().digest(&bytes)),
        "eadea00f79a42b435495edfac4667077b52fc60ab9490a7b97c8161db006dc14"
    );
    let photos = month(OF_THE_STUDY);
    assert_eq!(photos.iter().map(Photo::bytes).sum::<u64>(), 773_763_776);
    assert!(
        photos.iter().all(|photo| (OF_THE_STUDY.from..=OF_THE_STUDY.to).contains(&photo.bytes()))
    );
    assert!(
        photos.windows(2).all(|pair| pair[0].taken < pair[1].taken),
        "each has a date of its own"
    );
}

#[test]
fn a_photograph_is_a_jpeg_with_its_date() {
    let large = month(OF_THE_STUDY).swap_remove(0);
    for photo in month(SMALL).iter().chain([&large]) {
        let jpeg = photo.jpeg();
        assert_eq!(jpeg.len() as u64, photo.bytes());
        let options = zune_core::options::DecoderOptions::new_safe().set_strict_mode(true);
        let mut decoder = zune_jpeg::JpegDecoder::new_with_options(
            zune_core::bytestream::ZCursor::new(&jpeg),
            options,
        );
        let pixels = decoder.decode().unwrap_or_else(|error| panic!("{}: {error:?}", photo.name));
        let (width, height) = decoder.dimensions().expect("it is decoded");
        assert_eq!(
            (pixels.len(), pixels.len() as u64),
            (3 * width * height, photo.bytes() - 224),
            "{}",
            photo.name
        );
        let exif = exif::Reader::new()
            .read_from_container(&mut std::io::Cursor::new(&jpeg))
            .expect("it has Exif");
        let taken =
            exif.get_field(exif::Tag::DateTimeOriginal, exif::In::PRIMARY).expect("it has a date");
        assert_eq!(
            taken.display_value().to_string(),
            photo.taken.strftime("%Y-%m-%d %H:%M:%S").to_string()
        );
    }
}

#[test]
fn the_copy_of_a_tree_is_the_tree_in_folders_of_the_date() {
    let folder = tempfile::tempdir().unwrap();
    let tree = Tree::write(folder.path(), SMALL).unwrap();
    for photo in &tree.photos {
        let [source, copy] = SIDES.map(|side| fs::read(tree.path(photo, side)).unwrap());
        assert!(source == copy && source.len() as u64 == photo.bytes());
        let day = photo.taken.strftime("photos/%Y/%m/%d").to_string();
        assert_eq!(tree.path(photo, Side::Destination), folder.path().join(day).join(&photo.name));
    }
}

#[test]
fn photographs_that_are_there_need_no_space() {
    let folder = tempfile::tempdir().unwrap();
    let all = 2 * month(SMALL).iter().map(Photo::bytes).sum::<u64>();
    assert_eq!(Tree::missing(folder.path(), SMALL), all);
    let tree = Tree::write(folder.path(), SMALL).unwrap();
    assert_eq!(Tree::missing(folder.path(), SMALL), 0);
    let photo = &tree.photos[2];
    fs::remove_file(tree.path(photo, Side::Destination)).unwrap();
    assert_eq!(Tree::missing(folder.path(), SMALL), photo.bytes());
}

#[test]
fn a_photograph_is_as_long_as_a_jpeg_can_be() {
    let huge = Photos { count: 1, from: 1 << 40, to: 1 << 41 };
    assert_eq!(month(huge)[0].bytes(), 224 + 192 * 8191 * 8191);
}

#[test]
fn no_file_of_the_users_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let mine = folder.path().join("file");
    fs::write(&mine, "mine").unwrap();
    let (processes, _) = measured_in(&Place::new(Some(folder.path())).unwrap(), &[md5sum()]);
    assert!(processes.iter().all(|process| process.void.is_none()), "{processes:?}");
    let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["file"]);
    assert_eq!(fs::read(&mine).unwrap(), b"mine");
    let tree = Tree::write(folder.path(), SMALL).unwrap();
    Tree::write(folder.path(), SMALL).expect("it is there already");
    for side in SIDES {
        let place = tree.path(&tree.photos[2], side);
        let photo = fs::read(&place).unwrap();
        // As long as the photograph, and another file.
        for mine in [b"mine".to_vec(), vec![0; photo.len()]] {
            fs::write(&place, &mine).unwrap();
            let error = Tree::write(folder.path(), SMALL).err().expect("its place is taken");
            assert!(error.to_string().contains(&place.display().to_string()), "{error}");
            assert!(fs::read(&place).unwrap() == mine, "{} is another file now", place.display());
        }
        fs::write(&place, &photo).unwrap();
    }
}

#[test]
fn a_tree_is_hashed_file_by_file_and_its_record_reads_again() {
    let record = hashed(None, &mut OnlyWarnings);
    let [tree] = &record.files.trees[..] else { panic!("{:?}", record.files.trees) };
    // More rounds than asked for where a busy machine left too few clean samples.
    let rounds = tree.reading_ns.len();
    assert!(tree.photos == 5 && (2..=6).contains(&rounds), "{tree:?}");
    assert_eq!(tree.bytes, 2 * month(SMALL).iter().map(Photo::bytes).sum::<u64>());
    assert_eq!(record.files.hashed.len(), 2);
    // A provider with enough clean samples takes no part in the rounds that another one needs.
    let mut hashed_in = BTreeSet::new();
    for cell in &record.files.hashed {
        let samples = &cell.series.samples;
        let own_rounds = samples.len() / 10;
        assert!((2..=rounds).contains(&own_rounds), "{own_rounds} of {rounds} rounds");
        assert_eq!(samples.len(), 10 * own_rounds, "five files on two sides in each round");
        assert_eq!(
            samples.iter().map(|sample| sample.iterations).sum::<u64>(),
            own_rounds as u64 * tree.bytes
        );
        hashed_in.extend(samples.iter().map(|sample| sample.round as usize / 10));
    }
    assert!(hashed_in.into_iter().eq(0..rounds), "somebody hashes in every round");
    let report = Report::new(&record);
    assert!(
        report.grids[0].note.contains("5 photographs and their copies"),
        "{}",
        report.grids[0].note
    );
    assert!(
        report
            .render(Format::named("csv"))
            .lines()
            .any(|line| line.contains(",sha512,") && line.contains(&tree.bytes.to_string()))
    );
    let (folder, paths) = (tempfile::tempdir().unwrap(), ["a", "b"]);
    let paths = paths.map(|name| folder.path().join(name));
    record.write(&paths[0]).unwrap();
    Record::read(&paths[0]).unwrap().write(&paths[1]).unwrap();
    assert_eq!(fs::read_to_string(&paths[0]).unwrap(), fs::read_to_string(&paths[1]).unwrap());
}

#[test]
fn a_copy_that_differs_voids_whoever_hashes_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut flips = Flips { folder: folder.path().to_owned(), groups: 0 };
    let record = hashed(Some(folder.path().to_owned()), &mut flips);
    let voids = voids(&record);
    assert_eq!(voids.len(), 2, "{voids:?}");
    assert!(
        voids.iter().all(|void| void.contains("IMG_0002.JPG: the copy's digest is ")),
        "{voids:?}"
    );
    assert!(
        folder.path().join("card/DCIM/100HASHD/IMG_0005.JPG").is_file(),
        "files stay where they are kept"
    );
}

/// Damages the second photograph's copy, after the tree is written and before that photograph is
/// read.
struct Flips {
    folder: PathBuf,
    groups: usize,
}

impl Progress for Flips {
    fn start(&mut self, _: &Work) {}
    fn group(&mut self, _: &str) {
        self.groups += 1;
        if self.groups == 2 {
            let photo = &month(SMALL)[1];
            let day = photo.taken.strftime("photos/%Y/%m/%d").to_string();
            let copy = self.folder.join(day).join(&photo.name);
            let mut bytes = fs::read(&copy).unwrap();
            bytes[1000] ^= 1;
            fs::write(&copy, bytes).unwrap();
        }
    }
    fn warn(&mut self, _: &str) {}
}

/// Five small photographs, two rounds, Python.
fn hashed(keep: Option<PathBuf>, progress: &mut dyn Progress) -> Record {
    let text = study(
        r#"measures = "tree"
        algorithms = ["md5", "sha512"]
        providers = ["python"]
        photos = { count = 5, from = 4000, to = 6000 }
        rounds = 2"#,
    );
    let study = Study::parse("photos", &text).unwrap_or_else(|error| panic!("{error}"));
    let options = Options { limit: Duration::from_secs(60), ..Options::default() };
    let request = Request {
        preset: Preset::Told("test".to_owned()),
        plan: Plan::quick(),
        options,
        command: "test".to_owned(),
        keep,
    };
    bench::run(&study, &request, progress).unwrap_or_else(|error| panic!("{error}"))
}

fn study(table: &str) -> String {
    format!(
        "title = 'T'\nsource = 'S'\nquestion = 'Q'\n[[files]]\nid = 'files'\ntitle = \
            'Files'\n{table}\n"
    )
}

#[test]
fn tools_are_measured_verified_and_explained() {
    let (processes, receipts) = measured(&[md5sum(), liar(), failing(), missing()]);
    let of = |name: &str| {
        processes.iter().filter(|process| process.source.provider == name).collect::<Vec<_>>()
    };
    // An empty file has nothing that could be cold.
    let honest = of("honest");
    assert_eq!(
        honest
            .iter()
            .map(|process| (process.size, process.bytes, process.cache))
            .collect::<Vec<_>>(),
        CELLS
    );
    assert!(
        honest.iter().all(|process| process.void.is_none() && process.runs.len() == 3),
        "{honest:?}"
    );
    let reason = |name: &str| {
        of(name)
            .iter()
            .map(|process| process.void.clone().expect("it is void"))
            .collect::<Vec<_>>()
            .concat()
    };
    assert!(reason("liar").contains(
        "wrong digest: it prints 'd41d8cd98f00b204e9800998ecf8427f', expected \
                d41d8cd98f00b204e9800998ecf8427e"
    ));
    assert!(reason("failing").contains("it ended with exit status: 1"));
    let missing = receipts.iter().find(|line| line.name == "missing").unwrap();
    assert_eq!(
        missing.missing.as_deref(),
        Some("no-such-program is not on this machine\nhint: make it")
    );
    assert!(of("missing").is_empty() && missing.version.is_none());
}

#[test]
fn cold_is_proved_or_said_not_to_be() {
    let (processes, _) = measured(&[md5sum()]);
    for process in &processes {
        let proved = process.timing(Clock::Real, 0.99).is_some();
        match process.unproved() {
            None => assert!(proved, "{process:?}"),
            Some(reason) => assert!(!proved && reason.starts_with("not "), "{reason}"),
        }
        let far = |run: &bench::files::Run| run.device < process.bytes / 2;
        let cached = process.cache == Cache::Cold && process.runs.iter().all(far);
        assert!(
            !(cached && proved),
            "nothing came from a device, and it counts as cold: {process:?}"
        );
    }
}

/// Three files of 300,000 bytes at 3 MB/s: a tenth of a second each, whatever the tool.
#[test]
fn a_throttled_file_comes_whole_and_takes_its_time() {
    let text = study(
        "measures = 'tools'\nalgorithms = ['md5']\nproviders = ['cat']\nsizes = [0, 300000, \
            1048576]\nthrottle = { rate = 3_000_000, longest = 300_000 }\nrounds = 3",
    );
    let study = Study::parse("tools", &text).unwrap_or_else(|error| panic!("{error}"));
    let place = Place::new(None).unwrap();
    let (table, tools, stop) = (&study.files[0], [md5sum(), liar()], Stop::default());
    let (processes, _) =
        measure_tools(table, &tools, false, 1, &place, &mut OnlyWarnings, &stop).unwrap();
    let throttled: Vec<_> =
        processes.iter().filter(|process| process.cache == Cache::Throttled).collect();
    let [honest, liar] = throttled[..] else { panic!("{throttled:?}") };
    assert_eq!((honest.bytes, honest.source.provider.as_str()), (300_000, "honest"));
    assert!(honest.void.is_none() && honest.runs.len() == 3, "{honest:?}");
    assert!(honest.runs.iter().all(|run| run.real >= 95_000_000), "{honest:?}");
    assert!(honest.timing(Clock::Real, 0.99).is_some() && honest.unproved().is_none());
    assert!(liar.void.as_ref().is_some_and(|reason| reason.contains("wrong digest")), "{liar:?}");
}

#[test]
fn what_a_files_table_cannot_say_is_an_error() {
    let refused = |table: &str, words: &str| {
        let error = Study::parse("bad", &study(table)).expect_err(words).to_string();
        assert!(error.contains(words), "{error}");
    };
    let tools = "measures = 'tools'\nalgorithms = ['md5']\nrounds = 2\n";
    refused(&format!("{tools}providers = ['cat']"), "expected sizes for tools");
    refused(
        &format!("{tools}sizes = [1]\nproviders = ['php']"),
        "the provider 'php': expected one of hashdyno-sum, coreutils, ",
    );
    refused(&format!("{tools}sizes = [1]\nproviders = ['cat']\nsize = 2"), "unknown field `size`");
    let throttle = "throttle = { rate = 999, longest = 1 }";
    refused(&format!("{tools}sizes = [1]\nproviders = ['cat']\n{throttle}"), "1000 bytes a second");
    let tree = "measures = 'tree'\nalgorithms = ['md5']\nproviders = ['ours']\nrounds = 2\n";
    refused(tree, "expected photos = ");
    let photos = tree.replace("rounds", "photos = { count = 1, from = 1, to = 2 }\nrounds");
    refused(&photos.replace("'md5'", "'aes-128-ecb encrypt'"), "expected a digest");
    refused(&photos.replace("'ours'", "'ours*2'"), "expected one thread");
    refused(&format!("{photos}throttle = {{ rate = 5000, longest = 1 }}"), "no throttle");
}

/// What three rounds of a file of none and one of 300,000 bytes consist of.
const CELLS: [(u64, u64, Cache); 3] =
    [(0, 0, Cache::Warm), (1 << 20, 300_000, Cache::Warm), (1 << 20, 300_000, Cache::Cold)];

/// These tools on an empty file and on one that stands for a longer.
fn measured(tools: &[Tool]) -> (Vec<Process>, Vec<ProviderLine>) {
    measured_in(&Place::new(None).unwrap(), tools)
}

/// The same, with the files there.
fn measured_in(place: &Place, tools: &[Tool]) -> (Vec<Process>, Vec<ProviderLine>) {
    let text = study(
        "measures = 'tools'\nalgorithms = ['MD5']\nproviders = ['cat']\nsizes = [0, \
            1048576]\nrounds = 9\nquick = { rounds = 3, longest = 300000 }",
    );
    let study = Study::parse("tools", &text).unwrap_or_else(|error| panic!("{error}"));
    let table: &FileTable = &study.files[0];
    measure_tools(table, tools, true, 1, place, &mut OnlyWarnings, &Stop::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

fn tool(name: &str, command: &[&str]) -> Tool {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    Tool {
        name: name.to_owned(),
        title: name.to_owned(),
        mark: Default::default(),
        command: words(command),
        version: words(&["echo", "1.0"]),
        digests: BTreeMap::from([("md5".to_owned(), "md5".to_owned())]),
        answer: Answer::FirstWord,
        hint: "make it".to_owned(),
    }
}

fn md5sum() -> Tool {
    tool("honest", &["{digest}sum", "{file}"])
}

/// Right but for the last digit, on the empty file.
fn liar() -> Tool {
    tool("liar", &["echo", "d41d8cd98f00b204e9800998ecf8427f"])
}

fn failing() -> Tool {
    tool("failing", &["false", "{file}"])
}

fn missing() -> Tool {
    Tool {
        version: vec!["no-such-program".to_owned()],
        ..tool("missing", &["no-such-program", "{file}"])
    }
}
