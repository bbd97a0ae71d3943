//! The modules of a package, parsed.

use std::collections::BTreeMap;
use std::path::Path;

use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Fields, Ident, Item, LitInt, LitStr, Macro, Token, Variant, Visibility, braced,
    parse_quote,
};

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
    let items: Vec<Item> = items.into_iter().flat_map(expanded).collect();
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

/// The items that an item stands for: those of an enumeration that `named_enum!` makes, else itself.
fn expanded(item: Item) -> Vec<Item> {
    match &item {
        Item::Macro(made) => named(&made.mac).unwrap_or_else(|| vec![item]),
        _ => vec![item],
    }
}

/// The enumeration of `named_enum! { pub enum Name: "kind" { Variant => "variant" } }`, as plain items.
fn named(made: &Macro) -> Option<Vec<Item>> {
    let parsed = |input: ParseStream<'_>| {
        let attributes = input.call(Attribute::parse_outer)?;
        let (sight, _, name): (Visibility, Token![enum], Ident) =
            (input.parse()?, input.parse()?, input.parse()?);
        let has_kind = input.parse::<Option<Token![:]>>()?.is_some();
        let _: Option<LitStr> = if has_kind { Some(input.parse()?) } else { None };
        let inner;
        braced!(inner in input);
        let variants = Punctuated::<NamedVariant, Token![,]>::parse_terminated(&inner)?;
        let count: LitInt = syn::parse_str(&variants.len().to_string())?;
        let variants = variants.iter().map(|named| &named.0);
        let mut items = vec![
            parse_quote!(
                #[derive(Clone, Copy, Debug, PartialEq, Eq)]
                #(#attributes)*
                #sight enum #name { #(#variants),* }
            ),
            parse_quote!(impl #name {
                #sight const ALL: [#name; #count] = [];
                #sight fn name(self) -> &'static str {}
            }),
        ];
        if has_kind {
            items.push(parse_quote!(named!(#name: "");));
        }
        Ok(items)
    };
    let is_it = made.path.is_ident("named_enum");
    is_it.then(|| parsed.parse2(made.tokens.clone()).ok()).flatten()
}

/// A variant, without its name in texts.
struct NamedVariant(Variant);

impl Parse for NamedVariant {
    fn parse(input: ParseStream<'_>) -> syn::Result<NamedVariant> {
        let (attrs, ident) = (input.call(Attribute::parse_outer)?, input.parse()?);
        input.parse::<Token![=>]>()?;
        input.parse::<LitStr>()?;
        Ok(NamedVariant(Variant { attrs, ident, fields: Fields::Unit, discriminant: None }))
    }
}
