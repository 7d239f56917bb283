//! The runners written in Rust: `hashdyno-runners NAME [--option=value ...]`.

fn main() {}
