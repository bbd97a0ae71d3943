//! The macros that a token came out of, which do not replace it again.

use std::rc::Rc;

/// The names of macros, the last first.
#[derive(Clone, Debug, Default)]
pub(super) struct Hidden(Option<Rc<Name>>);

#[derive(Debug)]
struct Name {
    name: Rc<str>,
    others: Hidden,
    count: usize,
}

impl Hidden {
    /// Returns how many there are.
    pub(super) fn count(&self) -> usize {
        self.0.as_ref().map_or(0, |last| last.count)
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        let mut next = &self.0;
        while let Some(last) = next {
            if *last.name == *name {
                return true;
            }
            next = &last.others.0;
        }
        false
    }

    pub(super) fn with(self, name: Rc<str>) -> Hidden {
        let count = self.count() + 1;
        Hidden(Some(Rc::new(Name { name, others: self, count })))
    }
}
