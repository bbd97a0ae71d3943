//! The structure that CONTRIBUTING.md draws: modules import from lower layers or from themselves,
//! and neither files nor the modules of a crate's root import each other in a circle. Imports are
//! read from the text, re-exports followed to the file that defines the name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::files::{files_below, root};

/// The path of a name: modules from the crate's root down, and then the name.
pub(crate) type Names = Vec<String>;

/// The circles that stand, one a line: none may be added, and what is untied leaves the file. The
/// parser of programs stays one, a recursive descent in several files.
const CIRCLES: &str = include_str!("circles.txt");

/// The folders of the packages' sources.
const SOURCES: [&str; 7] = [
    "src",
    "crates/run/src",
    "crates/vector-machine/src",
    "crates/lab/src",
    "crates/papers/src",
    "crates/cli/src",
    "crates/python/src",
];

/// A source file as a module.
pub(crate) struct Module {
    file: String,
    /// Outside comments and unit tests.
    pub(crate) text: String,
}

/// The modules of a package by their names.
pub(crate) type Modules = BTreeMap<Names, Module>;

pub(crate) fn modules(src: &Path) -> Modules {
    let mut files = files_below(src);
    files.retain(|file| file.extension().is_some_and(|ending| ending == "rs"));
    let module = |path: PathBuf| {
        let file = path.strip_prefix(src).unwrap();
        let text = code(&std::fs::read_to_string(&path).unwrap());
        (names(file), Module { file: file.display().to_string(), text })
    };
    files.into_iter().map(module).collect()
}

fn names(file: &Path) -> Names {
    let parts = file.with_extension("");
    let mut names: Names = parts.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if names.last().is_some_and(|last| ["lib", "main"].contains(&last.as_str())) {
        names.pop();
    }
    names
}

fn code(text: &str) -> String {
    let end = text.find("\nmod tests {").unwrap_or(text.len());
    let lines = text[..end].lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The paths that follow from a text on, a tree of braces as one path for each leaf.
fn leaves(text: &str, prefix: &[String], paths: &mut Vec<Names>) -> usize {
    let mut at = 0;
    let mut path = prefix.to_vec();
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        let rest = &text[at..];
        if rest.starts_with('{') {
            at += 1;
            while !text[at..].starts_with('}') {
                at += leaves(&text[at..], &path, paths);
                let separator = text[at..].find([',', '}']).unwrap();
                at += separator + usize::from(text[at + separator..].starts_with(','));
                at += text[at..].len() - text[at..].trim_start().len();
            }
            return at + 1;
        }
        let letter = |c: char| !(c.is_alphanumeric() || c == '_');
        let word = &rest[..rest.find(letter).unwrap_or(rest.len())];
        path.push(word.to_owned());
        at += word.len();
        if !text[at..].starts_with("::") {
            paths.push(path);
            return at;
        }
        at += 2;
    }
}

/// The paths of a module's text.
#[derive(Default)]
struct Paths {
    /// The names in its `use`s.
    used: Vec<Names>,
    /// The names in its `pub use`s, which hand a name on: whoever takes it imports it.
    handed_on: Vec<Names>,
    /// The names in its code, from the crate or a parent on.
    named: Vec<Names>,
}

fn paths(text: &str) -> Paths {
    let mut paths = Paths::default();
    for start in ["crate::", "super::", "self::", "use "] {
        for (at, _) in text.match_indices(start) {
            let before = text[..at].chars().next_back().unwrap_or(' ');
            if before.is_alphanumeric() || before == '_' || before == ':' {
                continue;
            }
            let before = text[..at].trim_end();
            // Who may see a name imports nothing.
            if before.ends_with("pub(in") {
                continue;
            }
            let public = before.ends_with("pub") || before.ends_with(')');
            match (start, public) {
                ("use ", false) => leaves(&text[at + start.len()..], &[], &mut paths.used),
                ("use ", true) => leaves(&text[at + start.len()..], &[], &mut paths.handed_on),
                _ if before.ends_with("use") => continue,
                _ => leaves(&text[at..], &[], &mut paths.named),
            };
        }
    }
    paths
}

/// The module that defines what a path names, as seen from a module.
pub(crate) fn defined(
    modules: &Modules,
    from: &[String],
    path: &[String],
    depth: usize,
) -> Option<Names> {
    let mut at: Names = match path.first()?.as_str() {
        "crate" => Vec::new(),
        "self" | "super" => from.to_vec(),
        child if modules.contains_key(&[from, &[child.to_owned()]].concat()) => from.to_vec(),
        _ => return None,
    };
    for (index, name) in path.iter().enumerate() {
        match name.as_str() {
            "crate" | "self" => continue,
            "super" => {
                at.pop();
                continue;
            }
            _ => {}
        }
        let inner = [&at[..], std::slice::from_ref(name)].concat();
        if modules.contains_key(&inner) {
            at = inner;
            continue;
        }
        let paths = paths(&modules[&at].text);
        let mut used = paths.handed_on.iter().chain(&paths.used);
        let again = used.find(|used| used.last() == Some(name));
        let further = again.filter(|_| depth > 0).and_then(|again| {
            let rest = path[index + 1..].iter().cloned();
            let whole: Names = again.iter().cloned().chain(rest).collect();
            defined(modules, &at, &whole, depth - 1)
        });
        return Some(further.unwrap_or(at));
    }
    Some(at)
}

/// The files that each file imports from.
fn imports(modules: &Modules) -> BTreeMap<&str, BTreeSet<&str>> {
    let of = |(from, module): (&Names, &Module)| {
        let paths = paths(&module.text);
        let found = paths
            .used
            .iter()
            .chain(&paths.named)
            .filter_map(|path| defined(modules, from, path, 4));
        let files = found.map(|names| modules[&names].file.as_str());
        files.filter(|file| *file != module.file).collect()
    };
    modules.iter().map(|(names, module)| (module.file.as_str(), of((names, module)))).collect()
}

/// Every file that can be reached by imports from one.
fn reached<'a>(graph: &BTreeMap<&'a str, BTreeSet<&'a str>>, from: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = graph[from].iter().copied().collect();
    while let Some(file) = open.pop() {
        if reached.insert(file) {
            open.extend(&graph[file]);
        }
    }
    reached
}

/// The layer of each entry of `src/`, from the drawing in CONTRIBUTING.md.
fn layers() -> BTreeMap<String, u32> {
    let text = std::fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let drawing = text.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    let mut layers = BTreeMap::new();
    let mut layer = None;
    for line in drawing.lines() {
        let (number, rest) = line.split_at(line.len().min(3));
        layer = number.trim().parse().ok().or(layer);
        let is_entry = |word: &&str| word.ends_with('/') || word.ends_with(".rs");
        for entry in rest.split_whitespace().take_while(is_entry) {
            let name = entry.trim_end_matches('/').trim_end_matches(".rs");
            layers.insert(name.to_owned(), layer.unwrap());
        }
    }
    layers
}

fn entry(file: &str) -> &str {
    file.split('/').next().unwrap().trim_end_matches(".rs")
}

fn upward(layers: &BTreeMap<String, u32>, graph: &BTreeMap<&str, BTreeSet<&str>>) -> Vec<String> {
    let mut upward = Vec::new();
    for (from, imports) in graph.iter().filter(|(file, _)| **file != "lib.rs") {
        for to in imports {
            let (above, below) = (entry(from), entry(to));
            let layer = |name: &str| {
                *layers
                    .get(name)
                    .unwrap_or_else(|| panic!("{name} is in no layer of CONTRIBUTING.md"))
            };
            if above != below && *to != "lib.rs" && layer(below) >= layer(above) {
                upward.push(format!("{from} imports {to}"));
            }
        }
    }
    upward
}

/// Files that import each other, directly or by way of others.
fn circles(graph: &BTreeMap<&str, BTreeSet<&str>>) -> Vec<String> {
    let all: BTreeMap<&str, BTreeSet<&str>> =
        graph.keys().map(|file| (*file, reached(graph, file))).collect();
    let with = |file: &&str| {
        let others = all[file].iter().copied().filter(|other| all[other].contains(file));
        others.collect::<Vec<_>>().join(", ")
    };
    let in_circles = all.keys().filter(|file| all[*file].contains(*file));
    in_circles.map(with).collect::<BTreeSet<_>>().into_iter().collect()
}

/// The imports between the modules of a crate's root, each with all its files. No file need import
/// another in a circle where modules do: a re-export leads to the file that defines the name.
fn rooms<'a>(graph: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let mut rooms: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (file, imports) in graph {
        let others = imports.iter().map(|file| entry(file)).filter(|other| *other != entry(file));
        rooms.entry(entry(file)).or_default().extend(others);
    }
    rooms
}

#[test]
fn modules_import_from_lower_layers() {
    let modules = modules(&root().join("src"));
    let graph = imports(&modules);
    let arrows: usize = graph.values().map(BTreeSet::len).sum();
    assert!(arrows > 500, "only {arrows} imports were read");
    assert_eq!(upward(&layers(), &graph), [""; 0]);
}

/// The files of a module are in the folder of its name, beside it.
/// Twins would be wrong where the library is, if it took from them. Comparisons are for tests, and a product is checked by one.
#[test]
fn only_tests_and_checks_import_the_twins() {
    const CHECKS: [&str; 2] = ["testing", "linalg/matmul/check"];
    let modules = modules(&root().join("src"));
    let takes = |module: &Module| module.text.contains("crate::reference::");
    let importers = modules.iter().filter(|(_, module)| takes(module));
    let files: Vec<String> = importers.map(|(names, _)| names.join("/")).collect();
    // The root hands them to the tests of other packages.
    let is_other = |file: &&String| {
        !file.is_empty()
            && !file.starts_with("reference")
            && !CHECKS.iter().any(|check| file.starts_with(check))
    };
    assert_eq!(files.iter().filter(is_other).collect::<Vec<_>>(), Vec::<&String>::new());
    assert!(files.len() > CHECKS.len());
}

#[test]
fn no_module_is_named_mod() {
    for src in SOURCES {
        let files = files_below(&root().join(src));
        let named: Vec<_> = files.iter().filter(|file| file.ends_with("mod.rs")).collect();
        assert!(named.is_empty(), "{named:?} should be `module.rs` beside the folder `module/`");
    }
}

#[test]
fn no_circle_is_added() {
    let mut found = Vec::new();
    for src in SOURCES {
        let modules = modules(&root().join(src));
        let graph = imports(&modules);
        let all = circles(&graph).into_iter().chain(circles(&rooms(&graph)));
        found.extend(all.map(|names| format!("{src}: {names}")));
    }
    assert_eq!(found, CIRCLES.lines().collect::<Vec<_>>());
}

pub(crate) fn planted<const N: usize>(files: [(&str, &str); N]) -> Modules {
    let module = |(file, text): (&str, &str)| {
        (names(Path::new(file)), Module { file: file.into(), text: code(text) })
    };
    files.map(module).into_iter().collect()
}

/// A bench takes a judgement by way of a re-export, and what is judged there is a bench's: no file
/// is in a circle, but the modules are. So are two files that import each other.
#[test]
fn planted_circles_are_found() {
    let judged = |benches: &str| {
        planted([
            ("lib.rs", "mod bench; mod report;"),
            ("bench.rs", "pub mod findings; pub struct Row;"),
            ("bench/findings.rs", benches),
            ("report.rs", "mod claims; mod study; pub(crate) use claims::judge;"),
            ("report/claims.rs", "pub(crate) fn judge() {}"),
            ("report/study.rs", "use super::super::bench::findings::growth;"),
        ])
    };
    let knot = judged("use super::super::report::judge; pub fn growth() {}");
    assert_eq!(circles(&imports(&knot)), [""; 0]);
    assert_eq!(circles(&rooms(&imports(&knot))), ["bench, report"]);
    let untied = judged("use super::Row; pub fn growth() {}");
    assert!(circles(&rooms(&imports(&untied))).is_empty());
    let flat = planted([
        ("lib.rs", "mod state; mod worker;"),
        ("state.rs", "use crate::worker::Worker; pub(crate) struct State;"),
        ("worker.rs", "pub(crate) struct Worker; fn work(state: &crate::state::State) {}"),
    ]);
    assert_eq!(circles(&imports(&flat)), ["state.rs, worker.rs"]);
}

/// An import of a higher layer is found in a re-export, in a tree and in an expression.
#[test]
fn planted_imports_are_found() {
    let planted = |low: &str| {
        planted([
            ("lib.rs", "mod low; mod high;"),
            ("low.rs", low),
            ("high.rs", "mod part; pub use part::{Part, Other as Another};"),
            ("high/part.rs", "use crate::low; // use crate::high::nothing"),
        ])
    };
    let layers = BTreeMap::from([("low".to_owned(), 1), ("high".to_owned(), 2)]);
    for low in [
        "use crate::high::Part;",
        "use crate::{low, high::{Part}};",
        "fn f() { crate::high::Part::new() }",
    ] {
        let modules = planted(low);
        let graph = imports(&modules);
        let expected = ["low.rs imports high/part.rs"];
        assert_eq!(upward(&layers, &graph), expected, "{low}");
        assert_eq!(circles(&graph), ["high/part.rs, low.rs"], "{low}");
    }
    let modules = planted("#[cfg(test)]\nmod tests { use crate::high::Part; }");
    assert!(upward(&layers, &imports(&modules)).is_empty());
}

/// Keeps the window system in the platforms' modules, so that another platform can stand beside
/// EGL.
#[test]
fn only_the_platforms_own_modules_know_the_window_system() {
    for module in modules(&root().join("src")).into_values() {
        if !module.file.starts_with("gl/native") {
            for word in ["glutin", "target_os"] {
                assert!(!module.text.contains(word), "{} names {word}", module.file);
            }
        }
    }
}

/// The file that says how other processes ended; elsewhere an exit code is one of the command's.
const OF_PROCESSES: &str = "testing/outcome/termination.rs";

/// The files that read the environment: what else does would let a variable change a result.
#[test]
fn only_these_files_read_the_environment() {
    const FILES: [&str; 4] = [
        "cluster/communicator/launched.rs",
        "gl/context/builder.rs",
        "gl/object/poison.rs",
        "stream/choice/folder.rs",
    ];
    let reads = |folder: &str| {
        let modules = modules(&root().join(folder)).into_values();
        let reading = modules.filter(|module| module.text.contains("env::var"));
        reading.map(|module| module.file).collect::<BTreeSet<String>>()
    };
    assert_eq!(reads("src"), FILES.map(str::to_owned).into());
    for folder in ["crates/run/src", "crates/vector-machine/src", "crates/python/src"] {
        assert_eq!(reads(folder), BTreeSet::new(), "{folder}");
    }
}

/// Advice that names arguments is the command's.
#[test]
fn the_library_holds_no_words_of_the_command() {
    let libraries = ["src", "crates/run/src", "crates/vector-machine/src"]
        .map(|src| modules(&root().join(src)));
    for module in libraries.into_iter().flat_map(Modules::into_values) {
        let words = ["doctor", "tune", "jacobi", "matmul", "run", "vp", "sat"];
        for word in words.map(|word| format!("quadrille {word}`")) {
            assert!(!module.text.contains(word.as_str()), "{} says {word}", module.file);
        }
        let ends = module.text.contains("exit code") && module.file != OF_PROCESSES;
        assert!(!ends, "{} names an exit code", module.file);
        let arguments = module.text.match_indices("--").any(|(at, _)| {
            module.text[at + 2..].starts_with(|next: char| next.is_ascii_lowercase())
        });
        assert!(!arguments, "{} names an argument", module.file);
    }
}
