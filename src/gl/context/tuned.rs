//! The tuned choices that a context uses.

use super::Context;
use crate::gl::device::tuned::{Entry, nearest};

impl Context {
    /// Uses these tuned choices of an operation from now on, instead of those before; without any
    /// the defaults for this kind of device. What was made before, as a `Jacobi`, stays as it is.
    /// [`choice`](crate::stream::choice) lists the operations; a choice that is not one of theirs,
    /// or that the context cannot run, is ignored.
    ///
    /// ```
    /// use quadrille::{Context, linalg::blas1::Blas1, stream::{Engine, choice::Entry}};
    /// let context = Context::headless()?;
    /// context.use_tuned("blas1", vec![Entry::new(1 << 20, "fragment", 1.0)]);
    /// assert_eq!(Blas1::new(&context).engine(), Engine::Fragment);
    /// # Ok::<(), quadrille::gl::Error>(())
    /// ```
    pub fn use_tuned(&self, operation: impl Into<String>, entries: Vec<Entry>) {
        self.shared.tuned.borrow_mut().insert(operation.into(), entries);
    }

    /// Returns the tuned choice of the nearest size, by their ratio, if there is one.
    pub fn tuned(&self, operation: &str, size: usize) -> Option<Entry> {
        let tuned = self.shared.tuned.borrow();
        nearest(tuned.get(operation)?, size).cloned()
    }
}
