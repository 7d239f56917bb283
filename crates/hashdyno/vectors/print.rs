//! What names.rs, prf.rs and frames.rs print: a line `name length digest engine` for each M(n),
//! for the check and for the sweep.

pub fn all(name: &str, engine: &str, digest: impl Fn(&[u8]) -> Vec<u8>) {
    let print = |what: String, message: &[u8]| {
        let hex: String = digest(message).iter().map(|byte| format!("{byte:02x}")).collect();
        println!("{name} {what} {hex} {engine}");
    };
    let lens = [511, 512, 513, 1000, 1023, 1024, 1025, 4095, 4096, 4097, 5000, 8191, 8192, 65543];
    for len in (0..301).chain(lens) {
        let message: Vec<u8> = (0..len).map(|i| (i * 131 + 17 * len + (i >> 8)) as u8).collect();
        print(len.to_string(), &message);
    }
    let pattern: Vec<u8> = (0..4096).map(|i| (i % 251) as u8).collect();
    let swept: Vec<u8> = (0..4096).flat_map(|len| digest(&pattern[..len])).collect();
    print("check".into(), b"123456789");
    print("sweep".into(), &swept);
}
