//! The output of `openssl speed`: its table, or with `-mr` its `+H` and `+F` lines.
//!
//! ```text
//! type             16 bytes     64 bytes          +H:64:1024
//! md5              1000.00k   203694.85k          +F:3:rmd160:64000000.00:1024000000.00
//! ```
//!
//! Other lines of either stream are passed over: both streams often stand in one file. With
//! `-multi` several processes print their lines first, behind `Got:`. Only the sums count.

use gauge::Interval;
use runner::Algorithm;

use super::printed::{Figure, Printed};
use crate::record::printable;

/// The figures; `None` if nothing looks like openssl's, else the line that is wrong and what was
/// expected there.
pub(super) fn read(text: &str) -> Option<Result<Printed, (usize, String)>> {
    let ours = |line: &str| {
        line.starts_with("+F:") || line.starts_with("+H:") || sizes_of_heading(line).is_some()
    };
    text.lines()
        .any(ours)
        .then(|| figures(text).map(|figures| Printed { program: "openssl", figures }))
}

fn figures(text: &str) -> Result<Vec<Figure>, (usize, String)> {
    let mut sizes: Vec<usize> = Vec::new();
    let mut figures = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        // A new heading begins another table: a file may hold several runs.
        if let Some(found) = sizes_of_heading(line) {
            sizes = found;
        } else if let Some(list) = line.strip_prefix("+H:") {
            let read: Option<_> = list.split(':').map(|size| size.trim().parse().ok()).collect();
            sizes = read.ok_or((
                number,
                "expected '+H:' and message lengths in bytes with colons between".to_owned(),
            ))?;
        } else if let Some(rest) = line.strip_prefix("+F:") {
            let row = machine_row(rest).filter(|(_, rates)| rates.len() == sizes.len());
            let expected = || {
                format!(
                    "expected '+F:INDEX:ALGORITHM' and {} rates, one for each length of the '+H:' \
                        line",
                    sizes.len()
                )
            };
            figures.extend(cells(row.ok_or_else(|| (number, expected()))?, &sizes));
        } else if let Some(row) = table_row(line, sizes.len()) {
            figures.extend(cells(row, &sizes));
        }
    }
    if figures.is_empty() {
        Err((1, "there is a heading of openssl speed, but no row of rates".to_owned()))
    } else {
        Ok(figures)
    }
}

/// `type             16 bytes     64 bytes`.
fn sizes_of_heading(line: &str) -> Option<Vec<usize>> {
    let words: Vec<_> = line.strip_prefix("type ")?.split_whitespace().collect();
    let (pairs, rest) = words.as_chunks::<2>();
    let size = |[number, bytes]: &[&str; 2]| number.parse().ok().filter(|_| *bytes == "bytes");
    if rest.is_empty() {
        pairs.iter().map(size).collect::<Option<Vec<_>>>().filter(|sizes| !sizes.is_empty())
    } else {
        None
    }
}

/// `INDEX:NAME:RATE:RATE`, rates in bytes per second.
fn machine_row(rest: &str) -> Option<(String, Vec<f64>)> {
    let mut fields = rest.split(':');
    let (_, name) = (fields.next()?, fields.next()?);
    let rates: Option<Vec<f64>> = fields.map(|rate| rate.trim().parse().ok()).collect();
    Some((name.to_owned(), rates?))
}

/// `md5             46481.42k   109351.05k`; a rate without a `k` is in bytes per second.
fn table_row(line: &str, columns: usize) -> Option<(String, Vec<f64>)> {
    let words: Vec<_> = line.split_whitespace().collect();
    // A name may have blanks: the rates are counted from the end of the line.
    let names = words.len().checked_sub(columns).filter(|&names| names > 0 && columns > 0)?;
    let rate = |word: &&str| match word.strip_suffix('k') {
        Some(thousands) => Some(thousands.parse::<f64>().ok()? * 1e3),
        None => word.contains('.').then(|| word.parse().ok())?,
    };
    let rates: Option<Vec<f64>> = words[names..].iter().map(rate).collect();
    Some((words[..names].join("-"), rates?))
}

fn cells((name, rates): (String, Vec<f64>), sizes: &[usize]) -> Vec<Figure> {
    let algorithm = known(&name);
    // openssl prints 0 for a size that it did not time.
    let timed = sizes.iter().zip(rates).filter(|(_, rate)| *rate > 0.0);
    let figure = |(&size, rate): (&usize, f64)| {
        let ns = Interval::exact(size as f64 / rate * 1e9);
        Figure { algorithm: algorithm.clone(), size, ns, runs: 1 }
    };
    timed.map(figure).collect()
}

/// Our name for what openssl calls `rmd160`, `aes-128 cbc` or `AES-128-GCM`; it does not say which
/// way a cipher went, and its default is to encrypt.
fn known(name: &str) -> String {
    let lower = name.to_lowercase();
    match Algorithm::find(&lower) {
        Some(Algorithm::Digest(digest)) => digest.name.to_owned(),
        _ if Algorithm::find(&format!("{lower} encrypt")).is_some() => format!("{lower} encrypt"),
        _ => printable::text(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<(String, usize, f64)> {
        let printed = read(text).expect("openssl's").unwrap();
        printed
            .figures
            .into_iter()
            .map(|figure| (figure.algorithm, figure.size, figure.ns.value))
            .collect()
    }

    #[test]
    fn the_table_is_read() {
        let text = "Doing md5 for 1s on 64 size blocks: 1591366 md5's in 0.50s\nversion: 3.0.19\n\
                    The 'numbers' are in 1000s of bytes per second processed.\n\
                    type             16 bytes     64 \
                    bytes\nmd5              1000.00k   203694.85k\naes-128 \
                    cbc      5000.00      64000.00k\n";
        let rows = of(text);
        assert_eq!(rows[0], ("md5".to_owned(), 16, 16000.0));
        assert_eq!((rows[1].0.as_str(), rows[1].1), ("md5", 64));
        assert_eq!(rows[2], ("aes-128-cbc encrypt".to_owned(), 16, 16.0 / 5000.0 * 1e9));
        assert_eq!(rows[3], ("aes-128-cbc encrypt".to_owned(), 64, 1000.0));
    }

    #[test]
    fn the_lines_for_machines_are_read_also_of_several_processes() {
        let text = "Forked child 0\nGot: +H:64 from 0\nGot: +F:3:md5:46481425.74 from \
            0\n+DT:md5:1:64\n+H:64:1024\n+F:3:rmd160:64000000.00:1024000000.00\n";
        assert_eq!(
            of(text),
            [("ripemd160".to_owned(), 64, 1000.0), ("ripemd160".to_owned(), 1024, 1000.0)]
        );
    }

    #[test]
    fn a_name_does_not_command_the_terminal() {
        let [mr, table] =
            ["+H:64\n+F:1:a\x1b]0;b\x07:64.0\n", "type 64 bytes\na\x1b]0;b\x07 64.0\n"]
                .map(|text| of(text).remove(0).0);
        assert_eq!([mr, table], ["a\u{fffd}]0;b\u{fffd}"; 2]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let (number, message) = read("+H:64:1024\n+F:3:md5:1.0\n").unwrap().unwrap_err();
        assert!(number == 2 && message.contains("2 rates"), "{message}");
        assert!(read("+H:64\n").unwrap().unwrap_err().1.contains("no row"));
        assert!(read("+H:x\n").unwrap().is_err());
        assert!(read("{\"line\":\"head\"}").is_none());
    }
}
