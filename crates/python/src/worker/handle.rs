//! The handle of a Python object to an object on a worker's thread.

use std::ops::Deref;
use std::sync::Arc;

use super::state::{ObjectId, State};
use crate::error::Failure;
use crate::prelude::*;
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

impl<T: 'static> Handle<T> {
    /// Does work with the object on its thread.
    pub(crate) fn call<R: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut State, &T) -> Result<R, Failure> + Send + 'static,
    ) -> PyResult<R> {
        let object = self.object;
        self.worker.call(py, move |state, _| {
            let object = state.get(&object)?;
            work(state, &object)
        })
    }

    /// Stores what work with the object makes.
    pub(crate) fn make<U: 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut State, &T) -> Result<U, Failure> + Send + 'static,
    ) -> PyResult<Arc<Handle<U>>> {
        let object = self.object;
        self.worker.make(py, move |state| {
            let object = state.get(&object)?;
            work(state, &object)
        })
    }
}

impl Worker {
    /// Stores what work makes. It has a handle from then on, so that it is forgotten if the call is
    /// interrupted.
    pub(crate) fn make<T: 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut State) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<Arc<Handle<T>>> {
        let keeper = self.clone();
        self.call(py, move |state, _| {
            let made = work(state)?;
            Ok(keeper.keep(state, made))
        })
    }

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
