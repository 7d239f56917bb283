//! A running hash of every digest goes on after it was saved, and damage is noticed.

use hashdyno::{ALL, Hasher, MAX_BLOCK_LEN};

const LENGTHS: [usize; 8] =
    [0, 1, 31, 64, 129, MAX_BLOCK_LEN, MAX_BLOCK_LEN + 1, 5 * MAX_BLOCK_LEN + 77];

fn message() -> Vec<u8> {
    (0..8 * MAX_BLOCK_LEN).map(|index| (index % 251) as u8).collect()
}

#[test]
fn it_goes_on_where_it_was() {
    let message = message();
    for digest in ALL {
        for len in LENGTHS {
            let mut hasher = Hasher::new(digest);
            hasher.update(&message[..len]);
            assert_eq!(hasher.message_len(), len as u64);
            let mut restored = Hasher::restore(&hasher.save()).unwrap();
            assert_eq!(restored.message_len(), len as u64);
            restored.update(&message[len..]);
            assert_eq!(
                restored.finish(),
                digest.digest(&message),
                "{} after {len} bytes",
                digest.name
            );
        }
    }
}

#[test]
fn every_damaged_byte_and_every_cut_is_noticed() {
    for digest in ALL {
        let mut hasher = Hasher::new(digest);
        hasher.update(&message()[..MAX_BLOCK_LEN + 1]);
        let saved = hasher.save();
        for at in 0..saved.len() {
            let mut damaged = saved.clone();
            damaged[at] ^= 0x10;
            assert!(Hasher::restore(&damaged).is_err(), "{}: byte {at} is damaged", digest.name);
            assert!(
                Hasher::restore(&saved[..at]).is_err(),
                "{}: cut after {at} bytes",
                digest.name
            );
        }
    }
}

#[test]
fn a_hasher_that_finished_begins_anew() {
    for digest in ALL {
        let mut hasher = Hasher::new(digest);
        let mut out = vec![0; digest.output_len];
        for message in [&message()[..3000], b"", b"abc"] {
            hasher.update(message);
            hasher.finish_reset(&mut out);
            assert_eq!(out, *digest.digest(message), "{}", digest.name);
        }
    }
}
