//! CPU masks.

use hashdyno::{Cpu, Features};

#[test]
fn a_mask_takes_away_what_builds_on_it() {
    let cpu = Cpu::native();
    let masked = cpu.masked("-avx2,-sha").unwrap();
    for gone in [Features::AVX2, Features::AVX512F, Features::AVX512VBMI, Features::SHA, Features::SHA512] {
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
