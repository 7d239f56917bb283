//! Batches under a key, by definition: HMAC is two digests (RFC 2104), PBKDF2 is HMACs (RFC 8018).
//! `keyed_messages` and `derived_keys` have other modes and known answers. This one takes the
//! families that are there, for campaigns that build the library anew for each run.
#![cfg(feature = "md5")]

use hashdyno::{ALL, Digest, Hasher, Key, Messages, Output, pbkdf2_many};

const SECRET: &[u8] = b"a key";

/// The digests that HMAC takes, and their keys.
fn keys() -> impl Iterator<Item = (&'static Digest, Key)> {
    ALL.into_iter().filter_map(|digest| Some((digest, Key::hmac(digest, SECRET).ok()?)))
}

fn hmac(digest: &'static Digest, key: &[u8], message: &[u8]) -> Output {
    let mut block = vec![0; digest.hmac_block_len()];
    block[..key.len()].copy_from_slice(key);
    let with = |pad: u8, text: &[u8]| {
        let mut hasher = Hasher::new(digest);
        hasher.update(&block.iter().map(|byte| byte ^ pad).collect::<Vec<_>>());
        hasher.update(text);
        hasher.finish()
    };
    with(0x5c, &with(0x36, message))
}

/// `count` messages of at most `longest` bytes. The last one has `more` bytes beyond its length.
fn messages(count: usize, longest: usize, more: usize) -> Vec<Vec<u8>> {
    let len = |number| number * 37 % (longest + 1) + if number + 1 == count { more } else { 0 };
    (0..count).map(|number| vec![number as u8; len(number)]).collect()
}

#[test]
fn md5_is_among_them() {
    assert!(keys().any(|(digest, _)| digest.name == "md5"));
}

#[test]
fn many_messages_under_a_key() {
    for (count, longest, more) in
        [(1, 9, 0), (3, 200, 0), (40, 7, 0), (40, 130, 5000), (100, 300, 0), (1100, 70, 0)]
    {
        let messages = messages(count, longest, more);
        let slices: Vec<_> = messages.iter().map(|message| &message[..]).collect();
        each_under_a_key(Messages::Slices(&slices));
    }
}

#[test]
fn rows_under_a_key() {
    let data: Vec<u8> = (0..100 * 65).map(|at| (at % 251) as u8).collect();
    for width in [1, 5, 7, 8, 64, 65] {
        each_under_a_key(Messages::Rows { data: &data[..100 * width], width });
    }
}

/// Codes of a batch are those of its messages by definition, under the key of every digest.
fn each_under_a_key(messages: Messages<'_>) {
    for (digest, key) in keys() {
        let codes = key.digest_many(messages);
        for (number, code) in codes.chunks_exact(digest.output_len).enumerate() {
            let expected = hmac(digest, SECRET, messages.message(number));
            let (name, count) = (digest.name, messages.len());
            assert_eq!(code, &*expected, "{name}: {number} of {count}");
        }
    }
}

#[test]
fn many_derived_keys() {
    for count in [1, 2, 17, 40] {
        let passwords: Vec<_> = (0..count).map(|number| vec![b'p'; number % 13 + 1]).collect();
        let slices: Vec<_> = passwords.iter().map(|password| &password[..]).collect();
        let salts = vec![&b"salt"[..]; count];
        for (digest, _) in keys() {
            let mut derived = vec![0; 24 * count];
            pbkdf2_many(digest, (&slices).into(), (&salts).into(), 3, &mut derived).unwrap();
            for (password, key) in passwords.iter().zip(derived.chunks_exact(24)) {
                assert_eq!(key, pbkdf2(digest, password), "{}: {password:?}", digest.name);
            }
        }
    }
}

/// 24 bytes of three rounds.
fn pbkdf2(digest: &'static Digest, password: &[u8]) -> Vec<u8> {
    let mut key = Vec::new();
    for block in 1..=24_usize.div_ceil(digest.output_len) {
        let mut code =
            hmac(digest, password, &[b"salt", &(block as u32).to_be_bytes()[..]].concat());
        let mut all = code.to_vec();
        for _ in 1..3 {
            code = hmac(digest, password, &code);
            all.iter_mut().zip(&*code).for_each(|(all, byte)| *all ^= byte);
        }
        key.extend(all);
    }
    key.truncate(24);
    key
}
