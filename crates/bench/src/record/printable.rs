//! Strings of a record must not command the terminal on which they are shown.
//!
//! A record may come from anybody, and a runner's words stand in it. An escape sequence in one
//! could move the cursor, rename the window, or hide a verdict. So control characters are replaced
//! when a line is read, before anything can print it.

use std::borrow::Cow;

/// Text with U+FFFD in place of its control characters, but for line feeds and tabs.
pub(super) fn text(text: &str) -> String {
    let clean = |character| if is_control(character) { '\u{fffd}' } else { character };
    text.chars().map(clean).collect()
}

/// The same of the strings in JSON. It is cleaned before it is parsed: no string is forgotten, nor
/// one that an error message repeats.
pub(super) fn json(json: &[u8]) -> Cow<'_, [u8]> {
    // A control character is escaped, a DEL, or begins with this byte.
    if !json.iter().any(|&byte| matches!(byte, b'\\' | DEL | 0xc2)) {
        return Cow::Borrowed(json);
    }
    let (mut clean, mut rest) = (Vec::with_capacity(json.len()), json);
    while !rest.is_empty() {
        let (length, is_control) = match rest {
            [b'\\', b'u', a, b, c, d, ..] => (6, is_escaped_control([*a, *b, *c, *d])),
            [b'\\', b'b' | b'f' | b'r', ..] => (2, true),
            // An escaped backslash hides an `u` behind it: both bytes are taken together.
            [b'\\', _, ..] => (2, false),
            [DEL, ..] => (1, true),
            // U+0080 to U+009F: some terminals take U+009B for the start of a sequence.
            [0xc2, 0x80..=0x9f, ..] => (2, true),
            _ => (1, false),
        };
        let (taken, others) = rest.split_at(length);
        clean.extend_from_slice(if is_control { "\u{fffd}".as_bytes() } else { taken });
        rest = others;
    }
    Cow::Owned(clean)
}

const DEL: u8 = 0x7f;

/// Whether these digits behind `\u` are those of a control character that is replaced.
fn is_escaped_control(digits: [u8; 4]) -> bool {
    let number = std::str::from_utf8(&digits).map(|digits| u32::from_str_radix(digits, 16));
    number.ok().and_then(Result::ok).and_then(char::from_u32).is_some_and(is_control)
}

fn is_control(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A string that goes through JSON, with every character escaped that can be.
    fn read(string: &str) -> String {
        serde_json::from_slice(&json(string.as_bytes())).unwrap()
    }

    #[test]
    fn no_control_character_comes_through() {
        for code in (0..0x20).chain(0x7f..0xa1) {
            let character = char::from_u32(code).unwrap();
            let expected = match character {
                '\n' | '\t' | '\u{a0}' => character.to_string(),
                _ => "\u{fffd}".to_owned(),
            };
            let plain = serde_json::to_string(&character.to_string()).unwrap();
            let escaped = format!("\"\\u{code:04X}\"");
            assert_eq!([read(&plain), read(&escaped)], [expected.clone(), expected], "{code:x}");
            assert_eq!(text(&character.to_string()), read(&plain), "{code:x}");
        }
    }

    #[test]
    fn what_is_no_control_character_stays() {
        let string = "a \"quoted\" \\u001b \\\\ / ü € \u{c2}\u{9ff} \u{1f600}\n\tend";
        let plain = serde_json::to_string(string).unwrap();
        assert_eq!(json(plain.as_bytes()), plain.as_bytes());
        assert_eq!([read(&plain), text(string)], [string, string]);
        assert_eq!(read(r#""\ud83d\ude00 \u00fc \/""#), "\u{1f600} ü /");
        assert!(matches!(json(b"{\"line\":\"end\",\"series\":0}"), Cow::Borrowed(_)));
    }
}
