//! The tokens of a text as the preprocessor leaves them: macros are expanded, and lines that it does
//! not keep are known.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::comments::strip;
use super::conditions::Conditions;
use super::directive::{Directive, directive};
use super::tokens::{Token, Word, cut};

/// The most tokens that macros may come to: each may hold two of the one before it.
const MOST: usize = 1 << 18;

/// The tokens of a text behind its macros.
pub(in crate::shader) struct Preprocessed {
    /// Those that come of a macro lie where it is used.
    pub(in crate::shader) tokens: Vec<Token>,
    /// Of each line, whether no preprocessor keeps it.
    never: Vec<bool>,
}

impl Preprocessed {
    /// Returns whether a preprocessor may keep a line, counted from 1.
    pub(in crate::shader) fn may_keep(&self, line: usize) -> bool {
        line.checked_sub(1).and_then(|index| self.never.get(index)) != Some(&true)
    }
}

/// Returns the tokens of a text without comments and directives, apart from the conditional ones, with its macros
/// expanded. Where it is open which of two definitions is kept, the later one counts if both begin declarations; any other
/// name stays as it is, such as a type's.
pub(in crate::shader) fn preprocessed(text: &str) -> Preprocessed {
    let (mut pieces, never) = pieces(text);
    pieces.reverse();
    let mut expansion =
        Expansion { ahead: pieces, macros: HashMap::new(), open: HashSet::new(), made: 0 };
    let mut tokens = Vec::new();
    while let Some(piece) = expansion.ahead.pop() {
        match piece {
            Piece::Define(name, meaning) => expansion.define(name, meaning),
            Piece::Undefine(name) => {
                expansion.open.remove(&name);
                expansion.macros.remove(&name);
            }
            Piece::Token(token, hidden) if !expansion.expand(&token, &hidden) => tokens.push(token),
            Piece::Token(..) => {}
        }
    }
    Preprocessed { tokens, never }
}

enum Piece {
    /// A token, and the macros that it came of.
    Token(Token, Hidden),
    Define(String, Rc<Macro>),
    Undefine(String),
}

struct Macro {
    /// `None` of a macro that is used without parentheses.
    parameters: Option<Vec<String>>,
    body: Vec<Word>,
}

impl Macro {
    /// Returns whether it begins a declaration.
    fn is_storage(&self) -> bool {
        let words = ["in", "out", "attribute", "varying", "uniform", "flat"];
        matches!(self.body.first(), Some(Word::Name(name)) if words.contains(&name.as_str()))
    }
}

/// The macros that a token came of, which do not expand in it again.
type Hidden = Option<Rc<Inside>>;

struct Inside {
    name: String,
    outer: Hidden,
}

fn hides(hidden: &Hidden, name: &str) -> bool {
    let mut hidden = hidden.as_ref();
    while let Some(inside) = hidden {
        if inside.name == name {
            return true;
        }
        hidden = inside.outer.as_ref();
    }
    false
}

/// Cuts a text into tokens and definitions, and finds the lines that are never kept.
fn pieces(text: &str) -> (Vec<Piece>, Vec<bool>) {
    let (mut pieces, mut never) = (Vec::new(), Vec::new());
    let mut conditions = Conditions::default();
    let stripped = strip(text).lines;
    let mut lines = stripped.iter().enumerate();
    let (mut continued, mut cuts) = (false, Vec::new());
    while let Some((index, line)) = lines.next() {
        let found = if continued { None } else { directive(line) };
        let Some(found) = found else {
            continued = line.ends_with('\\');
            never.push(conditions.is_never());
            cut(line, index + 1, &mut cuts);
            pieces.extend(cuts.drain(..).map(|token| Piece::Token(token, None)));
            continue;
        };
        let mut whole = line.to_string();
        let first = never.len();
        while whole.ends_with('\\') {
            whole.pop();
            let Some((_, line)) = lines.next() else { break };
            whole.push_str(line);
            never.push(false);
        }
        match found {
            Directive::Version => conditions.pass_version(&whole),
            _ => conditions.pass(Some(&found), &whole),
        }
        never.push(false);
        never[first..].fill(conditions.is_never());
        let word = match found {
            Directive::If => Word::If,
            Directive::Else => Word::Else,
            Directive::Endif => Word::Endif,
            _ => {
                pieces.extend(definition(&whole).filter(|_| !conditions.is_never()));
                continue;
            }
        };
        pieces.push(Piece::Token(Token { word, line: index + 1, column: 0 }, None));
    }
    (pieces, never)
}

/// Reads `#define` and `#undef`.
fn definition(line: &str) -> Option<Piece> {
    let after = line.trim_start().strip_prefix('#')?.trim_start();
    let (word, rest) = after.split_at(after.find(char::is_whitespace)?);
    let rest = rest.trim();
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    match word {
        "undef" => Some(Piece::Undefine(name.to_owned())),
        "define" => {
            let open = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
            let (parameters, body) = match open {
                Some((list, body)) => {
                    let list = list.split(',').map(|name| name.trim().to_owned());
                    (Some(list.filter(|name| !name.is_empty()).collect()), body)
                }
                None => (None, rest),
            };
            let mut words = Vec::new();
            cut(body, 0, &mut words);
            let body = words.into_iter().map(|token| token.word).collect();
            Some(Piece::Define(name.to_owned(), Rc::new(Macro { parameters, body })))
        }
        _ => None,
    }
}

struct Expansion {
    /// What is still to be read, the next one last.
    ahead: Vec<Piece>,
    macros: HashMap<String, Rc<Macro>>,
    /// The names of which it is open what they stand for.
    open: HashSet<String>,
    made: usize,
}

impl Expansion {
    fn define(&mut self, name: String, meaning: Rc<Macro>) {
        let differs = |known: &Rc<Macro>| known.body != meaning.body && !meaning.is_storage();
        if self.macros.get(&name).is_some_and(differs) {
            self.macros.remove(&name);
            self.open.insert(name);
        } else if !self.open.contains(&name) {
            self.macros.insert(name, meaning);
        }
    }

    /// Puts what a macro stands for in front of the text; returns whether the token is one.
    fn expand(&mut self, token: &Token, hidden: &Hidden) -> bool {
        let Word::Name(name) = &token.word else { return false };
        let Some(meaning) = self.macros.get(name).filter(|_| !hides(hidden, name)) else {
            return false;
        };
        let meaning = Rc::clone(meaning);
        let given = match &meaning.parameters {
            None => Vec::new(),
            Some(_) => match self.arguments() {
                Some(given) => given,
                None => return false,
            },
        };
        let words = substituted(&meaning, &given);
        self.made += words.len();
        if self.made > MOST {
            self.macros.clear();
            return true;
        }
        let hidden = Some(Rc::new(Inside { name: name.clone(), outer: hidden.clone() }));
        let (line, column) = (token.line, token.column);
        let piece = |word| Piece::Token(Token { word, line, column }, hidden.clone());
        self.ahead.extend(words.into_iter().rev().map(piece));
        true
    }

    /// Takes the arguments in parentheses that follow; `None`, and nothing taken, where there are none.
    fn arguments(&mut self) -> Option<Vec<Vec<Word>>> {
        let (mut depth, mut given, mut taken) = (0_usize, vec![Vec::new()], 0);
        for piece in self.ahead.iter().rev() {
            let Piece::Token(Token { word, .. }, _) = piece else { return None };
            taken += 1;
            match word {
                Word::Mark('(') => depth += 1,
                Word::Mark(')') => depth = depth.checked_sub(1)?,
                Word::If | Word::Else | Word::Endif => return None,
                _ => {}
            }
            match (depth, word) {
                (0, Word::Mark(')')) => {
                    self.ahead.truncate(self.ahead.len() - taken);
                    return Some(given);
                }
                (0, _) => return None,
                (1, Word::Mark('(')) if taken == 1 => {}
                (1, Word::Mark(',')) => given.push(Vec::new()),
                (_, word) => given.last_mut()?.push(word.clone()),
            }
        }
        None
    }
}

/// Returns the body of a macro with these arguments in it, and with what `##` joins joined.
fn substituted(meaning: &Macro, given: &[Vec<Word>]) -> Vec<Word> {
    let names = meaning.parameters.as_deref().unwrap_or_default();
    let (mut words, mut body) = (Vec::new(), meaning.body.iter().peekable());
    let mut joins = false;
    while let Some(word) = body.next() {
        if *word == Word::Mark('#') && body.peek() == Some(&&Word::Mark('#')) {
            body.next();
            joins = true;
            continue;
        }
        let index = names.iter().position(|name| *word == Word::Name(name.clone()));
        let argument = index.and_then(|index| given.get(index));
        let mut part = argument.cloned().unwrap_or_else(|| vec![word.clone()]);
        if let (true, Some(Word::Name(left)), Some(Word::Name(right))) =
            (joins, words.last(), part.first())
        {
            let joined = format!("{left}{right}");
            words.pop();
            part[0] = Word::Name(joined);
        }
        joins = false;
        words.extend(part);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is(text: &str, wanted: &str) {
        let words = preprocessed(text).tokens.into_iter().map(|token| match token.word {
            Word::Name(name) => name,
            Word::Mark(mark) => mark.to_string(),
            other => format!("{other:?}"),
        });
        assert_eq!(words.collect::<Vec<_>>().join(" "), wanted, "{text}");
    }

    #[test]
    fn macros_are_expanded_as_a_preprocessor_does() {
        for (text, wanted) in [
            ("#define V in\nV vec2 a;", "in vec2 a ;"),
            ("#define V W\n#define W in\nV a;", "in a ;"),
            ("V a;\n#define V in\nV b;\n#undef V\nV c;", "V a ; in b ; V c ;"),
            ("#define V \\\n in vec2\nV a;", "in vec2 a ;"),
            (
                "#define D(t, n) in t n;\nD(vec2, a) D(float[2], b)",
                "in vec2 a ; in float [ 2 ] b ;",
            ),
            ("#define D(n) in vec2 tex##n;\nD(0)\nD(\n1)", "in vec2 tex0 ; in vec2 tex1 ;"),
            ("#define F(x) x\n#define G F\nG(in) F (a, (b)) F", "in a F"),
            ("#define A B\n#define B A\nA B", "A B"),
            ("#define F(x) F(x + 1)\nF(F(2))", "F ( F ( 2 ) + 1 )"),
            ("#define E()\nE() a", "a"),
            ("#define V in // a comment\nV /* V */ b", "in b"),
            ("#define F(x) x\nF(\n#define Y\na)", "F ( a )"),
        ] {
            is(text, wanted);
        }
    }

    #[test]
    fn definitions_of_branches_that_are_not_kept_do_not_count() {
        let branches =
            "#if __VERSION__ >= 130\n#define V in\n#else\n#define V varying\n#endif\nV a";
        is(&format!("#version 330 core\n{branches}"), "If Else Endif in a");
        is(&format!("#version 300 es\n{branches}"), "If Else Endif in a");
        let of_es = "#if defined(GL_ES) && (__VERSION__ < 310)\n#define V in\n#else\n#define V out\n#endif\nV a";
        is(&format!("#version 300 es\n{of_es}"), "If Else Endif in a");
        is(&format!("#version 330 core\n{of_es}"), "If Else Endif out a");
        is(&format!("#version 330 core\n#define GL_ES 1\n{of_es}"), "If Else Endif out a");
        let types = "#define N float\n#ifdef GL_X\n#define N vec4\n#endif\nout N a";
        is(types, "If Endif out N a");
        is("#if 0\n#define V in\n#endif\nV a", "If Endif V a");
        let text = preprocessed("#ifdef HOST\na\n#else\nb\n#endif\nc");
        let kept: Vec<bool> = (1..=6).map(|line| text.may_keep(line)).collect();
        assert_eq!(kept, [false, false, true, true, true, true]);
    }

    #[test]
    fn macros_that_double_come_to_an_end() {
        let doubled = |n: usize| format!("#define A{} A{n} A{n}\n", n + 1);
        let text: String = (0..60).map(doubled).collect();
        assert!(preprocessed(&format!("{text}A60")).tokens.len() <= 2 * MOST);
    }
}
