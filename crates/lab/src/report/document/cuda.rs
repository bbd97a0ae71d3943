//! The figures of the tutorial "Parallel programming using CUDA" (2010). It does not give the size
//! of its matrices.

use quadrille::linalg::matmul::Method;

/// Seconds of its own loop on the host, of tiles, and of tiles in shared memory.
pub const METHODS: [&str; 3] = ["serial-by-columns", "compute-tiled", "compute-shared"];

/// The table of seconds, by the type of number.
const SECONDS: [(&str, [f64; 3]); 2] = [("short", [22.7, 5.8, 2.5]), ("float", [32.1, 5.7, 2.5])];

/// The seconds on a GeForce 470 GTX, from a comment that names no type except float for the host.
const LATER: [f64; 3] = [32.49, 0.299, 0.165];

pub fn seconds(numbers: &str) -> Option<[f64; 3]> {
    SECONDS.iter().find(|(name, _)| *name == numbers).map(|(_, seconds)| *seconds)
}

pub fn place(method: &str) -> Option<usize> {
    METHODS.iter().position(|name| *name == method)
}

/// The speedup of a method on the device over the loop on the host.
pub fn speedup(method: Method, numbers: &str) -> Option<f64> {
    over_host(seconds(numbers)?, method.name())
}

/// The speedup on the later device, for float.
pub fn later_speedup(method: &str, numbers: &str) -> Option<f64> {
    (numbers == "float").then(|| over_host(LATER, method)).flatten()
}

fn over_host(seconds: [f64; 3], method: &str) -> Option<f64> {
    place(method).filter(|place| *place > 0).map(|place| seconds[0] / seconds[place])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speedups_are_those_of_its_tiles() {
        let shared = speedup(Method::ComputeShared, "float");
        assert!(shared.is_some_and(|times| (times - 12.84).abs() < 1e-9));
        assert_eq!(speedup(Method::Cp, "float"), None);
        assert_eq!(speedup(Method::ComputeTiled, "int"), None);
        assert_eq!(later_speedup("compute-tiled", "short"), None);
    }
}
