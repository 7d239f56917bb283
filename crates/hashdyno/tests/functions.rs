//! The functions of digests give what the digests do.
#![cfg(feature = "full")]

use hashdyno::{Cpu, find};

/// Says of which lengths the function of that name gives something else than the digest by its
/// portable kernel.
fn compare<const LEN: usize>(name: &str, function: impl Fn(&[u8]) -> [u8; LEN]) {
    let digest = find(name).unwrap();
    let portable = digest.bind(&Cpu::native().masked("none").unwrap());
    let bytes: Vec<_> = (0..5000u32).map(|i| (i % 251) as u8).collect();
    let differs = |message: &[u8]| {
        let mut out = [0; LEN];
        digest.digest_into(&portable, message, &mut out);
        out != function(message)
    };
    let wrong: Vec<_> =
        (0..=bytes.len()).filter(|&len| differs(&bytes[bytes.len() - len..])).collect();
    assert!(wrong.is_empty(), "{name} of {wrong:?} bytes");
}

#[test]
fn functions_give_what_the_digests_do() {
    macro_rules! compare {
        ($($name:literal $function:ident)*) => {$(
            compare($name, |message| hashdyno::$function(message).to_be_bytes());
        )*};
    }
    hashdyno::functions!(compare);
}
