//! Messages under a key: whole, in pieces, many.

use std::ffi::c_void;
use std::ptr::null_mut;

use engine::{Cpu, Digest, Key, KeyError, KeyedHasher, Messages};

use crate::algorithm::{self, Algorithm};
use crate::cpu::CpuSet;
use crate::many::{Batch, ManyDigests, check, ends};
use crate::pointers;
use crate::status::{Status, answer};

/// A key, bound to an algorithm. It belongs to the caller, who frees it; meanwhile any number of
/// threads may use it.
pub struct HashKey(pub(crate) Key, pub(crate) *const Algorithm);

/// A message under a key, piece by piece. It belongs to the caller, who frees it, and uses it in
/// one thread at a time.
pub struct Keyed(KeyedHasher);

/// Makes a key for HMAC (RFC 2104) over a cryptographic algorithm of fixed length, or BLAKE3, of
/// the `len` bytes at `bytes`, any number. They may change or go afterwards. `key` becomes null if
/// the call fails. A key is wiped when it is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_key_hmac(
    key: *mut *mut HashKey,
    algorithm: *const Algorithm,
    bytes: *const c_void,
    len: usize,
) -> Status {
    // SAFETY: the header's promise.
    unsafe { bound(key, algorithm, bytes, len, Key::hmac) }
}

/// As hashdyno_key_hmac, for the algorithm's own keyed mode: BLAKE2b takes 1 to 64 bytes, BLAKE2s 1
/// to 32, BLAKE3 and HighwayHash 32, SipHash 16, Skein any number but 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_key_own(
    key: *mut *mut HashKey,
    algorithm: *const Algorithm,
    bytes: *const c_void,
    len: usize,
) -> Status {
    // SAFETY: the header's promise.
    unsafe { bound(key, algorithm, bytes, len, Key::keyed) }
}

/// As hashdyno_key_hmac, for a secret of XXH3 or XXH128: 136 to 1024 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_key_secret(
    key: *mut *mut HashKey,
    algorithm: *const Algorithm,
    bytes: *const c_void,
    len: usize,
) -> Status {
    // SAFETY: the header's promise.
    unsafe { bound(key, algorithm, bytes, len, Key::secret) }
}

/// Makes a key of the seed of an xxHash, a Murmur3 or a SpookyHash; XXH32, murmur3a, murmur3c and
/// spookyhash-32 take 32 bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_key_seed(
    key: *mut *mut HashKey,
    algorithm: *const Algorithm,
    seed: u64,
) -> Status {
    // SAFETY: the header's promise.
    unsafe {
        made(key, || {
            let digest = algorithm::digest(algorithm)?;
            Ok(HashKey(Key::seed(digest, seed).map_err(refused)?, algorithm))
        })
    }
}

/// As hashdyno_key_hmac, for the derivation of keys by BLAKE3: `bytes` are the context, in UTF-8,
/// which names what the keys are for. The messages are what keys are derived from, the codes of any
/// length are the keys.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_key_derive(
    key: *mut *mut HashKey,
    algorithm: *const Algorithm,
    bytes: *const c_void,
    len: usize,
) -> Status {
    // SAFETY: the header's promise.
    unsafe {
        made(key, || {
            let (digest, bytes) = (algorithm::digest(algorithm)?, pointers::bytes(bytes, len)?);
            let context = str::from_utf8(bytes).map_err(|_| Status::WrongKey)?;
            Ok(HashKey(Key::derive(digest, context).map_err(refused)?, algorithm))
        })
    }
}

/// The lengths in bytes of the shortest and the longest key that hashdyno_key_own takes, to `least`
/// and `most`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_key_lens(
    algorithm: *const Algorithm,
    least: *mut usize,
    most: *mut usize,
) -> Status {
    answer(|| {
        // No algorithm takes an empty key, and the refusal tells what it takes.
        match Key::keyed(algorithm::digest(algorithm)?, &[]) {
            Err(KeyError::Length { least: shortest, most: longest, .. }) => {
                // SAFETY: the header's promise.
                unsafe {
                    *pointers::place(least)? = shortest;
                    *pointers::place(most)? = longest;
                }
                Ok(())
            }
            Err(error) => Err(refused(error)),
            Ok(_) => Err(Status::Internal),
        }
    })
}

/// Frees a key; null is allowed. Messages that were begun under it go on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_key_free(key: *mut HashKey) {
    // SAFETY: the header's promise.
    unsafe { dropped(key) }
}

/// The code of one whole message to `out`: `output_len` bytes, or any number under a key of
/// BLAKE3's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_key_digest(
    key: *const HashKey,
    message: *const c_void,
    len: usize,
    out: *mut u8,
    out_len: usize,
) -> Status {
    answer(|| {
        // SAFETY: the header's promise.
        let (key, message, out) = unsafe {
            (of(key)?, pointers::bytes(message, len)?, pointers::values_mut(out, out_len)?)
        };
        fits(&key.0, out)?;
        key.0.digest_into(message, out);
        Ok(())
    })
}

/// The codes of `count` messages, as hashdyno_digest_many has them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_key_digest_many(
    key: *const HashKey,
    cpu: *const CpuSet,
    messages: *const *const c_void,
    lens: *const usize,
    count: usize,
    out: *mut u8,
    out_len: usize,
) -> Status {
    answer(|| {
        // SAFETY: the header's promise.
        unsafe {
            let batch = Batch::new(&of(key)?.0, cpu, count, out, out_len)?;
            batch.slices(messages, lens, count)
        }
    })
}

/// The codes of `count` messages, as hashdyno_digest_large_offsets has them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_key_digest_large_offsets(
    key: *const HashKey,
    cpu: *const CpuSet,
    data: *const c_void,
    data_len: usize,
    offsets: *const i64,
    count: usize,
    out: *mut u8,
    out_len: usize,
) -> Status {
    answer(|| {
        // SAFETY: the header's promise.
        let (batch, data, offsets) = unsafe {
            let (data, offsets) = (pointers::bytes(data, data_len)?, ends(offsets, count)?);
            pointers::apart(data, out, out_len)?;
            pointers::apart(offsets, out, out_len)?;
            (Batch::new(&of(key)?.0, cpu, count, out, out_len)?, data, offsets)
        };
        check(offsets, data_len)?;
        batch.digest(Messages::LargeOffsets { data, offsets });
        Ok(())
    })
}

/// The codes of rows, as hashdyno_digest_rows has them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_key_digest_rows(
    key: *const HashKey,
    cpu: *const CpuSet,
    data: *const c_void,
    data_len: usize,
    width: usize,
    out: *mut u8,
    out_len: usize,
) -> Status {
    answer(|| {
        if width == 0 || !data_len.is_multiple_of(width) {
            return Err(Status::WrongLength);
        }
        // SAFETY: the header's promise.
        let (batch, data) = unsafe {
            let data = pointers::bytes(data, data_len)?;
            pointers::apart(data, out, out_len)?;
            (Batch::new(&of(key)?.0, cpu, data_len / width, out, out_len)?, data)
        };
        batch.digest(Messages::Rows { data, width });
        Ok(())
    })
}

/// Begins a message under a key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_keyed_new(keyed: *mut *mut Keyed, key: *const HashKey) -> Status {
    // SAFETY: the header's promise.
    unsafe { made(keyed, || Ok(Keyed(of(key)?.0.hasher()))) }
}

/// Takes the next bytes of the message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_keyed_update(
    keyed: *mut Keyed,
    bytes: *const c_void,
    len: usize,
) -> Status {
    answer(|| {
        // SAFETY: the header's promise.
        let (keyed, bytes) = unsafe { (pointers::place(keyed)?, pointers::bytes(bytes, len)?) };
        keyed.0.update(bytes);
        Ok(())
    })
}

/// The code of all bytes taken to `out`, as hashdyno_key_digest has it. An empty message begins
/// then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_keyed_finish(
    keyed: *mut Keyed,
    out: *mut u8,
    out_len: usize,
) -> Status {
    answer(|| {
        // SAFETY: the header's promise.
        let (keyed, out) =
            unsafe { (pointers::place(keyed)?, pointers::values_mut(out, out_len)?) };
        fits(keyed.0.key(), out)?;
        keyed.0.finish_reset(out);
        Ok(())
    })
}

/// Frees a message; null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_keyed_free(keyed: *mut Keyed) {
    // SAFETY: the header's promise.
    unsafe { dropped(keyed) }
}

impl ManyDigests for &Key {
    fn output_len(&self) -> usize {
        Key::output_len(self)
    }

    fn digest_many(&self, cpu: &Cpu, messages: Messages<'_>, out: &mut [u8]) {
        self.digest_many_on(cpu, messages, out);
    }
}

/// The key at a pointer.
///
/// # Safety
/// A pointer that is not null is a key's.
pub(crate) unsafe fn of<'a>(key: *const HashKey) -> Result<&'a HashKey, Status> {
    // SAFETY: this function's own condition.
    unsafe { pointers::values(key, 1) }.map(|keys| &keys[0])
}

fn fits(key: &Key, out: &[u8]) -> Result<(), Status> {
    if out.len() == key.output_len() || key.extendable() {
        Ok(())
    } else {
        Err(Status::WrongLength)
    }
}

pub(crate) fn refused(error: KeyError) -> Status {
    match error {
        KeyError::Length { .. } | KeyError::Seed { .. } => Status::WrongKey,
        KeyError::NoIterations | KeyError::TooLong { .. } => Status::WrongLength,
        _ => Status::NoKey,
    }
}

/// A key of bytes.
///
/// # Safety
/// Pointers that are not null point to what they say.
unsafe fn bound(
    key: *mut *mut HashKey,
    algorithm: *const Algorithm,
    bytes: *const c_void,
    len: usize,
    make: fn(&'static Digest, &[u8]) -> Result<Key, KeyError>,
) -> Status {
    // SAFETY: this function's own condition.
    unsafe {
        made(key, || {
            let (digest, bytes) = (algorithm::digest(algorithm)?, pointers::bytes(bytes, len)?);
            Ok(HashKey(make(digest, bytes).map_err(refused)?, algorithm))
        })
    }
}

/// Puts what `make` gives where the caller wants it, or null.
///
/// # Safety
/// A pointer that is not null points to where a pointer may be written.
unsafe fn made<T>(place: *mut *mut T, make: impl FnOnce() -> Result<T, Status>) -> Status {
    answer(|| {
        // SAFETY: this function's own condition.
        let place = unsafe { pointers::place(place) }?;
        *place = null_mut();
        *place = Box::into_raw(Box::new(make()?));
        Ok(())
    })
}

/// Drops what [`made`] made.
///
/// # Safety
/// It is null, or was made so and not dropped yet.
unsafe fn dropped<T>(made: *mut T) {
    if !made.is_null() {
        // SAFETY: this function's own condition.
        drop(unsafe { Box::from_raw(made) });
    }
}
