//! Hashes that take a few words at a time and keep a few, of many messages: one in each lane of
//! some vectors, up to the end of the longest of them.
//!
//! Such a hash has no blocks to speak of and no padding: it reads a step of one to four words after
//! another, and makes its digest of what it keeps and of the bytes behind the last whole step. One
//! message is a chain of multiplications, each of which waits for the one before. Lanes do as many
//! chains at a time.
//!
//! ```text
//! for each group of messages of like length, the longest first:        (many/queue.rs, groups.rs)
//!     chain = the initial words, in every lane
//!     1. as many vectors as the shortest message has:
//!            read a vector of each message, take its steps
//!     2. until the longest message ends:
//!            read a vector of each message, or its last bytes with zeros behind
//!            for each step:
//!                a lane whose message has the whole step:    takes it
//!                a lane whose message ends within the step:  keeps it as its rest
//!                a lane whose message has ended:             stays as it is
//!     3. finish every chain with its rest, put out the digests
//! ```
//!
//! Lanes are told apart by masks and not by branches: which message ends where is as good as
//! random, and to finish each alone would cost more, for the branches that are mispredicted.
//! Messages of up to [`Chain::SHORT`] bytes are done one after another, since several of them are
//! under way in a CPU at any time. But rows of fewer than eight bytes are brought into lanes by
//! shuffles, with no queue, no tails and no masks.

use crate::kernel::Code;
use crate::many::{Batch, MAX_LANES, NOT_YET, Queue, TINY_LEN, load, splat};
use crate::messages::Messages;
use crate::parts::barrier;
#[cfg(target_arch = "x86_64")]
use crate::parts::lanes::x86_64;
use crate::parts::lanes::{Arithmetic, Word};
use crate::{Features, Kernel};

/// A hash that keeps `CHAIN` words, and takes `STEP` words of a message at a time; `PIECE` words
/// are a vector of 32 bytes.
pub(crate) trait Chain<W: Word, const CHAIN: usize, const STEP: usize, const PIECE: usize>:
    'static
{
    /// Messages of so many bytes are no sooner done in lanes than one after another.
    const SHORT: usize;
    /// Nor are messages of more.
    const LONG: usize = 1 << 30;
    /// What is kept of the empty message.
    const START: [W; CHAIN];
    /// Takes words of each message.
    fn step<L: Arithmetic<Word = W>>(chain: &mut [L; CHAIN], words: &[L; STEP]);
    /// The words of the digests, as they are in memory.
    fn finish<L: Arithmetic<Word = W>, const TINY: bool>(
        chain: [L; CHAIN],
        rest: Rest<L, STEP, TINY>,
    ) -> [L; CHAIN];
}

/// What each message has behind its last whole step. Where messages are `TINY`, all are of one
/// length, shorter than [`TINY_LEN`]. A parameter, since a field moves the code of other messages:
/// XXH64 of 64 bytes took a twentieth more.
pub(crate) struct Rest<L, const STEP: usize, const TINY: bool> {
    /// The words of it, with zeros behind.
    pub(crate) words: [L; STEP],
    /// How many bytes it has.
    pub(crate) lens: L,
    /// The most that any may have.
    pub(crate) most: usize,
    /// Whether all have as many.
    pub(crate) same_length: bool,
    /// How many bytes the messages have in all.
    pub(crate) message_lens: L,
}

impl<L: Arithmetic, const STEP: usize, const TINY: bool> Rest<L, STEP, TINY> {
    /// `yes` in each lane whose message has a byte of that number, `no` in others.
    #[inline(always)]
    pub(crate) fn where_it_has(&self, byte: usize, yes: L, no: L) -> L {
        if TINY {
            return yes;
        }
        self.lens.above(L::splat(L::Word::cut(byte as u64))).select(yes, no)
    }

    /// The most bytes that any may have behind its whole units of so many.
    #[inline(always)]
    pub(crate) fn most_behind(&self, unit: usize) -> u32 {
        (if self.same_length { self.most % unit } else { self.most.min(unit - 1) }) as u32
    }
}

/// Declares a kernel for as many messages as the lanes hold: the entry, the names by the number of
/// lanes, and the code, compiled for what these lanes need.
macro_rules! chain_kernel {
    (
        $(#[$doc:meta])* on $arch:literal: $entry:ident $absorb:ident $in_lanes:ident,
        $features:literal, $needs:expr; $($count:literal $name:literal)*
    ) => {
        $(#[$doc])*
        #[cfg(target_arch = $arch)]
        pub(crate) const fn $entry<
            C,
            L,
            const CHAIN: usize,
            const STEP: usize,
            const PIECE: usize,
        >() -> Kernel
        where
            C: Chain<L::Word, CHAIN, STEP, PIECE>,
            L: Arithmetic,
        {
            let needs = $needs.covering($features);
            assert!(needs.contains(L::NEEDS), "the lanes are those of another instruction set");
            let name = match L::COUNT {
                $($count => $name,)*
                _ => panic!("kernels are named by their lanes"),
            };
            Kernel::of(name, needs, Code::Lanes(L::COUNT, $absorb::<C, L, CHAIN, STEP, PIECE>))
                .resuming()
        }

        #[cfg(target_arch = $arch)]
        #[target_feature(enable = $features)]
        fn $absorb<C, L, const CHAIN: usize, const STEP: usize, const PIECE: usize>(
            batch: &mut Batch<'_>,
        ) where
            C: Chain<L::Word, CHAIN, STEP, PIECE>,
            L: Arithmetic,
        {
            let done = absorb_tiny_rows::<C, L, CHAIN, STEP, PIECE>(batch);
            // Lanes are a call of their own: short messages need none of their registers.
            if done > 0 {
                (done..batch.messages().len()).for_each(|number| batch.digest_one(number));
            } else if batch.longest() <= C::SHORT {
                batch.each_alone();
            } else {
                $in_lanes::<C, L, CHAIN, STEP, PIECE>(batch);
            }
        }

        #[cfg(target_arch = $arch)]
        #[inline(never)]
        #[target_feature(enable = $features)]
        fn $in_lanes<C, L, const CHAIN: usize, const STEP: usize, const PIECE: usize>(
            batch: &mut Batch<'_>,
        ) where
            C: Chain<L::Word, CHAIN, STEP, PIECE>,
            L: Arithmetic,
        {
            absorb_in_lanes::<C, L, CHAIN, STEP, PIECE>(batch);
        }
    };
}

chain_kernel! {
    /// By AVX2.
    on "x86_64": avx2 absorb_avx2 in_lanes_avx2, "avx2", Features::AVX2;
    8 "avx2x8" 16 "avx2x16" 32 "avx2x32"
}
chain_kernel! {
    /// By AVX-512's instructions for registers of AVX2's width, and its products of 64 bits.
    on "x86_64": avx512 absorb_avx512 in_lanes_avx512,
    "avx512f,avx512vl,avx512dq", x86_64::AVX512DQ; 16 "avx512x16"
}

chain_kernel! {
    /// By NEON.
    on "aarch64": neon absorb_neon in_lanes_neon, "neon", Features::NEON; 8 "neonx8" 16 "neonx16"
}

chain_kernel! {
    /// By WebAssembly's vectors.
    on "wasm32": simd128 absorb_simd128 in_lanes_simd128, "simd128", Features::SIMD128;
    8 "simd128x8" 16 "simd128x16"
}

/// The kernel of a [`Chain`] in so many vectors of an instruction set, as `lanes!` has those of
/// other designs.
macro_rules! chains {
    ($chain:ty, $word:ident, $count:tt * $isa:ident) => {
        $crate::parts::chains::$isa::<
            $chain,
            $crate::parts::chains::chains!(@ $count $crate::parts::chains::chains!(@ $isa $word)),
            _,
            _,
            _,
        >()
    };
    (@ 2 $vector:ty) => { $crate::parts::lanes::wide::Wide2<$vector> };
    (@ 4 $vector:ty) => {
        $crate::parts::lanes::wide::Wide2<$crate::parts::lanes::wide::Wide2<$vector>>
    };
    (@ avx512 u64) => { $crate::parts::lanes::x86_64::U64x4Vl };
    (@ $isa:ident $word:ident) => { $crate::many::lanes!(@ $isa $word) };
}
pub(crate) use chains;

/// Rows of fewer than [`TINY_LEN`] bytes, a row in each lane: the number of rows that are done. The
/// last rows are not, since a load of all lanes reads beyond them.
#[inline(always)]
fn absorb_tiny_rows<C, L, const CHAIN: usize, const STEP: usize, const PIECE: usize>(
    batch: &mut Batch<'_>,
) -> usize
where
    C: Chain<L::Word, CHAIN, STEP, PIECE>,
    L: Arithmetic,
{
    let Messages::Rows { data, width } = batch.messages() else { return 0 };
    if width >= TINY_LEN || batch.is_begun() {
        return 0;
    }
    let number = |number: usize| L::splat(L::Word::cut(number as u64));
    let block = STEP * size_of::<L::Word>();
    let (count, mut done) = (batch.messages().len(), 0);
    while count - done >= L::COUNT
        && let Some([low, high]) = L::tiny_rows(&data[done * width..], width, 0)
    {
        let mut chain = splat::<L, CHAIN>(C::START);
        let mut words = [number(0); STEP];
        words[0] = low;
        if block == 4 && width >= block {
            C::step(&mut chain, &words);
            words[0] = high;
        } else if size_of::<L::Word>() == 4 && STEP > 1 {
            words[1] = high;
        }
        let most = width % block;
        let rest = Rest {
            words,
            lens: number(most),
            most,
            same_length: true,
            message_lens: number(width),
        };
        batch.put_out_run(C::finish::<L, true>(chain, rest), done);
        done += L::COUNT;
    }
    done
}

/// Bytes of a vector, in which messages are read.
const VECTOR: usize = 32;

#[inline(always)]
fn absorb_in_lanes<C, L, const CHAIN: usize, const STEP: usize, const PIECE: usize>(
    batch: &mut Batch<'_>,
) where
    C: Chain<L::Word, CHAIN, STEP, PIECE>,
    L: Arithmetic,
{
    let start = if batch.is_begun() { batch.start() } else { C::START };
    let min_fill = L::COUNT / 4 + 1;
    let mut queue = Queue::new(batch.messages(), |len| len / (STEP * size_of::<L::Word>()));
    let mut group = [(0, &[][..]); MAX_LANES];
    let mut tails = [[0; VECTOR]; MAX_LANES];
    loop {
        let count = batch.next_group(&mut queue, min_fill, &mut group[..L::COUNT]);
        if count == 0 {
            return;
        }
        let mut numbers = [NOT_YET; MAX_LANES];
        let (mut least, mut longest) = (usize::MAX, 0);
        for (lane, (number, message)) in group[..L::COUNT].iter_mut().enumerate() {
            // A message that lanes do not serve is done alone, and its lane is empty.
            if message.len() <= C::SHORT || message.len() > C::LONG {
                if lane < count {
                    batch.digest_one(*number);
                }
                *message = &[];
            } else if lane < count {
                numbers[lane] = *number;
            }
            least = least.min(message.len());
            longest = longest.max(message.len());
        }
        let chain = hashed::<C, L, CHAIN, STEP, PIECE>(start, &group, &mut tails, least, longest);
        batch.put_out(chain, &numbers);
    }
}

/// The chains of messages that begin as `start`, of `least` to `longest` bytes. It stays one
/// function: the compiler made other code of its parts.
#[inline(always)]
fn hashed<C, L, const CHAIN: usize, const STEP: usize, const PIECE: usize>(
    start: [L::Word; CHAIN],
    group: &[(usize, &[u8]); MAX_LANES],
    tails: &mut [[u8; VECTOR]; MAX_LANES],
    least: usize,
    longest: usize,
) -> [L; CHAIN]
where
    C: Chain<L::Word, CHAIN, STEP, PIECE>,
    L: Arithmetic,
{
    const { assert!(PIECE * size_of::<L::Word>() == VECTOR && PIECE.is_multiple_of(STEP)) };
    let block = STEP * size_of::<L::Word>();
    let mut chain = splat::<L, CHAIN>(start);
    // Every message has these vectors, so no step needs a mask.
    let whole = least / VECTOR;
    for piece in 0..whole {
        let words = L::read_pieces::<PIECE>(&|lane: usize, from: usize, len: usize| {
            let message: &[u8] = group[lane].1;
            // SAFETY: no message has fewer bytes than the whole pieces of the shortest.
            unsafe { message.get_unchecked(piece * VECTOR + from..piece * VECTOR + from + len) }
        });
        for words in words.as_chunks::<STEP>().0 {
            C::step(&mut chain, words);
        }
    }
    // From here on messages end: masks compare the number of a step with the steps of a message.
    let mut lens = [L::Word::cut(0); MAX_LANES];
    let mut steps = lens;
    for lane in 0..L::COUNT {
        let len = group[lane].1.len();
        (lens[lane], steps[lane]) = (L::Word::cut(len as u64), L::Word::cut((len / block) as u64));
    }
    let (message_lens, steps) = (load::<L>(&lens, 0), load::<L>(&steps, 0));
    let mut rest = [L::splat(L::Word::cut(0)); STEP];
    let mut at = whole * VECTOR;
    if at < longest {
        for lane in 0..L::COUNT {
            let message = group[lane].1;
            L::pad(&mut tails[lane], message, message.len() % VECTOR, 0, [0; 4]);
        }
    }
    // Else the compiler keeps copies of all tails beside the loop. Many short steps hide that.
    let tails = if STEP > 1 { barrier::loaded(tails) } else { tails };
    while at < longest {
        let words = L::read_pieces::<PIECE>(&|lane: usize, from: usize, len: usize| {
            // A lane that has ended reads its last vector again; the masks drop it.
            let piece = match group[lane].1.get(at..at + VECTOR) {
                Some(piece) => piece,
                None => &tails[lane],
            };
            &piece[from..][..len]
        });
        for (index, words) in words.as_chunks::<STEP>().0.iter().enumerate() {
            let step = at + index * block;
            if step >= longest {
                break;
            }
            let number = L::splat(L::Word::cut((step / block) as u64));
            let goes_on = steps.above(number);
            let ends = !(goes_on | number.above(steps));
            // All lanes take the step, and the masks choose: a step costs less than a branch that
            // fails.
            let mut next = chain;
            C::step(&mut next, words);
            for (chain, next) in chain.iter_mut().zip(next) {
                *chain = goes_on.select(next, *chain);
            }
            for (rest, word) in rest.iter_mut().zip(words) {
                *rest = *rest | (ends & *word);
            }
        }
        at += VECTOR;
    }
    // A step is a power of two, so the lower bits of a length are the length of the rest.
    let lens = message_lens & L::splat(L::Word::cut(block as u64 - 1));
    let same_length = least == longest;
    let most = if same_length { least % block } else { block - 1 };
    C::finish::<L, false>(chain, Rest { words: rest, lens, most, same_length, message_lens })
}
