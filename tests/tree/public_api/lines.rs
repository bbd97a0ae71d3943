//! The text of an item: a line for itself, and one for each part of it that users can name.

use quote::ToTokens;
use syn::{Attribute, Fields, ImplItem, Item, ItemImpl, TraitItem, Visibility};

use super::sources::is_hidden;

/// The attributes that are a part of the interface.
const TOLD: [&str; 6] = ["cfg", "deprecated", "derive", "must_use", "non_exhaustive", "repr"];

/// The name of an item that has one, and who may see it.
pub(super) fn named(item: &Item) -> Option<(String, &Visibility, &[Attribute])> {
    let (name, sight, attributes) = match item {
        Item::Const(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Enum(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Fn(item) => (&item.sig.ident, &item.vis, &item.attrs),
        Item::Static(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Struct(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Trait(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Type(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Union(item) => (&item.ident, &item.vis, &item.attrs),
        _ => return None,
    };
    Some((name.to_string(), sight, attributes))
}

/// The first line of an item, and the lines of its parts.
pub(super) fn of(item: &Item) -> (String, Vec<String>) {
    match item {
        Item::Const(item) => {
            let (name, kind) = (&item.ident, text(&item.ty));
            (format!("{}pub const {name}: {kind}", told(&item.attrs)), Vec::new())
        }
        Item::Static(item) => {
            let (name, kind) = (&item.ident, text(&item.ty));
            (format!("{}pub static {name}: {kind}", told(&item.attrs)), Vec::new())
        }
        Item::Fn(item) => (format!("{}pub {}", told(&item.attrs), text(&item.sig)), Vec::new()),
        Item::Type(item) => {
            let (name, generics) = (&item.ident, text(&item.generics));
            (format!("pub type {name}{generics} = {}", text(&item.ty)), Vec::new())
        }
        Item::Enum(item) => {
            let head = head(&item.attrs, "enum", &item.ident, &item.generics);
            let shown = item.variants.iter().filter(|variant| !is_hidden(&variant.attrs));
            let variant = |variant: &syn::Variant| {
                let name = format!("{}{}", told(&variant.attrs), variant.ident);
                format!("{name}{}", variant_fields(&variant.fields))
            };
            (head, shown.map(variant).collect())
        }
        Item::Struct(item) => {
            let head = head(&item.attrs, "struct", &item.ident, &item.generics);
            let (fields, has_private) = fields(&item.fields);
            (if has_private { head + ", with private fields" } else { head }, fields)
        }
        Item::Trait(item) => {
            let head = head(&item.attrs, "trait", &item.ident, &item.generics);
            let above = text(&item.supertraits);
            let head = if above.is_empty() { head } else { format!("{head}: {above}") };
            (head, item.items.iter().filter_map(of_trait).collect())
        }
        other => (text(other), Vec::new()),
    }
}

/// The type that `from_variants!` makes from what its variants hold, and the lines of that.
pub(super) fn of_variants(macro_text: &str) -> (String, Vec<String>) {
    let whole: syn::ItemEnum = syn::parse_str(&format!("enum {macro_text}")).unwrap();
    let name = whole.ident.to_string();
    let held = whole.variants.iter().flat_map(|variant| &variant.fields);
    let lines = held.map(|held| format!("impl From<{}> for {name}", text(&held.ty))).collect();
    (name, lines)
}

/// The lines of an `impl`: that of a trait is one.
pub(super) fn of_impl(item: &ItemImpl) -> Vec<String> {
    let (attributes, kind) = (told(&item.attrs), text(&item.self_ty));
    let condition = text(&item.generics.where_clause);
    let parameters = text(&item.generics.params);
    let generics = if parameters.is_empty() { String::new() } else { format!("<{parameters}>") };
    if let Some((_, name, _)) = &item.trait_ {
        let line = format!("{attributes}impl{generics} {} for {kind} {condition}", text(name));
        return vec![line.trim_end().to_owned()];
    }
    let within = if generics.is_empty() && condition.is_empty() {
        String::new()
    } else {
        format!("impl{generics} {kind} {condition}").trim_end().to_owned() + ": "
    };
    let of = |part: &ImplItem| match part {
        ImplItem::Fn(part) if is_public(&part.vis) && !is_hidden(&part.attrs) => {
            Some(format!("{attributes}{within}{}pub {}", told(&part.attrs), text(&part.sig)))
        }
        ImplItem::Const(part) if is_public(&part.vis) && !is_hidden(&part.attrs) => {
            let (name, kind) = (&part.ident, text(&part.ty));
            Some(format!("{attributes}{within}{}pub const {name}: {kind}", told(&part.attrs)))
        }
        _ => None,
    };
    item.items.iter().filter_map(of).collect()
}

fn of_trait(part: &TraitItem) -> Option<String> {
    match part {
        TraitItem::Fn(part) if !is_hidden(&part.attrs) => {
            Some(format!("{}{}", told(&part.attrs), text(&part.sig)))
        }
        TraitItem::Const(part) if !is_hidden(&part.attrs) => {
            Some(format!("const {}: {}", part.ident, text(&part.ty)))
        }
        TraitItem::Type(part) if !is_hidden(&part.attrs) => {
            let bounds = text(&part.bounds);
            let colon = if bounds.is_empty() { "" } else { ": " };
            Some(format!("type {}{colon}{bounds}", part.ident))
        }
        _ => None,
    }
}

/// What a variant holds, without its attributes: they are documentation and conversions, which have
/// lines of their own.
fn variant_fields(fields: &Fields) -> String {
    let mut fields = fields.clone();
    fields.iter_mut().for_each(|field| field.attrs.clear());
    let blank = if matches!(fields, Fields::Named(_)) { " " } else { "" };
    format!("{blank}{}", text(&fields))
}

/// The public fields, and whether there are others.
fn fields(fields: &Fields) -> (Vec<String>, bool) {
    let of = |(index, field): (usize, &syn::Field)| {
        let name = field.ident.as_ref().map_or(index.to_string(), ToString::to_string);
        is_public(&field.vis).then(|| format!("pub {name}: {}", text(&field.ty)))
    };
    let public: Vec<String> = fields.iter().enumerate().filter_map(of).collect();
    let has_private = public.len() < fields.len();
    (public, has_private)
}

fn head(
    attributes: &[Attribute],
    kind: &str,
    name: &syn::Ident,
    generics: &syn::Generics,
) -> String {
    let condition = text(&generics.where_clause);
    let line = format!("{}pub {kind} {name}{} {condition}", told(attributes), text(generics));
    line.trim_end().to_owned()
}

pub(super) fn is_public(sight: &Visibility) -> bool {
    matches!(sight, Visibility::Public(_))
}

/// The attributes that are a part of the interface, each with a blank behind it.
fn told(attributes: &[Attribute]) -> String {
    let of = |attribute: &Attribute| {
        let path = attribute.path().get_ident()?.to_string();
        let is_told = TOLD.contains(&path.as_str());
        is_told.then(|| match path.as_str() {
            "derive" => format!("#[derive({})] ", derived(attribute)),
            // What follows is advice.
            "must_use" => "#[must_use] ".to_owned(),
            _ => format!("{} ", text(attribute)),
        })
    };
    attributes.iter().filter_map(of).collect()
}

/// What is derived, in the order of the alphabet.
fn derived(attribute: &Attribute) -> String {
    let list = attribute.meta.require_list().map(|list| text(&list.tokens)).unwrap_or_default();
    let mut names: Vec<&str> = list.split(',').map(str::trim).collect();
    names.sort_unstable();
    names.join(", ")
}

/// Tokens with blanks as people write them, and no comma behind the last part.
pub(super) fn text(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string().replace('\n', " ");
    for (from, to) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" ::", "::"),
        (" ,", ","),
        (" : ", ": "),
        (" ;", ";"),
        ("& ", "&"),
        (" < ", "<"),
        ("< ", "<"),
        (" <", "<"),
        (" > ", "> "),
        (" >", ">"),
        ("- >", "->"),
        ("->", " -> "),
        ("  ", " "),
        ("( ", "("),
        (" )", ")"),
        (" (", "("),
        ("[ ", "["),
        (" ]", "]"),
        ("# [", "#["),
        (" ! ", "!"),
        ("* const", "*const"),
        ("* mut", "*mut"),
        (",)", ")"),
        (",>", ">"),
        (", }", " }"),
        ("->(", "-> ("),
        ("=(", "= ("),
    ] {
        text = text.replace(from, to);
    }
    text.trim().trim_end_matches(',').to_owned()
}
