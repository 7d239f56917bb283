use std::process::ExitCode;

use bench::files::{Tool, tools};
use bench::report::Grid;
use bench::{Options, Provider};
use hashdyno::{ALL, Cpu, Digest};
use serde_json::{Value, json};

use super::output;

/// What `list` is told.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  hashdyno list\n  hashdyno list --format json | jq length\n  hashdyno list providers")]
pub struct Arguments {
    /// Only this; JSON without a choice is the digests.
    what: Option<What>,
    /// How it is printed.
    #[arg(long, value_enum, default_value = "terminal")]
    format: Format,
}

/// A part of the list.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum What {
    /// Algorithms, what they are good for, and the kernels that run here.
    Digests,
    /// Whose implementations are found on this machine.
    Providers,
    /// CPU features.
    Cpu,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    Terminal,
    Json,
}

impl Arguments {
    /// Runs it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        super::study::leave_nothing_when_stopped()?;
        let text = match self.format {
            Format::Json => format!("{:#}\n", json_of(self.what.unwrap_or(What::Digests))),
            Format::Terminal => match self.what {
                Some(what) => terminal_of(what),
                None => [What::Digests, What::Providers, What::Cpu].map(terminal_of).join("\n"),
            },
        };
        output::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn json_of(what: What) -> Value {
    match what {
        What::Digests => ALL.iter().map(|digest| digest_json(digest)).collect(),
        What::Providers => found().iter().map(provider_json).chain(tools().iter().map(tool_json)).collect(),
        What::Cpu => Cpu::native().features().to_string().split_whitespace().collect(),
    }
}

fn digest_json(digest: &Digest) -> Value {
    json!({
        "name": digest.name,
        "aliases": digest.names().skip(1).collect::<std::collections::BTreeSet<_>>(),
        "family": digest.family,
        "specified_in": digest.specified_in,
        "security": digest.security.to_string(),
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
    digest.bound(Cpu::native()).map(|kernel| kernel.name()).collect()
}

/// A provider and its version, or why it has none.
type Found = (&'static Provider, Result<String, String>);

fn found() -> Vec<Found> {
    let version = |provider: &'static Provider| {
        let started = provider.start(&Options::default());
        (provider, started.map(|runner| runner.greeting.version.clone()).map_err(|error| error.to_string()))
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
    json!({ "name": tool.name, "title": tool.title, "kind": "file tool", "version": receipt.version, "missing": receipt.missing })
}

fn terminal_of(what: What) -> String {
    match what {
        What::Digests => {
            let rows = ALL.iter().map(|digest| digest_row(digest)).collect();
            table(&["digest", "bytes", "block", "security", "kernels here", "PHP", "OpenSSL", "Python", "specified in"], rows)
        }
        What::Providers => {
            let row = |(provider, version): &Found| {
                let status = version.as_ref().map_or_else(|missing| missing.clone(), Clone::clone);
                vec![provider.name.clone(), provider.title.clone(), status]
            };
            let tool = |tool: &Tool| {
                let receipt = tool.receipt();
                vec![tool.name.clone(), tool.title.clone(), receipt.version.or(receipt.missing).unwrap_or_default()]
            };
            let providers = table(&["provider", "what", "version"], found().iter().map(row).collect());
            providers + "\n" + &table(&["file tool", "what", "version"], tools().iter().map(tool).collect())
        }
        What::Cpu => format!("CPU features: {}\n", Cpu::native().features()),
    }
}

fn digest_row(digest: &Digest) -> Vec<String> {
    let length = if digest.extendable { format!("{}+", digest.output_len) } else { digest.output_len.to_string() };
    let spelling = [digest.spelling.php, digest.spelling.openssl, digest.spelling.python];
    let mut row = vec![digest.name.to_owned(), length, digest.block_len.to_string(), digest.security.to_string()];
    row.push(kernels(digest).join(" "));
    row.extend(spelling.map(|name| name.unwrap_or_default().to_owned()));
    row.push(digest.specified_in.to_owned());
    row
}

fn table(header: &[&str], rows: Vec<Vec<String>>) -> String {
    let title = format!("{} {}s", rows.len(), header[0]);
    Grid { title, note: String::new(), header: header.iter().map(|&name| name.to_owned()).collect(), rows }.terminal()
}
