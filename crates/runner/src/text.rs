//! Numbers and bytes as text.
//!
//! The grammar of the protocol is stricter than the standard library's parsers. `str::parse` takes
//! a plus sign, and a figure with one is malformed here. Hexadecimal may have either case.

/// The bytes that `text` spells in hexadecimal.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    rest.is_empty().then_some(())?;
    pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect()
}

/// A decimal number: digits only, no sign.
pub fn number(word: &str) -> Option<u64> {
    word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_is_pairs_of_digits() {
        assert_eq!(unhex("00ffA5"), Some(vec![0, 255, 165]));
        assert_eq!(unhex(""), Some(vec![]));
        for text in ["0", "0g", "+1", "0 "] {
            assert_eq!(unhex(text), None, "{text}");
        }
    }
}
