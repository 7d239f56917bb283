//! Prints what crates of others answer, for standards.py: `name check sweep engine` as sweeps.rs
//! does, and `name n answer engine` for the messages M(n) that make.py tells of. No part of any
//! crate here: put it as src/main.rs into an empty project with these dependencies:
//! bash-hash = "=0.1.1", belt-hash = "=0.2.1", digest = "=0.11.3", kupyna = "=0.1.0",
//! shabal = "=0.5.0"

use digest::Digest;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn lengths() -> impl Iterator<Item = usize> {
    (0..=300)
        .chain([511, 512, 513, 1000, 1023, 1024, 1025, 4095, 4096, 4097, 5000, 8191, 8192, 65543])
}

fn answer<D: Digest>(name: &str, engine: &str) {
    let digest = |message: &[u8]| D::digest(message).to_vec();
    let pattern: Vec<u8> = (0..4096).map(|i| (i % 251) as u8).collect();
    let all: Vec<u8> = (0..4096).flat_map(|n| digest(&pattern[..n])).collect();
    println!("{name} {} {} {engine}", hex(&digest(b"123456789")), hex(&digest(&all)));
    for n in lengths() {
        let message: Vec<u8> = (0..n).map(|i| (i * 131 + 17 * n + (i >> 8)) as u8).collect();
        println!("{name} {n} {} {engine}", hex(&digest(&message)));
    }
}

fn main() {
    answer::<belt_hash::BeltHash>("belt-hash", "rustcrypto-belt-hash-0.2.1");
    let bash = "rustcrypto-bash-hash-0.1.1";
    answer::<bash_hash::BashHash256>("bash256", bash);
    answer::<bash_hash::BashHash384>("bash384", bash);
    answer::<bash_hash::BashHash512>("bash512", bash);
    let kupyna = "rustcrypto-kupyna-0.1.0";
    answer::<kupyna::Kupyna224>("kupyna-224", kupyna);
    answer::<kupyna::Kupyna256>("kupyna-256", kupyna);
    answer::<kupyna::Kupyna384>("kupyna-384", kupyna);
    answer::<kupyna::Kupyna512>("kupyna-512", kupyna);
    let shabal = "rustcrypto-shabal-0.5.0";
    answer::<shabal::Shabal192>("shabal-192", shabal);
    answer::<shabal::Shabal224>("shabal-224", shabal);
    answer::<shabal::Shabal256>("shabal-256", shabal);
    answer::<shabal::Shabal384>("shabal-384", shabal);
    answer::<shabal::Shabal512>("shabal-512", shabal);
}
