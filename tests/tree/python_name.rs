//! The name of the Python distribution, `quadrille-gl`, and of its module. PyPI's `quadrille` is
//! another project's, so that a page which names it would have somebody else's code installed.

use crate::files::{files_below, root};

/// The endings of files that a person reads or a program installs by.
const ENDINGS: [&str; 12] =
    ["md", "ipynb", "html", "py", "pyi", "rs", "toml", "txt", "cfg", "yml", "yaml", "sh"];

/// The commands that take names of Python distributions.
const INSTALLERS: [&str; 6] =
    ["pip install ", "pip download ", "pipx install ", "pipx run ", "uv add ", "uvx "];

/// Returns whether a text begins with the other project's name, as a whole name.
fn is_other(text: &str) -> bool {
    let rest = text.strip_prefix("quadrille");
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || "-_:".contains(c)))
}

/// Returns whether a line has the other project's code installed.
fn installs_other(line: &str) -> bool {
    // A command in the text of a sentence ends with its quotation.
    let command = |rest| str::split(rest, ['`', ';', '&', '#']).next().unwrap_or_default();
    let after = |installer| line.split(installer).skip(1).map(command);
    let mut words = INSTALLERS.into_iter().flat_map(after).flat_map(str::split_whitespace);
    words.any(|word| is_other(word.trim_start_matches(['\'', '"', '`'])))
}

/// Returns whether a line imports the other project's module.
fn imports_other(line: &str) -> bool {
    let modules = line.split("import ").skip(1).flat_map(|names| names.split(','));
    let from = line.split("from ").skip(1).filter(|rest| rest.contains(" import "));
    modules.chain(from).any(|name| is_other(name.trim_start()))
}

#[test]
fn nobody_is_sent_to_another_project() {
    let this = root().join("tests/tree/python_name.rs");
    let mut wrong = Vec::new();
    let mut right = 0;
    for file in files_below(&root()).into_iter().filter(|file| *file != this) {
        // Scripts have no ending.
        let ending = file.extension().map_or("sh", |ending| ending.to_str().unwrap_or_default());
        let text = ENDINGS.contains(&ending).then(|| std::fs::read_to_string(&file).ok()).flatten();
        for line in text.iter().flat_map(|text| text.lines()) {
            right += usize::from(line.contains("quadrille_gl as q"));
            if installs_other(line) || imports_other(line) {
                wrong.push(format!("{}: {line}", file.display()));
            }
        }
    }
    assert!(right > 50, "only {right} imports were found");
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn the_other_project_is_seen() {
    for line in [
        "pip install quadrille",
        "`python -m pip install --upgrade quadrille`",
        "pip install numpy 'quadrille[test]'",
        "uv add quadrille==0.1.0",
    ] {
        assert!(installs_other(line), "{line}");
    }
    for line in [
        "import quadrille",
        ">>> import numpy as np, quadrille as q",
        "from quadrille import testing",
        "\"from quadrille.testing import assert_same\\n\"",
    ] {
        assert!(imports_other(line), "{line}");
    }
    for line in [
        "pip install ./python quadrille-gl quadrille_gl-0.1.0-cp310-abi3-any.whl",
        "import numpy as np, quadrille_gl as q",
        "from quadrille_gl import testing",
        "what quadrille takes from quadrille files is imported",
    ] {
        assert!(!installs_other(line) && !imports_other(line), "{line}");
    }
}
