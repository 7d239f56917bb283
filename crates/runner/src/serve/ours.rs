//! Our own library behind the protocol. A digest offers its function, where it has one, and every
//! kernel that this CPU runs under the mask, the best first. Many messages offer the kernels in
//! lanes and `loop`.
//!
//! ```text
//! many md5 avx2x8 loop
//! ```

use std::hint::black_box;

use hashdyno::{ALL, Cpu, Digest, MaskError, ReadyKernel, ReadyLanes, digest_many_by};

use super::aligned::Aligned;
use super::{Each, Implementation, Inputs, One, Task, Work};
use crate::protocol::{Greeting, Offer};
use crate::work::Shape;

/// Our own kernels as a runner; a variant is a kernel, `function`, or of many messages `loop`.
pub struct Ours {
    cpu: Cpu,
}

impl Ours {
    /// The kernels that this CPU can run under `mask` (see [`Cpu::masked`]).
    ///
    /// # Errors
    /// [`MaskError`]: the mask names a feature that no kernel knows.
    pub fn new(mask: Option<&str>) -> Result<Self, MaskError> {
        Ok(Self { cpu: Cpu::native().masked(mask.unwrap_or("all"))? })
    }

    fn kernels(&self, digest: &'static Digest) -> impl Iterator<Item = ReadyKernel> {
        digest.ready(&self.cpu)
    }

    fn many_kernels(&self, digest: &'static Digest) -> impl Iterator<Item = ReadyLanes> {
        digest.ready_lanes(&self.cpu)
    }

    /// What the library does with many messages if nobody says how.
    fn usual(&self, digest: &'static Digest) -> &'static str {
        digest.bind_many(&self.cpu, Shape::USUAL_COUNT).map_or(LOOP, |kernel| kernel.name())
    }

    /// The kernels for many messages and the loop, the usual first; nothing where there is but the
    /// loop over what is usual for one.
    fn many_offer(&self, digest: &'static Digest) -> Option<Offer> {
        let usual = self.usual(digest);
        let others = self
            .many_kernels(digest)
            .map(|kernel| kernel.name())
            .chain([LOOP])
            .filter(|name| *name != usual);
        let ways: Vec<_> = [usual].into_iter().chain(others).collect();
        (ways != [LOOP] || self.function(digest).is_some()).then(|| Offer::many(digest.name, ways))
    }

    /// What makes a job of the digest's own function, where it has one; that uses all that the CPU
    /// has.
    fn function(&self, digest: &'static Digest) -> Option<Start> {
        // Written out for each loop: shared, it would be called there.
        macro_rules! written {
            ($function:ident) => {
                |message: &[u8], out: &mut [u8]| {
                    out.copy_from_slice(&hashdyno::$function(message).to_be_bytes());
                    true
                }
            };
        }
        macro_rules! start {
            ($($name:literal $function:ident)*) => {
                match digest.name {
                    $(
                        $name => Some(|input, output_len| match input {
                            Input::One(message) => Box::new(One::new(
                                message,
                                output_len,
                                written!($function),
                            )),
                            Input::Many(messages) => Box::new(Each::new(
                                &messages,
                                output_len,
                                written!($function),
                            )),
                        }),
                    )*
                    _ => None,
                }
            };
        }
        // Such a function asks the CPU itself, so a mask of ours would not reach it.
        if self.cpu != *Cpu::native() {
            return None;
        }
        hashdyno::functions!(start)
    }

    /// The ways of one message, the usual first.
    fn offer(&self, digest: &'static Digest) -> Offer {
        let function = self.function(digest).map(|_| FUNCTION);
        Offer::digest(
            digest.name,
            function.into_iter().chain(self.kernels(digest).map(|kernel| kernel.name())),
        )
    }

    /// The digest of a task, and how many bytes of it are wanted.
    fn wanted(&self, task: Task<'_>) -> Result<(&'static Digest, usize), String> {
        let digest = hashdyno::find(task.name).ok_or_else(|| format!("no digest {}", task.name))?;
        let output_len = task.output_len.unwrap_or(digest.output_len);
        if output_len != digest.output_len && !digest.extendable {
            return Err(format!("{} gives {} bytes", digest.name, digest.output_len));
        }
        Ok((digest, output_len))
    }

    /// The kernel of that name for one message; the best if there is no name.
    fn kernel(&self, digest: &'static Digest, name: Option<&str>) -> Result<ReadyKernel, String> {
        let wanted = |kernel: &ReadyKernel| name.is_none_or(|name| name == kernel.name());
        self.kernels(digest)
            .find(wanted)
            .ok_or_else(|| "no such kernel, or not on this CPU".to_owned())
    }
}

/// Makes a job of what is to be hashed, and the length of a digest in bytes.
type Start = fn(Input, usize) -> Box<dyn Work>;

enum Input {
    One(Vec<u8>),
    Many(Inputs),
}

/// The way that is the digest's own function, of many messages a loop over it.
const FUNCTION: &str = "function";

/// The way of many messages that is a loop over the best kernel for one.
const LOOP: &str = "loop";

impl Implementation for Ours {
    fn greeting(&self) -> Greeting {
        Greeting {
            name: "hashdyno".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            facts: [("cpu".to_owned(), self.cpu.features().to_string())].into(),
        }
    }

    fn offers(&self) -> Vec<Offer> {
        ALL.into_iter()
            .map(|digest| self.offer(digest))
            .chain(ALL.into_iter().filter_map(|digest| self.many_offer(digest)))
            .collect()
    }

    fn digest(&self, task: Task<'_>, message: Vec<u8>) -> Result<Box<dyn Work + '_>, String> {
        let (digest, output_len) = self.wanted(task)?;
        if let Some(start) = self
            .function(digest)
            .filter(|_| task.implementation.is_none_or(|name| name == FUNCTION))
        {
            return Ok(start(Input::One(message), output_len));
        }
        let kernel = self.kernel(digest, task.implementation)?;
        Ok(Box::new(One::new(message, output_len, move |message, out| {
            digest.digest_into(&kernel, message, out);
            true
        })))
    }

    fn many(&self, task: Task<'_>, messages: Inputs) -> Result<Box<dyn Work + '_>, String> {
        let (digest, output_len) = self.wanted(task)?;
        let way = task.implementation.unwrap_or(self.usual(digest));
        if let Some(start) = self.function(digest).filter(|_| way == FUNCTION) {
            return Ok(start(Input::Many(messages), output_len));
        }
        let many = self.many_kernels(digest).find(|kernel| kernel.name() == way);
        let one = self.kernel(digest, Some(way).filter(|way| many.is_none() && *way != LOOP))?;
        let output = Aligned::output(messages.lens.len() * digest.output_len);
        // Kernels in lanes give digests of the usual length only.
        match output_len == digest.output_len {
            true => {
                let layout = match messages.lens[..] {
                    [width, ref others @ ..]
                        if width > 0 && others.iter().all(|len| *len == width) =>
                    {
                        Layout::Rows(width)
                    }
                    _ => Layout::Offsets(messages.offsets()),
                };
                let data = messages.bytes[..].into();
                Ok(Box::new(Batch { digest, many, one, layout, data, output }))
            }
            false => Err(format!(
                "of many messages {} gives {} bytes each",
                digest.name, digest.output_len
            )),
        }
    }
}

/// Many messages.
struct Batch {
    digest: &'static Digest,
    many: Option<ReadyLanes>,
    one: ReadyKernel,
    data: Aligned,
    layout: Layout,
    output: Aligned,
}

/// How messages lie in one buffer: in rows where all have one width, as a caller with keys of one
/// width has them, else in Arrow's layout.
enum Layout {
    Rows(usize),
    Offsets(Vec<i32>),
}

impl Work for Batch {
    fn answer(&self) -> Vec<u8> {
        self.output.to_vec()
    }

    fn run(&mut self, calls: u64) -> Result<(), String> {
        for _ in 0..calls {
            let data = black_box(&*self.data);
            let messages = match &self.layout {
                Layout::Rows(width) => hashdyno::Messages::Rows { data, width: *width },
                Layout::Offsets(offsets) => hashdyno::Messages::Offsets { data, offsets },
            };
            digest_many_by(self.digest, self.many.as_ref(), &self.one, messages, &mut self.output);
            black_box(&*self.output);
        }
        Ok(())
    }
}
