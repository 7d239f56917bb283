//! Words of other programs that mean one of ours: options of `openssl speed` with one hyphen, and
//! `sum -c` as md5sum has it.

use std::ffi::OsString;

/// Options of `openssl speed` that mean the same with two hyphens.
const OPENSSL: [&str; 7] = ["-seconds", "-bytes", "-decrypt", "-elapsed", "-multi", "-mr", "-evp"];

/// The arguments in this program's words.
pub fn translated(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<_> = arguments.into_iter().collect();
    match arguments.get(1).and_then(|command| command.to_str()) {
        Some("speed") => {
            for argument in
                arguments.iter_mut().filter(|argument| OPENSSL.iter().any(|word| argument == word))
            {
                *argument = OsString::from(format!("-{}", argument.to_string_lossy()));
            }
        }
        Some("sum") => {
            let end =
                arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
            if let Some(at) = arguments[..end]
                .iter()
                .position(|argument| argument == "-c" || argument == "--check")
            {
                arguments.remove(at);
                arguments[1] = OsString::from("check");
            }
        }
        _ => {}
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
        assert_eq!(
            words("hashdyno speed -mr -seconds 1 md5"),
            "hashdyno speed --mr --seconds 1 md5"
        );
        assert_eq!(
            words("hashdyno speed --cpu -sha,-avx2 -x"),
            "hashdyno speed --cpu -sha,-avx2 -x"
        );
        assert_eq!(words("hashdyno sum -bytes"), "hashdyno sum -bytes");
    }

    #[test]
    fn sum_with_c_is_check() {
        assert_eq!(
            words("hashdyno sum -a md5 -c --quiet LIST"),
            "hashdyno check -a md5 --quiet LIST"
        );
        assert_eq!(words("hashdyno sum --check LIST"), "hashdyno check LIST");
        assert_eq!(words("hashdyno sum -- -c"), "hashdyno sum -- -c");
    }
}
