//! Our own runner, as the child of this very program: `{self} runner`.

use std::io::{self, stdin, stdout};

use runner::{Options, Ours, Provider, conformance, serve::serve};

fn main() -> io::Result<()> {
    if std::env::args().nth(1).as_deref() == Some("runner") {
        let mask = std::env::args().nth(2);
        let ours = Ours::new(mask.as_deref().and_then(|word| word.strip_prefix("--cpu=")))
            .map_err(io::Error::other)?;
        return serve(&ours, stdin().lock(), stdout().lock());
    }
    let ours = Provider::find("hashdyno").expect("hashdyno is in the table");
    for cpu in [None, Some("none".to_owned())] {
        let report = conformance::check(ours, &Options { cpu, ..Options::default() });
        println!("{report}");
        assert!(report.passed(), "our own runner breaks the protocol");
    }
    Ok(())
}
