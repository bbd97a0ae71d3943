//! The lock of software renderers, which threads enter one at a time.
//!
//! Mesa's llvmpipe walks what every context of the process has drawn, those of other threads too,
//! wherever it asks whether a texture is in use (`llvmpipe_flush_resource`): under a lock of the
//! list of contexts, and not of their scenes. Two threads that draw at the same time, each in a
//! context of its own, end the process by a segmentation fault now and then. So entries into
//! software renderers take turns, over all threads. Hardware is entered by every thread at once.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::entries::Call;

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

thread_local! {
    /// The number of times this thread holds the lock, and the guard of the outermost one.
    static HELD: RefCell<(usize, Option<MutexGuard<'static, ()>>)> = const { RefCell::new((0, None)) };
}

/// A guard: no other thread is inside a software renderer. One thread may take it several times.
pub(crate) struct RendererLock {
    /// Keeps the guard on its own thread, where it must be dropped.
    stays: PhantomData<*const ()>,
}

impl RendererLock {
    pub(crate) fn take() -> RendererLock {
        // At the end of a thread its own storage may be gone, and the lock with it.
        let _ = HELD.try_with(|held| {
            let (depth, lock) = &mut *held.borrow_mut();
            if *depth == 0 {
                *lock = Some(ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner));
            }
            *depth += 1;
        });
        RendererLock { stays: PhantomData }
    }
}

impl Drop for RendererLock {
    fn drop(&mut self) {
        let _ = HELD.try_with(|held| {
            let (depth, lock) = &mut *held.borrow_mut();
            *depth -= 1;
            if *depth == 0 {
                *lock = None;
            }
        });
    }
}

/// A context that is current, and the lock that this takes.
pub(crate) struct Entered<'a> {
    gl: &'a glow::Context,
    _lock: Option<RendererLock>,
    _call: Call,
}

impl<'a> Entered<'a> {
    pub(crate) fn new(gl: &'a glow::Context, lock: Option<RendererLock>) -> Entered<'a> {
        Entered { gl, _lock: lock, _call: Call::begin() }
    }
}

impl Deref for Entered<'_> {
    type Target = glow::Context;

    fn deref(&self) -> &glow::Context {
        self.gl
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn the_lock_waits_for_another_threads_and_not_for_its_own() {
        static INSIDE: AtomicBool = AtomicBool::new(false);
        let work = || {
            for _ in 0..100 {
                let outer = RendererLock::take();
                let inner = RendererLock::take();
                // In either order: the inner one may last longer.
                drop(outer);
                assert!(!INSIDE.swap(true, Ordering::SeqCst));
                std::thread::yield_now();
                INSIDE.store(false, Ordering::SeqCst);
                drop(inner);
            }
        };
        let threads = [(); 4].map(|()| std::thread::spawn(work));
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    }
}
