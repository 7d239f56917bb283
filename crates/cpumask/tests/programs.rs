//! Real programs under masks, by each mechanism that works here.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::io::{Read, Seek};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};

use cpumask::{Gap, Mask, Mechanism, Outcome};

/// Those that work here. Where none does, what is tested is that each says why.
fn mechanisms() -> Vec<Mechanism> {
    let probed = Mechanism::ALL.map(Mechanism::probe);
    for error in probed.iter().filter_map(|probed| probed.as_ref().err()) {
        eprintln!("not tested: {error}");
        assert!(!error.reason.is_empty());
    }
    let works: Vec<_> = probed.into_iter().flatten().collect();
    assert_eq!(cpumask::mechanism().ok(), works.first().copied());
    works
}

/// What a program prints under a mask, and how it ends.
fn under(mask: &str, mechanism: Mechanism, mut command: Command) -> (String, Outcome) {
    let mut file = tempfile::tempfile().unwrap();
    command.stdout(file.try_clone().unwrap()).stderr(Stdio::inherit());
    let outcome = cpumask::run(&Mask::parse(mask).unwrap(), mechanism, command).unwrap();
    file.rewind().unwrap();
    let mut printed = String::new();
    file.read_to_string(&mut printed).unwrap();
    (printed, outcome)
}

fn command(line: &[&str]) -> Command {
    let mut command = Command::new(line[0]);
    command.args(&line[1..]);
    command
}

/// The program of `asks.c`, as a program, as one without shared libraries, and as a library.
fn asks(name: &str, options: &[&str]) -> String {
    compiled("asks.c", name, options)
}

fn compiled(source: &str, name: &str, options: &[&str]) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(source);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let compiled =
        Command::new("cc").arg(source).arg("-O1").args(options).arg("-o").arg(&path).status();
    assert!(compiled.expect("cc runs: ./install-tools").success());
    path.to_str().unwrap().to_owned()
}

const POPCNT: u32 = 1 << 23;
const SSE3: u32 = 1;
const BMI1: u32 = 1 << 3;

/// `asks` prints the real bits without a mask, and the same ones less the hidden under it, as often
/// as `times`.
fn hides_from(program: &str, how: &[&str], times: usize) {
    let line = [&[program], how].concat();
    let real = command(&line).output().unwrap();
    let real: Vec<_> = String::from_utf8(real.stdout).unwrap().lines().map(bits).collect();
    assert_eq!(real.len(), times, "{how:?}");
    assert_ne!(real[0].0 & (POPCNT | SSE3), 0, "the CPU has something to hide");
    for mechanism in mechanisms() {
        let (printed, outcome) = under("-popcnt,-sse3,-bmi1", mechanism, command(&line));
        let masked: Vec<_> = printed.lines().map(bits).collect();
        assert_eq!(outcome.code(), 0, "{how:?} by {mechanism}");
        assert_eq!(masked.len(), times, "{how:?} by {mechanism}: {printed}");
        for (masked, real) in masked.into_iter().zip(&real) {
            let hidden = Mask::parse("-popcnt,-sse3,-bmi1").unwrap();
            let [_, ebx, ..] = hidden.cleared(7, 0);
            let [_, _, ecx, _] = hidden.cleared(1, 0);
            assert_eq!(masked, (real.0 & !ecx, real.1 & !ebx), "{how:?} by {mechanism}");
            assert_eq!((masked.0 & (POPCNT | SSE3), masked.1 & BMI1), (0, 0));
        }
        let (printed, _) = under("all", mechanism, command(&line));
        assert_eq!(
            printed.lines().map(bits).collect::<Vec<_>>(),
            real,
            "{how:?} by {mechanism}: nothing hidden"
        );
    }
}

fn bits(line: &str) -> (u32, u32) {
    let (one, seven) = line.split_once(' ').unwrap();
    (u32::from_str_radix(one, 16).unwrap(), u32::from_str_radix(seven, 16).unwrap())
}

#[test]
fn a_program_does_not_see_what_is_hidden() {
    hides_from(&asks("plain", &["-ldl", "-pthread"]), &["plainly"], 1);
    hides_from(&asks("static", &["-static"]), &["plainly"], 1);
}

#[test]
fn nor_do_its_children_and_threads() {
    let program = asks("children", &["-ldl", "-pthread"]);
    hides_from(&program, &["fork"], 2);
    hides_from(&program, &["exec"], 2);
    hides_from(&program, &["vfork"], 2);
    hides_from(&program, &["thread"], 1);
}

#[test]
fn nor_a_library_that_it_loads() {
    let library = asks("library.so", &["-shared", "-fPIC"]);
    hides_from(&asks("loads", &["-ldl", "-pthread"]), &["dlopen", &library], 1);
}

#[test]
fn nor_code_that_it_writes() {
    let program = asks("writes", &["-ldl", "-pthread"]);
    hides_from(&program, &["written"], 1);
    hides_from(&program, &["written-later"], 1);
    hides_from(&program, &["written-fork"], 2);
    hides_from(&program, &["across"], 21);
}

#[test]
fn nor_by_prefixes_nor_behind_data() {
    let program = compiled("odd.c", "odd", &[]);
    for how in
        ["66", "67", "f3", "2e", "48", "over-imm64", "over-two-bytes", "over-imm32", "switched-off"]
    {
        hides_from(&program, &[how], 1);
    }
}

#[test]
fn what_it_has_sigsegv_do_stays_so() {
    let program = compiled("signals.c", "signals", &["-pthread"]);
    let ways = [
        "blocked",
        "ignored",
        "ignored-exec",
        "default",
        "once",
        "fork",
        "thread",
        "replaced",
        "written",
        "trap-ignored",
    ];
    for how in ways {
        hides_from(&program, &[how], 1);
    }
}

#[test]
fn a_gap_is_told_and_may_end_the_program() {
    let program = asks("shared", &["-ldl", "-pthread"]);
    for mechanism in mechanisms().into_iter().filter(|mechanism| *mechanism == Mechanism::Patching)
    {
        let gap = Gap::SharedCode { program: "shared".to_owned() };
        let (printed, outcome) = under("scalar", mechanism, command(&[&program, "shared"]));
        assert_eq!(
            (printed.lines().count(), outcome.code(), &*outcome.gaps),
            (1, 0, &[gap.clone()][..])
        );
        let end = |_: &Gap| ControlFlow::Break(());
        let outcome =
            cpumask::watch(&Mask::default(), mechanism, command(&[&program, "shared"]), end)
                .unwrap();
        assert_eq!((outcome.code(), &*outcome.gaps), (137, &[gap][..]));
    }
}

#[test]
fn data_among_code_stays_as_it_is() {
    let program = asks("data", &["-DDATA", "-ldl", "-pthread"]);
    for mechanism in mechanisms() {
        let (printed, outcome) = under("scalar", mechanism, command(&[&program, "data"]));
        assert_eq!(printed, "0fa2 a20f00\n", "{mechanism}");
        // What may be a CPUID, and cannot be told from data, is a gap.
        let gap = Gap::Doubtful { program: "data".to_owned() };
        let gaps = if mechanism == Mechanism::Patching { vec![gap] } else { vec![] };
        assert_eq!(outcome.gaps, gaps, "{mechanism}");
    }
}

#[test]
fn the_end_is_the_programs_own() {
    for mechanism in mechanisms() {
        let end = |script| under("scalar", mechanism, command(&["sh", "-c", script])).1.code();
        assert_eq!(end("exit 7"), 7);
        assert_eq!(end("kill -9 $$"), 137);
        assert_eq!(end("kill -SEGV $$"), 139, "a signal that is not ours is passed on");
        assert_eq!(end("trap 'exit 5' TERM; kill $$; exit 6"), 5);
        let woken =
            "(while kill -CONT $$ 2>/dev/null; do sleep 0.02; done) & kill -STOP $$; exit 9";
        assert_eq!(end(woken), 9, "stopped, and continued by another");
        assert_eq!(end("(exit 3) | cat; sh -c 'exit 4'"), 4);
        let error = cpumask::run(&Mask::default(), mechanism, command(&["/nonexistent/program"]))
            .unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
        let error = cpumask::run(&Mask::default(), mechanism, command(&["/"])).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::PermissionDenied);
    }
}

#[test]
fn interpreters_work_and_answer_right() {
    let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    for mechanism in mechanisms() {
        let says = |line: &[&str]| {
            let (printed, outcome) = under("scalar", mechanism, command(line));
            assert_eq!((outcome.code(), &*outcome.gaps), (0, &[][..]), "{line:?} by {mechanism}");
            assert!(outcome.answered > 0, "{line:?} by {mechanism}");
            printed.trim().to_owned()
        };
        assert_eq!(
            says(&["php", "-n", "-r", "echo hash('crc32b', str_repeat('abc', 1000));"]),
            "2bb9450b"
        );
        assert_eq!(
            says(&["python3", "-c", "import hashlib; print(hashlib.sha256(b'abc').hexdigest())"]),
            sha256
        );
        let node =
            "console.log(require('crypto').createHash('sha256').update('abc').digest('hex'))";
        assert_eq!(says(&["node", "-e", node]), sha256);
        if Command::new("go").arg("version").output().is_ok() {
            assert!(says(&["go", "version"]).starts_with("go version"));
        }
    }
}

#[test]
fn openssl_finds_no_aes() {
    let Ok(real) = Command::new("openssl")
        .args(["info", "-cpusettings"])
        .env_remove("OPENSSL_ia32cap")
        .output()
    else {
        return;
    };
    if !real.status.success() {
        return; // before 3.0
    }
    for mechanism in mechanisms() {
        let mut info = command(&["openssl", "info", "-cpusettings"]);
        info.env_remove("OPENSSL_ia32cap");
        let (printed, outcome) = under("scalar", mechanism, info);
        assert_eq!(outcome.gaps, [], "by {mechanism}");
        let word = printed.trim().split_once("=0x").unwrap().1.split(':').next().unwrap();
        let word = u64::from_str_radix(word, 16).unwrap();
        for bit in [33, 41, 57, 60] {
            assert_eq!(word >> bit & 1, 0, "PCLMULQDQ, SSSE3, AES, AVX: {printed} by {mechanism}");
        }
    }
}

#[test]
fn a_jit_finds_no_aes() {
    if Command::new("java").arg("-version").output().is_err() {
        return;
    }
    for mechanism in mechanisms() {
        let flags =
            ["java", "-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintFlagsFinal", "-Xint", "-version"];
        let (printed, outcome) = under("scalar", mechanism, command(&flags));
        let mut flags = printed.lines().filter(|line| line.contains(" UseAES "));
        assert!(flags.all(|line| line.contains("false")), "{printed} by {mechanism}");
        assert_eq!((outcome.code(), &*outcome.gaps), (0, &[][..]), "by {mechanism}");
    }
}

#[test]
fn many_run_at_once() {
    for mechanism in mechanisms() {
        std::thread::scope(|scope| {
            for code in 0..6 {
                scope.spawn(move || {
                    let script = format!("exit {code}");
                    assert_eq!(
                        under("avx2", mechanism, command(&["sh", "-c", &script])).1.code(),
                        code
                    );
                });
            }
        });
    }
}
