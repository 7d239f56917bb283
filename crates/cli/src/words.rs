//! Words of other programs that mean one of ours: options of `openssl speed` with one hyphen, and
//! `sum -c` as md5sum has it.
//!
//! ```text
//! hashdyno speed -mr -seconds 1 md5    ->  hashdyno speed --mr --seconds 1 md5
//! hashdyno sum -cw LIST                ->  hashdyno check -w LIST
//! ```
//!
//! The translation happens before clap, which would take `-mr` for `-m -r`. Of `sum`, words behind
//! `--` stay: they are names of files.

use std::ffi::OsString;

/// Options of `openssl speed`, which have two hyphens here.
const OPENSSL: [&str; 8] =
    ["-seconds", "-bytes", "-decrypt", "-elapsed", "-multi", "-mr", "-evp", "-engine"];

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
            let others = arguments[..end].iter().map(|argument| without_check(argument.to_str()?));
            if let Some((at, others)) = others.enumerate().find_map(|(at, it)| Some((at, it?))) {
                match others.as_str() {
                    "" => drop(arguments.remove(at)),
                    others => arguments[at] = OsString::from(format!("-{others}")),
                }
                arguments[1] = OsString::from("check");
            }
        }
        _ => {}
    }
    arguments
}

/// The letters beside `c` of an argument that asks for a check, as `-cw` does.
fn without_check(argument: &str) -> Option<String> {
    if argument == "--check" {
        return Some(String::new());
    }
    let letters = argument.strip_prefix('-').filter(|letters| !letters.starts_with('-'))?;
    let (before, after) = letters.split_once('c')?;
    // Behind a letter that takes a value stands the value.
    before.chars().all(|letter| "bqrtwxz".contains(letter)).then(|| format!("{before}{after}"))
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
        assert_eq!(words("hashdyno sum -cw LIST"), "hashdyno check -w LIST");
        assert_eq!(words("hashdyno sum -wca md5 LIST"), "hashdyno check -wa md5 LIST");
        assert_eq!(words("hashdyno sum -acrc32 a"), "hashdyno sum -acrc32 a");
        assert_eq!(words("hashdyno sum -- -c"), "hashdyno sum -- -c");
    }
}
