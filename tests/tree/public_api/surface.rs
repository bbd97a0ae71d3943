//! What can be named from outside: public items of public modules, and what is re-exported.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Item, Type, UseTree};

use super::lines::{self, is_public, named};
use super::sources::{Modules, Names, has, is_hidden};

/// An item by the module that defines it, and its name.
type Home = (Names, String);

/// The interface of a package as a text: a heading for each name, with the lines of what it is
/// below it, sorted.
pub(super) fn text(modules: &Modules, package: &str) -> String {
    let mut surface = Surface { modules, found: BTreeMap::new(), open: Vec::new() };
    surface.visit(&[package.replace('-', "_")], &Names::new());
    let (impls, mut first) = (impls(modules), BTreeMap::new());
    // The shortest name of an item is that under which it is told.
    let mut shortest: Vec<(&Names, &Found<'_>)> = surface.found.iter().collect();
    shortest.sort_by_key(|(name, _)| (name.len(), *name));
    for (name, found) in shortest {
        if let Found::Item(home, _) = found {
            first.entry(home.clone()).or_insert(name.join("::"));
        }
    }
    surface
        .found
        .iter()
        .map(|(name, found)| told(&name.join("::"), found, &impls, &first))
        .collect()
}

/// What a public name is.
enum Found<'a> {
    Item(Home, &'a Item),
    /// The path of what another crate has.
    Elsewhere(String),
    Macro,
}

fn told(
    name: &str,
    found: &Found<'_>,
    impls: &BTreeMap<Home, BTreeSet<String>>,
    first: &BTreeMap<Home, String>,
) -> String {
    let lines: Vec<String> = match found {
        Found::Elsewhere(path) => vec![format!("pub use {path}")],
        Found::Macro => vec!["macro".into()],
        Found::Item(home, _) if first[home] != name => vec![format!("is {}", first[home])],
        Found::Item(home, item) => {
            let (head, mut parts) = lines::of(item);
            parts.extend(impls.get(home).into_iter().flatten().cloned());
            parts.sort();
            [vec![head], parts].concat()
        }
    };
    let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
    format!("{name}\n{lines}")
}

/// What has been found.
struct Surface<'a> {
    modules: &'a Modules,
    found: BTreeMap<Names, Found<'a>>,
    /// The modules that are being visited: one may hand on another that hands on it.
    open: Vec<Names>,
}

impl<'a> Surface<'a> {
    /// Adds what a module shows to the name that it has outside.
    fn visit(&mut self, public: &[String], module: &Names) {
        if self.open.contains(module) {
            return;
        }
        self.open.push(module.clone());
        for item in &self.modules[module] {
            match item {
                Item::Mod(inner) if is_public(&inner.vis) && !is_hidden(&inner.attrs) => {
                    let name = inner.ident.to_string();
                    self.visit(&joined(public, &name), &joined(module, &name));
                }
                Item::Use(used) if is_public(&used.vis) && !is_hidden(&used.attrs) => {
                    for leaf in leaves(&used.tree) {
                        self.hand_on(public, module, &leaf);
                    }
                }
                Item::Macro(made)
                    if has_name(&made.attrs, "macro_export") && !is_hidden(&made.attrs) =>
                {
                    let name = made.ident.as_ref().map(ToString::to_string).unwrap_or_default();
                    self.found.insert(joined(&public[..1], &name), Found::Macro);
                }
                item => self.add(public, module, item),
            }
        }
        self.open.pop();
    }

    fn add(&mut self, public: &[String], module: &Names, item: &'a Item) {
        if let Some((name, sight, attributes)) = named(item)
            && is_public(sight)
            && !is_hidden(attributes)
        {
            let home = (module.clone(), name.clone());
            self.found.insert(joined(public, &name), Found::Item(home, item));
        }
    }

    fn hand_on(&mut self, public: &[String], module: &Names, leaf: &Leaf) {
        let name = joined(public, &leaf.name);
        match resolved(self.modules, module, &leaf.path, 8) {
            Some(Target::Item(home, item)) => {
                self.found.insert(name, Found::Item(home, item));
            }
            Some(Target::Module(inner)) if leaf.is_glob => self.visit(public, &inner),
            Some(Target::Module(inner)) => self.visit(&name, &inner),
            None => {
                self.found.insert(name, Found::Elsewhere(leaf.path.join("::")));
            }
        }
    }
}

fn joined(names: &[String], name: &str) -> Names {
    [names, &[name.to_owned()]].concat()
}

fn has_name(attributes: &[syn::Attribute], name: &str) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident(name))
}

/// A path of a `use`, and the name that it gives.
struct Leaf {
    path: Names,
    name: String,
    is_glob: bool,
}

fn leaves(tree: &UseTree) -> Vec<Leaf> {
    let leaf = |path, name| vec![Leaf { path, name, is_glob: false }];
    match tree {
        UseTree::Path(path) => {
            let mut leaves = leaves(&path.tree);
            leaves.iter_mut().for_each(|leaf| leaf.path.insert(0, path.ident.to_string()));
            leaves
        }
        // `self` in braces is the module before them.
        UseTree::Name(name) if name.ident == "self" => leaf(Names::new(), "self".into()),
        UseTree::Name(name) => leaf(vec![name.ident.to_string()], name.ident.to_string()),
        UseTree::Rename(name) => leaf(vec![name.ident.to_string()], name.rename.to_string()),
        UseTree::Glob(_) => vec![Leaf { path: Names::new(), name: String::new(), is_glob: true }],
        UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
    }
}

/// What a path names.
enum Target<'a> {
    Item(Home, &'a Item),
    Module(Names),
}

/// Follows a path from a module on, through at most `depth` re-exports; nothing where it leads out
/// of the crate.
fn resolved<'a>(
    modules: &'a Modules,
    from: &Names,
    path: &[String],
    depth: usize,
) -> Option<Target<'a>> {
    let mut at = match path.first()?.as_str() {
        "crate" => Names::new(),
        _ => from.clone(),
    };
    for (index, name) in path.iter().enumerate() {
        match name.as_str() {
            "crate" | "self" => continue,
            "super" => {
                at.pop()?;
                continue;
            }
            _ => {}
        }
        let is_last = index + 1 == path.len();
        let item = modules[&at].iter().find(|item| named(item).is_some_and(|(is, ..)| is == *name));
        if let Some(item) = item.filter(|_| is_last) {
            return Some(Target::Item((at, name.clone()), item));
        }
        let inner = joined(&at, name);
        if modules.contains_key(&inner) {
            at = inner;
            continue;
        }
        let used = modules[&at].iter().filter_map(|item| match item {
            Item::Use(used) => Some(leaves(&used.tree)),
            _ => None,
        });
        let found =
            used.flatten().find(|leaf| leaf.name == *name && leaf.path.len() + index > 0)?;
        let further = [&found.path[..], &path[index + 1..]].concat();
        // A name that a module imports from a crate of the same name.
        let is_itself = further == path;
        return if is_itself || depth == 0 {
            None
        } else {
            resolved(modules, &at, &further, depth - 1)
        };
    }
    Some(Target::Module(at))
}

/// The lines of all `impl`s, by the type that they are for.
fn impls(modules: &Modules) -> BTreeMap<Home, BTreeSet<String>> {
    let mut impls: BTreeMap<Home, BTreeSet<String>> = BTreeMap::new();
    let mut add = |module: &Names, path: &[String], lines: Vec<String>| {
        if let Some(Target::Item(home, _)) = resolved(modules, module, path, 8) {
            impls.entry(home).or_default().extend(lines);
        }
    };
    for (module, items) in modules {
        for item in items {
            match item {
                Item::Impl(item) if !has(&item.attrs, "cfg", "test") => {
                    add(module, &path_of(&item.self_ty), lines::of_impl(item));
                }
                // The three macros that give a type more than its own text shows.
                Item::Macro(made) => {
                    let name = made.mac.path.get_ident().map(ToString::to_string);
                    let text = made.mac.tokens.to_string();
                    match name.as_deref() {
                        Some("failure") => {
                            let error = text.split([':', ';']).next().unwrap_or_default().trim();
                            add(module, &[error.to_owned()], vec!["impl Failure".into()]);
                        }
                        Some("named") => {
                            for (name, lines) in named_types(&text) {
                                add(module, &[name], lines);
                            }
                        }
                        Some("from_variants") => {
                            let (whole, lines) = lines::of_variants(&text);
                            add(module, &[whole], lines);
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }
    impls
}

/// The types that `named!` names, and what it gives each: more to one with a table of its values,
/// as in `Side: "side" { Left: "left" }`.
fn named_types(text: &str) -> Vec<(String, Vec<String>)> {
    let mut types = Vec::new();
    let mut rest = text;
    while let Some((name, after)) = rest.split_once(':') {
        let name = name.trim_matches([',', ' ', '\n']).to_owned();
        let mut lines = vec!["impl Display, FromStr".into()];
        let end = after.find([',', '{']).unwrap_or(after.len());
        (_, rest) = after.split_at(end);
        if let Some((values, behind)) = rest.strip_prefix('{').and_then(|it| it.split_once('}')) {
            lines.push(format!("pub const ALL: [{name}; {}]", values.matches(':').count()));
            lines.push("pub fn name(self) -> &'static str".into());
            rest = behind;
        }
        types.push((name, lines));
    }
    types
}

/// The path of a type, behind references; that of the first trait of a trait object.
fn path_of(kind: &Type) -> Names {
    let names = |path: &syn::Path| -> Names {
        path.segments.iter().map(|segment| segment.ident.to_string()).collect()
    };
    match kind {
        Type::Path(kind) => names(&kind.path),
        Type::Reference(kind) => path_of(&kind.elem),
        Type::TraitObject(kind) => kind
            .bounds
            .iter()
            .find_map(|bound| match bound {
                syn::TypeParamBound::Trait(bound) => Some(names(&bound.path)),
                _ => None,
            })
            .unwrap_or_default(),
        _ => Names::new(),
    }
}
