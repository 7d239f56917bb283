//! Batches under a key, by definition: HMAC is two digests (RFC 2104), PBKDF2 is HMACs (RFC 8018).
//! `keyed_messages` and `derived_keys` have other modes and known answers. This one is compiled
//! with a single family, for campaigns that build the library anew for each run.
#![cfg(feature = "md5")]

use hashdyno::{Digest, Hasher, Key, pbkdf2_many};

fn md5() -> &'static Digest {
    hashdyno::find("md5").expect("the feature is on")
}

fn hmac(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut block = [0; 64];
    block[..key.len()].copy_from_slice(key);
    let digest = |pad: u8, text: &[u8]| {
        let mut hasher = Hasher::new(md5());
        hasher.update(&block.map(|byte| byte ^ pad));
        hasher.update(text);
        hasher.finish().to_vec()
    };
    digest(0x5c, &digest(0x36, message))
}

#[test]
fn many_messages_under_a_key() {
    let key = Key::hmac(md5(), b"a key").unwrap();
    for (count, longest) in [(1, 9), (3, 200), (40, 7), (40, 130), (100, 300), (1100, 70)] {
        let messages: Vec<_> =
            (0..count).map(|number| vec![number as u8; number * 37 % (longest + 1)]).collect();
        let slices: Vec<_> = messages.iter().map(|message| &message[..]).collect();
        let codes = key.digest_many(&slices);
        for (number, (message, code)) in messages.iter().zip(codes.chunks_exact(16)).enumerate() {
            assert_eq!(code, hmac(b"a key", message), "{number} of {count} up to {longest} bytes");
        }
    }
}

#[test]
fn many_derived_keys() {
    for count in [1, 2, 17, 40] {
        let passwords: Vec<_> = (0..count).map(|number| vec![b'p'; number + 1]).collect();
        let slices: Vec<_> = passwords.iter().map(|password| &password[..]).collect();
        let salts = vec![&b"salt"[..]; count];
        let mut keys = vec![0; 24 * count];
        pbkdf2_many(md5(), (&slices).into(), (&salts).into(), 3, &mut keys).unwrap();
        for (password, key) in passwords.iter().zip(keys.chunks_exact(24)) {
            let mut expected = Vec::new();
            for block in 1..=2u32 {
                let mut code = hmac(password, &[b"salt", &block.to_be_bytes()[..]].concat());
                let mut all = code.clone();
                for _ in 1..3 {
                    code = hmac(password, &code);
                    all.iter_mut().zip(&code).for_each(|(all, byte)| *all ^= byte);
                }
                expected.extend(all);
            }
            assert_eq!(key, &expected[..24], "{} bytes", password.len());
        }
    }
}
