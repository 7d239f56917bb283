//! rapidhash (N. De Carli, 2024), version 3, of 64 bits, and rapidhashNano, which has less code;
//! seed 0 and the secret of the reference. The most significant byte comes first.
//!
//! Products of two words are folded, in seven chains or three. The last 16 bytes are taken once
//! more, whatever was taken before: the last block is held, and the words before it are kept.
//!
//! rapidhashMicro is not here: implementations differ for messages of 4 to 7 bytes.

use crate::function::{function, kernel_of_function};
use crate::parts::arrays::Mapped;
use crate::parts::barrier;
use crate::parts::checksum::{self, Checksum};
use crate::parts::words::{few, folded_product, product, words_of, write};
use crate::{Digest, Purpose, Security};

digests! {
    RAPIDHASH (rapidhash) Rapidhash: u64,
    RAPIDHASH_NANO (rapidhash_nano) RapidhashNano: u64,
}

function! {
    /// rapidhash of a message (N. De Carli; rapidhash.h, version 3), seed 0.
    rapidhash: u64 = RAPIDHASH,
    ..=16 => of_few, ..=112 => of_last_block, ..=isize::MAX as usize => blocks_apart::<7>
}

function! {
    /// rapidhashNano of a message (N. De Carli; rapidhash.h, version 3), seed 0.
    rapidhash_nano: u64 = RAPIDHASH_NANO,
    ..=16 => of_few, ..=48 => of_last_block, ..=isize::MAX as usize => blocks_apart::<3>
}

static RAPIDHASH: Digest = Digest {
    name: "rapidhash",
    aliases: &["rapidhash-v3"],
    one: &[kernel_of_function!(Seven, after::<7, 9>, of_any::<7>)],
    ..base::<Seven>()
};

static RAPIDHASH_NANO: Digest = Digest {
    name: "rapidhash-nano",
    aliases: &["rapidhash-nano-v3"],
    one: &[kernel_of_function!(Three, after::<3, 5>, of_any::<3>)],
    ..base::<Three>()
};

const fn base<C: Checksum>() -> Digest {
    Digest {
        family: "rapidhash",
        purpose: Purpose::HashTable,
        specified_in: "rapidhash.h, version 3 (N. De Carli)",
        security: Security::Checksum,
        output_len: 8,
        block_len: C::BLOCK,
        holds_last_block: C::HOLDS_LAST_BLOCK,
        start: checksum::start::<C>,
        finish: checksum::finish::<C>,
        one: &[],
        ..Digest::BASE
    }
}

const SECRET: [u64; 8] = [
    0x2d35_8dcc_aa6c_78a5,
    0x8bb8_4b93_962e_acc9,
    0x4b33_a62e_d433_d4a3,
    0x4d5a_2da5_1de1_aa47,
    0xa076_1d64_78bd_642f,
    0xe703_7ed1_a0b4_28db,
    0x90ed_1765_281c_388c,
    0xaaaa_aaaa_aaaa_aaaa,
];

/// What a chain starts from: seed 0, mixed.
const SEED: u64 = folded_product(SECRET[2], SECRET[1]);

/// Which words of the secret the pairs of the last block take.
const OF_LAST: [Secret; 6] =
    [Secret::Third, Secret::Third, Secret::Second, Secret::Second, Secret::Third, Secret::Second];

/// A word of the secret that stays in memory: a register for it is set up for messages that have no
/// such pair, too.
#[derive(Clone, Copy)]
enum Secret {
    Second,
    Third,
}

impl Secret {
    #[inline(always)]
    fn add(self, word: u64) -> u64 {
        static SECOND: u64 = SECRET[1];
        static THIRD: u64 = SECRET[2];
        match self {
            Self::Second => barrier::from_memory!("xor", word, SECOND, |word, key| word ^ key),
            Self::Third => barrier::from_memory!("xor", word, THIRD, |word, key| word ^ key),
        }
    }
}

/// Declares the checksums: type, chains, and their number and the two words that are kept.
macro_rules! checksums {
    ($($checksum:ident $chains:literal $register:literal;)*) => {$(
        struct $checksum;

        impl Checksum for $checksum {
            type Register = [u64; $register];
            /// The chains, and the last two words.
            const START: [u64; $register] = {
                let mut register = [SEED; $register];
                (register[$chains], register[$chains + 1]) = (0, 0);
                register
            };
            const BLOCK: usize = 16 * $chains;
            const HOLDS_LAST_BLOCK: bool = true;
            const LEN: usize = 8;

            #[inline(always)]
            fn finish(register: [u64; $register], rest: &[u8], len: u64, out: &mut [u8]) {
                let (chains, kept) = register.split_at($chains);
                let hash = if len <= 16 {
                    of_few(rest)
                } else {
                    // Before the first block all of them are alike, and their number is odd.
                    let seed = chains.iter().fold(0, |sum, chain| sum ^ chain);
                    of_last(seed, last_words([kept[0], kept[1]], rest), rest)
                };
                write(hash.to_be_bytes(), out);
            }
        }
    )*};
}

checksums! {
    Seven 7 9;
    Three 3 5;
}

/// The chains after some blocks more, and the last words of those.
#[inline(always)]
fn after<const CHAINS: usize, const WORDS: usize>(
    mut register: [u64; WORDS],
    blocks: &[u8],
) -> [u64; WORDS] {
    let (blocks, _) = blocks.as_chunks::<16>().0.as_chunks::<CHAINS>();
    // Two a turn: Zen 4 takes 17 % longer by one a turn.
    let (pairs, odd) = blocks.as_chunks::<2>();
    for pair in pairs {
        pair.iter().for_each(|block| take(&mut register, block));
    }
    odd.iter().for_each(|block| take(&mut register, block));
    if let Some(block) = blocks.last() {
        register[CHAINS..].copy_from_slice(&words_of::<16, 2>(&block[CHAINS - 1]));
    }
    register
}

/// Each chain takes its pair of a block.
#[inline(always)]
fn take<const CHAINS: usize>(chains: &mut [u64], block: &[[u8; 16]; CHAINS]) {
    for ((chain, pair), secret) in chains.iter_mut().zip(block).zip(SECRET) {
        *chain = step(*chain, pair, secret);
    }
}

#[inline(always)]
fn step(chain: u64, pair: &[u8; 16], secret: u64) -> u64 {
    let [low, high] = words_of(pair);
    folded_product(low ^ secret, high ^ chain)
}

/// The hash of a message of more than 16 bytes: `seed` are its chains joined, `last` its last two
/// words, `block` its last block.
#[inline(always)]
fn of_last(mut seed: u64, last: [u64; 2], block: &[u8]) -> u64 {
    let mut rest = block;
    for secret in OF_LAST {
        if rest.len() <= 16 {
            break;
        }
        let (pair, more) = rest.split_first_chunk::<16>().expect("16 bytes and more");
        let [low, high] = words_of(pair);
        (seed, rest) = (folded_product(secret.add(low), high ^ seed), more);
    }
    finished(last[0] ^ block.len() as u64, last[1], seed, block.len())
}

/// The last two words of a message whose last block is `block`, and the two before it `kept`.
#[inline(always)]
fn last_words(kept: [u64; 2], block: &[u8]) -> [u64; 2] {
    if block.len() >= 16 {
        return end(block);
    }
    let (kept, bits) = (u128::from(kept[1]) << 64 | u128::from(kept[0]), 8 * block.len());
    let last = kept >> bits | few(block) << (128 - bits);
    [last as u64, (last >> 64) as u64]
}

/// The hash of a message of more than 16 bytes that is no longer than a block.
#[inline(always)]
fn of_last_block(message: &[u8]) -> u64 {
    of_last(SEED, end(message), message)
}

/// The hash of a message of more than a block, for [`function!`]. Called: inlined, it had shorter
/// messages save registers.
#[inline(never)]
fn blocks_apart<const CHAINS: usize>(message: &[u8]) -> u64 {
    of_blocks::<CHAINS>(message)
}

/// The hash of a message of more than a block.
#[inline(always)]
fn of_blocks<const CHAINS: usize>(message: &[u8]) -> u64 {
    let (mut chains, mut rest) = ([SEED; CHAINS], message);
    // Two a turn, as above.
    for count in [2, 1] {
        while rest.len() > count * 16 * CHAINS {
            let (blocks, more) = rest.split_at(count * 16 * CHAINS);
            let (blocks, _) = blocks.as_chunks::<16>().0.as_chunks::<CHAINS>();
            blocks.iter().for_each(|block| take(&mut chains, block));
            rest = more;
        }
    }
    let seed = chains.iter().fold(0, |sum, chain| sum ^ chain);
    of_last(seed, end(message), rest)
}

/// The hash of a message of any length, for a loop over many messages.
#[inline(always)]
fn of_any<const CHAINS: usize>(message: &[u8]) -> u64 {
    match message.len() {
        ..=16 => of_few(message),
        len if len <= 16 * CHAINS => of_last_block(message),
        _ => blocks_apart::<CHAINS>(message),
    }
}

/// The last two words of a message of 16 bytes and more.
#[inline(always)]
fn end(message: &[u8]) -> [u64; 2] {
    message.last_chunk().map_or([0; 2], words_of::<16, 2>)
}

/// The hash of a message of up to 16 bytes.
#[inline(always)]
fn of_few(message: &[u8]) -> u64 {
    let len = message.len();
    if let (Some(first), Some(last)) = (message.first_chunk(), message.last_chunk()) {
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        return finished(first, last, SEED ^ len as u64, len);
    }
    if let (Some(first), Some(last)) = (message.first_chunk(), message.last_chunk()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        return finished(first.into(), last.into(), SEED ^ len as u64, len);
    }
    let [first, middle, last] = match message {
        [] => [0; 3],
        [.., last] => [message[0], message[len / 2], *last].mapped(u64::from),
    };
    finished(first << 45 | last, middle, SEED, len)
}

/// The hash from the last two words, the chain, and how many bytes the last block has.
#[inline(always)]
fn finished(a: u64, b: u64, seed: u64, len: usize) -> u64 {
    let [low, high] = product(a ^ SECRET[1], b ^ seed);
    folded_product(low ^ SECRET[7], high ^ SECRET[1] ^ len as u64)
}
