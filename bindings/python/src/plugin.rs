//! What Polars calls without Python: an expression plugin of version 0.1, as `polars-ffi` defines
//! it. Each function takes a column, and the algorithm's name as a literal; the form of the digests
//! is in the function's name, since Polars asks for the type before it has the literal.
//!
//! ```text
//! _polars_plugin_get_version               0.1
//! _polars_plugin_field_hexdigest(fields)   the type of the result
//! _polars_plugin_hexdigest(columns)        the result, or nothing and an error
//! _polars_plugin_get_last_error_message    the words of the error
//! ```
//!
//! Polars runs it on threads of its own, without the GIL. A panic must not cross the C interface.
//! An error is kept for each thread, because Polars asks for it on the thread that called.

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_void};
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use crate::algorithm;
use crate::arrow::{ArrowArray, ArrowSchema};
use crate::column::{Chunk, Form, Job, Values, array_of_views, schema_of_views};

/// A column between Polars and a plugin. Who receives it moves the arrays out, and then calls
/// `release`.
#[repr(C)]
pub struct Series {
    /// Name and type; it lives until the release.
    field: *const ArrowSchema,
    arrays: *const *mut ArrowArray,
    len: usize,
    release: Option<unsafe extern "C" fn(*mut Self)>,
    private_data: *mut c_void,
}

impl Drop for Series {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the producer's promise: it may be called once.
            unsafe { release(self) }
        }
    }
}

impl Series {
    fn of(schema: ArrowSchema, arrays: Vec<ArrowArray>) -> Self {
        let arrays = arrays.into_iter().map(|array| Box::into_raw(Box::new(array))).collect();
        let owned = Box::new(Owned { schema, arrays });
        Self {
            field: &raw const owned.schema,
            arrays: owned.arrays.as_ptr(),
            len: owned.arrays.len(),
            release: Some(release),
            private_data: Box::into_raw(owned).cast(),
        }
    }

    fn field(&self) -> &ArrowSchema {
        // SAFETY: the producer's promise: a schema that lives until the release.
        unsafe { &*self.field }
    }

    /// # Safety
    /// The first call.
    unsafe fn take_arrays(&self) -> Vec<ArrowArray> {
        // SAFETY: the producer's promise: `len` pointers to arrays that the receiver moves out;
        // this function's own condition.
        unsafe { slice::from_raw_parts(self.arrays, self.len) }
            .iter()
            .map(|array| unsafe { array.read() })
            .collect()
    }
}

/// What a series of ours points to.
struct Owned {
    schema: ArrowSchema,
    arrays: Vec<*mut ArrowArray>,
}

unsafe extern "C" fn release(series: *mut Series) {
    // SAFETY: the receiver's promise: one of `Series::of`'s, not released, whose arrays it has
    // moved out.
    unsafe {
        let owned = Box::from_raw((*series).private_data.cast::<Owned>());
        for array in &owned.arrays {
            // The receiver owns the struct that was in the box. Only the box's memory is left to
            // free.
            drop(Box::from_raw(array.cast::<ManuallyDrop<ArrowArray>>()));
        }
        (*series).release = None;
    }
}

/// The digests of the first column by the algorithm that the second names.
fn digested(form: Form, columns: &[(Series, Vec<ArrowArray>)]) -> Result<Series, String> {
    let [(column, arrays), (name, names)] = columns else {
        return Err("expected a column and the name of an algorithm".to_owned());
    };
    let digest = algorithm_in(name.field(), names)?;
    let job = Job { digest, key: None, form, threads: 1, by_views: true };
    let mut chunks = Vec::new();
    for array in arrays {
        chunks.extend(job.chunks(column.field(), array).map_err(|problem| problem.to_string())?);
    }
    // A series has one array at least, also without rows.
    if chunks.is_empty() {
        chunks.push(Chunk::joined([].iter(), job.slot_len()));
    }
    let arrays = chunks.into_iter().map(|chunk| array_of_views(form, job.slot_len(), chunk.into()));
    let schema = schema_of_views(form, job.slot_len(), column.field().name());
    Ok(Series::of(schema, arrays.collect()))
}

/// The algorithm that the first value names.
fn algorithm_in(
    field: &ArrowSchema,
    names: &[ArrowArray],
) -> Result<&'static hashdyno::Digest, String> {
    let named = |array| {
        let values = Values::read(field.format(), array).ok().filter(|values| values.len() > 0)?;
        let text = |values: hashdyno::Messages<'_>| String::from_utf8(values.message(0).to_vec());
        values.with(0..1, text).ok()?.ok()
    };
    let name = names.iter().find_map(named).ok_or("expected the name of an algorithm")?;
    algorithm::find(&name).ok_or_else(|| format!("unsupported hash type {name}"))
}

/// A call of Polars, for digests of that form.
///
/// # Safety
/// `columns` points to `count` columns, which the callee owns, and `out` to room for one.
unsafe fn call(form: Form, columns: *const Series, count: usize, out: *mut Series) {
    let taken = |index| {
        // SAFETY: this function's own condition; each is read once.
        unsafe {
            let column = columns.add(index).read();
            let arrays = column.take_arrays();
            (column, arrays)
        }
    };
    let columns: Vec<_> = (0..count).map(taken).collect();
    match catch_unwind(AssertUnwindSafe(|| digested(form, &columns))) {
        // SAFETY: this function's own condition.
        Ok(Ok(series)) => unsafe { out.write(series) },
        Ok(Err(words)) => said(words),
        Err(_) => said("PANIC".to_owned()), // as plugins say it
    }
}

/// The type of what [`call`] gives.
///
/// # Safety
/// `fields` points to `count` schemas that live during the call, and `out` to room for one.
unsafe fn field(
    form: Form,
    slot_len: usize,
    fields: *const ArrowSchema,
    count: usize,
    out: *mut ArrowSchema,
) {
    if count == 0 {
        return said("expected a column and the name of an algorithm".to_owned());
    }
    // SAFETY: this function's own condition.
    unsafe { out.write(schema_of_views(form, slot_len, (*fields).name())) }
}

/// Keeps an error for Polars to ask for.
fn said(words: String) {
    LAST.set(CString::new(words.replace('\0', "")).unwrap_or_default());
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// The functions of a form: Polars finds them by their names.
macro_rules! functions {
    ($($call:ident, $field:ident: $form:expr, $slot_len:literal;)*) => { $(
        /// # Safety
        /// Polars calls it.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $call(
            columns: *const Series,
            count: usize,
            _options: *const u8,
            _options_len: usize,
            out: *mut Series,
            _context: *const c_void,
        ) {
            // SAFETY: what `polars-ffi` promises is what `call` asks for.
            unsafe { call($form, columns, count, out) }
        }

        /// # Safety
        /// Polars calls it.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $field(
            fields: *const ArrowSchema,
            count: usize,
            out: *mut ArrowSchema,
            _options: *const u8,
            _options_len: usize,
        ) {
            // SAFETY: what `polars-ffi` promises is what `field` asks for.
            unsafe { field($form, $slot_len, fields, count, out) }
        }
    )* };
}

functions! {
    _polars_plugin_digest, _polars_plugin_field_digest: Form::Binary, 1;
    _polars_plugin_hexdigest, _polars_plugin_field_hexdigest: Form::Hex, 1;
    _polars_plugin_intdigest32, _polars_plugin_field_intdigest32: Form::Integer, 4;
    _polars_plugin_intdigest64, _polars_plugin_field_intdigest64: Form::Integer, 8;
}

/// Major version 0 in the upper half, minor version 1 in the lower: views, and options for types.
#[unsafe(no_mangle)]
pub extern "C" fn _polars_plugin_get_version() -> u32 {
    1
}

/// Why this thread's last call gave nothing.
#[unsafe(no_mangle)]
pub extern "C" fn _polars_plugin_get_last_error_message() -> *const c_char {
    LAST.with_borrow(|words| words.as_ptr())
}
