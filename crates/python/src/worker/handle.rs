//! The handle of a Python object to an object on a worker's thread.

use std::ops::Deref;
use std::sync::Arc;

use super::state::{ObjectId, State};
use crate::worker::Worker;

/// An object on a worker's thread, which is forgotten there when this is dropped.
pub(crate) struct Handle<T> {
    pub(crate) worker: Worker,
    object: ObjectId<T>,
}

impl<T> Handle<T> {
    /// Creates the handle of an object whose id [`super::state::State::keep`] of this worker
    /// returned.
    pub(crate) fn new(worker: &Worker, object: ObjectId<T>) -> Handle<T> {
        Handle { worker: worker.clone(), object }
    }

    /// Returns the id, for work that may outlive the handle: then it finds no object.
    pub(crate) fn id(&self) -> ObjectId<T> {
        self.object
    }
}

impl Worker {
    /// Stores an object in the state of this worker, and returns a handle that arrays share.
    pub(crate) fn keep<T: 'static>(&self, state: &mut State, object: T) -> Arc<Handle<T>> {
        Arc::new(Handle::new(self, state.keep(object)))
    }
}

impl<T> Deref for Handle<T> {
    type Target = ObjectId<T>;

    fn deref(&self) -> &ObjectId<T> {
        &self.object
    }
}

impl<T> Drop for Handle<T> {
    fn drop(&mut self) {
        self.worker.forget(self.object.id);
    }
}
