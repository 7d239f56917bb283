//! Every digest x every kernel of it x every kind of case. `harness/` has the kinds, `vectors/` the
//! answers.

mod harness;

use std::io::Write;

#[test]
fn every_kernel_of_every_digest() {
    let mut report = harness::run(&hashdyno::ALL);
    match std::env::var_os(harness::RECORD) {
        Some(_) => report.record(),
        // On record are the counts of all families.
        None if cfg!(feature = "full") => report.compare_with_record(),
        None => (),
    }
    // Not `println!`: the figures are to be seen of a run that passes, too.
    std::io::stderr().write_all(report.to_string().as_bytes()).expect("stderr can be written");
    assert!(report.failures.is_empty(), "{} failures, listed above", report.failures.len());
}
