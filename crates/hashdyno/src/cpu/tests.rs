use super::*;

#[test]
fn an_attribute_enables_what_its_features_build_on() {
    let enabled = Features::enabled_by("sha,avx512bw");
    assert!(enabled.contains(Features::SHA | Features::AVX512BW | Features::AVX512F));
    assert!(enabled.contains(Features::AVX2 | Features::SSE42 | Features::SSE2));
    assert!(!enabled.intersects(Features::AVX512VL | Features::BMI2));
    assert_eq!(Features::enabled_by("bmi1"), Features::BMI1);
    assert!(Features::enabled_by("vaes").contains(Features::AVX2));
    assert!(!Features::VAES.with_bases().contains(Features::AVX2));
}

#[test]
fn needs_cover_an_attribute_with_what_they_build_on() {
    let needs = Features::AVX512VBMI | Features::VPCLMULQDQ;
    assert_eq!(needs.covering("avx512f,avx512bw,avx512vbmi,pclmulqdq"), needs);
}

#[test]
#[should_panic(expected = "does not need")]
fn a_feature_that_is_not_needed_is_an_error() {
    let _ = Features::AVX2.covering("avx2,bmi2");
}

#[test]
#[should_panic(expected = "does not have")]
fn an_unknown_feature_is_an_error() {
    let _ = Features::all().covering("avx2,neon");
}

#[test]
#[should_panic(expected = "does not have")]
fn a_blank_is_no_part_of_a_name() {
    let _ = Features::all().covering("avx2, bmi2");
}
