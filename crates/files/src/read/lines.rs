//! A digest for each line of a file: many short messages at the speed of the lanes.

use std::io::{self, Read, Write};

use crate::read::method::Method;
use crate::read::ordered::ordered;
use data_encoding::HEXLOWER;

/// How much is read, and hashed by one thread, at a time.
const PIECE: usize = 1 << 20;

/// Writes the digests of each line of `source`, without its `end`, as a line; several digests have
/// tabs between them. A line may be as long as memory is.
///
/// # Errors
/// `source` cannot be read, or `out` cannot be written.
///
/// # Panics
/// If a digest is made of parts, or not [`Method::usable`].
pub fn sum_lines(
    source: impl Read,
    end: u8,
    digests: &[Method],
    threads: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut state = (Pieces { source, end, carried: Vec::new(), over: false }, out);
    ordered(
        threads,
        &mut state,
        |(pieces, _)| pieces.next(),
        |piece| hashed(&piece, end, digests),
        |(_, out), text| out.write_all(&text),
    )?;
    state.1.flush()
}

/// Runs of whole lines.
struct Pieces<R> {
    source: R,
    end: u8,
    carried: Vec<u8>,
    over: bool,
}

impl<R: Read> Pieces<R> {
    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut piece = std::mem::take(&mut self.carried);
        while !self.over {
            let searched = piece.len();
            self.over = (&mut self.source).take(PIECE as u64).read_to_end(&mut piece)? == 0;
            if let Some(last) = piece[searched..].iter().rposition(|&byte| byte == self.end) {
                self.carried = piece.split_off(searched + last + 1);
                break;
            }
        }
        Ok(Some(piece).filter(|piece| !piece.is_empty()))
    }
}

fn hashed(piece: &[u8], end: u8, digests: &[Method]) -> Vec<u8> {
    let whole = piece.strip_suffix(&[end]).unwrap_or(piece);
    let lines: Vec<_> = whole.split(|&byte| byte == end).collect();
    let column = |digest: &Method| digest.many(&lines).expect("a line has no parts");
    let columns: Vec<_> = digests.iter().map(column).collect();
    let width: usize = digests.iter().map(|digest| 2 * digest.output_len + 1).sum();
    let mut text = Vec::with_capacity(lines.len() * width);
    for line in 0..lines.len() {
        for (digest, column) in digests.iter().zip(&columns) {
            let value = &column[line * digest.output_len..][..digest.output_len];
            let start = text.len();
            text.resize(start + 2 * value.len(), 0);
            HEXLOWER.encode_mut(value, &mut text[start..]);
            text.push(b'\t');
        }
        *text.last_mut().expect("there is at least one digest") = end;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_has_its_digests() {
        let [md5, sha1] = ["md5", "sha1"].map(|name| hashdyno::find(name).unwrap());
        let methods = [md5, sha1].map(Method::from);
        let lines: Vec<Vec<u8>> =
            (0..50_000usize).map(|i| i.to_string().repeat(i % 20).into_bytes()).collect();
        for last in [&b"\n"[..], b""] {
            let text = [lines.join(&b'\n'), last.to_vec()].concat();
            let mut out = Vec::new();
            sum_lines(&text[..], b'\n', &methods, 3, &mut out).unwrap();
            let row = |line: &Vec<u8>| {
                format!(
                    "{}\t{}\n",
                    hashdyno::hex(&md5.digest(line)),
                    hashdyno::hex(&sha1.digest(line))
                )
            };
            assert_eq!(String::from_utf8(out).unwrap(), lines.iter().map(row).collect::<String>());
        }
        let mut out = Vec::new();
        sum_lines(&b""[..], b'\n', &methods[..1], 1, &mut out).unwrap();
        assert_eq!(out, b"");
        sum_lines(&b"\n"[..], b'\n', &methods[..1], 1, &mut out).unwrap();
        assert_eq!(out, b"d41d8cd98f00b204e9800998ecf8427e\n");
    }
}
