//! HMAC (RFC 2104) of many messages under one key.

use hashdyno::{Digest, Messages, Security};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::algorithm::{block_size, name, needs_length};
use crate::many::digest_batch;

/// A key as HMAC uses it: the block that goes before the message, and the one before its digest.
pub struct Key {
    digest: &'static Digest,
    inner: Vec<u8>,
    outer: Vec<u8>,
}

impl Key {
    /// A key of any length.
    ///
    /// # Errors
    /// If HMAC is not defined for the digest: checksums and SHAKE.
    pub fn new(digest: &'static Digest, key: &[u8]) -> PyResult<Self> {
        if digest.security == Security::Checksum || needs_length(digest) {
            let name = name(digest);
            return Err(PyValueError::new_err(format!(
                "key: HMAC is not defined for {name}: expected a cryptographic hash of fixed \
                    length\nhint: take sha256 or blake3"
            )));
        }
        let mut block = vec![0; block_size(digest)];
        if key.len() > block.len() {
            let short = digest.digest(key);
            block[..short.len()].copy_from_slice(&short);
        } else {
            block[..key.len()].copy_from_slice(key);
        }
        let padded = |byte| block.iter().map(|key| key ^ byte).collect();
        Ok(Self { digest, inner: padded(0x36), outer: padded(0x5c) })
    }

    /// The HMAC of each message, one after another. What is copied is the batch, so batches are
    /// small.
    pub fn digest_many(&self, messages: Messages<'_>, out: &mut [u8]) {
        let (mut data, mut offsets) = (Vec::new(), vec![0]);
        for index in 0..messages.len() {
            data.extend_from_slice(&self.inner);
            data.extend_from_slice(messages.message(index));
            offsets.push(data.len() as i64);
        }
        digest_batch(self.digest, Messages::LargeOffsets { data: &data, offsets: &offsets }, out);
        data.clear();
        for digest in out.chunks_exact(self.digest.output_len) {
            data.extend_from_slice(&self.outer);
            data.extend_from_slice(digest);
        }
        let width = self.outer.len() + self.digest.output_len;
        digest_batch(self.digest, Messages::Rows { data: &data, width }, out);
    }
}
