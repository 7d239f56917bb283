//! The runners written in Rust: `hashdyno-runners NAME [--OPTION=VALUE]`.

mod openssl;

use std::env::args;
use std::error::Error;
use std::io::{stdin, stdout};

use bench::serve::serve;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<_> = args().skip(1).collect();
    let words: Vec<_> = words.iter().map(|word| word.split_once('=').unwrap_or((word, ""))).collect();
    let library = match words[..] {
        [("openssl", "")] => openssl::OpenSsl::load(openssl::USUAL),
        [("openssl", ""), ("--libcrypto", path)] => openssl::OpenSsl::load(&[path]),
        _ => return Err("usage: hashdyno-runners openssl [--libcrypto=PATH]".into()),
    };
    match library {
        Ok(library) => serve(&library, stdin().lock(), stdout().lock())?,
        // In place of the greeting: what was to be measured is not here.
        Err(words) => println!("error {words}"),
    }
    Ok(())
}
