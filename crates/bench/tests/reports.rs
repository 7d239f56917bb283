//! What reports say of records that are written here.

use bench::report::{Format, Report};
use bench::study::Source;
use bench::{Preset, Record, Size, judge};
use gauge::{CoreState, Outcome};

mod small;

#[test]
fn every_line_of_csv_has_the_columns_of_the_board() {
    let files = small::files().files;
    let lines = 1 + small::scoreboard().entries.len() + files.hashed.len() + files.processes.len();
    let csv = Report::new(&Record { files, ..small::scoreboard() }).render(Format::named("csv"));
    assert_eq!(csv.lines().count(), lines);
    assert!(csv.lines().all(|line| line.split(',').count() == 27), "{csv}");
}

#[test]
fn many_messages_beside_published_ones_have_every_source() {
    let mut record = small::speed();
    let many: Size = "10x16".parse().unwrap();
    let source = |name: &str| Source::from(name.to_owned());
    let mut python = record.entry(&source("php"), "md5", many).expect("it is there").clone();
    python.source = source("python");
    record.entries.push(python);
    let table = &mut record.head.study.tables[0];
    (table.sizes, table.chunk) = (Vec::new(), false);
    let grids = Report::new(&record).grids;
    let [published, php, python] = ["published old", "php here", "python"].map(str::to_owned);
    let grid = grids.iter().find(|grid| grid.header.contains(&published)).expect("a table");
    assert!(grid.header.contains(&php) && grid.header.contains(&python), "{:?}", grid.header);
}

#[test]
fn a_lead_without_a_ratio_is_left_out() {
    let mut record = small::speed();
    record.head.study.answers.clear();
    let is_python = |entry: &&mut bench::Entry| entry.source.to_string() == "python";
    let python = &mut record.entries.iter_mut().find(is_python).expect("it is there").series;
    python.samples.clear();
    let Outcome::Estimate(estimate) = &mut python.outcome else { panic!() };
    estimate.ns = estimate.ns.times(10.0);
    let answer = Report::new(&record).answer;
    assert!(answer.contains(&"md5 on 65536 bytes: php is fastest.".to_owned()), "{answer:?}");
}

#[test]
fn figures_of_two_states_are_not_called_missing() {
    let mut record = small::speed();
    let sha1 = record.entries.last_mut().expect("it has some");
    let Outcome::Estimate(estimate) = &mut sha1.series.outcome else { panic!() };
    estimate.state = CoreState::Shared;
    assert_eq!(
        judge::answers(&record)[0].says,
        "SHA-1 and MD5: not measured (figures of two states of the core have no ratio)."
    );
}

#[test]
fn a_shorter_file_of_a_quick_run_is_named() {
    let brief = |preset| {
        let mut record = small::files();
        record.head.preset = preset;
        let text = Report::new(&record).render(Format::named("terminal").full(false));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let (quick, standard) = (brief(Preset::Quick), brief(Preset::Standard));
    let told = "md5sum is quick (300000 bytes in place of 1 MiB, since this run is quick)";
    let because = "since this run is quick)";
    assert!(quick.contains(told) && quick.matches(because).count() == 1, "{quick}");
    assert!(!standard.contains(because), "{standard}");
}
