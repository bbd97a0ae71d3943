//! Scans of numbers of the host, one after the other.

/// Returns for each number what an operation makes of all up to it, or with `exclusive` before it,
/// from the last start of a segment on.
pub fn scan<T: Copy>(
    x: &[T],
    starts: Option<&[u32]>,
    exclusive: bool,
    identity: T,
    join: impl Fn(T, T) -> T,
) -> Vec<T> {
    let mut running = identity;
    let step = |(at, number): (usize, &T)| {
        if starts.is_some_and(|starts| starts[at] != 0) {
            running = identity;
        }
        let before = running;
        running = join(running, *number);
        if exclusive { before } else { running }
    };
    x.iter().enumerate().map(step).collect()
}
