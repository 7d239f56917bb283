//! What the fuzzer's bytes are taken for: every kernel of one digest gives what its portable one or
//! somebody else gives, of a message however it is cut, copied and saved on its way, and of many
//! messages of unlike lengths in every layout; under any CPU mask.

use arbitrary::Arbitrary;
use hashdyno::{
    Cpu, Digest, Features, FittedHasher, Hasher, Messages, ReadyKernel, ReadyLanes, digest_many_by,
    digest_many_on, hex, update_many_by,
};

/// Somebody else's answer: the digest of that name of a message, if they have it.
pub type Oracle = fn(name: &str, message: &[u8]) -> Option<Vec<u8>>;

/// A case. Lists are taken in turn, again and again, so that few bytes make many pieces and
/// messages.
#[derive(Arbitrary, Debug)]
pub struct Case<'a> {
    digest: u8,
    /// Bits of [`Features`] that the CPU lacks when it chooses.
    hidden: Option<u32>,
    /// Bytes of the digest, if it is extendable.
    output_len: u16,
    message: Length,
    /// The length of each piece of the message, and what happens after it.
    pieces: [(Length, Event); 4],
    layout: Layout,
    lengths: [Length; 4],
    /// How many messages there are at a time.
    count: u8,
    /// How many bytes longer the lengths are each time that they come again.
    growth: u8,
    bytes: &'a [u8],
}

/// A length where kernels change their ways: about a multiple of the block, or a short one; or any.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Length {
    Blocks(u8, i8),
    Short(u8),
    Any(u16),
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Event {
    Nothing,
    /// An empty piece.
    Empty,
    /// The hasher is copied, the first one spoilt, and its copy goes on.
    Copy,
    /// A copy ends here; its digest must be that of the message so far.
    End,
    /// Saved and restored, which goes on by the best kernel of this CPU.
    Save,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Layout {
    Slices,
    Offsets,
    LargeOffsets,
    Rows,
}

/// What a message must give.
type Expected<'a> = &'a dyn Fn(&[u8]) -> Vec<u8>;

impl Case<'_> {
    /// Takes one of the digests.
    ///
    /// # Panics
    /// If a kernel gives another answer than the oracle, or than the portable one where the oracle
    /// has none.
    pub fn check(&self, digests: &[&'static Digest], oracle: Oracle) {
        let digest = digests[usize::from(self.digest) % digests.len()];
        let expected = |message: &[u8]| {
            oracle(digest.name, message)
                .unwrap_or_else(|| whole(digest, &portable(digest), message, digest.output_len))
        };
        let cpu =
            Cpu::native().without(Features::from_bits_truncate(self.hidden.unwrap_or(0).into()));
        // Blocks near each other are unlike even if there are no bytes.
        let data: Vec<u8> = (0..LONGEST)
            .map(|at| (at % 251) as u8 ^ self.bytes.get(at % (self.bytes.len() + 1)).unwrap_or(&0))
            .collect();
        self.one_message(digest, &expected, &data[..self.message.bytes(digest, LONGEST)]);
        self.many_messages(digest, &expected, &cpu, &data);
    }

    fn one_message(&self, digest: &'static Digest, expected: Expected<'_>, message: &[u8]) {
        let output_len =
            if digest.extendable { usize::from(self.output_len) % 5000 } else { digest.output_len };
        let answer = if digest.extendable {
            whole(digest, &portable(digest), message, output_len)
        } else {
            expected(message)
        };
        for kernel in singles(digest) {
            let same = |how: &str, given: &[u8]| same(digest, kernel.name(), how, given, &answer);
            same("whole", &whole(digest, &kernel, message, output_len));
            let mut hasher = self.in_pieces(digest, expected, kernel, message);
            let mut out = vec![0; output_len];
            hasher.finish_reset(&mut out);
            same("in pieces", &out);
            hasher.update(message);
            hasher.finish_into(&mut out);
            same("again", &out);
        }
    }

    /// All of the message taken, in the pieces and what they leave of it.
    fn in_pieces(
        &self,
        digest: &'static Digest,
        expected: Expected<'_>,
        kernel: ReadyKernel,
        message: &[u8],
    ) -> Hasher {
        let (mut hasher, mut left) = (Hasher::with_kernel(digest, kernel), message);
        for (len, event) in self.pieces.iter().cycle().take(MOST_PIECES) {
            let (piece, rest) = left.split_at(len.bytes(digest, LONGEST).min(left.len()));
            hasher.update(piece);
            left = rest;
            match event {
                Event::Nothing => {}
                Event::Empty => hasher.update(b""),
                Event::Copy => {
                    let copy = hasher.clone();
                    hasher.update(b"spoilt");
                    hasher = copy;
                }
                Event::End => {
                    let taken = &message[..message.len() - left.len()];
                    same(
                        digest,
                        kernel.name(),
                        "of a copy",
                        &hasher.clone().finish(),
                        &expected(taken),
                    );
                }
                Event::Save => {
                    hasher =
                        Hasher::restore(&hasher.save()).expect("what was saved can be restored")
                }
            }
            if left.is_empty() {
                break;
            }
        }
        hasher.update(left);
        hasher
    }

    fn many_messages(
        &self,
        digest: &'static Digest,
        expected: Expected<'_>,
        cpu: &Cpu,
        data: &[u8],
    ) {
        let parts: Vec<&[u8]> = (0..usize::from(self.count) % MOST)
            .map(|index| self.part(digest, index, data))
            .collect();
        let joined = parts.concat();
        let ends = parts.iter().scan(0, |end, part| {
            *end += part.len();
            Some(*end)
        });
        let large: Vec<i64> = [0].into_iter().chain(ends).map(|end| end as i64).collect();
        let small: Vec<i32> = large.iter().map(|end| *end as i32).collect();
        let messages = match self.layout {
            Layout::Slices => Messages::Slices(&parts),
            Layout::Offsets => Messages::Offsets { data: &joined, offsets: &small },
            Layout::LargeOffsets => Messages::LargeOffsets { data: &joined, offsets: &large },
            Layout::Rows => {
                Messages::Rows { data: &joined, width: parts.first().map_or(1, |part| part.len()) }
            }
        };

        let expected: Vec<u8> = parts.iter().flat_map(|part| expected(part)).collect();
        let mut out = vec![0x55; expected.len()];
        digest_many_on(digest, cpu, messages, &mut out);
        same(digest, "the CPU's choice", "many", &out, &expected);
        let mut by = |many: Option<&_>, one: &ReadyKernel, name| {
            out.fill(0x55);
            digest_many_by(digest, many, one, messages, &mut out);
            same(digest, name, "many", &out, &expected);
        };
        singles(digest).for_each(|one| by(None, &one, one.name()));
        let (best, many) = (digest.bind(cpu), digest.ready_lanes(Cpu::native()));
        many.for_each(|many| by(Some(&many), &best, many.name()));
        for lanes in digest.ready_lanes(Cpu::native()).filter(|lanes| lanes.updates()) {
            let hashers = self.side_by_side(digest, &lanes, best, &parts);
            let out: Vec<u8> = hashers.into_iter().flat_map(|one| one.finish().to_vec()).collect();
            same(digest, lanes.name(), "in pieces", &out, &expected);
        }
    }

    /// All of the messages taken side by side, in the pieces and what they leave of them.
    fn side_by_side(
        &self,
        digest: &'static Digest,
        lanes: &ReadyLanes,
        one: ReadyKernel,
        messages: &[&[u8]],
    ) -> Vec<Hasher> {
        let mut hashers = vec![Hasher::with_kernel(digest, one); messages.len()];
        let mut left = messages.to_vec();
        for round in 0..=self.pieces.len() {
            let pieces: Vec<&[u8]> = (0..messages.len())
                .map(|number| {
                    let (len, _) = self.pieces[(round + number) % self.pieces.len()];
                    let is_last = round == self.pieces.len();
                    let most = left[number].len();
                    let len = if is_last { most } else { len.bytes(digest, 700).min(most) };
                    left[number].split_off(..len).expect("it is that long")
                })
                .collect();
            let mut each: Vec<&mut FittedHasher> =
                hashers.iter_mut().map(|hasher| &mut **hasher).collect();
            update_many_by(Some(lanes), &mut each, &pieces);
        }
        hashers
    }

    /// One of many messages; in rows all are as long as the first, which is not empty.
    fn part<'d>(&self, digest: &Digest, index: usize, data: &'d [u8]) -> &'d [u8] {
        let (turn, time) = (index % self.lengths.len(), index / self.lengths.len());
        let len = match self.layout {
            Layout::Rows => self.lengths[0].bytes(digest, LONGEST_OF_MANY).max(1),
            _ => {
                (self.lengths[turn].bytes(digest, LONGEST_OF_MANY)
                    + time * usize::from(self.growth))
                    % LONGEST_OF_MANY
            }
        };
        &data[index..][..len]
    }
}

impl Length {
    /// Less than `limit`.
    fn bytes(self, digest: &Digest, limit: usize) -> usize {
        let block = if digest.block_len == 1 { 64 } else { digest.block_len };
        let len = match self {
            Self::Blocks(count, beside) => (usize::from(count) % (limit / block).clamp(2, 36)
                * block)
                .saturating_add_signed(isize::from(beside) % 18),
            Self::Short(len) => len.into(),
            Self::Any(len) => len.into(),
        };
        len % limit
    }
}

/// Every kernel for one message that this CPU can run.
fn singles(digest: &'static Digest) -> impl Iterator<Item = ReadyKernel> {
    digest.ready(Cpu::native())
}

fn portable(digest: &'static Digest) -> ReadyKernel {
    let kernel = digest
        .one
        .iter()
        .rfind(|kernel| kernel.name() == "portable")
        .expect("every digest has a portable kernel");
    kernel.bind(Cpu::native()).expect("a portable kernel needs no CPU feature")
}

fn whole(digest: &Digest, kernel: &ReadyKernel, message: &[u8], output_len: usize) -> Vec<u8> {
    let mut out = vec![0; output_len];
    digest.digest_into(kernel, message, &mut out);
    out
}

fn same(digest: &Digest, kernel: &str, how: &str, answer: &[u8], expected: &[u8]) {
    if answer == expected {
        return;
    }
    let mut pairs =
        answer.chunks(digest.output_len).zip(expected.chunks(digest.output_len)).enumerate();
    let (index, (answer, expected)) =
        pairs.find(|(_, (answer, expected))| answer != expected).expect("they are of equal length");
    panic!(
        "{} by {kernel}, {how}, number {index}: {}, expected {}",
        digest.name,
        hex(answer),
        hex(expected)
    );
}

/// Bytes of the longest message: more than any kernel takes at a time.
const LONGEST: usize = 20_000;

/// Bytes of the longest of many.
const LONGEST_OF_MANY: usize = 1500;

/// Messages at a time: more than any kernel has lanes.
const MOST: usize = 150;

/// Pieces of a message; the last takes what is left.
const MOST_PIECES: usize = 200;
