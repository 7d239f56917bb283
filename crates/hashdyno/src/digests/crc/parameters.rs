//! The parameters of a CRC.

/// A CRC as the catalogues write it (R. Williams, "A Painless Guide to CRC Error Detection
/// Algorithms", 1993).
#[derive(Clone, Copy)]
pub(super) struct Parameters {
    /// Bits of the remainder, at most 128.
    pub width: u32,
    /// The polynomial without its highest term; bit 0 is the coefficient of x^0.
    pub polynomial: u128,
    /// The remainder at the start.
    pub init: u128,
    /// Whether each byte is taken least significant bit first.
    pub refin: bool,
    /// Whether bit 0 of the result is the coefficient of the highest power of x.
    pub refout: bool,
    /// What is added to the result.
    pub xorout: u128,
}

impl Parameters {
    pub const fn new(width: u32, polynomial: u128, refin: bool) -> Self {
        let ones = u128::MAX >> (128 - width);
        Self { width, polynomial, init: ones, refin, refout: refin, xorout: ones }
    }

    /// A polynomial of fewer than `width` terms the other way round: bit 0 is the coefficient of
    /// the highest power of x. It is that of one of any greater width, too, multiplied by a power
    /// of x.
    pub const fn reversed(&self, polynomial: u128) -> u128 {
        polynomial.reverse_bits() >> (128 - self.width)
    }

    /// Writes the result that a remainder, reversed, gives, its most significant byte first.
    pub fn write(&self, remainder: u128, out: &mut [u8]) {
        let result = if self.refout { remainder } else { self.reversed(remainder) } ^ self.xorout;
        out.copy_from_slice(&result.to_be_bytes()[16 - out.len()..]);
    }

    /// The remainder, reversed, that a result was given of.
    pub fn read(&self, result: &[u8]) -> u128 {
        let number = result.iter().fold(0, |number, &byte| number << 8 | u128::from(byte));
        let remainder = number ^ self.xorout;
        if self.refout { remainder } else { self.reversed(remainder) }
    }

    /// The remainder of a message whose end is a message of `len` bytes, from both remainders.
    pub fn combined(&self, first: u128, second: u128, len: u64) -> u128 {
        self.times(first ^ self.reversed(self.init), self.power(len)) ^ second
    }

    /// x^(8 bytes) modulo the polynomial.
    pub fn power(&self, mut bytes: u64) -> u128 {
        let (mut power, mut square) = (1 << 127, 1 << (127 - 8));
        while bytes > 0 {
            if bytes & 1 == 1 {
                power = self.times(power, square);
            }
            square = self.times(square, square);
            bytes >>= 1;
        }
        power
    }

    /// The product of two remainders of 128 bits, reversed: those of the polynomial times a power
    /// of x.
    pub fn times(&self, a: u128, b: u128) -> u128 {
        let polynomial = self.reversed(self.polynomial);
        (0..128).fold(0u128, |product, bit| {
            (product >> 1) ^ ((product & 1) * polynomial) ^ ((b >> bit & 1) * a)
        })
    }
}
