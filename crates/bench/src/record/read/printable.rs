//! What a record's strings must not do: command the terminal on which they are shown.

use std::borrow::Cow;

/// A line of JSON with U+FFFD in place of the control characters that its strings hold, but for
/// line feeds and tabs. JSON is cleaned before it is parsed: no string is forgotten, nor one that
/// an error message repeats.
pub(super) fn printable(json: &[u8]) -> Cow<'_, [u8]> {
    // A control character is escaped, a DEL, or begins with this byte.
    if !json.iter().any(|&byte| matches!(byte, b'\\' | DEL | 0xc2)) {
        return Cow::Borrowed(json);
    }
    let (mut clean, mut rest) = (Vec::with_capacity(json.len()), json);
    while !rest.is_empty() {
        let (length, is_control) = match rest {
            [b'\\', b'u', a, b, c, d, ..] => (6, is_control([*a, *b, *c, *d])),
            [b'\\', b'b' | b'f' | b'r', ..] => (2, true),
            [b'\\', _, ..] => (2, false),
            [DEL, ..] => (1, true),
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
fn is_control(digits: [u8; 4]) -> bool {
    let number = std::str::from_utf8(&digits).map(|digits| u32::from_str_radix(digits, 16));
    let character = number.ok().and_then(Result::ok).and_then(char::from_u32);
    character.is_some_and(|it| it.is_control() && !matches!(it, '\n' | '\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A string that goes through JSON, with every character escaped that can be.
    fn read(json: &str) -> String {
        serde_json::from_slice(&printable(json.as_bytes())).unwrap()
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
        }
    }

    #[test]
    fn what_is_no_control_character_stays() {
        let text = "a \"quoted\" \\u001b \\\\ / ü € \u{c2}\u{9ff} \u{1f600}\n\tend";
        let plain = serde_json::to_string(text).unwrap();
        assert_eq!(printable(plain.as_bytes()), plain.as_bytes());
        assert_eq!(read(&plain), text);
        assert_eq!(read(r#""\ud83d\ude00 \u00fc \/""#), "\u{1f600} ü /");
        assert!(matches!(printable(b"{\"line\":\"end\",\"series\":0}"), Cow::Borrowed(_)));
    }
}
