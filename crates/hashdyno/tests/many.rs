//! Many messages at a time, in every layout.

use hashdyno::{ALL, Cpu, Messages, ReadyLanes, digest_many, digest_many_by};

/// Every kernel for many of every digest, with more messages than are put in order at a time, in
/// every layout, as one by one.
#[test]
fn more_messages_than_a_window_in_every_layout() {
    for longest in [7, 200] {
        // Divided, so that no length returns to the same lane again and again.
        let lens = (0..1500).map(|number| number * 7919 / 13 % (longest + 1));
        let mut offsets = vec![0];
        offsets.extend(lens.scan(0, |end, len| {
            *end += len;
            Some(*end)
        }));
        let large: Vec<i64> = offsets.iter().map(|offset| i64::from(*offset)).collect();
        let data: Vec<u8> = (0..offsets[1500]).map(|at| (at % 251) as u8).collect();
        let slices: Vec<&[u8]> =
            offsets.windows(2).map(|pair| &data[pair[0] as usize..pair[1] as usize]).collect();
        each_as_one_by_one(Messages::Slices(&slices));
        each_as_one_by_one(Messages::Offsets { data: &data, offsets: &offsets });
        each_as_one_by_one(Messages::LargeOffsets { data: &data, offsets: &large });
        each_as_one_by_one(Messages::Offsets { data: &data, offsets: &offsets }.range(3..40));
        each_as_one_by_one(Messages::Rows { data: &data[..5 * 1030], width: 5 });
        let (rows, width) = (&data[..5 * 40], 5);
        each_as(
            Messages::Rows { data: rows, width }.range(3..40),
            Messages::Rows { data: &rows[3 * width..], width },
            |_| true,
        );
    }
}

/// No offsets are no messages, and so is a range of none of them.
#[test]
fn a_range_of_no_messages() {
    let offsets = [0_i32, 2];
    for offsets in [&offsets[..0], &offsets[..1], &offsets] {
        let large: Vec<i64> = offsets.iter().map(|offset| i64::from(*offset)).collect();
        assert!(Messages::Offsets { data: b"ab", offsets }.range(0..0).is_empty());
        assert!(Messages::LargeOffsets { data: b"ab", offsets: &large }.range(0..0).is_empty());
    }
    // A panic ends a module of WebAssembly.
    #[cfg(not(target_family = "wasm"))]
    assert!(
        std::panic::catch_unwind(|| Messages::Offsets { data: b"", offsets: &[] }.range(0..1))
            .is_err()
    );
}

/// `digest_many` chooses the kernel by the number of messages: few, and more than lanes. Digests
/// of 13 bytes, too, where that length can be asked for: they end within a word.
#[test]
fn in_one_call() {
    let of_13_bytes = ALL.into_iter().filter_map(|digest| digest.of_bits(8 * 13).ok());
    for digest in ALL.into_iter().chain(of_13_bytes) {
        for count in [0, 1, 5, 70] {
            let messages: Vec<_> =
                (0..count).map(|number| vec![number as u8; number * 3 % 80]).collect();
            let slices: Vec<_> = messages.iter().map(|message| &message[..]).collect();
            let each: Vec<u8> =
                messages.iter().flat_map(|message| digest.digest(message).to_vec()).collect();
            assert_eq!(Messages::Slices(&slices).is_empty(), count == 0);
            assert_eq!(digest_many(digest, &slices), each, "{}", digest.name);
            #[cfg(feature = "rayon")]
            assert_eq!(hashdyno::par_digest_many(digest, &slices), each, "{}", digest.name);
        }
    }
}

/// Messages of one length share what their padding has in common: every length of two blocks and
/// more, some lanes left over; without a byte behind the last, which no kernel reads.
#[test]
fn rows_of_every_width() {
    let data: Vec<u8> = (0..35 * 290).map(|at| (at % 251) as u8).collect();
    for width in (1..=290).filter(|width| width % 8 < 2 || width % 16 == 15 || *width < 66) {
        each_as_one_by_one(Messages::Rows { data: &data[data.len() - 35 * width..], width });
    }
}

/// Messages of up to many blocks, and of some chunks of BLAKE3: the lanes end far from each other.
#[test]
fn long_messages_of_unlike_lengths() {
    let data: Vec<u8> = (0..10_000).map(|at| (at % 251) as u8).collect();
    for most in [10_000, 3000] {
        let slices: Vec<&[u8]> =
            (0..70).map(|number| &data[number..][..number * 1021 % (most - 70)]).collect();
        each_as_one_by_one(Messages::Slices(&slices));
    }
}

/// Every lane has a message of its own length, in an order of addresses that is not that of the
/// lanes. A fourth of the messages ends before the others by more than 4 KiB, then by more than 64
/// KiB: a kernel with a limit between lanes would meet it.
#[test]
fn lanes_that_end_far_apart() {
    const FARTHEST: usize = 8191;
    let data: Vec<u8> = (0..70_000 + 64 * FARTHEST).map(|at| (at % 251) as u8).collect();
    for longest in [8000, 70_000] {
        for lanes in [2, 4, 8, 16, 24, 32, 64] {
            let len = |lane: usize| if lane % 4 == 1 { lane * 37 } else { longest - 13 * lane };
            let slices: Vec<&[u8]> =
                (0..lanes).map(|lane| &data[(lanes - lane) * FARTHEST..][..len(lane)]).collect();
            each_as(Messages::Slices(&slices), Messages::Slices(&slices), |kernel| {
                kernel.lanes() == lanes
            });
        }
    }
}

/// Messages before and behind the first 4 GiB of their buffer. All pages but the last are the
/// system's page of zeros.
#[cfg(target_pointer_width = "64")]
#[test]
fn large_offsets_beyond_4_gib() {
    use region::Protection;
    const LIMIT: usize = 1 << 32;
    const BESIDE: usize = 1 << 16;
    let mut pages = region::alloc(LIMIT + BESIDE, Protection::READ).expect("there are addresses");
    let start = pages.as_mut_ptr::<u8>().wrapping_add(LIMIT - BESIDE);
    let known: Vec<u8> = (0..2 * BESIDE).map(|at| (at % 251) as u8).collect();
    // SAFETY: the last bytes of the allocation, whole pages and as many as `known` has, which
    // nobody borrows yet.
    let data = unsafe {
        region::protect(start, known.len(), Protection::READ_WRITE)
            .expect("pages can be protected");
        start.copy_from_nonoverlapping(known.as_ptr(), known.len());
        std::slice::from_raw_parts(pages.as_ptr::<u8>(), LIMIT + BESIDE)
    };
    for longest in [7, 150] {
        let mut place = BESIDE - 50 * longest / 2;
        let lens = (0..100).map(|number| number * 7919 % (longest + 1));
        let slices: Vec<&[u8]> = lens
            .map(|len| {
                place += len;
                &known[place - len..place]
            })
            .collect();
        let ends = slices.iter().scan(LIMIT - 50 * longest / 2, |end, slice| {
            *end += slice.len();
            Some(*end as i64)
        });
        let offsets: Vec<i64> =
            [(LIMIT - 50 * longest / 2) as i64].into_iter().chain(ends).collect();
        assert!(offsets[10] < LIMIT as i64 && offsets[90] > LIMIT as i64);
        each_as(
            Messages::LargeOffsets { data, offsets: &offsets },
            Messages::Slices(&slices),
            |_| true,
        );
    }
}

fn each_as_one_by_one(messages: Messages<'_>) {
    each_as(messages, messages, |_| true);
}

/// Every such kernel for many of every digest, and the one for one, give of `messages` what the
/// kernel for one gives of `same`.
fn each_as(messages: Messages<'_>, same: Messages<'_>, such: impl Fn(&ReadyLanes) -> bool) {
    for digest in ALL {
        let (cpu, one) = (Cpu::native(), digest.bind(Cpu::native()));
        let kernels: Vec<_> = digest.ready_lanes(cpu).filter(&such).collect();
        if kernels.is_empty() {
            continue;
        }
        let mut expected = vec![0; messages.len() * digest.output_len];
        digest_many_by(digest, None, &one, same, &mut expected);
        for many in kernels.iter().map(Some).chain([None]) {
            let mut out = vec![0x55; expected.len()];
            digest_many_by(digest, many, &one, messages, &mut out);
            assert!(out == expected, "{} by {many:?}", digest.name);
        }
    }
}

#[cfg(all(feature = "rayon", feature = "full"))]
#[test]
fn all_cores_give_what_one_gives() {
    let data: Vec<u8> = (0..200_000).map(|at| (at % 251) as u8).collect();
    for (name, count) in [("md5", 0), ("md5", 1), ("sha256", 63), ("md5", 1000), ("xxh64", 10_000)]
    {
        let digest = hashdyno::find(name).unwrap();
        let slices: Vec<&[u8]> =
            (0..count).map(|number| &data[number..number + number * 7919 % 601]).collect();
        let mut out = [vec![0; count * digest.output_len], vec![0x55; count * digest.output_len]];
        hashdyno::digest_many_on(digest, Cpu::native(), Messages::Slices(&slices), &mut out[0]);
        hashdyno::par_digest_many_on(digest, Cpu::native(), Messages::Slices(&slices), &mut out[1]);
        assert_eq!(out[0], out[1], "{name} of {count} messages");
    }
}

/// A run has 4096 messages at most, so this number of messages makes more than nine runs in a pool
/// of few threads. One core takes all of them in one call.
#[cfg(all(feature = "rayon", feature = "full"))]
#[test]
fn every_run_of_pools_of_few_threads() {
    let data: Vec<u8> = (0..5000).map(|at| (at % 251) as u8).collect();
    let slices: Vec<&[u8]> =
        (0..45_000).map(|number| &data[number % 4001..][..number * 7919 % 41]).collect();
    for name in ["md5", "xxh64"] {
        let digest = hashdyno::find(name).unwrap();
        let expected: Vec<u8> = slices.iter().flat_map(|message| digest.digest(message)).collect();
        let mut out = vec![0x55; expected.len()];
        hashdyno::digest_many_on(digest, Cpu::native(), Messages::Slices(&slices), &mut out);
        assert!(out == expected, "{name} in one call");
        for threads in 1..=3 {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut out = vec![0x55; expected.len()];
            pool.install(|| {
                hashdyno::par_digest_many_on(
                    digest,
                    Cpu::native(),
                    Messages::Slices(&slices),
                    &mut out,
                )
            });
            assert!(out == expected, "{name} by {threads} threads");
        }
    }
}
