//! Every public item, used by safe code alone: `campaigns/miri` runs it under Miri, which sees
//! undefined behaviour.
#![cfg(feature = "full")]
#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::hash::Hasher as _;
use std::io::Write;
use std::mem::MaybeUninit;
use std::panic::catch_unwind;

use hashdyno::typed::{self, Typed, Value};
use hashdyno::{
    ALL, BLAKE3, BuildMapHasher, Cpu, Features, FittedHasher, Hasher, MAX_BLOCK_LEN,
    MAX_OUTPUT_LEN, MapHasher, Messages, Output, Security, TooLong, TypedHasher, blake2b, crc32b,
    crc64_xz, digest_many, digest_many_by, digest_many_on, find, hex, update_many, update_many_by,
    xxh3, xxh32, xxh64, xxh128,
};

/// A message of that length.
fn message(len: usize) -> Vec<u8> {
    (0..len).map(|at| (at % 251) as u8).collect()
}

/// Under Miri an instruction takes a microsecond.
const LENGTHS: &[usize] = if cfg!(miri) {
    &[0, 1, 63, 130]
} else {
    &[0, 1, 55, 56, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025, 3000]
};

#[test]
fn every_digest_by_every_kernel_in_one_call_and_in_pieces() {
    for digest in ALL {
        assert!(digest.output_len <= MAX_OUTPUT_LEN && digest.block_len <= MAX_BLOCK_LEN);
        for len in LENGTHS {
            let message = message(*len);
            let expected = digest.digest(&message);
            for ready in digest.ready(Cpu::native()) {
                let mut out = vec![0; digest.output_len];
                digest.digest_into(&ready, &message, &mut out);
                assert_eq!(out, *expected, "{} by {}", digest.name, ready.name());
                let mut hasher = Hasher::with_kernel(digest, ready);
                message.chunks(17).for_each(|piece| hasher.update(piece));
                let saved = hasher.save();
                let restored = Hasher::restore(&saved).expect("it was saved here");
                assert_eq!(
                    (hasher.clone().finish(), restored.finish()),
                    (expected.clone(), expected.clone())
                );
                hasher.reset();
                assert_eq!(hasher.finish(), digest.digest(b""));
            }
        }
    }
}

#[test]
fn many_messages_in_every_layout() {
    let count = if cfg!(miri) { 5 } else { 100 };
    let owned: Vec<_> = (0..count).map(|at| message(at * 7 % 70)).collect();
    let slices: Vec<_> = owned.iter().map(Vec::as_slice).collect();
    let data = owned.concat();
    let ends = owned.iter().scan(0, |end, message| {
        *end += message.len();
        Some(*end)
    });
    let offsets: Vec<i32> = [0].into_iter().chain(ends.map(|end| end as i32)).collect();
    let large: Vec<i64> = offsets.iter().map(|&at| at.into()).collect();
    // The layouts are code that digests have in common.
    for digest in ALL.into_iter().step_by(if cfg!(miri) { 10 } else { 1 }) {
        let mut out = vec![0; count * digest.output_len];
        let expected: Vec<u8> = owned.iter().flat_map(|message| digest.digest(message)).collect();
        for messages in [
            Messages::Slices(&slices),
            Messages::Offsets { data: &data, offsets: &offsets },
            Messages::LargeOffsets { data: &data, offsets: &large },
        ] {
            digest_many_on(digest, Cpu::native(), messages, &mut out);
            assert_eq!(out, expected, "{}", digest.name);
            assert_eq!(digest_many(digest, messages), expected);
            let many = digest.bind_many(Cpu::native(), count);
            assert!(many.is_none_or(|many| many.lanes() > 1 && !many.name().is_empty()));
            digest_many_by(digest, many.as_ref(), &digest.bind(Cpu::native()), messages, &mut out);
            assert_eq!(out, expected);
            assert!(!messages.is_empty() && messages.range(1..3).message(0) == slices[1]);
        }
    }
}

#[test]
fn many_messages_in_pieces() {
    let messages: Vec<_> = (0..if cfg!(miri) { 3 } else { 40 }).map(|at| message(at * 9)).collect();
    for digest in ALL.into_iter().step_by(if cfg!(miri) { 10 } else { 1 }) {
        let mut hashers = vec![Hasher::new(digest); messages.len()];
        for take in [0..5, 5..usize::MAX] {
            let piece =
                |message: &'_ Vec<u8>| take.start.min(message.len())..take.end.min(message.len());
            let pieces: Vec<_> = messages.iter().map(|message| &message[piece(message)]).collect();
            let mut each: Vec<&mut FittedHasher> =
                hashers.iter_mut().map(|hasher| &mut **hasher).collect();
            update_many(&mut each, &pieces);
            update_many_by(None, &mut each, &vec![&b""[..]; pieces.len()]);
        }
        for (hasher, message) in hashers.into_iter().zip(&messages) {
            assert_eq!(hasher.finish(), digest.digest(message), "{}", digest.name);
        }
        let lanes = digest.bind_update(Cpu::native(), 40);
        assert!(lanes.is_none_or(|lanes| lanes.updates()));
        let (mut one, mut other) = (Hasher::new(digest), Hasher::new(hashdyno::MD2));
        update_many(&mut [&mut *one, &mut *other], &[b"a", b"b"]);
        assert_eq!(one.clone().finish(), digest.digest(b"a"), "{}", digest.name);
        assert_eq!(other.clone().finish(), hashdyno::MD2.digest(b"b"));
        let different = digest.name != "md2";
        let mixed = catch_unwind(move || {
            update_many_by(None, &mut [&mut *one, &mut *other], &[b"a", b"b"]);
        });
        assert_eq!(mixed.is_err(), different, "{}", digest.name);
    }
}

/// Wrong offsets and lengths end with a panic and touch nothing else.
#[test]
fn what_is_no_message_panics() {
    let md5 = find("md5").expect("it is there");
    let data = message(100);
    for offsets in
        [&[0, 50, 20][..], &[0, 101], &[-1, 5], &[i32::MIN, i32::MAX], &[5, -5], &[100, 0]]
    {
        let large: Vec<i64> =
            offsets.iter().map(|&at| i64::from(at) << 32 | i64::from(at)).collect();
        for messages in [
            Messages::Offsets { data: &data, offsets },
            Messages::LargeOffsets { data: &data, offsets: &large },
        ] {
            let mut out = vec![0; messages.len() * md5.output_len];
            let done = catch_unwind(move || digest_many_on(md5, Cpu::native(), messages, &mut out));
            assert!(done.is_err(), "{offsets:?}");
        }
    }
    let none = Messages::Rows { data: &data, width: 0 };
    assert!(catch_unwind(|| none.len()).is_err());
    let short = catch_unwind(|| {
        digest_many_on(md5, Cpu::native(), Messages::Slices(&[b"a"]), &mut [0; 15]);
    });
    assert!(short.is_err());
    assert!(
        catch_unwind(|| md5.digest_into(&md5.bind(Cpu::native()), b"a", &mut [0; 15])).is_err()
    );
}

/// A kernel of another digest gives no promise but that it stays within its memory.
#[test]
fn kernels_of_other_digests_are_no_danger() {
    let foreign: Vec<_> = ALL.into_iter().map(|digest| digest.bind(Cpu::native())).collect();
    for digest in ALL.into_iter().step_by(if cfg!(miri) { 10 } else { 1 }) {
        for kernel in &foreign {
            let mut out = vec![0; digest.output_len];
            let _ = catch_unwind(move || digest.digest_into(kernel, &message(300), &mut out));
        }
    }
}

#[test]
fn forged_states_are_refused_or_finish() {
    let sum = |bytes: &[u8]| find("xxh64").expect("it is there").digest(bytes);
    for digest in ALL {
        let mut hasher = Hasher::new(digest);
        hasher.update(&message(3 * digest.block_len + 1));
        let saved = hasher.save();
        let body = &saved[..saved.len() - 8];
        for at in (0..body.len()).step_by(if cfg!(miri) { 97 } else { 1 }) {
            let mut forged = body.to_vec();
            forged[at] ^= 0xff;
            let sum = sum(&forged);
            forged.extend_from_slice(&sum);
            if let Ok(mut hasher) = Hasher::restore(&forged) {
                hasher.update(b"more");
                hasher.finish();
            }
        }
    }
}

#[test]
fn the_rest_of_the_face() {
    let cpu = Cpu::native();
    assert!(cpu.has(Features::empty()) && cpu.without(Features::all()).features().is_empty());
    assert_eq!(cpu.masked("none").expect("it is a mask").features(), Features::empty());
    assert!(cpu.masked("avx2").is_err());
    assert_eq!(find("sha256").expect("it is there").security, Security::Sound);
    assert_eq!(hex(&blake2b(8).expect("it has every length").digest(b"hello\n")), "27");
    let nine = b"123456789";
    assert_eq!(crc32b(nine), 0xcbf4_3926);
    for (name, digest) in [
        ("crc32c", hashdyno::crc32c(nine).to_be_bytes().to_vec()),
        ("crc64-nvme", hashdyno::crc64_nvme(nine).to_be_bytes().to_vec()),
        ("crc64-xz", crc64_xz(nine).to_be_bytes().to_vec()),
        ("xxh32", xxh32(nine).to_be_bytes().to_vec()),
        ("xxh64", xxh64(nine).to_be_bytes().to_vec()),
        ("xxh3", xxh3(nine).to_be_bytes().to_vec()),
        ("xxh128", xxh128(nine).to_be_bytes().to_vec()),
    ] {
        assert_eq!(*find(name).expect("it is there").digest(nine), digest);
    }
    let _: MaybeUninit<hashdyno::Quad> = MaybeUninit::uninit();
}

/// Each type, its function and its constant give the same, however a message comes.
#[test]
fn typed_hashers_maps_and_outputs() {
    fn check<D: Typed>(mut hasher: TypedHasher<D>, function: fn(&[u8]) -> D::Value) {
        fn is_value(_: impl Value) {}
        for message in LENGTHS.iter().map(|len| message(*len)) {
            message.chunks(17).for_each(|piece| hasher.update(piece));
            let expected = function(&message);
            assert_eq!(hasher.clone().finish(), expected, "{}", D::DIGEST.name);
            assert_eq!(hasher.finish_reset(), expected);
            hasher.write_all(&message).and_then(|()| hasher.flush()).expect("it never fails");
            assert!(!format!("{hasher:?}").is_empty());
            hasher.reset();
            assert_eq!(hasher.clone().finish(), TypedHasher::<D>::default().finish());
            assert_eq!(TypedHasher::<D>::digest_many(&vec![&message[..]; 3]), [expected; 3]);
            is_value(expected);
        }
    }
    check(typed::Md5::new(), hashdyno::md5);
    check(typed::Sha512_256::new(), hashdyno::sha512_256);
    check(typed::Blake3::new(), hashdyno::blake3);
    check(typed::Skein1024_1024::new(), hashdyno::skein1024_1024);
    check(typed::SumBsd::new(), hashdyno::sum_bsd);
    check(typed::Adler32::new(), hashdyno::adler32);
    check(typed::Crc64Xz::new(), crc64_xz);
    check(typed::Murmur3f::new(), hashdyno::murmur3f);
    check(typed::Xxh3::new(), xxh3);

    let mut map = HashMap::<Vec<u8>, usize, BuildMapHasher<typed::Fnv1a64>>::default();
    map.extend(LENGTHS.iter().map(|len| (message(*len), *len)));
    assert!(LENGTHS.iter().all(|len| map[&message(*len)] == *len));
    let mut key = MapHasher::<typed::Xxh3>::default();
    key.write(&message(300));
    assert_eq!((key.clone().finish(), key.finish()), (xxh3(&message(300)), key.finish()));

    let digest = BLAKE3.digest(b"a message");
    let texts = [digest.to_string(), format!("{digest:x}"), hex(&digest)];
    assert!(texts.iter().all(|text| *text == texts[0]) && texts[0].len() == 64);
    assert_eq!(format!("{digest:X}"), texts[0].to_uppercase());
    assert_eq!(<[u8; 32]>::try_from(&digest).ok(), Some(hashdyno::blake3(b"a message")));
    assert_eq!(hashdyno::blake3(b"a message"), digest);
    assert_eq!(digest.clone().into_iter().collect::<Vec<_>>(), digest.as_slice());
    let refused: Result<Output, TooLong> = [0u8; MAX_OUTPUT_LEN + 1][..].try_into();
    assert!(refused.is_err() && Output::try_from(&digest[..]) == Ok(digest));
    assert_eq!(find("blake3").map(|blake3| blake3.hmac_block_len()), Some(64));
}
