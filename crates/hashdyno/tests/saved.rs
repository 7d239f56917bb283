//! A running hash of every digest goes on after it was saved, and damage is noticed.

use hashdyno::{ALL, Hasher, MAX_BLOCK_LEN};

const LENGTHS: [usize; 8] =
    [0, 1, 31, 64, 129, MAX_BLOCK_LEN, MAX_BLOCK_LEN + 1, 5 * MAX_BLOCK_LEN + 777];

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

/// With a checksum that is right: lengths that do not belong together are refused all the same.
#[test]
#[cfg(feature = "xxhash")]
fn lengths_that_do_not_belong_together_are_refused() {
    let sum = hashdyno::find("xxh64").expect("the feature is on");
    for digest in ALL {
        let mut hasher = Hasher::new(digest);
        hasher.update(&message()[..digest.block_len + 1]);
        let saved = hasher.save();
        let (message_len, state_len) = (2 + digest.name.len(), 10 + digest.name.len());
        for (longer_message, longer_state) in [(1, 0), (0, 1), (1, -1), (0, 0)] {
            let mut body = saved[..saved.len() - 8].to_vec();
            let len = &mut body[message_len..state_len];
            let forged = u64::from_ne_bytes(len.try_into().unwrap()) + longer_message;
            len.copy_from_slice(&forged.to_ne_bytes());
            let len = &mut body[state_len..state_len + 2];
            let forged = i32::from(u16::from_ne_bytes(len.try_into().unwrap())) + longer_state;
            len.copy_from_slice(&(forged as u16).to_ne_bytes());
            body.extend_from_slice(&sum.digest(&body));
            let is_sound = longer_message == 0 && longer_state == 0;
            let restored = Hasher::restore(&body);
            // Of blocks of one byte, another message may have such a state.
            if digest.block_len > 2 || is_sound {
                assert_eq!(restored.is_ok(), is_sound, "{} {longer_state}", digest.name);
            }
        }
    }
}

/// A message of more than 4 GiB goes on, where words have 32 bits, too. One that no counter could
/// follow is refused.
#[test]
#[cfg(feature = "xxhash")]
fn lengths_are_restored_up_to_what_can_be_counted() {
    let sum = hashdyno::find("xxh64").expect("the feature is on");
    for digest in ALL {
        let mut hasher = Hasher::new(digest);
        hasher.update(&message()[..digest.block_len + 1]);
        let saved = hasher.save();
        let restored = |more: u64| {
            let mut body = saved[..saved.len() - 8].to_vec();
            let len = &mut body[2 + digest.name.len()..][..8];
            len.copy_from_slice(&(digest.block_len as u64 + 1 + more).to_ne_bytes());
            body.extend_from_slice(&sum.digest(&body));
            Hasher::restore(&body)
        };
        let blocks = |bytes: u64| bytes / digest.block_len as u64 * digest.block_len as u64;
        let long = restored(blocks(5 << 30));
        // A tree's state tells how many blocks it has taken.
        assert!(long.is_ok() || ["blake3", "kangarootwelve"].contains(&digest.family));
        for mut hasher in [long, restored(blocks((1 << 63) - 5000))].into_iter().flatten() {
            hasher.update(&message());
            hasher.finish();
        }
        for more in [1 << 63, u64::MAX - 5000] {
            assert!(restored(blocks(more)).is_err(), "{} of {more} bytes more", digest.name);
        }
    }
}
