//! Columns of a chunk: strings that come, and results that go.

use std::mem::MaybeUninit;
use std::ops::Range;
use std::slice;

use libduckdb_sys::{
    duckdb_string_t, duckdb_string_t__bindgen_ty_1,
    duckdb_string_t__bindgen_ty_1__bindgen_ty_1 as Pointer,
    duckdb_string_t__bindgen_ty_1__bindgen_ty_2 as Inlined, duckdb_vector,
};

use crate::api::Api;

/// The longest string that lies in its own row.
const INLINED: usize = 12;

/// A column of VARCHAR or BLOB.
pub struct Strings<'a> {
    rows: &'a [duckdb_string_t],
    /// A bit for each row that is not NULL; none where no row is.
    valid: Option<&'a [u64]>,
}

impl<'a> Strings<'a> {
    /// # Safety
    /// A column of `len` strings, of a chunk that lives for `'a` and that nobody writes to.
    pub unsafe fn read(api: &Api, column: duckdb_vector, len: usize) -> Self {
        // SAFETY: this function's own condition. A mask has whole words.
        unsafe {
            let rows = slice::from_raw_parts((api.data)(column).cast(), len);
            let valid = (api.validity)(column);
            let words = len.div_ceil(64);
            let valid = (!valid.is_null()).then(|| slice::from_raw_parts(valid, words));
            Self { rows, valid }
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// A row's bytes; none of NULL.
    pub fn get(&self, row: usize) -> Option<&'a [u8]> {
        if self.valid.is_some_and(|valid| valid[row / 64] >> (row % 64) & 1 == 0) {
            return None;
        }
        let text = &self.rows[row].value;
        // SAFETY: the length lies in the same place in both forms, and says which one it is. The
        // bytes live as long as the chunk.
        unsafe {
            let len = text.inlined.length as usize;
            let bytes = if len > INLINED {
                text.pointer.ptr.cast_const()
            } else {
                (&raw const text.inlined.inlined).cast()
            };
            Some(slice::from_raw_parts(bytes.cast(), len))
        }
    }

    /// Rows from this one on that are equal to it. Equal long strings in different places may end
    /// them: a constant's lie in one place.
    pub fn run(&self, begin: usize) -> Range<usize> {
        let words = |row: usize| {
            self.get(row)?;
            // SAFETY: 16 bytes, of which DuckDB zeros what a short string leaves.
            Some(unsafe { (&raw const self.rows[row]).cast::<[u64; 2]>().read_unaligned() })
        };
        let first = words(begin);
        let end = (begin + 1..self.len()).find(|&row| words(row) != first);
        begin..end.unwrap_or(self.len())
    }
}

/// The column of results.
pub struct Results<'a> {
    api: &'a Api,
    column: duckdb_vector,
    len: usize,
}

impl<'a> Results<'a> {
    /// # Safety
    /// A column with room for `len` results, which is written by nobody else meanwhile.
    pub unsafe fn new(api: &'a Api, column: duckdb_vector, len: usize) -> Self {
        Self { api, column, len }
    }

    /// Makes a row NULL.
    pub fn put_null(&mut self, row: usize) {
        assert!(row < self.len);
        // SAFETY: the condition of `new`; the mask has a bit for each row once it is there.
        unsafe {
            (self.api.make_validity)(self.column);
            let word = (self.api.validity)(self.column).add(row / 64);
            *word &= !(1 << (row % 64));
        }
    }

    /// Puts strings of `len` bytes each, which lie one after another, into rows; one at least.
    ///
    /// # Safety
    /// A column of VARCHAR or BLOB.
    pub unsafe fn put_strings(&mut self, rows: &[usize], strings: &[u8], len: usize) {
        let (api, first, length) = (self.api, rows[0], len as u32);
        assert!(first < self.len);
        // A loop for each form: a value that is either would go through memory.
        if len <= INLINED {
            // SAFETY: this function's own condition.
            let places = unsafe { self.places::<duckdb_string_t>() };
            for (&row, string) in rows.iter().zip(strings.chunks_exact(len)) {
                let inlined = std::array::from_fn(|at| string.get(at).map_or(0, |byte| *byte as _));
                let value = duckdb_string_t__bindgen_ty_1 { inlined: Inlined { length, inlined } };
                places[row].write(duckdb_string_t { value });
            }
            return;
        }
        // One string of all of them: DuckDB copies it to where the column keeps its strings, and
        // the rows may point into the copy.
        let (bytes, all) = (strings.as_ptr().cast(), strings.len() as u64);
        // SAFETY: the condition of `new`, and this function's own.
        let (copied, places) = unsafe {
            (api.put_string)(self.column, first as u64, bytes, all);
            let places = self.places::<duckdb_string_t>();
            (places[first].assume_init_ref().value.pointer.ptr, places)
        };
        for (index, (&row, string)) in rows.iter().zip(strings.chunks_exact(len)).enumerate() {
            let prefix = string.first_chunk().expect("more than 12 bytes").map(|byte| byte as _);
            let pointer = Pointer { length, prefix, ptr: copied.wrapping_add(index * len) };
            let value = duckdb_string_t__bindgen_ty_1 { pointer };
            places[row].write(duckdb_string_t { value });
        }
    }

    /// Puts an integer into a row.
    ///
    /// # Safety
    /// A column of UBIGINT.
    pub unsafe fn put_integer(&mut self, row: usize, value: u64) {
        // SAFETY: this function's own condition.
        unsafe { self.places::<u64>()[row].write(value) };
    }

    /// The rows, which have not been written yet.
    ///
    /// # Safety
    /// A column whose rows are such values.
    unsafe fn places<T>(&mut self) -> &mut [MaybeUninit<T>] {
        // SAFETY: the condition of `new`, and this function's own.
        unsafe { slice::from_raw_parts_mut((self.api.data)(self.column).cast(), self.len) }
    }
}
