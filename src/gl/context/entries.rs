//! The calls into OpenGL of all threads, by which a front end sees that one does not return.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

static BEGUN: AtomicU64 = AtomicU64::new(0);
static ENDED: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// The calls that this thread is inside of: one that waits makes others.
    static DEPTH: Cell<i32> = const { Cell::new(0) };
}

/// Returns how many calls the threads of this process have begun, and how many have ended. Some have
/// lasted since an earlier look if both numbers are as they were then, and differ.
pub fn entries() -> (u64, u64) {
    let ended = ENDED.load(Ordering::Relaxed);
    (BEGUN.load(Ordering::Relaxed), ended)
}

/// A call, or a wait of many calls, which counts as one.
pub(crate) struct Call(());

impl Call {
    pub(crate) fn begin() -> Call {
        if change(1).unwrap_or(1) == 1 {
            BEGUN.fetch_add(1, Ordering::Relaxed);
        }
        Call(())
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        if change(-1).unwrap_or(0) == 0 {
            ENDED.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Changes the depth, and returns it; `None` at the end of a thread, whose own storage is gone.
fn change(by: i32) -> Option<i32> {
    let changed = DEPTH.try_with(|depth| {
        depth.set(depth.get() + by);
        depth.get()
    });
    changed.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_within_a_call_is_part_of_it() {
        let outer = Call::begin();
        assert_eq!(DEPTH.get(), 1);
        let inner = Call::begin();
        assert_eq!(DEPTH.get(), 2);
        drop(outer); // In either order: the inner one may last longer.
        assert_eq!(DEPTH.get(), 1);
        assert_ne!(entries().0, entries().1, "this one lasts");
        drop(inner);
        assert_eq!(DEPTH.get(), 0);
    }
}
