//! Every kernel for one message gives what the portable one gives, however the message is cut, copied and saved on its way.
#![no_main]

use hashdyno::{ALL, Cpu, Digest, Hasher, hex};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u8, u8, u16, &[u8])| {
    let (digest, times, extended, step, bytes) = input;
    let digest = ALL[usize::from(digest) % ALL.len()];
    let message = bytes.repeat(1 + usize::from(times) % 9); // so that wide kernels have enough
    let output_len = digest.output_len + if digest.extendable { usize::from(extended) } else { 0 };
    let expected = whole(digest, digest.kernels.len() - 1, &message, output_len).expect("the last kernel is portable");
    for which in 0..digest.kernels.len() {
        let name = digest.kernels[which].name;
        if let Some(answer) = whole(digest, which, &message, output_len) {
            assert!(answer == expected, "{} by {name}: {}, expected {}", digest.name, hex(&answer), hex(&expected));
            let answer = in_pieces(digest, which, &message, usize::from(step), output_len);
            assert!(answer == expected, "{} by {name} in pieces: {}, expected {}", digest.name, hex(&answer), hex(&expected));
        }
    }
});

/// By the kernel of that number, if it takes one message and this CPU can run it.
fn whole(digest: &'static Digest, which: usize, message: &[u8], output_len: usize) -> Option<Vec<u8>> {
    let kernel = digest.kernels[which].bind(Cpu::native())?;
    let mut out = vec![0; output_len];
    digest.digest_into(&kernel, message, &mut out);
    Some(out)
}

/// Pieces of `step` bytes and, between them, of half as many and of none; copied after each, saved and restored after some.
fn in_pieces(digest: &'static Digest, which: usize, message: &[u8], step: usize, output_len: usize) -> Vec<u8> {
    let kernel = digest.kernels[which].bind(Cpu::native()).expect("it could run before");
    let (mut hasher, mut left) = (Hasher::with_kernel(digest, kernel), message);
    for turn in 0.. {
        let (piece, rest) = left.split_at([step, step / 2, 0][turn % 3].min(left.len()));
        hasher.update(piece);
        hasher = hasher.clone();
        if turn % 5 == 4 && which == 0 {
            hasher = Hasher::restore(&hasher.save()).expect("what was saved can be restored");
        }
        left = rest;
        if left.is_empty() || turn == 300 {
            break;
        }
    }
    hasher.update(left);
    let mut out = vec![0; output_len];
    hasher.finish_into(&mut out);
    out
}
