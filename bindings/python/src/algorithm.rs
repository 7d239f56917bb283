//! The table of algorithms, as Python sees it.
//!
//! hashlib's names and rules win where both have a word: `sha3_256`, not `sha3-256`; SHAKE's
//! `digest_size` is 0. Names are looked up in any case. `hashdyno.new(NAME)`,
//! `hashdyno.algorithm(NAME)` and the attributes of the module find the same algorithms.
//!
//! Errors are hashlib's too: an unknown name is a ValueError `unsupported hash type NAME`, and a
//! name that is no string is a TypeError.

use std::collections::HashMap;
use std::sync::LazyLock;

use hashdyno::{ALL, Digest};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::buffer::Input;
use crate::hasher::Hash;

/// A digest or checksum algorithm. Called, it makes a hasher: `hashdyno.sm3(b"abc").hexdigest()`.
#[pyclass(frozen, eq, hash, module = "hashdyno")]
#[derive(PartialEq, Eq)]
pub struct Algorithm(&'static Digest);

impl std::hash::Hash for Algorithm {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.name.hash(state);
    }
}

#[pymethods]
impl Algorithm {
    #[pyo3(signature = (data=None, *, usedforsecurity=true))]
    fn __call__(&self, py: Python<'_>, data: Option<Input<'_>>, usedforsecurity: bool) -> Hash {
        _ = usedforsecurity; // hashlib's: there is no policy here that it could lift
        Hash::begun(py, self.0, data.as_ref())
    }

    /// The name that hashlib gives it, or else hashdyno's own.
    #[getter]
    fn name(&self) -> &'static str {
        name(self.0)
    }

    /// All names that `new` knows it by, in any case.
    #[getter]
    fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = names(self.0).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Length of the digest in bytes; 0 if each call of `digest` has to say it, as in hashlib.
    #[getter]
    fn digest_size(&self) -> usize {
        digest_size(self.0)
    }

    /// Length of a block in bytes, as HMAC (RFC 2104) takes it.
    #[getter]
    fn block_size(&self) -> usize {
        block_size(self.0)
    }

    /// Whether `digest` gives any length that is asked for.
    #[getter]
    fn extendable(&self) -> bool {
        self.0.extendable
    }

    /// `sound`, `legacy`, `broken` or `checksum`.
    #[getter]
    fn security(&self) -> String {
        self.0.security.to_string()
    }

    /// The design it belongs to, such as `sha2`.
    #[getter]
    fn family(&self) -> &'static str {
        self.0.family
    }

    /// The document that defines it.
    #[getter]
    fn specified_in(&self) -> &'static str {
        self.0.specified_in
    }

    fn __repr__(&self) -> String {
        format!("<hashdyno algorithm {}>", name(self.0))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str,))> {
        Ok((py.import("hashdyno._hashdyno")?.getattr("algorithm")?, (self.0.name,)))
    }
}

/// The algorithm of that name, by any of its names, in any case.
#[pyfunction]
#[pyo3(signature = (name, /))]
pub fn algorithm(name: Choice) -> Algorithm {
    Algorithm(name.0)
}

/// All algorithms, in the order of their families.
#[pyfunction]
pub fn algorithms() -> Vec<Algorithm> {
    ALL.map(Algorithm).into()
}

/// An algorithm that a caller chose: by one of its names, or as [`Algorithm`].
pub struct Choice(pub &'static Digest);

impl FromPyObject<'_, '_> for Choice {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(algorithm) = object.cast::<Algorithm>() {
            return Ok(Self(algorithm.get().0));
        }
        let Ok(name) = object.cast::<PyString>() else {
            let kind = object.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "name must be a string or an algorithm of hashdyno, not {kind}"
            )));
        };
        let name = name.to_cow()?;
        find(&name)
            .map(Self)
            .ok_or_else(|| PyValueError::new_err(format!("unsupported hash type {name}")))
    }
}

/// The algorithm of that name, in any case.
pub fn find(name: &str) -> Option<&'static Digest> {
    // Most callers write the name in lower case: they are spared a copy.
    NAMES.get(name).or_else(|| NAMES.get(&*name.to_ascii_lowercase())).copied()
}

/// Adds each algorithm by its own name and by hashlib's, as identifiers.
pub fn add_constructors(module: &Bound<'_, PyModule>) -> PyResult<()> {
    for digest in ALL {
        let algorithm = Bound::new(module.py(), Algorithm(digest))?;
        let [own, hashlib] = [digest.name, name(digest)].map(|name| name.replace('-', "_"));
        // A name that is added twice stands twice in `__all__`.
        if hashlib != own {
            module.add(hashlib, &algorithm)?;
        }
        module.add(own, algorithm)?;
    }
    let crc32 = module.getattr("crc32b")?;
    module.add("crc32", crc32)
}

/// hashlib's name, or else ours.
pub fn name(digest: &Digest) -> &'static str {
    hashlib_name(digest).unwrap_or(digest.name)
}

/// Length in bytes; 0 if hashlib wants each call to say it.
pub fn digest_size(digest: &Digest) -> usize {
    if needs_length(digest) { 0 } else { digest.output_len }
}

/// Whether hashlib has it and wants to be told the length of each digest: SHAKE.
pub fn needs_length(digest: &Digest) -> bool {
    digest.extendable && hashlib_name(digest).is_some()
}

/// Length of a block in bytes, as HMAC takes it.
pub fn block_size(digest: &Digest) -> usize {
    digest.hmac_block_len()
}

/// Every name in lower case. `crc32` is zlib's here, as on the command line; PHP's is `php-crc32`.
fn names(digest: &Digest) -> impl Iterator<Item = &'static str> {
    // Elsewhere in the library PHP's checksum has the name `crc32`, too. Python users mean zlib's.
    let other = match digest.name {
        "crc32b" => "crc32",
        "crc32-bzip2" => "php-crc32",
        name => name,
    };
    digest.names().filter(|name| *name != "crc32").chain([other])
}

fn hashlib_name(digest: &Digest) -> Option<&'static str> {
    digest.spelling.python.filter(|name| !name.starts_with("zlib."))
}

/// To search the table takes longer than to hash a short message.
static NAMES: LazyLock<HashMap<&str, &Digest>> = LazyLock::new(|| {
    ALL.iter().flat_map(|digest| names(digest).map(move |name| (name, *digest))).collect()
});
