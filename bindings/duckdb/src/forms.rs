//! The forms of a digest: bytes, hexadecimal, an integer.

use std::ffi::CStr;

use hashdyno::{Digest, digest_many};
use libduckdb_sys::{
    DUCKDB_TYPE_DUCKDB_TYPE_BLOB, DUCKDB_TYPE_DUCKDB_TYPE_UBIGINT, DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR,
    duckdb_type,
};

use crate::vectors::Results;

/// The bytes of an UBIGINT.
const INTEGER: usize = size_of::<u64>();

/// A form of digests, by the function of that name.
pub trait Form {
    const NAME: &'static CStr;
    const TYPE: duckdb_type;

    /// Puts the digests of messages into rows of these numbers.
    ///
    /// # Errors
    /// If no digest of this algorithm has this form.
    fn put(
        digest: &'static Digest,
        rows: &[usize],
        messages: &[&[u8]],
        results: &mut Results<'_>,
    ) -> Result<(), String>;
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

    fn put(
        digest: &'static Digest,
        rows: &[usize],
        messages: &[&[u8]],
        results: &mut Results<'_>,
    ) -> Result<(), String> {
        let digests = digest_many(digest, messages);
        // SAFETY: the column has this form's type.
        unsafe { results.put_strings(rows, &digests, digest.output_len) };
        Ok(())
    }
}

impl Form for Hex {
    const NAME: &'static CStr = c"hashdyno_hexdigest";
    const TYPE: duckdb_type = DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR;

    fn put(
        digest: &'static Digest,
        rows: &[usize],
        messages: &[&[u8]],
        results: &mut Results<'_>,
    ) -> Result<(), String> {
        let digests = digest_many(digest, messages);
        let mut digits = vec![0; 2 * digests.len()];
        const_hex::encode_to_slice(&digests, &mut digits).expect("two digits for each byte");
        // SAFETY: the column has this form's type.
        unsafe { results.put_strings(rows, &digits, 2 * digest.output_len) };
        Ok(())
    }
}

impl Form for Integer {
    const NAME: &'static CStr = c"hashdyno_intdigest";
    const TYPE: duckdb_type = DUCKDB_TYPE_DUCKDB_TYPE_UBIGINT;

    fn put(
        digest: &'static Digest,
        rows: &[usize],
        messages: &[&[u8]],
        results: &mut Results<'_>,
    ) -> Result<(), String> {
        let len = digest.output_len;
        if len > INTEGER {
            let name = digest.name;
            return Err(format!("a digest of {name} has {len} bytes, expected at most {INTEGER}"));
        }
        for (&row, digest) in rows.iter().zip(digest_many(digest, messages).chunks(len)) {
            let mut value = [0; INTEGER];
            value[INTEGER - len..].copy_from_slice(digest);
            // SAFETY: the column has this form's type.
            unsafe { results.put_integer(row, u64::from_be_bytes(value)) };
        }
        Ok(())
    }
}
