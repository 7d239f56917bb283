//! What checksum lists call a digest: tags, lengths, and the names of the lists themselves.
//!
//! ```text
//! of_tag         SHA256 (a) = ...   BLAKE2b-256 (a) = ...        any case; of_exact_tag: not
//! of_code        HMAC-SHA256 (a) = ...   KEYED-BLAKE3 (a) = ...  a digest under a key
//! of_list_name   SHA256SUMS   photos.b3   manifest-sha512.txt
//! of_spelling    b1946ac92492d2347c6235b4d2611184-3              S3's, with the number of parts
//! of_len         64 characters in hexadecimal: SHA-256 or BLAKE3
//! ```
//!
//! A tag decides first, then `-a` or the list's own name, then the value's spelling. A digest that
//! is guessed must not be easier to forge than the one that was meant, so few are guessed by their
//! length.

pub use hashdyno::blake2b;
use hashdyno::composite;
use hashdyno::{Digest, Mode, Output, find, find_outside_php};

use crate::read::method::Method;

/// A digest by the name that file tools and lists give it: any that [`find_outside_php`] knows, or
/// BLAKE2b of any whole number of bytes (`blake2b`, `blake2b-8` to `blake2b-512`).
pub fn by_name(name: &str) -> Option<&'static Digest> {
    let name = name.to_ascii_lowercase();
    // `blake2b-256` and `blake2b256` are one; `blake2b` alone has no number, and is that of 512
    // bits.
    let bits = name.strip_prefix("blake2b").map(|bits| bits.strip_prefix('-').unwrap_or(bits));
    match (bits.and_then(|bits| bits.parse().ok()), name.as_str()) {
        (Some(bits), _) => blake2b(bits),
        (None, "blake2b") => blake2b(512),
        (None, name) => find_outside_php(name),
    }
}

/// What computes a file's digest, by the name that file tools and lists give it: a digest as
/// [`by_name`] knows it, or a composite one.
pub fn method(name: &str) -> Option<Method> {
    let composite = || composite::find(name).copied().map(Method::from);
    by_name(name).map(Method::from).or_else(composite)
}

/// The other digest that programs call CRC32, of one that is called so.
pub fn other_crc32(digest: &Method) -> Option<&'static Digest> {
    match digest.name {
        "crc32b" => find("crc32-bzip2"),
        "crc32-bzip2" => find("crc32b"),
        _ => None,
    }
}

/// The tag of tagged lines: that of GNU's tools, where they have the digest. A code has that of its
/// digest behind `HMAC-`, as OpenSSL writes it, or `KEYED-`.
pub fn tag(digest: &Method) -> String {
    if let Some(keyed) = digest.keyed() {
        let prefix = PREFIXES.iter().find(|(_, mode)| *mode == keyed.mode()).map_or("", |it| it.0);
        return prefix.to_owned() + &tag(&keyed.digest().into());
    }
    match known_tag(digest) {
        Some(tag) => tag.to_owned(),
        None => match digest.name.strip_prefix("blake2b-") {
            Some("512") => "BLAKE2b".to_owned(),
            Some(bits) => format!("BLAKE2b-{bits}"),
            None => digest.name.to_ascii_uppercase(),
        },
    }
}

/// The digest of a tag spelled exactly as programs write it: GNU's, OpenSSL's, b3sum's, xxhsum's.
pub fn of_exact_tag(tag: &str) -> Option<&'static Digest> {
    match tag.strip_prefix("BLAKE2b") {
        Some("") => blake2b(512),
        Some(bits) => blake2b(bits.strip_prefix('-')?.parse().ok()?),
        None => TAGS.iter().find(|(known, _)| *known == tag).and_then(|(_, name)| find(name)),
    }
}

/// The digest of a tag in any case, or of any name that [`method`] knows.
pub fn of_tag(tag: &str) -> Option<Method> {
    of_exact_tag(tag)
        .or_else(|| {
            TAGS.iter()
                .find(|(known, _)| known.eq_ignore_ascii_case(tag))
                .and_then(|(_, name)| find(name))
        })
        .map(Method::from)
        .or_else(|| method(tag))
}

/// What a tag or a name says of a code, in any case: `HMAC-SHA256`, `keyed-blake3`.
pub fn of_code(tag: &str) -> Option<(Mode, &'static Digest)> {
    PREFIXES.iter().find_map(|(prefix, mode)| {
        let (head, rest) = tag.split_at_checked(prefix.len())?;
        let digest = of_tag(rest).filter(|_| head.eq_ignore_ascii_case(prefix))?.digest()?;
        Some((*mode, digest))
    })
}

/// What a digest of that many bytes without a tag can be in a list: only digests that programs
/// write into lists, and where two fit only such as nobody can forge.
pub fn of_len(bytes: usize) -> Vec<Method> {
    let names = UNTAGGED.iter().find(|(len, _)| *len == bytes).map_or(&[][..], |(_, names)| names);
    names.iter().filter_map(|name| find(name)).map(Method::from).collect()
}

/// What a value without a tag can be that is written as no other: with the number of S3's parts, or
/// in Base32. Two fit only of CRCs.
pub fn of_spelling(text: &str) -> Option<(Vec<Method>, Output)> {
    let names: &[&str] = match text.len() {
        _ if text.contains('-') => OF_PARTS,
        39 => &["tth"],
        32 => &["aich"],
        _ => &[],
    };
    let reads = |name: &&str| {
        let method = method(name)?;
        Some((method.parse(text)?, method))
    };
    let found: Vec<_> = names.iter().filter_map(reads).collect();
    let value = found.first()?.0.clone();
    Some((found.into_iter().map(|(_, method)| method).collect(), value))
}

/// The digest that a list's own name speaks of: `SHA256SUMS`, `photos.b3`, `manifest-sha512.txt`.
pub fn of_list_name(name: &str) -> Option<Method> {
    let lower = name.to_ascii_lowercase();
    let stem = lower.strip_suffix(".txt").unwrap_or(&lower);
    let bagit = stem.strip_prefix("manifest-").or_else(|| stem.strip_prefix("tagmanifest-"));
    // `SHA256SUMS`, `MD5SUM.txt`, `sha256-sums`: the digest comes before the word.
    let sums = stem
        .strip_suffix("sums")
        .or_else(|| stem.strip_suffix("sum"))
        .map(|name| name.trim_end_matches(['-', '_', '.']));
    let extension = stem.rsplit_once('.').map(|(_, extension)| extension);
    [bagit, sums, extension].into_iter().flatten().find_map(|word| match word {
        "b2" => method("blake2b-512"),
        "b3" => method("blake3"),
        "sfv" => method("crc32b"),
        word => method(word.trim_end_matches("sum")),
    })
}

/// A list of one, for whoever takes several.
pub fn alone(method: impl Into<Method>) -> Vec<Method> {
    vec![method.into()]
}

fn known_tag(digest: &Method) -> Option<&'static str> {
    TAGS.iter().find(|(_, name)| *name == digest.name).map(|(tag, _)| *tag)
}

/// What comes before the tag of a digest under a key, and what the key is used for.
/// `HMAC-` is OpenSSL's.
const PREFIXES: [(&str, Mode); 2] = [("HMAC-", Mode::Hmac), ("KEYED-", Mode::Keyed)];

/// Tags in their exact case; the first of a digest is the one written.
const TAGS: &[(&str, &str)] = &[
    ("MD5", "md5"),
    ("SHA1", "sha1"),
    ("SHA224", "sha224"),
    ("SHA256", "sha256"),
    ("SHA384", "sha384"),
    ("SHA512", "sha512"),
    ("SHA512/224", "sha512-224"),
    ("SHA512/256", "sha512-256"),
    ("SHA2-224", "sha224"),
    ("SHA2-256", "sha256"),
    ("SHA2-384", "sha384"),
    ("SHA2-512", "sha512"),
    ("SHA2-512/224", "sha512-224"),
    ("SHA2-512/256", "sha512-256"),
    ("SHA512-224", "sha512-224"),
    ("SHA512-256", "sha512-256"),
    ("SHA3-224", "sha3-224"),
    ("SHA3-256", "sha3-256"),
    ("SHA3-384", "sha3-384"),
    ("SHA3-512", "sha3-512"),
    ("SM3", "sm3"),
    ("BLAKE3", "blake3"),
    ("BLAKE2S-256", "blake2s-256"),
    ("RIPEMD160", "ripemd160"),
    ("RMD160", "ripemd160"),
    ("MD5-SHA1", "md5-sha1"),
    ("WHIRLPOOL", "whirlpool"),
    ("XXH32", "xxh32"),
    ("XXH64", "xxh64"),
    ("XXH128", "xxh128"),
    ("XXH3", "xxh3"),
    ("CRC32", "crc32b"),
    ("TIGER", "tiger192-3"),
];

/// Lengths in bytes of digests that stand in lists without a tag. XXH32 and XXH128 are left out:
/// they would let a list of CRC-32 or MD5 pass with a digest that is easier to forge; their lists
/// say so by name or tag, or `-a` does.
const UNTAGGED: &[(usize, &[&str])] = &[
    (4, &["crc32b"]),
    (8, &["xxh64"]),
    (16, &["md5"]),
    (20, &["sha1"]),
    (28, &["sha224"]),
    (32, &["sha256", "blake3"]),
    (48, &["sha384"]),
    (64, &["sha512", "blake2b-512"]),
];

/// Digests that are written with the number of parts.
const OF_PARTS: &[&str] = &["s3-etag", "s3-sha256", "s3-sha1", "s3-crc32c", "s3-crc32"];

#[cfg(test)]
mod tests {
    use hashdyno::ALL;
    use zeroize::Zeroizing;

    use super::*;
    use crate::read::key::Secret;

    #[test]
    fn each_crc32_knows_the_other() {
        let other = |name| other_crc32(&method(name).unwrap()).map(|digest| digest.name);
        assert_eq!(other("crc32b"), Some("crc32-bzip2"));
        assert_eq!(other("crc32-bzip2"), Some("crc32b"));
        assert_eq!(other("crc32c"), None);
    }

    #[test]
    fn lists_say_their_algorithm() {
        let of = |name| of_list_name(name).map(|digest| digest.name);
        assert_eq!(of("SHA256SUMS"), Some("sha256"));
        assert_eq!(of("MD5SUM.txt"), Some("md5"));
        assert_eq!(of("photos.b3"), Some("blake3"));
        assert_eq!(of("x.sha512sum"), Some("sha512"));
        assert_eq!(of("manifest-sha512.txt"), Some("sha512"));
        assert_eq!(of("b2sums"), Some("blake2b-512"));
        assert_eq!(of("list.txt"), None);
        assert_eq!(of_exact_tag("sha256"), None);
        assert_eq!(of_tag("sha256").unwrap().name, "sha256");
        for (name, written) in
            [("sha3-256", "SHA3-256"), ("sha512-256", "SHA512/256"), ("crc32b", "CRC32")]
        {
            assert_eq!(tag(&method(name).unwrap()), written);
        }
        assert_eq!(tag(&blake2b(256).unwrap().into()), "BLAKE2b-256");
        assert_eq!(of("films.tth"), Some("tth"));
        assert_eq!(of("ED2KSUMS"), Some("ed2k"));
    }

    #[test]
    fn crc32_is_that_of_file_tools() {
        let of = |name| hashdyno::hex(&by_name(name).unwrap().digest(b"123456789"));
        assert_eq!(
            (of("crc32"), of("CRC32"), of("crc32b")),
            ("cbf43926".into(), "cbf43926".into(), "cbf43926".into())
        );
        assert_eq!((of("php-crc32"), of("crc32-bzip2")), ("181989fc".into(), "181989fc".into()));
    }

    #[test]
    fn a_tag_leads_back_to_its_digest() {
        let others = ["blake2b-8", "skein512-1024", "shake256-72"].map(|name| find(name).unwrap());
        for digest in ALL.into_iter().chain(others) {
            assert_eq!(by_name(digest.name), Some(digest));
            assert_eq!(of_tag(&tag(&digest.into())), Some(digest.into()));
        }
        for composite in composite::ALL {
            assert_eq!(of_tag(&tag(&(*composite).into())), Some((*composite).into()));
        }
    }

    #[test]
    fn a_tag_leads_back_to_its_code() {
        let secret = Secret::new(Zeroizing::new(vec![1; 32]));
        for (mode, digest) in [Mode::Hmac, Mode::Keyed]
            .into_iter()
            .flat_map(|mode| ALL.into_iter().map(move |digest| (mode, digest)))
        {
            let method = Method::from(secret.keyed(mode, digest));
            assert_eq!(of_code(&tag(&method)), Some((mode, digest)));
            assert_eq!(of_code(method.name), Some((mode, digest)));
            assert_eq!(of_tag(method.name), None);
        }
        for none in ["sha256", "HMAC-", "HMAC-SHA", "HMAC-HMAC-SHA256", "KEYED-TTH", "ü", "HMACü"]
        {
            assert_eq!(of_code(none), None, "{none}");
        }
    }

    #[test]
    fn values_that_are_written_as_no_other_need_no_tag() {
        let of = |text: &str| {
            let (methods, _) = of_spelling(text)?;
            Some(methods.iter().map(|method| method.name).collect::<Vec<_>>())
        };
        let hex = "d41d8cd98f00b204e9800998ecf8427e";
        assert_eq!(of(&format!("{hex}-3")), Some(vec!["s3-etag"]));
        assert_eq!(of("AAAAAA==-3"), Some(vec!["s3-crc32c", "s3-crc32"]));
        assert_eq!(of("dctzg7v3jmt2jdj6vozu4yisnzvethe76v2goni"), Some(vec!["tth"]));
        assert_eq!(of("6VZNHFX25EQGMKDRJ6ZM4AHXF2KPEJMP"), Some(vec!["aich"]));
        // MD5 without a number of parts, and what is no value at all.
        for text in [hex, "AAAAAA==", "", "-3", "AAAAAA==-0", "1-1"] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
