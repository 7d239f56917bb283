//! Look-up tables for a substitution followed by an 8x8 matrix over GF(2^8): the step that
//! Whirlpool, Streebog, Groestl and Kupyna share.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
#[cfg(target_arch = "x86_64")]
pub(crate) mod planes;
pub(crate) mod rounds;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64;

/// Eight tables, one for each byte that goes into the matrix: the column that this byte
/// contributes, as a word whose least significant byte is the first row.
pub(crate) type Tables = [[u64; 256]; 8];

/// Eight rows of eight bytes, one row after another.
pub(crate) type Rows = [u8; 64];

/// The tables of `matrix` (entry `[from][to]`, in the field of x^8 + x^4 + x^3 + x^2 + 1) after the
/// substitutions, one for each byte.
pub(crate) const fn tables(sboxes: &[&[u8; 256]; 8], matrix: &[[u8; 8]; 8]) -> Tables {
    let mut tables = [[0; 256]; 8];
    let mut at = 0;
    while at < 8 * 256 {
        let (from, byte) = (at / 256, at % 256);
        tables[from][byte] = column(sboxes[from][byte], &matrix[from]);
        at += 1;
    }
    tables
}

/// The matrix whose rows are `first`, each turned by one more.
pub(crate) const fn circulant(first: [u8; 8]) -> [[u8; 8]; 8] {
    let mut matrix = [[0; 8]; 8];
    let mut at = 0;
    while at < 64 {
        let (row, column) = (at / 8, at % 8);
        matrix[row][column] = first[(column + 8 - row) % 8];
        at += 1;
    }
    matrix
}

/// Row after row of `result`: the sum of the look-ups of eight bytes of `rows`, and of the same row
/// of `key`. The byte for table n comes from place `source(row, n)`.
///
/// To be called in a function of its own that is not inlined: then the bytes are read from memory,
/// which costs less than taking them out of words.
#[inline(always)]
pub(crate) fn mix(
    tables: &Tables,
    rows: &Rows,
    key: &Rows,
    result: &mut Rows,
    source: impl Fn(usize, usize) -> usize,
) {
    for row in 0..8 {
        let mut sum = u64::from_le_bytes(key.as_chunks().0[row]);
        for (number, table) in tables.iter().enumerate() {
            sum ^= table[usize::from(rows[source(row, number)])];
        }
        result.as_chunks_mut().0[row] = sum.to_le_bytes();
    }
}

/// The sum of two states.
#[inline(always)]
pub(crate) fn xor(a: &Rows, b: &Rows) -> Rows {
    let mut sum = *a;
    for (sum, byte) in sum.iter_mut().zip(b) {
        *sum ^= byte;
    }
    sum
}

const fn column(value: u8, factors: &[u8; 8]) -> u64 {
    let mut bytes = [0; 8];
    let mut to = 0;
    while to < 8 {
        bytes[to] = multiply(value, factors[to]);
        to += 1;
    }
    u64::from_le_bytes(bytes)
}

/// The product in GF(2^8), x^8 = x^4 + x^3 + x^2 + 1.
pub(crate) const fn multiply(mut a: u8, mut b: u8) -> u8 {
    let mut product = 0;
    while b != 0 {
        if b & 1 == 1 {
            product ^= a;
        }
        a = a << 1 ^ if a >> 7 == 1 { 0x1d } else { 0 };
        b >>= 1;
    }
    product
}
