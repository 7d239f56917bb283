//! Many messages, many lengths of output, and the choice of the kernel by the CPU.

use hashdyno::builder::{self, Code};
use hashdyno::{
    Cores, Cpu, Digest, Features, Kernel, Messages, ReadyLanes, digest_many_by, digest_many_on,
};

use super::{Subject, Tally, pattern};

/// How many messages at a time: around the widths of vectors, and more.
const COUNTS: [usize; 24] =
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 32, 33, 64, 65, 130];

/// Puts out the digests of messages.
type DigestMany<'a> = Box<dyn Fn(Messages<'_>, &mut [u8]) + 'a>;

/// A way to compute many digests that is on trial, and the name of its kernel.
struct ManyCall<'a> {
    kernel: &'static str,
    digest: DigestMany<'a>,
}

impl<'a> ManyCall<'a> {
    fn new(kernel: &'static str, digest: impl Fn(Messages<'_>, &mut [u8]) + 'a) -> Self {
        Self { kernel, digest: Box::new(digest) }
    }
}

/// Many messages at a time, in every layout, as one by one: what the CPU chooses for many where it
/// chooses this kernel for one.
pub fn many(subject: &Subject<'_>, tally: &mut Tally) {
    let Some(cpu) = choosing(subject.digest, subject.kernel) else { return };
    let many = [ManyCall::new(subject.kernel.name(), |messages, out| {
        digest_many_on(subject.digest, &cpu, messages, out)
    })];
    let mut random = fastrand::Rng::with_seed(2);
    for count in COUNTS {
        shapes(count, &mut random)
            .into_iter()
            .for_each(|(shape, lengths)| layouts(subject, &many, shape, &lengths, 0, tally));
        same_buffer(subject, &many, count, tally);
    }
}

/// The same by a kernel for one that takes each of many.
pub fn each(subject: &Subject<'_>, tally: &mut Tally) {
    let Code::OneShot(..) = subject.kernel.code() else { return };
    let each = [ManyCall::new(subject.kernel.name(), |messages, out| {
        digest_many_by(subject.digest, None, &subject.ready, messages, out)
    })];
    let mut random = fastrand::Rng::with_seed(4);
    for count in COUNTS {
        shapes(count, &mut random)
            .into_iter()
            .for_each(|(shape, lengths)| layouts(subject, &each, shape, &lengths, 0, tally));
        same_buffer(subject, &each, count, tally);
    }
}

/// The same by each kernel for many messages that this machine can run, for every count up to four
/// times the widest and more: as many cases of each kernel.
pub fn lanes(subject: &Subject<'_>, tally: &mut Tally) {
    if !subject.is_portable() {
        return;
    }
    let by = |kernel: ReadyLanes| {
        ManyCall::new(kernel.name(), move |messages, out| {
            digest_many_by(subject.digest, Some(&kernel), &subject.ready, messages, out)
        })
    };
    let lanes: Vec<_> = subject.digest.ready_lanes(Cpu::native()).map(by).collect();
    let mut random = fastrand::Rng::with_seed(3);
    for count in 1..=130 {
        for (shape, lengths) in shapes(count, &mut random) {
            layouts(subject, &lanes, shape, &lengths, count % 3 + 1, tally);
        }
        same_buffer(subject, &lanes, count, tally);
    }
}

/// Messages of these lengths in every layout that can hold them, or in the one of that number, by
/// each of these ways.
fn layouts(
    subject: &Subject<'_>,
    ways: &[ManyCall<'_>],
    shape: &str,
    lengths: &[usize],
    only: usize,
    tally: &mut Tally,
) {
    let data = pattern(lengths.iter().sum());
    let mut offsets = vec![0];
    offsets.extend(lengths.iter().scan(0, |end, len| {
        *end += *len as i64;
        Some(*end)
    }));
    let narrow: Vec<i32> = offsets.iter().map(|offset| *offset as i32).collect();
    let slices: Vec<&[u8]> =
        offsets.windows(2).map(|pair| &data[pair[0] as usize..pair[1] as usize]).collect();
    let mut layouts = vec![
        (1, "slices", Messages::Slices(&slices)),
        (2, "offsets", Messages::Offsets { data: &data, offsets: &narrow }),
        (3, "large offsets", Messages::LargeOffsets { data: &data, offsets: &offsets }),
    ];
    let alike = lengths.windows(2).all(|pair| pair[0] == pair[1]) && lengths.first() != Some(&0);
    if alike {
        layouts.push((
            only,
            "rows",
            Messages::Rows { data: &data, width: lengths.first().copied().unwrap_or(1) },
        ));
    }
    let expected: Vec<_> = slices.iter().map(|message| subject.expected(message)).collect();
    let expected = expected.concat();
    for (_, layout, messages) in
        layouts.into_iter().filter(|(number, ..)| only == 0 || *number == only)
    {
        for many in ways {
            let mut out = vec![0x55; expected.len()];
            (many.digest)(messages, &mut out);
            tally.case(out == expected, || {
                let (count, kernel) = (lengths.len(), many.kernel);
                format!("{count} {shape} messages in {layout} by {kernel}, lengths {lengths:?}")
            });
        }
    }
}

/// Lengths of `count` messages: all alike, any, all short but one, ascending, descending, and
/// mostly none.
fn shapes(count: usize, random: &mut fastrand::Rng) -> Vec<(&'static str, Vec<usize>)> {
    let mut draw = |most: usize| -> Vec<usize> {
        (0..count).map(|_| random.u64(..=most as u64) as usize).collect()
    };
    let any = draw(600);
    let (mut ascending, mut outlier, empty) =
        (any.clone(), draw(20), draw(5).into_iter().map(|len| len.saturating_sub(3)).collect());
    ascending.sort_unstable();
    let descending = ascending.iter().rev().copied().collect();
    if let Some(middle) = outlier.get_mut(count / 2) {
        *middle = 5000;
    }
    let equal = vec![any.first().map_or(1, |len| len + 1); count];
    let short = vec![any.first().map_or(1, |len| 1 + len % 16); count];
    [
        ("equal", equal),
        ("equal and short", short),
        ("random", any),
        ("short but one", outlier),
        ("ascending", ascending),
        ("descending", descending),
        ("empty", empty),
    ]
    .into()
}

/// The same buffer as each of the messages.
fn same_buffer(subject: &Subject<'_>, ways: &[ManyCall<'_>], count: usize, tally: &mut Tally) {
    let message = pattern(200);
    let expected = subject.expected(&message).repeat(count);
    for many in ways {
        let mut out = vec![0; expected.len()];
        (many.digest)(Messages::Slices(&vec![&message[..]; count]), &mut out);
        tally
            .case(out == expected, || format!("one buffer as {count} messages by {}", many.kernel));
    }
}

/// A CPU that has what this kernel needs and as little as possible of what better kernels need,
/// with a core that the kernel suits, if it then chooses this one.
pub fn choosing(digest: &Digest, chosen: &Kernel) -> Option<Cpu> {
    let better = digest.one.iter().take_while(|kernel| !std::ptr::eq(*kernel, chosen));
    let unwanted = better
        .fold(Features::empty(), |unwanted, kernel| unwanted | (kernel.needs() - chosen.needs()));
    let cpu = Cpu::native().without(unwanted);
    cores(&cpu).into_iter().find(|cpu| std::ptr::eq(digest.kernel(cpu), chosen))
}

/// The CPU as it is, then with each other kind of core.
fn cores(cpu: &Cpu) -> Vec<Cpu> {
    let others =
        Cores::all().iter().filter(|core| *core != cpu.core()).map(|core| builder::on(cpu, core));
    [*cpu].into_iter().chain(others).collect()
}

/// Whether this is a kernel for one message.
pub fn takes_one(kernel: &Kernel) -> bool {
    !matches!(kernel.code(), Code::Lanes(..))
}

/// Under every mask of the features that kernels of this digest use, and on every kind of core: the
/// first kernel that the CPU can run and that suits the core is chosen, no other that it lacks can
/// be had, and the digests are the portable kernel's, of one message and of many.
pub fn masks(subject: &Subject<'_>, tally: &mut Tally) {
    if !subject.is_portable() {
        return;
    }
    let used: Vec<Features> = subject
        .digest
        .kernels()
        .fold(Features::empty(), |used, kernel| used | kernel.needs())
        .iter()
        .collect();
    let messages = [0, 1, 55, 111, 1000, 2 * subject.granule() + 1].map(pattern);
    let expected = messages.each_ref().map(|message| subject.expected(message));
    let (repeated, all_expected) =
        (messages.each_ref().map(Vec::as_slice).repeat(7), expected.concat().repeat(7));
    for mask in 0..1u32 << used.len() {
        let hidden = used
            .iter()
            .enumerate()
            .filter(|(bit, _)| mask >> bit & 1 == 1)
            .fold(Features::empty(), |all, (_, one)| all | *one);
        for cpu in cores(&Cpu::native().without(hidden)) {
            let ready = subject.digest.bind(&cpu);
            let had = subject.digest.kernels().all(|kernel| {
                let can = cpu.has(kernel.needs());
                kernel.bind(&cpu).is_some() == (can && takes_one(kernel))
                    && kernel.bind_many(&cpu).is_some() == (can && !takes_one(kernel))
            });
            let first = first(subject.digest, &cpu).name() == ready.name();
            let alike = messages.iter().zip(&expected).all(|(message, expected)| {
                let mut out = vec![0; expected.len()];
                subject.digest.digest_into(&ready, message, &mut out);
                out == *expected
            });
            let mut out = vec![0; all_expected.len()];
            digest_many_on(subject.digest, &cpu, Messages::Slices(&repeated), &mut out);
            let many = out == all_expected;
            tally.case(had && first && alike && many, || {
                let (core, name) = (cpu.core(), ready.name());
                format!(
                    "without {hidden} on {core:?}: {name} is chosen, had {had} first {first} \
                    alike {alike} many {many}"
                )
            });
        }
    }
}

/// The first kernel for one message that the CPU can run and that suits its core.
fn first(digest: &Digest, cpu: &Cpu) -> &'static Kernel {
    let mut kernels = digest.one.iter().filter(|kernel| cpu.has(kernel.needs()));
    kernels
        .find(|kernel| kernel.suits().contains(cpu.core()))
        .expect("a kernel needs nothing and suits every core")
}

/// Any length of an extendable digest is the beginning of any longer one, and the portable
/// kernel's.
pub fn extend(subject: &Subject<'_>, tally: &mut Tally) {
    if !subject.digest.extendable {
        return;
    }
    for len in [0, 1, 63, 64, 65, 135, 136, 137, 167, 168, 169, 1023, 1024, 1025, 5000] {
        let message = pattern(len);
        let mut longest = vec![0; 5001];
        subject.digest.digest_into(&subject.portable(), &message, &mut longest);
        for output_len in [
            0, 1, 2, 16, 31, 32, 33, 63, 64, 65, 127, 128, 129, 135, 136, 137, 167, 168, 169, 200,
            336, 1000, 4097, 5001,
        ] {
            let right = subject.extended(&message, output_len) == longest[..output_len];
            tally.case(right, || {
                format!("{output_len} bytes of the digest of {len} are not the first of 5001")
            });
        }
    }
}
