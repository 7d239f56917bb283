//! File names are bytes. How lists, messages and terminals write them.
//!
//! ```text
//! escape()   in lists        new\nline          GNU's; the line then begins with a backslash
//! shown()    in verdicts     esc\033[31mred     behind a leading backslash
//! quoted()   in messages     'u'$'\314\210''n'  as a shell takes it
//! ```
//!
//! A name comes from strangers. Raw, a line feed in it forges a verdict, and an escape moves the
//! cursor. A character that turns the direction of writing hides an extension.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The name as a path.
pub fn path(name: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(name))
}

/// The path as a name.
pub fn name(path: &Path) -> &[u8] {
    path.as_os_str().as_bytes()
}

/// The name without the `./` that it may begin with.
pub fn plain(name: &[u8]) -> &[u8] {
    name.strip_prefix(b"./").unwrap_or(name)
}

/// Whether GNU's lists escape the name: it holds a backslash, a line feed or a carriage return.
pub fn needs_escape(name: &[u8]) -> bool {
    name.iter().any(|byte| matches!(byte, b'\\' | b'\n' | b'\r'))
}

/// The name with `\\`, `\n` and `\r` for the three characters that a line cannot carry.
pub fn escape(name: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(name.len() + 8);
    for &byte in name {
        match byte {
            b'\\' => escaped.extend(b"\\\\"),
            b'\n' => escaped.extend(b"\\n"),
            b'\r' => escaped.extend(b"\\r"),
            byte => escaped.push(byte),
        }
    }
    escaped
}

/// Undoes [`escape`]; `None` if anything else is escaped or the name holds a NUL.
pub fn unescape(name: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::with_capacity(name.len());
    let mut bytes = name.iter();
    while let Some(&byte) = bytes.next() {
        plain.push(match byte {
            b'\\' => match bytes.next()? {
                b'\\' => b'\\',
                b'n' => b'\n',
                b'r' => b'\r',
                _ => return None,
            },
            0 => return None,
            byte => byte,
        });
    }
    Some(plain)
}

/// The name as a verdict shows it: as it is, unless a character of it could end the line, move the
/// cursor or turn the direction of writing; then with a leading backslash, GNU's escapes, and three
/// octal digits for such a byte.
pub fn shown(name: &[u8]) -> Cow<'_, [u8]> {
    if !chunks(name).any(|chunk| chunk.dangerous()) {
        return Cow::Borrowed(name);
    }
    let mut shown = vec![b'\\'];
    for chunk in chunks(name) {
        match chunk.bytes {
            bytes if needs_escape(bytes) => shown.extend(escape(bytes)),
            bytes if chunk.dangerous() => {
                bytes.iter().for_each(|byte| shown.extend(format!("\\{byte:03o}").bytes()))
            }
            bytes => shown.extend(bytes),
        }
    }
    Cow::Owned(shown)
}

/// The name as GNU's messages quote it: as it is where a shell would take it so, else in quotes,
/// with `$'\ooo'` for what cannot be printed. Characters outside ASCII are printed as they are if
/// the locale is UTF-8.
pub fn quoted(name: &[u8]) -> String {
    quoted_in(name, utf8_locale())
}

fn quoted_in(name: &[u8], utf8: bool) -> String {
    let chunks: Vec<_> = chunks(name).collect();
    let printable = |chunk: &Chunk| chunk.printable(utf8);
    if !name.is_empty() && chunks.iter().all(printable) && !needs_quotes(name) {
        return String::from_utf8_lossy(name).into_owned();
    }
    // GNU prefers double quotes where only the apostrophe needs quoting.
    let doubles = name.contains(&b'\'')
        && name.iter().all(|byte| fits_double_quotes(*byte))
        && chunks.iter().all(printable);
    if doubles {
        return format!("\"{}\"", String::from_utf8_lossy(name));
    }
    let mut text = String::from("'");
    let mut escaping = false;
    for chunk in &chunks {
        let escaped = !chunk.printable(utf8);
        match (escaping, escaped) {
            // Between both kinds of quotes one ends and the next begins.
            (false, true) => text.push_str("'$'"),
            (true, false) => text.push_str("''"),
            _ => {}
        }
        escaping = escaped;
        match (escaped, chunk.bytes) {
            (true, bytes) => bytes.iter().for_each(|byte| text.push_str(&escape_of(*byte))),
            (false, b"'") => text.push_str("'\\''"),
            (false, bytes) => text.push_str(&String::from_utf8_lossy(bytes)),
        }
    }
    text.push('\'');
    text
}

fn needs_quotes(name: &[u8]) -> bool {
    const ANYWHERE: &[u8] = b" !\"$&()*;<=>[^`|'\\?:";
    matches!(name[0], b'#' | b'~')
        || matches!(name, b"{" | b"}")
        || name.iter().any(|byte| ANYWHERE.contains(byte))
}

fn fits_double_quotes(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b" '%+,-./:]_#~{}@".contains(&byte)
}

fn escape_of(byte: u8) -> String {
    match byte {
        7 => "\\a".to_owned(),
        8 => "\\b".to_owned(),
        9 => "\\t".to_owned(),
        10 => "\\n".to_owned(),
        11 => "\\v".to_owned(),
        12 => "\\f".to_owned(),
        13 => "\\r".to_owned(),
        byte => format!("\\{byte:03o}"),
    }
}

fn utf8_locale() -> bool {
    let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = set("LC_ALL")
        .or_else(|| set("LC_CTYPE"))
        .or_else(|| set("LANG"))
        .unwrap_or_default()
        .to_ascii_lowercase();
    locale.ends_with("utf-8") || locale.ends_with("utf8")
}

/// A character, or a byte that is none.
struct Chunk<'a> {
    bytes: &'a [u8],
    character: Option<char>,
}

impl Chunk<'_> {
    fn printable(&self, utf8: bool) -> bool {
        self.character
            .is_some_and(|c| !c.is_control() && (c.is_ascii() || utf8 && !turns_direction(c)))
    }

    /// A tab is harmless, and so is a byte that no UTF-8 terminal takes for a character.
    fn dangerous(&self) -> bool {
        self.character.is_some_and(|c| c.is_control() && c != '\t' || turns_direction(c))
    }
}

fn turns_direction(c: char) -> bool {
    matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

fn chunks(name: &[u8]) -> impl Iterator<Item = Chunk<'_>> {
    name.utf8_chunks().flat_map(|part| {
        let (valid, invalid) = (part.valid(), part.invalid());
        let characters = valid.char_indices().map(move |(at, character)| Chunk {
            bytes: &valid.as_bytes()[at..at + character.len_utf8()],
            character: Some(character),
        });
        characters.chain(invalid.chunks(1).map(|bytes| Chunk { bytes, character: None }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_lead_back() {
        let name = b"back\\slash new\nline cr\r tab\t \xff";
        assert!(needs_escape(name));
        assert_eq!(escape(name), b"back\\\\slash new\\nline cr\\r tab\t \xff");
        assert_eq!(unescape(&escape(name)).unwrap(), name);
        assert_eq!(unescape(b"a\\x"), None);
        assert_eq!(unescape(b"a\\"), None);
        assert_eq!(unescape(b"a\0b"), None);
    }

    /// As GNU coreutils 9.1 printed them in the C locale.
    #[test]
    fn messages_quote_as_gnu_does() {
        let cases: &[(&[u8], &str)] = &[
            (b"gone.txt", "gone.txt"),
            (b" a.txt", "' a.txt'"),
            (b"\ta.txt", "''$'\\t''a.txt'"),
            (b"a.txt\t", "'a.txt'$'\\t'"),
            (b"", "''"),
            (b"u\xcc\x88n", "'u'$'\\314\\210''n'"),
            (b"new\\nline", "'new\\nline'"),
            (b"$(touch pwned)", "'$(touch pwned)'"),
            (b"quo'ted", "\"quo'ted\""),
            (b"a'b$c", "'a'\\''b$c'"),
            (b"*.txt", "'*.txt'"),
            (b"a#b~", "a#b~"),
            (b"#a", "'#a'"),
        ];
        for (name, expected) in cases {
            assert_eq!(quoted_in(name, false), *expected);
        }
        assert_eq!(quoted_in("ü".as_bytes(), true), "ü");
    }

    #[test]
    fn verdicts_cannot_move_the_cursor() {
        let lines: &[(&[u8], &[u8])] = &[
            (b"tab\tname", b"tab\tname"),
            (b"back\\slash", b"back\\slash"),
            (b"new\nline\\", b"\\new\\nline\\\\"),
            (b"esc\x1b[31mred", b"\\esc\\033[31mred"),
            (b"rtl\xe2\x80\xaetxt", b"\\rtl\\342\\200\\256txt"),
            (b"\xff\xfe.bin", b"\xff\xfe.bin"),
        ];
        for (name, expected) in lines {
            assert_eq!(&*shown(name), *expected);
        }
    }
}
