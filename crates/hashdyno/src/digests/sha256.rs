//! SHA-224 and SHA-256 (FIPS 180-4): the half of SHA-2 that works in 32-bit words.

mod many;
#[cfg(target_arch = "x86_64")]
mod sha_ni;

use super::sha512;
use crate::kernel::kernels;
use crate::lanes::lanes;
use crate::padding::{Order, strengthen};
use crate::{Cores, Digest, Features, Kernel, Last, Security, Spelling, State};
use many::Many;

digests! {
    SHA224 sha224 Sha224,
    SHA256 sha256 Sha256,
}

static SHA224: Digest = Digest {
    name: "sha224",
    aliases: &["sha-224", "sha2-224"],
    spelling: Spelling { php: Some("sha224"), openssl: Some("sha224"), python: Some("sha224") },
    check: "9b3e61bf29f17c75572fae2e86e17809a4513d07c8a18152acf34521",
    sweep: "60c8905bc3dc351867b2145b26f55b6bdab44597cc5e5aa1b9a5dd9f",
    ..sha2::<224>()
};

static SHA256: Digest = Digest {
    name: "sha256",
    aliases: &["sha-256", "sha2-256"],
    spelling: Spelling { php: Some("sha256"), openssl: Some("sha256"), python: Some("sha256") },
    check: "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225",
    sweep: "4a17fd548139287cd5a7be0d90938d8fd816e679608917c1ad6f894a18492072",
    ..sha2::<256>()
};

/// What they have in common; they differ in what they start from and in how much of the chain they
/// give.
const fn sha2<const BITS: usize>() -> Digest {
    Digest {
        name: "",
        aliases: &[],
        spelling: Spelling::NONE,
        family: "sha2",
        specified_in: "FIPS 180-4",
        security: Security::Sound,
        output_len: BITS / 8,
        extendable: false,
        block_len: 64,
        holds_last_block: false,
        check: "",
        sweep: "",
        start: |state| state.init(const { initial(BITS) }),
        finish,
        one: const { kernels![sha_ni::x1::<BITS>(); Kernel::portable(absorb)] },
        many: MANY,
    }
}

const MANY: &[Kernel] = kernels![
    lanes!(Many, u32, 2 * avx512).only(Cores::ZEN5),
    lanes!(Many, u32, 1 * avx512),
    sha_ni::x4(),
    lanes!(Many, u32, 1 * avx2).beaten_by(Features::SHA),
    lanes!(Many, u32, 1 * sse2).beaten_by(Features::SHA),
];

/// What a digest of so many bits starts from: halves of what SHA-512 and SHA-384 do.
const fn initial(bits: usize) -> [u32; 8] {
    let (mut initial, mut word) = ([0; 8], 0);
    while word < 8 {
        initial[word] = if bits == 256 {
            (sha512::SQUARE_ROOTS[0][word] >> 32) as u32
        } else {
            sha512::SQUARE_ROOTS[1][word] as u32
        };
        word += 1;
    }
    initial
}

fn finish(state: &mut State, last: Last<'_>, out: &mut [u8]) {
    strengthen::<64>(state, last, 0x80, 8, Order::Big);
    let words = state.read::<[u32; 8]>().map(u32::to_be);
    out.copy_from_slice(&bytemuck::bytes_of(&words)[..out.len()]);
}

/// Defines a kernel of SHA-2 in straight Rust, for words of one type: the rotations (and, of the
/// schedule, the shift) are those of FIPS 180-4, 4.1. Sums of rotations are nested, `(x ^ x >>> 2)
/// >>> 3` for `x >>> 3 ^ x >>> 5`: x is copied less often.
macro_rules! sha2_kernel {
    (
        $(#[$doc:meta])* fn $name:ident: $word:ident, $steps:literal steps of $roots:ident;
        chain [$a0:literal, $a1:literal, $a2:literal] [$e0:literal, $e1:literal, $e2:literal];
        schedule [$s0:literal, $s1:literal, >> $s2:literal] [$t0:literal, $t1:literal, >> $t2:literal];
    ) => {
        $(#[$doc])*
        fn $name(state: &mut State, blocks: &[u8]) {
            use $crate::unroll::sixteen;
            const SIZE: usize = size_of::<$word>();
            let chain = state.view::<[$word; 8]>();
            for block in blocks.as_chunks::<{ 16 * SIZE }>().0 {
                let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *chain;
                let mut words = bytemuck::cast::<_, [[u8; SIZE]; 16]>(*block).map($word::from_be_bytes);
                // The choice of three by majority is b where a and b agree, and c elsewhere; a ^ b
                // is the next step's b ^ c.
                let mut differ = b ^ c;
                macro_rules! sixteen_steps {
                    ($first:expr, $next:expr) => {
                        sixteen!(I => {
                            let word = $next(I, &mut words);
                            let first = h
                                .wrapping_add($roots[$first + I])
                                .wrapping_add(word)
                                .wrapping_add(g ^ (e & (f ^ g)))
                                .wrapping_add((e ^ e.rotate_right($e1 - $e0)).rotate_right($e0) ^ e.rotate_right($e2));
                            let agree = differ;
                            differ = a ^ b;
                            let second = (b ^ (differ & agree))
                                .wrapping_add(((a.rotate_right($a2 - $a1) ^ a).rotate_right($a1 - $a0) ^ a).rotate_right($a0));
                            (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(first), c, b, a, first.wrapping_add(second));
                        });
                    };
                }
                sixteen_steps!(0, |i: usize, words: &mut [$word; 16]| words[i]);
                for first in (16..$steps).step_by(16) {
                    sixteen_steps!(first, |i: usize, words: &mut [$word; 16]| {
                        let (old, new) = (words[(i + 1) % 16], words[(i + 14) % 16]);
                        words[i] = words[i]
                            .wrapping_add(words[(i + 9) % 16])
                            .wrapping_add((old.rotate_right($s1 - $s0) ^ old).rotate_right($s0) ^ (old >> $s2))
                            .wrapping_add((new.rotate_right($t1 - $t0) ^ new).rotate_right($t0) ^ (new >> $t2));
                        words[i]
                    });
                }
                for (chain, word) in chain.iter_mut().zip([a, b, c, d, e, f, g, h]) {
                    *chain = chain.wrapping_add(word);
                }
            }
        }
    };
}
pub(super) use sha2_kernel;

sha2_kernel! {
    /// SHA-256's kernel in straight Rust.
    fn absorb: u32, 64 steps of CUBE_ROOTS;
    chain [2, 13, 22] [6, 11, 25];
    schedule [7, 18, >> 3] [17, 19, >> 10];
}

/// The first halves of SHA-512's.
const CUBE_ROOTS: [u32; 64] = {
    let mut roots = [0; 64];
    let mut step = 0;
    while step < 64 {
        roots[step] = (sha512::CUBE_ROOTS[step] >> 32) as u32;
        step += 1;
    }
    roots
};
