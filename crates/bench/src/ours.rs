use std::hint::black_box;

use hashdyno::{ALL, Bound, Cpu, Digest, MaskError};

use crate::serve::{Implementation, Task, Work};
use crate::{Greeting, Offer};

/// Our own kernels as a runner; a variant is a kernel.
pub struct Ours {
    cpu: Cpu,
}

impl Ours {
    /// The kernels that this CPU can run under `mask` (see [`Cpu::masked`]).
    pub fn new(mask: Option<&str>) -> Result<Self, MaskError> {
        Ok(Self { cpu: Cpu::native().masked(mask.unwrap_or("all"))? })
    }

    fn kernels(&self, digest: &'static Digest) -> impl Iterator<Item = Bound> {
        digest.kernels.iter().filter_map(|kernel| kernel.bind(&self.cpu))
    }
}

impl Implementation for Ours {
    fn greeting(&self) -> Greeting {
        Greeting {
            name: "hashdyno".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            facts: [("cpu".to_owned(), self.cpu.features().to_string())].into(),
        }
    }

    fn offers(&self) -> Vec<Offer> {
        ALL.iter().map(|digest| Offer::digest(digest.name, self.kernels(digest).map(|kernel| kernel.name()))).collect()
    }

    fn digest(&self, task: Task<'_>, message: Vec<u8>) -> Result<Box<dyn Work + '_>, String> {
        let digest = hashdyno::find(task.name).ok_or_else(|| format!("no digest {}", task.name))?;
        let wanted = |kernel: &Bound| task.implementation.is_none_or(|name| name == kernel.name());
        let kernel = self.kernels(digest).find(wanted).ok_or("no such kernel, or not on this CPU")?;
        let output_len = task.output_len.unwrap_or(digest.output_len);
        if output_len != digest.output_len && !digest.extendable {
            return Err(format!("{} gives {} bytes", digest.name, digest.output_len));
        }
        Ok(Box::new(Message { digest, kernel, message, output: vec![0; output_len] }))
    }
}

struct Message {
    digest: &'static Digest,
    kernel: Bound,
    message: Vec<u8>,
    output: Vec<u8>,
}

impl Work for Message {
    fn answer(&self) -> Vec<u8> {
        self.output.clone()
    }

    fn run(&mut self, calls: u64) -> Result<(), String> {
        for _ in 0..calls {
            self.digest.digest_into(&self.kernel, black_box(&self.message), &mut self.output);
            black_box(&self.output);
        }
        Ok(())
    }
}
