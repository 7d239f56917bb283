//! Calls of the C ABI that bytes stand for: hashers that are copied, saved, restored from anything
//! and finished to any length, and many messages by any offsets. No call answers "a defect of
//! hashdyno" or writes outside of its output, and what it answers as done is the digest that the
//! library itself gives. Restored states that were damaged may give any digest.

use std::ffi::{c_char, c_void};
use std::ptr::{null, null_mut};

use engine::Digest;

unsafe extern "C" {
    fn hashdyno_find(name: *const c_char) -> *const c_void;
    fn hashdyno_start(hasher: *mut c_void, algorithm: *const c_void) -> i32;
    fn hashdyno_start_with(
        hasher: *mut c_void,
        algorithm: *const c_void,
        kernel: *const c_char,
        cpu: *const u64,
    ) -> i32;
    fn hashdyno_update(hasher: *mut c_void, bytes: *const u8, len: usize) -> i32;
    fn hashdyno_finish(hasher: *mut c_void, out: *mut u8, out_len: usize) -> i32;
    fn hashdyno_algorithm_of(hasher: *const c_void) -> *const c_void;
    fn hashdyno_save(hasher: *const c_void, saved: *mut u8, len: *mut usize) -> i32;
    fn hashdyno_restore(hasher: *mut c_void, saved: *const u8, len: usize) -> i32;
    fn hashdyno_cpu_masked(mask: *const c_char, cpu: *mut u64) -> i32;
    fn hashdyno_digest_many(
        algorithm: *const c_void,
        cpu: *const u64,
        messages: *const *const u8,
        lens: *const usize,
        count: usize,
        out: *mut u8,
        out_len: usize,
    ) -> i32;
    fn hashdyno_digest_offsets(
        algorithm: *const c_void,
        cpu: *const u64,
        data: *const u8,
        data_len: usize,
        offsets: *const i32,
        count: usize,
        out: *mut u8,
        out_len: usize,
    ) -> i32;
    fn hashdyno_digest_large_offsets(
        algorithm: *const c_void,
        cpu: *const u64,
        data: *const u8,
        data_len: usize,
        offsets: *const i64,
        count: usize,
        out: *mut u8,
        out_len: usize,
    ) -> i32;
    fn hashdyno_digest_rows(
        algorithm: *const c_void,
        cpu: *const u64,
        data: *const u8,
        data_len: usize,
        width: usize,
        out: *mut u8,
        out_len: usize,
    ) -> i32;
}

/// `HASHDYNO_OK` and `HASHDYNO_INTERNAL`.
const OK: i32 = 0;
const INTERNAL: i32 = 11;

/// `sizeof(hashdyno_hasher)`, and the longest saved one.
const HASHER: usize = 3072;

/// Digests of each way to buffer and count, C strings for the ABI.
const NAMES: [&std::ffi::CStr; 12] = [
    c"md5",
    c"sha256",
    c"sha512",
    c"sha3-256",
    c"blake2b-512",
    c"blake3",
    c"shake128",
    c"crc32b",
    c"xxh3",
    c"tiger192-3",
    c"gost",
    c"haval256-5",
];

/// A hasher as C has it.
#[derive(Clone)]
#[repr(C, align(16))]
struct Hasher([u8; HASHER]);

/// The bytes that are left.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn byte(&mut self) -> usize {
        let (&first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        first.into()
    }

    /// As many as the next one says, or as there are.
    fn piece(&mut self) -> &'a [u8] {
        let len = self.byte();
        let (piece, rest) = self.0.split_at(len.min(self.0.len()));
        self.0 = rest;
        piece
    }

    /// A number that is mostly small, at times negative or beyond all memory.
    fn number(&mut self) -> i64 {
        match self.byte() {
            small @ 0..200 => small as i64,
            200 => i64::MAX,
            201 => i64::MIN,
            202 => i64::from(i32::MAX),
            203 => -1,
            more => (more as i64 - 200) * self.byte() as i64,
        }
    }
}

/// What has been done to a hasher so far.
struct Running {
    hasher: Box<Hasher>,
    digest: Option<&'static Digest>,
    /// The message; `None` if the state may be of any.
    message: Option<Vec<u8>>,
}

/// Makes the calls.
pub fn check(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let mut running =
        Running { hasher: Box::new(Hasher([0; HASHER])), digest: None, message: None };
    let mut saved = Vec::new();
    for _ in 0..64 {
        if bytes.0.is_empty() {
            return;
        }
        match bytes.byte() % 9 {
            0 => running.start(&mut bytes),
            1 => running.update(bytes.piece()),
            2 => running.finish(&mut bytes),
            3 => saved = running.save(&mut bytes).unwrap_or(saved),
            4 => running.restore(&saved, &mut bytes),
            5 => running.hasher = running.hasher.clone(),
            6 => offsets(&mut bytes),
            7 => rows(&mut bytes),
            _ => pointers(&mut bytes),
        }
    }
}

/// An algorithm of the table, or no pointer at all.
fn algorithm(bytes: &mut Bytes) -> (*const c_void, Option<&'static Digest>) {
    match NAMES.get(bytes.byte() % (NAMES.len() + 1)) {
        None => (null(), None),
        Some(name) => {
            // SAFETY: a C string.
            let found = unsafe { hashdyno_find(name.as_ptr()) };
            (found, engine::find(name.to_str().expect("ASCII")))
        }
    }
}

impl Running {
    fn at(&mut self) -> *mut c_void {
        (&raw mut *self.hasher).cast()
    }

    fn start(&mut self, bytes: &mut Bytes) {
        let (algorithm, digest) = algorithm(bytes);
        let (kernels, masks) = (
            [c"portable", c"sha-ni", c"no such"],
            [c"all", c"none", c"-avx512f", c"-avx2,-sha", c"+x"],
        );
        let mut cpu = 0;
        let masked = bytes.byte();
        // SAFETY: C strings, a hasher of full length and a place for a CPU.
        let status = unsafe {
            let is_mask =
                hashdyno_cpu_masked(masks[masked % masks.len()].as_ptr(), &raw mut cpu) == OK;
            match kernels.get(bytes.byte() % 8) {
                None => hashdyno_start(self.at(), algorithm),
                Some(kernel) => hashdyno_start_with(
                    self.at(),
                    algorithm,
                    kernel.as_ptr(),
                    if is_mask { &raw const cpu } else { null() },
                ),
            }
        };
        assert_ne!(status, INTERNAL);
        if status == OK {
            (self.digest, self.message) = (digest, Some(Vec::new()));
        }
    }

    fn update(&mut self, piece: &[u8]) {
        // SAFETY: a hasher of full length; a slice is as long as it says.
        let status = unsafe { hashdyno_update(self.at(), piece.as_ptr(), piece.len()) };
        assert_eq!(status == OK, self.digest.is_some());
        self.message.iter_mut().for_each(|message| message.extend_from_slice(piece));
    }

    fn finish(&mut self, bytes: &mut Bytes) {
        let usual = self.digest.map_or(16, |digest| digest.output_len);
        let len = if bytes.byte() < 200 { usual } else { bytes.byte() };
        let hasher = self.at();
        // SAFETY: a hasher of full length.
        let (status, out) = written(len, |out| unsafe { hashdyno_finish(hasher, out, len) });
        let Some(digest) = self.digest else { return assert_ne!(status, OK) };
        assert_eq!(status == OK, len == usual || digest.extendable);
        if status != OK {
            return;
        }
        if let Some(message) = &self.message {
            let mut expected = vec![0; len];
            let mut hasher = engine::Hasher::new(digest);
            hasher.update(message);
            hasher.finish_reset(&mut expected);
            assert_eq!(out, expected, "{} of {} bytes", digest.name, message.len());
        }
        self.message = Some(Vec::new());
    }

    fn save(&mut self, bytes: &mut Bytes) -> Option<Vec<u8>> {
        let room = if bytes.byte() < 200 { HASHER } else { bytes.byte() };
        let (mut len, hasher) = (room, self.at());
        // SAFETY: a hasher of full length; the output has `room` bytes.
        let (status, mut out) =
            written(room, |out| unsafe { hashdyno_save(hasher, out, &raw mut len) });
        assert_ne!(status, INTERNAL);
        assert_eq!(status == OK, self.digest.is_some() && len <= room);
        (status == OK).then(|| {
            out.truncate(len);
            out
        })
    }

    fn restore(&mut self, saved: &[u8], bytes: &mut Bytes) {
        let mut forged = saved.to_vec();
        for _ in 0..bytes.byte() % 4 {
            let (at, byte) = (bytes.byte() * 7, bytes.byte());
            if let Some(hit) = forged.get_mut(at) {
                *hit = byte as u8;
            }
        }
        forged.truncate(if bytes.byte() < 250 { HASHER } else { bytes.byte() });
        // SAFETY: a hasher of full length; a slice is as long as it says.
        let status = unsafe { hashdyno_restore(self.at(), forged.as_ptr(), forged.len()) };
        assert!(status != INTERNAL && (status != OK || !forged.is_empty()));
        if status == OK {
            // SAFETY: a hasher that was started.
            assert!(!unsafe { hashdyno_algorithm_of(self.at()) }.is_null());
            let found = |name: &&&std::ffi::CStr| {
                // SAFETY: C strings, and a hasher that was started.
                unsafe {
                    hashdyno_find(name.as_ptr())
                        == hashdyno_algorithm_of((&raw const *self.hasher).cast())
                }
            };
            self.digest = NAMES
                .iter()
                .find(found)
                .and_then(|name| engine::find(name.to_str().expect("ASCII")));
            self.message = None;
        }
    }
}

/// Offsets of any kind into some data: answers only where they are ascending and inside.
fn offsets(bytes: &mut Bytes) {
    let (algorithm, digest) = algorithm(bytes);
    let data = bytes.piece();
    let large: Vec<i64> = (0..1 + bytes.byte() % 9).map(|_| bytes.number()).collect();
    let small: Vec<i32> = large.iter().map(|&offset| offset as i32).collect();
    let count = large.len() - 1;
    let len =
        count * digest.map_or(16, |digest| digest.output_len) + usize::from(bytes.byte() > 250);
    let given = (data.as_ptr(), data.len());
    // SAFETY: slices are as long as they say, and there are `count + 1` offsets.
    let by_large = written(len, |out| unsafe {
        hashdyno_digest_large_offsets(
            algorithm,
            null(),
            given.0,
            given.1,
            large.as_ptr(),
            count,
            out,
            len,
        )
    });
    // SAFETY: as above.
    let by_small = written(len, |out| unsafe {
        hashdyno_digest_offsets(
            algorithm,
            null(),
            given.0,
            given.1,
            small.as_ptr(),
            count,
            out,
            len,
        )
    });
    let as_wide: Vec<i64> = small.iter().map(|&offset| offset.into()).collect();
    for ((status, out), offsets) in [(by_large, large), (by_small, as_wide)] {
        assert_ne!(status, INTERNAL);
        if status == OK && count > 0 {
            let message = |pair: &[i64]| &data[pair[0] as usize..pair[1] as usize];
            each(digest.expect("no digest by no algorithm"), offsets.windows(2).map(message), &out);
        }
    }
}

fn rows(bytes: &mut Bytes) {
    let (algorithm, digest) = algorithm(bytes);
    let (data, width) = (bytes.piece(), bytes.byte() % 64);
    let len =
        data.len().checked_div(width).unwrap_or(0) * digest.map_or(16, |digest| digest.output_len);
    // SAFETY: slices are as long as they say.
    let (status, out) = written(len, |out| unsafe {
        hashdyno_digest_rows(algorithm, null(), data.as_ptr(), data.len(), width, out, len)
    });
    assert_ne!(status, INTERNAL);
    if status == OK {
        each(digest.expect("no digest by no algorithm"), data.chunks(width), &out);
    }
}

/// Messages by their addresses; some are empty and have none.
fn pointers(bytes: &mut Bytes) {
    let (algorithm, digest) = algorithm(bytes);
    let messages: Vec<&[u8]> = (0..bytes.byte() % 40).map(|_| bytes.piece()).collect();
    let at = |message: &&[u8]| if message.is_empty() { null() } else { message.as_ptr() };
    let (addresses, lens): (Vec<_>, Vec<_>) =
        messages.iter().map(|message| (at(message), message.len())).unzip();
    let len = messages.len() * digest.map_or(16, |digest| digest.output_len);
    // SAFETY: slices are as long as they say.
    let (status, out) = written(len, |out| unsafe {
        hashdyno_digest_many(
            algorithm,
            null(),
            addresses.as_ptr(),
            lens.as_ptr(),
            messages.len(),
            out,
            len,
        )
    });
    assert_ne!(status, INTERNAL);
    if status == OK {
        each(digest.expect("no digest by no algorithm"), messages.into_iter(), &out);
    }
}

fn each<'a>(digest: &'static Digest, messages: impl Iterator<Item = &'a [u8]>, out: &[u8]) {
    let mut digests = out.chunks_exact(digest.output_len);
    for message in messages {
        assert_eq!(digests.next().expect("a digest of each message"), &digest.digest(message)[..]);
    }
}

/// What a call writes to an output of that length, and its status; beside the output nothing may
/// change.
fn written(len: usize, call: impl FnOnce(*mut u8) -> i32) -> (i32, Vec<u8>) {
    const BESIDE: usize = 32;
    let mut room = vec![0xa5; len + 2 * BESIDE];
    let out = if len == 0 { null_mut() } else { room[BESIDE..].as_mut_ptr() };
    let status = call(out);
    assert!(
        room[..BESIDE].iter().chain(&room[BESIDE + len..]).all(|&byte| byte == 0xa5),
        "written beside the output"
    );
    room.truncate(BESIDE + len);
    (status, room.split_off(BESIDE))
}
