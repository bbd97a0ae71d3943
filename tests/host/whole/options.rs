//! Options as the libraries specify them, and what the front ends say of them: types of Python and of the browser's package.

use std::fs;
use std::path::Path;

use quadrille::linalg::solve::NamedOptions;
use quadrille::options::{FrontEnd, Kind, OptionSpec, Specified};

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).unwrap()
}

/// Returns what is between two texts.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let start = text.find(from).unwrap_or_else(|| panic!("no `{from}`")) + from.len();
    &text[start..][..text[start..].find(to).unwrap()]
}

fn names(option: &OptionSpec, quote: char, separator: &str) -> String {
    let Kind::Name(names) = option.kind else { panic!("{}: no names", option.name) };
    names
        .iter()
        .map(|(name, _)| format!("{quote}{name}{quote}"))
        .collect::<Vec<_>>()
        .join(separator)
}

/// A parameter as `_quadrille.pyi` has it.
fn in_python(option: &OptionSpec) -> String {
    let (name, default) = (option.name, option.default);
    match option.kind {
        Kind::Flag => {
            format!("{name}: bool = {}", if default == "true" { "True" } else { "False" })
        }
        Kind::Name(of) if default.is_empty() => {
            // A name of digits may be an integer.
            let is_number = |(name, _): &(&str, &str)| name.parse::<u32>().is_ok();
            let or = if of.iter().any(is_number) { " | int" } else { "" };
            format!("{name}: Literal[{}]{or} | None = None", names(option, '"', ", "))
        }
        Kind::Text(_) => format!("{name}: str | int | tuple[int, int] | None = None"),
        Kind::Name(_) => format!("{name}: Literal[{}] = \"{default}\"", names(option, '"', ", ")),
        Kind::Number => format!("{name}: float = {default}"),
        _ if default.is_empty() => format!("{name}: int | None = None"),
        _ => format!("{name}: int = {default}"),
    }
}

/// A property as `index.d.ts` has it.
fn in_the_browser(option: &OptionSpec) -> String {
    let kind = match option.kind {
        Kind::Flag => "boolean".to_owned(),
        Kind::Name(_) => names(option, '\'', " | "),
        Kind::Text(_) => "string".to_owned(),
        _ => "number".to_owned(),
    };
    format!("{}?: {kind};", FrontEnd::Browser.spelled(option.name))
}

/// Compares the options of a type with a function of Python and an interface of the browser's package.
fn must_be_declared<T: Specified>(function: &str, interface: &str) {
    let stub =
        read("crates/python/python/quadrille_gl/_quadrille.pyi").replace("100_000", "100000");
    let stub = between(&stub, &format!("def {function}("), ") ->");
    for option in T::of(FrontEnd::Python) {
        let line = format!("    {},\n", in_python(option));
        assert!(stub.contains(&line), "_quadrille.pyi: {function}() lacks {line}");
    }
    let types = read("crates/web/package/index.d.ts");
    let types = between(&types, &format!("interface {interface} {{"), "\n}");
    for option in T::of(FrontEnd::Browser) {
        let line = format!("    {}\n", in_the_browser(option));
        assert!(format!("{types}\n").contains(&line), "index.d.ts: {interface} lacks {line}");
    }
}

#[test]
fn a_solvers_options_are_declared_alike() {
    must_be_declared::<NamedOptions>("solve", "SolveOptions");
}

#[test]
fn a_products_options_are_declared_alike() {
    must_be_declared::<quadrille::linalg::matmul::Options>("matmul", "MatmulOptions");
}

#[test]
fn a_searchs_options_are_declared_alike() {
    must_be_declared::<quadrille_vp::sat::Options>("sat", "SatOptions");
}

#[test]
#[should_panic(expected = "lacks")]
fn an_option_that_no_front_end_declares_is_noticed() {
    #[derive(Default)]
    struct More;
    impl Specified for More {
        const OPTIONS: &'static [OptionSpec] =
            &[OptionSpec { name: "unheard_of", ..NamedOptions::OPTIONS[0] }];
        fn set(
            &mut self,
            _: &OptionSpec,
            _: &dyn quadrille::options::Entry,
        ) -> Result<(), quadrille::options::Error> {
            Ok(())
        }
    }
    must_be_declared::<More>("solve", "SolveOptions");
}

/// A name is that of one option, in small letters, and a sentence has no full stop, since help adds the default.
fn must_be_described(options: &[OptionSpec]) {
    let mut known = Vec::new();
    for option in options {
        let plain =
            |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
        assert!(option.name.chars().all(plain) && !known.contains(&option.name), "{}", option.name);
        assert!(!option.help.is_empty() && !option.help.ends_with('.'), "{}", option.name);
        assert!(option.lacking.iter().all(|(_, reason)| !reason.is_empty()), "{}", option.name);
        known.push(option.name);
    }
}

#[test]
fn options_are_described() {
    must_be_described(NamedOptions::OPTIONS);
    must_be_described(quadrille::linalg::matmul::Options::OPTIONS);
    must_be_described(quadrille_vp::sat::Options::OPTIONS);
}
