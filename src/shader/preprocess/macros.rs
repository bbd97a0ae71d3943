//! Macros, and what they make of a text.

use std::collections::HashMap;
use std::rc::Rc;

use super::pieces::{Piece, Position, Span, cut, name};

/// The tokens that a text may become: more is a mistake, or an attack.
const MOST: usize = 1 << 21;

/// The calls that may stand within each other's arguments, and the macros in each other's bodies.
const DEEPEST: usize = 200;

/// The macros that are defined at a place of a text.
pub(super) struct Macros {
    known: HashMap<String, Rc<Macro>>,
    /// The words that stay as they are.
    left: Vec<String>,
    /// The tokens that may still come of the text.
    budget: usize,
}

struct Macro {
    /// The names of its arguments, if it takes any.
    parameters: Option<Vec<String>>,
    body: Vec<Rc<str>>,
}

/// A token on its way, and the macros that it came out of, which do not replace it again.
#[derive(Clone)]
struct Item {
    piece: Piece,
    hidden: Option<Rc<Hidden>>,
}

struct Hidden {
    name: Rc<str>,
    others: Option<Rc<Hidden>>,
    count: usize,
}

impl Item {
    fn is(&self, text: &str) -> bool {
        *self.piece.text == *text
    }

    /// Returns whether a macro of this name must not replace it.
    fn hides(&self, name: &str) -> bool {
        let mut next = self.hidden.as_ref();
        while let Some(hidden) = next {
            if *hidden.name == *name {
                return true;
            }
            next = hidden.others.as_ref();
        }
        false
    }
}

/// The arguments of a call, and its end.
type Call = (Vec<Vec<Item>>, Position);

impl Macros {
    pub(super) fn leaving(left: &[&str]) -> Macros {
        let left = left.iter().map(|word| (*word).to_owned()).collect();
        Macros { known: HashMap::new(), left, budget: MOST }
    }

    /// Takes what stands behind `#define`.
    pub(super) fn define(&mut self, text: &str) {
        let (word, rest) = text.split_at(name(text));
        let with_arguments = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let (parameters, body) = match with_arguments {
            Some((names, body)) => {
                let names = names.split(',').map(|name| name.trim().to_owned());
                (Some(names.filter(|name| !name.is_empty()).collect()), body)
            }
            None => (None, rest),
        };
        if self.left.iter().any(|left| left == word) {
            return;
        }
        let mut pieces = Vec::new();
        cut(body, 0, &mut pieces);
        let body = pieces.into_iter().map(|piece| piece.text).collect();
        self.known.insert(word.to_owned(), Rc::new(Macro { parameters, body }));
    }

    /// Takes what stands behind `#undef`.
    pub(super) fn forget(&mut self, text: &str) {
        self.known.remove(&text[..name(text)]);
    }

    pub(super) fn knows(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// Returns tokens with all macros replaced. `None` if there are too many.
    pub(super) fn expanded(&mut self, pieces: Vec<Piece>) -> Option<Vec<Piece>> {
        let items = pieces.into_iter().map(|piece| Item { piece, hidden: None }).collect();
        let items = self.replaced(items, 0)?;
        Some(items.into_iter().map(|item| item.piece).collect())
    }

    fn replaced(&mut self, mut items: Vec<Item>, depth: usize) -> Option<Vec<Item>> {
        // The next token is the last.
        items.reverse();
        let mut done = Vec::new();
        while let Some(mut item) = items.pop() {
            self.budget = self.budget.checked_sub(1)?;
            let known = self.known.get(&*item.piece.text).cloned();
            item.piece.is_painted |= known.is_some() && item.hides(&item.piece.text);
            let Some(found) = known.filter(|_| !item.piece.is_painted) else {
                done.push(item);
                continue;
            };
            let call = match &found.parameters {
                None => Some((Vec::new(), item.piece.from.end)),
                Some(names) => self.arguments(&mut items, names.len())?,
            };
            let Some((given, end)) = call else {
                done.push(item);
                continue;
            };
            if depth == DEEPEST {
                return None;
            }
            let mut by = self.filled(&found, &given, depth)?;
            let from =
                Span { end: item.piece.from.end.max(end), is_macro: true, ..item.piece.from };
            for made in &mut by {
                let others = made.hidden.take().or(item.hidden.clone());
                let count = others.as_ref().map_or(1, |others| others.count + 1);
                if count > DEEPEST {
                    return None;
                }
                let name = item.piece.text.clone();
                made.hidden = Some(Rc::new(Hidden { name, others, count }));
                made.piece.from = from;
            }
            items.extend(by.into_iter().rev());
        }
        Some(done)
    }

    /// Returns the body of a macro with its arguments in place of their names.
    fn filled(&mut self, found: &Macro, given: &[Vec<Item>], depth: usize) -> Option<Vec<Item>> {
        let mut made: Vec<Item> = Vec::new();
        let body = &found.body;
        let pastes = |at: usize| body.get(at).is_some_and(|word| &**word == "##");
        for (at, word) in body.iter().enumerate().filter(|(at, _)| !pastes(*at)) {
            let pasted = at > 0 && pastes(at - 1);
            let names = found.parameters.iter().flatten();
            let argument = names.zip(given).find(|(name, _)| **name == **word);
            let mut by = match argument {
                Some((_, raw)) if pasted || pastes(at + 1) => raw.clone(),
                Some((_, raw)) => self.replaced(raw.clone(), depth + 1)?,
                None => vec![Item { piece: of_body(word), hidden: None }],
            }
            .into_iter();
            if let (true, Some(last)) = (pasted, made.last_mut())
                && let Some(first) = by.next()
            {
                last.piece.text = format!("{}{}", last.piece.text, first.piece.text).into();
            }
            self.budget = self.budget.checked_sub(by.len())?;
            made.extend(by);
        }
        Some(made)
    }

    /// Takes the arguments of a call, if this many follow, and returns them with the end of the
    /// call.
    fn arguments(&mut self, items: &mut Vec<Item>, count: usize) -> Option<Option<Call>> {
        if items.last().is_none_or(|item| !item.is("(")) {
            return Some(None);
        }
        let (mut depth, mut close, mut given) = (1, None, vec![Vec::new()]);
        for (at, item) in items.iter().enumerate().rev().skip(1) {
            self.budget = self.budget.checked_sub(1)?;
            depth += i32::from(item.is("(")) - i32::from(item.is(")"));
            match depth {
                0 => {
                    close = Some((at, item.piece.from.end));
                    break;
                }
                1 if item.is(",") => given.push(Vec::new()),
                _ => given.last_mut()?.push(item.clone()),
            }
        }
        if count == 0 && given.iter().all(Vec::is_empty) {
            given.clear();
        }
        let whole = close.filter(|_| given.len() == count);
        Some(whole.map(|(at, end)| {
            items.truncate(at);
            (given, end)
        }))
    }
}

fn of_body(word: &Rc<str>) -> Piece {
    let from = Span { start: (0, 0), end: (0, 0), is_macro: true };
    Piece { text: word.clone(), from, is_painted: false }
}
