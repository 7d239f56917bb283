//! The runners written in Rust: `hashdyno-runners NAME [--OPTION=VALUE]`.
//!
//! ```text
//! hashdyno-runners openssl --libcrypto=/opt/lib/libcrypto.so.3
//! ```
//!
//! One process serves one library on stdin and stdout, until stdin ends. A library that is missing
//! on the machine or in this build is said by `error WORDS` in place of the greeting. The exit
//! status is 0. Wrong arguments end with status 1. Libraries in C need no feature, because they are
//! loaded at run time. Crates need one, because they are compiled in.

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

use std::env::args_os;
use std::error::Error;
use std::ffi::OsStr;
use std::io::{self, ErrorKind, Write, stdin, stdout};
use std::os::unix::ffi::OsStrExt;

use runner::serve::{self, Implementation};

fn main() -> Result<(), Box<dyn Error>> {
    // A path need not be text.
    let words: Vec<_> = args_os().skip(1).collect();
    let served = serve::on_a_page(|| match &words[..] {
        [name, option] if name == "openssl" => option
            .as_bytes()
            .strip_prefix(b"--libcrypto=")
            .map(|path| serve(openssl::OpenSsl::load(&[OsStr::from_bytes(path)]))),
        [name] => name.to_str().and_then(library),
        _ => None,
    })?;
    let usage = "usage: hashdyno-runners NAME [--libcrypto=PATH], NAME as runners.toml has it";
    Ok(served.ok_or(usage)??)
}

/// A row for each library: its name in `runners.toml`, the Cargo feature that it needs if it needs
/// one, and how it is loaded.
macro_rules! libraries {
    ($($name:literal $(if $feature:literal)? => $load:expr;)*) => {
        /// Serves the library of that name to the host; `None` if there is none.
        fn library(name: &str) -> Option<io::Result<()>> {
            Some(match name {
                $($(#[cfg(feature = $feature)])? $name => serve($load),)*
                $($(
                    #[cfg(not(feature = $feature))]
                    $name => serve(Err::<functions::Functions, _>(format!("a build of \
                        hashdyno-runners with {name}"))),
                )?)*
                _ => return None,
            })
        }
    };
}

libraries! {
    "aws-lc" if "aws-lc" => Ok(aws_lc::load());
    "botan" => botan::load();
    "gcrypt" => gcrypt::load();
    "isa-l" => isal::load();
    "libdeflate" => libdeflate::load();
    "mhash" => mhash::load();
    "nettle" => nettle::load();
    "openssl" => openssl::OpenSsl::load(openssl::USUAL);
    "openssl-1.0" => openssl::older("HASHDYNO_LIBCRYPTO_1_0", "libcrypto.so.1.0.2");
    "openssl-1.1" => openssl::older("HASHDYNO_LIBCRYPTO_1_1", "libcrypto.so.1.1");
    "rhash" => rhash::load();
    "ring" if "ring" => Ok(ring::load());
    "rust" if "rust" => Ok(crates::load());
    "rustcrypto" if "rustcrypto" => Ok(rustcrypto::load());
    "xxhash" => xxhash::load();
}

fn serve(library: Result<impl Implementation, String>) -> io::Result<()> {
    match library {
        Ok(library) => serve::serve(&library, stdin().lock(), stdout().lock()),
        // In place of the greeting: what was to be measured is not here.
        Err(words) => match writeln!(stdout(), "error {words}") {
            // The host is gone: without a word, as `serve::serve` ends.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            said => said,
        },
    }
}
