//! One line of GNU's, BSD's, OpenSSL's and SFV's lists.
//!
//! ```text
//! b1946ac92492d2347c6235b4d2611184  a           GNU; `*` for the second blank is its binary mode
//! b1946ac92492d2347c6235b4d2611184 a            reversed (BSD's -r)
//! MD5 (a) = b1946ac92492d2347c6235b4d2611184    tagged; OpenSSL leaves the first blank out
//! md5:b1946ac92492d2347c6235b4d2611184  a       OCI
//! a 363A3020                                    SFV
//! sZRqySSS0jR8YjW00mERhA==  a                   Base64
//! \b1946ac92492d2347c6235b4d2611184  new\nline  an escaped name
//! ```
//!
//! A line has an entry or none. It has none where it could be read in two ways, or its digest is
//! easier to forge than the one that was asked for.

use data_encoding::{BASE64, HEXLOWER_PERMISSIVE};
use hashdyno::Output;

use super::entry::{Claim, Entry};
use crate::list::algorithm;
use crate::read::key::Secret;
use crate::read::method::Method;
use crate::read::names;

/// What a reader of lines expects.
#[derive(Clone, Debug)]
pub struct Grammar {
    /// Which digests.
    pub algorithm: Algorithm,
    /// Whether only what GNU's tools accept is a line; else every dialect.
    pub exact: bool,
    /// Whether a digest may be in Base64.
    pub base64: bool,
    /// The fewest bytes of a value without a tag: a list whose name tells its digest must not pass
    /// by a shorter one.
    pub least: usize,
}

/// Which digests the lines may have.
#[derive(Clone, Debug)]
pub enum Algorithm {
    /// Any: by its tag, else by its length.
    Any,
    /// Any: by its tag, else this one where the length fits, else by its length.
    Told(Method),
    /// Any, by its tag alone, as `cksum --check`.
    Tagged,
    /// This one.
    One(Method),
    /// One of these, by its tag, else the first of its length.
    Among(&'static [&'static str]),
    /// BLAKE2b, as long as the digest or the tag says, as `b2sum --check`.
    Blake2b,
    /// Codes under keys of this secret, by their tags alone. A plain digest is not a code: anybody
    /// can compute it.
    Keyed(Secret),
}

impl Grammar {
    /// Every dialect, every digest.
    pub const ANY: Self = Self { algorithm: Algorithm::Any, exact: false, base64: true, least: 0 };

    /// The entry of a line without its end. `reversed` is what the lines so far have shown: whether
    /// they have one blank between digest and name, or a blank and the mode. A list that mixes both
    /// could hide a name's first character.
    pub(super) fn entry(&self, line: &[u8], reversed: &mut Option<bool>) -> Option<Entry> {
        let line = line.trim_ascii_start_blank();
        let (escaped, line) = line.strip_prefix(b"\\").map_or((false, line), |rest| (true, rest));
        let entry = match self.tagged(line) {
            Tagged::Entry(entry) => entry,
            Tagged::Wrong => return None,
            Tagged::No => self.untagged(line, reversed)?,
        };
        match escaped {
            true => Some(Entry { name: names::unescape(&entry.name)?, ..entry }),
            false => Some(entry).filter(|entry| !entry.name.contains(&0)),
        }
    }

    /// Whether only codes under a key are read.
    pub fn is_keyed(&self) -> bool {
        match &self.algorithm {
            Algorithm::Keyed(_) => true,
            Algorithm::One(only) => only.keyed().is_some(),
            _ => false,
        }
    }

    /// What computes what a tag or a name says.
    pub(super) fn named(&self, name: &str) -> Option<Method> {
        let only = match &self.algorithm {
            Algorithm::Keyed(secret) => {
                let (mode, digest) = algorithm::of_code(name)?;
                return Some(secret.keyed(mode, digest).into());
            }
            Algorithm::One(only) => Some(only),
            _ => None,
        };
        match only.and_then(|only| Some((only, only.keyed()?))) {
            Some((only, keyed)) => {
                let code = algorithm::of_code(name)?;
                (code == (keyed.mode(), keyed.digest())).then(|| only.clone())
            }
            None if self.exact => algorithm::of_exact_tag(name).map(Method::from),
            None => algorithm::of_tag(name),
        }
    }

    /// Whether the entry has the digest that was asked for, if one was.
    pub(super) fn admits(&self, entry: &Entry) -> bool {
        let mut digests = entry.claims.iter().flat_map(|claim| &claim.digests);
        match &self.algorithm {
            Algorithm::One(only) => digests.any(|digest| digest == only),
            Algorithm::Keyed(_) => digests.all(|digest| digest.keyed().is_some()),
            _ => true,
        }
    }

    /// `TAG (name) = value`, also without the first blank.
    fn tagged(&self, line: &[u8]) -> Tagged {
        let Some((digest, rest)) = self.tag(line) else {
            return if matches!(self.algorithm, Algorithm::Tagged | Algorithm::Keyed(_)) {
                Tagged::Wrong
            } else {
                Tagged::No
            };
        };
        let entry = || {
            let close = rest.iter().rposition(|&byte| byte == b')')?;
            let value = rest[close + 1..]
                .trim_ascii_start_blank()
                .strip_prefix(b"=")?
                .trim_ascii_start_blank();
            let value = self.value_of(&digest, value)?;
            let claim = Claim { digests: vec![digest.clone()], value };
            Some(Entry { name: rest[..close].to_vec(), claims: vec![claim], ..Entry::default() })
        };
        entry().map_or(Tagged::Wrong, Tagged::Entry)
    }

    /// The digest of the line's tag and what comes after the opening parenthesis; GNU allows one
    /// blank before it.
    fn tag<'a>(&self, line: &'a [u8]) -> Option<(Method, &'a [u8])> {
        let open = line.iter().position(|&byte| byte == b'(')?;
        let before = &line[..open];
        let tag = if self.exact {
            before.strip_suffix(b" ").unwrap_or(before)
        } else {
            before.trim_ascii_end()
        };
        let tag = std::str::from_utf8(tag).ok().filter(|tag| !tag.is_empty())?;
        let fits = |digest: &Method| match &self.algorithm {
            Algorithm::One(only) => digest == only,
            Algorithm::Among(names) => names.contains(&digest.name),
            Algorithm::Blake2b => digest.name.starts_with("blake2b"),
            Algorithm::Any | Algorithm::Told(_) | Algorithm::Tagged | Algorithm::Keyed(_) => true,
        };
        self.named(tag).filter(fits).map(|digest| (digest, &line[open + 1..]))
    }

    /// `value SP mode name`, or with BSD's `-r` `value SP name`.
    fn untagged(&self, line: &[u8], reversed: &mut Option<bool>) -> Option<Entry> {
        let end = line.iter().position(|byte| matches!(byte, b' ' | b'\t'))?;
        let (value, rest) = (&line[..end], &line[end + 1..]);
        let claim = self.untagged_claim(value).filter(|claim| claim.value.len() >= self.least)?;
        let name = match (rest, *reversed) {
            ([], _) => return None,
            ([b' ' | b'*', name @ ..], None | Some(false)) if !name.is_empty() => {
                *reversed = Some(false);
                name
            }
            (_, Some(false)) => return None,
            (name, _) => {
                *reversed = Some(true);
                name
            }
        };
        Some(Entry { name: name.to_vec(), claims: vec![claim], ..Entry::default() })
    }

    /// What a value without a tag says.
    fn untagged_claim(&self, text: &[u8]) -> Option<Claim> {
        match &self.algorithm {
            Algorithm::One(digest) => {
                let value = self.value_of(digest, text)?;
                Some(Claim { digests: vec![digest.clone()], value })
            }
            Algorithm::Among(names) => {
                let value = self.value(text, None)?;
                let mut digests = names.iter().filter_map(|name| hashdyno::find(name));
                let digest = digests.find(|digest| digest.output_len == value.len())?;
                Claim::new(algorithm::alone(digest), &value)
            }
            Algorithm::Keyed(_) => None,
            Algorithm::Blake2b => {
                let value = self.value(text, None)?;
                Claim::new(algorithm::alone(algorithm::blake2b(8 * value.len())?), &value)
            }
            Algorithm::Told(told) => {
                let by_len = self.claim_by_len(text);
                // 64 characters are a SHA-256 in hexadecimal and a SHA-384 in Base64.
                let is_told = |value: &Output| {
                    let len = by_len.as_ref().map_or(value.len(), |claim| claim.value.len());
                    told.composite().is_some() || len == value.len()
                };
                match self.value_of(told, text).filter(is_told) {
                    Some(value) => Some(Claim { digests: vec![told.clone()], value }),
                    None => by_len.or_else(|| self.spelled_claim(text)),
                }
            }
            Algorithm::Any | Algorithm::Tagged => {
                self.claim_by_len(text).or_else(|| self.spelled_claim(text))
            }
        }
    }

    /// What a value says by its length.
    fn claim_by_len(&self, text: &[u8]) -> Option<Claim> {
        let value = self.value(text, None)?;
        Claim::new(algorithm::of_len(value.len()), &value)
    }

    /// What a value says that is written as no other: of S3's parts, in Base32, or `name:value` as
    /// container registries write it.
    fn spelled_claim(&self, text: &[u8]) -> Option<Claim> {
        let text = std::str::from_utf8(text).ok().filter(|_| !self.exact)?;
        if let Some((name, value)) = text.split_once(':') {
            return Claim::read(algorithm::by_name(name)?.into(), value);
        }
        let (digests, value) = algorithm::of_spelling(text)?;
        Some(Claim { digests, value })
    }

    /// The value of that digest.
    fn value_of(&self, digest: &Method, text: &[u8]) -> Option<Output> {
        if digest.composite().is_some() {
            return digest.parse(std::str::from_utf8(text).ok()?);
        }
        let prefix = [digest.name.as_bytes(), b":"].concat();
        let text = text.strip_prefix(&prefix[..]).filter(|_| !self.exact).unwrap_or(text);
        self.value(text, Some(digest.output_len))?[..].try_into().ok()
    }

    /// The bytes of a value in hexadecimal, in any case, in pairs with colons, or in Base64.
    fn value(&self, text: &[u8], len: Option<usize>) -> Option<Vec<u8>> {
        let fits = |bytes: &Vec<u8>| len.is_none_or(|len| bytes.len() == len);
        let hex = HEXLOWER_PERMISSIVE.decode(text).ok().filter(fits);
        let base64 = || BASE64.decode(text).ok().filter(|_| self.base64).filter(fits);
        let pairs = || {
            let pairs = !self.exact && text.split(|&byte| byte == b':').all(|pair| pair.len() == 2);
            pairs
                .then(|| {
                    HEXLOWER_PERMISSIVE
                        .decode(&text.split(|&byte| byte == b':').collect::<Vec<_>>().concat())
                        .ok()
                })?
                .filter(fits)
        };
        hex.or_else(base64).or_else(pairs)
    }
}

enum Tagged {
    Entry(Entry),
    /// It has a tag, and the rest is no entry.
    Wrong,
    No,
}

/// A line of an SFV file: `name SP CRC32`, split at the last blank.
pub(super) fn sfv(line: &[u8]) -> Option<Entry> {
    let at = line.iter().rposition(|&byte| byte == b' ')?;
    let value = HEXLOWER_PERMISSIVE.decode(&line[at + 1..]).ok()?;
    let digest = hashdyno::find("crc32b").expect("the registry has CRC-32");
    let claim = Claim::new(algorithm::alone(digest), &value)?;
    let name = &line[..at];
    (!name.is_empty() && !name.contains(&0)).then(|| Entry {
        name: name.to_vec(),
        claims: vec![claim],
        ..Entry::default()
    })
}

/// Blanks are spaces and tabs; other white space may begin a name.
pub(super) trait Blanks {
    fn trim_ascii_start_blank(&self) -> &[u8];
}

impl Blanks for [u8] {
    fn trim_ascii_start_blank(&self) -> &[u8] {
        let blanks = self.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        &self[blanks..]
    }
}

/// The longest line that is kept: a path of 4096 bytes with every byte escaped and two dozen
/// digests fit many times over.
pub(super) const LINE_LIMIT: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    const MD5: &[u8] = b"b1946ac92492d2347c6235b4d2611184";

    fn name_of(grammar: Grammar, line: &[u8]) -> Option<Vec<u8>> {
        grammar.entry(line, &mut None).map(|entry| entry.name)
    }

    fn md5sum() -> Grammar {
        Grammar {
            algorithm: Algorithm::One(hashdyno::find("md5").unwrap().into()),
            exact: true,
            base64: false,
            least: 0,
        }
    }

    #[test]
    fn dialects_are_read_without_being_told() {
        let lines: &[&[u8]] = &[
            b"b1946ac92492d2347c6235b4d2611184  a",
            b"b1946ac92492d2347c6235b4d2611184 *a",
            b"B1946AC92492D2347C6235B4D2611184 a",
            b"MD5 (a) = b1946ac92492d2347c6235b4d2611184",
            b"MD5   (a) = b1946ac92492d2347c6235b4d2611184",
            b"MD5(a)= b1:94:6a:c9:24:92:d2:34:7c:62:35:b4:d2:61:11:84",
            b"md5 (a) = sZRqySSS0jR8YjW00mERhA==",
            b"sZRqySSS0jR8YjW00mERhA==  a",
        ];
        for line in lines {
            let entry = Grammar::ANY
                .entry(line, &mut None)
                .unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(line)));
            assert_eq!(
                (entry.name.as_slice(), entry.claims[0].digests[0].name),
                (&b"a"[..], "md5")
            );
            assert_eq!(hashdyno::hex(&entry.claims[0].value).as_bytes(), MD5);
        }
    }

    #[test]
    fn gnu_grammar_is_exact() {
        let refused: &[&[u8]] = &[
            b"md5 (a) = b1946ac92492d2347c6235b4d2611184",
            b"MD5  (a) = b1946ac92492d2347c6235b4d2611184",
            b"MD5 (a) = b1946ac92492d2347c6235b4d2611184 ",
            b"MD5 (a) = sZRqySSS0jR8YjW00mERhA==",
            b"b1946ac92492d2347c6235b4d261118  a",
            b"b1946ac92492d2347c6235b4d2611184",
            b"\\b1946ac92492d2347c6235b4d2611184  a\\x",
            b"b1946ac92492d2347c6235b4d2611184  a\0b",
        ];
        for line in refused {
            assert_eq!(name_of(md5sum(), line), None, "{}", String::from_utf8_lossy(line));
        }
        assert_eq!(
            name_of(md5sum(), b"\\b1946ac92492d2347c6235b4d2611184  new\\nline").unwrap(),
            b"new\nline"
        );
        assert_eq!(
            name_of(md5sum(), b"MD5 (x) = y) = b1946ac92492d2347c6235b4d2611184").unwrap(),
            b"x) = y"
        );
        assert_eq!(name_of(md5sum(), b"b1946ac92492d2347c6235b4d2611184  ").unwrap(), b" ");
    }

    #[test]
    fn one_list_has_one_way_to_write_names() {
        let mut reversed = None;
        let [standard, bsd] =
            [b"b1946ac92492d2347c6235b4d2611184  a", &b"b1946ac92492d2347c6235b4d2611184 a"[..]];
        assert!(Grammar::ANY.entry(standard, &mut reversed).is_some());
        assert!(Grammar::ANY.entry(bsd, &mut reversed).is_none());
        reversed = None;
        assert_eq!(Grammar::ANY.entry(bsd, &mut reversed).unwrap().name, b"a");
        assert_eq!(Grammar::ANY.entry(standard, &mut reversed).unwrap().name, b" a");
    }

    #[test]
    fn sfv_names() {
        assert_eq!(sfv(b"two words.txt 363A3020").unwrap().name, b"two words.txt");
        assert!(sfv(b"a.txt 363A302").is_none());
    }
}
