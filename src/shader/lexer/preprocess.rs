//! What a preprocessor leaves of a text: its macros expanded, and of each `#if` the branches that a
//! driver may keep.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use super::condition::{self, Kept};
use super::mentions::logical_lines;
use super::tokens::{Word, cut};

/// The most words that are looked at, and the most calls within calls: macros that double each
/// other make more than any shader has.
const MOST: usize = 1 << 20;
const DEEPEST: usize = 64;

/// Returns the names and marks of a text as a compiler gets them. Where a driver decides which
/// branch of an `#if` it keeps, all are here, and a macro with several meanings stands for each of
/// them, with `;` between. `None` for a text whose macros make more words than any shader has.
pub fn preprocessed(text: &str) -> Option<Vec<Word>> {
    let mut state = Preprocessor::default();
    for (_, line) in logical_lines(text) {
        match line.trim_start().strip_prefix('#') {
            Some(directive) => state.directive(directive.trim())?,
            None if state.kept() != Kept::No => words(&line, &mut state.pending),
            None => {}
        }
    }
    state.flush()?;
    Some(state.done)
}

/// Appends the words of a line without comments.
fn words(line: &str, to: &mut Vec<Word>) {
    let mut tokens = Vec::new();
    cut(line, 0, &mut tokens);
    to.extend(tokens.into_iter().map(|token| token.word));
}

fn words_of(line: &str) -> Vec<Word> {
    let mut found = Vec::new();
    words(line, &mut found);
    found
}

#[derive(Default)]
struct Preprocessor {
    macros: Macros,
    branches: Vec<Branch>,
    /// The words since the last `#define`, which may be a call over several lines.
    pending: Vec<Word>,
    done: Vec<Word>,
    spent: usize,
}

/// An `#if` whose `#endif` is still to come: whether its present branch is kept, and whether an
/// earlier one is.
struct Branch {
    now: Kept,
    earlier: Kept,
}

impl Preprocessor {
    fn kept(&self) -> Kept {
        self.branches.iter().map(|branch| branch.now).min().unwrap_or(Kept::Yes)
    }

    fn directive(&mut self, directive: &str) -> Option<()> {
        let end = directive.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(directive.len());
        let (word, rest) = directive.split_at(end);
        match word {
            "if" | "ifdef" | "ifndef" => {
                let now = self.holds(word, rest)?;
                self.branches.push(Branch { now, earlier: Kept::No });
            }
            "elif" | "else" => {
                let holds = if word == "else" { Kept::Yes } else { self.holds("if", rest)? };
                if let Some(branch) = self.branches.last_mut() {
                    branch.earlier = branch.earlier.max(branch.now);
                    branch.now = branch.earlier.not().min(holds);
                }
            }
            "endif" => drop(self.branches.pop()),
            "define" | "undef" | "version" if self.kept() != Kept::No => {
                self.flush()?;
                let certain = self.kept() == Kept::Yes;
                match word {
                    "define" => self.macros.define(rest.trim_start(), certain),
                    "undef" => self.macros.undefine(rest.trim(), certain),
                    _ => self.macros.is_version(rest),
                }
            }
            _ => {}
        }
        Some(())
    }

    fn holds(&mut self, word: &str, rest: &str) -> Option<Kept> {
        let is_defined = |name: &str| self.macros.is_defined(name);
        match word {
            "ifdef" => Some(is_defined(rest.trim())),
            "ifndef" => Some(is_defined(rest.trim()).not()),
            _ => {
                let asked = condition::with_defined(&words_of(rest), is_defined);
                let mut expanded = Vec::new();
                self.macros.expand(asked, 0, &mut expanded, &mut self.spent)?;
                let words: Vec<Word> = expanded.into_iter().map(|item| item.word).collect();
                Some(condition::value(&words))
            }
        }
    }

    /// Expands the pending words by the macros there are.
    fn flush(&mut self) -> Option<()> {
        let mut expanded = Vec::new();
        let pending = std::mem::take(&mut self.pending);
        self.macros.expand(pending, 0, &mut expanded, &mut self.spent)?;
        self.done.extend(expanded.into_iter().map(|item| item.word));
        Some(())
    }
}

/// The macros by name.
#[derive(Default)]
struct Macros {
    meanings: HashMap<String, Meanings>,
    is_es: bool,
}

/// What a name may stand for.
#[derive(Default)]
struct Meanings {
    /// Whether it may be no macro.
    itself: bool,
    macros: Vec<Macro>,
}

struct Macro {
    /// The parameters of one that takes arguments.
    parameters: Option<Vec<String>>,
    body: Vec<Word>,
}

/// A word that is not expanded by the macros it came from.
#[derive(Clone)]
struct Item {
    word: Word,
    from: Option<Rc<Expansion>>,
}

/// The macro that a word came from, and those that one stood in.
struct Expansion {
    name: String,
    outer: Option<Rc<Expansion>>,
}

impl Item {
    fn is_from(&self, name: &str) -> bool {
        let mut from = &self.from;
        while let Some(inner) = from {
            if inner.name == name {
                return true;
            }
            from = &inner.outer;
        }
        false
    }
}

impl Macros {
    fn is_version(&mut self, rest: &str) {
        let version = rest.split_whitespace().next().unwrap_or_default();
        self.is_es = rest.contains("es");
        self.define(&format!("__VERSION__ {version}"), true);
    }

    fn define(&mut self, definition: &str, certain: bool) {
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = definition.find(|c| !letter(c)).unwrap_or(definition.len());
        let (name, rest) = definition.split_at(end);
        let (parameters, body) = match rest.strip_prefix('(').and_then(|rest| rest.split_once(')'))
        {
            Some((list, body)) => {
                let names = list.split(',').map(|name| name.trim().to_owned()).collect();
                (Some(names), body)
            }
            None => (None, rest),
        };
        let known = self.meanings.entry(name.to_owned());
        let known = known.or_insert(Meanings { itself: true, macros: Vec::new() });
        if certain {
            *known = Meanings::default();
        }
        known.macros.push(Macro { parameters, body: words_of(body) });
    }

    fn undefine(&mut self, name: &str, certain: bool) {
        if certain {
            self.meanings.remove(name);
        } else if let Some(known) = self.meanings.get_mut(name) {
            known.itself = true;
        }
    }

    /// Returns whether a name is defined; a driver may define names of extensions.
    fn is_defined(&self, name: &str) -> Kept {
        match self.meanings.get(name) {
            Some(known) if !known.itself => Kept::Yes,
            Some(_) => Kept::Maybe,
            None if name == "GL_ES" => {
                if self.is_es {
                    Kept::Yes
                } else {
                    Kept::No
                }
            }
            None if name.starts_with("GL_") || name.contains("__") => Kept::Maybe,
            None => Kept::No,
        }
    }

    fn expand(
        &self,
        words: impl IntoIterator<Item = impl Into<Item>>,
        depth: usize,
        to: &mut Vec<Item>,
        spent: &mut usize,
    ) -> Option<()> {
        let mut queue: VecDeque<Item> = words.into_iter().map(Into::into).collect();
        while let Some(item) = queue.pop_front() {
            spend(spent, 1)?;
            let known = match &item.word {
                Word::Name(name) if !item.is_from(name) => self.meanings.get(name),
                _ => None,
            };
            let Some(known) = known else {
                to.push(item);
                continue;
            };
            let takes = known.macros.iter().any(|one| one.parameters.is_some());
            let length = if takes { call(&queue, spent)? } else { 0 };
            let call: Vec<Item> = queue.drain(..length).collect();
            let meanings = self.meanings_of(&item, known, &call, depth, spent)?;
            spend(spent, meanings.len())?;
            for item in meanings.into_iter().rev() {
                queue.push_front(item);
            }
        }
        Some(())
    }

    /// Returns what a name with the parentheses behind it may stand for, with `;` between.
    fn meanings_of(
        &self,
        item: &Item,
        known: &Meanings,
        call: &[Item],
        depth: usize,
        spent: &mut usize,
    ) -> Option<Vec<Item>> {
        let Word::Name(name) = &item.word else { return Some(vec![item.clone()]) };
        let from = Some(Rc::new(Expansion { name: name.clone(), outer: item.from.clone() }));
        let hidden = |word: &Word| Item { word: word.clone(), from: from.clone() };
        let mut all: Vec<Vec<Item>> = Vec::new();
        let needs_call = |one: &Macro| one.parameters.is_some() && call.is_empty();
        if known.itself || known.macros.iter().any(needs_call) {
            all.push(std::iter::once(hidden(&item.word)).chain(call.iter().cloned()).collect());
        }
        for one in known.macros.iter().filter(|one| !needs_call(one)) {
            all.push(match &one.parameters {
                None => {
                    let body = pasted(&one.body, |word| (vec![hidden(word)], vec![hidden(word)]));
                    body.into_iter().chain(call.iter().cloned()).collect()
                }
                Some(parameters) => {
                    if depth >= DEEPEST {
                        return None;
                    }
                    let given = arguments(call);
                    let mut expanded = Vec::with_capacity(given.len());
                    for argument in &given {
                        let mut to = Vec::new();
                        self.expand(argument.iter().cloned(), depth + 1, &mut to, spent)?;
                        expanded.push(to);
                    }
                    pasted(&one.body, |word| {
                        let Word::Name(name) = word else { return own(hidden(word)) };
                        let index = parameters.iter().position(|parameter| parameter == name);
                        match index {
                            None => own(hidden(word)),
                            Some(index) => (
                                expanded.get(index).cloned().unwrap_or_default(),
                                given.get(index).cloned().unwrap_or_default(),
                            ),
                        }
                    })
                }
            });
        }
        let separator = Item { word: Word::Mark(';'), from: None };
        Some(all.join(&separator))
    }
}

impl From<Word> for Item {
    fn from(word: Word) -> Item {
        Item { word, from: None }
    }
}

fn own(item: Item) -> (Vec<Item>, Vec<Item>) {
    (vec![item.clone()], vec![item])
}

fn spend(spent: &mut usize, words: usize) -> Option<()> {
    *spent += words;
    (*spent <= MOST).then_some(())
}

fn is_mark(item: Option<&Item>, mark: char) -> bool {
    item.is_some_and(|item| item.word == Word::Mark(mark))
}

/// Returns how many items the parentheses at the front hold, themselves included; 0 without any.
fn call(items: &VecDeque<Item>, spent: &mut usize) -> Option<usize> {
    if !is_mark(items.front(), '(') {
        return Some(0);
    }
    let mut depth = 0_usize;
    for (index, item) in items.iter().enumerate() {
        match item.word {
            Word::Mark('(') => depth += 1,
            Word::Mark(')') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            spend(spent, index)?;
            return Some(index + 1);
        }
    }
    spend(spent, items.len())?;
    Some(0)
}

/// Returns the arguments of a call in parentheses.
fn arguments(call: &[Item]) -> Vec<Vec<Item>> {
    let inside = call.get(1..call.len().saturating_sub(1)).unwrap_or_default();
    let (mut arguments, mut depth) = (vec![Vec::new()], 0_usize);
    for item in inside {
        match item.word {
            Word::Mark('(') => depth += 1,
            Word::Mark(')') => depth = depth.saturating_sub(1),
            Word::Mark(',') if depth == 0 => {
                arguments.push(Vec::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = arguments.last_mut() {
            last.push(item.clone());
        }
    }
    arguments
}

/// Returns a body with each word replaced, by the second of its replacements beside a `##`, and
/// what stands on both sides of that made one word.
fn pasted(body: &[Word], replaced: impl Fn(&Word) -> (Vec<Item>, Vec<Item>)) -> Vec<Item> {
    let pastes = |at: usize| body.get(at..at + 2) == Some(&[Word::Mark('#'), Word::Mark('#')]);
    let mut done: Vec<Item> = Vec::new();
    let mut at = 0;
    while let Some(word) = body.get(at) {
        if !pastes(at) {
            let (expanded, given) = replaced(word);
            done.extend(if pastes(at + 1) { given } else { expanded });
            at += 1;
            continue;
        }
        let right = body.get(at + 2).map(|word| replaced(word).1).unwrap_or_default();
        let mut right = right.into_iter();
        let joined = match (done.last_mut(), right.as_slice().first()) {
            (
                Some(Item { word: Word::Name(left), .. }),
                Some(Item { word: Word::Name(first), .. }),
            ) => {
                left.push_str(first);
                true
            }
            _ => false,
        };
        done.extend(right.by_ref().skip(usize::from(joined)));
        at += 3;
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str) -> String {
        let words = preprocessed(text).map(|words| {
            let text = |word: &Word| match word {
                Word::Name(name) => name.clone(),
                Word::Mark(mark) => mark.to_string(),
                _ => String::new(),
            };
            words.iter().map(text).collect::<Vec<_>>().join(" ")
        });
        words.unwrap_or_else(|| "too many".into())
    }

    #[test]
    fn macros_are_expanded_as_the_language_does() {
        for (text, wanted) in [
            ("#define A b\nA c A // A\n/* A */", "b c b"),
            ("#define F(x, y) g(y, x)\nF(1, (2, 3))", "g ( ( 2 , 3 ) , 1 )"),
            ("#define F(x) g(x)\nF(F(1)) F", "g ( g ( 1 ) ) F"),
            ("#define F (x)\nF(1)", "( x ) ( 1 )"),
            ("#define F(x) x\n#define G F\nG(1)", "1"),
            ("#define F(x) x\nF(\n1 +\n2)", "1 + 2"),
            ("#define T A + T\nT", "A + T"),
            ("#define C(a, b) a##b\nC(tex, ture)(x)", "texture ( x )"),
            ("#define A 1\n#define C(n) x##n + n\nC(A)", "xA + 1"),
            ("#define L tex##ture\nL", "texture"),
            ("#define F(x) \\\n  x \\\n  + 1\nF(2)", "2 + 1"),
            ("#define A 1\nA\n#undef A\nA\n#define A 2\nA", "1 A 2"),
            ("#define N() 1\nN()", "1"),
        ] {
            assert_eq!(left(text), wanted, "{text}");
        }
    }

    #[test]
    fn branches_are_left_out_where_that_is_known() {
        for (text, wanted) in [
            ("#if 0\na\n#elif 1\nb\n#else\nc\n#endif", "b"),
            ("#define Q 2\n#if Q > 1 && !defined(R)\na\n#else\nb\n#endif", "a"),
            ("#define Q\n#ifdef Q\na\n#else\nb\n#endif\n#ifndef Q\nc\n#endif", "a"),
            ("#ifndef L\n#define L 0.0\n#endif\nL", "0 . 0"),
            ("#version 330 core\n#if __VERSION__ >= 300\na\n#else\nb\n#endif", "a"),
            ("#version 300 es\n#ifdef GL_ES\na\n#else\nb\n#endif", "a"),
            ("#version 330 core\n#ifdef GL_ES\na\n#else\nb\n#endif", "b"),
            ("#if 0\n#define A 1\n#endif\nA", "A"),
        ] {
            assert_eq!(left(text), wanted, "{text}");
        }
    }

    #[test]
    fn what_the_driver_decides_counts_on_both_sides() {
        for (text, wanted) in [
            ("#ifdef GL_EXT_x\na\n#else\nb\n#endif", "a b"),
            ("#ifdef GL_EXT_x\n#define A 1\n#else\n#define A 2\n#endif\nA", "A ; 1 ; 2"),
            ("#ifdef GL_EXT_x\n#define F(x) g(x)\n#endif\nF(1)", "F ( 1 ) ; g ( 1 )"),
            ("#define A 1\n#ifdef GL_EXT_x\n#undef A\n#endif\nA", "A ; 1"),
            ("#if GL_EXT_x || 1\na\n#else\nb\n#endif", "a"),
        ] {
            assert_eq!(left(text), wanted, "{text}");
        }
    }

    #[test]
    fn macros_that_double_each_other_end() {
        let doubling: String =
            (0..40).map(|i| format!("#define A{i} A{0} A{0}\n", i + 1)).collect();
        assert_eq!(left(&format!("{doubling}A0")), "too many");
        let nested = format!("#define F(x) x\n{}1{}", "F(".repeat(5000), ")".repeat(5000));
        assert_eq!(left(&nested), "too many");
        let open = format!("#define F(x) x\n{}", "F(".repeat(100_000));
        assert_eq!(left(&open), "too many");
    }
}
