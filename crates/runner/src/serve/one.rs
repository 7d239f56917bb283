//! The loop around one message, which most figures come from. `function` is a type of its own, so
//! the compiler may put the call into the loop. The `black_box` around message and digest keeps the
//! compiler from moving work out of the loop.

use std::hint::black_box;

use super::aligned::Aligned;
use super::implementation::{REFUSED, Work};

/// One message, again and again.
pub struct One<F> {
    function: F,
    message: Aligned,
    output: Aligned,
}

impl<F: FnMut(&[u8], &mut [u8]) -> bool> One<F> {
    /// Of a `function` that writes what it makes of its first argument to all of its second,
    /// `output_len` bytes; false where it cannot.
    pub fn new(message: Vec<u8>, output_len: usize, function: F) -> Self {
        Self { function, message: message[..].into(), output: Aligned::output(output_len) }
    }
}

impl<F: FnMut(&[u8], &mut [u8]) -> bool> Work for One<F> {
    fn answer(&self) -> Vec<u8> {
        self.output.to_vec()
    }

    fn run(&mut self, calls: u64) -> Result<(), String> {
        // What a loop finds through `self` it reads anew after each call: two to four cycles, where
        // the shortest digests take seven.
        let (message, output) = (&*self.message, &mut *self.output);
        for _ in 0..calls {
            if !(self.function)(black_box(message), output) {
                return Err(REFUSED.to_owned());
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
    fn the_output_is_that_of_the_last_call_and_a_failure_is_an_error() {
        let mut count = 0;
        let mut work = One::new(b"ab".to_vec(), 2, move |message, out| {
            count += 1;
            out.copy_from_slice(&[message[1], count]);
            count < 4
        });
        work.run(3).unwrap();
        assert_eq!(work.answer(), [b'b', 3]);
        assert_eq!(work.run(1).unwrap_err(), REFUSED);
    }
}
