//! What a hasher says of itself, and what it is to the standard library.
#![cfg(feature = "md5")]

use std::io::Write;

use hashdyno::{FittedHasher, Hasher, update_many};

fn md5() -> Hasher {
    Hasher::new(hashdyno::find("md5").expect("the feature is on"))
}

#[test]
fn it_is_as_long_as_its_documentation_says() {
    assert_eq!(FittedHasher::size(md5().digest()), 176);
    let size = size_of::<Hasher>();
    assert!((2 << 10..4 << 10).contains(&size), "{size} bytes, where 3 KiB are documented");
}

#[test]
#[should_panic(expected = "md5 gives 16 bytes, not 15")]
fn a_digest_of_another_length_is_refused() {
    md5().finish_into(&mut [0; 15]);
}

#[test]
fn what_is_written_is_hashed() {
    let mut hasher = md5();
    assert_eq!(hasher.write(b"mess").unwrap(), 4);
    let fitted: &mut FittedHasher = &mut hasher;
    assert_eq!(fitted.write(b"age").unwrap(), 3);
    fitted.flush().unwrap();
    hasher.flush().unwrap();
    assert_eq!(hasher.message_len(), 7);
    assert_eq!(hasher.finish(), md5().digest().digest(b"message"));
}

#[test]
fn it_tells_digest_and_kernel_but_no_message() {
    let mut hasher = md5();
    hasher.update(b"secret");
    for told in [format!("{hasher:?}"), format!("{:?}", &*hasher)] {
        assert!(told.contains("md5") && told.contains(hasher.kernel().name()), "{told}");
        assert!(!told.contains("secret"), "{told}");
    }
}

/// The hashers of each digest are in no order, and each has another message.
#[test]
fn pieces_of_many_messages_reach_their_hashers() {
    let digests: Vec<_> = hashdyno::ALL.into_iter().take(3).collect();
    let message =
        |number: usize, round: usize| vec![number as u8; (number * 13 + round * 97) % 211];
    for count in [0, 1, 2, 7, 23, 71] {
        let digest = |number: usize| digests[number * number % digests.len()];
        let mut hashers: Vec<_> = (0..count).map(|number| Hasher::new(digest(number))).collect();
        for round in 0..3 {
            let messages: Vec<_> = (0..count).map(|number| message(number, round)).collect();
            let pieces: Vec<_> = messages.iter().map(|message| &message[..]).collect();
            let mut each: Vec<&mut FittedHasher> =
                hashers.iter_mut().map(|hasher| &mut **hasher).collect();
            update_many(&mut each, &pieces);
        }
        for (number, hasher) in hashers.into_iter().enumerate() {
            let whole = [message(number, 0), message(number, 1), message(number, 2)].concat();
            assert_eq!(hasher.finish(), digest(number).digest(&whole), "{number} of {count}");
        }
    }
}
