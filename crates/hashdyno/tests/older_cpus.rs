//! Every digest on CPUs from the first with x86-64 on, by QEMU's emulator of programs (Debian's
//! qemu-user): it refuses an instruction that its CPU lacks with SIGILL, so a kernel that the
//! choice by CPUID should not have taken is found.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

#[path = "../examples/digest_file.rs"]
mod digest_file;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use digest_file::{Sweep, lengths};
use hashdyno::{ALL, Cpu};

const EMULATOR: &str = "qemu-x86_64";

/// CPUs, oldest first; a feature that each has and its forerunner has not; one that it lacks.
const MODELS: [(&str, &str, &str); 8] = [
    ("qemu64", "sse3", "ssse3"),
    ("core2duo", "ssse3", "sse4.1"),
    ("Nehalem", "sse4.2", "aes"),
    ("Westmere", "aes", "avx"),
    ("SandyBridge", "avx", "avx2"),
    // CPUID says AVX2, but the system does not save its registers: AVX traps, as it does under a
    // kernel with `noxsave`.
    ("Haswell,-xsave", "sse4.2", "avx"),
    ("Haswell", "avx2", "adx"),
    ("max", "adx", "avx512f"),
];

/// Digests whose kernels for many gather from tables. QEMU 7.2 takes an index in register 4 of a
/// gather for none at all, as it is where an address has no vector; which register a compiler takes
/// is its own affair.
const GATHERED: [&str; 2] = ["snefru256", "snefru128"];

/// Where the program under the emulator writes its digest file.
const ANSWERS: &str = "HASHDYNO_DIGEST_FILE";

/// The features of the CPU, then the digest file.
fn answers() -> String {
    let lines = ALL.iter().map(|digest| Sweep::of(digest, &lengths()).line() + "\n");
    format!("{}\n{}", Cpu::native().features(), lines.collect::<String>())
}

#[test]
fn every_older_cpu_gives_the_same_digests() {
    if !there_is_an_emulator() {
        return;
    }
    let here = answers();
    let gathers = on("Haswell", "a_gather_by_register_4", Path::new("unused")).status.success();
    let (_, expected) = here.split_once('\n').expect("the features have a line");
    for (model, has, lacks) in MODELS {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("digest-file-{model}"));
        let output = on(model, "answers_of_this_cpu", &path);
        assert!(
            output.status.success(),
            "{model}: {}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        let answers = fs::read_to_string(&path).expect("it was written");
        let (features, digests) = answers.split_once('\n').expect("the features have a line");
        let words: Vec<_> = features.split(' ').collect();
        assert!(words.contains(&has) && !words.contains(&lacks), "{model} has {features}");
        let passed_over = |line: &str| {
            !gathers
                && words.contains(&"avx2")
                && GATHERED.iter().any(|name| line.starts_with(name))
        };
        let differing: Vec<_> = digests
            .lines()
            .zip(expected.lines())
            .filter(|(there, here)| there != here && !passed_over(here))
            .collect();
        assert_eq!(digests.lines().count(), expected.lines().count());
        assert!(differing.is_empty(), "{model} and this machine give:\n{differing:#?}");
    }
}

/// Without this, the test above would say nothing.
#[test]
fn the_emulator_refuses_what_a_cpu_lacks() {
    if !there_is_an_emulator() {
        return;
    }
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("avx2");
    assert!(on("Haswell", "an_instruction_of_avx2", &path).status.success());
    for model in ["SandyBridge", "Haswell,-xsave"] {
        let output = on(model, "an_instruction_of_avx2", &path);
        assert!(!output.status.success(), "{model} executes AVX2");
    }
}

#[test]
#[ignore = "the other tests run it under the emulator"]
fn answers_of_this_cpu() {
    if let Some(path) = env::var_os(ANSWERS) {
        fs::write(path, answers()).expect("the file can be written");
    }
}

#[test]
#[ignore = "the other tests run it under the emulator"]
fn an_instruction_of_avx2() {
    if env::var_os(ANSWERS).is_some() {
        // SAFETY: it changes the one register that it names; a CPU that lacks it ends the process,
        // which is what it is for.
        unsafe { std::arch::asm!("vpaddd ymm0, ymm0, ymm0", out("xmm0") _) };
    }
}

#[test]
#[ignore = "the other tests run it under the emulator"]
fn a_gather_by_register_4() {
    if env::var_os(ANSWERS).is_some() {
        let (table, places, mask) =
            ([0_u32, 1, 2, 3, 4, 5, 6, 7], [7_u32, 6, 5, 4, 3, 2, 1, 0], [u32::MAX; 8]);
        let mut found = [0_u32; 8];
        // SAFETY: only the emulator of a CPU with AVX2 runs it; it reads and writes within the
        // arrays, and names all that it changes.
        unsafe {
            std::arch::asm!(
                "vmovdqu ymm4, [{places}]", "vmovdqu ymm1, [{mask}]", "vpgatherdd ymm0, [{table} \
                    + 4 * ymm4], ymm1", "vmovdqu [{found}], ymm0",
                places = in(reg) &places, mask = in(reg) &mask, table = in(reg) &table,
                found = in(reg) &mut found,
                out("xmm0") _, out("xmm1") _, out("xmm4") _,
            );
        }
        assert_eq!(found, places);
    }
}

/// A test of this program, run by the emulator with that CPU.
fn on(model: &str, test: &str, path: &Path) -> Output {
    let mut command = Command::new(EMULATOR);
    command.args(["-cpu", model]).arg(env::current_exe().expect("it is known"));
    command.args(["--ignored", "--exact", test, "--test-threads", "1"]).env(ANSWERS, path);
    command.current_dir(env!("CARGO_TARGET_TMPDIR")); // where a core may fall
    command.output().expect("the emulator can be started")
}

/// Where it is missing, nothing is tested; `install-tools` installs it for `make test`.
fn there_is_an_emulator() -> bool {
    let there = Command::new(EMULATOR).arg("--version").output().is_ok();
    if !there {
        println!("{EMULATOR} is not here: not tested\nhint: apt-get install qemu-user");
    }
    there
}
