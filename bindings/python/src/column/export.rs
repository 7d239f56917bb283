//! Digests as Arrow's structs. Each owns what it points to by its `private_data`, which its
//! `release` drops.

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::Arc;
use std::vec;

use super::chunk::{Chunk, Form};
use crate::arrow::{ArrowArray, ArrowArrayStream, ArrowSchema};

/// The Arrow type of a column of digests that take `slot_len` bytes each.
pub fn schema(form: Form, slot_len: usize) -> ArrowSchema {
    let format = match form {
        Form::Binary => format!("w:{slot_len}"),
        Form::Hex => "u".to_owned(),
        Form::Integer if slot_len == 4 => "I".to_owned(),
        Form::Integer => "L".to_owned(),
    };
    let format = CString::new(format).expect("no format holds a zero byte").into_raw();
    ArrowSchema {
        format,
        name: c"".as_ptr(),
        metadata: null(),
        flags: NULLABLE,
        n_children: 0,
        children: null_mut(),
        dictionary: null_mut(),
        release: Some(release_schema),
        private_data: format.cast(),
    }
}

/// The digests of one chunk.
pub fn array(form: Form, slot_len: usize, chunk: Arc<Chunk>) -> ArrowArray {
    let offsets: Vec<i32> = if form == Form::Hex {
        // They fit: a chunk of hexadecimal has at most 2 GiB.
        (0..=chunk.len).map(|row| (row * slot_len) as i32).collect()
    } else {
        Vec::new()
    };
    let mut owned = Box::new(Owned { buffers: [null(); 3], offsets, chunk });
    let validity = owned.chunk.validity.as_ref().map_or(null(), |bits| bits.as_ptr().cast());
    let slots = owned.chunk.slots().as_ptr().cast();
    let n_buffers = if form == Form::Hex {
        owned.buffers = [validity, owned.offsets.as_ptr().cast(), slots];
        3
    } else {
        owned.buffers = [validity, slots, null()];
        2
    };
    let (length, null_count) = (owned.chunk.len as i64, owned.chunk.null_count as i64);
    let owned = Box::into_raw(owned);
    ArrowArray {
        length,
        null_count,
        offset: 0,
        n_buffers,
        n_children: 0,
        buffers: owned.cast(), // its first field
        children: null_mut(),
        dictionary: null_mut(),
        release: Some(release_array),
        private_data: owned.cast(),
    }
}

/// The digests of chunks, one array each.
pub fn stream(form: Form, slot_len: usize, chunks: Vec<Arc<Chunk>>) -> ArrowArrayStream {
    let rest = Box::new(Rest { form, slot_len, chunks: chunks.into_iter() });
    ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release_stream),
        private_data: Box::into_raw(rest).cast(),
    }
}

/// What an exported array points to.
#[repr(C)]
struct Owned {
    buffers: [*const c_void; 3],
    offsets: Vec<i32>,
    chunk: Arc<Chunk>,
}

/// What an exported stream still has to give.
struct Rest {
    form: Form,
    slot_len: usize,
    chunks: vec::IntoIter<Arc<Chunk>>,
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the consumer's promise: one of `schema`'s, not released; `private_data` is the string
    // that it owns.
    unsafe {
        drop(CString::from_raw((*schema).private_data.cast()));
        (*schema).release = None;
    }
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: the consumer's promise: one of `array`'s, not released; `private_data` is the box
    // that it owns.
    unsafe {
        drop(Box::from_raw((*array).private_data.cast::<Owned>()));
        (*array).release = None;
    }
}

unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the consumer's promise: one of `stream`'s, not released, and room for a schema whose
    // bytes are nobody's.
    unsafe {
        let rest = &*(*stream).private_data.cast::<Rest>();
        out.write(schema(rest.form, rest.slot_len));
    }
    0
}

unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: as above; the consumer calls one function at a time.
    unsafe {
        let rest = &mut *(*stream).private_data.cast::<Rest>();
        match rest.chunks.next() {
            Some(chunk) => out.write(array(rest.form, rest.slot_len, chunk)),
            None => (&raw mut (*out).release).write(None), // the end
        }
    }
    0
}

unsafe extern "C" fn get_last_error(_: *mut ArrowArrayStream) -> *const c_char {
    null() // there is none
}

unsafe extern "C" fn release_stream(stream: *mut ArrowArrayStream) {
    // SAFETY: the consumer's promise: one of `stream`'s, not released; `private_data` is the box
    // that it owns.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Rest>()));
        (*stream).release = None;
    }
}

/// ARROW_FLAG_NULLABLE.
const NULLABLE: i64 = 2;
