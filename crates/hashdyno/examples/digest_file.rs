//! Prints the digest file: for every digest its name, its `check` and its sweep, by the kernels
//! that this CPU chooses, in the format of `vectors/sweeps.txt`. It is the same on every CPU, at
//! all levels of optimisation that `make profiles` takes. With the argument `every-kernel`, by each
//! kernel that this CPU can run, and for the sweep [`lengths`] only.

use hashdyno::{
    ALL, Cpu, Digest, Hasher, Messages, ReadyKernel, digest_many_by, digest_many_on, hex,
};

/// Bytes of the longest message of a sweep, less one.
#[allow(dead_code, reason = "tests include this file and take fewer lengths")]
pub const SWEEP: usize = 4096;

/// Prints the whole file.
#[allow(dead_code, reason = "tests include this file and take fewer lengths")]
pub fn main() {
    let every_kernel = match std::env::args().nth(1).as_deref() {
        None => false,
        Some("every-kernel") => true,
        Some(word) => panic!("{word}: expected every-kernel or nothing"),
    };
    for digest in ALL {
        let sweep = if every_kernel {
            Sweep::of(digest, &lengths())
        } else {
            Sweep::of(digest, &(0..SWEEP).collect::<Vec<_>>())
        };
        println!(
            "{}",
            if every_kernel {
                sweep.every_kernel().unwrap_or_else(|| sweep.line())
            } else {
                sweep.line()
            }
        );
    }
}

/// Around blocks of every size and their padding, around lanes, and some long enough for BLAKE3's
/// and XXH3's wide code.
pub fn lengths() -> Vec<usize> {
    let around = |block: usize| block - 1..=block + 1;
    let blocks = [16, 32, 48, 56, 64, 72, 104, 112, 128, 136, 144, 168, 240, 256, 1024, 2048]
        .into_iter()
        .flat_map(around);
    blocks.chain([0, 3, 8, 900, 5000, 8193, 17_000]).collect()
}

/// A digest of messages of some lengths, the first n bytes of the pattern i % 251.
pub struct Sweep {
    digest: &'static Digest,
    pattern: Vec<u8>,
    lengths: Vec<usize>,
    /// The digests, in one call for all, by the kernel that this CPU chooses.
    answers: Vec<u8>,
}

impl Sweep {
    /// Of messages of these lengths.
    pub fn of(digest: &'static Digest, lengths: &[usize]) -> Self {
        let pattern: Vec<u8> =
            (0..lengths.iter().max().map_or(0, |len| *len)).map(|at| (at % 251) as u8).collect();
        let mut sweep = Self {
            digest,
            pattern,
            lengths: lengths.to_vec(),
            answers: vec![0; lengths.len() * digest.output_len],
        };
        let mut answers = std::mem::take(&mut sweep.answers);
        digest_many_on(digest, Cpu::native(), Messages::Slices(&sweep.messages()), &mut answers);
        Self { answers, ..sweep }
    }

    /// Name, digest of `123456789`, and the digest of the digests. They are computed in one call
    /// for all, in one each, and in pieces; an answer that depends on how is said instead.
    pub fn line(&self) -> String {
        let Self { digest, answers, .. } = self;
        let right = || {
            format!(
                "{} {} {}",
                digest.name,
                hex(&digest.digest(b"123456789")),
                hex(&digest.digest(answers))
            )
        };
        self.one(digest.bind(Cpu::native())).unwrap_or_else(right)
    }

    /// What another kernel answers, if one does.
    #[allow(dead_code, reason = "tests include this file and leave that to the harness")]
    pub fn every_kernel(&self) -> Option<String> {
        let cpu = Cpu::native();
        let many = self.digest.ready_lanes(cpu).find_map(|many| {
            let mut answers = vec![0; self.answers.len()];
            digest_many_by(
                self.digest,
                Some(&many),
                &self.digest.bind(cpu),
                Messages::Slices(&self.messages()),
                &mut answers,
            );
            self.differs(many.name(), &answers)
        });
        many.or_else(|| self.digest.ready(cpu).find_map(|kernel| self.one(kernel)))
    }

    /// What a kernel for one message answers else, of a whole message or in pieces.
    fn one(&self, kernel: ReadyKernel) -> Option<String> {
        let (mut whole, mut pieces) = (vec![0; self.answers.len()], vec![0; self.answers.len()]);
        let len = self.digest.output_len;
        for ((message, whole), pieces) in
            self.messages().iter().zip(whole.chunks_mut(len)).zip(pieces.chunks_mut(len))
        {
            self.digest.digest_into(&kernel, message, whole);
            in_pieces(self.digest, kernel, message, pieces);
        }
        self.differs(kernel.name(), &whole).or_else(|| self.differs(kernel.name(), &pieces))
    }

    /// The first answer that is another.
    fn differs(&self, kernel: &str, answers: &[u8]) -> Option<String> {
        let Self { digest, lengths, .. } = self;
        let mut pairs = answers
            .chunks(digest.output_len)
            .zip(self.answers.chunks(digest.output_len))
            .zip(lengths);
        let ((answer, expected), len) = pairs.find(|((answer, expected), _)| answer != expected)?;
        Some(format!(
            "{} of {len} bytes by {kernel}: {}, {}",
            digest.name,
            hex(answer),
            hex(expected)
        ))
    }

    fn messages(&self) -> Vec<&[u8]> {
        self.lengths.iter().map(|len| &self.pattern[..*len]).collect()
    }
}

/// Cut at a third, which is as often within a block as not.
fn in_pieces(digest: &'static Digest, kernel: ReadyKernel, message: &[u8], out: &mut [u8]) {
    let mut hasher = Hasher::with_kernel(digest, kernel);
    let (head, tail) = message.split_at(message.len() / 3);
    hasher.update(head);
    hasher.update(tail);
    hasher.finish_into(out);
}
