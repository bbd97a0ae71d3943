//! The macros of a text, and what each may stand for.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::tokens::{name, words};
use super::verdict::Verdict;

/// The macros that are defined at a place of a text.
#[derive(Default)]
pub(super) struct Macros {
    known: HashMap<Rc<str>, Meanings>,
}

/// What a name may stand for.
pub(super) struct Meanings {
    /// Whether it may be no macro.
    itself: bool,
    macros: Vec<Macro>,
}

/// A macro, read where it is first used: most are not.
pub(super) struct Macro {
    /// What stands behind its name.
    text: String,
    read: OnceCell<Definition>,
}

pub(super) struct Definition {
    /// The names of its arguments, if it takes any.
    pub(super) parameters: Option<Vec<Rc<str>>>,
    pub(super) body: Vec<Rc<str>>,
}

/// What becomes of a name of which only the driver knows which macro it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Several {
    /// It stands for each of them, with `;` between.
    Each,
    /// The last counts if it begins a declaration; any other name stays, such as a type's.
    Declaring,
}

impl Macros {
    /// Takes what stands behind `#define`.
    pub(super) fn define(&mut self, text: &str, is_certain: bool) {
        let word = name(text);
        let meaning = Macro { text: text[word.len()..].to_owned(), read: OnceCell::new() };
        if is_certain {
            self.known.insert(word.into(), Meanings { itself: false, macros: vec![meaning] });
            return;
        }
        let unknown = || Meanings { itself: true, macros: Vec::new() };
        let known = self.known.entry(word.into()).or_insert_with(unknown);
        if known.macros.last().is_none_or(|last| last.text != meaning.text) {
            known.macros.push(meaning);
        }
    }

    /// Takes what stands behind `#undef`.
    pub(super) fn undefine(&mut self, text: &str, is_certain: bool) {
        if is_certain {
            self.forget(name(text));
        } else if let Some(known) = self.known.get_mut(name(text)) {
            known.itself = true;
        }
    }

    /// Notes that a name is certainly no macro.
    pub(super) fn forget(&mut self, name: &str) {
        self.known.insert(name.into(), Meanings { itself: true, macros: Vec::new() });
    }

    /// Returns whether a name is defined. `None` if the text says nothing of it.
    pub(super) fn is_defined(&self, name: &str) -> Option<Verdict> {
        let known = self.known.get(name)?;
        Some(match (known.itself, known.macros.is_empty()) {
            (false, _) => Verdict::Yes,
            (true, false) => Verdict::Maybe,
            (true, true) => Verdict::No,
        })
    }

    /// Returns what a name stands for, if the text says anything of it.
    pub(super) fn get(&self, name: &str) -> Option<&Meanings> {
        self.known.get(name)
    }
}

impl Meanings {
    /// Returns what counts: whether the name may stand for itself, and macros.
    pub(super) fn counting(&self, several: Several) -> (bool, &[Macro]) {
        match (several, self.macros.as_slice()) {
            (Several::Each, all) => (self.itself, all),
            (Several::Declaring, [one]) => (false, std::slice::from_ref(one)),
            (Several::Declaring, [.., last]) if last.is_storage() => {
                (false, std::slice::from_ref(last))
            }
            (Several::Declaring, _) => (true, &[]),
        }
    }
}

impl Macro {
    pub(super) fn definition(&self) -> &Definition {
        self.read.get_or_init(|| Definition::of(&self.text))
    }

    /// Returns the names of its arguments, if it takes any.
    pub(super) fn parameters(&self) -> Option<&[Rc<str>]> {
        self.definition().parameters.as_deref()
    }

    /// Returns whether it begins a declaration.
    fn is_storage(&self) -> bool {
        let words = ["in", "out", "attribute", "varying", "uniform", "flat"];
        self.definition().body.first().is_some_and(|word| words.contains(&&**word))
    }
}

impl Definition {
    fn of(text: &str) -> Definition {
        let with_arguments = text.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let (parameters, body) = match with_arguments {
            Some((names, body)) => {
                let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
                (Some(names.map(Rc::from).collect()), body)
            }
            None => (None, text),
        };
        Definition { parameters, body: words(body).map(|(_, text)| Rc::from(text)).collect() }
    }
}
