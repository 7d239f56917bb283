//! What a library must do to be measured.
//!
//! `serve` does the protocol, and an `Implementation` knows one library. A job becomes a `Work`:
//! all that may be kept between calls is made before, and `run` is the loop that is timed.
//!
//! ```text
//! job    digest, many or cipher -> a Work; run(1); answer
//! run N  run(N), between two looks at the clock
//! again  run(1); answer
//! ```

use super::inputs::Inputs;
use crate::protocol::{Greeting, Offer};
use crate::work::{Cipher, Direction};

/// A library that can be measured.
pub trait Implementation {
    /// Who it is.
    fn greeting(&self) -> Greeting;

    /// What it can do.
    fn offers(&self) -> Vec<Offer>;

    /// Makes ready to hash `message` over and over; an error in words if it cannot.
    ///
    /// # Errors
    /// In words for the host: it has no such digest, implementation or length.
    fn digest(&self, task: Task<'_>, message: Vec<u8>) -> Result<Box<dyn Work + '_>, String>;

    /// Makes ready to hash all of `messages` over and over; an error in words if it cannot. The
    /// answer is their digests, one after another. `Each` is the loop over single calls that
    /// everybody has; what takes many messages at once is offered as such.
    ///
    /// # Errors
    /// In words for the host: it has no such digest, implementation or length.
    fn many(&self, task: Task<'_>, messages: Inputs) -> Result<Box<dyn Work + '_>, String>;

    /// Makes ready to encrypt or decrypt `input` over and over; an error in words if it cannot.
    ///
    /// # Errors
    /// In words for the host: it has no such cipher.
    fn cipher(&self, task: CipherTask, _input: Vec<u8>) -> Result<Box<dyn Work + '_>, String> {
        Err(format!("no cipher {}", task.cipher.name))
    }
}

/// Which cipher is wanted, and which way. Key and initialisation vector have its lengths, and the
/// input holds a tag at least where it must.
#[derive(Clone, Debug)]
pub struct CipherTask {
    /// Which.
    pub cipher: Cipher,
    /// Which way.
    pub direction: Direction,
    /// Of the cipher's `key_len`.
    pub key: Vec<u8>,
    /// Of the cipher's `iv_len`.
    pub iv: Vec<u8>,
}

/// Which digest is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Task<'a> {
    /// The library's name for it.
    pub name: &'a str,
    /// One of the offer's variants; the default if `None`.
    pub implementation: Option<&'a str>,
    /// Length of the answer in bytes, if the host asks for one.
    pub output_len: Option<usize>,
}

/// A job that is ready to be done.
pub trait Work {
    /// What the last call gave; asked for only after one.
    fn answer(&self) -> Vec<u8>;

    /// Does it `calls` times, from the message to the digest each time: nothing kept from one call
    /// to the next, and both behind a `black_box`.
    ///
    /// # Errors
    /// In words for the host: the library failed.
    fn run(&mut self, calls: u64) -> Result<(), String>;
}

/// Why a function of a library that says so did not do its work.
pub(super) const REFUSED: &str = "the library refuses, or a tag is wrong";
