//! The payload of `job many`, cut into messages. The same bytes serve two kinds of interfaces:
//! offsets into one buffer, and a buffer for each message.

/// The messages of a job, one at least.
pub struct Inputs {
    /// One after another.
    pub bytes: Vec<u8>,
    /// The length of each in bytes; together that of `bytes`, 1 GiB at most.
    pub lens: Vec<usize>,
}

impl Inputs {
    /// Where each begins in `bytes`, and where the last ends.
    pub fn offsets(&self) -> Vec<i32> {
        let end = |at: &mut usize, len: &usize| {
            *at += len;
            // All messages together have 1 GiB at most, so an offset fits.
            Some(*at as i32)
        };
        [0].into_iter().chain(self.lens.iter().scan(0, end)).collect()
    }

    /// Each in a buffer of its own.
    pub(super) fn each(&self) -> Vec<Vec<u8>> {
        let mut rest = &self.bytes[..];
        self.lens
            .iter()
            .map(|len| rest.split_off(..*len).expect("the lengths are those of the bytes").to_vec())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_cut_where_they_end() {
        let messages = Inputs { bytes: b"abcd".to_vec(), lens: vec![0, 3, 0, 1] };
        assert_eq!(messages.offsets(), [0, 0, 3, 3, 4]);
        assert_eq!(messages.each(), [&b""[..], b"abc", b"", b"d"]);
    }
}
