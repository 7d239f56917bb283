//! The fuzz target is able to fail: the cases that it makes of a generator's bytes find planted
//! bugs, and none in what is there.
#![cfg(feature = "md5")]

#[path = "fuzz/case.rs"]
mod case;

use std::panic::catch_unwind;

use arbitrary::{Arbitrary, Unstructured};
use case::Case;
use hashdyno::builder::{self, Code, State, Tail};
use hashdyno::{ALL, Cpu, Digest, Features, Kernel, find};

#[test]
fn every_kernel_passes() {
    (0..300).for_each(|seed| check(seed, &ALL));
}

#[test]
fn a_run_of_three_blocks_that_loses_one_is_found() {
    assert_found(Code::Blocks(|state, blocks| {
        absorb(state, if blocks.len() == 192 { &blocks[64..] } else { blocks })
    }));
}

#[test]
fn one_length_that_is_wrong_is_found() {
    // The last block ends with the message's length in bits.
    assert_found(Code::Blocks(|state, blocks| {
        absorb(state, blocks);
        if blocks.ends_with(&(8 * 129_u64).to_le_bytes()) {
            absorb(state, blocks);
        }
    }));
}

#[test]
fn many_messages_that_are_forgotten_are_found() {
    // SAFETY: the bug does nothing.
    let planted = unsafe { Kernel::new("planted", Features::empty(), Code::Lanes(4, |_| ())) };
    assert_found_by(vec![Kernel::portable(absorb)], vec![planted]);
}

/// One of a thousand cases fails by MD5 with this kernel before the portable one, and none before
/// it by the portable one alone.
fn assert_found(planted: Code) {
    // SAFETY: the bugs are made of MD5's portable kernel, which any CPU can run.
    let planted = unsafe { Kernel::new("planted", Features::empty(), planted) };
    assert_found_by(vec![planted, Kernel::portable(absorb)], vec![]);
}

/// The same by these kernels for one message and for many.
fn assert_found_by(one: Vec<Kernel>, many: Vec<Kernel>) {
    let (sound, unsound) = (digest(vec![Kernel::portable(absorb)], vec![]), digest(one, many));
    let found = (0..1000).any(|seed| {
        check(seed, &[sound]);
        catch_unwind(|| check(seed, &[unsound])).is_err()
    });
    assert!(found, "not found");
}

fn check(seed: u64, digests: &[&'static Digest]) {
    let mut bytes = [0; 200];
    fastrand::Rng::with_seed(seed).fill(&mut bytes);
    let case =
        Case::arbitrary_take_rest(Unstructured::new(&bytes)).expect("there are enough bytes");
    case.check(digests, |_, _| None);
}

fn digest(one: Vec<Kernel>, many: Vec<Kernel>) -> &'static Digest {
    // SAFETY: start and end are MD5's own, and so is what the kernels are made of.
    Box::leak(Box::new(unsafe {
        builder::digest(md5(), builder::start(md5()), finish, one.leak(), many.leak())
    }))
}

/// MD5's own end.
fn finish(state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    // SAFETY: the state is one of MD5.
    unsafe { builder::finish(md5(), state, tail, out) }
}

fn md5() -> &'static Digest {
    find("md5").expect("MD5 is there")
}

/// MD5's own portable kernel.
fn absorb(state: &mut State, blocks: &[u8]) {
    let portable = md5().one.last().and_then(|kernel| kernel.bind(Cpu::native()));
    // SAFETY: the state and the blocks are those that an MD5 kernel is given.
    unsafe { builder::absorb(&portable.expect("the last kernel needs nothing"), state, blocks) };
}
