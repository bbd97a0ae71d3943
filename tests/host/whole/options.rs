//! Options as the libraries specify them, and what the front ends declare: signatures and types of Python, and those of the browser's
//! package. `QUADRILLE_RENEW=1` writes the declarations.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use quadrille::linalg::jacobi;
use quadrille::linalg::solve::NamedOptions;
use quadrille::options::{FrontEnd, Kind, Many, OptionSpec, Specified};
use quadrille_run::Settings;
use quadrille_vp::vector_machine;

/// Names that shaders may not have too; what they declare of another name is given by the same keyword.
const RESERVED: [&str; 11] = [
    "include",
    "define",
    "common",
    "wrap",
    "filter",
    "precision",
    "size",
    "groups",
    "feedback",
    "reads",
    "seed",
];

/// Options of a shader's text, and those of an experiment that a call of a kernel has not.
const OF_TEXT: [&str; 4] = ["include", "define", "common", "dialect"];
const OF_EXPERIMENT: [&str; 3] = ["seed", "feedback", "reads"];

const STUB: &str = "crates/python/python/quadrille_gl/_quadrille.pyi";
const TYPES: &str = "crates/web/package/index.d.ts";

/// Declarations: what is between two texts of a file, of which the first is found step by step.
struct Declared<'a> {
    file: &'a str,
    from: &'a [&'a str],
    to: &'a str,
}

impl Declared<'_> {
    /// Compares the text with the one that is expected, which it becomes where it is renewed.
    fn must_be(&self, expected: &str) {
        if std::env::var_os("QUADRILLE_RENEW").is_some() {
            let (path, text, range) = self.found();
            fs::write(&path, [&text[..range.start], expected, &text[range.end..]].concat())
                .unwrap();
        }
        self.is(expected);
    }

    fn is(&self, expected: &str) {
        let (_, text, range) = self.found();
        assert_eq!(
            text[range].replace("100_000", "100000"),
            expected,
            "{}: QUADRILLE_RENEW=1 cargo test -p quadrille-tests --test host -- declared",
            self.file
        );
    }

    fn found(&self) -> (PathBuf, String, Range<usize>) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(self.file);
        let text = fs::read_to_string(&path).unwrap();
        let start = self.from.iter().fold(0, |at, step| {
            let found = text[at..].find(step);
            at + found.unwrap_or_else(|| panic!("{}: no `{step}`", self.file)) + step.len()
        });
        let end = start + text[start..].find(self.to).unwrap();
        (path, text, start..end)
    }
}

fn names(option: &OptionSpec, quote: char, separator: &str) -> String {
    let Kind::Name(names) = option.kind else { panic!("{}: no names", option.name) };
    let names = names.iter().map(|(name, _)| format!("{quote}{name}{quote}"));
    names.collect::<Vec<_>>().join(separator)
}

/// The type of an option in Python, and its default.
fn in_python(option: &OptionSpec, may_be_unset: bool) -> (String, String) {
    let is_number = |(name, _): &(&str, &str)| name.parse::<u32>().is_ok();
    let one = match option.kind {
        Kind::Flag => "bool".to_owned(),
        Kind::Integer { .. } => "int".to_owned(),
        Kind::Number | Kind::Positive | Kind::Single => "float".to_owned(),
        // A name of digits may be an integer.
        Kind::Name(all) if all.iter().any(is_number) => {
            format!("Literal[{}] | int", names(option, '"', ", "))
        }
        Kind::Name(_) => format!("Literal[{}]", names(option, '"', ", ")),
        Kind::Text(_) if option.many == Many::One => "str | int | tuple[int, int]".to_owned(),
        Kind::Text(_) => "str".to_owned(),
        Kind::Literal => "object".to_owned(),
        Kind::Folder | Kind::Contents => "_Source".to_owned(),
        Kind::Sides { example: [_, _], .. } => "tuple[int, int]".to_owned(),
        Kind::Sides { .. } => "_Groups".to_owned(),
        _ => panic!("{}: a new kind", option.name),
    };
    let all = match option.many {
        Many::One => one,
        Many::List => format!("Sequence[{one}]"),
        Many::ByName(_) => format!("Mapping[str, {one}]"),
        Many::ByNameOrAll => format!("{one} | Mapping[str, {one}]"),
        _ => panic!("{}: a new number of values", option.name),
    };
    let default = match (option.default, option.kind) {
        ("", _) => "None".to_owned(),
        _ if may_be_unset => "None".to_owned(),
        ("true", Kind::Flag) => "True".to_owned(),
        (_, Kind::Flag) => "False".to_owned(),
        (name, Kind::Name(_)) => format!("\"{name}\""),
        (value, _) => value.to_owned(),
    };
    (all, default)
}

/// Parameters as a signature's text in Rust.
fn signature(options: &[&OptionSpec], may_be_unset: bool) -> String {
    let parameter = |option: &&OptionSpec| {
        let (_, default) = in_python(option, may_be_unset);
        format!("{}={}", option.name, default.replace('"', "\\\""))
    };
    options.iter().map(parameter).collect::<Vec<_>>().join(", ")
}

/// Parameters as `_quadrille.pyi` has them.
fn stub(options: &[&OptionSpec], may_be_unset: bool, shares: bool, margin: usize) -> String {
    let parameter = |option: &&OptionSpec| {
        let (name, (kind, default)) = (option.name, in_python(option, may_be_unset));
        let or_given = if shares && !RESERVED.contains(&name) { " | _Given" } else { "" };
        let or_none = if default == "None" { " | None" } else { "" };
        format!("{:margin$}{name}: {kind}{or_given}{or_none} = {default},\n", "")
    };
    options.iter().map(parameter).collect()
}

/// Properties as `index.d.ts` has them.
fn properties<T: Specified>() -> String {
    let property = |option: &OptionSpec| {
        let one = match option.kind {
            Kind::Flag => "boolean".to_owned(),
            Kind::Name(_) => names(option, '\'', " | "),
            Kind::Text(_) | Kind::Contents => "string".to_owned(),
            Kind::Literal => "number | boolean | string".to_owned(),
            Kind::Sides { example: [_, _], .. } => "[number, number]".to_owned(),
            _ => "number".to_owned(),
        };
        let all = match option.many {
            Many::ByName(_) => format!("Record<string, {one}>"),
            Many::ByNameOrAll => format!("{one} | Record<string, {one}>"),
            _ => one,
        };
        let default = match option.default {
            "" => String::new(),
            default => format!("; {default} by default"),
        };
        let name = FrontEnd::Browser.spelled(option.name);
        format!("    /** {}{default}. */\n    {name}?: {all};\n", option.help)
    };
    T::of(FrontEnd::Browser).map(property).collect()
}

/// Compares the options of a type with a function of Python, whose next parameter is another, and an interface of the browser.
fn must_be_declared<T: Specified>(
    [file, signed]: [&str; 2],
    [function, before]: [&str; 2],
    next: &str,
    interface: &str,
) {
    let options: Vec<&OptionSpec> = T::of(FrontEnd::Python).collect();
    Declared { file, from: &["text_signature", signed], to: &format!(", {next}=") }
        .must_be(&signature(&options, false));
    Declared { file: STUB, from: &[function, before], to: &format!("    {next}:") }
        .must_be(&stub(&options, false, false, 4));
    Declared {
        file: TYPES,
        from: &[interface],
        to: "    // The options above are written by tests/host/whole/options.rs.\n",
    }
    .must_be(&properties::<T>());
}

/// Compares some settings of experiments with a function of Python: what its signature and its stub have before them.
fn settings_must_be_declared(
    [file, signed]: [&str; 2],
    [stubbed, before]: [&str; 2],
    margin: usize,
    is_taken: impl Fn(&str) -> bool,
) {
    let options = Settings::of(FrontEnd::Python).filter(|option| is_taken(option.name));
    let options: Vec<&OptionSpec> = options.collect();
    let to = if stubbed.contains("Pass") || signed.contains("(source, *") { ")" } else { ", **" };
    Declared { file, from: &["text_signature", signed], to }.must_be(&signature(&options, true));
    let end = format!(
        "{:1$}# The options above are written by tests/host/whole/options.rs.\n",
        "", margin
    );
    Declared { file: STUB, from: &[stubbed, before], to: &end }.must_be(&stub(
        &options,
        true,
        to != ")",
        margin,
    ));
}

/// What tests of the browser try: the options of a function, each with the kind of its values.
fn table<T: Specified>(function: &str) -> String {
    let option = |option: &OptionSpec| {
        let kind = match (option.many, option.kind) {
            (Many::ByName(_), _) => "names",
            (_, Kind::Flag) => "flag",
            (_, Kind::Integer { .. }) => "integer",
            (_, Kind::Number | Kind::Positive | Kind::Single) => "number",
            (_, Kind::Name(_)) => "name",
            (_, Kind::Sides { .. }) => "sides",
            _ => "text",
        };
        format!("\"{}\": \"{kind}\"", FrontEnd::Browser.spelled(option.name))
    };
    let options: Vec<String> = T::of(FrontEnd::Browser).map(option).collect();
    format!("    \"{function}\": {{ {} }}", options.join(", "))
}

/// A table of docs/options.md.
fn documented<T: Specified>(title: &str) -> String {
    let row = |option: &OptionSpec| {
        let OptionSpec { name, default, help, .. } = option;
        let values = match option.many {
            Many::One => option.expected(),
            Many::List => format!("{}; several", option.expected()),
            _ => format!("{}; by name", option.expected()),
        };
        let names: Vec<String> = match option.kind {
            Kind::Name(names) => {
                names.iter().map(|(name, meaning)| format!("`{name}`: {meaning}")).collect()
            }
            _ => vec![values],
        };
        let lacks =
            |(end, reason): &(FrontEnd, &str)| format!(" Not in {}: {reason}.", front_end(*end));
        let help = help.replace("*.run.toml", "`*.run.toml`");
        let lacks: String = option.lacking.iter().map(lacks).collect();
        let default = if default.is_empty() { String::new() } else { format!("`{default}`") };
        format!("| `{name}` | {} | {default} | {help}.{lacks} |\n", names.join("; "))
    };
    let rows: String = T::OPTIONS.iter().map(row).collect();
    format!("\n## {title}\n\n| option | values | default | what it is |\n|---|---|---|---|\n{rows}")
}

fn front_end(end: FrontEnd) -> &'static str {
    match end {
        FrontEnd::Command => "the command",
        FrontEnd::RunFile => "run files",
        FrontEnd::Python => "Python",
        FrontEnd::Browser => "the browser",
    }
}

/// In one test, since renewed files are written one after the other.
#[test]
fn options_are_declared() {
    must_be_declared::<NamedOptions>(
        ["crates/python/src/linalg/solve.rs", "shape=None, "],
        ["def solve(", "shape: tuple[int, int, int] | None = None,\n"],
        "progress",
        "interface SolveOptions {\n",
    );
    must_be_declared::<quadrille::linalg::matmul::Options>(
        ["crates/python/src/linalg/matmul.rs", "out=None, "],
        ["def matmul(", "out: _Array | None = None,\n"],
        "check",
        "interface MatmulOptions {\n",
    );
    must_be_declared::<quadrille_vp::sat::Options>(
        ["crates/python/src/sat.rs", "(formula, *, "],
        ["def sat(", "    *,\n"],
        "progress",
        "interface SatOptions {\n",
    );
    must_be_declared::<vector_machine::Options>(
        ["crates/python/src/vp.rs", "constants=None, "],
        ["def vp(", "constants: Mapping[int, float | Sequence[float]] | None = None,\n"],
        "out",
        "interface VertexProgramOptions {\n",
    );
    Declared {
        file: TYPES,
        from: &["interface Settings {\n"],
        to: "    // The options above are written by tests/host/whole/options.rs.\n",
    }
    .must_be(&properties::<Settings>());
    let pages = [
        documented::<Settings>("Experiments: `run`, run files, tests"),
        documented::<NamedOptions>("Solvers: `solve`"),
        documented::<quadrille::linalg::matmul::Options>("Products: `matmul`"),
        documented::<jacobi::Options>("Jacobi's iteration: `jacobi`"),
        documented::<vector_machine::Options>("Vertex programs: `vp`"),
        documented::<quadrille_vp::sat::Options>("Satisfiability: `sat`"),
    ];
    Declared { file: "docs/options.md", from: &["in capitals.\n"], to: "<!-- The tables" }
        .must_be(&(pages.concat() + "\n"));
    let tables = [
        table::<NamedOptions>("solve"),
        table::<quadrille::linalg::matmul::Options>("matmul"),
        table::<quadrille_vp::sat::Options>("sat"),
        table::<vector_machine::Options>("vp"),
        table::<Settings>("experiment"),
    ];
    let tried = "crates/web/tests/engine/options.json";
    Declared { file: tried, from: &["{\n"], to: "\n}\n" }.must_be(&tables.join(",\n"));
    let dialect = Settings::OPTIONS.iter().find(|option| option.name == "dialect").unwrap();
    let names = names(dialect, '\'', ", ").replacen("'auto', ", "", 1);
    Declared {
        file: "crates/web/site/playground/settings.js",
        from: &["const DIALECTS = ["],
        to: "];",
    }
    .must_be(&names);
    let of_text = |name: &str| OF_TEXT.contains(&name);
    let of_run = |name: &str| !OF_EXPERIMENT.contains(&name);
    let of_call = |name: &str| of_run(name) && !of_text(name);
    let kernel = "crates/python/src/experiment/kernel.rs";
    let context = "context: Context | None = None,\n";
    settings_must_be_declared(
        ["crates/python/src/experiment.rs", "allow_outside=False, context=None, "],
        ["class Experiment", context],
        8,
        |_| true,
    );
    settings_must_be_declared(
        [kernel, "out=None, allow_outside=False, context=None, "],
        ["\ndef run(", context],
        4,
        of_run,
    );
    settings_must_be_declared(
        [kernel, "\"(source, *, stage=None, context=None, "],
        ["class Kernel", context],
        8,
        of_text,
    );
    settings_must_be_declared(
        [kernel, "\"($self, mapping=None, /, *, out=None, "],
        ["def __call__(", "out: _Out | None = None,\n"],
        8,
        of_call,
    );
    settings_must_be_declared(
        ["crates/python/src/experiment/passes.rs", "stage=None, groups=None, "],
        ["class Pass", "groups: _Groups | None = None,\n"],
        8,
        of_text,
    );
}

#[test]
#[should_panic(expected = "unheard_of")]
fn an_option_that_a_front_end_does_not_declare_is_noticed() {
    let more = [OptionSpec { name: "unheard_of", ..NamedOptions::OPTIONS[0] }];
    let options: Vec<&OptionSpec> = NamedOptions::OPTIONS.iter().chain(&more).collect();
    let from = ["def solve(", "shape: tuple[int, int, int] | None = None,\n"];
    Declared { file: STUB, from: &from, to: "    progress:" }.is(&stub(&options, false, false, 4));
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
    must_be_described(vector_machine::Options::OPTIONS);
    must_be_described(Settings::OPTIONS);
    must_be_described(jacobi::Options::OPTIONS);
}

/// Values of an option, each of which sets something else, and values that it refuses.
fn values(option: &OptionSpec) -> (Vec<&'static str>, Vec<&'static str>) {
    let right = match option.kind {
        Kind::Name(names) => names.iter().map(|(name, _)| *name).collect(),
        Kind::Flag => vec!["true", "false"],
        Kind::Integer { .. } => vec!["1", "77"],
        Kind::Number | Kind::Positive | Kind::Single => vec!["1", "0.5"],
        Kind::Text(form) if form.contains('x') => vec!["8x8", "16x8"],
        Kind::Sides { .. } => vec!["8x8", "16x8"],
        _ => vec!["a", "b"],
    };
    let wrong = match option.kind {
        Kind::Text(form) if !form.contains('x') => vec![],
        Kind::Literal => vec![],
        Kind::Folder | Kind::Contents => vec![""],
        Kind::Single => vec!["", "nan", "1e400x", "1e40"],
        _ => vec!["", "-1", "nan", "AUTO", "1e400"],
    };
    (right, wrong)
}

/// Every option takes its values and its default, and refuses what is none of them, in the words of each front end.
fn must_be_checked<T: Specified + std::fmt::Debug>() {
    for option in T::OPTIONS {
        let (right, wrong) = values(option);
        let made = |value: &str| {
            let mut made = T::default();
            made.set(option, &value).map(|()| format!("{made:?}"))
        };
        let distinct: BTreeSet<String> = right.iter().map(|value| made(value).unwrap()).collect();
        assert_eq!(distinct.len(), right.len(), "{}", option.name);
        if !option.default.is_empty() {
            made(option.default).unwrap();
        }
        let ends = [FrontEnd::Command, FrontEnd::RunFile, FrontEnd::Python, FrontEnd::Browser];
        for end in
            ends.into_iter().filter(|end| option.lacking.iter().all(|(lacks, _)| lacks != end))
        {
            let spelled = end.spelled(option.name);
            for wrong in &wrong {
                let refused =
                    T::default().set_spelled(end, &spelled, wrong).unwrap_err().to_string();
                let expected = format!("{spelled}: expected {}; got `{wrong}`", option.expected());
                assert_eq!(refused, expected);
            }
            let misspelt = format!("{spelled}q");
            let refused = T::default().set_spelled(end, &misspelt, &"1").unwrap_err().to_string();
            let meant = format!("unknown option `{misspelt}`: did you mean `{spelled}`?");
            assert_eq!(refused, meant);
        }
    }
}

#[test]
fn options_refuse_what_they_cannot_be() {
    must_be_checked::<NamedOptions>();
    must_be_checked::<quadrille::linalg::matmul::Options>();
    must_be_checked::<quadrille_vp::sat::Options>();
    must_be_checked::<vector_machine::Options>();
    must_be_checked::<Settings>();
    must_be_checked::<jacobi::Options>();
}
