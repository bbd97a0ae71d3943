//! The owner of a GL object of any kind: it is created once, counted while it lives, and deleted
//! once.

use std::cell::Cell;
use std::rc::Rc;

use super::kind::Name;
use crate::gl::context::Shared;
use crate::gl::{Context, Error, Result};

/// Owns one GL object. Not `Clone`: dropping it queues the id, and the context deletes it at the
/// next entry, when it is certain to be current.
pub(crate) struct Owned<N: Name> {
    shared: Rc<Shared>,
    name: N,
    bytes: Cell<u64>,
    given_up: Cell<bool>,
}

impl<N: Name> Owned<N> {
    /// Enters the context and makes the object.
    pub(crate) fn make(
        context: &Context,
        create: impl FnOnce(&glow::Context) -> Result<N, String>,
    ) -> Result<Self> {
        let gl = context.shared.enter()?;
        context.shared.make_room()?;
        match create(&gl) {
            Ok(name) => {
                context.shared.made.set(context.shared.made.get() + 1);
                Ok(Owned::adopt(context, name))
            }
            Err(detail) => Err(context.shared.failure("making an object", &detail)),
        }
    }

    /// Owns an object of this context that nothing else owns.
    pub(crate) fn adopt(context: &Context, name: N) -> Self {
        context.shared.born(name.id().kind());
        let shared = Rc::clone(&context.shared);
        Owned { shared, name, bytes: Cell::new(0), given_up: Cell::new(false) }
    }

    /// Leaves the object to the caller: it is no longer counted, and dropping this does not delete
    /// it.
    pub(crate) fn give_up(&self) -> N {
        if !self.given_up.replace(true) {
            self.shared.gone(self.name.id().kind(), self.bytes.get());
        }
        self.name
    }

    /// Counts its bytes on the device, once they are allocated.
    pub(crate) fn takes(&self, bytes: u64) {
        self.shared.allocated(bytes);
        self.bytes.set(self.bytes.get() + bytes);
    }

    pub(crate) fn name(&self) -> N {
        self.name
    }

    /// Returns the context it lives in.
    pub(crate) fn context(&self) -> Context {
        Context { shared: Rc::clone(&self.shared) }
    }

    pub(crate) fn shared(&self) -> &Rc<Shared> {
        &self.shared
    }

    /// Refuses an object that does not live in this context.
    pub(crate) fn must_live_in(&self, context: &Context, what: &str) -> Result<()> {
        if Rc::ptr_eq(&self.shared, &context.shared) {
            Ok(())
        } else {
            Err(Error::Foreign { what: what.to_owned() })
        }
    }
}

impl<N: Name> Drop for Owned<N> {
    fn drop(&mut self) {
        if !self.given_up.get() {
            self.shared.discard(self.name.id(), self.bytes.get());
        }
    }
}
