//! Many messages for a library that takes one at a time. The loop is the one that a user of the
//! library would write, so its costs are part of the figure. Only copies are avoided: messages and
//! digests have their places before the clock starts.

use std::hint::black_box;

use super::aligned::Aligned;
use super::implementation::{REFUSED, Work};
use super::inputs::Inputs;

/// The plainest loop over many messages: a call for each.
pub struct Each<F> {
    function: F,
    messages: Vec<Vec<u8>>,
    output_len: usize,
    output: Aligned,
}

impl<F: FnMut(&[u8], &mut [u8]) -> bool> Each<F> {
    /// Of a `function` that writes the digest of its first argument to all of its second,
    /// `output_len` bytes; false where it cannot.
    pub fn new(messages: &Inputs, output_len: usize, function: F) -> Self {
        Self {
            function,
            messages: messages.each(),
            output_len,
            output: Aligned::output(messages.lens.len() * output_len),
        }
    }
}

impl<F: FnMut(&[u8], &mut [u8]) -> bool> Work for Each<F> {
    fn answer(&self) -> Vec<u8> {
        self.output.to_vec()
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
