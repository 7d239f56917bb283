//! One message, whole or in pieces.

use std::ffi::{c_char, c_void};
use std::mem::MaybeUninit;
use std::ptr::null;

use engine::{FittedHasher, Hasher};

use crate::algorithm::{self, Algorithm};
use crate::cpu::{self, CpuSet};
use crate::keyed::{self, HashKey};
use crate::pointers;
use crate::status::{Status, answer};

/// Bytes of a hasher.
pub const HASHER_SIZE: usize = 3072;

/// A hasher lies at an address that this divides, as whatever malloc returns does.
pub const HASHER_ALIGN: usize = 16;

/// The longest digest of an algorithm that is not extendable, in bytes.
pub const MAX_OUTPUT_LEN: usize = 128;

/// No saved hasher is longer, in bytes.
pub const MAX_SAVED_LEN: usize = 3072;

/// A message being hashed, piece by piece. It owns no memory: copy it by assignment or memcpy, and
/// drop it as it is. Zero it, or at least its first 16 bytes, or start it, before anything else. An
/// algorithm uses no more of it than the first hashdyno_hasher_size_of bytes, and memory that is no
/// longer than that will do for it, except to restore.
#[repr(C, align(16))]
pub struct Running {
    /// The library's own.
    pub opaque: [MaybeUninit<u8>; HASHER_SIZE],
}

/// What the library keeps in a [`Running`]; the hasher, which is as long as its digest needs,
/// follows it.
#[repr(C, align(16))]
struct Slot {
    /// [`STARTED`] while a hasher follows, or [`UNDER_KEY`].
    mark: u64,
    algorithm: *const Algorithm,
}

impl Slot {
    /// Where the hasher is, or shall be.
    fn hasher(slot: *mut Running) -> *mut u8 {
        slot.cast::<u8>().wrapping_add(size_of::<Self>())
    }
}

/// Found by chance nowhere, and in zeroed memory least of all.
const STARTED: u64 = 0x6861_7368_6479_6e6f;

/// As [`STARTED`], of a hasher that began under a key.
const UNDER_KEY: u64 = 0x6861_7368_006b_6579;

const _: () = assert!(size_of::<Slot>() + size_of::<Hasher>() <= size_of::<Running>());
const _: () = assert!(
    align_of::<Slot>() == align_of::<Running>() && align_of::<Hasher>() <= align_of::<Slot>()
);
const _: () = assert!(size_of::<Running>() == HASHER_SIZE && align_of::<Running>() == HASHER_ALIGN);
// Beside state and buffer, a name and three lengths are saved, for which a hasher has its head.
const _: () =
    assert!(MAX_OUTPUT_LEN == engine::MAX_OUTPUT_LEN && size_of::<Hasher>() <= MAX_SAVED_LEN);

/// HASHDYNO_HASHER_SIZE of the library that is loaded, to be held against that of the header.
#[unsafe(no_mangle)]
pub extern "C" fn hashdyno_hasher_size() -> usize {
    HASHER_SIZE
}

/// The bytes of a hasher that this algorithm uses, a multiple of HASHDYNO_HASHER_ALIGN: 160 for
/// MD5, nearly all for BLAKE3. 0 if it is no algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn hashdyno_hasher_size_of(algorithm: *const Algorithm) -> usize {
    algorithm::digest(algorithm).map_or(0, |digest| size_of::<Slot>() + FittedHasher::size(digest))
}

/// HASHDYNO_HASHER_ALIGN of the library that is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn hashdyno_hasher_align() -> usize {
    HASHER_ALIGN
}

/// The digest of one whole message to `out`, which is `output_len` bytes long, or any if the
/// algorithm is extendable. `kernel` null: the best there is; `cpu` null: this machine's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_digest(
    algorithm: *const Algorithm,
    kernel: *const c_char,
    cpu: *const CpuSet,
    message: *const c_void,
    len: usize,
    out: *mut u8,
    out_len: usize,
) -> Status {
    // SAFETY: the header's promise, for all that is in the closure, too.
    answer(|| unsafe {
        cpu::with_kernel(algorithm, kernel, cpu, move |digest, ready| {
            if out_len != digest.output_len && !digest.extendable {
                return Err(Status::WrongLength);
            }
            digest.digest_into(
                ready,
                pointers::bytes(message, len)?,
                pointers::values_mut(out, out_len)?,
            );
            Ok(())
        })
    })
}

/// Begins a message, by the best kernel of this machine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_start(
    hasher: *mut Running,
    algorithm: *const Algorithm,
) -> Status {
    // SAFETY: the header's promise.
    unsafe { hashdyno_start_with(hasher, algorithm, null(), null()) }
}

/// Begins a message, by a given kernel (null: the best) on a given CPU (null: this machine's).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_start_with(
    hasher: *mut Running,
    algorithm: *const Algorithm,
    kernel: *const c_char,
    cpu: *const CpuSet,
) -> Status {
    answer(|| {
        // SAFETY: the header's promise; a `Running` may hold anything.
        let slot = unsafe { pointers::place(hasher.cast::<Slot>()) }?;
        // SAFETY: the header's promise; and what `Running` promises: the algorithm's part of a
        // hasher may be written.
        unsafe {
            cpu::with_kernel(algorithm, kernel, cpu, |digest, ready| {
                FittedHasher::place(Slot::hasher(hasher), digest, *ready);
                Ok(())
            })?;
        }
        (slot.algorithm, slot.mark) = (algorithm, STARTED);
        Ok(())
    })
}

/// The bytes of a hasher that a message under this key uses, a multiple of HASHDYNO_HASHER_ALIGN,
/// HASHDYNO_HASHER_SIZE at most. 0 if the key is null or that of an HMAC: hashdyno_keyed_new takes
/// that.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_hasher_size_under(key: *const HashKey) -> usize {
    // SAFETY: the header's promise.
    let size = unsafe { keyed::of(key) }.ok().and_then(|key| key.0.fitted_size());
    size.map_or(0, |size| size_of::<Slot>() + size)
}

/// Begins a message under a key that is no HMAC, in a hasher of which there are `room` bytes; too
/// few are a wrong length. The key may be freed. The hasher is copied as any other, but not saved;
/// what it holds may tell of the key, and hashdyno_finish overwrites it: it is not started then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_start_under(
    hasher: *mut Running,
    room: usize,
    key: *const HashKey,
) -> Status {
    answer(|| {
        // SAFETY: the header's promise.
        let key = unsafe { keyed::of(key) }?;
        let size = key.0.fitted_size().ok_or(Status::NoKey);
        // Where there is no room for a mark, none is written.
        if room < size_of::<Slot>() && !hasher.is_null() {
            return Err(size.err().unwrap_or(Status::WrongLength));
        }
        // SAFETY: the header's promise; a `Running` may hold anything.
        let slot = unsafe { pointers::place(hasher.cast::<Slot>()) }?;
        slot.mark = 0;
        let size = size?;
        if room < size_of::<Slot>() + size {
            return Err(Status::WrongLength);
        }
        // SAFETY: the header promises that `size` bytes of `hasher` may be written.
        unsafe { key.0.place(Slot::hasher(hasher)) };
        (slot.algorithm, slot.mark) = (key.1, UNDER_KEY);
        Ok(())
    })
}

/// Takes the next bytes of the message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_update(
    hasher: *mut Running,
    bytes: *const c_void,
    len: usize,
) -> Status {
    // SAFETY: the header's promise.
    unsafe {
        with(hasher, |_, hasher| {
            hasher.update(pointers::bytes(bytes, len)?);
            Ok(())
        })
    }
}

/// Takes the next bytes of many messages side by side, those of one algorithm in the lanes of a
/// core's vectors: `lens[i]` bytes at `pieces[i]` for `hashers[i]`. It gives what hashdyno_update
/// gives, one after another. Each hasher must be another one; one that stands there twice, or was
/// not started, is an error, and then none has taken anything. The lanes are those of this machine,
/// whatever kernel or CPU a hasher was started with.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_update_many(
    hashers: *const *mut Running,
    pieces: *const *const c_void,
    lens: *const usize,
    count: usize,
) -> Status {
    let status = answer(|| {
        // SAFETY: the header's promise.
        let (hashers, pieces, lens) = unsafe {
            (
                pointers::values(hashers, count)?,
                pointers::values(pieces, count)?,
                pointers::values(lens, count)?,
            )
        };
        let mut all = Vec::with_capacity(count);
        for ((&hasher, &piece), &len) in hashers.iter().zip(pieces).zip(lens) {
            // SAFETY: the header's promise.
            let piece = unsafe { pointers::bytes(piece, len)? };
            // SAFETY: the same; only the head is read.
            let [slot] = (unsafe { pointers::values(hasher.cast::<Slot>(), 1)? }) else {
                unreachable!("one value was asked for")
            };
            if !matches!(slot.mark, STARTED | UNDER_KEY) {
                return Err(Status::NotStarted);
            }
            all.push((hasher, piece));
        }
        all.sort_by_key(|&(hasher, _)| hasher);
        if all.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(Status::SameHasher);
        }
        let pieces: Vec<&[u8]> = all.iter().map(|&(_, piece)| piece).collect();
        // SAFETY: the mark is written after the hasher; no two of them are the same.
        let hasher = |(hasher, _)| unsafe { FittedHasher::at(Slot::hasher(hasher)) };
        let mut hashers: Vec<&mut FittedHasher> = all.into_iter().map(hasher).collect();
        engine::update_many(&mut hashers, &pieces);
        Ok(())
    });
    if status == Status::Internal {
        // SAFETY: the panic came from a hasher, so all pointers have been found good.
        let hashers = unsafe { std::slice::from_raw_parts(hashers, count) };
        for hasher in hashers {
            // SAFETY: as above.
            unsafe { (*hasher.cast::<Slot>()).mark = 0 };
        }
    }
    status
}

/// The digest of all bytes taken to `out`, which is `output_len` bytes long, or any if the
/// algorithm is extendable. The hasher then begins an empty message, unless it was under a key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_finish(
    hasher: *mut Running,
    out: *mut u8,
    out_len: usize,
) -> Status {
    // SAFETY: the header's promise.
    unsafe {
        with(hasher, |mark, hasher| {
            let digest = hasher.digest();
            if out_len != digest.output_len && !digest.extendable {
                return Err(Status::WrongLength);
            }
            let out = pointers::values_mut(out, out_len)?;
            if *mark == UNDER_KEY {
                hasher.finish_wiped(out);
                *mark = 0;
            } else {
                hasher.finish_reset(out);
            }
            Ok(())
        })
    }
}

/// The algorithm of a hasher; null if it was not started.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_algorithm_of(hasher: *const Running) -> *const Algorithm {
    // SAFETY: the header's promise.
    match unsafe { pointers::values(hasher.cast::<Slot>(), 1) } {
        Ok([slot]) if matches!(slot.mark, STARTED | UNDER_KEY) => slot.algorithm,
        _ => null(),
    }
}

/// The running hash as bytes, to `saved`; `len` says how many fit, and is told how many there are
/// (HASHDYNO_MAX_SAVED_LEN is always enough; too few is a wrong length). They tell as much of the
/// message as the hasher itself. A hasher under a key counts as not started here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_save(
    hasher: *const Running,
    saved: *mut u8,
    len: *mut usize,
) -> Status {
    // SAFETY: the header's promise; the closure only reads the hasher.
    unsafe {
        with(hasher.cast_mut(), |mark, hasher| {
            if *mark == UNDER_KEY {
                return Err(Status::NotStarted);
            }
            let (bytes, len) = (hasher.save(), pointers::place(len)?);
            let room = std::mem::replace(len, bytes.len());
            let saved = pointers::values_mut(saved, room)?;
            saved.get_mut(..bytes.len()).ok_or(Status::WrongLength)?.copy_from_slice(&bytes);
            Ok(())
        })
    }
}

/// Goes on with a hash that hashdyno_save made bytes of: the same version, a machine of the same
/// byte order. The hasher has room for any algorithm, as the bytes may be of any. Damage is
/// noticed; bytes forged on purpose may give a hasher that answers "a defect of hashdyno", but no
/// worse.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_restore(
    hasher: *mut Running,
    saved: *const u8,
    len: usize,
) -> Status {
    answer(|| {
        // SAFETY: the header's promise; a `Running` may hold anything.
        let (slot, saved) =
            unsafe { (pointers::place(hasher.cast::<Slot>())?, pointers::values(saved, len)?) };
        let restored = Hasher::restore(saved).map_err(|_| Status::BadSaved)?;
        let algorithm = algorithm::of(restored.digest()).ok_or(Status::BadSaved)?;
        // SAFETY: the header's promise: there is room for any.
        unsafe { restored.copy_to(Slot::hasher(hasher)) };
        (slot.algorithm, slot.mark) = (algorithm, STARTED);
        Ok(())
    })
}

/// Does `body` to a hasher that was started, and to its mark; a panic ends it, because what it left
/// is not known.
///
/// # Safety
/// A pointer that is not null points to a [`Running`] that was zeroed, started, or copied from such
/// a one.
unsafe fn with(
    hasher: *mut Running,
    body: impl FnOnce(&mut u64, &mut FittedHasher) -> Result<(), Status>,
) -> Status {
    let status = answer(|| {
        // SAFETY: this function's own condition.
        let slot = unsafe { pointers::place(hasher.cast::<Slot>()) }?;
        if !matches!(slot.mark, STARTED | UNDER_KEY) {
            return Err(Status::NotStarted);
        }
        // SAFETY: the mark is written after the hasher, and a copy of both is as good: a hasher
        // owns nothing.
        body(&mut slot.mark, unsafe { FittedHasher::at(Slot::hasher(hasher)) })
    });
    if status == Status::Internal {
        // SAFETY: as above; the panic came from `body`, so the pointer has been found good.
        unsafe { (*hasher.cast::<Slot>()).mark = 0 };
    }
    status
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The library saves digests of any length; the table has the usual ones.
    #[test]
    fn what_is_saved_of_a_length_outside_the_table_is_refused() {
        let other = engine::find("shake256-1024").expect("it has any length");
        let saved = Hasher::new(other).save();
        let mut hasher = Running { opaque: [MaybeUninit::uninit(); HASHER_SIZE] };
        let (hasher, mut out) = (&raw mut hasher, [0; 16]);
        // SAFETY: a C string, a hasher of full length, and slices as long as is said.
        unsafe {
            let md5 = algorithm::hashdyno_find(c"md5".as_ptr());
            assert_eq!(hashdyno_start(hasher, md5), Status::Ok);
            assert_eq!(hashdyno_restore(hasher, saved.as_ptr(), saved.len()), Status::BadSaved);
            assert_eq!(hashdyno_update(hasher, b"abc".as_ptr().cast(), 3), Status::Ok);
            assert_eq!(hashdyno_finish(hasher, out.as_mut_ptr(), out.len()), Status::Ok);
        }
        assert_eq!(out, *engine::find("md5").expect("it is there").digest(b"abc"));
    }
}
