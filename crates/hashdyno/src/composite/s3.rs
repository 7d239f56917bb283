//! ETags of objects that were uploaded in parts, of which nobody says how long they were.

use super::Composite;
use crate::parts::arrays::Mapped;
use crate::{find, hex};

/// Parts that programs upload, in MiB: the AWS tools (8), boto3 and s3cmd (8, 15), rclone (5),
/// Cyberduck (10), the AWS SDK for Java (5, 16), MinIO (16, 64, 128), others.
const USUAL: [u64; 16] = [8, 5, 16, 15, 10, 64, 6, 7, 20, 25, 32, 50, 100, 128, 256, 512];

/// The ETag of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct S3Etag<'a> {
    /// The MD5 in hexadecimal.
    md5: &'a str,
    /// Of how many parts the object is, if it was uploaded in parts.
    pub parts: Option<u64>,
}

impl<'a> S3Etag<'a> {
    /// Reads an ETag, with quotation marks or without; none if it is no MD5. An object that the
    /// store encrypts by a key of its own has another.
    pub fn parse(etag: &'a str) -> Option<Self> {
        let etag = etag.trim_matches('"');
        let (md5, parts) = match etag.split_once('-') {
            Some((md5, parts)) => (md5, Some(parts.parse().ok().filter(|&parts| parts > 0)?)),
            None => (etag, None),
        };
        let is_md5 = md5.len() == 32 && md5.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_md5.then_some(Self { md5, parts })
    }

    /// Whether this is the ETag of the message: the length of the parts that it was uploaded in, or
    /// its own if it was not. None if no usual length gives it.
    pub fn part_len_of(&self, message: &[u8]) -> Option<usize> {
        let md5 = find("md5").expect("the feature `composite` has it");
        let Some(parts) = self.parts else {
            let same = hex(&md5.digest(message)).eq_ignore_ascii_case(self.md5);
            return same.then_some(message.len());
        };
        let same = |len: &usize| {
            hex(&Composite::s3(md5, *len).digest(message)).eq_ignore_ascii_case(self.md5)
        };
        s3_part_lens(message.len() as u64, parts).into_iter().find(same)
    }
}

/// The usual lengths of parts that split an object of `len` bytes into `parts` parts, the most
/// usual first; then the least whole number of MiB that does.
pub fn s3_part_lens(len: u64, parts: u64) -> Vec<usize> {
    let mib = |count: u64| count << 20;
    let least = len.div_ceil(parts.max(1)).div_ceil(1 << 20);
    let mut lens: Vec<u64> = USUAL.mapped(mib).into_iter().chain([mib(least)]).collect();
    lens.retain(|&part| part > 0 && len.div_ceil(part).max(1) == parts);
    let last = lens.pop();
    if let Some(last) = last.filter(|last| !lens.contains(last)) {
        lens.push(last);
    }
    lens.into_iter().filter_map(|len| len.try_into().ok()).collect()
}
