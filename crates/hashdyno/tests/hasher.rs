//! What a hasher says of itself, and what it is to the standard library.
#![cfg(feature = "md5")]

use std::io::Write;

use hashdyno::{FittedHasher, Hasher};

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
