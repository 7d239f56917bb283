//! The kernels that each digest gets on CPUs that this machine need not have: `digest`, the kernel for one message, those for 2 to 256.

use hashdyno::builder::Absorb;
use hashdyno::{ALL, Digest, Features, Kernel};

fn main() {
    for (name, features) in cores() {
        for digest in ALL {
            let one = one(digest, features).name();
            let lanes = [2, 4, 8, 16, 24, 32, 64, 128, 256].map(|count| many(digest, features, count).map_or("-", Kernel::name));
            println!("{name:20} {:16} {one:16} {}", digest.name, lanes.join(" "));
        }
    }
}

fn takes_many(kernel: &Kernel) -> Option<usize> {
    match kernel.code() {
        Absorb::Many(lanes, _) => Some(lanes),
        _ => None,
    }
}

fn one(digest: &Digest, features: Features) -> &'static Kernel {
    digest.kernels.iter().find(|kernel| takes_many(kernel).is_none() && features.contains(kernel.needs())).unwrap()
}

fn many(digest: &Digest, features: Features, count: usize) -> Option<&'static Kernel> {
    digest
        .kernels
        .iter()
        .filter(|kernel| features.contains(kernel.needs()))
        .take_while(|kernel| takes_many(kernel).is_some())
        .find(|kernel| takes_many(kernel).unwrap() <= count)
}

fn cores() -> Vec<(&'static str, Features)> {
    use Features as F;
    let westmere = F::SSE2 | F::SSE3 | F::SSSE3 | F::SSE41 | F::SSE42 | F::POPCNT | F::AES | F::PCLMULQDQ;
    let haswell = westmere | F::AVX | F::AVX2 | F::BMI1 | F::BMI2 | F::ADX;
    let skylake_x = haswell | F::AVX512F | F::AVX512VL | F::AVX512BW | F::AVX512DQ;
    let alder_lake = haswell | F::SHA | F::GFNI | F::VAES | F::VPCLMULQDQ;
    let more = F::AVX512VBMI | F::AVX512VBMI2 | F::AVX512IFMA | F::AVX512VNNI | F::AVX512BITALG;
    let ice_lake = alder_lake | skylake_x | more;
    let zen2 = haswell | F::SHA | F::SSE4A;
    let zen3 = zen2 | F::VAES | F::VPCLMULQDQ;
    let zen4 = zen3 | ice_lake;
    let zen5 = zen4 | F::AVX512VP2INTERSECT;
    let avx512 = skylake_x.difference(haswell) | more | F::AVX512VP2INTERSECT;
    vec![
        ("none", F::empty()),
        ("sse2", F::SSE2),
        ("westmere", westmere),
        ("haswell", haswell),
        ("alder-lake", alder_lake),
        ("arrow-lake", alder_lake | F::SHA512),
        ("skylake-x", skylake_x),
        ("ice-lake", ice_lake),
        ("tiger-lake", ice_lake | F::AVX512VP2INTERSECT),
        ("zen2", zen2),
        ("zen3", zen3),
        ("zen4", zen4),
        ("zen5", zen5),
        ("zen4-avx512", zen4 - avx512),
        ("zen5-avx512", zen5 - avx512),
        ("zen5-vp2intersect", zen5 - F::AVX512VP2INTERSECT),
        ("zen5-none", F::empty()),
        ("zen4-sha", zen4 - F::SHA),
        ("zen5-sha", zen5 - F::SHA),
    ]
}
