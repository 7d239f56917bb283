//! Many messages in one call, from and to Python's own objects.
//!
//! Objects of Python are made and read with the GIL held, digests are computed without it. So
//! messages go in batches of 16384: for each batch the buffers are taken, hashed in lanes, and
//! given back.
//!
//! A list is read in place, and may become shorter meanwhile: that is a RuntimeError. Any other
//! sequence becomes a tuple first.

use std::slice;

use hashdyno::{Cpu, Digest, Key, Messages};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};

use crate::algorithm::Choice;
use crate::buffer::Input;

/// The digests of a sequence of buffers, a `bytes` object each.
#[pyfunction]
#[pyo3(signature = (algorithm, messages, /))]
pub fn digest_many<'py>(
    py: Python<'py>,
    algorithm: Choice,
    messages: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyList>> {
    listed(py, algorithm.0, messages)
}

/// The same in lower-case hexadecimal, a `str` each.
#[pyfunction]
#[pyo3(signature = (algorithm, messages, /))]
pub fn hexdigest_many<'py>(
    py: Python<'py>,
    algorithm: Choice,
    messages: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyList>> {
    listed_in_hex(py, algorithm.0, messages)
}

/// The digests of the rows of a buffer, one after another.
#[pyfunction]
#[pyo3(signature = (algorithm, rows, /))]
pub fn digest_rows<'py>(
    py: Python<'py>,
    algorithm: Choice,
    rows: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    of_rows(py, algorithm.0, rows)
}

/// What gives digests of many messages: an algorithm or a key.
pub trait ManyDigests: Sync {
    /// Bytes of each digest.
    fn len(&self) -> usize;
    /// The digests, by the best kernels of this machine.
    fn digest_batch(&self, messages: Messages<'_>, out: &mut [u8]);
}

impl ManyDigests for Digest {
    fn len(&self) -> usize {
        self.output_len
    }

    fn digest_batch(&self, messages: Messages<'_>, out: &mut [u8]) {
        hashdyno::digest_many_on(self, Cpu::native(), messages, out);
    }
}

impl ManyDigests for Key {
    fn len(&self) -> usize {
        self.output_len()
    }

    fn digest_batch(&self, messages: Messages<'_>, out: &mut [u8]) {
        self.digest_many_on(Cpu::native(), messages, out);
    }
}

/// The digests of a sequence of buffers, a `bytes` object each.
pub fn listed<'py>(
    py: Python<'py>,
    digest: &impl ManyDigests,
    messages: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyList>> {
    let (messages, list) = (Sequence::of(messages)?, PyList::empty(py));
    each_batch(digest, &messages, |digests| {
        let mut each = digests.chunks_exact(digest.len());
        each.try_for_each(|bytes| list.append(PyBytes::new(py, bytes)))
    })?;
    Ok(list)
}

/// The same in lower-case hexadecimal, a `str` each.
pub fn listed_in_hex<'py>(
    py: Python<'py>,
    digest: &impl ManyDigests,
    messages: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyList>> {
    let (messages, list) = (Sequence::of(messages)?, PyList::empty(py));
    let mut hex = vec![0; BATCH * 2 * digest.len()];
    each_batch(digest, &messages, |digests| {
        let hex = &mut hex[..2 * digests.len()];
        const_hex::encode_to_slice(digests, hex).expect("the room is twice as long");
        let text = str::from_utf8(hex).expect("hexadecimal is ASCII");
        let mut each = (0..text.len()).step_by(2 * digest.len());
        each.try_for_each(|at| list.append(PyString::new(py, &text[at..][..2 * digest.len()])))
    })?;
    Ok(list)
}

/// The digests of the rows of a buffer, one after another.
pub fn of_rows<'py>(
    py: Python<'py>,
    digest: &impl ManyDigests,
    rows: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let buffer = PyUntypedBuffer::get(rows)?;
    let (count, width) = shape(&buffer)?;
    let data: &[u8] = if count * width == 0 {
        &[]
    } else {
        // SAFETY: the buffer is contiguous, so long, and lent until `buffer` is dropped.
        unsafe { slice::from_raw_parts(buffer.buf_ptr().cast(), count * width) }
    };
    // Rows of no bytes may be more than memory has.
    let len = count.checked_mul(digest.len()).ok_or_else(|| PyMemoryError::new_err(()))?;
    PyBytes::new_with(py, len, |out| {
        py.detach(|| match width {
            0 => digest.digest_batch(Messages::Slices(&vec![&data[..0]; count]), out),
            _ => digest.digest_batch(Messages::Rows { data, width }, out),
        });
        Ok(())
    })
}

/// Hands the digests of the messages to `taken`, one after another, for a batch of messages at a
/// time. The GIL is free while digests are computed.
fn each_batch(
    digest: &impl ManyDigests,
    messages: &Sequence<'_>,
    mut taken: impl FnMut(&[u8]) -> PyResult<()>,
) -> PyResult<()> {
    let mut out = vec![0; BATCH.min(messages.len()) * digest.len()];
    for begin in (0..messages.len()).step_by(BATCH) {
        let batch = begin..(begin + BATCH).min(messages.len());
        let inputs: Vec<Input<'_>> =
            batch.map(|index| messages.input(index)).collect::<PyResult<_>>()?;
        let slices: Vec<_> = inputs.iter().map(Input::bytes).collect();
        let out = &mut out[..slices.len() * digest.len()];
        messages.py().detach(|| digest.digest_batch(Messages::Slices(&slices), out));
        taken(out)?;
    }
    Ok(())
}

/// The messages. Those of a list are held a batch at a time, while they are in the core's own
/// cache: a tuple of all would touch each object twice more.
struct Sequence<'py> {
    objects: Objects<'py>,
    len: usize,
}

enum Objects<'py> {
    List(Bound<'py, PyList>),
    Tuple(Bound<'py, PyTuple>),
}

impl<'py> Sequence<'py> {
    fn of(messages: &Bound<'py, PyAny>) -> PyResult<Self> {
        Ok(match messages.cast_exact::<PyList>() {
            Ok(list) => Self { len: list.len(), objects: Objects::List(list.clone()) },
            Err(_) => {
                let tuple = tuple(messages)?;
                Self { len: tuple.len(), objects: Objects::Tuple(tuple) }
            }
        })
    }

    /// How many messages there were at the beginning.
    fn len(&self) -> usize {
        self.len
    }

    fn py(&self) -> Python<'py> {
        match &self.objects {
            Objects::List(list) => list.py(),
            Objects::Tuple(tuple) => tuple.py(),
        }
    }

    /// A message. Another thread may have taken it from the list.
    fn input(&self, index: usize) -> PyResult<Input<'py>> {
        match &self.objects {
            Objects::List(list) => match list.get_item(index) {
                Ok(item) => Input::of(item),
                Err(_) => Err(PyRuntimeError::new_err("list changed size while it was hashed")),
            },
            Objects::Tuple(tuple) => tuple.get_borrowed_item(index)?.extract(),
        }
    }
}

/// The messages where no other thread can change which they are.
pub fn tuple<'py>(messages: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
    if messages.is_instance_of::<PyString>() || messages.is_instance_of::<PyBytes>() {
        return Err(PyTypeError::new_err(
            "expected a sequence of buffers, got one message\nhint: put it into a list",
        ));
    }
    match messages.cast::<PyTuple>() {
        Ok(tuple) => Ok(tuple.clone()),
        Err(_) => Ok(messages.py().get_type::<PyTuple>().call1((messages,))?.cast_into()?),
    }
}

/// How many rows a buffer has, and the bytes of each.
fn shape(buffer: &PyUntypedBuffer) -> PyResult<(usize, usize)> {
    if !buffer.is_c_contiguous() {
        return Err(PyValueError::new_err(
            "the rows are not C-contiguous\nhint: pass a copy of them",
        ));
    }
    let format = buffer.format().to_bytes();
    if format.ends_with(b"O") || format.ends_with(b"w") || format.starts_with(b"T{") {
        let format = String::from_utf8_lossy(format);
        return Err(PyTypeError::new_err(format!(
            "expected rows of bytes or numbers, got the format {format}\nhint: convert them to an \
                S or V dtype"
        )));
    }
    match *buffer.shape() {
        [count, columns] => Ok((count, columns * buffer.item_size())),
        [count] if buffer.item_size() > 1 => Ok((count, buffer.item_size())),
        [_] => Err(PyValueError::new_err(
            "expected two dimensions, or items longer than a byte; got single bytes\nhint: \
                reshape them to (rows, width)",
        )),
        ref other => {
            let count = other.len();
            Err(PyValueError::new_err(format!("expected one or two dimensions, got {count}")))
        }
    }
}

/// Messages in a batch. On a Zen 4 lists of XXH3 and MD5 took the least time with 16384 of the
/// sizes 256 to 300,000. Larger batches leave the cache.
const BATCH: usize = 16384;
