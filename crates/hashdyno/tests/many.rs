//! Many messages at a time, in every layout.

use hashdyno::{ALL, Cpu, Messages, digest_many_by};

/// Every kernel for many of every digest, with more messages than are put in order at a time, in every layout, as one by one.
#[test]
fn more_messages_than_a_window_in_every_layout() {
    for longest in [7, 200] {
        let lens = (0..1500).map(|number| number * 7919 % (longest + 1));
        let mut offsets = vec![0];
        offsets.extend(lens.scan(0, |end, len| {
            *end += len;
            Some(*end)
        }));
        let large: Vec<i64> = offsets.iter().map(|offset| i64::from(*offset)).collect();
        let data: Vec<u8> = (0..offsets[1500]).map(|at| (at % 251) as u8).collect();
        let slices: Vec<&[u8]> = offsets.windows(2).map(|pair| &data[pair[0] as usize..pair[1] as usize]).collect();
        each_as_one_by_one(Messages::Slices(&slices));
        each_as_one_by_one(Messages::Offsets { data: &data, offsets: &offsets });
        each_as_one_by_one(Messages::LargeOffsets { data: &data, offsets: &large });
        each_as_one_by_one(Messages::Offsets { data: &data, offsets: &offsets }.range(3..40));
        each_as_one_by_one(Messages::Rows { data: &data[..5 * 1030], width: 5 });
    }
}

/// Messages of one length share what their padding has in common: every length of two blocks and more, some lanes left over; without a
/// byte behind the last, which no kernel reads.
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
        let slices: Vec<&[u8]> = (0..70).map(|number| &data[number..][..number * 1021 % (most - 70)]).collect();
        each_as_one_by_one(Messages::Slices(&slices));
    }
}

fn each_as_one_by_one(messages: Messages<'_>) {
    for digest in ALL {
        let (cpu, one) = (Cpu::native(), digest.bind(Cpu::native()));
        let mut expected = vec![0; messages.len() * digest.output_len];
        digest_many_by(digest, None, &one, messages, &mut expected);
        for many in digest.kernels.iter().filter_map(|kernel| kernel.bind_many(cpu)) {
            let mut out = vec![0x55; expected.len()];
            digest_many_by(digest, Some(&many), &one, messages, &mut out);
            assert!(out == expected, "{} by {}", digest.name, many.name());
        }
    }
}

#[cfg(feature = "rayon")]
#[test]
fn all_cores_give_what_one_gives() {
    let data: Vec<u8> = (0..200_000).map(|at| (at % 251) as u8).collect();
    for (name, count) in [("md5", 0), ("md5", 1), ("sha256", 63), ("md5", 1000), ("xxh64", 10_000)] {
        let digest = hashdyno::find(name).unwrap();
        let slices: Vec<&[u8]> = (0..count).map(|number| &data[number..number + number * 7919 % 601]).collect();
        let mut out = [vec![0; count * digest.output_len], vec![0x55; count * digest.output_len]];
        hashdyno::digest_many(digest, Cpu::native(), Messages::Slices(&slices), &mut out[0]);
        hashdyno::par_digest_many(digest, Cpu::native(), Messages::Slices(&slices), &mut out[1]);
        assert_eq!(out[0], out[1], "{name} of {count} messages");
    }
}
