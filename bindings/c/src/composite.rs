//! Digests of messages from the digests of their parts, as clouds and networks name files.

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::null;
use std::sync::LazyLock;

use engine::composite::{self, CompositeHasher};

use crate::pointers;
use crate::status::{Status, answer};

/// Room for the text of any composite digest with the zero byte behind it, in bytes.
pub const COMPOSITE_TEXT_SIZE: usize = 128;

/// The longest text: 64 bytes in hexadecimal or Base64, a hyphen, a number of 64 bits.
const LONGEST_TEXT: usize = 64 + 1 + 20;

const _: () = assert!(LONGEST_TEXT < COMPOSITE_TEXT_SIZE);

/// A message being hashed in parts, piece by piece. It owns memory: end it by
/// hashdyno_composite_free.
pub struct Composing {
    hasher: CompositeHasher,
}

/// The name of a composite digest: those from `index` 0 on, null behind the last.
#[unsafe(no_mangle)]
pub extern "C" fn hashdyno_composite_name(index: usize) -> *const c_char {
    static NAMES: LazyLock<Vec<CString>> = LazyLock::new(|| {
        let name =
            |it: &composite::Composite| CString::new(it.name).expect("no name holds a zero byte");
        composite::ALL.iter().map(name).collect()
    });
    NAMES.get(index).map_or(null(), |name| name.as_ptr())
}

/// Begins a message by a composite digest of that name, in any case (`dropbox`, `s3-etag`, `tth`,
/// `git-blob` ...), and puts it into `composing`, which is null where that fails. `part_len` is the
/// length of the parts in bytes where it may be chosen (s3-etag, s3-sha256, s3-sha1, s3-crc32c,
/// s3-crc32, btih); 0: the usual one. `file` is the name of the file, which btih depends on, or
/// null. `len` points to the length of the message in bytes, or is null: git-blob and btih then
/// keep the message in memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_composite_start(
    composing: *mut *mut Composing,
    name: *const c_char,
    part_len: usize,
    file: *const c_char,
    len: *const u64,
) -> Status {
    answer(|| {
        // SAFETY: the header's promise.
        let place = unsafe { pointers::place(composing) }?;
        *place = std::ptr::null_mut(); // before anything else can fail
        // SAFETY: the header's promise, for all pointers.
        let (name, file, len) = unsafe {
            let file = if file.is_null() { b"" } else { CStr::from_ptr(file).to_bytes() };
            let len = if len.is_null() { None } else { Some(pointers::values(len, 1)?[0]) };
            (pointers::text(name, Status::UnknownAlgorithm)?, file, len)
        };
        let name = name.ok_or(Status::NullPointer)?;
        let composite = *composite::find(name).ok_or(Status::UnknownAlgorithm)?;
        let composite = match part_len {
            0 => composite,
            len => composite.with_part_len(len).ok_or(Status::WrongLength)?,
        };
        *place = Box::into_raw(Box::new(Composing { hasher: composite.hasher_of(file, len) }));
        Ok(())
    })
}

/// Takes the next bytes of the message. Parts that they have whole are hashed together.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_composite_update(
    composing: *mut Composing,
    data: *const c_void,
    len: usize,
) -> Status {
    answer(|| {
        // SAFETY: the header's promise.
        let (composing, data) =
            unsafe { (pointers::place(composing)?, pointers::bytes(data, len)?) };
        composing.hasher.update(data);
        Ok(())
    })
}

/// The digest of all bytes taken, as programs write it, to `text`, which has room for
/// HASHDYNO_COMPOSITE_TEXT_SIZE bytes: in hexadecimal, but for tth and aich (Base32) and S3's
/// checksums (Base64); S3's number of parts is behind a hyphen. A zero byte ends it. More bytes
/// may follow. If git-blob or btih was told another length than that of all bytes taken, it is a
/// wrong length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_composite_text(
    composing: *const Composing,
    text: *mut c_char,
) -> Status {
    answer(|| {
        // SAFETY: the header's promise.
        let (composing, room) = unsafe {
            (
                &pointers::values(composing, 1)?[0],
                pointers::values_mut(text.cast::<u8>(), COMPOSITE_TEXT_SIZE)?,
            )
        };
        if !composing.hasher.has_told_len() {
            return Err(Status::WrongLength);
        }
        let written = composing.hasher.clone().finish().to_string();
        room[..written.len()].copy_from_slice(written.as_bytes());
        room[written.len()] = 0;
        Ok(())
    })
}

/// Ends a message and frees its memory. Null is no message, and nothing happens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_composite_free(composing: *mut Composing) {
    if !composing.is_null() {
        // SAFETY: the header's promise: it came from hashdyno_composite_start and was not freed.
        drop(unsafe { Box::from_raw(composing) });
    }
}
