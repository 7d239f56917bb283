//! CPU masks.

use hashdyno::{Cores, Cpu, Features, builder};

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

#[test]
fn a_word_that_means_nothing_is_named() {
    for mask in ["avx2", "-avx3", ""] {
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
        assert_eq!(builder::on(cpu, core).masked("-avx512f").unwrap().core(), core);
        assert_eq!(builder::on(cpu, core).features(), cpu.features());
    }
}
