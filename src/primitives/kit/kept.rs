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

impl<K: Eq + Hash, V> Kept<K, V> {
    /// Returns the value of a key, which is made where there is none yet.
    pub(crate) fn get_or<E>(
        &self,
        key: K,
        make: impl FnOnce() -> Result<V, E>,
    ) -> Result<Rc<V>, E> {
        let known = self.0.borrow().get(&key).cloned();
        if let Some(value) = known {
            return Ok(value);
        }
        let made = Rc::new(make()?);
        self.0.borrow_mut().insert(key, Rc::clone(&made));
        Ok(made)
    }
}
