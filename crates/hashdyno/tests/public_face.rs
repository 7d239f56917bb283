//! Every public item, used by safe code alone: `campaigns/miri` runs it under Miri, which sees
//! undefined behaviour.
#![cfg(feature = "full")]
#![forbid(unsafe_code)]

use std::mem::MaybeUninit;
use std::panic::catch_unwind;

use hashdyno::{
    ALL, Cpu, Features, Hasher, MAX_BLOCK_LEN, MAX_OUTPUT_LEN, Messages, Security, blake2b, crc32b,
    crc64_xz, digest_many, digest_many_by, find, hex, xxh3, xxh32, xxh64, xxh128,
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
            for bound in digest.bound(Cpu::native()) {
                let mut out = vec![0; digest.output_len];
                digest.digest_into(&bound, &message, &mut out);
                assert_eq!(out, *expected, "{} by {}", digest.name, bound.name());
                let mut hasher = Hasher::with_kernel(digest, bound);
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
    for digest in ALL {
        let mut out = vec![0; count * digest.output_len];
        let expected: Vec<u8> = owned.iter().flat_map(|message| digest.digest(message)).collect();
        for messages in [
            Messages::Slices(&slices),
            Messages::Offsets { data: &data, offsets: &offsets },
            Messages::LargeOffsets { data: &data, offsets: &large },
        ] {
            digest_many(digest, Cpu::native(), messages, &mut out);
            assert_eq!(out, expected, "{}", digest.name);
            let many = digest.bind_many(Cpu::native(), count);
            assert!(many.is_none_or(|many| many.lanes() > 1 && !many.name().is_empty()));
            digest_many_by(digest, many.as_ref(), &digest.bind(Cpu::native()), messages, &mut out);
            assert_eq!(out, expected);
            assert!(!messages.is_empty() && messages.range(1..3).message(0) == slices[1]);
        }
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
            let done = catch_unwind(move || digest_many(md5, Cpu::native(), messages, &mut out));
            assert!(done.is_err(), "{offsets:?}");
        }
    }
    let none = Messages::Rows { data: &data, width: 0 };
    assert!(catch_unwind(|| none.len()).is_err());
    let short =
        catch_unwind(|| digest_many(md5, Cpu::native(), Messages::Slices(&[b"a"]), &mut [0; 15]));
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
