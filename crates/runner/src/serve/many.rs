use std::hint::black_box;

use super::{REFUSED, Work};

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
            Some(*at as i32)
        };
        [0].into_iter().chain(self.lens.iter().scan(0, end)).collect()
    }

    fn each(&self) -> Vec<Vec<u8>> {
        let mut rest = &self.bytes[..];
        self.lens
            .iter()
            .map(|len| rest.split_off(..*len).expect("the lengths are those of the bytes").to_vec())
            .collect()
    }
}

/// The plainest loop over many messages: a call for each.
pub struct Each<F> {
    function: F,
    messages: Vec<Vec<u8>>,
    output_len: usize,
    output: Vec<u8>,
}

impl<F: FnMut(&[u8], &mut [u8]) -> bool> Each<F> {
    /// Of a `function` that writes the digest of its first argument to all of its second,
    /// `output_len` bytes; false where it cannot.
    pub fn new(messages: &Inputs, output_len: usize, function: F) -> Self {
        Self {
            function,
            messages: messages.each(),
            output_len,
            output: vec![0; messages.lens.len() * output_len],
        }
    }
}

impl<F: FnMut(&[u8], &mut [u8]) -> bool> Work for Each<F> {
    fn answer(&self) -> Vec<u8> {
        self.output.clone()
    }

    fn run(&mut self, calls: u64) -> Result<(), String> {
        let Self { function, messages, output_len, output } = self;
        for _ in 0..calls {
            // of no bytes there are none
            let outputs = output.chunks_exact_mut((*output_len).max(1));
            for (message, output) in messages.iter().zip(outputs) {
                if !function(black_box(message), output) {
                    return Err(REFUSED.to_owned());
                }
            }
            black_box(&*output);
        }
        Ok(())
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

    #[test]
    fn each_digest_has_its_place_and_a_failure_is_an_error() {
        let messages = Inputs { bytes: b"abcd".to_vec(), lens: vec![1, 2, 1] };
        let mut work = Each::new(&messages, 2, |message, out| {
            out.copy_from_slice(&[message[0], message.len() as u8]);
            true
        });
        work.run(2).unwrap();
        assert_eq!(work.answer(), [b'a', 1, b'b', 2, b'd', 1]);
        assert!(Each::new(&messages, 2, |message, _| message.len() < 2).run(1).is_err());
    }
}
