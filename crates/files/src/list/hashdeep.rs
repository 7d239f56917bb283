//! hashdeep 1.0: `size,digest,...,filename`, nothing quoted; commas after the last digest belong to
//! the name.
//!
//! ```text
//! %%%% HASHDEEP-1.0
//! %%%% size,md5,filename
//! ## Invoked from: /home/a b
//! ## # hashdeep -c\nmd5
//! ##
//! 6,b1946ac92492d2347c6235b4d2611184,a,b.txt
//! ```
//!
//! The second line says which digests each row has. Lines with `#` are comments.

use super::entry::{Claim, Entry};
use crate::list::algorithm;
use crate::read::method::Method;

/// The first line of such a list.
pub(super) const MAGIC: &[u8] = b"%%%% HASHDEEP-1.0";

/// The digests of a line `%%%% size,md5,sha256,filename`; `None` if a column is unknown or there
/// twice.
pub(super) fn columns(line: &[u8]) -> Option<Vec<Method>> {
    let text = std::str::from_utf8(line.strip_prefix(b"%%%% size,")?).ok()?;
    let mut columns = Vec::new();
    for column in text.strip_suffix(",filename")?.split(',') {
        let digest = algorithm::method(if column == "tiger" { "tiger192-3" } else { column })?;
        // Two columns of one digest could hold two values of it.
        if columns.contains(&digest) {
            return None;
        }
        columns.push(digest);
    }
    Some(columns)
}

/// What the digest is called in that line.
pub(super) fn column(digest: &Method) -> &'static str {
    if digest.name == "tiger192-3" { "tiger" } else { digest.name }
}

/// The entry of a line.
pub(super) fn entry(line: &[u8], columns: &[Method]) -> Option<Entry> {
    let mut fields = line.splitn(columns.len() + 2, |&byte| byte == b',');
    let size = std::str::from_utf8(fields.next()?).ok()?.parse().ok()?;
    let claim =
        |digest: &Method| Claim::read(digest.clone(), std::str::from_utf8(fields.next()?).ok()?);
    let claims = columns.iter().map(claim).collect::<Option<Vec<_>>>()?;
    let name = fields.next().filter(|name| !name.is_empty() && !name.contains(&0))?;
    Some(Entry { name: name.to_vec(), claims, size: Some(size), modified: None })
}
