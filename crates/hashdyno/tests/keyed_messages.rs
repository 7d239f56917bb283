//! Messages under keys: in pieces, many at a time, by every kernel and on all cores as by the
//! portable one; and what a key leaves behind.
#![cfg(feature = "full")]

use std::mem::MaybeUninit;

use hashdyno::{ALL, BLAKE3, Cpu, Digest, Key, KeyedHasher, Messages, find};

fn key(len: usize) -> Vec<u8> {
    (0..len).map(|at| (7 * at + 3) as u8).collect()
}

fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|at| (at % 251) as u8).collect()
}

/// A key of every kind for every digest that has it.
fn every_key() -> Vec<Key> {
    let others = ["blake2b-200", "blake3-512", "blake3-8"].map(|name| find(name).unwrap());
    let digests = ALL.into_iter().chain(others);
    let kinds = |digest: &'static Digest| {
        let len = if digest.family == "siphash" { 16 } else { 32 };
        [
            Key::hmac(digest, &key(20)),
            Key::keyed(digest, &key(len)),
            Key::derive(digest, "a context"),
            Key::seed(digest, 0x1234_5678),
            Key::secret(digest, &key(150)),
        ]
    };
    digests.flat_map(kinds).filter_map(Result::ok).collect()
}

#[test]
fn pieces_give_what_whole_messages_do() {
    let data = pattern(5000);
    for key in every_key() {
        let mut hasher = key.hasher();
        for len in [0, 1, 64, 128, 129, 255, 256, 257, 1024, 1025, 2048, 4999] {
            let message = &data[..len];
            let expected = key.digest(message);
            for piece in [1, 63, 64, 200, 1024, 5000] {
                if piece > 1 || len < 300 {
                    message.chunks(piece).for_each(|piece| hasher.update(piece));
                    let copy = hasher.clone();
                    let mut out = vec![0; expected.len()];
                    hasher.finish_reset(&mut out);
                    assert_eq!(expected, out, "{key:?}: {len} bytes in pieces of {piece}");
                    assert_eq!(copy.finish(), expected, "{key:?}: a copy");
                }
            }
        }
    }
}

/// Every kernel for one message and for many, in every layout.
#[test]
fn every_kernel_gives_the_same() {
    let cpu = Cpu::native();
    let mut resumed = 0;
    for longest in [0, 7, 130, 1100] {
        let lens: Vec<usize> = (0..1100).map(|number| number * 7919 / 13 % (longest + 1)).collect();
        let data = pattern(80_000);
        let slices: Vec<&[u8]> =
            lens.iter().enumerate().map(|(at, len)| &data[at..at + len]).collect();
        let layouts = [
            Messages::Slices(&slices),
            Messages::Rows { data: &data[..70 * (longest + 1)], width: longest + 1 },
            Messages::Slices(&slices[..0]),
        ];
        for messages in &layouts {
            for key in every_key() {
                let portable = key.bind(&cpu.without(cpu.features()));
                let len = key.output_len();
                let mut expected = vec![0; messages.len() * len];
                for (number, out) in expected.chunks_mut(len).enumerate() {
                    key.digest_by(&portable, messages.message(number), out);
                }
                let kernels: Vec<_> = key.kernels().collect();
                let one = kernels.iter().filter_map(|kernel| kernel.bind(cpu));
                let many = kernels.iter().filter_map(|kernel| kernel.bind_many(cpu));
                for (many, one) in
                    many.map(|many| (Some(many), portable)).chain(one.map(|one| (None, one)))
                {
                    resumed += usize::from(many.is_some());
                    let mut out = vec![0x55; expected.len()];
                    key.digest_many_by(many.as_ref(), &one, *messages, &mut out);
                    assert!(out == expected, "{key:?} by {many:?}, {one:?}: up to {longest} bytes");
                }
            }
        }
    }
    assert!(resumed > 0 || !cfg!(target_arch = "x86_64"), "no kernel for many was tried");
}

#[cfg(feature = "rayon")]
#[test]
fn all_cores_give_what_one_gives() {
    let key = Key::hmac(hashdyno::SHA256, b"a key").unwrap();
    let data = pattern(9000);
    let slices: Vec<&[u8]> = (0..9000).map(|at| &data[at..data.len().min(at + at % 90)]).collect();
    let mut out = vec![0; 9000 * 32];
    key.par_digest_many_on(Cpu::native(), Messages::Slices(&slices), &mut out);
    assert!(out == key.digest_many(&slices));
}

/// A BLAKE3 hasher has the key itself in its state.
#[test]
fn a_hasher_leaves_no_key_behind() {
    // Words of alike bytes: they lie in memory in this CPU's order.
    let secret = *b"aaaabbbbccccddddeeeeffffgggghhhh";
    let key = Key::keyed(BLAKE3, &secret).unwrap();
    let mut place = MaybeUninit::<KeyedHasher>::zeroed();
    let has_it = |place: &MaybeUninit<KeyedHasher>| {
        // SAFETY: every byte was written, by zeros at least; padding stays as it was.
        let bytes = unsafe {
            std::slice::from_raw_parts(place.as_ptr().cast::<u8>(), size_of::<KeyedHasher>())
        };
        bytes.windows(32).any(|window| window == secret)
    };
    let hasher = place.write(key.hasher());
    hasher.update(b"a message");
    assert!(has_it(&place), "the test would say nothing");
    // SAFETY: it was written, and is not used any more.
    unsafe { place.assume_init_drop() };
    assert!(!has_it(&place), "the key is there still");
}

/// A key longer than its block is hashed, and its digest is as good as the key.
#[cfg(all(target_os = "linux", not(miri)))]
#[test]
fn the_digest_of_a_long_key_does_not_stay_on_the_stack() {
    use std::{fs::File, hint::black_box, os::unix::fs::FileExt, thread};

    /// Bytes of the stack.
    const SEARCHED: usize = 64 << 10;

    /// Does something so far down the stack that what is called next does not reach it.
    #[inline(never)]
    fn far_down(work: fn(&'static Digest, &[u8]), digest: &'static Digest, secret: &[u8]) {
        let room = [0u8; 8 << 10];
        black_box(&room);
        work(digest, secret);
        black_box(&room);
    }

    /// Overwrites what is searched: a thread may have the stack of one that has ended.
    #[inline(never)]
    fn overwrite() {
        let room = [0u8; SEARCHED];
        black_box(&room);
    }

    /// What the stack holds below its caller, read as a file: nothing of it is alive.
    #[inline(never)]
    fn below(memory: &File, room: &mut [u8]) {
        let here = [0u8; 8];
        let top = black_box(&here).as_ptr() as u64;
        memory.read_exact_at(room, top - room.len() as u64).unwrap();
    }

    fn make(digest: &'static Digest, secret: &[u8]) {
        drop(black_box(Key::hmac(digest, secret)));
    }

    fn leave(digest: &'static Digest, secret: &[u8]) {
        black_box(&digest.digest(secret));
    }

    let secret = &pattern(1000);
    for name in ["sha256", "sha512", "sha3-256", "blake2b-512", "md5", "skein512-512"] {
        let digest = find(name).unwrap();
        let known = &digest.digest(secret).to_vec();
        let stays = |work: fn(&'static Digest, &[u8])| {
            let search = move || {
                let (memory, mut room) = (File::open("/proc/self/mem").unwrap(), vec![0; SEARCHED]);
                overwrite();
                far_down(work, digest, secret);
                below(&memory, &mut room);
                room.windows(known.len()).any(|bytes| bytes == known)
            };
            thread::scope(|scope| scope.spawn(search).join().unwrap())
        };
        assert!(stays(leave), "the test sees what stays: {name}");
        assert!(!stays(make), "{name}");
    }
}
