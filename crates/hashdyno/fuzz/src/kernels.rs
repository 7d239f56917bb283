//! Every kernel gives what the portable one gives: of one message, however it is cut, copied and saved on its way, and of many
//! messages of unlike lengths in every layout; under any CPU mask. `run` compiles it and starts it.
#![no_main]

use hashdyno::{ALL, Bound, Cpu, Digest, Features, Hasher, Messages, digest_many, digest_many_by, hex};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;

/// What the fuzzer's bytes are taken for.
#[derive(Arbitrary, Debug)]
struct Case<'a> {
    digest: u8,
    /// Bits of [`Features`] that the CPU is to lack.
    hidden: u32,
    /// How often `bytes` are repeated, so that kernels of many blocks at a time have enough.
    times: u8,
    /// Bytes of the digest, if it is extendable.
    output_len: u16,
    /// The length of each piece of the message, and what happens after it.
    pieces: Vec<(u16, Event)>,
    layout: Layout,
    /// Where in the message each of many begins, and its length.
    places: Vec<(u16, u16)>,
    /// How often all these come, and by how much they are longer each time.
    rounds: u8,
    growth: u16,
    bytes: &'a [u8],
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Event {
    Nothing,
    /// An empty piece.
    Empty,
    /// The hasher is copied, the first one spoilt, and its copy goes on.
    Copy,
    /// A copy ends here; its digest must be that of the message so far.
    End,
    /// Saved and restored, which goes on by the best kernel of this CPU.
    Save,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Layout {
    Slices,
    Offsets,
    LargeOffsets,
    Rows,
}

fuzz_target!(|case: Case<'_>| {
    let digest = ALL[usize::from(case.digest) % ALL.len()];
    let cpu = Cpu::native().without(Features::from_bits_truncate(case.hidden.into()));
    let mut message = case.bytes.repeat(1 + usize::from(case.times));
    message.truncate(LONGEST);
    one_message(digest, &cpu, &case, &message);
    many_messages(digest, &cpu, &case, &message);
});

fn one_message(digest: &'static Digest, cpu: &Cpu, case: &Case<'_>, message: &[u8]) {
    let output_len = if digest.extendable { usize::from(case.output_len) % 5000 } else { digest.output_len };
    let expected = whole(digest, &portable(digest), message, output_len);
    for kernel in digest.kernels.iter().filter_map(|kernel| kernel.bind(cpu)) {
        let same = |how: &str, answer: Vec<u8>| same(digest, kernel.name(), how, &answer, &expected);
        same("whole", whole(digest, &kernel, message, output_len));
        let mut hasher = in_pieces(digest, kernel, message, &case.pieces);
        let mut out = vec![0; output_len];
        hasher.finish_reset(&mut out);
        same("in pieces", out.clone());
        hasher.update(message);
        hasher.finish_into(&mut out);
        same("again", out);
    }
}

fn whole(digest: &Digest, kernel: &Bound, message: &[u8], output_len: usize) -> Vec<u8> {
    let mut out = vec![0; output_len];
    digest.digest_into(kernel, message, &mut out);
    out
}

/// All of the message taken, in these pieces and what they leave of it.
fn in_pieces(digest: &'static Digest, kernel: Bound, message: &[u8], pieces: &[(u16, Event)]) -> Hasher {
    let (mut hasher, mut left) = (Hasher::with_kernel(digest, kernel), message);
    for (len, event) in pieces.iter().take(200) {
        let (piece, rest) = left.split_at(usize::from(*len).min(left.len()));
        hasher.update(piece);
        left = rest;
        match event {
            Event::Nothing => {}
            Event::Empty => hasher.update(b""),
            Event::Copy => {
                let copy = hasher.clone();
                hasher.update(b"spoilt");
                hasher = copy;
            }
            Event::End => {
                let taken = &message[..message.len() - left.len()];
                let expected = whole(digest, &portable(digest), taken, digest.output_len);
                same(digest, kernel.name(), "of a copy", &hasher.clone().finish(), &expected);
            }
            Event::Save => hasher = Hasher::restore(&hasher.save()).expect("what was saved can be restored"),
        }
    }
    hasher.update(left);
    hasher
}

fn many_messages(digest: &'static Digest, cpu: &Cpu, case: &Case<'_>, message: &[u8]) {
    let part = |from: u16, len: u16| {
        let rest = &message[usize::from(from) % (message.len() + 1)..];
        &rest[..(usize::from(len) % 1500).min(rest.len())]
    };
    let round = |round: u16| {
        let growth = case.growth.wrapping_mul(round);
        case.places.iter().map(move |(from, len)| part(*from, len.wrapping_add(growth)))
    };
    let mut parts: Vec<&[u8]> = (0..=u16::from(case.rounds)).flat_map(round).take(MOST).collect();
    let width = parts.iter().map(|part| part.len()).find(|len| *len > 0).unwrap_or(1);
    if let Layout::Rows = case.layout {
        parts.retain(|part| part.len() >= width);
        parts.iter_mut().for_each(|part| *part = &part[..width]);
    }
    let data = parts.concat();
    let ends = parts.iter().scan(0, |end, part| {
        *end += part.len();
        Some(*end)
    });
    let large: Vec<i64> = [0].into_iter().chain(ends).map(|end| end as i64).collect();
    let small: Vec<i32> = large.iter().map(|end| *end as i32).collect();
    let messages = match case.layout {
        Layout::Slices => Messages::Slices(&parts),
        Layout::Offsets => Messages::Offsets { data: &data, offsets: &small },
        Layout::LargeOffsets => Messages::LargeOffsets { data: &data, offsets: &large },
        Layout::Rows => Messages::Rows { data: &data, width },
    };

    let portable = portable(digest);
    let expected: Vec<u8> = parts.iter().flat_map(|part| whole(digest, &portable, part, digest.output_len)).collect();
    let mut out = vec![0x55; expected.len()];
    digest_many(digest, cpu, messages, &mut out);
    same(digest, "the CPU's choice", "many", &out, &expected);
    let one = digest.bind(cpu);
    let many = digest.kernels.iter().filter_map(|kernel| kernel.bind_many(cpu)).map(Some);
    for kernel in many.chain([None]) {
        out.fill(0x55);
        digest_many_by(digest, kernel.as_ref(), &one, messages, &mut out);
        same(digest, kernel.map_or(one.name(), |kernel| kernel.name()), "many", &out, &expected);
    }
}

fn portable(digest: &Digest) -> Bound {
    let kernel = digest.kernels.iter().rfind(|kernel| kernel.name == "portable").expect("every digest has a portable kernel");
    kernel.bind(Cpu::native()).expect("a portable kernel needs no CPU feature")
}

fn same(digest: &Digest, kernel: &str, how: &str, answer: &[u8], expected: &[u8]) {
    assert!(answer == expected, "{} by {kernel}, {how}: {}, expected {}", digest.name, hex(answer), hex(expected));
}

/// Bytes of the longest message: more than any kernel takes at a time.
const LONGEST: usize = 20_000;

/// Messages at a time.
const MOST: usize = 150;
