//! The text of scalar instructions in assembly, for registers of either width.

/// The text of scalar instructions. `name` is the register of an operand, by the modifier of its
/// width; `(name)` is a constant, and `[name]` memory, `at` bytes further on.
macro_rules! instructions {
    ($width:literal [$($instruction:ident $first:ident $(, $rest:tt)*);*]) => {
        concat!($(
            stringify!($instruction), " {", stringify!($first), $width, "}",
            $(", ", $crate::parts::instructions::instructions!(@ $width $rest),)* "\n",
        )*)
    };
    (@ $width:literal ($constant:ident)) => { concat!("{", stringify!($constant), "}") };
    (@ $width:literal [$base:ident]) => { concat!("[{", stringify!($base), "} + {at}]") };
    (@ $width:literal $register:ident) => { concat!("{", stringify!($register), $width, "}") };
}
pub(crate) use instructions;
