//! What kernels are made of, whatever the digest: who uses the library sees nothing of it.
//!
//! | module | for kernels |
//! |---|---|
//! | `lanes` | one word of each of several messages, in the registers of each instruction set |
//! | `chains` | of many messages, by hashes that take a few words at a time |
//! | `checksum` | of checksums: pieces, whole messages and batches from one function |
//! | `mds` | that substitute bytes and multiply them by a matrix |
//! | `sha_instructions` | of SHA-1 and SHA-256 by the CPU's own instructions |
//! | `ahead` | whose words can be prepared before the chain needs them |
//! | `pairs` | that prepare the words of two blocks together |
//! | `instructions` | with scalar instructions in assembly |
//! | `lines` | with tables of vectors |
//! | `prefetch` | that read faster than a CPU fetches by itself |
//! | `barrier` | where the compiler must be stopped, with the reasons |
//! | `arrays`, `unroll`, `words` | arrays, loops and integers, always inlined |

#[cfg(target_arch = "x86_64")]
pub(crate) mod ahead;
pub(crate) mod arrays;
pub(crate) mod barrier;
pub(crate) mod chains;
pub(crate) mod checksum;
#[cfg(target_arch = "x86_64")]
pub(crate) mod instructions;
pub(crate) mod lanes;
pub(crate) mod lines;
pub(crate) mod mds;
#[cfg(target_arch = "x86_64")]
pub(crate) mod pairs;
pub(crate) mod prefetch;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) mod sha_instructions;
pub(crate) mod unroll;
pub(crate) mod words;
