//! The modules of a package, parsed.

use std::collections::BTreeMap;
use std::path::Path;

use syn::{Attribute, Item};

/// Where a module is: names from the crate's root down.
pub(super) type Names = Vec<String>;

/// The items of each module.
pub(super) type Modules = BTreeMap<Names, Vec<Item>>;

/// All modules from `lib.rs` on, without those of tests.
pub(super) fn modules(src: &Path) -> Modules {
    let mut modules = Modules::new();
    read(&src.join("lib.rs"), src, Names::new(), &mut modules);
    modules
}

/// Reads a module's file; `folder` has those of the modules inside.
fn read(file: &Path, folder: &Path, names: Names, modules: &mut Modules) {
    let text = std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let parsed = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    take(parsed.items, folder, names, modules);
}

fn take(items: Vec<Item>, folder: &Path, names: Names, modules: &mut Modules) {
    for item in &items {
        let Item::Mod(module) = item else { continue };
        if has(&module.attrs, "cfg", "test") {
            continue;
        }
        let name = module.ident.to_string();
        let folder = folder.join(&name);
        let inner = [&names[..], &[name]].concat();
        match &module.content {
            Some((_, items)) => take(items.clone(), &folder, inner, modules),
            None => read(&folder.with_extension("rs"), &folder, inner, modules),
        }
    }
    modules.insert(names, items);
}

/// Whether one of the attributes is `#[name(word)]`.
pub(super) fn has(attributes: &[Attribute], name: &str, word: &str) -> bool {
    let is = |attribute: &&Attribute| {
        attribute.path().is_ident(name)
            && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == word)
    };
    attributes.iter().any(|attribute| is(&attribute))
}

/// Whether documentation leaves it out.
pub(super) fn is_hidden(attributes: &[Attribute]) -> bool {
    has(attributes, "doc", "hidden")
}
