//! Prints what crates of others answer, for sponges.py: `name check sweep engine` as sweeps.rs
//! does, and `name n answer engine` for the messages M(n) that make.py tells of. No part of any
//! crate here: put it as src/main.rs into an empty project with these dependencies:
//! ascon-hash256 = "=0.1.0", ascon-xof128 = "=0.2.1", digest = "=0.11.3", k12 = "=0.5.1",
//! kangarootwelve_xkcp = "=0.2.1", turboshake = "=0.7.1"

use digest::{ExtendableOutput, Update};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn lengths() -> impl Iterator<Item = usize> {
    (0..=300)
        .chain([511, 512, 513, 1000, 1023, 1024, 1025, 4095, 4096, 4097, 5000, 8191, 8192, 65543])
}

fn answer(name: &str, engine: &str, digest: impl Fn(&[u8]) -> Vec<u8>) {
    let pattern: Vec<u8> = (0..4096).map(|i| (i % 251) as u8).collect();
    let all: Vec<u8> = (0..4096).flat_map(|n| digest(&pattern[..n])).collect();
    println!("{name} {} {} {engine}", hex(&digest(b"123456789")), hex(&digest(&all)));
    for n in lengths() {
        let message: Vec<u8> = (0..n).map(|i| (i * 131 + 17 * n + (i >> 8)) as u8).collect();
        println!("{name} {n} {} {engine}", hex(&digest(&message)));
    }
}

fn xof<D: Default + Update + ExtendableOutput>(name: &str, engine: &str, len: usize) {
    answer(name, engine, |message| {
        let mut hasher = D::default();
        hasher.update(message);
        let mut out = vec![0; len];
        hasher.finalize_xof_into(&mut out);
        out
    });
}

fn main() {
    let turboshake = "rustcrypto-turboshake-0.7.1";
    xof::<turboshake::TurboShake<168, 0x1f>>("turboshake128", turboshake, 32);
    xof::<turboshake::TurboShake<136, 0x1f>>("turboshake256", turboshake, 64);
    xof::<k12::Kt<168>>("kt128", "rustcrypto-k12-0.5.1", 32);
    xof::<k12::Kt<136>>("kt256", "rustcrypto-k12-0.5.1", 64);
    answer("kt128", "kangarootwelve_xkcp-0.2.1", |message| {
        kangarootwelve_xkcp::hash(message).as_bytes().to_vec()
    });
    answer("ascon-hash256", "rustcrypto-ascon-hash256-0.1.0", |message| {
        <ascon_hash256::AsconHash256 as digest::Digest>::digest(message).to_vec()
    });
    xof::<ascon_xof128::AsconXof128>("ascon-xof128", "rustcrypto-ascon-xof128-0.2.1", 32);
}
