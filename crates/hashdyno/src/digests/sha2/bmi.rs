//! Steps of SHA-2 by BMI, for words of either size.

/// One step with the sum that is `$at` bytes from `$sums`, `alone` or, after every second
/// instruction, `with` one of the schedule. Registers have the width of the modifier.
///
/// In assembly, because the compiler gathers the vector instructions in one place, where they hold
/// up the steps: a ninth of the speed. The two orders were found by trying many; each loses 2 %
/// where the other is. `differ` is b ^ c, and `next` becomes a ^ b, which is that of the next step:
/// the choice of three by majority is b where a and b agree, and c elsewhere.
macro_rules! step {
    (alone $($given:tt)*) => {
        step!(@ [
            [andn next, e, g; add h, [sums]; rorx t, e, (e2); rorx u, e, (e1)]
            [xor t, u; mov u, e; and u, f; add h, next; mov next, a; add h, u]
            [rorx u, e, (e0); xor next, b; xor t, u; add h, t; add d, h]
            [rorx u, a, (a1); rorx t, a, (a2); xor t, u; rorx u, a, (a0); and differ, next]
            [xor differ, b; xor t, u; add h, differ; add h, t]
        ] ["" "" "" "" ""] $($given)*)
    };
    (with $vector:tt $($given:tt)*) => {
        step!(@ [
            [andn next, e, g; rorx t, e, (e2)]
            [rorx u, e, (e1); add h, [sums]]
            [add h, next; mov next, e]
            [xor t, u; and next, f]
            [rorx u, e, (e0); add h, next]
            [xor t, u; add h, t]
            [add d, h; rorx t, a, (a2)]
            [mov next, a; xor next, b]
            [rorx u, a, (a1); xor t, u]
            [and differ, next; xor differ, b]
            [rorx u, a, (a0); xor t, u]
            [add h, differ; add h, t]
        ] $vector $($given)*)
    };
    (
        @ $scalar:tt $vector:tt $width:literal $distances:ident, $sums:expr, $at:expr,
        [$a:ident $b:ident $d:ident $e:ident $f:ident $g:ident $h:ident],
        $differ:ident $next:ident, $($operands:tt)*
    ) => {
        step!(asm $width $scalar $vector
            sums = in(reg) $sums, at = const $at,
            a = in(reg) $a, b = in(reg) $b, d = inout(reg) $d, e = in(reg) $e,
            f = in(reg) $f, g = in(reg) $g, h = inout(reg) $h,
            differ = inout(reg) $differ => _, next = out(reg) $next,
            t = out(reg) _, u = out(reg) _,
            a0 = const $distances.a[0], a1 = const $distances.a[1], a2 = const $distances.a[2],
            e0 = const $distances.e[0], e1 = const $distances.e[1], e2 = const $distances.e[2],
            $($operands)*
        )
    };
    (asm $width:literal [$($scalar:tt)*] [$($vector:literal)*] $($operands:tt)*) => {
        asm!($(instructions!($width $scalar), $vector,)* $($operands)* options(nostack))
    };
}
pub(super) use step;
