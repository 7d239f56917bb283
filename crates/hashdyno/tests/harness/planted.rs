//! The harness is able to fail: each of these bugs, planted into MD5, is found, and each kind of
//! case finds one.

use std::collections::BTreeSet;
use std::process::Command;

use hashdyno::builder::{self, Batch, Code, OneShot, State, Tail};
use hashdyno::{Cpu, Digest, Features, Kernel, find};

use super::{KINDS, run};

/// What is wrong, how, and which kinds of case must notice.
struct Planted {
    what: &'static str,
    digest: fn() -> Digest,
    found_by: &'static [&'static str],
}

const PLANTED: &[Planted] = &[
    Planted {
        what: "a run of three blocks or more loses its last (as a loop by two does)",
        digest: || {
            kernel(|state, blocks| {
                absorb(
                    state,
                    if blocks.len() >= 192 { &blocks[..blocks.len() - 64] } else { blocks },
                )
            })
        },
        found_by: &[
            "sweep",
            "vectors",
            "oracle",
            "plans",
            "splits",
            "alignment",
            "many",
            "masks",
            "running",
            "clone",
        ],
    },
    Planted {
        what: "of two blocks the first is taken twice (sha2 0.9.7)",
        digest: || {
            kernel(|state, blocks| {
                blocks
                    .chunks(128)
                    .for_each(|pair| pair.chunks(64).for_each(|_| absorb(state, &pair[..64])))
            })
        },
        found_by: &["sweep", "vectors", "oracle", "plans", "splits", "alignment"],
    },
    Planted {
        what: "the first byte is misread at an offset of 37 from a multiple of 64",
        digest: || {
            kernel(|state, blocks| misread(state, blocks, blocks.as_ptr().addr() % 64 == 37))
        },
        found_by: &["alignment"],
    },
    Planted {
        what: "the first byte is misread on the last bytes of a page",
        digest: || {
            kernel(|state, blocks| {
                misread(state, blocks, (blocks.as_ptr().addr() + blocks.len()) % 4096 == 0)
            })
        },
        found_by: &["guard pages"],
    },
    Planted {
        what: "the first byte of a run from 4 KiB is misread at an offset of 63 from a multiple \
            of 64",
        digest: || {
            kernel(|state, blocks| {
                misread(state, blocks, blocks.len() >= 4096 && blocks.as_ptr().addr() % 64 == 63)
            })
        },
        found_by: &["long"],
    },
    Planted {
        what: "the first byte of a run from 64 KiB is misread",
        digest: || kernel(|state, blocks| misread(state, blocks, blocks.len() >= 65_536)),
        found_by: &["long", "oracle"],
    },
    Planted {
        what: "only the low byte of the length is padded in",
        digest: || {
            finish(|state, tail, out| {
                finish_md5(state, Tail { message_len: tail.message_len & 31, ..tail }, out)
            })
        },
        found_by: &["sweep", "vectors", "oracle"],
    },
    Planted {
        what: "a rest of 56 bytes, which just does not fit beside the length, is padded wrong \
            (sudo's SHA-384)",
        digest: || {
            finish(|state, tail, out| {
                finish_md5(state, tail, out);
                out[0] ^= u8::from(tail.bytes.len() == 56);
            })
        },
        found_by: &["sweep", "oracle"],
    },
    Planted {
        what: "the last byte of the digest is combined with what was there",
        digest: || {
            finish(|state, tail, out| {
                let before = out[15];
                finish_md5(state, tail, out);
                out[15] |= before;
            })
        },
        found_by: &["output", "many"],
    },
    Planted {
        what: "an output of another length is another digest",
        digest: || {
            let mut digest = finish(|state, tail, out| {
                let mut digest = [0; 16];
                finish_md5(state, tail, &mut digest);
                let other = u8::from(out.len() != 16);
                out.iter_mut()
                    .zip(digest.iter().cycle())
                    .for_each(|(out, byte)| *out = byte ^ other);
                out.iter_mut().skip(16).for_each(|out| *out ^= 1);
            });
            digest.extendable = true;
            digest
        },
        found_by: &["extend"],
    },
    Planted {
        what: "a kernel for many messages forgets them",
        digest: || many(|_| ()),
        found_by: &["many", "lanes", "masks"],
    },
    Planted {
        what: "a kernel for many messages computes another digest",
        digest: || many(|batch| borrowed("md4", batch)),
        found_by: &["many", "lanes", "masks"],
    },
    Planted {
        what: "a kernel's digest of a whole message is another",
        digest: || {
            // SAFETY: the condition is the same.
            let digest: unsafe fn(&[u8], *mut u8) =
                |message, out| unsafe { digest_one_shot(&message[message.len() % 2..], out) };
            whole(digest, |batch| borrowed("md5", batch))
        },
        found_by: &["sweep", "vectors", "oracle", "alignment", "guard pages", "output", "masks"],
    },
    Planted {
        what: "a kernel of whole messages computes another digest of many",
        digest: || whole(digest_one_shot, |batch| borrowed("md4", batch)),
        found_by: &["many", "each", "masks"],
    },
    Planted {
        what: "the digest of nine bytes is another",
        digest: || {
            finish(|state, tail, out| {
                finish_md5(state, tail, out);
                out[0] ^= u8::from(tail.message_len == 9);
            })
        },
        found_by: &["check", "sweep", "oracle"],
    },
];

#[test]
fn what_is_right_passes() {
    let report = run(&[leak(md5_parts())]);
    assert!(report.failures.is_empty(), "{report}");
}

#[test]
fn every_planted_bug_is_found() {
    let mut found_something = BTreeSet::from(["guard pages"]);
    for planted in PLANTED {
        let report = run(&[leak((planted.digest)())]);
        let found_by: BTreeSet<&str> =
            report.failed.values().flat_map(|kinds| kinds.keys().copied()).collect();
        for kind in planted.found_by {
            assert!(
                found_by.contains(kind),
                "{}: not found by {kind}, but by {found_by:?}",
                planted.what
            );
        }
        found_something.extend(found_by);
    }
    for (kind, _) in KINDS {
        assert!(found_something.contains(kind), "{kind} finds nothing");
    }
}

#[test]
fn fewer_cases_than_on_record_are_found() {
    let mut report = run(&[]);
    report.compare_with_record();
    assert!(report.failures.iter().any(|failure| failure.starts_with("sweep: 0 made")), "{report}");
}

/// One byte read past the end of the input kills the process that does it, and so the test.
#[test]
#[cfg(unix)]
fn reading_past_the_end_is_found() {
    use std::os::unix::process::ExitStatusExt;
    let program = std::env::current_exe().expect("a test knows its program");
    // On another CPU the program runs under an emulator: campaigns/other-cpus names its command
    // line.
    let emulator = std::env::var("HASHDYNO_EMULATOR").unwrap_or_default();
    let mut words =
        emulator.split_whitespace().map(std::ffi::OsString::from).chain([program.into()]);
    let mut command = Command::new(words.next().expect("the program is a word"));
    command.args(words).args(["--ignored", "--exact", "harness::planted::reads_past_the_end"]);
    let status = command.output().expect("a test can be started again").status;
    assert!(status.signal().is_some(), "survived with {status}");
}

#[test]
#[ignore = "dies: `reading_past_the_end_is_found` runs it"]
fn reads_past_the_end() {
    run(&[leak(kernel(|state, blocks| {
        // SAFETY: none; that is the bug.
        std::hint::black_box(unsafe { blocks.as_ptr().add(blocks.len()).read_volatile() });
        absorb(state, blocks);
    }))]);
}

fn md5() -> &'static Digest {
    find("md5").expect("MD5 is there")
}

/// MD5 with another way to end, by the portable kernel alone: the kernels for many messages, which
/// end by themselves, would hide it.
fn finish(finish: fn(&mut State, Tail<'_>, &mut [u8])) -> Digest {
    let portable = std::slice::from_ref(md5().one.last().expect("MD5 has a kernel"));
    // SAFETY: each bug ends MD5 by MD5's own end.
    unsafe { builder::digest(md5(), builder::start(md5()), finish, portable, &[]) }
}

/// MD5 by the portable kernel alone.
fn md5_parts() -> Digest {
    finish(finish_md5)
}

/// MD5's own end.
fn finish_md5(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    // SAFETY: whatever has a bug here is MD5.
    unsafe { builder::finish(md5(), state, tail, out) }
}

/// MD5 with a better kernel before the portable one, which is sound.
fn kernel(planted: fn(&mut State, &[u8])) -> Digest {
    with(Code::Blocks(planted))
}

/// MD5 with a kernel for many messages before the portable one.
fn many(planted: fn(&mut Batch<'_>)) -> Digest {
    with(Code::Lanes(4, planted))
}

/// MD5 with a kernel for whole messages before the portable one.
fn whole(digest: unsafe fn(&[u8], *mut u8), each: fn(&mut Batch<'_>)) -> Digest {
    with(Code::OneShot(absorb, OneShot { output_len: md5().output_len, digest, each }))
}

/// MD5 with that kernel before the portable one.
fn with(planted: Code) -> Digest {
    let takes_many = matches!(planted, Code::Lanes(..));
    // SAFETY: the bugs are made of MD5's portable kernel, which any CPU can run.
    let planted = unsafe { Kernel::new("planted", Features::empty(), planted) };
    let (mut one, mut many) = (vec![Kernel::portable(absorb)], vec![]);
    if takes_many {
        many.push(planted)
    } else {
        one.insert(0, planted)
    }
    // SAFETY: so are start and end.
    unsafe { builder::digest(md5(), builder::start(md5()), finish_md5, one.leak(), many.leak()) }
}

/// MD5 of a whole message.
///
/// # Safety
/// There is room for it.
unsafe fn digest_one_shot(message: &[u8], out: *mut u8) {
    // SAFETY: this function's own condition.
    unsafe {
        out.cast::<[u8; 16]>().write((*md5().digest(message)).try_into().expect("MD5 has 16 bytes"))
    };
}

/// The kernel of another digest, for so many messages as the harness thinks that it takes.
fn borrowed(name: &str, batch: &mut Batch<'_>) {
    let kernels = find(name).expect("it is there").many.iter().rev();
    let absorb = kernels
        .filter(|kernel| kernel.needs() == Features::empty() || Cpu::native().has(kernel.needs()))
        .find_map(|kernel| match kernel.code() {
            Code::Lanes(_, absorb) => Some(absorb),
            Code::Blocks(_) | Code::OneShot(..) => None,
        });
    // SAFETY: the CPU has what the kernel needs.
    unsafe { absorb.expect("it has a kernel for many messages")(batch) };
}

/// MD5's own portable kernel.
fn absorb(state: &mut State, blocks: &[u8]) {
    let portable = md5().one.last().and_then(|kernel| kernel.bind(Cpu::native()));
    // SAFETY: the state and the blocks are those that an MD5 kernel is given.
    unsafe { builder::absorb(&portable.expect("the last kernel needs nothing"), state, blocks) };
}

/// Absorbs the blocks, the first byte changed if `wrong`.
fn misread(state: &mut State, blocks: &[u8], wrong: bool) {
    let mut blocks = blocks.to_vec();
    blocks[0] ^= u8::from(wrong);
    absorb(state, &blocks);
}

fn leak(digest: Digest) -> &'static Digest {
    Box::leak(Box::new(digest))
}
