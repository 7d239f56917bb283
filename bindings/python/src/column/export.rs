//! Digests as Arrow's structs. Each owns what it points to by its `private_data`, which its
//! `release` drops.
//!
//! ```text
//!           array                              array of views, for Polars
//! Binary    w:LEN   validity, slots            vz      validity, views, slots, lens
//! Hex       u       validity, offsets, slots   vu      validity, views, slots, lens
//! Integer   I or L  validity, slots            I or L  validity, slots
//! ```
//!
//! Polars has strings and binary by views. A view holds a value of 12 bytes or less itself, and
//! then no buffer of slots is there. Releasing an array frees the struct's own lists at once, and
//! the chunk with its last user.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::Arc;
use std::vec;

use super::chunk::{Chunk, Form};
use super::views::SHORT;
use crate::arrow::{ArrowArray, ArrowArrayStream, ArrowSchema};

/// The Arrow type of a column of digests that take `slot_len` bytes each.
pub fn schema(form: Form, slot_len: usize) -> ArrowSchema {
    let format = match form {
        Form::Binary => format!("w:{slot_len}"),
        Form::Hex => "u".to_owned(),
        Form::Integer => integer(slot_len).to_owned(),
    };
    named(&format, c"")
}

/// The same of [`array_of_views`], for a column with a name.
pub fn schema_of_views(form: Form, slot_len: usize, name: &CStr) -> ArrowSchema {
    let format = match form {
        Form::Binary => "vz",
        Form::Hex => "vu",
        Form::Integer => integer(slot_len),
    };
    named(format, name)
}

fn integer(slot_len: usize) -> &'static str {
    if slot_len == 4 { "I" } else { "L" }
}

fn named(format: &str, name: &CStr) -> ArrowSchema {
    let format = CString::new(format).expect("no format holds a zero byte");
    let texts = Box::new([format, name.to_owned()]);
    ArrowSchema {
        format: texts[0].as_ptr(),
        name: texts[1].as_ptr(),
        metadata: null(),
        flags: NULLABLE,
        n_children: 0,
        children: null_mut(),
        dictionary: null_mut(),
        release: Some(release_schema),
        private_data: Box::into_raw(texts).cast(),
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
    let mut owned = Owned::of(chunk);
    let slots = owned.chunk.slots().as_ptr().cast();
    if form == Form::Hex {
        owned.offsets = offsets;
        owned.buffers.extend([owned.offsets.as_ptr().cast(), slots]);
    } else {
        owned.buffers.push(slots);
    }
    exported(owned)
}

/// The same of a chunk that has views, in the layout of Polars. Integers are as ever.
pub fn array_of_views(form: Form, slot_len: usize, chunk: Arc<Chunk>) -> ArrowArray {
    if form == Form::Integer {
        return array(form, slot_len, chunk);
    }
    let mut owned = Owned::of(chunk);
    let slots = owned.chunk.slots();
    owned.buffers.push(owned.chunk.views().as_ptr().cast());
    if slot_len > SHORT {
        owned.buffers.push(slots.as_ptr().cast());
        owned.lens = vec![slots.len() as i64];
    }
    owned.buffers.push(owned.lens.as_ptr().cast());
    exported(owned)
}

fn exported(owned: Box<Owned>) -> ArrowArray {
    let (length, null_count) = (owned.chunk.len as i64, owned.chunk.null_count as i64);
    let (n_buffers, buffers) = (owned.buffers.len() as i64, owned.buffers.as_ptr().cast_mut());
    let owned = Box::into_raw(owned);
    ArrowArray {
        length,
        null_count,
        offset: 0,
        n_buffers,
        n_children: 0,
        buffers,
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
struct Owned {
    /// Where the buffers begin, in the order of the format. They point into the lists below.
    buffers: Vec<*const c_void>,
    offsets: Vec<i32>,
    /// Bytes of each buffer of values, which formats by views need as their last buffer.
    lens: Vec<i64>,
    chunk: Arc<Chunk>,
}

impl Owned {
    /// With the first buffer: which rows are there.
    fn of(chunk: Arc<Chunk>) -> Box<Self> {
        let validity = chunk.validity.as_ref().map_or(null(), |bits| bits.as_ptr().cast());
        Box::new(Self { buffers: vec![validity], offsets: Vec::new(), lens: Vec::new(), chunk })
    }
}

/// What an exported stream still has to give.
struct Rest {
    form: Form,
    slot_len: usize,
    chunks: vec::IntoIter<Arc<Chunk>>,
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the consumer's promise: one of `named`'s, not released; `private_data` is the box
    // that it owns.
    unsafe {
        drop(Box::from_raw((*schema).private_data.cast::<[CString; 2]>()));
        (*schema).release = None;
    }
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: the consumer's promise: one of `exported`'s, not released; `private_data` is the box
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
