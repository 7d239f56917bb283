//! The forms of a digest: bytes, hexadecimal, an integer.

use std::ffi::CStr;

use libduckdb_sys::{
    DUCKDB_TYPE_DUCKDB_TYPE_BLOB, DUCKDB_TYPE_DUCKDB_TYPE_UBIGINT, DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR,
    duckdb_type,
};

use crate::vectors::Results;

/// A form of digests, by the function of that name.
pub trait Form {
    const NAME: &'static CStr;
    const TYPE: duckdb_type;

    /// Digests of this many bytes have this form, at most.
    const MOST: usize = usize::MAX;

    /// Puts digests of `len` bytes, which lie one after another, into rows of these numbers. There
    /// is one at least.
    fn put(digests: &[u8], len: usize, rows: &[usize], results: &mut Results<'_>);
}

/// BLOB.
pub struct Bytes;

/// VARCHAR, lower-case hexadecimal.
pub struct Hex;

/// UBIGINT, of digests of at most eight bytes, the first byte the most significant.
pub struct Integer;

impl Form for Bytes {
    const NAME: &'static CStr = c"hashdyno_digest";
    const TYPE: duckdb_type = DUCKDB_TYPE_DUCKDB_TYPE_BLOB;

    fn put(digests: &[u8], len: usize, rows: &[usize], results: &mut Results<'_>) {
        // SAFETY: the column has this form's type.
        unsafe { results.put_strings(rows, digests, len) };
    }
}

impl Form for Hex {
    const NAME: &'static CStr = c"hashdyno_hexdigest";
    const TYPE: duckdb_type = DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR;

    fn put(digests: &[u8], len: usize, rows: &[usize], results: &mut Results<'_>) {
        let mut digits = vec![0; 2 * digests.len()];
        const_hex::encode_to_slice(digests, &mut digits).expect("two digits for each byte");
        // SAFETY: the column has this form's type.
        unsafe { results.put_strings(rows, &digits, 2 * len) };
    }
}

impl Form for Integer {
    const NAME: &'static CStr = c"hashdyno_intdigest";
    const TYPE: duckdb_type = DUCKDB_TYPE_DUCKDB_TYPE_UBIGINT;
    const MOST: usize = size_of::<u64>();

    fn put(digests: &[u8], len: usize, rows: &[usize], results: &mut Results<'_>) {
        for (&row, digest) in rows.iter().zip(digests.chunks(len)) {
            let mut value = [0; Self::MOST];
            value[Self::MOST - len..].copy_from_slice(digest);
            // SAFETY: the column has this form's type.
            unsafe { results.put_integer(row, u64::from_be_bytes(value)) };
        }
    }
}
