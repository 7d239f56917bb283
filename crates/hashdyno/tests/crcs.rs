//! The CRC of two messages is that of both in one.
#![cfg(feature = "crc")]

use hashdyno::{ALL, Digest, crc_combine, find};

fn message(len: usize) -> Vec<u8> {
    (0..len).map(|index| (index * 131 + (index >> 8)) as u8).collect()
}

/// Every digest that can be combined.
fn combined() -> impl Iterator<Item = &'static Digest> {
    let zeros = |digest: &Digest| vec![0; digest.output_len];
    ALL.into_iter()
        .filter(move |digest| crc_combine(digest, &zeros(digest), &zeros(digest), 0).is_some())
}

#[test]
fn every_crc_of_the_message_alone_can_be_combined() {
    let names: Vec<_> = combined().map(|digest| digest.name).collect();
    let expected: Vec<_> = ALL
        .into_iter()
        .filter(|digest| digest.family.starts_with("crc") && digest.name != "cksum")
        .map(|digest| digest.name)
        .collect();
    assert_eq!(names, expected);
}

#[test]
fn two_parts_give_the_whole() {
    let message = message(5000);
    for digest in combined() {
        for (at, len) in [(0, 0), (0, 9), (9, 9), (1, 2), (3, 1003), (4096, 5000), (2500, 5000)] {
            let (first, second) = message[..len].split_at(at);
            let both = crc_combine(
                digest,
                &digest.digest(first),
                &digest.digest(second),
                second.len() as u64,
            );
            let name = digest.name;
            assert_eq!(both, Some(digest.digest(&message[..len])), "{name}: {at} of {len}");
        }
    }
}

#[test]
fn lengths_beyond_memory_are_combined() {
    for digest in combined() {
        let join =
            |first: &[u8], second: &[u8], len| crc_combine(digest, first, second, len).unwrap();
        let zero = digest.digest(&[0]);
        // 2^40 bytes of 0 and one more, by doubling, behind a byte: in two steps and in one.
        let half = (0..39).fold(zero.clone(), |zeros, power| join(&zeros, &zeros, 1 << power));
        let all = join(&join(&half, &half, 1 << 39), &zero, 1);
        let start = digest.digest(b"a");
        let twice = join(&join(&start, &half, 1 << 39), &join(&half, &zero, 1), (1 << 39) + 1);
        assert_eq!(join(&start, &all, (1 << 40) + 1), twice, "{}", digest.name);
    }
}

#[test]
#[should_panic(expected = "crc64-nvme gives 8 bytes, not 4")]
fn a_crc_of_another_length_is_refused() {
    crc_combine(find("crc64-nvme").unwrap(), &[0; 8], &[0; 4], 1);
}
