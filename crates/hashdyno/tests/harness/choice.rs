//! Many messages, many lengths of output, and the choice of the kernel by the CPU.

use hashdyno::{Cpu, Digest, Features, Kernel, Messages, digest_many};

use super::{Subject, Tally, pattern};

/// How many messages at a time: around the widths of vectors, and more.
const COUNTS: [usize; 24] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 32, 33, 64, 65, 130];

/// Many messages at a time, in every layout, as one by one.
pub fn many(subject: &Subject<'_>, tally: &mut Tally) {
    let Some(cpu) = choosing(subject.digest, subject.kernel) else { return };
    let mut random = fastrand::Rng::with_seed(2);
    for count in COUNTS {
        shapes(count, &mut random).into_iter().for_each(|(shape, lengths)| layouts(subject, &cpu, shape, &lengths, tally));
        same_buffer(subject, &cpu, count, tally);
    }
}

/// Messages of these lengths in every layout that can hold them.
fn layouts(subject: &Subject<'_>, cpu: &Cpu, shape: &str, lengths: &[usize], tally: &mut Tally) {
    let data = pattern(lengths.iter().sum());
    let mut offsets = vec![0];
    offsets.extend(lengths.iter().scan(0, |end, len| {
        *end += *len as i64;
        Some(*end)
    }));
    let narrow: Vec<i32> = offsets.iter().map(|offset| *offset as i32).collect();
    let slices: Vec<&[u8]> = offsets.windows(2).map(|pair| &data[pair[0] as usize..pair[1] as usize]).collect();
    let mut layouts = vec![
        ("slices", Messages::Slices(&slices)),
        ("offsets", Messages::Offsets { data: &data, offsets: &narrow }),
        ("large offsets", Messages::LargeOffsets { data: &data, offsets: &offsets }),
    ];
    if shape == "equal" {
        layouts.push(("rows", Messages::Rows { data: &data, width: lengths.first().copied().unwrap_or(1) }));
    }
    let expected: Vec<u8> = slices.iter().flat_map(|message| subject.expected(message)).collect();
    for (layout, messages) in layouts {
        let mut out = vec![0x55; expected.len()];
        digest_many(subject.digest, cpu, messages, &mut out);
        tally.case(out == expected, || format!("{} {shape} messages in {layout}, lengths {lengths:?}", lengths.len()));
    }
}

/// Lengths of `count` messages: all alike, any, all short but one, ascending, descending, and mostly none.
fn shapes(count: usize, random: &mut fastrand::Rng) -> Vec<(&'static str, Vec<usize>)> {
    let mut draw = |most: usize| -> Vec<usize> { (0..count).map(|_| random.usize(..=most)).collect() };
    let any = draw(600);
    let (mut ascending, mut outlier, empty) =
        (any.clone(), draw(20), draw(5).into_iter().map(|len| len.saturating_sub(3)).collect());
    ascending.sort_unstable();
    let descending = ascending.iter().rev().copied().collect();
    if let Some(middle) = outlier.get_mut(count / 2) {
        *middle = 5000;
    }
    let equal = vec![any.first().map_or(1, |len| len + 1); count];
    [
        ("equal", equal),
        ("random", any),
        ("short but one", outlier),
        ("ascending", ascending),
        ("descending", descending),
        ("empty", empty),
    ]
    .into()
}

/// The same buffer as each of the messages.
fn same_buffer(subject: &Subject<'_>, cpu: &Cpu, count: usize, tally: &mut Tally) {
    let message = pattern(200);
    let mut out = vec![0; count * subject.digest.output_len];
    digest_many(subject.digest, cpu, Messages::Slices(&vec![&message[..]; count]), &mut out);
    let right = out == subject.expected(&message).repeat(count);
    tally.case(right, || format!("one buffer as {count} messages"));
}

/// A CPU that has what this kernel needs and as little as possible of what better kernels need, if it then chooses this one.
pub fn choosing(digest: &Digest, chosen: &Kernel) -> Option<Cpu> {
    let better = digest.kernels.iter().take_while(|kernel| !std::ptr::eq(*kernel, chosen));
    let unwanted = better.fold(Features::empty(), |unwanted, kernel| unwanted | (kernel.needs - chosen.needs));
    let cpu = Cpu::native().without(unwanted);
    (digest.bind(&cpu).name() == chosen.name).then_some(cpu)
}

/// Under every mask of the features that kernels of this digest use: the first kernel that the CPU can run is chosen, no other that
/// it lacks can be had, and the digests are the portable kernel's.
pub fn masks(subject: &Subject<'_>, tally: &mut Tally) {
    if !subject.is_portable() {
        return;
    }
    let kernels = subject.digest.kernels;
    let used: Vec<Features> = kernels.iter().fold(Features::empty(), |used, kernel| used | kernel.needs).iter().collect();
    let messages = [0, 1, 55, 111, 1000, 2 * subject.granule() + 1].map(pattern);
    let expected = messages.each_ref().map(|message| subject.expected(message));
    for mask in 0..1u32 << used.len() {
        let hidden =
            used.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1).fold(Features::empty(), |all, (_, one)| all | *one);
        let cpu = Cpu::native().without(hidden);
        let bound = subject.digest.bind(&cpu);
        let had = kernels.iter().all(|kernel| kernel.bind(&cpu).is_some() == cpu.has(kernel.needs));
        let first = kernels.iter().find(|kernel| cpu.has(kernel.needs)).is_some_and(|kernel| kernel.name == bound.name());
        let alike = messages.iter().zip(&expected).all(|(message, expected)| {
            let mut out = vec![0; expected.len()];
            subject.digest.digest_into(&bound, message, &mut out);
            out == *expected
        });
        tally.case(had && first && alike, || {
            format!("without {hidden}: {} is chosen, had {had} first {first} alike {alike}", bound.name())
        });
    }
}

/// Any length of an extendable digest is the beginning of any longer one, and the portable kernel's.
pub fn extend(subject: &Subject<'_>, tally: &mut Tally) {
    if !subject.digest.extendable {
        return;
    }
    for len in [0, 1, 63, 64, 65, 135, 136, 137, 167, 168, 169, 1023, 1024, 1025, 5000] {
        let message = pattern(len);
        let mut longest = vec![0; 5001];
        subject.digest.digest_into(&subject.portable(), &message, &mut longest);
        for output_len in
            [0, 1, 2, 16, 31, 32, 33, 63, 64, 65, 127, 128, 129, 135, 136, 137, 167, 168, 169, 200, 336, 1000, 4097, 5001]
        {
            let right = subject.extended(&message, output_len) == longest[..output_len];
            tally.case(right, || format!("{output_len} bytes of the digest of {len} are not the first of 5001"));
        }
    }
}
