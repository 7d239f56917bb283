//! Columns in Arrow's layout, from whatever library and to whatever library.
//!
//! `digest_column` takes any object with `__arrow_c_stream__` or `__arrow_c_array__`, and gives a
//! `DigestColumn` with both. Values are read where they lie. Hashing and the producer's callbacks
//! run without the GIL.
//!
//! ```text
//! arrow.rs     the structs of the C interface, and who owns them
//! values.rs    the producer's buffers, checked; views.rs for values by views
//! chunk.rs     digests of an array; functions.rs for checksums that are compiled in
//! export.rs    digests as Arrow's structs; pages.rs for their memory
//! ```

mod chunk;
mod export;
mod functions;
mod pages;
mod values;
mod views;

use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use hashdyno::Digest;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

pub use self::chunk::{Chunk, Form, Job};
pub use self::export::{array_of_views, schema_of_views};
use self::values::Problem;
pub use self::values::Values;
use crate::algorithm::{Choice, name};
use crate::arrow::{Source, capsule};
use crate::keyed::Given;

/// Digests as a column: any library that reads Arrow takes it, by `__arrow_c_array__` or
/// `__arrow_c_stream__`.
#[pyclass(frozen, module = "hashdyno")]
pub struct DigestColumn {
    digest: &'static Digest,
    form: Form,
    slot_len: usize,
    chunks: Vec<Arc<Chunk>>,
}

/// The digests of a column of strings or binary.
#[pyfunction]
#[pyo3(signature = (algorithm, column, /, *, hex=false, integer=false, key=None, threads=1))]
pub fn digest_column(
    py: Python<'_>,
    algorithm: Choice,
    column: &Bound<'_, PyAny>,
    hex: bool,
    integer: bool,
    key: Option<Given<'_>>,
    threads: usize,
) -> PyResult<DigestColumn> {
    let digest = algorithm.0;
    let key = key.map(|key| key.key(&algorithm)).transpose()?;
    let threads = match threads {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        _ => threads,
    };
    let job = Job { digest, key, form: form(digest, hex, integer)?, threads, by_views: false };
    let (schema, mut source) = Source::of(column)?;
    let mut chunks = Vec::new();
    while let Some(array) = source.next(py)? {
        let more = py.detach(|| job.chunks(&schema, &array)).map_err(refused)?;
        chunks.extend(more.into_iter().map(Arc::new));
    }
    Ok(DigestColumn { digest, form: job.form, slot_len: job.slot_len(), chunks })
}

#[pymethods]
impl DigestColumn {
    fn __len__(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len).sum()
    }

    /// How many rows are null, as in the column that was hashed.
    #[getter]
    fn null_count(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.null_count).sum()
    }

    fn __repr__(&self) -> String {
        format!("<hashdyno.DigestColumn of {} digests by {}>", self.__len__(), name(self.digest))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule(py, export::schema(self.form, self.slot_len))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        drop(requested_schema); // Arrow lets a producer do so
        let chunk = match &self.chunks[..] {
            [chunk] => Arc::clone(chunk),
            chunks => Arc::new(Chunk::joined(chunks.iter().map(AsRef::as_ref), self.slot_len)),
        };
        let too_long = self.form == Form::Hex && i32::try_from(chunk.slots().len()).is_err();
        if too_long {
            return Err(PyValueError::new_err(
                "the column is longer than 2 GiB: expected one that offsets of 32 bits \
                    reach\nhint: take __arrow_c_stream__",
            ));
        }
        let array = export::array(self.form, self.slot_len, chunk);
        Ok((self.__arrow_c_schema__(py)?, capsule(py, array)?))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        capsule(py, export::stream(self.form, self.slot_len, self.chunks.clone()))
    }
}

fn form(digest: &Digest, hex: bool, integer: bool) -> PyResult<Form> {
    match (hex, integer) {
        (true, true) => Err(PyValueError::new_err("expected hex or integer, got both")),
        (true, false) => Ok(Form::Hex),
        (false, false) => Ok(Form::Binary),
        (false, true) if matches!(digest.output_len, 4 | 8) => Ok(Form::Integer),
        (false, true) => {
            let (name, len) = (name(digest), digest.output_len);
            Err(PyValueError::new_err(format!(
                "integer: expected a digest of 4 or 8 bytes, {name} has {len}\nhint: take xxh3 or \
                    crc32"
            )))
        }
    }
}

fn refused(problem: Problem) -> PyErr {
    match problem {
        Problem::Kind(_) => PyTypeError::new_err(problem.to_string()),
        Problem::Damaged(_) => PyValueError::new_err(problem.to_string()),
    }
}
