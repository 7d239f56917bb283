//! Every kernel for many messages gives what the portable kernel gives for each.
#![no_main]

use hashdyno::{ALL, Cpu, Messages, digest_many, digest_many_by};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, Vec<(u16, u8)>, &[u8])| {
    let (digest, places, bytes) = input;
    let digest = ALL[usize::from(digest) % ALL.len()];
    let data = bytes.repeat(3);
    let messages: Vec<&[u8]> = places.iter().map(|(from, len)| part(&data, usize::from(*from), 3 * usize::from(*len))).collect();
    let portable = digest.kernels.last().and_then(|kernel| kernel.bind(Cpu::native())).expect("the last kernel is portable");
    let mut expected = vec![0; messages.len() * digest.output_len];
    for (message, out) in messages.iter().zip(expected.chunks_mut(digest.output_len)) {
        digest.digest_into(&portable, message, out);
    }
    let mut out = vec![0; expected.len()];
    digest_many(digest, Cpu::native(), Messages::Slices(&messages), &mut out);
    assert!(out == expected, "{}", digest.name);
    for kernel in digest.kernels.iter().filter_map(|kernel| kernel.bind_many(Cpu::native())) {
        out.fill(0x55);
        digest_many_by(digest, Some(&kernel), &portable, Messages::Slices(&messages), &mut out);
        assert!(out == expected, "{} by {}", digest.name, kernel.name());
    }
});

/// Up to `len` bytes of `data`, from somewhere on.
fn part(data: &[u8], from: usize, len: usize) -> &[u8] {
    let rest = &data[from % (data.len() + 1)..];
    &rest[..len.min(rest.len())]
}
