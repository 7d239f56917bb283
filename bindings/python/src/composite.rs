//! Digests of files as clouds and networks name them, from the digests of their parts.
//!
//! The same object as `hasher.rs` has, for digests of parts. The length of the parts may be chosen
//! for S3 and BitTorrent. A file is read 64 MiB at a time, so that its parts fill the lanes of a
//! core.
//!
//! Locks are taken without the GIL, or by `lock_py_attached`, which gives the GIL up while it
//! waits. Otherwise two threads could wait for each other.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Mutex;

use hashdyno::composite::{ALL, Composed, Composite as Row, CompositeHasher, find};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyBytes;

use crate::buffer::Input;
use crate::hasher::{READ_LEN, READS_BETWEEN_SIGNALS, failed};

/// A file being hashed in parts. Threads may share one: each call has it alone.
#[pyclass(frozen, module = "hashdyno")]
pub struct Composite {
    row: Row,
    hasher: Mutex<CompositeHasher>,
}

impl Composite {
    /// The digest, unless it depends on a length that the caller told wrong.
    fn composed(&self, py: Python<'_>) -> PyResult<Composed> {
        let hasher = self.hasher.lock_py_attached(py).expect(WHOLE).clone();
        if !hasher.has_told_len() {
            let message = "length: another number of bytes was taken than was told";
            return Err(PyValueError::new_err(message));
        }
        Ok(py.detach(|| hasher.finish()))
    }
}

#[pymethods]
impl Composite {
    /// Takes the next bytes. Parts that they have whole are hashed together. Other threads run
    /// meanwhile.
    #[pyo3(signature = (data, /))]
    fn update(&self, py: Python<'_>, data: Input<'_>) {
        let bytes = data.bytes();
        py.detach(|| self.hasher.lock().expect(WHOLE).update(bytes));
    }

    /// Takes the bytes of a file from its start to its end. Other threads run meanwhile.
    #[pyo3(signature = (path, /))]
    fn update_file(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let failed = |error| failed(&path, error);
        let mut file = py.detach(|| File::open(&path)).map_err(failed)?;
        let mut room = vec![0; ROOM];
        while py.detach(|| self.take_some(&mut file, &mut room)).map_err(failed)? {
            py.check_signals()?;
        }
        Ok(())
    }

    /// The digest of all bytes taken; more may follow.
    fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.composed(py)?.digest))
    }

    /// The digest in lower-case hexadecimal.
    fn hexdigest(&self, py: Python<'_>) -> PyResult<String> {
        Ok(hashdyno::hex(&self.composed(py)?.digest))
    }

    /// The digest as programs write it: in hexadecimal, TTH and AICH in Base32, S3's checksums in
    /// Base64, the number of S3's parts behind a hyphen.
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.composed(py)?.to_string())
    }

    /// The digests of the parts: S3's of each part, a torrent's `pieces`. Empty of trees.
    fn part_digests<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let composed = self.composed(py)?;
        // The last digest may have another length: that of hash160 is RIPEMD-160's.
        let digests = composed.part_digests.chunks(self.row.part_digest().output_len);
        Ok(digests.map(|digest| PyBytes::new(py, digest)).collect())
    }

    /// How many parts there are; 0 of an S3 object that is shorter than a part.
    fn parts(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.composed(py)?.parts)
    }

    /// The name of the composite digest.
    #[getter]
    fn name(&self) -> &'static str {
        self.row.name
    }

    fn __repr__(&self) -> String {
        format!("<{} hashdyno.Composite object @ {self:p}>", self.row.name)
    }
}

impl Composite {
    /// Takes a few megabytes of a file; whether there may be more.
    fn take_some(&self, file: &mut File, room: &mut [u8]) -> io::Result<bool> {
        let mut hasher = self.hasher.lock().expect(WHOLE);
        let (mut filled, mut ended) = (0, false);
        while filled < room.len() && !ended {
            match file.read(&mut room[filled..]) {
                Ok(0) => ended = true,
                Ok(len) => filled += len,
                // By a signal, which the caller asks for.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => break,
                Err(error) => return Err(error),
            }
        }
        hasher.update(&room[..filled]);
        Ok(!ended)
    }
}

/// A hasher of the composite digest of that name (`dropbox`, `s3-etag`, `tth`, `git-blob` ...) that
/// has taken `data`. `part_size` is the length of the parts in bytes, where it may be chosen: by
/// default 8 MiB of S3's. `file` is the name of the file, which btih depends on; `length` that of
/// the file in bytes: unless it is told, git-blob and btih keep the file in memory. If another
/// number of bytes was taken, to ask for their digest is a ValueError.
#[pyfunction]
#[pyo3(signature = (name, data=None, *, part_size=None, file=None, length=None))]
pub fn composite(
    py: Python<'_>,
    name: &str,
    data: Option<Input<'_>>,
    part_size: Option<usize>,
    file: Option<&str>,
    length: Option<u64>,
) -> PyResult<Composite> {
    let unknown = || {
        PyValueError::new_err(format!(
            "unknown composite digest '{name}': hashdyno.composites() names all"
        ))
    };
    let row = *find(name).ok_or_else(unknown)?;
    let fixed = || {
        PyValueError::new_err(format!(
            "part_size: {} has parts of its own length, or it is 0",
            row.name
        ))
    };
    let row = match part_size {
        Some(len) => row.with_part_len(len).ok_or_else(fixed)?,
        None => row,
    };
    let hasher = row.hasher_of(file.unwrap_or_default().as_bytes(), length);
    let composite = Composite { row, hasher: Mutex::new(hasher) };
    if let Some(data) = data {
        composite.update(py, data);
    }
    Ok(composite)
}

/// The names of all composite digests.
#[pyfunction]
pub fn composites() -> Vec<&'static str> {
    ALL.iter().map(|composite| composite.name).collect()
}

/// Bytes that are read at a time: parts of 4 and 8 MiB fill lanes.
const ROOM: usize = READ_LEN * READS_BETWEEN_SIGNALS * 4;

const WHOLE: &str = "no panic has left the hasher half updated";
