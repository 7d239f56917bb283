//! The modules of each crate, read from their sources: none names another in a circle, and a folder
//! names only the folders below it (docs/ARCHITECTURE.md).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Ident, ItemMod, UseTree};

mod rust_files;

/// Every crate whose sources are read.
const CRATES: &[&str] = &[
    "bindings/c",
    "bindings/duckdb",
    "bindings/python",
    "crates/bench",
    "crates/cli",
    "crates/cpumask",
    "crates/files",
    "crates/gauge",
    "crates/hashdyno",
    "crates/runner",
    "crates/atomic_file",
    "runners/rust",
];

/// Storeys of a crate from the ground up, and pairs that do not know each other. Modules that are
/// not listed stand above all of them.
const STOREYS: &[(&str, &[&str], &[Pair])] = &[
    ("crates/bench", &["text", "study", "record", "judge", "run", "report"], &[("run", "report")]),
    ("crates/files", &["read", "list"], &[]),
    ("crates/runner", &["text", "work", "protocol", "host", "serve"], &[("host", "serve")]),
];

/// A name that may close a circle. In Python an algorithm, called, makes a hasher, and a hasher can
/// be made from an algorithm.
const MUTUAL: (&str, &str, &str) = ("bindings/python", "algorithm", "hasher");

/// Two storeys that do not know each other.
type Pair = (&'static str, &'static str);

/// A module by the names of its folders and its file.
type Module = Vec<String>;

/// Which modules each module names.
type Graph = BTreeMap<Module, BTreeSet<Module>>;

#[test]
fn no_modules_name_each_other_in_a_circle() {
    for name in CRATES {
        let mut graph = graph(&sources_of(name));
        if *name == MUTUAL.0 {
            let needs = graph.get_mut(&vec![MUTUAL.1.to_owned()]).expect("a module");
            assert!(needs.remove(&vec![MUTUAL.2.to_owned()]), "{MUTUAL:?} is no name any more");
        }
        let circle = circle(graph);
        let names: Vec<_> = circle.iter().map(|module| module.join("/")).collect();
        assert!(names.is_empty(), "{name}: each of these modules needs another: {names:?}");
    }
}

#[test]
fn a_storey_knows_only_those_below() {
    for (name, storeys, apart) in STOREYS {
        let graph = graph(&sources_of(name));
        for storey in *storeys {
            assert!(graph.keys().any(|module| module[0] == *storey), "{name} has no {storey}");
        }
        for (from, to) in
            graph.iter().flat_map(|(from, named)| named.iter().map(move |to| (from, to)))
        {
            assert!(
                may_name(storeys, apart, &from[0], &to[0]),
                "{name}: {} may not name {}",
                from.join("/"),
                to.join("/")
            );
        }
    }
}

#[test]
fn the_tests_can_fail() {
    let (name, storeys, apart) = STOREYS[0];
    assert_eq!(name, "crates/bench");
    let may = |from, to| may_name(storeys, apart, from, to);
    assert!(may("record", "study") && may("run", "judge") && may("report", "text"));
    assert!(!may("study", "record") && !may("report", "run") && !may("run", "report"));
    assert!(!may("study", "a module above all storeys"));

    let module = |name: &str| vec![name.to_owned()];
    let known = BTreeSet::from([module("a"), module("b"), module("c")]);
    let text = "use crate::b::{self, Thing}; mod tests { use crate::a; } fn f() { super::c::g() }";
    let named = named(&module("a"), text, &known);
    assert_eq!(named, BTreeSet::from([module("b"), module("c")]));

    let graph = |edges: &[(&str, &str)]| {
        let mut graph: Graph = known.iter().map(|known| (known.clone(), BTreeSet::new())).collect();
        for (from, to) in edges {
            graph.get_mut(&module(from)).expect("a known module").insert(module(to));
        }
        graph
    };
    assert!(circle(graph(&[("a", "b"), ("b", "c"), ("a", "c")])).is_empty());
    assert_eq!(circle(graph(&[("a", "b"), ("b", "c"), ("c", "b")])), [module("b"), module("c")]);
}

fn may_name(storeys: &[&str], apart: &[(&str, &str)], from: &str, to: &str) -> bool {
    let level = |name| storeys.iter().position(|storey| *storey == name).unwrap_or(storeys.len());
    level(to) <= level(from) && !apart.contains(&(from, to)) && !apart.contains(&(to, from))
}

/// The modules of circles, and those between two circles; empty if there is no circle.
fn circle(mut graph: Graph) -> Vec<Module> {
    // A module that needs nothing more, or that nothing more needs, is in no circle.
    let free = |graph: &Graph| {
        let needed: BTreeSet<_> = graph.values().flatten().collect();
        let free =
            graph.iter().find(|(module, needs)| needs.is_empty() || !needed.contains(module));
        free.map(|(module, _)| module.clone())
    };
    while let Some(free) = free(&graph) {
        graph.remove(&free);
        graph.values_mut().for_each(|needs| _ = needs.remove(&free));
    }
    graph.into_keys().collect()
}

fn graph(sources: &BTreeMap<Module, String>) -> Graph {
    let known = sources.keys().cloned().collect();
    sources.iter().map(|(module, text)| (module.clone(), named(module, text, &known))).collect()
}

/// Which `known` modules the `text` of a module names by `crate::` and `super::`. Its own children,
/// the crate's root, tests and the bodies of macros do not count.
fn named(module: &Module, text: &str, known: &BTreeSet<Module>) -> BTreeSet<Module> {
    let mut paths = Paths::default();
    paths.visit_file(&syn::parse_file(text).expect("a source that compiles"));
    let found = paths.found.iter().filter_map(|path| {
        let supers = path.iter().take_while(|part| *part == "super").count();
        let mut full = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "super" => module[..module.len().checked_sub(supers)?].to_vec(),
            _ => return None,
        };
        full.extend_from_slice(&path[supers.max(1)..]);
        (1..=full.len()).rev().map(|len| full[..len].to_vec()).find(|part| known.contains(part))
    });
    found.filter(|found| found != module).collect()
}

/// The paths of a source.
#[derive(Default)]
struct Paths {
    found: Vec<Vec<String>>,
}

impl Visit<'_> for Paths {
    fn visit_item_use(&mut self, item: &syn::ItemUse) {
        self.tree(&mut Vec::new(), &item.tree);
    }

    fn visit_path(&mut self, path: &syn::Path) {
        self.found.push(path.segments.iter().map(|part| part.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    // A module in a file is a test's, or has paths that begin elsewhere.
    fn visit_item_mod(&mut self, _: &ItemMod) {}
}

impl Paths {
    fn tree(&mut self, before: &mut Vec<String>, tree: &UseTree) {
        let ends = |before: &[String], name: &Ident| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.tree(before, &path.tree);
                before.pop();
            }
            UseTree::Name(name) => self.found.push(ends(before, &name.ident)),
            UseTree::Rename(name) => self.found.push(ends(before, &name.ident)),
            UseTree::Glob(_) => self.found.push(before.clone()),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.tree(before, tree));
            }
        }
    }
}

/// The source of every module of a crate but its root.
fn sources_of(name: &str) -> BTreeMap<Module, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name).join("src");
    let modules: BTreeMap<_, _> = rust_files::below(&root)
        .into_iter()
        .map(|file| {
            let inner = file.strip_prefix(&root).expect("below the root").with_extension("");
            let mut module: Module =
                inner.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            module.pop_if(|last| *last == "mod");
            (module, fs::read_to_string(&file).expect("a source can be read"))
        })
        .filter(|(module, _)| !["lib", "main"].contains(&module[0].as_str()))
        .collect();
    assert!(!modules.is_empty() || name.ends_with("atomic_file"), "{name} has no modules");
    modules
}
