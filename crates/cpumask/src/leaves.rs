//! Where CPUID says what a CPU can do, and what each feature builds on.
//!
//! The table is data for two users. A `Mask` clears its bits in the answers of a traced program,
//! and `hashdyno mask --list` prints it. A row has the name, the leaf, the subleaf, the register,
//! the bit and the features that it builds on:
//!
//! ```text
//! feature("avx2", 7, 0, Ebx, 5, &["avx"])       EBX bit 5 of leaf 7, subleaf 0; needs AVX
//! ```
//!
//! Invariants, held by the tests: no name and no bit stands twice, and a feature stands below each
//! of its needs. `Mask` relies on that order. It keeps one bit for each row, so there are 128 rows
//! at most.

/// A register of CPUID's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// EAX.
    Eax,
    /// EBX.
    Ebx,
    /// ECX.
    Ecx,
    /// EDX.
    Edx,
}
use Register::{Eax, Ebx, Ecx, Edx};

/// A CPU feature: one bit of one leaf.
#[derive(Debug)]
pub struct Feature {
    /// Its name in masks: Rust's, where Rust has one.
    pub name: &'static str,
    /// The leaf (EAX) that says whether the CPU has it.
    pub leaf: u32,
    /// The subleaf (ECX); 0 where the leaf has none.
    pub subleaf: u32,
    /// The register of the answer.
    pub register: Register,
    /// The bit of that register.
    pub bit: u32,
    /// What it builds on: where one of these is hidden, so is this.
    pub needs: &'static [&'static str],
}

impl Feature {
    /// Whether this machine's CPU has it, by CPUID as this process sees it.
    pub fn is_here(&self) -> bool {
        real(self.leaf, self.subleaf)[self.register as usize] & 1 << self.bit != 0
    }

    /// Whether CPUID answers `leaf` and `subleaf` with this feature's bit. Only leaf 7 has
    /// subleaves that hold features.
    pub(crate) fn answers(&self, leaf: u32, subleaf: u32) -> bool {
        self.leaf == leaf && (leaf != 7 || self.subleaf == subleaf)
    }
}

/// What can be hidden, leaf by leaf (Intel SDM volume 2A, CPUID; AMD APM volume 3, appendix E). A
/// feature stands below what it builds on.
pub static FEATURES: &[Feature] = &[
    feature("sse3", 1, 0, Ecx, 0, &[]),
    feature("ssse3", 1, 0, Ecx, 9, &["sse3"]),
    feature("sse4.1", 1, 0, Ecx, 19, &["ssse3"]),
    feature("sse4.2", 1, 0, Ecx, 20, &["sse4.1"]),
    feature("popcnt", 1, 0, Ecx, 23, &[]),
    feature("pclmulqdq", 1, 0, Ecx, 1, &[]),
    feature("aes", 1, 0, Ecx, 25, &[]),
    feature("movbe", 1, 0, Ecx, 22, &[]),
    feature("rdrand", 1, 0, Ecx, 30, &[]),
    feature("xsave", 1, 0, Ecx, 26, &[]),
    feature("osxsave", 1, 0, Ecx, 27, &["xsave"]),
    feature("avx", 1, 0, Ecx, 28, &["sse4.2", "osxsave"]),
    feature("f16c", 1, 0, Ecx, 29, &["avx"]),
    feature("fma", 1, 0, Ecx, 12, &["avx"]),
    feature("bmi1", 7, 0, Ebx, 3, &[]),
    feature("avx2", 7, 0, Ebx, 5, &["avx"]),
    feature("bmi2", 7, 0, Ebx, 8, &[]),
    feature("erms", 7, 0, Ebx, 9, &[]),
    feature("avx512f", 7, 0, Ebx, 16, &["avx2", "fma", "f16c"]),
    feature("avx512dq", 7, 0, Ebx, 17, &["avx512f"]),
    feature("rdseed", 7, 0, Ebx, 18, &[]),
    feature("adx", 7, 0, Ebx, 19, &[]),
    feature("avx512ifma", 7, 0, Ebx, 21, &["avx512f"]),
    feature("avx512pf", 7, 0, Ebx, 26, &["avx512f"]),
    feature("avx512er", 7, 0, Ebx, 27, &["avx512f"]),
    feature("avx512cd", 7, 0, Ebx, 28, &["avx512f"]),
    feature("sha", 7, 0, Ebx, 29, &["ssse3"]),
    feature("avx512bw", 7, 0, Ebx, 30, &["avx512f"]),
    feature("avx512vl", 7, 0, Ebx, 31, &["avx512f"]),
    feature("avx512vbmi", 7, 0, Ecx, 1, &["avx512bw"]),
    feature("avx512vbmi2", 7, 0, Ecx, 6, &["avx512bw"]),
    feature("gfni", 7, 0, Ecx, 8, &[]),
    feature("vaes", 7, 0, Ecx, 9, &["aes", "avx"]),
    feature("vpclmulqdq", 7, 0, Ecx, 10, &["pclmulqdq", "avx"]),
    feature("avx512vnni", 7, 0, Ecx, 11, &["avx512f"]),
    feature("avx512bitalg", 7, 0, Ecx, 12, &["avx512bw"]),
    feature("avx512vpopcntdq", 7, 0, Ecx, 14, &["avx512f"]),
    feature("avx512-4vnniw", 7, 0, Edx, 2, &["avx512f"]),
    feature("avx512-4fmaps", 7, 0, Edx, 3, &["avx512f"]),
    feature("fsrm", 7, 0, Edx, 4, &["erms"]),
    feature("avx512vp2intersect", 7, 0, Edx, 8, &["avx512f"]),
    feature("amx-tile", 7, 0, Edx, 24, &["osxsave"]),
    feature("amx-bf16", 7, 0, Edx, 22, &["amx-tile"]),
    feature("amx-int8", 7, 0, Edx, 25, &["amx-tile"]),
    feature("avx512fp16", 7, 0, Edx, 23, &["avx512bw"]),
    feature("sha512", 7, 1, Eax, 0, &["avx2"]),
    feature("sm3", 7, 1, Eax, 1, &["avx"]),
    feature("sm4", 7, 1, Eax, 2, &["avx2"]),
    feature("avxvnni", 7, 1, Eax, 4, &["avx2"]),
    feature("avx512bf16", 7, 1, Eax, 5, &["avx512bw"]),
    feature("amx-fp16", 7, 1, Eax, 21, &["amx-tile"]),
    feature("avxifma", 7, 1, Eax, 23, &["avx2"]),
    feature("avxvnniint8", 7, 1, Edx, 4, &["avx2"]),
    feature("avxneconvert", 7, 1, Edx, 5, &["avx2"]),
    feature("amx-complex", 7, 1, Edx, 8, &["amx-tile"]),
    feature("avxvnniint16", 7, 1, Edx, 10, &["avx2"]),
    feature("avx10.1", 7, 1, Edx, 19, &["avx512f"]),
    feature("apxf", 7, 1, Edx, 21, &["osxsave"]),
    feature("lzcnt", 0x8000_0001, 0, Ecx, 5, &[]),
    feature("sse4a", 0x8000_0001, 0, Ecx, 6, &["sse3"]),
    feature("xop", 0x8000_0001, 0, Ecx, 11, &["avx", "sse4a"]),
    feature("fma4", 0x8000_0001, 0, Ecx, 16, &["avx", "sse4a"]),
    feature("tbm", 0x8000_0001, 0, Ecx, 21, &[]),
];

/// CPUID's answer; zeros for a leaf that the CPU does not have.
#[cfg(target_arch = "x86_64")]
fn real(leaf: u32, subleaf: u32) -> [u32; 4] {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // An Intel CPU answers a leaf above its highest with the data of the highest basic leaf. Leaves
    // 0 and 0x80000000 say in EAX which leaf is the highest of their range.
    if leaf > __cpuid(leaf & 0x8000_0000).eax {
        return [0; 4];
    }
    let answer = __cpuid_count(leaf, subleaf);
    [answer.eax, answer.ebx, answer.ecx, answer.edx]
}

#[cfg(not(target_arch = "x86_64"))]
fn real(_: u32, _: u32) -> [u32; 4] {
    [0; 4]
}

const fn feature(
    name: &'static str,
    leaf: u32,
    subleaf: u32,
    register: Register,
    bit: u32,
    needs: &'static [&'static str],
) -> Feature {
    Feature { name, leaf, subleaf, register, bit, needs }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_name_and_no_bit_stands_twice() {
        let names: HashSet<_> = FEATURES.iter().map(|feature| feature.name).collect();
        let bits: HashSet<_> =
            FEATURES.iter().map(|f| (f.leaf, f.subleaf, f.register as u32, f.bit)).collect();
        assert_eq!((names.len(), bits.len()), (FEATURES.len(), FEATURES.len()));
        assert!(FEATURES.iter().all(|feature| feature.bit < 32));
    }

    #[test]
    fn a_feature_stands_below_what_it_needs() {
        for (index, feature) in FEATURES.iter().enumerate() {
            for need in feature.needs {
                assert!(
                    FEATURES[..index].iter().any(|above| above.name == *need),
                    "{}: {need}",
                    feature.name
                );
            }
        }
    }
}
