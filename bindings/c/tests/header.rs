//! The committed header is what cbindgen makes of the source. `HASHDYNO_BLESS=1` writes it anew.

use std::path::Path;
use std::{env, fs};

#[test]
fn the_header_is_that_of_the_source() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config =
        cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("cbindgen.toml is right");
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
