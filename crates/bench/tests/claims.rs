//! Claims, judged by what a document printed and by what a record holds.

use bench::{Evidence, Judgement, Record, Study, Verdict};

mod small;

/// The verdicts on the claim of that number: the document's and ours.
fn judged(record: &Record, claim: usize) -> [Judgement; 2] {
    let judgements = record.head.study.claims[claim].judgements(record);
    judgements.try_into().expect("one document, and here")
}

fn value(judgement: &Judgement) -> f64 {
    judgement.ratio.expect("it was judged").value
}

#[test]
fn a_claim_is_judged_by_the_document_and_here() {
    let record = small::speed();
    let [printed, here] = judged(&record, 0);
    assert_eq!((printed.on.as_str(), here.on.as_str()), ("An old machine", "here"));
    assert_eq!((printed.verdict, here.verdict), (Verdict::Holds, Verdict::Holds));
    assert_eq!(value(&printed), 2.5 / 1.5);
    assert!((value(&here) / (90_000.0 / 65_546.0) - 1.0).abs() < 1e-3, "{}", value(&here));
    assert_eq!(
        printed.detail,
        "php sha1 at 65536 bytes 2500000000 ns, php md5 at 65536 bytes 1500000000 ns"
    );
    assert_eq!(here.detail, "php sha1 at 65536 bytes 90000 ns, php md5 at 65536 bytes 65546 ns");
}

#[test]
fn a_star_is_every_algorithm_that_has_a_figure_there() {
    let record = small::speed();
    let [printed, here] = judged(&record, 1);
    assert_eq!(value(&printed), 2.5 / 1.5);
    assert!(here.detail.starts_with("php sha1 at 65536 bytes"), "{}", here.detail);
    let mut term = record.head.study.claims[1].left.clone();
    assert_eq!(record.algorithms(&term), ["md5", "sha1"]);
    term.size = 16.into();
    assert_eq!(record.algorithms(&term), ["md5"]);
    term.provider = "python".to_owned().into();
    assert_eq!(record.algorithms(&term), [""; 0]);
}

#[test]
fn each_side_of_a_claim_is_taken_by_its_own_clock() {
    let [printed, here] = judged(&small::files(), 1);
    assert_eq!(value(&printed), 0.5);
    // 150 ns of user time over 300 to 307 ns that passed.
    let ratio = value(&here);
    assert!((150.0 / 307.0..=150.0 / 300.0).contains(&ratio), "{ratio}");
}

#[test]
fn first_calls_are_set_beside_first_calls_alone() {
    let mut record = small::speed();
    let judgements = |record: &Record| record.head.study.claims[2].judgements(record);
    let here = judgements(&record).swap_remove(0);
    assert_eq!((here.verdict, value(&here)), (Verdict::Holds, 1.0));
    let first = "php md5 at 16 bytes (first calls, ascending) 1004 ns, \
        php md5 at 16 bytes (first calls, descending) 1004 ns";
    assert_eq!(here.detail, first);
    for of_left in [true, false] {
        let claim = &mut record.head.study.claims[2];
        let mut other = claim.left.clone();
        other.first = None;
        if of_left {
            claim.left = other;
        } else {
            claim.left.first = claim.right.as_ref().and_then(|right| right.first);
            claim.right = Some(other);
        }
        assert_eq!(judgements(&record).swap_remove(0).verdict, Verdict::NotMeasured);
    }
}

#[test]
fn cycles_that_a_document_counts_have_a_ratio() {
    let study = r#"
        title = "Cycles"
        source = "this test"
        question = "How many?"
        [[table]]
        id = "cycles"
        title = "Cycles"
        algorithms = ["md5", "sha1"]
        sizes = [16]
        providers = ["php"]
        unit = "cycles-per-byte"
        [[table.published]]
        id = "old"
        machine = "An old machine"
        here = "php"
        sizes = [16]
        rows = [["md5", "10"], ["sha1", "25"]]
        [[claim]]
        says = "SHA-1 takes twice to three times as long"
        place = "there"
        left = { provider = "php", algorithm = "sha1", size = 16 }
        relation = "times"
        right = { provider = "php", algorithm = "md5", size = 16 }
        factor = [2.0, 3.0]
        published = [["old"]]
    "#;
    let study = Study::parse("cycles", study).unwrap_or_else(|error| panic!("{error}"));
    let [printed, here] = judged(&Record::empty(study), 0);
    assert_eq!((printed.verdict, value(&printed)), (Verdict::Holds, 2.5));
    assert_eq!(
        printed.detail,
        "php sha1 at 16 bytes 400.0 cycles, php md5 at 16 bytes 160.0 cycles"
    );
    assert_eq!(here.verdict, Verdict::NotMeasured);
}
