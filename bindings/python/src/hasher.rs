//! hashlib's object: a message in pieces.
//!
//! `hashdyno.new`, `update`, `digest`, `hexdigest` and `copy` behave as hashlib's, to the words of
//! their errors. Beyond hashlib are `update_file`, `update_many`, and `save` and `restore` for a
//! hash that goes on in another process.
//!
//! A message of 2048 bytes or more is hashed without the GIL. Of a file, 16 MiB are read between
//! two looks for Ctrl-C. `digest` works on a copy of the state, so that more bytes may follow.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::Mutex;

use hashdyno::{Digest, FittedHasher, Hasher};
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyBytes;

use crate::algorithm::{self, Choice, block_size, digest_size, needs_length};
use crate::buffer::Input;
use crate::many::tuple;

/// A message being hashed. Threads may share one: each call has it alone.
#[pyclass(frozen, module = "hashdyno")]
pub struct Hash {
    digest: &'static Digest,
    hasher: Mutex<Box<Hasher>>,
}

impl Hash {
    /// A message that begins with `data`.
    pub fn begun(py: Python<'_>, digest: &'static Digest, data: Option<&Input<'_>>) -> Self {
        let hash = Self::from(Box::new(Hasher::new(digest)));
        if let Some(data) = data {
            hash.take(py, data.bytes());
        }
        hash
    }

    fn take(&self, py: Python<'_>, bytes: &[u8]) {
        if bytes.len() < DETACHED_LEN {
            self.with(py, |hasher| hasher.update(bytes));
        } else {
            py.detach(|| self.hasher.lock().expect(WHOLE).update(bytes));
        }
    }

    /// Does `body` with the hasher. Other threads run while this one waits for it.
    fn with<T>(&self, py: Python<'_>, body: impl FnOnce(&mut Hasher) -> T) -> T {
        body(&mut self.hasher.lock_py_attached(py).expect(WHOLE))
    }

    fn output(&self, py: Python<'_>, length: Option<i64>) -> PyResult<Vec<u8>> {
        let mut out = vec![0; output_len(self.digest, length)?];
        let hasher = self.with(py, |hasher| hasher.clone());
        if out.len() < DETACHED_LEN {
            hasher.finish_into(&mut out);
        } else {
            py.detach(|| hasher.finish_into(&mut out));
        }
        Ok(out)
    }
}

impl From<Box<Hasher>> for Hash {
    fn from(hasher: Box<Hasher>) -> Self {
        Self { digest: hasher.digest(), hasher: Mutex::new(hasher) }
    }
}

#[pymethods]
impl Hash {
    /// Takes the next bytes of the message. Other threads run meanwhile if they are 2048 or more.
    #[pyo3(signature = (data, /))]
    fn update(&self, py: Python<'_>, data: Input<'_>) {
        self.take(py, data.bytes());
    }

    /// Takes the bytes of a file from its start to its end. Other threads run meanwhile.
    #[pyo3(signature = (path, /))]
    fn update_file(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let failed = |error| failed(&path, error);
        let mut file = py.detach(|| File::open(&path)).map_err(failed)?;
        let mut room = vec![0; READ_LEN];
        while py.detach(|| self.take_some(&mut file, &mut room)).map_err(failed)? {
            py.check_signals()?;
        }
        Ok(())
    }

    /// The digest of all bytes taken; more may follow.
    #[pyo3(signature = (length=None))]
    fn digest<'py>(&self, py: Python<'py>, length: Option<i64>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.output(py, length)?))
    }

    /// The digest in lower-case hexadecimal.
    #[pyo3(signature = (length=None))]
    fn hexdigest(&self, py: Python<'_>, length: Option<i64>) -> PyResult<String> {
        let digest = self.output(py, length)?;
        let mut hex = vec![0; 2 * digest.len()];
        const_hex::encode_to_slice(&digest, &mut hex).expect("the room is twice as long");
        Ok(String::from_utf8(hex).expect("hexadecimal is ASCII"))
    }

    /// Another hasher that has taken the same bytes.
    fn copy(&self, py: Python<'_>) -> Self {
        Self::from(self.with(py, |hasher| Box::new(hasher.clone())))
    }

    /// The running hash as bytes, for `restore`. They tell as much of the message as the hasher
    /// itself.
    fn save<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.with(py, |hasher| hasher.save()))
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.import("hashdyno._hashdyno")?.getattr("restore")?, (self.save(py),)))
    }

    /// hashlib's name of the algorithm, or else hashdyno's own.
    #[getter]
    fn name(&self) -> &'static str {
        algorithm::name(self.digest)
    }

    /// Length of the digest in bytes; 0 if `digest` has to be told it.
    #[getter]
    fn digest_size(&self) -> usize {
        digest_size(self.digest)
    }

    /// Length of a block in bytes, as HMAC (RFC 2104) takes it.
    #[getter]
    fn block_size(&self) -> usize {
        block_size(self.digest)
    }

    /// `sound`, `legacy`, `broken` or `checksum`.
    #[getter]
    fn security(&self) -> String {
        self.digest.security.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<{} hashdyno.Hash object @ {self:p}>", algorithm::name(self.digest))
    }
}

impl Hash {
    /// Takes up to a few megabytes of a file; whether there may be more.
    fn take_some(&self, file: &mut File, room: &mut [u8]) -> io::Result<bool> {
        let mut hasher = self.hasher.lock().expect(WHOLE);
        for _ in 0..READS_BETWEEN_SIGNALS {
            match file.read(room) {
                Ok(0) => return Ok(false),
                Ok(len) => hasher.update(&room[..len]),
                // By a signal, which the caller asks for.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(true),
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }
}

/// A hasher of the algorithm of that name that has taken `data`.
#[pyfunction]
#[pyo3(signature = (name, data=None, *, usedforsecurity=true))]
pub fn new(py: Python<'_>, name: Choice, data: Option<Input<'_>>, usedforsecurity: bool) -> Hash {
    _ = usedforsecurity;
    Hash::begun(py, name.0, data.as_ref())
}

/// The running hash that `Hash.save` made bytes of.
#[pyfunction]
#[pyo3(signature = (saved, /))]
pub fn restore(saved: Input<'_>) -> PyResult<Hash> {
    let hasher = Hasher::restore(saved.bytes());
    let hasher = hasher.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(Hash::from(Box::new(hasher)))
}

/// Takes the next bytes of many messages, a piece for each hasher: those of one algorithm side by
/// side in the lanes of a core's vectors. Other threads run meanwhile. It gives what `update`
/// gives, one after another; if it raises an error, no hasher has taken anything.
#[pyfunction]
#[pyo3(signature = (hashers, pieces, /))]
pub fn update_many(
    py: Python<'_>,
    hashers: &Bound<'_, PyAny>,
    pieces: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (hashers, pieces) = (tuple(hashers)?, tuple(pieces)?);
    if hashers.len() != pieces.len() {
        let (hashers, pieces) = (hashers.len(), pieces.len());
        return Err(PyValueError::new_err(format!(
            "expected a piece for each hasher, got {hashers} hashers and {pieces} pieces"
        )));
    }
    let pieces: Vec<Input<'_>> =
        pieces.iter().map(|piece| piece.extract()).collect::<PyResult<_>>()?;
    let hashers: Vec<Bound<'_, Hash>> =
        hashers.iter().map(|hasher| Ok(hasher.cast_into()?)).collect::<PyResult<_>>()?;
    let mut all: Vec<_> =
        hashers.iter().map(Bound::get).zip(pieces.iter().map(Input::bytes)).collect();
    // Locked in the order of their addresses, so that no two calls wait for each other.
    all.sort_by_key(|(hasher, _)| ptr::from_ref(*hasher));
    if all.windows(2).any(|pair| ptr::eq(pair[0].0, pair[1].0)) {
        return Err(PyValueError::new_err(
            "a hasher is there twice\nhint: call update_many once for each of its pieces",
        ));
    }
    py.detach(|| {
        let mut locked: Vec<_> = all
            .iter()
            .map(|(hasher, piece)| (hasher.hasher.lock().expect(WHOLE), *piece))
            .collect();
        let pieces: Vec<_> = locked.iter().map(|(_, piece)| *piece).collect();
        let mut hashers: Vec<&mut FittedHasher> =
            locked.iter_mut().map(|(hasher, _)| &mut ***hasher as &mut FittedHasher).collect();
        hashdyno::update_many(&mut hashers, &pieces);
    });
    Ok(())
}

/// What Python says of a file that cannot be read.
pub fn failed(path: &Path, error: io::Error) -> PyErr {
    let code = error.raw_os_error();
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default().to_owned();
    PyOSError::new_err((code, text, OsString::from(path)))
}

/// How long a digest is to be, in bytes; hashlib's words if it cannot be.
fn output_len(digest: &Digest, length: Option<i64>) -> PyResult<usize> {
    match length {
        None if needs_length(digest) => {
            Err(PyTypeError::new_err("digest() missing required argument 'length' (pos 1)"))
        }
        None => Ok(digest.output_len),
        Some(_) if !digest.extendable => {
            Err(PyTypeError::new_err("digest() takes no arguments (1 given)"))
        }
        Some(length) if length < 0 => Err(PyValueError::new_err("value must be positive")),
        Some(length) => bounded(length as u64),
    }
}

/// Checks the length of an extendable digest's output, in bytes. The error has hashlib's words.
pub fn bounded(length: u64) -> PyResult<usize> {
    if length >= LONGEST {
        return Err(PyValueError::new_err("length is too large"));
    }
    Ok(length as usize)
}

/// In bytes. Releasing the GIL takes longer than hashing a shorter message. hashlib has the same
/// threshold.
const DETACHED_LEN: usize = 2048;

/// hashlib's limit of an extendable digest, in bytes.
const LONGEST: u64 = 1 << 29;

/// Bytes that are read at a time.
pub const READ_LEN: usize = 256 << 10;

/// Reads between two looks for Ctrl-C: 16 MiB.
pub const READS_BETWEEN_SIGNALS: usize = 64;

const WHOLE: &str = "no panic has left the hasher half updated";
