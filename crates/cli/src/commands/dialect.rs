//! The dialects of lists, as arguments.
//!
//! `Dialect` is the word of `--format`, `Format` is the value of the crate `files`. A dialect that
//! cannot hold the digests, or whose lines no program reads with NUL at the end, is exit code 2.

use files::list::{Format, Version};
use files::method::Method;

use crate::failure::BadInput;

/// A dialect.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Dialect {
    /// `digest  name`.
    Gnu,
    /// `TAG (name) = digest`.
    Tag,
    /// `digest name`, as BSD's md5 -r.
    Reversed,
    /// `sha256:digest  name`, as container registries write digests.
    Oci,
    /// The digest alone, as BSD's md5 -q.
    Bare,
    /// `name CRC32`.
    Sfv,
    /// hashdeep 1.0.
    Hashdeep,
    /// A manifest of a BagIt bag.
    Bagit,
    /// A JSON object a line.
    Json,
    /// MHL 1.1.
    Mhl,
    /// ASC MHL 2.0: begins the history in one folder, `ascmhl`.
    Ascmhl,
}

impl Dialect {
    /// Its format; `binary` is the mode of GNU's lines.
    pub fn format(self, binary: bool) -> Format {
        match self {
            Self::Gnu => Format::Gnu { binary },
            Self::Tag => Format::Tagged,
            Self::Reversed => Format::Reversed,
            Self::Oci => Format::Oci,
            Self::Bare => Format::Bare,
            Self::Sfv => Format::Sfv,
            Self::Hashdeep => Format::Hashdeep,
            Self::Bagit => Format::Bagit,
            Self::Json => Format::Json,
            Self::Mhl => Format::Mhl(Version::Mhl),
            Self::Ascmhl => Format::Mhl(Version::Asc),
        }
    }
}

/// Checks that programs read the format's lines where NUL ends them.
pub fn ended_by_nul(format: Format) -> Result<(), BadInput> {
    match format {
        Format::Sfv | Format::Hashdeep | Format::Bagit | Format::Json | Format::Mhl(_) => {
            Err(BadInput::new(
                "no program reads this format with NUL at the ends of its lines",
                "leave -z out, or --format gnu, tag, reversed, oci or bare",
            ))
        }
        Format::Gnu { .. }
        | Format::Tagged
        | Format::Reversed
        | Format::Oci
        | Format::Bare
        | Format::Decimal { .. } => Ok(()),
    }
}

/// The format, if it can hold these digests.
pub fn fitting(format: Format, digests: &[Method]) -> Result<Format, BadInput> {
    let bad = |message: &str, hint: &str| {
        Err(BadInput { message: message.to_owned(), hint: hint.to_owned() })
    };
    match format {
        Format::Sfv if digests.len() > 1 => bad("an SFV file holds one digest", "-a crc32"),
        Format::Bagit if digests.len() > 1 => {
            bad("a BagIt manifest holds one digest", "write a manifest for each, -a ALGO")
        }
        format => match digests.iter().find(|digest| !format.has(digest)) {
            Some(digest) if digest.keyed().is_some() => bad(
                &format!("this format cannot hold {}", digest.name),
                "codes under a key are written as tag, json, gnu, reversed or bare",
            ),
            Some(digest) => bad(
                &format!("this format cannot hold {}", digest.name),
                "SFV has crc32; MHL md5, sha1, xxh32, xxh64; ASC MHL also xxh3, xxh128 and, as \
                    c4, sha512; OCI no digests of parts",
            ),
            None => Ok(format),
        },
    }
}
