//! The committed header is what cbindgen makes of the source. `HASHDYNO_BLESS=1` writes it anew.

use std::path::Path;
use std::{env, fs};

#[test]
fn the_header_is_that_of_the_source() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut config =
        cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("cbindgen.toml is right");
    let macros = config.after_includes.unwrap_or_default();
    config.after_includes = Some(format!("{}\n{macros}", version()));
    let builder = cbindgen::Builder::new().with_config(config).with_src(folder.join("src/lib.rs"));
    let mut header = Vec::new();
    builder.generate().expect("cbindgen understands the source").write(&mut header);
    let path = folder.join("include/hashdyno.h");
    if env::var_os("HASHDYNO_BLESS").is_some() {
        fs::write(&path, &header).expect("the header can be written");
    }
    let committed = fs::read(&path).expect("the header is there");
    let hint = "HASHDYNO_BLESS=1 cargo test -p hashdyno-c --test header";
    assert!(committed == header, "include/hashdyno.h is not what the source says\nhint: {hint}");
}

/// The version as macros, for programs that compile against more than one.
fn version() -> String {
    format!(
        "\n// The version of this header; hashdyno_version() gives that of the library that is \
         loaded.\n\
         #define HASHDYNO_VERSION \"{}\"\n\
         #define HASHDYNO_VERSION_MAJOR {}\n\
         #define HASHDYNO_VERSION_MINOR {}\n\
         #define HASHDYNO_VERSION_PATCH {}\n",
        env!("CARGO_PKG_VERSION"),
        env!("CARGO_PKG_VERSION_MAJOR"),
        env!("CARGO_PKG_VERSION_MINOR"),
        env!("CARGO_PKG_VERSION_PATCH"),
    )
}
