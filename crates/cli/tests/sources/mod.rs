//! What the library's sources say of kernels.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use super::rust_files;
use syn::parse::ParseStream;
use syn::visit::{self, Visit};
use syn::{Expr, ExprLit, Ident, Lit, Macro, Meta, Pat, Token, UseTree};

/// Each module by the names of its folders and its file.
pub type Library = BTreeMap<Vec<String>, Source>;

/// What a module says.
#[derive(Default)]
pub struct Source {
    /// Names by `use`, and their paths. A macro and a module may share a name.
    imports: Vec<(String, Vec<String>)>,
    /// Constants and variables.
    pub constants: BTreeMap<String, Expr>,
    /// What functions enable, and what `one_shot!` makes: the texts of their attributes.
    pub compiled_for: BTreeMap<String, Vec<String>>,
    /// Kernels outside of macros.
    pub kernels: Vec<Kernel>,
    /// Macros that declare kernels, and whether each kernel has `Features::covering`.
    pub macros: Vec<(String, bool)>,
}

/// A call of `Kernel::of`.
pub struct Kernel {
    pub name: String,
    pub needs: Expr,
    /// The paths of what the code consists of.
    pub code: Vec<Vec<String>>,
}

/// The modules of the library.
pub fn library() -> Library {
    let root = root();
    let modules = rust_files::below(&root).into_iter().map(|file| {
        let inner = file.strip_prefix(&root).expect("below the root");
        let source = Source::read(&text_of(inner));
        let mut module: Vec<_> = inner
            .with_extension("")
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        module.pop_if(|last| ["lib", "mod"].contains(&last.as_str()));
        (module, source)
    });
    modules.collect()
}

/// The text of a file of the library.
pub fn text_of(file: impl AsRef<Path>) -> String {
    fs::read_to_string(root().join(file)).expect("a source can be read")
}

/// What a path in a module means, and the module that declares it.
pub fn find<'a, T>(
    library: &'a Library,
    module: &[String],
    path: &[String],
    declared: fn(&'a Source) -> &'a BTreeMap<String, T>,
) -> Option<(&'a [String], &'a T)> {
    let imports = library[module].imports.iter().filter(|(name, _)| *name == path[0]);
    let imported = imports.map(|(_, import)| [&import[..], &path[1..]].concat());
    std::iter::once(path.to_vec()).chain(imported).find_map(|path| {
        let supers = path.iter().take_while(|part| *part == "super").count();
        let full = match path[0].as_str() {
            "crate" => path[1..].to_vec(),
            _ => [&module[..module.len() - supers], &path[supers..]].concat(),
        };
        let (name, folder) = full.split_last()?;
        let (folder, source) = library.get_key_value(folder)?;
        Some((&folder[..], declared(source).get(name)?))
    })
}

/// The names of a path.
pub fn parts(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|part| part.ident.to_string()).collect()
}

impl Source {
    /// What a text says.
    pub fn read(text: &str) -> Self {
        let mut source = Self::default();
        source.visit_file(&syn::parse_file(text).expect("a source that compiles"));
        source
    }

    fn import(&mut self, before: &[String], tree: &UseTree) {
        let path = |name: &Ident| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(part) => self.import(&path(&part.ident), &part.tree),
            UseTree::Name(name) if name.ident == "self" => {
                self.imports.extend(before.last().map(|name| (name.clone(), before.to_vec())));
            }
            UseTree::Name(name) => self.imports.push((name.ident.to_string(), path(&name.ident))),
            UseTree::Rename(name) => {
                self.imports.push((name.rename.to_string(), path(&name.ident)));
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(before, tree)),
            UseTree::Glob(_) => {}
        }
    }

    fn declare(&mut self, name: &Ident, value: &Expr) {
        self.constants.insert(name.to_string(), value.clone());
        if let Expr::Macro(value) = value {
            // `one_shot!`, and macros that end in it, have the text as their first token.
            let tokens = without_blanks(&value.mac.tokens);
            let texts = self.compiled_for.entry(name.to_string()).or_default();
            texts.extend(tokens.strip_prefix('"').map(until_quote));
        }
    }
}

impl Visit<'_> for Source {
    fn visit_item_use(&mut self, item: &syn::ItemUse) {
        self.import(&[], &item.tree);
    }

    fn visit_item_const(&mut self, item: &syn::ItemConst) {
        self.declare(&item.ident, &item.expr);
        visit::visit_item_const(self, item);
    }

    fn visit_local(&mut self, local: &syn::Local) {
        if let (Pat::Ident(pattern), Some(init)) = (&local.pat, &local.init) {
            self.declare(&pattern.ident, &init.expr);
        }
        visit::visit_local(self, local);
    }

    fn visit_item_fn(&mut self, item: &syn::ItemFn) {
        let texts = self.compiled_for.entry(item.sig.ident.to_string()).or_default();
        for attribute in &item.attrs {
            // `cfg_attr` has `target_feature` in its list.
            if let Meta::List(list) = &attribute.meta
                && ["target_feature", "cfg_attr"].iter().any(|name| list.path.is_ident(name))
            {
                let tokens = without_blanks(&list.tokens);
                texts.extend(tokens.split("enable=\"").skip(1).map(until_quote));
            }
        }
        visit::visit_item_fn(self, item);
    }

    fn visit_expr_call(&mut self, call: &syn::ExprCall) {
        if path_of(&call.func).ends_with(&["Kernel".to_owned(), "of".to_owned()]) {
            let code = match &call.args[2] {
                Expr::Call(code) => {
                    // The number of lanes is no code.
                    let is_lanes = path_of(&code.func).ends_with(&["Lanes".to_owned()]);
                    code.args.iter().skip(is_lanes.into()).map(path_of).collect()
                }
                other => vec![path_of(other)],
            };
            let name = match &call.args[0] {
                Expr::Lit(ExprLit { lit: Lit::Str(name), .. }) => name.value(),
                _ => "?".to_owned(),
            };
            self.kernels.push(Kernel { name, needs: call.args[1].clone(), code });
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_macro(&mut self, invocation: &Macro) {
        let name = parts(&invocation.path).pop().unwrap_or_default();
        if ["kernels", "many_kernels"].contains(&name.as_str()) {
            let rows = invocation.parse_body_with(rows).expect("a list of kernels");
            rows.iter().for_each(|row| self.visit_expr(row));
        }
    }

    fn visit_item_macro(&mut self, item: &syn::ItemMacro) {
        let body = without_blanks(&item.mac.tokens);
        let kernels = body.matches("Kernel::of(").count();
        if let Some(name) = &item.ident
            && kernels > 0
            && body.contains("#[target_feature(")
        {
            let is_covered = body.matches(".covering($features)").count() == kernels;
            self.macros.push((name.to_string(), is_covered));
        }
    }

    // A module in a file has paths that begin elsewhere.
    fn visit_item_mod(&mut self, _: &syn::ItemMod) {}
}

/// The rows of `kernels!`: a comma or a semicolon is behind each.
fn rows(input: ParseStream<'_>) -> syn::Result<Vec<Expr>> {
    let mut rows = Vec::new();
    while !input.is_empty() {
        if input.peek(Token![,]) {
            input.parse::<Token![,]>()?;
        } else if input.peek(Token![;]) {
            input.parse::<Token![;]>()?;
        } else {
            rows.push(input.parse()?);
        }
    }
    Ok(rows)
}

/// The path that an expression is; no name has a blank.
fn path_of(expr: &Expr) -> Vec<String> {
    match expr {
        Expr::Path(path) => parts(&path.path),
        _ => vec!["no path".to_owned()],
    }
}

fn without_blanks(tokens: &impl Display) -> String {
    tokens.to_string().split_whitespace().collect()
}

fn until_quote(text: &str) -> String {
    text.split('"').next().unwrap_or(text).to_owned()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../hashdyno/src")
}
