//! Conditions, macros and includes: what a driver sees of the expanded text is what the files say.

use super::driver::{seen, two};
use super::mutation::mutate;
use super::scratch::bounded;
use super::{Choices, Target, Verdicts};
use quadrille::internal::shader::{Expanded, Language, Token, expand, preprocess, preprocessed};
use quadrille::shader::{Api, Reads, Source};

pub const TARGET: Target = Target { name: "preprocessor", file, generated };

const WORDS: [&str; 22] = [
    "#if 0\n",
    "#if 1\n",
    "#if M0 > 1 && defined(M1)\n",
    "#ifdef M2\n",
    "#ifndef M2\n",
    "#elif M1 == 2\n",
    "#else\n",
    "#endif\n",
    "#define M0 3\n",
    "#define F(a, b) a##b\n",
    "#undef M1\n",
    "#include \"a.glsl\"\n",
    "#include \"c.glsl\"\n",
    "#include \"none.glsl\"\n",
    "#error no\n",
    "\\\n",
    "/*",
    "*/",
    "//",
    "defined",
    "(",
    ")",
];

/// The text of the shader, and files that it may include.
const NAMES: [&str; 4] = ["main.frag", "a.glsl", "b.glsl", "c.glsl"];
const MACROS: usize = 4;

/// The lines of files, each with what it does.
enum Node {
    /// A line by its number, of all files.
    Statement(usize),
    Define(usize, usize),
    Include(usize),
    /// Conditions and what is behind them; the last may have none.
    If(Vec<(Option<Condition>, Vec<Node>)>),
}

/// The condition behind `#if`.
enum Condition {
    Number(usize),
    Macro(usize),
    Defined(usize),
    Not(Box<Condition>),
    Two(&'static str, Box<[Condition; 2]>),
}

fn file(bytes: &[u8]) -> Verdicts {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let texts = [text.clone(), text, "#define M1 2\nfloat b;\n".into(), String::new()];
    expand_all(&texts)
}

fn generated(bytes: &[u8]) -> Verdicts {
    let mut choices = Choices::new(bytes);
    let mut count = 0;
    let files: Vec<Vec<Node>> =
        (0..NAMES.len()).map(|file| nodes(file, 3, &mut count, &mut choices)).collect();
    let mut texts = files.iter().map(|nodes| {
        let mut text = String::new();
        write(nodes, &mut choices, &mut text);
        text
    });
    let mut texts: [String; 4] = std::array::from_fn(|_| texts.next().unwrap());
    let defined = "#define M0 0\n#define M1 1\n#define M2 2\n#define M3 3\n";
    texts[0].insert_str(0, defined);
    let expected = Seen::of(&files);
    let expanded = expand(&source(&texts), &language(Api::Gl));
    match expanded {
        Ok(expanded) => {
            assert_eq!(seen(&expanded), expected, "{texts:#?}\n{}", expanded.text);
            for left in left(&expanded) {
                assert_eq!(left, expected, "{texts:#?}\n{}", expanded.text);
            }
        }
        // Only includes that depend on a condition may be refused.
        Err(error) => assert!(files.iter().any(|nodes| depends(nodes)), "{error}\n{texts:#?}"),
    }
    let index = choices.below(texts.len());
    let mut text = texts[index].clone().into_bytes();
    mutate(&mut text, &mut choices, &WORDS);
    texts[index] = String::from_utf8_lossy(&text).into_owned();
    expand_all(&texts)
}

fn source(texts: &[String; 4]) -> Source {
    let source = Source::fragment(NAMES[0], texts[0].clone());
    let included = NAMES.iter().zip(texts).skip(1);
    included.fold(source, |source, (name, text)| source.file(*name, text.clone()))
}

/// Returns the statements that the library's own preprocessor leaves, with the driver's macros and
/// without.
fn left(expanded: &Expanded) -> [Vec<String>; 2] {
    let statement = |three: &[Token]| match three {
        [float, name, end] if float.is("float") && end.is(";") => {
            name.text.starts_with('s').then(|| name.text.to_string())
        }
        _ => None,
    };
    let told = |tokens: Option<Vec<Token>>| -> Vec<String> {
        tokens.unwrap_or_default().windows(3).filter_map(statement).collect()
    };
    let macros = expanded.language().macros();
    [preprocess(&expanded.text, &macros, &[]), preprocessed(&expanded.text)].map(told)
}

fn language(api: Api) -> Language {
    let version = if api == Api::Gl { 330 } else { 300 };
    Language { api, version, precise: false, reads: Reads::Fetch }
}

fn expand_all(texts: &[String; 4]) -> Verdicts {
    let mut verdicts = Verdicts::default();
    let length: usize = texts.iter().map(String::len).sum();
    for api in [Api::Gl, Api::Gles] {
        let result = bounded(512 * length + (1 << 20), || expand(&source(texts), &language(api)));
        verdicts.count(&result);
        match result {
            Ok(expanded) => {
                seen(&expanded);
                left(&expanded);
            }
            Err(error) => {
                let place = error.place().unwrap_or_else(|| panic!("no place: {error}"));
                assert!(error.to_string().starts_with(&place.to_string()), "{error}");
            }
        }
    }
    verdicts
}

/// Some lines of a file, which includes those after it alone.
fn nodes(file: usize, depth: usize, count: &mut usize, choices: &mut Choices<'_>) -> Vec<Node> {
    let length = choices.below(5);
    let mut node = || match choices.below(8) {
        0 | 1 if depth > 0 => {
            let mut branches = Vec::new();
            for _ in 0..choices.between(1, 3) {
                let condition = condition(2, choices);
                branches.push((Some(condition), nodes(file, depth - 1, count, choices)));
            }
            if choices.one_in(2) {
                branches.push((None, nodes(file, depth - 1, count, choices)));
            }
            Node::If(branches)
        }
        2 => Node::Define(choices.below(MACROS), choices.below(5)),
        3 | 4 if file + 1 < NAMES.len() => {
            Node::Include(choices.between(file + 1, NAMES.len() - 1))
        }
        _ => {
            *count += 1;
            Node::Statement(*count)
        }
    };
    (0..length).map(|_| node()).collect()
}

fn condition(depth: usize, choices: &mut Choices<'_>) -> Condition {
    const TWO: [&str; 8] = ["&&", "||", "==", "!=", "<", ">=", "+", "*"];
    match choices.below(if depth == 0 { 3 } else { 6 }) {
        0 => Condition::Number(choices.below(3)),
        1 => Condition::Macro(choices.below(MACROS)),
        2 => Condition::Defined(choices.below(MACROS + 1)),
        3 => Condition::Not(Box::new(condition(depth - 1, choices))),
        _ => {
            let parts = [condition(depth - 1, choices), condition(depth - 1, choices)];
            Condition::Two(choices.pick(&TWO), Box::new(parts))
        }
    }
}

/// Whether an include stands behind a condition.
fn depends(nodes: &[Node]) -> bool {
    fn includes(nodes: &[Node]) -> bool {
        nodes.iter().any(|node| match node {
            Node::Include(_) => true,
            Node::If(branches) => branches.iter().any(|(_, nodes)| includes(nodes)),
            _ => false,
        })
    }
    nodes.iter().any(|node| match node {
        Node::If(branches) => branches.iter().any(|(_, nodes)| includes(nodes)),
        _ => false,
    })
}

fn write(nodes: &[Node], choices: &mut Choices<'_>, text: &mut String) {
    for node in nodes {
        let hash = choices.pick(&["#", "#", " # ", "/* a */ #"]);
        let end = choices.pick(&["\n", "\n", " // #endif\n", " /* #else\n#endif */\n"]);
        match node {
            Node::Statement(number) => *text += &format!("float s{number};{end}"),
            Node::Define(name, value) => {
                *text += &format!("#undef M{name}\n{hash}define M{name} {value}{end}");
            }
            Node::Include(file) => *text += &format!("{hash}include \"{}\"{end}", NAMES[*file]),
            Node::If(branches) => {
                for (index, (condition, nodes)) in branches.iter().enumerate() {
                    match condition {
                        Some(Condition::Defined(name)) if index == 0 => {
                            *text += &format!("{hash}ifdef M{name}{end}");
                        }
                        Some(condition) => {
                            let word = if index == 0 { "if" } else { "elif" };
                            let blank = choices.pick(&[" ", " ", " \\\n", "\t/* */"]);
                            *text += &format!("{hash}{word}{blank}{}{end}", condition.text());
                        }
                        None => *text += &format!("{hash}else{end}"),
                    }
                    write(nodes, choices, text);
                }
                *text += &format!("{hash}endif{end}");
            }
        }
    }
}

impl Condition {
    fn text(&self) -> String {
        match self {
            Condition::Number(number) => number.to_string(),
            Condition::Macro(name) => format!("M{name}"),
            Condition::Defined(name) => format!("defined(M{name})"),
            Condition::Not(of) => format!("!{}", of.text()),
            Condition::Two(sign, of) => format!("({} {sign} {})", of[0].text(), of[1].text()),
        }
    }

    fn value(&self, macros: &[usize; MACROS]) -> i64 {
        match self {
            Condition::Number(number) => *number as i64,
            Condition::Macro(name) => macros[*name] as i64,
            Condition::Defined(name) => i64::from(*name < MACROS),
            Condition::Not(of) => i64::from(of.value(macros) == 0),
            Condition::Two(sign, of) => two(sign, of[0].value(macros), of[1].value(macros)),
        }
    }
}

/// The statements that files leave, each file where it is first included.
struct Seen {
    macros: [usize; MACROS],
    included: [bool; NAMES.len()],
    statements: Vec<String>,
}

impl Seen {
    fn of(files: &[Vec<Node>]) -> Vec<String> {
        let mut seen =
            Seen { macros: [0, 1, 2, 3], included: [false; NAMES.len()], statements: Vec::new() };
        seen.pass(files, &files[0]);
        seen.statements
    }

    fn pass(&mut self, files: &[Vec<Node>], nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Statement(number) => self.statements.push(format!("s{number}")),
                Node::Define(name, value) => self.macros[*name] = *value,
                Node::Include(file) => {
                    if !std::mem::replace(&mut self.included[*file], true) {
                        self.pass(files, &files[*file]);
                    }
                }
                Node::If(branches) => {
                    let holds = |condition: &Option<Condition>| {
                        condition.as_ref().is_none_or(|of| of.value(&self.macros) != 0)
                    };
                    let taken = branches.iter().find(|(condition, _)| holds(condition));
                    if let Some((_, nodes)) = taken {
                        self.pass(files, nodes);
                    }
                }
            }
        }
    }
}
