//! The kernels that each digest gets on CPUs that this machine need not have: CPU, digest, the
//! kernel for one message, those for 2, 4, 8, 16, 24, 32, 64, 128 and 256 messages. To be compared
//! before and after a change of the choice.

use hashdyno::{ALL, Cores, Features, builder};

fn main() {
    for (name, features, core) in cpus() {
        // SAFETY: the kernels are asked for their names and not called.
        let cpu = unsafe { builder::forged(features, core) };
        for digest in ALL {
            let many =
                [2, 4, 8, 16, 24, 32, 64, 128, 256].map(|count| digest.bind_many(&cpu, count));
            let many = many.map(|kernel| kernel.map_or("-", |kernel| kernel.name()));
            println!(
                "{name:20} {:16} {:16} {}",
                digest.name,
                digest.kernel(&cpu).name(),
                many.join(" ")
            );
        }
    }
}

/// Name, features and core.
fn cpus() -> Vec<(&'static str, Features, Cores)> {
    use Features as F;
    let westmere =
        F::SSE2 | F::SSE3 | F::SSSE3 | F::SSE41 | F::SSE42 | F::POPCNT | F::AES | F::PCLMULQDQ;
    let haswell = westmere | F::AVX | F::AVX2 | F::BMI1 | F::BMI2 | F::ADX;
    let skylake_x = haswell | F::AVX512F | F::AVX512VL | F::AVX512BW | F::AVX512DQ;
    let alder_lake = haswell | F::SHA | F::GFNI | F::VAES | F::VPCLMULQDQ;
    let more = F::AVX512VBMI | F::AVX512VBMI2 | F::AVX512IFMA | F::AVX512VNNI | F::AVX512BITALG;
    let ice_lake = alder_lake | skylake_x | more;
    let zen2 = haswell | F::SHA;
    let zen3 = zen2 | F::VAES | F::VPCLMULQDQ;
    let zen4 = zen3 | ice_lake;
    let avx512 = skylake_x.difference(haswell) | more;
    vec![
        ("none", F::empty(), Cores::OTHER),
        ("sse2", F::SSE2, Cores::OTHER),
        ("westmere", westmere, Cores::OTHER),
        ("haswell", haswell, Cores::OTHER),
        ("alder-lake", alder_lake, Cores::OTHER),
        ("arrow-lake", alder_lake | F::SHA512, Cores::OTHER),
        ("skylake-x", skylake_x, Cores::OTHER),
        ("ice-lake", ice_lake, Cores::OTHER),
        ("zen2", zen2, Cores::ZEN),
        ("zen3", zen3, Cores::ZEN),
        ("zen4", zen4, Cores::ZEN),
        ("zen5", zen4, Cores::ZEN5),
        ("zen4-avx512", zen4 - avx512, Cores::ZEN),
        ("zen5-avx512", zen4 - avx512, Cores::ZEN5),
        ("zen5-none", F::empty(), Cores::ZEN5),
        ("zen4-sha", zen4 - F::SHA, Cores::ZEN),
        ("zen5-sha", zen4 - F::SHA, Cores::ZEN5),
    ]
}
