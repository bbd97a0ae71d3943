//! What Python objects hold of an object on a worker's thread.

use std::ops::Deref;

use crate::state::Number;
use crate::worker::Worker;

/// An object on a worker's thread, which is forgotten there when this is dropped.
pub(crate) struct Handle<T> {
    pub(crate) worker: Worker,
    number: Number<T>,
}

impl<T> Handle<T> {
    /// The object of a number that [`crate::state::State::keep`] of this worker returned.
    pub(crate) fn new(worker: &Worker, number: Number<T>) -> Handle<T> {
        Handle { worker: worker.clone(), number }
    }
}

impl<T> Deref for Handle<T> {
    type Target = Number<T>;

    fn deref(&self) -> &Number<T> {
        &self.number
    }
}

impl<T> Drop for Handle<T> {
    fn drop(&mut self) {
        self.worker.forget(self.number.number);
    }
}
