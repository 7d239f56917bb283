//! Many messages under one key.

use zeroize::Zeroizing;

use super::{Inner, Key, is_whole_words};
use crate::{Cpu, Messages, ReadyKernel, ReadyLanes};

impl Key {
    /// The codes of many messages, one after another, [`Key::output_len`] bytes each: by one core
    /// of this machine, many messages at a time in the lanes of its vectors. What HMAC makes of the
    /// key is computed once, so that a short message takes two blocks.
    ///
    /// ```
    /// # #[cfg(feature = "sha2")] {
    /// use hashdyno::{Key, SHA256};
    ///
    /// let key = Key::hmac(SHA256, b"a secret")?;
    /// let codes = key.digest_many(&[b"one".as_slice(), b"two"]);
    /// assert!(key.verify(b"two", &codes[32..]));
    /// # }
    /// # Ok::<(), hashdyno::KeyError>(())
    /// ```
    ///
    /// # Panics
    /// As [`Messages::len`] and [`Messages::message`] do.
    pub fn digest_many<'a>(&self, messages: impl Into<Messages<'a>>) -> Vec<u8> {
        let messages = messages.into();
        let mut out = vec![0; messages.len() * self.output_len()];
        self.digest_many_on(Cpu::native(), messages, &mut out);
        out
    }

    /// The same by one core of a CPU: the code of message i at `out[i * output_len..]`.
    ///
    /// # Panics
    /// If `out` is not `messages.len() * output_len` bytes long, or as [`Messages::len`] and
    /// [`Messages::message`] do.
    pub fn digest_many_on(&self, cpu: &Cpu, messages: Messages<'_>, out: &mut [u8]) {
        let many = self.0.by.bind_many(cpu, messages.len());
        self.digest_many_by(many.as_ref(), &self.bind(cpu), messages, out);
    }

    /// The same by kernels as [`crate::digest_many_by`] takes them, those of [`Key::kernels`].
    ///
    /// # Panics
    /// As [`Key::digest_many_on`] does; with other kernels it may panic or give something else.
    pub fn digest_many_by(
        &self,
        many: Option<&ReadyLanes>,
        one: &ReadyKernel,
        messages: Messages<'_>,
        out: &mut [u8],
    ) {
        let len = self.output_len();
        assert_eq!(
            out.len(),
            messages.len() * len,
            "the output must have {len} bytes for each message"
        );
        let Inner { by, inner, outer, .. } = &*self.0;
        let Some(outer) = outer else {
            if by.output_len == len {
                return inner.digest_many(by, many, one, messages, out);
            }
            // What computes BLAKE3 under a key gives its usual length in lanes, and any alone.
            for (index, out) in out.chunks_exact_mut(len).enumerate() {
                inner.digest_into(by, one, messages.message(index), out);
            }
            return;
        };
        if let Some(many) = many.filter(|many| many.iterates() && is_whole_words(by)) {
            return inner.digest_many_within(by, many, one, outer, messages, out);
        }
        let mut firsts = Zeroizing::new(vec![0; out.len().min(WINDOW * len)]);
        for (window, out) in out.chunks_mut(WINDOW * len).enumerate() {
            let (at, count) = (window * WINDOW, out.len() / len);
            let firsts = &mut firsts[..out.len()];
            inner.digest_many(by, many, one, messages.range(at..at + count), firsts);
            let firsts = Messages::Rows { data: firsts, width: len };
            outer.digest_many(by, many, one, firsts, out);
        }
    }

    /// As [`Key::digest_many_on`], by all threads of the rayon pool that it is called in. Needs the
    /// feature `rayon`.
    ///
    /// # Panics
    /// As [`Key::digest_many_on`] does.
    #[cfg(feature = "rayon")]
    pub fn par_digest_many_on(&self, cpu: &Cpu, messages: Messages<'_>, out: &mut [u8]) {
        crate::many::in_runs(self.output_len(), messages, out, |messages, out| {
            self.digest_many_on(cpu, messages, out);
        });
    }
}

/// How many messages an HMAC takes at a time: their inner digests stay in the nearest cache.
const WINDOW: usize = 512;
