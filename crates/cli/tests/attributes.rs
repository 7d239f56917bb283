//! CPU features of kernels, read from the library's sources. `#[target_feature]` lets a function
//! use features, so a kernel that has the function must need them.
//!
//! Bodies of macros are tokens. A macro that declares kernels must call `Features::covering`, which
//! compares both when the library is compiled.

use std::collections::BTreeSet;

use sources::{Library, Source, find, library, parts, text_of};
use syn::visit::{self, Visit};
use syn::{Expr, Macro};

mod rust_files;
mod sources;

/// How many functions with an attribute kernels have, at least, and how many macros declare
/// kernels. Fewer would mean that the test does not understand the sources.
const LEAST_FUNCTIONS: usize = 63;
const LEAST_MACROS: usize = 12;

#[test]
fn kernels_need_what_their_functions_are_compiled_for() {
    let (functions, gaps) = compared(&library());
    assert!(gaps.is_empty(), "these kernels do not need what they use: {gaps:#?}");
    assert!(functions >= LEAST_FUNCTIONS, "only {functions} functions were found");
}

#[test]
fn macros_compare_what_they_declare() {
    let library = library();
    let macros: Vec<_> = library.values().flat_map(|source| &source.macros).collect();
    for (name, is_covered) in &macros {
        assert!(is_covered, "{name}! declares a kernel without `.covering($features)`");
    }
    assert!(macros.len() >= LEAST_MACROS, "only {} macros were found", macros.len());
}

#[test]
fn the_tests_can_fail() {
    let kernels = Source::read(
        "use super::code::{self, NEEDS};
        const A: Kernel = {
            let one_shot = one_shot!(\"bmi2\", []);
            Kernel::of(\"a\", NEEDS, Code::OneShot(code::portable, one_shot))
        };
        const B: &[Kernel] = kernels![
            Kernel::of(\"b\", NEEDS, Code::Blocks(code::absorb));
            Kernel::of(\"c\", Features::empty(), Code::Lanes(4, nowhere)),
        ];
        macro_rules! lie { () => { #[target_feature(enable = \"sha\")] fn f() {} Kernel::of(f) } }",
    );
    let code = Source::read(
        "pub const NEEDS: Features = Features::AVX2.union(Features::VAES);
        #[cfg_attr(target_arch = \"x86_64\", target_feature(enable = \"aes,gfni,sse2\"))]
        pub fn absorb() {}
        pub fn portable() {}",
    );
    assert_eq!(kernels.macros, [("lie".to_owned(), false)]);
    let library =
        Library::from([(vec!["kernels".to_owned()], kernels), (vec!["code".to_owned()], code)]);
    let gaps = ["kernels: a: BMI2", "kernels: b: GFNI", "kernels: c: nowhere is unknown"];
    assert_eq!(compared(&library), (2, gaps.map(str::to_owned).to_vec()));
}

/// How many functions were compared with what their kernels need, and what these needs lack.
fn compared(library: &Library) -> (usize, Vec<String>) {
    let features = features();
    let (mut functions, mut gaps) = (0, Vec::new());
    for (module, source) in library {
        for kernel in &source.kernels {
            let place = format!("{}: {}", module.join("/"), kernel.name);
            let mut needs = needs_of(library, module, &kernel.needs);
            // A feature stands behind its basis.
            for (_, constant, basis) in features.iter().rev() {
                if needs.contains(constant) {
                    needs.extend(basis.iter().cloned());
                }
            }
            for path in &kernel.code {
                let Some((_, texts)) = find(library, module, path, |source| &source.compiled_for)
                else {
                    gaps.push(format!("{place}: {} is unknown", path.join("::")));
                    continue;
                };
                functions += usize::from(!texts.is_empty());
                for name in texts.iter().flat_map(|text| text.split(',')) {
                    let row = features.iter().find(|row| row.0 == name);
                    let (_, constant, _) = row.expect("an attribute enables a listed feature");
                    if !needs.contains(constant) {
                        gaps.push(format!("{place}: {constant}"));
                    }
                }
            }
        }
    }
    (functions, gaps)
}

/// The name, the constant and the basis of every feature, as `cpu.rs` lists them.
fn features() -> Vec<(String, String, Vec<String>)> {
    let text = text_of("cpu.rs");
    let rows = text.lines().filter_map(|line| {
        let (constant, row) = line.split_once(" = \"")?;
        let (name, basis) = row.split_once("\" needs [")?;
        let basis = basis.trim_end_matches("];").split_whitespace().map(str::to_owned);
        Some((name.to_owned(), constant.rsplit(' ').next()?.to_owned(), basis.collect()))
    });
    rows.collect()
}

/// The constants of the features that an expression unites. Of a choice by architecture both cases
/// count: what is compiled for one architecture does not name features of the other.
fn needs_of(library: &Library, module: &[String], needs: &Expr) -> BTreeSet<String> {
    let mut paths = Paths::default();
    paths.visit_expr(needs);
    let constants = paths.0.iter().flat_map(|path| match &path[..] {
        [.., kind, name] if kind == "Features" => match name.as_str() {
            "FOR_SHA" => BTreeSet::from(["SHA", "SHA2"].map(str::to_owned)),
            _ => BTreeSet::from([name.clone()]),
        },
        _ => {
            let found = find(library, module, path, |source| &source.constants);
            let (module, needs) = found.unwrap_or_else(|| panic!("{module:?}: what is {path:?}?"));
            needs_of(library, module, needs)
        }
    });
    constants.collect()
}

/// The paths of an expression of features.
#[derive(Default)]
struct Paths(Vec<Vec<String>>);

impl Visit<'_> for Paths {
    fn visit_path(&mut self, path: &syn::Path) {
        self.0.push(parts(path));
    }

    fn visit_expr_method_call(&mut self, call: &syn::ExprMethodCall) {
        assert!(call.method == "union", "needs are joined by `{}`, not by `union`", call.method);
        visit::visit_expr_method_call(self, call);
    }

    // `cfg!` names no features.
    fn visit_macro(&mut self, _: &Macro) {}
}
