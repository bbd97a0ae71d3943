//! The words of a text, and those that it declares itself.

use std::collections::HashSet;

use quadrille::internal::shader::strip;
use quadrille::internal::shader::{Token, tokens};

/// The words of a text, comments and quoted names left out.
pub(super) struct Words {
    /// All of them, those in directives too, since macros may hold them.
    all: HashSet<String>,
    /// Those that the text gives a meaning at its outermost level: macros, functions, variables.
    own: HashSet<String>,
    tokens: Vec<Token>,
    pastes: bool,
}

impl Words {
    pub(super) fn of(text: &str) -> Words {
        let tokens = tokens(text);
        let mut words =
            Words { all: HashSet::new(), own: declared(&tokens), tokens, pastes: false };
        for line in strip(text).lines {
            let bare = unquoted(&line);
            words.all.extend(names(&bare).map(str::to_owned));
            words.own.extend(defined(&bare).map(str::to_owned));
            words.pastes |= bare.contains("##");
        }
        words
    }

    /// Returns whether a word stands in the text.
    pub(super) fn has(&self, word: &str) -> bool {
        self.all.contains(word)
    }

    /// Returns whether macros put words together, which may then be any.
    pub(super) fn pastes(&self) -> bool {
        self.pastes
    }

    /// Returns whether a word stands in the text, which gives it no meaning of its own.
    pub(super) fn needs(&self, word: &str) -> bool {
        self.has(word) && !self.own.contains(word)
    }

    /// Returns whether the text declares this at its outermost level, or defines it as a macro.
    pub(super) fn declares(&self, word: &str) -> bool {
        self.own.contains(word)
    }

    /// Finds each `word[...]` of the text: the line of the word, and the number between the
    /// brackets if it is one.
    pub(super) fn indices(&self, word: &str) -> Vec<(usize, Option<usize>)> {
        let is_word = |token: &Token| token.is(word);
        let index = |window: &[Token]| match window {
            [name, open, number, close] if is_word(name) && open.is("[") => {
                let number = close.is("]").then(|| number.text.parse().ok()).flatten();
                Some((name.line(), number))
            }
            _ => None,
        };
        self.tokens.windows(4).filter_map(index).collect()
    }
}

/// Returns a line without what stands in quotes, which GLSL has in `#include` alone.
fn unquoted(line: &str) -> String {
    line.split('"').step_by(2).collect::<Vec<_>>().join(" ")
}

fn names(line: &str) -> impl Iterator<Item = &str> {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = |word: &&str| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    line.split(move |c| !letter(c)).filter(name)
}

/// Returns the name that a `#define` gives a meaning.
fn defined(line: &str) -> Option<&str> {
    let after = line.trim_start().strip_prefix('#')?.trim_start();
    names(after.strip_prefix("define")?).next()
}

/// Returns the names that statements at the outermost level declare: the last name behind a type
/// or, in a list, behind a comma.
fn declared(tokens: &[Token]) -> HashSet<String> {
    let mut own = HashSet::new();
    let (mut depth, mut typed) = (0_i32, false);
    let mut before: Option<&Token> = None;
    let behind = tokens.iter().skip(1).map(Some).chain([None]);
    for (token, behind) in tokens.iter().zip(behind) {
        let outermost = depth == 0;
        match &*token.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = (depth - 1).max(0),
            name if outermost && token.is_name() && ends_a_declarator(behind) => {
                let is = |text| before.is_some_and(|before| before.is(text));
                let behind_type = is("]") || before.is_some_and(Token::is_name);
                if behind_type || (typed && is(",")) {
                    own.insert(name.to_owned());
                    typed = true;
                }
            }
            _ => {}
        }
        if token.is(";") || token.is("}") || token.is_branch() {
            typed = false;
        }
        before = Some(token);
    }
    own
}

/// Returns whether what follows a name shows that the name is declared, not a type.
fn ends_a_declarator(behind: Option<&Token>) -> bool {
    behind.is_some_and(|behind| [";", ",", "=", "[", "("].contains(&&*behind.text))
}
