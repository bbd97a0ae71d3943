//! A thread with a stack for drivers' compilers, which descend an expression by recursion.

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

/// Address space, of which the system fills what is used. It takes expressions of a hundred thousand terms.
const LARGEST: usize = 256 << 20;
/// What the main thread usually has.
const USUAL: usize = 8 << 20;

/// Runs work on a stack as large as there is room for.
pub(super) fn run<R: Send>(work: &(dyn Fn() -> R + Sync)) -> R {
    let mut size = LARGEST;
    scope(|scope| {
        while size > USUAL {
            let thread = Builder::new().name("quadrille".into()).stack_size(size);
            match thread.spawn_scoped(scope, work) {
                Ok(thread) => return thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                Err(_) => size /= 2,
            }
        }
        work()
    })
}
