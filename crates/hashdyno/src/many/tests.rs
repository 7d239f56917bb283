#![cfg(feature = "md5")]

use super::groups::least_full;
use super::*;
use crate::MD5;

/// Messages of zeros of these lengths.
fn messages(lens: &[usize]) -> Vec<&'static [u8]> {
    const ZEROS: &[u8] = &[0; 4096];
    lens.iter().map(|len| &ZEROS[..*len]).collect()
}

#[test]
fn lanes_are_full_enough_above_a_share_of_them() {
    for (lanes, sixteenths, expected) in [(4, 3, 1), (8, 4, 3), (16, 2, 3), (24, 3, 5), (8, 14, 8)]
    {
        assert_eq!(least_full(lanes, sixteenths), expected, "{sixteenths}/16 of {lanes} lanes");
    }
}

#[test]
fn a_message_longer_than_its_group_is_digested_alone() {
    // A message's work is its length and 64.
    for (lens, min_fill, groups, alone) in [
        // As many messages as lanes, of like work.
        (&[100, 60, 60, 60][..], 4, &[[0, 1, 2, 3]][..], &[][..]),
        // The longest is twice the work of the shortest, then more.
        (&[192, 64, 64, 64], 3, &[[0, 1, 2, 3]], &[]),
        (&[193, 64, 64, 64], 3, &[[1, 2, 3, 1]], &[0]),
        // The shorter ones are a group when the longest is digested.
        (&[1000, 64, 64, 64], 3, &[[1, 2, 3, 1]], &[0]),
        (&[1000, 500, 10, 10], 3, &[], &[0, 1, 2, 3]),
        (&[1000, 500, 10, 10], 2, &[[2, 3, 2, 2]], &[0, 1]),
        // Fewer messages than lanes.
        (&[10, 10, 10], 3, &[[0, 1, 2, 0]], &[]),
        (&[10, 10], 3, &[], &[0, 1]),
        (&[10, 10, 10, 10, 200], 1, &[[4, 0, 1, 2], [3, 3, 3, 3]], &[]),
    ] {
        let slices = messages(lens);
        let mut out = vec![0; 16 * lens.len()];
        let one = MD5.bind(Cpu::native());
        let mut batch = Batch::new(MD5, &one, Messages::Slices(&slices), &mut out);
        let mut taken = batch.groups::<4, _>(min_fill, |len| len / 16);
        let mut found = Vec::new();
        while let Some(group) = taken.next(&mut batch) {
            found.push(group.map(|(number, _)| number));
        }
        assert_eq!(found, groups, "groups of {lens:?}, of {min_fill} at least");
        let written = out.chunks(16).enumerate().filter(|(_, digest)| digest != &[0; 16]);
        assert!(written.map(|(number, _)| number).eq(alone.iter().copied()), "{lens:?}: {out:?}");
    }
}

#[test]
fn a_batch_knows_its_longest_message() {
    let one = MD5.bind(Cpu::native());
    for (lens, longest) in [(&[][..], 0), (&[3], 3), (&[3, 10, 5], 10), (&[0, 7], 7)] {
        let slices = messages(lens);
        let mut out = vec![0; 16 * lens.len()];
        let batch = Batch::new(MD5, &one, Messages::Slices(&slices), &mut out);
        assert_eq!(batch.longest(), longest, "of {lens:?}");
        assert!(!batch.is_begun());
    }
}

#[test]
fn the_last_bytes_of_a_chain_come_first() {
    let chain: [u64; 4] = crate::parts::arrays::from_fn(|word| {
        0x0706_0504_0302_0100 + word as u64 * 0x0808_0808_0808_0808
    });
    let bytes: Vec<u8> = chain.iter().flat_map(|word| word.to_le_bytes()).collect();
    for len in (4..=32).step_by(4) {
        let last: Vec<u8> =
            last_bytes(chain, len).iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(last[..len], bytes[32 - len..], "{len} bytes");
    }
}

#[cfg(feature = "rayon")]
#[test]
fn threads_take_runs_of_like_number() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    // Four runs for each thread; of 64 messages at least, of 4096 at most.
    for (count, expected) in [(0, &[][..]), (10, &[10]), (100, &[64, 36]), (1024, &[128; 8])] {
        let data = vec![0; 3 * count];
        let mut out = vec![0; 2 * count];
        let runs = std::sync::Mutex::new(Vec::new());
        pool.install(|| {
            in_runs(2, Messages::Rows { data: &data, width: 3 }, &mut out, |messages, out| {
                assert_eq!(out.len(), 2 * messages.len());
                runs.lock().expect("no test panics").push(messages.len());
            });
        });
        let mut runs = runs.into_inner().expect("no test panics");
        runs.sort_by_key(|len| std::cmp::Reverse(*len));
        assert_eq!(runs, expected, "runs of {count} messages");
    }
}

#[test]
fn a_turn_begins_with_the_messages_of_most_blocks() {
    let slices = messages(&[64, 640, 64, 640]);
    let mut chains = [0; 4 * 16];
    let one = MD5.bind(Cpu::native());
    let mut batch = Batch::of_chains(MD5, &one, &slices, &mut chains);
    let mut turns = running::turns(batch.messages, 16, 64, 2, 1);
    assert_eq!(turns.next(&mut batch), Some(10));
    assert_eq!(turns.next(&mut batch), Some(1));
    assert_eq!(turns.next(&mut batch), None);
}
