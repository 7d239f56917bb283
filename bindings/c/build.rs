//! Names the shared library as Linux distributions do: by what of the version changes with the ABI.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        let part = |name| env::var(name).expect("cargo says the version");
        let (major, minor) = (part("CARGO_PKG_VERSION_MAJOR"), part("CARGO_PKG_VERSION_MINOR"));
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libhashdyno.so.{major}.{minor}");
    }
}
