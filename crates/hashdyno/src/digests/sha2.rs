//! SHA-2 (FIPS 180-4): SHA-224 and SHA-256 in 32-bit words, the others in 64-bit words.

#[cfg(target_arch = "x86_64")]
mod bmi;
mod lanes;
pub(super) mod sha256;
pub(super) mod sha512;
mod words;
