//! The inputs that `campaigns/fuzz --keep` packed: one for each branch that a fuzzer reached. Tests
//! include this file.

/// Each input has its length before it, as 32 bits, the lowest byte first.
///
/// # Panics
/// If the corpus ends within an input.
pub fn inputs(mut packed: &[u8]) -> Vec<&[u8]> {
    let mut inputs = Vec::new();
    while let Some((len, rest)) = packed.split_first_chunk() {
        let (input, rest) = rest.split_at(u32::from_le_bytes(*len) as usize);
        inputs.push(input);
        packed = rest;
    }
    assert!(packed.is_empty(), "the corpus is cut");
    inputs
}
