//! Arrow's C data interface and its PyCapsules
//! (<https://arrow.apache.org/docs/format/CDataInterface.html>): columns come and go without a copy
//! and without pyarrow.
//!
//! Ownership goes with the structs. A producer makes a capsule. The consumer moves the struct out
//! of the capsule and releases it, once:
//!
//! ```text
//! __arrow_c_stream__()   capsule "arrow_array_stream": get_schema, get_next ..., release
//! __arrow_c_array__()    capsules "arrow_schema" and "arrow_array", release each
//! moved out              the struct that is left in the capsule has no `release`: it frees nothing
//! ```
//!
//! Lengths and formats are checked in `column/values.rs`. That pointers are live is the producer's
//! promise, which nobody can check.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::slice;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// The type of an array. Its owner calls `release`, once.
#[repr(C)]
pub struct ArrowSchema {
    pub format: *const c_char,
    pub name: *const c_char,
    pub metadata: *const c_char,
    pub flags: i64,
    pub n_children: i64,
    pub children: *mut *mut ArrowSchema,
    pub dictionary: *mut ArrowSchema,
    pub release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    pub private_data: *mut c_void,
}

/// The buffers of an array. Its owner calls `release`, once.
#[repr(C)]
pub struct ArrowArray {
    pub length: i64,
    pub null_count: i64,
    pub offset: i64,
    pub n_buffers: i64,
    pub n_children: i64,
    pub buffers: *mut *const c_void,
    pub children: *mut *mut ArrowArray,
    pub dictionary: *mut ArrowArray,
    pub release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    pub private_data: *mut c_void,
}

/// Arrays of one type, one after another. Its owner calls `release`, once.
#[repr(C)]
pub struct ArrowArrayStream {
    pub get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    pub get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    pub get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    pub release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    pub private_data: *mut c_void,
}

/// What the three have in common: an owner, and a state after the release.
///
/// # Safety
/// `NAME` is the name that Arrow's capsules of this struct bear.
unsafe trait Interface: Sized {
    const NAME: &'static CStr;

    /// One that owns nothing.
    fn released() -> Self;
}

// SAFETY: the name is the specification's.
unsafe impl Interface for ArrowSchema {
    const NAME: &'static CStr = c"arrow_schema";

    fn released() -> Self {
        Self {
            format: null(),
            name: null(),
            metadata: null(),
            flags: 0,
            n_children: 0,
            children: null_mut(),
            dictionary: null_mut(),
            release: None,
            private_data: null_mut(),
        }
    }
}

// SAFETY: the name is the specification's.
unsafe impl Interface for ArrowArray {
    const NAME: &'static CStr = c"arrow_array";

    fn released() -> Self {
        Self {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: null_mut(),
            children: null_mut(),
            dictionary: null_mut(),
            release: None,
            private_data: null_mut(),
        }
    }
}

// SAFETY: the name is the specification's.
unsafe impl Interface for ArrowArrayStream {
    const NAME: &'static CStr = c"arrow_array_stream";

    fn released() -> Self {
        Self {
            get_schema: None,
            get_next: None,
            get_last_error: None,
            release: None,
            private_data: null_mut(),
        }
    }
}

macro_rules! released_when_dropped {
    ($($interface:ident)*) => { $(
        impl Drop for $interface {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: the producer's promise: it may be called once, and it clears itself.
                    unsafe { release(self) }
                }
            }
        }

        // SAFETY: the specification lets a consumer release and read them on any thread, one at a
        // time.
        unsafe impl Send for $interface {}
        // SAFETY: what is shared is only read, and its producer does not change what it has handed
        // over.
        unsafe impl Sync for $interface {}
    )* };
}

released_when_dropped!(ArrowSchema ArrowArray ArrowArrayStream);

impl ArrowSchema {
    /// The layout, as the specification spells it.
    pub fn format(&self) -> &str {
        // SAFETY: the producer's promise: a string that lives as long as the schema.
        unsafe { text(self.format) }.unwrap_or("")
    }

    /// What the column is called; nothing if it has no name.
    pub fn name(&self) -> &CStr {
        // SAFETY: the producer's promise: null, or a string that lives as long as the schema.
        if self.name.is_null() { c"" } else { unsafe { CStr::from_ptr(self.name) } }
    }

    /// Its only child, if it is a struct of one field.
    pub fn only_child(&self) -> Option<&Self> {
        // SAFETY: the producer's promise: `n_children` pointers to live schemas.
        (self.format() == "+s" && self.n_children == 1).then(|| unsafe { &**self.children })
    }

    /// The type of the values, if these are indices into a dictionary.
    pub fn dictionary(&self) -> Option<&Self> {
        // SAFETY: the producer's promise: null, or a live schema.
        unsafe { self.dictionary.as_ref() }
    }
}

impl ArrowArray {
    /// The rows of its only child that this struct has: to be read while the struct lives, and not
    /// released.
    pub fn only_child(&self) -> Option<Self> {
        // SAFETY: the producer's promise: `n_children` pointers to live arrays.
        let child = (self.n_children == 1).then(|| unsafe { &**self.children })?;
        let mut rows = Self::released();
        rows.length = self.length;
        rows.offset = self.offset.checked_add(child.offset)?;
        // -1 is the specification's word for a number that nobody has counted.
        rows.null_count = if child.null_count == 0 { 0 } else { -1 };
        (rows.n_buffers, rows.buffers, rows.dictionary) =
            (child.n_buffers, child.buffers, child.dictionary);
        Some(rows)
    }

    /// The values that these indices mean.
    pub fn dictionary(&self) -> Option<&Self> {
        // SAFETY: the producer's promise: null, or a live array.
        unsafe { self.dictionary.as_ref() }
    }

    /// Where its buffers begin; null for those that it does without.
    pub fn buffers(&self) -> &[*const c_void] {
        match usize::try_from(self.n_buffers) {
            // SAFETY: the producer's promise: `n_buffers` pointers.
            Ok(count) if count > 0 => unsafe { slice::from_raw_parts(self.buffers, count) },
            _ => &[],
        }
    }
}

/// A column as some library has it: its type, and its arrays one after another.
pub enum Source {
    Array(Option<ArrowArray>),
    Stream(ArrowArrayStream),
}

impl Source {
    /// Takes a column out of an object that offers it.
    ///
    /// # Errors
    /// If it offers none.
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<(ArrowSchema, Self)> {
        // A stream comes first: an object with both, such as `DigestColumn`, would join its arrays
        // for the other.
        if object.hasattr("__arrow_c_stream__")? {
            let mut stream: ArrowArrayStream = taken(&object.call_method0("__arrow_c_stream__")?)?;
            let mut schema = ArrowSchema::released();
            // A stream without `release` was moved out before.
            let is_there = stream.release.is_some();
            let get_schema = stream.get_schema.filter(|_| is_there).ok_or_else(no_column)?;
            // SAFETY: the producer's promise: it writes a schema that the caller owns, or says an
            // error.
            let code = object.py().detach(|| unsafe { get_schema(&mut stream, &mut schema) });
            stream.check(code)?;
            return Ok((schema, Self::Stream(stream)));
        }
        if object.hasattr("__arrow_c_array__")? {
            let pair = object.call_method0("__arrow_c_array__")?;
            let schema: ArrowSchema = taken(&pair.get_item(0)?)?;
            let array: ArrowArray = taken(&pair.get_item(1)?)?;
            if schema.release.is_none() || array.release.is_none() {
                return Err(no_column());
            }
            return Ok((schema, Self::Array(Some(array))));
        }
        let kind = object.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "expected a column with __arrow_c_stream__ or __arrow_c_array__, got {kind}\nhint: \
                pass pyarrow.array(values), or use digest_many"
        )))
    }

    /// The next array, if there is one. It is made without the GIL: its producer may wait for
    /// threads that want it.
    pub fn next(&mut self, py: Python<'_>) -> PyResult<Option<ArrowArray>> {
        match self {
            Self::Array(array) => Ok(array.take()),
            Self::Stream(stream) => {
                let mut array = ArrowArray::released();
                let get_next = stream.get_next.ok_or_else(no_column)?;
                // SAFETY: as get_schema; the end is an array that is released already.
                let code = py.detach(|| unsafe { get_next(stream, &mut array) });
                stream.check(code)?;
                Ok(array.release.is_some().then_some(array))
            }
        }
    }
}

impl ArrowArrayStream {
    fn check(&mut self, code: c_int) -> PyResult<()> {
        if code == 0 {
            return Ok(());
        }
        // SAFETY: the producer's promise: null, or a string that lives until the next call.
        let said =
            self.get_last_error.and_then(|last| unsafe { text(last(self)).map(str::to_owned) });
        Err(PyValueError::new_err(format!(
            "the column's producer failed with error {code}: {}",
            said.as_deref().unwrap_or("it gives no reason")
        )))
    }
}

/// A capsule that owns `value`, for a consumer to take it out of.
pub fn capsule<'py, T>(py: Python<'py>, value: T) -> PyResult<Bound<'py, PyCapsule>>
where
    T: Exported,
{
    PyCapsule::new_with_value(py, value, T::CAPSULE)
}

/// What [`capsule`] takes.
pub trait Exported: Send + 'static {
    const CAPSULE: &'static CStr;
}

impl<T: Interface + Send + 'static> Exported for T {
    const CAPSULE: &'static CStr = T::NAME;
}

/// Moves the struct out of its capsule, which is left with a released one. One that was moved out
/// before has no `release`, and points to what may be gone.
fn taken<T: Interface>(capsule: &Bound<'_, PyAny>) -> PyResult<T> {
    let pointer = capsule.cast::<PyCapsule>()?.pointer_checked(Some(T::NAME))?.cast::<T>();
    // SAFETY: the capsule's name says that it holds this struct; the specification lets its
    // consumer move it out. The GIL, or the producer's own lock, keeps other consumers away.
    Ok(unsafe { pointer.replace(T::released()) })
}

/// # Safety
/// Null, or a string that lives as long as the caller's reference.
unsafe fn text<'a>(pointer: *const c_char) -> Option<&'a str> {
    // SAFETY: this function's own condition.
    if pointer.is_null() { None } else { unsafe { CStr::from_ptr(pointer) }.to_str().ok() }
}

fn no_column() -> PyErr {
    PyValueError::new_err(
        "the column was consumed before\nhint: an array or a stream of Arrow can be taken once",
    )
}
