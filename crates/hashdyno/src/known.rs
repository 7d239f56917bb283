//! Known answers: what implementations that owe nothing to this project give for each digest.

use crate::Digest;

/// A line for each digest: its name, `check`, `sweep`, and who gave both.
const ANSWERS: &str = include_str!("../vectors/sweeps.txt");

impl Digest {
    /// Digest of the nine bytes `123456789`, in hexadecimal, as other implementations give it. None
    /// for a length of [`Digest::of_bits`] that is not in the list.
    ///
    /// ```
    /// # #[cfg(feature = "crc")]
    /// assert_eq!(hashdyno::CRC32B.check(), Some("cbf43926"));
    /// ```
    pub fn check(&self) -> Option<&'static str> {
        self.answer(0)
    }

    /// Digest of the 4096 digests, one after another, of the first n bytes of the pattern i % 251,
    /// n = 0..=4095, in hexadecimal. None where [`Digest::check`] is none.
    pub fn sweep(&self) -> Option<&'static str> {
        self.answer(1)
    }

    /// The answer of that number.
    fn answer(&self, number: usize) -> Option<&'static str> {
        ANSWERS.lines().find_map(|line| {
            let mut words = line.split(' ');
            (words.next()? == self.name).then(|| words.nth(number))?
        })
    }
}
