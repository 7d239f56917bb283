//! `hashdyno list`: digests, ciphers, providers, CPU features. JSON:
//! `{"schema":1,"digests":[...],"composites":[...]}`.

use std::process::ExitCode;

use bench::files::{Tool, tools};
use bench::report::{Grid, Screen};
use bench::{CIPHERS, Cipher, Options, Provider};
use hashdyno::composite::{self, Composite};
use hashdyno::{ALL, Cpu, Digest};
use serde_json::{Value, json};

use super::output::{self, LineFormat};

mod group;

use group::Group;

const EXAMPLES: &str = "Examples:
  hashdyno list                          digests by purpose: name, length, security
  hashdyno list --security sound         only digests for new designs
  hashdyno list --all                    the CRCs that few want, too
  hashdyno list digests --long           kernels, names in other programs, specifications
  hashdyno list ciphers
  hashdyno list providers                implementations found on this machine
  hashdyno list --json | jq '.digests | length'
  hashdyno list --json | jq -r '.composites[].name'";

/// What `list` is told.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// What is listed [default: digests].
    #[arg(default_value = "digests", hide_default_value = true)]
    what: What,
    /// Every column: kernels, block length, names in PHP, OpenSSL and Python, specification.
    #[arg(short, long)]
    long: bool,
    /// The catalogue of CRCs, too: over a hundred. JSON has them always.
    #[arg(short, long)]
    all: bool,
    /// Only digests of this security.
    #[arg(long, value_enum, value_delimiter = ',')]
    security: Vec<Security>,
    /// How it is printed.
    #[arg(long, value_enum, default_value = "terminal")]
    format: LineFormat,
    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// A part of the list.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum What {
    /// Digests and checksums, and those that clouds and networks make of a file's parts.
    Digests,
    /// Ciphers that `speed` can measure.
    Ciphers,
    /// Implementations that are found on this machine.
    Providers,
    /// CPU features.
    Cpu,
}

/// What a digest is good for.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Security {
    /// For new designs.
    Sound,
    /// No practical attack is known, but it is superseded.
    Legacy,
    /// Collisions can be computed.
    Broken,
    /// Finds accidental changes only.
    Checksum,
}

impl From<Security> for hashdyno::Security {
    fn from(security: Security) -> Self {
        match security {
            Security::Sound => Self::Sound,
            Security::Legacy => Self::Legacy,
            Security::Broken => Self::Broken,
            Security::Checksum => Self::Checksum,
        }
    }
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        crate::signals::end_at_once()?;
        if self.what != What::Digests && !self.security.is_empty() {
            let message = "--security is for digests".to_owned();
            return Err(crate::failure::BadInput {
                message,
                hint: "hashdyno list digests --security sound".to_owned(),
            }
            .into());
        }
        let text = if self.json || self.format == LineFormat::Json {
            format!("{:#}\n", self.value())
        } else {
            self.text()
        };
        output::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }

    fn digests(&self) -> Vec<&'static Digest> {
        let wanted: Vec<hashdyno::Security> =
            self.security.iter().copied().map(Into::into).collect();
        ALL.into_iter()
            .filter(|digest| wanted.is_empty() || wanted.contains(&digest.security))
            .collect()
    }

    /// Digests of parts.
    fn composites(&self) -> Vec<&'static Composite> {
        let wanted: Vec<hashdyno::Security> =
            self.security.iter().copied().map(Into::into).collect();
        let fits =
            |composite: &&Composite| wanted.is_empty() || wanted.contains(&composite.security());
        composite::ALL.iter().filter(fits).collect()
    }

    /// Those that a table shows.
    fn shown(&self) -> Vec<&'static Digest> {
        self.digests().into_iter().filter(|digest| self.all || !digest.is_rare()).collect()
    }

    /// Says how many digests the tables leave out.
    fn left_out(&self) -> String {
        match self.digests().len() - self.shown().len() {
            0 => String::new(),
            count => format!("{count} CRCs more: hashdyno list --all\n\n"),
        }
    }

    fn value(&self) -> Value {
        let (name, items): (_, Vec<Value>) = match self.what {
            What::Digests => ("digests", self.digests().into_iter().map(digest_json).collect()),
            What::Ciphers => ("ciphers", CIPHERS.iter().map(cipher_json).collect()),
            What::Providers => (
                "providers",
                found().iter().map(provider_json).chain(tools().iter().map(tool_json)).collect(),
            ),
            What::Cpu => (
                "cpu",
                Cpu::native().features().to_string().split_whitespace().map(Value::from).collect(),
            ),
        };
        let mut value = json!({ "schema": output::JSON_SCHEMA, name: items });
        if self.what == What::Digests {
            value["composites"] = self.composites().into_iter().map(composite_json).collect();
        }
        value
    }

    fn text(&self) -> String {
        match self.what {
            What::Digests if self.long => {
                let header = [
                    "digest",
                    "bytes",
                    "block",
                    "security",
                    "kernels here",
                    "PHP",
                    "OpenSSL",
                    "Python",
                    "specified in",
                ];
                let tables = self.grouped(&header, long_row);
                [tables, self.left_out(), self.composite_table(), self.total()].concat()
            }
            What::Digests => {
                let header = ["digest", "bytes", "security", "also called"];
                let tables = self.grouped(&header, short_row);
                let more = "More: hashdyno list --long, list ciphers, list providers, list cpu";
                let (features, more) = (features() + "\n", more.to_owned() + "\n");
                let below = [self.total(), features, more].concat();
                [tables, self.left_out(), self.composite_table(), below].concat()
            }
            What::Ciphers => {
                let rows = CIPHERS.iter().map(|cipher| {
                    vec![cipher.name.to_owned(), cipher.key_bits().to_string(), mode(cipher)]
                });
                table("ciphers", &["cipher", "key bits", "mode"], rows.collect())
            }
            What::Providers => providers(),
            What::Cpu => features() + "\n",
        }
    }

    /// The digests of parts, below the others; nothing if there is none of that security.
    fn composite_table(&self) -> String {
        let header = ["composite", "bytes", "digest", "part bytes", "also called", "specified in"];
        let rows: Vec<_> = self.composites().into_iter().map(composite_row).collect();
        if rows.is_empty() {
            return String::new();
        }
        table("digests of parts", &header, rows) + "\n"
    }

    fn total(&self) -> String {
        let (digests, composites) = (self.digests().len(), self.composites().len());
        format!("In all {digests} digests, and {composites} of parts.\n")
    }

    /// A table for each purpose that has a digest, one below the other.
    fn grouped(&self, header: &[&str], row: fn(&'static Digest) -> Vec<String>) -> String {
        let shown = self.shown();
        let of = |group| -> Vec<_> {
            let members = shown.iter().filter(|digest| Group::of(digest) == group);
            members.map(|digest| row(digest)).collect()
        };
        let groups = Group::ALL.into_iter().map(|group| (group, of(group)));
        let tables = groups.filter(|(_, rows)| !rows.is_empty());
        tables.map(|(group, rows)| table(group.title(), header, rows) + "\n").collect()
    }
}

fn short_row(digest: &'static Digest) -> Vec<String> {
    let others = digest.names().skip(1).filter(|name| !name.eq_ignore_ascii_case(digest.name));
    let others: std::collections::BTreeSet<_> = others.collect();
    let others = others.into_iter().collect::<Vec<_>>().join(" ");
    vec![digest.name.to_owned(), length(digest), digest.security.to_string(), others]
}

/// Bytes of the parts; of Git's objects, which are one part, nothing.
fn part_len(composite: &Composite) -> Option<usize> {
    Some(composite.part_len).filter(|&len| len > 0 && composite.has_parts())
}

fn composite_row(composite: &Composite) -> Vec<String> {
    let part = match (part_len(composite), composite.adjustable) {
        (Some(len), true) => format!("{len} or any"),
        (Some(len), false) => len.to_string(),
        (None, true) => "any".to_owned(),
        (None, false) => String::new(),
    };
    vec![
        composite.name.to_owned(),
        composite.output_len().to_string(),
        composite.part_digest().name.to_owned(),
        part,
        composite.aliases.join(" "),
        composite.specified_in.to_owned(),
    ]
}

fn composite_json(composite: &'static Composite) -> Value {
    json!({
        "name": composite.name,
        "aliases": composite.aliases,
        "kind": "composite",
        "specified_in": composite.specified_in,
        "digest": composite.part_digest().name,
        "security": composite.security().to_string(),
        "output_len": composite.output_len(),
        "part_len": part_len(composite),
        "part_len_adjustable": composite.adjustable,
    })
}

fn features() -> String {
    Screen::here().wrap(&format!("CPU features: {}", Cpu::native().features()), "  ")
}

fn mode(cipher: &Cipher) -> String {
    format!("{:?}", cipher.mode).to_uppercase()
}

fn cipher_json(cipher: &Cipher) -> Value {
    json!({ "name": cipher.name, "key_len": cipher.key_len, "mode": mode(cipher).to_lowercase() })
}

fn digest_json(digest: &Digest) -> Value {
    json!({
        "name": digest.name,
        "aliases": digest.names().skip(1).collect::<std::collections::BTreeSet<_>>(),
        "family": digest.family,
        "group": Group::of(digest).word(),
        "specified_in": digest.specified_in,
        "security": digest.security.to_string(),
        "rare": digest.is_rare(),
        "output_len": digest.output_len,
        "extendable": digest.extendable,
        "block_len": digest.block_len,
        "kernels": kernels(digest),
        "php": digest.spelling.php,
        "openssl": digest.spelling.openssl,
        "python": digest.spelling.python,
    })
}

/// The kernels that this CPU can run, best first.
fn kernels(digest: &Digest) -> Vec<&'static str> {
    digest.ready(Cpu::native()).map(|kernel| kernel.name()).collect()
}

/// A provider and its version, or why it has none.
type Found = (&'static Provider, Result<String, String>);

fn found() -> Vec<Found> {
    let version = |provider: &'static Provider| {
        let started = provider.start(&Options::default());
        (
            provider,
            started
                .map(|runner| runner.greeting.version.clone())
                .map_err(|error| error.to_string()),
        )
    };
    bench::providers().iter().map(version).collect()
}

fn provider_json((provider, version): &Found) -> Value {
    json!({
        "name": provider.name,
        "title": provider.title,
        "kind": "runner",
        "version": version.as_ref().ok(),
        "missing": version.as_ref().err(),
    })
}

fn tool_json(tool: &Tool) -> Value {
    let receipt = tool.receipt();
    json!({
        "name": tool.name,
        "title": tool.title,
        "kind": "file tool",
        "version": receipt.version,
        "missing": receipt.missing,
    })
}

fn providers() -> String {
    let row = |(provider, version): &Found| {
        let status = version.as_ref().map_or_else(|missing| missing.clone(), Clone::clone);
        vec![provider.name.clone(), provider.title.clone(), status]
    };
    let tool = |tool: &Tool| {
        let receipt = tool.receipt();
        vec![
            tool.name.clone(),
            tool.title.clone(),
            receipt.version.or(receipt.missing).unwrap_or_default(),
        ]
    };
    let providers = table(
        "providers",
        &["provider", "description", "version"],
        found().iter().map(row).collect(),
    );
    providers
        + "\n"
        + &table(
            "file tools",
            &["file tool", "description", "version"],
            tools().iter().map(tool).collect(),
        )
}

fn long_row(digest: &'static Digest) -> Vec<String> {
    let spelling = [digest.spelling.php, digest.spelling.openssl, digest.spelling.python];
    let mut row = vec![
        digest.name.to_owned(),
        length(digest),
        digest.block_len.to_string(),
        digest.security.to_string(),
    ];
    row.push(kernels(digest).join(" "));
    row.extend(spelling.map(|name| name.unwrap_or_default().to_owned()));
    row.push(digest.specified_in.to_owned());
    row
}

/// Of the digest in bytes; an extendable one has more.
fn length(digest: &Digest) -> String {
    if digest.extendable {
        format!("{}+", digest.output_len)
    } else {
        digest.output_len.to_string()
    }
}

fn table(names: &str, header: &[&str], rows: Vec<Vec<String>>) -> String {
    let title = format!("{} {names}", rows.len());
    Grid {
        title,
        note: String::new(),
        header: header.iter().map(|&name| name.to_owned()).collect(),
        rows,
    }
    .terminal()
}
