//! A shader's declarations at its outermost level: uniforms, inputs, outputs and buffers.
//!
//! GL 3.3 and ES 3.0 cannot list a program's outputs, nor the inputs of one of its stages, so they are read from
//! the text behind its macros. Where it is open which branch of an `#if` is kept, both are read: what is found are
//! candidates, which the driver confirms; inputs, of which it says nothing, are not read from branches that no
//! preprocessor keeps.

pub(super) mod storage;

use super::lexer::interface::Interface;
use super::lexer::preprocess::candidates;
use super::lexer::tokens::Token;
use super::lexer::verdict::Verdict;
use super::source::stage::Stage;
use crate::error::Place;

/// A declared name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The name; for a block the name of the block.
    pub name: String,
    /// The GLSL type, `vec4` or `float[3]`; `block` for a block.
    pub kind: String,
    /// The number in `layout(location = ...)`, where it is written as a number.
    pub location: Option<u32>,
    /// Whether it has a `layout(location = ...)`, of a number or of a macro's name.
    pub located: bool,
    /// The number in `layout(binding = ...)`, where it is written as a number.
    pub binding: Option<u32>,
    /// The position of the name.
    pub place: Place,
}

/// The declarations of a shader's text, in its order. A name that two branches of an `#if`
/// declare is here twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declarations {
    /// The uniforms, samplers and images, and uniform blocks.
    pub uniforms: Vec<Declared>,
    /// The outputs of the stage.
    pub outputs: Vec<Declared>,
    /// The inputs of the stage, from the stage before it or from vertices.
    pub inputs: Vec<Declared>,
    /// The storage blocks, `buffer NAME { ... }`.
    pub buffers: Vec<Declared>,
    /// Line and column (as tokens count them) of each declaration of outputs without a layout.
    pub(super) unplaced: Vec<(usize, usize)>,
}

/// Reads the declarations of a text that a framing or an expansion may put other lines around;
/// `place(line)` is the position of a line.
pub fn declarations(text: &str, stage: Stage, place: impl Fn(usize) -> Place) -> Declarations {
    read(candidates(text, Interface::part(std::iter::empty())), stage, place)
}

/// Reads the declarations among the tokens of a text.
pub(super) fn read(
    tokens: Vec<Token>,
    stage: Stage,
    place: impl Fn(usize) -> Place,
) -> Declarations {
    let (declarations, state) = (Declarations::default(), State::default());
    let mut reader = Reader { declarations, state, stage, place };
    let mut branches: Vec<State> = Vec::new();
    for token in tokens {
        match &*token.text {
            "#if" => branches.push(reader.state.clone()),
            // Every branch starts from what stood before the #if, so that a brace opened in each of
            // two branches counts once.
            "#else" => {
                if let Some(before) = branches.last() {
                    reader.state = before.clone();
                }
            }
            "#endif" => drop(branches.pop()),
            _ => reader.token(token),
        }
    }
    reader.declarations
}

/// The reader's position in the text.
#[derive(Clone, Default)]
struct State {
    braces: usize,
    /// The tokens of the statement at the outermost level that is being read.
    statement: Vec<Token>,
}

struct Reader<P> {
    declarations: Declarations,
    state: State,
    stage: Stage,
    place: P,
}

impl<P: Fn(usize) -> Place> Reader<P> {
    fn token(&mut self, token: Token) {
        match (self.state.braces, &*token.text) {
            (0, ";") => {
                let statement = std::mem::take(&mut self.state.statement);
                self.statement(&statement, false);
            }
            (depth, "{") => {
                if depth == 0 && !self.goes_on_behind_braces() {
                    let statement = std::mem::take(&mut self.state.statement);
                    self.statement(&statement, true);
                }
                self.state.braces += 1;
            }
            (depth, "}") => self.state.braces = depth.saturating_sub(1),
            (0, _) => self.state.statement.push(token),
            _ => {}
        }
    }

    /// Returns whether the statement so far continues behind the braces that open now: a struct
    /// whose names follow, or a list of initial values.
    fn goes_on_behind_braces(&self) -> bool {
        let mut depth = 0_i32;
        self.state.statement.iter().any(|token| {
            depth += nesting(token);
            token.is("struct") || token.is("=") && depth == 0
        })
    }

    fn statement(&mut self, statement: &[Token], block: bool) {
        let Some((storage, layout, rest)) = qualified(statement) else { return };
        let is_input = match storage {
            "varying" => self.stage == Stage::Fragment,
            word => matches!(word, "in" | "attribute"),
        };
        if is_input && statement.first().is_some_and(|first| first.kept == Verdict::No) {
            return;
        }
        let list = match storage {
            "uniform" => &mut self.declarations.uniforms,
            _ if is_input => &mut self.declarations.inputs,
            "out" | "varying" => &mut self.declarations.outputs,
            _ => &mut self.declarations.buffers,
        };
        let placed = layout.iter().any(|token| token.is("layout"));
        if let (false, "out", Some(first)) = (placed, storage, statement.first()) {
            self.declarations.unplaced.push(first.from.start);
        }
        for name in names(rest, block) {
            list.push(Declared {
                name: name.name,
                kind: name.kind,
                location: layout_number(layout, "location"),
                located: layout.iter().any(|token| token.is("location")),
                binding: layout_number(layout, "binding"),
                place: (self.place)(name.line),
            });
        }
    }
}

/// Splits a statement into its storage qualifier, everything in front of the type (where layouts
/// stand), and the type with the names. `None` for a statement that declares no interface.
fn qualified(statement: &[Token]) -> Option<(&str, &[Token], &[Token])> {
    let mut storage = None;
    let mut index = 0;
    while let Some(token) = statement.get(index) {
        let word = token.word();
        match word {
            Some("layout") => index = behind_parentheses(statement, index + 1),
            Some("uniform" | "in" | "out" | "buffer" | "varying" | "attribute")
                if storage.is_none() =>
            {
                storage = word;
                index += 1;
            }
            Some(word) if is_qualifier(word) => index += 1,
            // An unknown word in front of the storage qualifier is a macro.
            Some(_) if storage.is_none() => index += 1,
            _ => break,
        }
    }
    let (front, rest) = statement.split_at_checked(index)?;
    Some((storage?, front, rest))
}

fn is_qualifier(word: &str) -> bool {
    matches!(
        word,
        "flat"
            | "smooth"
            | "noperspective"
            | "centroid"
            | "sample"
            | "patch"
            | "invariant"
            | "precise"
            | "PRECISE"
            | "highp"
            | "mediump"
            | "lowp"
            | "const"
            | "coherent"
            | "volatile"
            | "restrict"
            | "readonly"
            | "writeonly"
            | "shared"
    )
}

fn behind_parentheses(tokens: &[Token], start: usize) -> usize {
    let closing = tokens.iter().skip(start).position(|token| token.is(")"));
    closing.map_or(tokens.len(), |offset| start + offset + 1)
}

/// Returns the value of `key = number` among the tokens in front of a type; `None` for an expression.
fn layout_number(front: &[Token], key: &str) -> Option<u32> {
    front.windows(4).find_map(|window| match window {
        [left, equals, right, end]
            if left.is(key) && equals.is("=") && (end.is(",") || end.is(")")) =>
        {
            right.word().and_then(number)
        }
        _ => None,
    })
}

fn number(text: &str) -> Option<u32> {
    let digits = text.trim_end_matches(['u', 'U']);
    match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => digits.parse().ok(),
    }
}

struct Name {
    name: String,
    kind: String,
    line: usize,
}

/// Returns the names that a type and a list of declarators declare.
fn names(rest: &[Token], block: bool) -> Vec<Name> {
    if block {
        return rest.iter().take(1).filter_map(|token| named(token, "block".to_owned())).collect();
    }
    let rest = match rest {
        [first, tail @ ..] if first.is("struct") => tail,
        rest => rest,
    };
    let Some((kind, behind)) = rest.split_first() else { return Vec::new() };
    let Some(kind) = kind.word() else { return Vec::new() };
    let brackets = bracketed(behind);
    let kind = format!("{kind}{}", spelled(brackets.iter()));
    declarators(behind.get(brackets.len()..).unwrap_or_default(), &kind)
}

/// Splits `a, b[3] = x(1, 2), c` at its outer commas.
fn declarators(tokens: &[Token], kind: &str) -> Vec<Name> {
    let mut depth = 0_i32;
    let outer_comma = |token: &Token| {
        depth += nesting(token);
        depth == 0 && token.is(",")
    };
    tokens.split(outer_comma).filter_map(|tokens| declarator(tokens, kind)).collect()
}

/// Returns the brackets, if any, with which the tokens begin: those of a type such as `float[2]`.
fn bracketed(tokens: &[Token]) -> &[Token] {
    let mut depth = 0_i32;
    let inside = |token: &&Token| {
        let before = depth;
        depth += nesting(token);
        before > 0 || depth > 0
    };
    let count = tokens.iter().take_while(inside).count();
    tokens.get(..count).unwrap_or_default()
}

/// Returns how much deeper the text is nested behind a token.
fn nesting(token: &Token) -> i32 {
    match &*token.text {
        "(" | "[" => 1,
        ")" | "]" => -1,
        _ => 0,
    }
}

/// Reads a declarator: a name, perhaps the brackets of an array, perhaps an initial value.
fn declarator(tokens: &[Token], kind: &str) -> Option<Name> {
    let (first, behind) = tokens.split_first()?;
    let brackets = behind.iter().take_while(|token| !token.is("="));
    named(first, format!("{kind}{}", spelled(brackets)))
}

fn named(token: &Token, kind: String) -> Option<Name> {
    token.word().map(|name| Name { name: name.to_owned(), kind, line: token.line() })
}

fn spelled<'a>(tokens: impl Iterator<Item = &'a Token>) -> String {
    tokens.map(|token| &*token.text).collect()
}
