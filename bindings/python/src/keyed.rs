//! Messages under keys: HMAC (RFC 2104), keyed modes, seeds, secrets.
//!
//! ```text
//! Key("sha256", key)                   HMAC, the default mode
//! Key("blake3", key, mode="keyed")     the digest's own keyed mode
//! Key("xxh3", key, mode="secret")      a secret of XXH3
//! Key("xxh64", seed=2654435761)        a seed
//! ```
//!
//! A wrong combination is a ValueError. The state after the key is made once and is shared by all
//! messages under the key.

use std::sync::Mutex;

use hashdyno::KeyedHasher;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyList};

use crate::algorithm::{self, Choice};
use crate::buffer::Input;
use crate::hasher::bounded;
use crate::many::{listed, listed_in_hex, of_rows};

/// A key, bound to an algorithm. Threads may share one.
#[pyclass(frozen, module = "hashdyno")]
pub struct Key(pub hashdyno::Key);

/// An HMAC's key.
pub fn hmac_key(algorithm: &Choice, key: &Input<'_>) -> PyResult<hashdyno::Key> {
    hashdyno::Key::hmac(algorithm.0, key.bytes()).map_err(|_| {
        let name = algorithm::name(algorithm.0);
        PyValueError::new_err(format!(
            "key: HMAC is not defined for {name}: expected a cryptographic hash of fixed \
                length\nhint: take sha256 or blake3"
        ))
    })
}

#[pymethods]
impl Key {
    #[new]
    #[pyo3(signature = (algorithm, key=None, /, *, mode="hmac", seed=None))]
    fn new(
        algorithm: Choice,
        key: Option<Input<'_>>,
        mode: &str,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        let digest = algorithm.0;
        let made = match (key, mode, seed) {
            (None, _, Some(seed)) => hashdyno::Key::seed(digest, seed),
            (Some(key), "hmac", None) => return hmac_key(&algorithm, &key).map(Self),
            (Some(key), "keyed", None) => hashdyno::Key::keyed(digest, key.bytes()),
            (Some(key), "secret", None) => hashdyno::Key::secret(digest, key.bytes()),
            (Some(_), other, None) => {
                return Err(PyValueError::new_err(format!(
                    "mode: {other:?} is none: expected 'hmac', 'keyed' or 'secret'"
                )));
            }
            _ => return Err(PyValueError::new_err("expected a key, or a seed")),
        };
        made.map(Self).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The name of the algorithm.
    #[getter]
    fn name(&self) -> &'static str {
        algorithm::name(self.0.algorithm())
    }

    /// Length of a code in bytes.
    #[getter]
    fn digest_size(&self) -> usize {
        self.0.output_len()
    }

    /// The code of a whole message.
    #[pyo3(signature = (data, /, length=None))]
    fn digest<'py>(
        &self,
        py: Python<'py>,
        data: Input<'_>,
        length: Option<usize>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut out = vec![0; fitting(&self.0, length)?];
        let data = data.bytes();
        py.detach(|| self.0.digest_into(data, &mut out));
        Ok(PyBytes::new(py, &out))
    }

    /// The same in lower-case hexadecimal.
    #[pyo3(signature = (data, /, length=None))]
    fn hexdigest(
        &self,
        py: Python<'_>,
        data: Input<'_>,
        length: Option<usize>,
    ) -> PyResult<String> {
        let mut out = vec![0; fitting(&self.0, length)?];
        let data = data.bytes();
        py.detach(|| self.0.digest_into(data, &mut out));
        Ok(hashdyno::hex(&out))
    }

    /// Whether that is the code of the message; in the same time wherever they differ.
    #[pyo3(signature = (data, code, /))]
    fn verify(&self, py: Python<'_>, data: Input<'_>, code: Input<'_>) -> bool {
        let (data, code) = (data.bytes(), code.bytes());
        py.detach(|| self.0.verify(data, code))
    }

    /// The codes of a sequence of buffers, a `bytes` object each.
    #[pyo3(signature = (messages, /))]
    fn digest_many<'py>(
        &self,
        py: Python<'py>,
        messages: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        listed(py, &self.0, messages)
    }

    /// The same in lower-case hexadecimal, a `str` each.
    #[pyo3(signature = (messages, /))]
    fn hexdigest_many<'py>(
        &self,
        py: Python<'py>,
        messages: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        listed_in_hex(py, &self.0, messages)
    }

    /// The codes of the rows of a buffer, one after another.
    #[pyo3(signature = (rows, /))]
    fn digest_rows<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        of_rows(py, &self.0, rows)
    }

    /// A message under the key that begins with `data`.
    #[pyo3(signature = (data=None, /))]
    #[pyo3(name = "new")]
    fn begin(&self, py: Python<'_>, data: Option<Input<'_>>) -> KeyedHash {
        let hash = KeyedHash(Mutex::new(Box::new(self.0.hasher())));
        if let Some(data) = data {
            hash.update(py, data);
        }
        hash
    }

    fn __repr__(&self) -> String {
        format!("<hashdyno.Key of {}>", self.name())
    }
}

/// A message under a key, in pieces. Threads may share one: each call has it alone.
#[pyclass(frozen, module = "hashdyno")]
pub struct KeyedHash(Mutex<Box<KeyedHasher>>);

impl KeyedHash {
    fn output(&self, py: Python<'_>, length: Option<usize>) -> PyResult<Vec<u8>> {
        let hasher = self.0.lock_py_attached(py).expect(WHOLE).clone();
        let mut out = vec![0; fitting(hasher.key(), length)?];
        hasher.finish_into(&mut out);
        Ok(out)
    }
}

#[pymethods]
impl KeyedHash {
    /// Takes the next bytes of the message. Other threads run meanwhile.
    #[pyo3(signature = (data, /))]
    fn update(&self, py: Python<'_>, data: Input<'_>) {
        let data = data.bytes();
        py.detach(|| self.0.lock().expect(WHOLE).update(data));
    }

    /// The code of all bytes taken; more may follow.
    #[pyo3(signature = (length=None))]
    fn digest<'py>(&self, py: Python<'py>, length: Option<usize>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.output(py, length)?))
    }

    /// The code in lower-case hexadecimal.
    #[pyo3(signature = (length=None))]
    fn hexdigest(&self, py: Python<'_>, length: Option<usize>) -> PyResult<String> {
        Ok(hashdyno::hex(&self.output(py, length)?))
    }

    /// Another hasher that has taken the same bytes.
    fn copy(&self, py: Python<'_>) -> Self {
        Self(Mutex::new(self.0.lock_py_attached(py).expect(WHOLE).clone()))
    }

    /// The name of the algorithm.
    #[getter]
    fn name(&self, py: Python<'_>) -> &'static str {
        algorithm::name(self.0.lock_py_attached(py).expect(WHOLE).key().algorithm())
    }

    /// Length of the code in bytes.
    #[getter]
    fn digest_size(&self, py: Python<'_>) -> usize {
        self.0.lock_py_attached(py).expect(WHOLE).key().output_len()
    }
}

/// The HMAC of a message that begins with `data`.
#[pyfunction]
#[pyo3(signature = (algorithm, key, data=None, /))]
pub fn hmac(
    py: Python<'_>,
    algorithm: Choice,
    key: Input<'_>,
    data: Option<Input<'_>>,
) -> PyResult<KeyedHash> {
    Ok(Key(hmac_key(&algorithm, &key)?).begin(py, data))
}

/// What `digest_column` takes as a key: a `Key`, or bytes, which are an HMAC's.
pub enum Given<'py> {
    Key(Bound<'py, Key>),
    Bytes(Input<'py>),
}

impl Given<'_> {
    /// The key; one that was made for another algorithm is refused.
    pub fn key(&self, algorithm: &Choice) -> PyResult<hashdyno::Key> {
        match self {
            Self::Bytes(bytes) => hmac_key(algorithm, bytes),
            Self::Key(key) if key.get().0.algorithm() == algorithm.0 => Ok(key.get().0.clone()),
            Self::Key(key) => {
                let (of, other) = (key.get().name(), algorithm::name(algorithm.0));
                Err(PyValueError::new_err(format!("key: it is one of {of}, not of {other}")))
            }
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Given<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.cast::<Key>() {
            Ok(key) => Ok(Self::Key(key.to_owned())),
            Err(_) => object.extract().map(Self::Bytes),
        }
    }
}

/// The length of a code.
fn fitting(key: &hashdyno::Key, length: Option<usize>) -> PyResult<usize> {
    match length {
        Some(length) if length != key.output_len() && !key.extendable() => {
            let (name, len) = (key.algorithm().name, key.output_len());
            Err(PyValueError::new_err(format!("a code by {name} has {len} bytes, not {length}")))
        }
        _ => bounded(length.unwrap_or(key.output_len()) as u64),
    }
}

/// Nothing that is done with the lock held fails.
const WHOLE: &str = "no thread panicked";
