//! `hashdyno speed` understands the options of `openssl speed`, which have one hyphen.

use std::ffi::OsString;

/// Those that mean the same with two.
const WORDS: [&str; 7] = ["-seconds", "-bytes", "-decrypt", "-elapsed", "-multi", "-mr", "-evp"];

/// The arguments with openssl's options as ours; other commands' are left alone.
pub fn translated(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<_> = arguments.into_iter().collect();
    if arguments.get(1).is_some_and(|command| command == "speed") {
        for argument in arguments.iter_mut().filter(|argument| WORDS.iter().any(|word| argument == word)) {
            *argument = OsString::from(format!("-{}", argument.to_string_lossy()));
        }
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> String {
        let words = translated(line.split(' ').map(OsString::from));
        words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn only_what_openssl_knows_is_changed_and_only_for_speed() {
        assert_eq!(words("hashdyno speed -mr -seconds 1 md5"), "hashdyno speed --mr --seconds 1 md5");
        assert_eq!(words("hashdyno speed --cpu -sha,-avx2 -x"), "hashdyno speed --cpu -sha,-avx2 -x");
        assert_eq!(words("hashdyno sum -bytes"), "hashdyno sum -bytes");
    }
}
