//! What is made when it is first needed, and kept.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;

/// Values by keys, such as kernels by what they compute.
pub(crate) struct Kept<K, V>(RefCell<HashMap<K, Rc<V>>>);

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Kept(RefCell::default())
    }
}

impl<K: Clone + Eq + Hash, V> Kept<K, V> {
    /// Returns the value of a key, which is made where there is none yet.
    pub(crate) fn get_or<E>(
        &self,
        key: &K,
        make: impl FnOnce() -> Result<V, E>,
    ) -> Result<Rc<V>, E> {
        if let Some(value) = self.0.borrow().get(key) {
            return Ok(Rc::clone(value));
        }
        let made = Rc::new(make()?);
        self.0.borrow_mut().insert(key.clone(), Rc::clone(&made));
        Ok(made)
    }
}

/// Returns what is kept, which is made where there is nothing yet.
#[cfg(feature = "primitives")]
pub(crate) fn made_once<V, E>(
    kept: &mut Option<V>,
    make: impl FnOnce() -> Result<V, E>,
) -> Result<&mut V, E> {
    made_unless(kept, |_| true, make)
}

/// Returns what is kept if it fits; otherwise it is dropped, and another one is made.
#[cfg(feature = "primitives")]
pub(crate) fn made_unless<V, E>(
    kept: &mut Option<V>,
    fits: impl FnOnce(&V) -> bool,
    make: impl FnOnce() -> Result<V, E>,
) -> Result<&mut V, E> {
    Ok(match kept.take().filter(fits) {
        Some(value) => kept.insert(value),
        None => kept.insert(make()?),
    })
}
