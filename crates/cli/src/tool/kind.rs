//! The programs that are imitated: their names, options and help.
//!
//! `options` is the table that parsing and help share: GNU's common options, and the program's own,
//! which replace common ones of the same name. The letter NUL stands for an option without a
//! letter.

/// Which program.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `md5sum`, `sha256sum` ...: one digest.
    One(&'static str),
    /// GNU's: BLAKE2b, of any length by -l, in bits.
    B2sum,
    /// Of the BLAKE3 team.
    B3sum,
    /// GNU's, since 9.0 with -a; lines are tagged.
    Cksum,
    /// Perl's.
    Shasum,
    /// xxHash's, and the digest that its name means.
    Xxhsum(&'static str),
}

impl Kind {
    pub fn of(name: &str) -> Option<Self> {
        const ONE: [(&str, &str); 6] = [
            ("md5sum", "md5"),
            ("sha1sum", "sha1"),
            ("sha224sum", "sha224"),
            ("sha256sum", "sha256"),
            ("sha384sum", "sha384"),
            ("sha512sum", "sha512"),
        ];
        match name {
            "b2sum" => Some(Self::B2sum),
            "b3sum" => Some(Self::B3sum),
            "cksum" => Some(Self::Cksum),
            "shasum" => Some(Self::Shasum),
            "xxhsum" | "xxh64sum" => Some(Self::Xxhsum("xxh64")),
            "xxh32sum" => Some(Self::Xxhsum("xxh32")),
            "xxh128sum" => Some(Self::Xxhsum("xxh128")),
            _ => ONE.iter().find(|(tool, _)| *tool == name).map(|(_, digest)| Self::One(digest)),
        }
    }

    /// Which digest `-a` of shasum or `-H` of xxhsum means; without it that of the name.
    pub fn variant(self, value: Option<&str>) -> Option<&'static str> {
        match self {
            Self::Shasum => match value.unwrap_or("1") {
                "1" => Some("sha1"),
                "224" => Some("sha224"),
                "256" => Some("sha256"),
                "384" => Some("sha384"),
                "512" => Some("sha512"),
                "512224" => Some("sha512-224"),
                "512256" => Some("sha512-256"),
                _ => None,
            },
            Self::Xxhsum(own) => match value {
                None => Some(own),
                Some("0" | "32") => Some("xxh32"),
                Some("1" | "64") => Some("xxh64"),
                Some("2" | "128") => Some("xxh128"),
                Some("3") => Some("xxh3"),
                Some(_) => None,
            },
            _ => None,
        }
    }

    /// Its options: the long name, the letter or NUL, whether a value follows.
    pub fn options(self) -> Vec<(&'static str, char, bool)> {
        const COMMON: &[(&str, char, bool)] = &[
            ("binary", 'b', false),
            ("check", 'c', false),
            ("ignore-missing", '\0', false),
            ("quiet", '\0', false),
            ("status", '\0', false),
            ("strict", '\0', false),
            ("tag", '\0', false),
            ("text", 't', false),
            ("warn", 'w', false),
            ("zero", 'z', false),
            ("help", '\0', false),
            ("version", '\0', false),
        ];
        let own: &[(&str, char, bool)] = match self {
            Self::One(_) => &[],
            Self::B2sum => &[("length", 'l', true)],
            Self::B3sum => &[("no-names", '\0', false), ("num-threads", '\0', true)],
            Self::Cksum => &[
                ("algorithm", 'a', true),
                ("length", 'l', true),
                ("untagged", '\0', false),
                ("base64", '\0', false),
                ("debug", '\0', false),
            ],
            Self::Shasum => &[
                ("algorithm", 'a', true),
                ("quiet", 'q', false),
                ("status", 's', false),
                ("help", 'h', false),
                ("version", 'v', false),
            ],
            Self::Xxhsum(_) => &[
                ("algorithm", 'H', true),
                ("quiet", 'q', false),
                ("help", 'h', false),
                ("version", 'V', false),
            ],
        };
        let is_own = |long: &str| own.iter().any(|(name, ..)| *name == long);
        COMMON.iter().filter(|(long, ..)| !is_own(long)).chain(own).copied().collect()
    }
}

/// What an option does.
fn meaning(option: &str) -> &'static str {
    match option {
        "binary" => "write the mark of binary mode",
        "check" => "read digests from the FILEs and check them",
        "ignore-missing" => "do not report listed files that do not exist",
        "quiet" => "do not print files that match",
        "status" => "print nothing; the exit code tells",
        "strict" => "fail on lines that are not checksums",
        "tag" => "write BSD-style lines",
        "text" => "write the mark of text mode (default)",
        "warn" => "warn about lines that are not checksums",
        "zero" => "end lines with NUL and do not escape names",
        "length" => "length of the digest, in bits",
        "no-names" => "print digests without names",
        "num-threads" => "threads at most",
        "algorithm" => "the algorithm",
        "untagged" => "write lines without the algorithm",
        "base64" => "write digests in Base64",
        "debug" => "accepted, without effect",
        "help" => "print this help",
        "version" => "print the version",
        _ => "",
    }
}

/// What `--help` prints.
pub fn help(kind: Kind, program: &str) -> String {
    let options = kind.options().into_iter().map(|(long, short, valued)| {
        let short = if short == '\0' { "   ".to_owned() } else { format!("-{short},") };
        let name = format!("--{long}{}", if valued { "=VALUE" } else { "" });
        format!("  {short} {name:<20} {}", meaning(long)).trim_end().to_owned()
    });
    let options: Vec<_> = options.collect();
    format!(
        "Usage: {program} [OPTION]... [FILE]...\nPrint or check digests, as the program of this \
            name does; this is hashdyno.\n\n\
         With no FILE, or when FILE is -, read standard input.\n{}\n\n`hashdyno sum` and \
         `hashdyno check` have more.",
        options.join("\n")
    )
}
