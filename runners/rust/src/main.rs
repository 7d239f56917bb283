//! The runners written in Rust: `hashdyno-runners NAME [--OPTION=VALUE]`.

#[cfg(feature = "aws-lc")]
mod aws_lc;
mod botan;
#[cfg(feature = "rust")]
mod crates;
mod dlopen;
mod functions;
mod gcrypt;
mod isal;
mod libdeflate;
#[cfg(any(feature = "rustcrypto", feature = "rust", feature = "ring", feature = "aws-lc"))]
mod lock;
mod mhash;
mod nettle;
mod openssl;
mod rhash;
#[cfg(feature = "ring")]
mod ring;
#[cfg(feature = "rustcrypto")]
mod rustcrypto;
mod xxhash;

use std::env::args;
use std::error::Error;
use std::io::{self, stdin, stdout};

use bench::serve::{self, Implementation};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<_> = args().skip(1).collect();
    let words: Vec<_> = words.iter().map(|word| word.split_once('=').unwrap_or((word, ""))).collect();
    let served = match words[..] {
        [("openssl", "")] => serve(openssl::OpenSsl::load(openssl::USUAL)),
        [("openssl", ""), ("--libcrypto", path)] => serve(openssl::OpenSsl::load(&[path])),
        [("botan", "")] => serve(botan::load()),
        [("gcrypt", "")] => serve(gcrypt::load()),
        [("isa-l", "")] => serve(isal::load()),
        [("libdeflate", "")] => serve(libdeflate::load()),
        [("mhash", "")] => serve(mhash::load()),
        [("nettle", "")] => serve(nettle::load()),
        [("rhash", "")] => serve(rhash::load()),
        [("xxhash", "")] => serve(xxhash::load()),
        #[cfg(feature = "aws-lc")]
        [("aws-lc", "")] => serve(Ok(aws_lc::load())),
        #[cfg(feature = "ring")]
        [("ring", "")] => serve(Ok(ring::load())),
        #[cfg(feature = "rust")]
        [("rust", "")] => serve(Ok(crates::load())),
        #[cfg(feature = "rustcrypto")]
        [("rustcrypto", "")] => serve(Ok(rustcrypto::load())),
        #[allow(unreachable_patterns)] // where nothing was left out
        [(name @ ("aws-lc" | "ring" | "rust" | "rustcrypto"), "")] => {
            serve(Err::<functions::Functions, _>(format!("a build of hashdyno-runners with {name}")))
        }
        _ => return Err("usage: hashdyno-runners NAME [--libcrypto=PATH], NAME as runners.toml has it".into()),
    };
    Ok(served?)
}

fn serve(library: Result<impl Implementation, String>) -> io::Result<()> {
    match library {
        Ok(library) => serve::serve(&library, stdin().lock(), stdout().lock()),
        // In place of the greeting: what was to be measured is not here.
        Err(words) => {
            println!("error {words}");
            Ok(())
        }
    }
}
