//! Bytes of Python objects, taken as hashlib takes them and refused in its words.
//!
//! A `bytes` object never changes, so a reference is enough. Anything else is asked for a buffer,
//! and the buffer is locked: a `bytearray` cannot be resized meanwhile. Refusals have hashlib's
//! words:
//!
//! ```text
//! str                          TypeError    Strings must be encoded before hashing
//! no buffer                    TypeError    object supporting the buffer API required
//! more than one dimension      BufferError  Buffer must be single dimension
//! ```

use std::slice;

use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// Bytes that stay where they are while this lives.
pub enum Input<'py> {
    /// Of a `bytes` object, which is held.
    Bytes(Bound<'py, PyBytes>),
    /// Of any other object that exports a contiguous buffer.
    View(View),
}

impl<'py> Input<'py> {
    /// The bytes of an object. A list's own reference would not do: another thread may remove it.
    pub fn of(object: Bound<'py, PyAny>) -> PyResult<Self> {
        match object.cast_into_exact::<PyBytes>() {
            Ok(bytes) => Ok(Self::Bytes(bytes)),
            Err(other) => View::new(&other.into_inner()).map(Self::View),
        }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes.as_bytes(),
            Self::View(view) => view.bytes(),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Input<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Self::of(object.to_owned())
    }
}

/// A buffer that Python lends. It is given back when this is dropped, which happens on an attached
/// thread: it is not `Send`.
pub struct View(Box<ffi::Py_buffer>);

impl View {
    fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("Strings must be encoded before hashing"));
        }
        // SAFETY: the pointer is that of a live object.
        if unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) } == 0 {
            return Err(PyTypeError::new_err("object supporting the buffer API required"));
        }
        // On the heap: some exporters keep the address of the view, and a move would break it.
        let mut view = Box::new(ffi::Py_buffer::new());
        // SAFETY: the object is live and the view is written where it stays.
        if unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), &mut *view, ffi::PyBUF_SIMPLE) } != 0 {
            return Err(PyErr::fetch(object.py()));
        }
        let view = Self(view); // from here on it is released whatever happens
        if view.0.ndim > 1 {
            return Err(PyBufferError::new_err("Buffer must be single dimension"));
        }
        Ok(view)
    }

    fn bytes(&self) -> &[u8] {
        match usize::try_from(self.0.len) {
            Ok(len) if len > 0 => {
                // SAFETY: a buffer asked for by PyBUF_SIMPLE is contiguous and `len` bytes long,
                // and its exporter neither moves nor frees it before the release. Threads that
                // write to it meanwhile make the digest arbitrary, as hashlib's.
                unsafe { slice::from_raw_parts(self.0.buf.cast(), len) }
            }
            _ => &[],
        }
    }
}

impl Drop for View {
    fn drop(&mut self) {
        // SAFETY: the view was filled by PyObject_GetBuffer and is released once.
        unsafe { ffi::PyBuffer_Release(&mut *self.0) }
    }
}
