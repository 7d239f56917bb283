//! What C hands over, as Rust has it.

use std::ffi::{CStr, c_char, c_void};
use std::ops::Range;
use std::slice;

use crate::status::Status;

/// `len` bytes at `pointer`, which may be null if there are none.
///
/// # Safety
/// As [`values`].
pub(crate) unsafe fn bytes<'a>(pointer: *const c_void, len: usize) -> Result<&'a [u8], Status> {
    // SAFETY: this function's own condition.
    unsafe { values(pointer.cast(), len) }
}

/// `len` values at `pointer`, which may be null if there are none.
///
/// # Safety
/// A pointer that is not null points to as many values, and nothing changes them while `'a` lasts.
pub(crate) unsafe fn values<'a, T>(pointer: *const T, len: usize) -> Result<&'a [T], Status> {
    if len == 0 {
        return Ok(&[]);
    }
    check(pointer, len)?;
    // SAFETY: neither null nor misaligned nor longer than memory; the rest is this function's own
    // condition.
    Ok(unsafe { slice::from_raw_parts(pointer, len) })
}

/// As [`values`], to be written.
///
/// # Safety
/// As [`values`], and nothing else reads or writes them while `'a` lasts.
pub(crate) unsafe fn values_mut<'a, T>(pointer: *mut T, len: usize) -> Result<&'a mut [T], Status> {
    if len == 0 {
        return Ok(&mut []);
    }
    check(pointer, len)?;
    // SAFETY: neither null nor misaligned nor longer than memory; the rest is this function's own
    // condition.
    Ok(unsafe { slice::from_raw_parts_mut(pointer, len) })
}

/// Where to write one value.
///
/// # Safety
/// As [`values_mut`], for one.
pub(crate) unsafe fn place<'a, T>(pointer: *mut T) -> Result<&'a mut T, Status> {
    // SAFETY: this function's own condition.
    unsafe { values_mut(pointer, 1) }.map(|values| &mut values[0])
}

/// Refuses an output that shares bytes with an input: to write it would change what is read.
pub(crate) fn apart<T>(input: &[T], out: *const u8, out_len: usize) -> Result<(), Status> {
    let Range { start, end } = input.as_ptr_range();
    let first = start.addr().max(out.addr());
    let end = end.addr().min(out.addr().saturating_add(out_len));
    if first < end { Err(Status::WrongLength) } else { Ok(()) }
}

/// A string that C ends with a zero byte; none if the pointer is null, or if it is not UTF-8 and
/// `otherwise` is what that means.
///
/// # Safety
/// A pointer that is not null points to such a string, which stays as it is while `'a` lasts.
pub(crate) unsafe fn text<'a>(
    pointer: *const c_char,
    otherwise: Status,
) -> Result<Option<&'a str>, Status> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: not null; the rest is this function's own condition.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map(Some).map_err(|_| otherwise)
}

fn check<T>(pointer: *const T, len: usize) -> Result<(), Status> {
    let good = !pointer.is_null()
        && pointer.is_aligned()
        && len <= const { isize::MAX as usize / size_of::<T>() };
    if good { Ok(()) } else { Err(fault(pointer)) }
}

/// What is wrong with a pointer, or with the length beside it. Apart, so that the good case stays
/// short.
#[cold]
fn fault<T>(pointer: *const T) -> Status {
    if pointer.is_null() {
        Status::NullPointer
    } else if !pointer.is_aligned() {
        Status::Misaligned
    } else {
        Status::WrongLength
    }
}
