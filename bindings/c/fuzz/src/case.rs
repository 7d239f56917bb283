//! Calls of the C ABI that bytes stand for: hashers that are copied, saved, restored from anything
//! and finished to any length, and many messages by any offsets. No call answers "a defect of
//! hashdyno" or writes outside of its output, and what it answers as done is the digest that the
//! library itself gives. Restored states that were damaged may give any digest.

use std::ffi::c_void;
use std::ptr::null;

use engine::Digest;

use calls::*;

mod calls;
mod many;

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
        match bytes.byte() % 10 {
            0 => running.start(&mut bytes),
            1 => running.update(bytes.piece()),
            2 => running.finish(&mut bytes),
            3 => saved = running.save(&mut bytes).unwrap_or(saved),
            4 => running.restore(&saved, &mut bytes),
            5 => running.hasher = running.hasher.clone(),
            6 => many::offsets(&mut bytes),
            7 => many::rows(&mut bytes),
            8 => many::side_by_side(&mut bytes),
            _ => many::pointers(&mut bytes),
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
