//! A thread with a stack for drivers' compilers, which descend an expression by recursion.

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

/// Address space, of which the system fills what is used. It takes expressions of a hundred
/// thousand terms.
const LARGEST: usize = 256 << 20;
/// The usual stack of the main thread.
const USUAL: usize = 8 << 20;

/// Runs work on a stack as large as memory allows.
pub(crate) fn run<R: Send>(work: &(dyn Fn() -> R + Sync)) -> R {
    let mut size = size(&std::fs::read_to_string("/proc/self/limits").unwrap_or_default());
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

/// A small part of the address space, where that is limited (`ulimit -v`): the driver needs the
/// rest.
fn size(limits: &str) -> usize {
    let limit = limits.lines().find_map(|line| line.strip_prefix("Max address space"));
    let soft = limit.and_then(|limit| limit.split_whitespace().next());
    // The word `unlimited` is no number.
    soft.and_then(|bytes| bytes.parse::<usize>().ok())
        .map_or(LARGEST, |bytes| LARGEST.min(bytes / 16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limited_address_space_leaves_the_driver_most_of_it() {
        let limits = |soft| {
            format!("Limit  Soft  Hard  Units\nMax address space  {soft}  unlimited  bytes\n")
        };
        assert_eq!(size(&limits("unlimited")), LARGEST);
        assert_eq!(size(&limits("1024000000")), 64_000_000);
        assert_eq!(size(&limits("1000")), 62);
        assert_eq!(size(""), LARGEST);
    }
}
