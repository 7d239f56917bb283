//! The calls, and what they are given.

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;

unsafe extern "C" {
    pub(super) fn hashdyno_find(name: *const c_char) -> *const c_void;
    pub(super) fn hashdyno_start(hasher: *mut c_void, algorithm: *const c_void) -> i32;
    pub(super) fn hashdyno_start_with(
        hasher: *mut c_void,
        algorithm: *const c_void,
        kernel: *const c_char,
        cpu: *const u64,
    ) -> i32;
    pub(super) fn hashdyno_update(hasher: *mut c_void, bytes: *const u8, len: usize) -> i32;
    pub(super) fn hashdyno_update_many(
        hashers: *const *mut c_void,
        pieces: *const *const u8,
        lens: *const usize,
        count: usize,
    ) -> i32;
    pub(super) fn hashdyno_finish(hasher: *mut c_void, out: *mut u8, out_len: usize) -> i32;
    pub(super) fn hashdyno_algorithm_of(hasher: *const c_void) -> *const c_void;
    pub(super) fn hashdyno_save(hasher: *const c_void, saved: *mut u8, len: *mut usize) -> i32;
    pub(super) fn hashdyno_restore(hasher: *mut c_void, saved: *const u8, len: usize) -> i32;
    pub(super) fn hashdyno_cpu_masked(mask: *const c_char, cpu: *mut u64) -> i32;
    pub(super) fn hashdyno_digest_many(
        algorithm: *const c_void,
        cpu: *const u64,
        messages: *const *const u8,
        lens: *const usize,
        count: usize,
        out: *mut u8,
        out_len: usize,
    ) -> i32;
    pub(super) fn hashdyno_digest_offsets(
        algorithm: *const c_void,
        cpu: *const u64,
        data: *const u8,
        data_len: usize,
        offsets: *const i32,
        count: usize,
        out: *mut u8,
        out_len: usize,
    ) -> i32;
    pub(super) fn hashdyno_digest_large_offsets(
        algorithm: *const c_void,
        cpu: *const u64,
        data: *const u8,
        data_len: usize,
        offsets: *const i64,
        count: usize,
        out: *mut u8,
        out_len: usize,
    ) -> i32;
    pub(super) fn hashdyno_digest_rows(
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
pub(super) const OK: i32 = 0;
pub(super) const INTERNAL: i32 = 11;

/// `sizeof(hashdyno_hasher)`, and the longest saved one.
pub(super) const HASHER: usize = 3072;

/// A hasher as C has it.
#[derive(Clone)]
#[repr(C, align(16))]
pub(super) struct Hasher(pub(super) [u8; HASHER]);

/// What a call writes to an output of that length, and its status; beside the output nothing may
/// change.
pub(super) fn written(len: usize, call: impl FnOnce(*mut u8) -> i32) -> (i32, Vec<u8>) {
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
