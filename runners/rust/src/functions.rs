//! A library whose digests are plain functions, from a whole message to its digest.

use std::hint::black_box;

use bench::serve::{Implementation, Task, Work};
use bench::{Greeting, Offer};

/// The digests of one or several libraries, under our names.
pub struct Functions {
    greeting: Greeting,
    functions: Vec<Function>,
}

/// One way to compute one digest.
struct Function {
    name: &'static str,
    implementation: &'static str,
    output_len: usize,
    work: Box<dyn Fn(Vec<u8>) -> Box<dyn Work>>,
}

impl Functions {
    /// None yet, of a library of that name and version; `facts` are what else decides the figures.
    pub fn new(name: &str, version: &str, facts: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        let facts = facts.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        Self { greeting: Greeting { name: name.to_owned(), version: version.to_owned(), facts }, functions: Vec::new() }
    }

    /// Adds `function`, which writes the digest of its first argument to all of its second, `output_len` bytes. It is
    /// offered as the digest that `hashdyno list` calls `name`, after those ways to compute it that were added before.
    pub fn add<F>(&mut self, name: &'static str, implementation: &'static str, output_len: usize, function: F)
    where
        F: FnMut(&[u8], &mut [u8]) + Clone + 'static,
    {
        // A loop for each function, so that none is called through a pointer that its library does not have.
        let work = move |message| -> Box<dyn Work> {
            Box::new(Message { function: function.clone(), message, output: vec![0; output_len] })
        };
        self.functions.push(Function { name, implementation, output_len, work: Box::new(work) });
    }

    fn implementations(&self, name: &str) -> impl Iterator<Item = &Function> {
        self.functions.iter().filter(move |function| function.name == name)
    }
}

impl Implementation for Functions {
    fn greeting(&self) -> Greeting {
        self.greeting.clone()
    }

    fn offers(&self) -> Vec<Offer> {
        let mut names: Vec<_> = self.functions.iter().map(|function| function.name).collect();
        names.sort_unstable();
        names.dedup();
        let offer = |name| Offer::digest(name, self.implementations(name).map(|function| function.implementation));
        names.into_iter().map(offer).collect()
    }

    fn digest(&self, task: Task<'_>, message: Vec<u8>) -> Result<Box<dyn Work + '_>, String> {
        let wanted = |function: &&Function| task.implementation.is_none_or(|name| name == function.implementation);
        let function = self.implementations(task.name).find(wanted);
        let function = function.ok_or_else(|| format!("no digest {}, or no such implementation", task.name))?;
        if task.output_len.is_some_and(|len| len != function.output_len) {
            return Err(format!("{} gives {} bytes", task.name, function.output_len));
        }
        Ok((function.work)(message))
    }
}

struct Message<F> {
    function: F,
    message: Vec<u8>,
    output: Vec<u8>,
}

impl<F: FnMut(&[u8], &mut [u8])> Work for Message<F> {
    fn answer(&mut self) -> Result<Vec<u8>, String> {
        self.run(1)?;
        Ok(self.output.clone())
    }

    fn run(&mut self, calls: u64) -> Result<(), String> {
        for _ in 0..calls {
            (self.function)(black_box(&self.message), &mut self.output);
            black_box(&self.output);
        }
        Ok(())
    }
}
