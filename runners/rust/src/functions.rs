//! A library whose digests are plain functions, from a whole message to its digest, and whose
//! ciphers are, once they have a key.
//!
//! A provider fills a `Functions` when it starts. A job then makes a `Work` from one of the
//! closures:
//!
//! ```text
//! add         name, implementation, length, function(message, out)
//! add_cipher  name, direction, ready(task) -> function(input, output): ready sets the key, once
//! add_gcm     both directions of GCM for libraries that keep the tag apart
//! ```
//!
//! A job clones its function: a context that the function owns is new for each job and is freed
//! with it. Order counts: the first implementation of a name is the default.

use runner::serve::{CipherTask, Each, Implementation, Inputs, One, Task, Work};
use runner::{Direction, Greeting, Kind, Offer};

/// The digests and ciphers of one or several libraries, under our names.
pub struct Functions {
    greeting: Greeting,
    functions: Vec<Function>,
    ciphers: Vec<Keyed>,
}

/// One way to compute one digest.
struct Function {
    name: &'static str,
    implementation: &'static str,
    output_len: usize,
    work: Box<dyn Fn(Vec<u8>) -> Box<dyn Work>>,
    many: Box<StartMany>,
}

/// Makes a digest ready for its messages.
type StartMany = dyn Fn(&Inputs) -> Box<dyn Work>;

/// One cipher, one way.
struct Keyed {
    name: &'static str,
    direction: Direction,
    work: Box<Start>,
}

/// Makes a cipher ready for its input.
type Start = dyn Fn(&CipherTask, Vec<u8>) -> Result<Box<dyn Work>, String>;

/// Encrypts in place with a key and an initialisation vector, and gives the tag.
type Seal<K> = fn(&K, &[u8], &mut [u8]) -> Option<Tag>;

/// Decrypts with a key and an initialisation vector the ciphertext that has this tag; false where
/// the tag is another's.
type Open<K> = fn(&K, &[u8], &[u8], &Tag, &mut [u8]) -> bool;

/// GCM's.
type Tag = [u8; 16];

impl Functions {
    /// None yet, of a library of that name and version; `facts` are what else decides the figures.
    pub fn new(
        name: &str,
        version: &str,
        facts: impl IntoIterator<Item = (&'static str, String)>,
    ) -> Self {
        let facts = facts.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        Self {
            greeting: Greeting { name: name.to_owned(), version: version.to_owned(), facts },
            functions: Vec::new(),
            ciphers: Vec::new(),
        }
    }

    /// Adds `function`, which writes the digest of its first argument to all of its second,
    /// `output_len` bytes. It is offered as the digest that `hashdyno list` calls `name`, after
    /// those ways to compute it that were added before.
    pub fn add<F>(
        &mut self,
        name: &'static str,
        implementation: &'static str,
        output_len: usize,
        function: F,
    ) where
        F: FnMut(&[u8], &mut [u8]) + Clone + 'static,
    {
        // A loop for each function, so that none is called through a pointer that its library does
        // not have.
        let function = move || {
            let mut function = function.clone();
            move |message: &[u8], out: &mut [u8]| {
                function(message, out);
                true
            }
        };
        let each = function.clone();
        let work =
            move |message| -> Box<dyn Work> { Box::new(One::new(message, output_len, function())) };
        let many = move |messages: &Inputs| -> Box<dyn Work> {
            Box::new(Each::new(messages, output_len, each()))
        };
        self.functions.push(Function {
            name,
            implementation,
            output_len,
            work: Box::new(work),
            many: Box::new(many),
        });
    }

    /// Adds a cipher in one direction. `ready` sets up what can be kept from one call to the next,
    /// which is the key; the function that it makes takes input and output as the protocol has
    /// them, a tag behind the ciphertext, sets the initialisation vector and fills the output,
    /// which has the answer's length. It is false where it cannot, or where the tag is wrong.
    pub fn add_cipher<F>(
        &mut self,
        name: &'static str,
        direction: Direction,
        ready: impl Fn(&CipherTask) -> Result<F, String> + 'static,
    ) where
        F: FnMut(&[u8], &mut [u8]) -> bool + 'static,
    {
        let work = move |task: &CipherTask, input: Vec<u8>| -> Result<Box<dyn Work>, String> {
            let (input_len, tag_len) = (input.len(), task.cipher.tag_len());
            // The length of the answer. Verifying gives the message, decrypting takes the tag off.
            let len = match direction {
                Direction::Encrypt => input_len + tag_len,
                Direction::Sign => tag_len,
                _ => input_len - tag_len,
            };
            Ok(Box::new(One::new(input, len, ready(task)?)))
        };
        self.ciphers.push(Keyed { name, direction, work: Box::new(work) });
    }

    /// Adds GCM both ways, of a library that keeps the tag apart; `key` makes what is kept from one
    /// call to the next. Each call that seals copies the message first.
    pub fn add_gcm<K: 'static>(
        &mut self,
        name: &'static str,
        key: impl Fn(&[u8]) -> Result<K, String> + Copy + 'static,
        seal: Seal<K>,
        open: Open<K>,
    ) {
        self.add_cipher(name, Direction::Encrypt, move |task| {
            let (key, iv) = (key(&task.key)?, task.iv.clone());
            Ok(move |message: &[u8], out: &mut [u8]| {
                let (sealed, tag) = out.split_at_mut(message.len());
                sealed.copy_from_slice(message);
                seal(&key, &iv, sealed).is_some_and(|found| {
                    tag.copy_from_slice(&found);
                    true
                })
            })
        });
        self.add_cipher(name, Direction::Decrypt, move |task| {
            let (key, iv) = (key(&task.key)?, task.iv.clone());
            Ok(move |input: &[u8], out: &mut [u8]| {
                let (sealed, tag) = input.split_at(out.len());
                tag.try_into().is_ok_and(|tag| open(&key, &iv, sealed, tag, out))
            })
        });
    }

    fn implementations(&self, name: &str) -> impl Iterator<Item = &Function> {
        self.functions.iter().filter(move |function| function.name == name)
    }

    fn wanted(&self, task: Task<'_>) -> Result<&Function, String> {
        let wanted = |function: &&Function| {
            task.implementation.is_none_or(|name| name == function.implementation)
        };
        let function = self.implementations(task.name).find(wanted);
        let function = function
            .ok_or_else(|| format!("no digest {}, or no such implementation", task.name))?;
        if task.output_len.is_some_and(|len| len != function.output_len) {
            return Err(format!("{} gives {} bytes", task.name, function.output_len));
        }
        Ok(function)
    }
}

impl Functions {
    /// A line for each cipher, with the directions in the order in which they were added.
    fn cipher_offers(&self) -> Vec<Offer> {
        let mut offers: Vec<Offer> = Vec::new();
        for Keyed { name, direction, .. } in &self.ciphers {
            match offers.iter_mut().find(|offer| offer.name == *name) {
                Some(offer) => offer.variants.push(direction.to_string()),
                None => offers.push(Offer {
                    kind: Kind::Cipher,
                    name: (*name).to_owned(),
                    variants: vec![direction.to_string()],
                }),
            }
        }
        offers
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
        let offer = |name| {
            Offer::digest(name, self.implementations(name).map(|function| function.implementation))
        };
        names.into_iter().map(offer).chain(self.cipher_offers()).collect()
    }

    fn cipher(&self, task: CipherTask, input: Vec<u8>) -> Result<Box<dyn Work + '_>, String> {
        let wanted =
            |keyed: &&Keyed| keyed.name == task.cipher.name && keyed.direction == task.direction;
        let keyed = self
            .ciphers
            .iter()
            .find(wanted)
            .ok_or_else(|| format!("no cipher {} {}", task.cipher.name, task.direction))?;
        (keyed.work)(&task, input)
    }

    fn digest(&self, task: Task<'_>, message: Vec<u8>) -> Result<Box<dyn Work + '_>, String> {
        Ok((self.wanted(task)?.work)(message))
    }

    fn many(&self, task: Task<'_>, messages: Inputs) -> Result<Box<dyn Work + '_>, String> {
        Ok((self.wanted(task)?.many)(&messages))
    }
}
