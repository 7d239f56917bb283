//! CPU masks.

use hashdyno::{Cores, Cpu, Features, builder};

/// A mask that every CPU of this architecture can have.
const MASK: &str = if cfg!(target_arch = "x86_64") {
    "-avx512f"
} else if cfg!(target_arch = "aarch64") {
    "-sha3"
} else if cfg!(target_arch = "wasm32") {
    "-simd128"
} else {
    "none"
};

/// One that is another architecture's.
const FOREIGN: &str = if cfg!(target_arch = "aarch64") { "-avx2" } else { "-neon" };

#[cfg(target_arch = "x86_64")]
#[test]
fn a_mask_takes_away_what_builds_on_it() {
    let cpu = Cpu::native();
    let masked = cpu.masked("-avx2,-sha").unwrap();
    for gone in
        [Features::AVX2, Features::AVX512F, Features::AVX512VBMI, Features::SHA, Features::SHA512]
    {
        assert!(!masked.has(gone), "{gone} is left");
    }
    let kept = Features::AVX | Features::SSE42 | Features::AES | Features::VAES;
    assert_eq!(masked.features() & kept, cpu.features() & kept);
    assert_eq!(cpu.masked("none").unwrap().features(), Features::empty());
    assert_eq!(cpu.masked("all").unwrap(), *cpu);
}

#[cfg(target_arch = "aarch64")]
#[test]
fn a_mask_takes_away_what_builds_on_it() {
    let cpu = Cpu::native();
    let masked = cpu.masked("-sha2,-aes").unwrap();
    for gone in [Features::SHA2, Features::SHA3, Features::AES, Features::PMULL] {
        assert!(!masked.has(gone), "{gone} is left");
    }
    let kept = Features::NEON | Features::CRC;
    assert_eq!(masked.features() & kept, cpu.features() & kept);
    assert_eq!(cpu.masked("-neon").unwrap().features() - Features::CRC, Features::empty());
    assert_eq!(cpu.masked("none").unwrap().features(), Features::empty());
    assert_eq!(cpu.masked("all").unwrap(), *cpu);
}

/// Else kernels would be passed over in silence. `QEMU_CPU` tells QEMU which CPU to be.
#[cfg(target_arch = "aarch64")]
#[test]
fn an_emulated_cpu_has_what_it_is_known_for() {
    let Ok(model) = std::env::var("QEMU_CPU") else { return };
    let of_2016 = Features::NEON | Features::AES | Features::PMULL | Features::SHA2 | Features::CRC;
    let expected = match model.as_str() {
        "cortex-a72" | "neoverse-n1" => of_2016,
        "max" => of_2016 | Features::SHA3,
        _ => panic!("QEMU_CPU is {model}: expected cortex-a72, neoverse-n1 or max"),
    };
    assert_eq!(Cpu::native().features(), expected);
}

/// Else kernels would be passed over in silence.
#[cfg(target_arch = "wasm32")]
#[test]
fn a_module_has_what_it_was_compiled_with() {
    let cpu = Cpu::native();
    assert_eq!(cpu.has(Features::SIMD128), cfg!(target_feature = "simd128"));
    assert_eq!(cpu.masked("-simd128").unwrap().features(), Features::empty());
}

#[test]
fn a_word_that_means_nothing_is_named() {
    for mask in ["avx2", "-avx3", "", FOREIGN] {
        assert!(Cpu::native().masked(mask).unwrap_err().to_string().contains(&format!("'{mask}'")));
    }
}

/// Signatures of CPUID's leaf 1: Zen 1, Zen 3, Zen 4, Zen 5, Hygon's Dhyana, Bulldozer, Haswell,
/// Sapphire Rapids.
#[test]
fn the_core_follows_from_vendor_and_family() {
    for (vendor, signature, core) in [
        (b"AuthenticAMD", 0x0080_0f12, Cores::ZEN),
        (b"AuthenticAMD", 0x00a0_0f11, Cores::ZEN),
        (b"AuthenticAMD", 0x00a1_0f11, Cores::ZEN),
        (b"AuthenticAMD", 0x00b0_0f21, Cores::ZEN5),
        (b"HygonGenuine", 0x0090_0f02, Cores::ZEN),
        (b"AuthenticAMD", 0x0060_0f12, Cores::OTHER),
        (b"GenuineIntel", 0x0003_06c3, Cores::OTHER),
        (b"GenuineIntel", 0x0008_06f8, Cores::OTHER),
        (b"AuthenticTMD", 0x00b0_0f21, Cores::OTHER),
    ] {
        assert_eq!(builder::core(vendor, signature), core, "{signature:#x} of {vendor:?}");
    }
}

#[test]
fn a_mask_does_not_hide_the_core() {
    let cpu = Cpu::native();
    assert_eq!(cpu.core().iter().count(), 1);
    assert_eq!(cpu.masked("none").unwrap().core(), cpu.core());
    for core in Cores::all().iter() {
        assert_eq!(builder::on(cpu, core).masked(MASK).unwrap().core(), core);
        assert_eq!(builder::on(cpu, core).features(), cpu.features());
    }
}
