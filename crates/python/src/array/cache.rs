//! What device arrays need again: compiled expressions, transforms and sorts.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;

use crate::error::Failure;

/// Values by their keys, at most `MOST`: each has tables, programs or textures on the device.
pub(super) struct Cache<Key, Value, const MOST: usize = 16>(RefCell<HashMap<Key, Rc<Value>>>);

impl<Key: Hash + Eq, Value, const MOST: usize> Cache<Key, Value, MOST> {
    pub(super) fn new(_: &quadrille::Context) -> Cache<Key, Value, MOST> {
        Cache(RefCell::default())
    }

    /// Returns the value of a key, computed if it is not there; a full cache is emptied first.
    pub(super) fn get_or(
        &self,
        key: Key,
        compute: impl FnOnce(&Key) -> Result<Value, Failure>,
    ) -> Result<Rc<Value>, Failure> {
        if let Some(known) = self.0.borrow().get(&key) {
            return Ok(known.clone());
        }
        let value = Rc::new(compute(&key)?);
        let mut all = self.0.borrow_mut();
        if all.len() >= MOST {
            all.clear();
        }
        all.insert(key, value.clone());
        Ok(value)
    }
}
