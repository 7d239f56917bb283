use super::Report;
use gauge::Outcome;

/// A line for each measured cell.
pub fn render(report: &Report<'_>) -> String {
    let mut out = csv::Writer::from_writer(Vec::new());
    let header = [
        "provider",
        "implementation",
        "mask",
        "threads",
        "algorithm",
        "size_bytes",
        "ns",
        "ns_low",
        "ns_high",
        "cycles",
        "ghz",
        "bytes_per_second",
        "first_call_ns",
        "clean_samples",
        "samples",
        "void",
    ];
    out.write_record(header).expect("writing to memory does not fail");
    for entry in &report.record.entries {
        let source = &entry.source;
        let mask = source.mask.as_ref().unwrap_or(&report.record.head.cpu);
        let mut row = vec![source.provider.clone(), entry.implementation.clone(), mask.clone(), source.threads.to_string()];
        row.extend([entry.algorithm.clone(), entry.size.to_string()]);
        match &entry.series.outcome {
            Outcome::Estimate(estimate) => {
                let rate = entry.size as f64 / estimate.ns.value * 1e9;
                let ns = &estimate.ns;
                let figures = [ns.value, ns.low, ns.high, estimate.cycles.value, estimate.ghz, rate, entry.series.first_call_ns];
                row.extend(figures.map(|figure| figure.to_string()));
                row.extend([estimate.clean.to_string(), estimate.total.to_string(), String::new()]);
            }
            Outcome::Void { reason } => {
                row.extend(std::iter::repeat_n(String::new(), 9));
                row.push(reason.clone());
            }
        }
        out.write_record(&row).expect("writing to memory does not fail");
    }
    String::from_utf8(out.into_inner().expect("writing to memory does not fail")).expect("fields are text")
}
