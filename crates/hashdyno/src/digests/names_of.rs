//! The names that a digest has in Rust, from one line for each digest.

/// The table of a family and the Rust names of its digests: the constant, the function and the
/// type, by the rule in the documentation of the crate. The function gives an array of bytes, or
/// the integer type behind the colon: checksums have one. A function in brackets is written in the
/// family's own module.
///
/// ```ignore
/// digests! {
///     SHA224 sha224 Sha224,
///     XXH3 (xxh3) Xxh3: u64,
/// }
/// ```
macro_rules! digests {
    ($($constant:ident $function:tt $type:ident $(: $value:ty)?),+ $(,)?) => {
        /// The digests of this family.
        pub(crate) const DIGESTS: &[&$crate::Digest] = &[$(&$constant),+];

        named! { $([&super::$constant] $constant $function $type $(: $value)?),+ }
    };
}

/// The names alone, for a table that stands elsewhere; a table may have none. In brackets is each
/// digest, as an expression of the module `names`.
macro_rules! named {
    ($([$digest:expr] $constant:ident $function:tt $type:ident $(: $value:ty)?),* $(,)?) => {
        /// The names of each digest: constant, function, type.
        pub(crate) const NAMES: $crate::digests::Names = &[
            $((
                names::$constant,
                [stringify!($constant), named!(@name $function), stringify!($type)],
            )),*
        ];

        /// Constants and functions.
        pub mod names {
            $(
                #[doc = concat!(
                    "The digest `", stringify!($constant), "` as a value: what ",
                    "[`find`](crate::find) gives for its name."
                )]
                pub const $constant: &$crate::Digest = $digest;

                named! { @function $function $constant $type $(: $value)? }
            )*
        }

        /// Running hashes.
        pub mod types {
            $(
                #[doc = concat!(
                    "A message being hashed by [`", stringify!($constant), "`](crate::",
                    stringify!($constant), "), whose length is known to the compiler."
                )]
                pub type $type = $crate::TypedHasher<super::markers::$type>;
            )*
        }

        /// What the types above are told apart by.
        pub mod markers {
            #![allow(unused_imports, reason = "there may be none")]
            use super::names::*;
            use $crate::typed::{Sealed, Typed};
            use $crate::{ReadyKernel, Cpu, Digest};

            $(
                #[doc = concat!("The digest [`", stringify!($constant), "`] as a type.")]
                #[derive(Clone, Copy, Debug)]
                pub enum $type {}

                impl Sealed for $type {}

                impl Typed for $type {
                    type Value = named!(@value $constant $(: $value)?);

                    const DIGEST: &'static Digest = $constant;

                    #[inline]
                    fn kernel() -> &'static ReadyKernel {
                        static KERNEL: std::sync::LazyLock<ReadyKernel> =
                            std::sync::LazyLock::new(|| $constant.bind(Cpu::native()));
                        &KERNEL
                    }

                    #[inline(always)]
                    fn one_shot(message: &[u8]) -> Self::Value {
                        named!(@call $function message)
                    }
                }

                const _: () = assert!(
                    size_of::<named!(@value $constant $(: $value)?)>() == $constant.output_len,
                    "the function gives as many bytes as the digest"
                );

                named! { @rustcrypto $constant $type $(: $value)? }
            )*
        }
    };
    (@name ($own:ident)) => { stringify!($own) };
    (@name $function:ident) => { stringify!($function) };
    (@value $constant:ident) => { [u8; $constant.output_len] };
    (@value $constant:ident: $value:ty) => { $value };
    (@call ($own:ident) $message:ident) => { $own($message) };
    (@call $function:ident $message:ident) => { $function($message) };
    (@function ($own:ident) $($rest:tt)*) => { pub use super::$own; };
    (@function $function:ident $constant:ident $type:ident $(: $value:ty)?) => {
        #[doc = concat!(
            "The digest of a message by [`", stringify!($constant), "`], by the best kernel of ",
            "this machine."
        )]
        $(
            #[doc = concat!(
                "\nAs an `", stringify!($value), "`: [`Digest`](crate::Digest) writes its most ",
                "significant byte first."
            )]
        )?
        #[inline]
        pub fn $function(message: &[u8]) -> named!(@value $constant $(: $value)?) {
            $crate::typed::one_shot::<super::markers::$type>(message)
        }
    };
    // HMAC is defined for cryptographic hashes, so checksums do without a block's length.
    (@rustcrypto $constant:ident $type:ident) => {
        #[cfg(feature = "digest")]
        impl $crate::rustcrypto::OutputLen for $type {
            type Output = $crate::rustcrypto::Size<{ $constant.output_len }>;
        }

        #[cfg(feature = "digest")]
        impl $crate::rustcrypto::Cryptographic for $type {
            type Block = $crate::rustcrypto::Size<{ $constant.hmac_block_len() }>;
        }
    };
    (@rustcrypto $constant:ident $type:ident: $value:ty) => {
        #[cfg(feature = "digest")]
        impl $crate::rustcrypto::OutputLen for $type {
            type Output = $crate::rustcrypto::Size<{ $constant.output_len }>;
        }
    };
}
