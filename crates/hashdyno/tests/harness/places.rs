//! Where the bytes lie does not matter, and no other byte is touched.

#[cfg(not(target_family = "wasm"))]
use hashdyno::FittedHasher;
use hashdyno::{Hasher, MAX_BLOCK_LEN};

#[cfg(not(target_family = "wasm"))]
use super::guard::Guarded;
use super::{Subject, Tally, pattern};

/// Lengths around blocks and runs of blocks, of a granule that is at least 64 bytes.
fn lengths(granule: usize) -> [usize; 14] {
    let around = |blocks: usize| blocks * granule;
    [
        1,
        3,
        granule - 1,
        granule,
        granule + 1,
        around(2) - 1,
        around(2),
        around(2) + 1,
        around(3),
        around(4) + 1,
        around(5),
        around(7) + 3,
        around(8),
        around(16) + 1,
    ]
}

/// The input at each offset from a multiple of 64.
pub fn alignment(subject: &Subject<'_>, tally: &mut Tally) {
    for len in lengths(subject.granule()) {
        let message = pattern(len);
        let expected = subject.expected(&message);
        let mut memory = vec![0; len + 128];
        let base = memory.as_ptr().align_offset(64);
        for offset in 0..64 {
            let place = &mut memory[base + offset..][..len];
            place.copy_from_slice(&message);
            tally.case(subject.one_shot(place) == expected, || {
                format!("{len} bytes at offset {offset} from a multiple of 64")
            });
        }
    }
}

/// Runs of blocks from 4 KiB at each offset from a multiple of 64, and from 64 KiB, in one call and
/// in one piece. The expected digests are of short pieces: no kernel takes so long a run for them.
pub fn long(subject: &Subject<'_>, tally: &mut Tally) {
    // A block more, for digests that hold their last one.
    for (len, offsets) in [(4096, (0..64).collect()), (65_536, vec![0, 1, 63])] {
        let message = pattern(len + MAX_BLOCK_LEN + 1);
        let mut pieces = Hasher::with_kernel(subject.digest, subject.portable());
        message.chunks(1000).for_each(|piece| pieces.update(piece));
        let expected = pieces.finish();
        let mut memory = vec![0; message.len() + 128];
        let base = memory.as_ptr().align_offset(64);
        for offset in offsets {
            let place = &mut memory[base + offset..][..message.len()];
            place.copy_from_slice(&message);
            let right =
                subject.one_shot(place) == *expected && subject.in_pieces([&*place]) == *expected;
            tally.case(right, || {
                format!("{} bytes at offset {offset} from a multiple of 64", message.len())
            });
        }
    }
}

/// The input up to the last byte before, and from the first byte after, a page that must not be
/// read; itself it must not be written.
#[cfg(not(target_family = "wasm"))]
pub fn guard_pages(subject: &Subject<'_>, tally: &mut Tally) {
    let granule = subject.granule();
    let guarded = Guarded::new(&pattern(16 * granule + 1));
    let mut case = |what: &str, message: &[u8]| {
        let expected = subject.expected(message);
        let (head, tail) = message.split_at(message.len() / 3);
        let right =
            subject.one_shot(message) == expected && subject.in_pieces([head, tail]) == expected;
        tally.case(right, || format!("{} bytes {what} a guard page", message.len()));
    };
    for len in (0..=2 * granule.min(128)).chain(lengths(granule)) {
        case("before", guarded.before(len));
        case("after", guarded.after(len));
    }
}

/// Hashers in memory of just their size, before a page that must not be touched: one of them takes
/// the message, the other one is its copy after a third of it. The end leaves none of the message
/// in memory.
#[cfg(not(target_family = "wasm"))]
pub fn fitted(subject: &Subject<'_>, tally: &mut Tally) {
    let size = FittedHasher::size(subject.digest);
    tally.case(size <= size_of::<Hasher>(), || format!("{size} bytes: a hasher of any is shorter"));
    let (mut first, mut second) = (Guarded::writable(size), Guarded::writable(size));
    let (first, second) = (first.place_before(size), second.place_before(size));
    let mut out = vec![0; subject.digest.output_len];
    let granule = subject.granule();
    for len in [1, 3, granule - 1, granule, granule + 1, 2 * granule - 1, 8 * granule + 5] {
        let message = pattern(len);
        let expected = subject.expected(&message);
        let (head, tail) = message.split_at(len / 3);
        // SAFETY: both places are aligned, as a size is a multiple of 16, and as long as the size.
        let (hasher, copy) = unsafe {
            let hasher = FittedHasher::place(first, subject.digest, subject.ready);
            hasher.update(head);
            hasher.copy_to(second);
            (hasher, FittedHasher::at(second))
        };
        hasher.update(tail);
        hasher.finish_reset(&mut out);
        let mut right = out == expected;
        copy.update(tail);
        copy.finish_wiped(&mut out);
        right &= out == expected;
        hasher.update(&message);
        hasher.finish_wiped(&mut out);
        right &= out == expected;
        for place in [first, second] {
            // SAFETY: the hasher there has ended, and the memory was zeros before it.
            let left = unsafe { std::slice::from_raw_parts(place, size) };
            right &= !left.windows(8).any(|bytes| message.windows(8).any(|part| part == bytes));
        }
        tally.case(right, || format!("{len} bytes by a hasher of {size} bytes"));
    }
}

/// The output at each offset from a multiple of 16, whatever was there before; nothing beside it is
/// written.
pub fn output(subject: &Subject<'_>, tally: &mut Tally) {
    let output_len = subject.digest.output_len;
    for len in [0, 1, subject.granule() - 1, subject.granule(), 2 * subject.granule() + 1] {
        let message = pattern(len);
        let expected = subject.expected(&message);
        for (offset, canary) in (0..16).flat_map(|offset| [(offset, 0x55), (offset, 0xaa)]) {
            let mut memory = vec![canary; output_len + 128];
            let at = memory.as_ptr().align_offset(16) + 32 + offset;
            subject.digest.digest_into(&subject.ready, &message, &mut memory[at..][..output_len]);
            let (before, rest) = memory.split_at(at);
            let (written, after) = rest.split_at(output_len);
            let whole =
                written == expected && before.iter().chain(after).all(|byte| *byte == canary);
            tally.case(whole, || {
                format!(
                    "digest of {len} bytes to offset {offset} over {canary:02x}: \
                    {written:02x?} in {memory:02x?}"
                )
            });
        }
    }
}
