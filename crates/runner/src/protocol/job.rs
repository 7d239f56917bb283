//! What a host gives a runner to do, and what the right answer is.
//!
//! A `Job` is its line, its payload and its expected answer. The line is the text of `Display`:
//!
//! ```text
//! job digest md5 len=3 impl=function
//! job many md5 lens=0,3,1
//! job column md5 rows=1 len=9
//! job cipher aes-128-cbc encrypt len=16 key=404142... iv=101112...
//! job open len=9
//! job empty
//! ```
//!
//! The expected answer is our portable kernel's, or for ciphers that of `Cipher::seal`. It is
//! computed once: all runners of a group share job and answer, and `of` changes the name alone.

use std::{fmt, sync::Arc};

use hashdyno::{Cpu, Digest, Features, hex};

use super::Offer;
use crate::work::{Algorithm, Cipher, Column, Direction, Size, rows, signature};

/// What a runner is to do over and over.
#[derive(Clone, Debug)]
pub enum Job {
    /// Nothing: the bare loop, to be reported beside the others and never silently subtracted.
    Empty,
    /// To open a small file, read it and close it.
    Open {
        /// Where it is.
        path: String,
        /// What is in it.
        holds: Arc<[u8]>,
    },
    /// The digest of one message.
    Digest {
        /// The runner's name for the digest.
        name: String,
        /// One of the offer's variants; the default if `None`.
        implementation: Option<String>,
        /// Length of the answer in bytes, where the digest can give any.
        output_len: Option<usize>,
        /// What to hash.
        message: Arc<[u8]>,
        /// The right answer; `None` if it is not known, and then only change is noticed.
        expected: Option<Arc<[u8]>>,
    },
    /// The digests of many messages, one after another.
    Many {
        /// The runner's name for the digest.
        name: String,
        /// One of the variants of its offers; the default if `None`.
        implementation: Option<String>,
        /// Length of each digest in bytes, where the digest can give any.
        output_len: Option<usize>,
        /// The length of each message in bytes: one message at least, [`crate::Shape::USUAL_COUNT`]
        /// at most.
        lens: Arc<[usize]>,
        /// The messages, one after another.
        messages: Arc<[u8]>,
        /// The right answer.
        expected: Arc<[u8]>,
    },
    /// The digests of a column of strings, one after another, whatever form the runner's engine
    /// gives them.
    Column {
        /// The runner's name for the digest.
        name: String,
        /// One of the offer's variants; the default if `None`.
        implementation: Option<String>,
        /// Length of each digest in bytes, where the digest can give any.
        output_len: Option<usize>,
        /// How many there are.
        rows: usize,
        /// Their offsets, and then the rows.
        layout: Arc<[u8]>,
        /// The right answer.
        expected: Arc<[u8]>,
    },
    /// A message through a cipher, one way.
    Cipher {
        /// Which.
        cipher: Cipher,
        /// Which way.
        direction: Direction,
        /// Of the cipher's `key_len`.
        key: Vec<u8>,
        /// Of the cipher's `iv_len`.
        iv: Vec<u8>,
        /// The message, or the ciphertext and its tag.
        input: Arc<[u8]>,
        /// The other of the two.
        expected: Arc<[u8]>,
    },
}

impl Job {
    /// `digest` of `message` by the offer's default implementation, to be compared with our
    /// portable kernel's answer.
    pub fn digest(digest: &Digest, offer: &Offer, message: Arc<[u8]>) -> Self {
        let expected = portable(digest, &message);
        Self::digest_expecting(digest, offer, message, Some(expected))
    }

    /// The same with an answer that is known already, or of which only change is to be noticed.
    pub fn digest_expecting(
        digest: &Digest,
        offer: &Offer,
        message: Arc<[u8]>,
        expected: Option<Vec<u8>>,
    ) -> Self {
        Self::Digest {
            name: offer.name.clone(),
            implementation: None,
            output_len: digest.extendable.then_some(digest.output_len),
            message,
            expected: expected.map(Arc::from),
        }
    }

    /// `digest` of many messages by the offer's default implementation: each of `lens` bytes of
    /// `messages`, one after another. The answer is to be compared with our portable kernel's.
    ///
    /// # Panics
    /// If `lens` together are not the length of `messages`.
    pub fn many(digest: &Digest, offer: &Offer, lens: Arc<[usize]>, messages: Arc<[u8]>) -> Self {
        let mut rest = &messages[..];
        let mut next =
            |len: &usize| rest.split_off(..*len).expect("the lengths are those of the messages");
        let expected = lens.iter().flat_map(|len| portable(digest, next(len))).collect();
        assert!(rest.is_empty(), "the lengths are those of the messages");
        Self::Many {
            name: offer.name.clone(),
            implementation: None,
            output_len: digest.extendable.then_some(digest.output_len),
            lens,
            messages,
            expected,
        }
    }

    /// `digest` of each row of a column by the offer's default implementation. The answer is to be
    /// compared with our portable kernel's.
    pub fn column(digest: &Digest, offer: &Offer, column: Column) -> Self {
        let (rows_len, layout) = (column.rows(), Size::Column(column).messages());
        let expected = rows(&layout, rows_len).flat_map(|row| portable(digest, row)).collect();
        Self::Column {
            name: offer.name.clone(),
            implementation: None,
            output_len: digest.extendable.then_some(digest.output_len),
            rows: rows_len,
            layout: layout.into(),
            expected,
        }
    }

    /// `cipher` on `message`, which is whole blocks, or on what it becomes: key and initialisation
    /// vector are the same bytes in every job. Of a signature the message is, too.
    pub fn cipher(cipher: Cipher, direction: Direction, message: Arc<[u8]>) -> Self {
        if let Some(known) = signature::known(cipher.name) {
            let texts = [known.message.into(), known.signature.into()];
            return Self::published(cipher, direction, [known.key, Vec::new()], texts);
        }
        let key: Vec<u8> = (0x40..).take(cipher.key_len).collect();
        let iv: Vec<u8> = (0x10..).take(cipher.iv_len()).collect();
        let sealed = cipher.seal(&key, &iv, &message).into();
        Self::published(cipher, direction, [key, iv], [message, sealed])
    }

    /// `cipher` one way, with this key and initialisation vector, on a message or on what it is
    /// known to become.
    pub fn published(
        cipher: Cipher,
        direction: Direction,
        [key, iv]: [Vec<u8>; 2],
        [message, sealed]: [Arc<[u8]>; 2],
    ) -> Self {
        let (input, expected) = match direction {
            Direction::Encrypt | Direction::Authenticate | Direction::Sign => (message, sealed),
            Direction::Decrypt => (sealed, message),
            // The answer of `verify` is the message: a runner that says nothing but yes gives no
            // proof.
            Direction::Verify => ([&*message, &*sealed].concat().into(), message),
        };
        Self::Cipher { cipher, direction, key, iv, input, expected }
    }

    /// `algorithm` on messages of that size, which it takes, by the offer's default implementation,
    /// with the right answer.
    pub fn of_algorithm(algorithm: Algorithm, offer: &Offer, size: Size) -> Self {
        if let (Algorithm::Digest(digest), Size::Column(column)) = (algorithm, size) {
            return Self::column(digest, offer, column);
        }
        let messages = size.messages().into();
        match (algorithm, size) {
            (Algorithm::Digest(digest), Size::Many(shape)) => {
                Self::many(digest, offer, shape.lens().collect(), messages)
            }
            (Algorithm::Digest(digest), _) => Self::digest(digest, offer, messages),
            (Algorithm::Cipher(cipher, direction), _) => Self::cipher(cipher, direction, messages),
        }
    }

    /// The same job for a runner with this offer, which may have another name for it: the right
    /// answer is the same.
    #[must_use]
    pub fn of(mut self, offer: &Offer) -> Self {
        if let Self::Digest { name, .. } | Self::Many { name, .. } | Self::Column { name, .. } =
            &mut self
        {
            name.clone_from(&offer.name);
        }
        self
    }

    /// The same job by another implementation of the offer.
    #[must_use]
    pub fn by(mut self, variant: &str) -> Self {
        if let Self::Digest { implementation, .. }
        | Self::Many { implementation, .. }
        | Self::Column { implementation, .. } = &mut self
        {
            *implementation = Some(variant.to_owned());
        }
        self
    }

    /// The bytes that follow the line.
    pub fn payload(&self) -> &[u8] {
        match self {
            Self::Empty => &[],
            Self::Open { path, .. } => path.as_bytes(),
            Self::Digest { message, .. } => message,
            Self::Many { messages, .. } => messages,
            Self::Column { layout, .. } => layout,
            Self::Cipher { input, .. } => input,
        }
    }

    /// How many messages it is about.
    pub fn count(&self) -> usize {
        match self {
            Self::Many { lens, .. } => lens.len(),
            Self::Column { rows, .. } => *rows,
            _ => 1,
        }
    }

    /// The right answer, if it is known.
    pub fn expected(&self) -> Option<Arc<[u8]>> {
        match self {
            Self::Empty => Some(Arc::new([])),
            Self::Open { holds, .. } => Some(holds.clone()),
            Self::Digest { expected, .. } => expected.clone(),
            Self::Many { expected, .. } | Self::Column { expected, .. } => Some(expected.clone()),
            Self::Cipher { expected, .. } => Some(expected.clone()),
        }
    }
}

impl fmt::Display for Job {
    /// The line that gives the job to a runner.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("job empty"),
            Self::Open { path, .. } => write!(f, "job open len={}", path.len()),
            Self::Digest { name, implementation, output_len, message, .. } => {
                write!(f, "job digest {name} len={}", message.len())?;
                write_options(f, *output_len, implementation.as_deref())
            }
            Self::Many { name, implementation, output_len, lens, .. } => {
                write!(f, "job many {name} lens=")?;
                let separators = std::iter::once("").chain(std::iter::repeat(","));
                separators
                    .zip(lens.iter())
                    .try_for_each(|(separator, len)| write!(f, "{separator}{len}"))?;
                write_options(f, *output_len, implementation.as_deref())
            }
            Self::Column { name, implementation, output_len, rows, layout, .. } => {
                write!(f, "job column {name} rows={rows} len={}", layout.len())?;
                write_options(f, *output_len, implementation.as_deref())
            }
            Self::Cipher { cipher, direction, key, iv, input, .. } => {
                write!(
                    f,
                    "job cipher {} {direction} len={} key={}",
                    cipher.name,
                    input.len(),
                    hex(key)
                )?;
                if iv.is_empty() { Ok(()) } else { write!(f, " iv={}", hex(iv)) }
            }
        }
    }
}

/// What a line says of a digest if it is not the default.
fn write_options(
    f: &mut fmt::Formatter<'_>,
    output_len: Option<usize>,
    implementation: Option<&str>,
) -> fmt::Result {
    output_len.iter().try_for_each(|len| write!(f, " out={len}"))?;
    implementation.iter().try_for_each(|name| write!(f, " impl={name}"))
}

/// The right digest, by our portable kernel.
pub fn portable(digest: &Digest, message: &[u8]) -> Vec<u8> {
    // Without a CPU feature only the portable kernel is left.
    let kernel = digest.bind(&Cpu::native().without(Features::all()));
    let mut output = vec![0; digest.output_len];
    digest.digest_into(&kernel, message, &mut output);
    output
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_messages_have_a_length_each_and_their_digests_follow_one_another() {
        let md5 = hashdyno::find("md5").unwrap();
        let job =
            Job::many(md5, &Offer::digest("md5", ["x"]), [0, 3, 1].into(), b"abca"[..].into());
        assert_eq!(job.to_string(), "job many md5 lens=0,3,1");
        assert_eq!(job.clone().by("loop").to_string(), "job many md5 lens=0,3,1 impl=loop");
        let digests = [&b""[..], b"abc", b"a"].map(|message| md5.digest(message).to_vec()).concat();
        assert_eq!(
            (job.count(), &*job.expected().unwrap(), job.payload()),
            (3, &digests[..], &b"abca"[..])
        );
    }
}
