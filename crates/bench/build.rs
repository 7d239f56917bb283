//! The studies are embedded by `include_dir!`, which Cargo does not watch by itself.

fn main() {
    println!("cargo::rerun-if-changed=../../studies");
}
