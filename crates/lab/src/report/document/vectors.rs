//! The figures of Thompson, Hahn and Oskin, "Using Modern Graphics Architectures for
//! General-Purpose Computing" (2002): a GeForce4 Ti4600 and a 1.5 GHz Pentium 4.

/// The milliseconds of the paper, measured with a resolution of 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Claim {
    /// The time of C++ on the Pentium 4.
    pub cpu_ms: u32,
    /// The time of the vertex program, transfers included.
    pub gpu_ms: u32,
}

/// The sizes of table 4. The paper prints the last as 1000000 again.
pub const SIZES: [usize; 4] = [10_000, 100_000, 1_000_000, 10_000_000];

/// Table 4: CPU and GPU at each size.
const TABLE_4: [(&str, [[u32; 2]; 4]); 3] = [
    ("arithmetic", [[0, 10], [10, 10], [120, 20], [1220, 190]]),
    ("exponents", [[10, 0], [50, 0], [420, 30], [4180, 250]]),
    ("factorial", [[0, 10], [20, 10], [170, 40], [1650, 330]]),
];

/// The entry of table 4 for a program and a size.
pub fn claim(program: &str, n: usize) -> Option<Claim> {
    let (_, row) = TABLE_4.iter().find(|(name, _)| *name == program)?;
    let column = SIZES.iter().position(|size| *size == n)?;
    row.get(column).map(|[cpu_ms, gpu_ms]| Claim { cpu_ms: *cpu_ms, gpu_ms: *gpu_ms })
}

/// Figure 5: elements, and how many times the time grows over 12 times the opcodes.
pub const MULS_SIZE: usize = 1_000_000;
pub const MULS_OPCODES: [usize; 12] = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120];
/// The factor by which the time of figure 5 grows from its first to its last number of opcodes.
pub const MULS_GROWTH: f64 = 3.0;

/// Table 5: opcodes, elements, milliseconds in all, milliseconds of reading back.
pub const RETRIEVAL_OPCODES: usize = 50;
pub const RETRIEVAL_SIZE: usize = 5_000_000;
/// Milliseconds of table 5 in all, and to read back.
pub const RETRIEVAL_MS: [f64; 2] = [140.0, 30.0];

/// Section 5.1, advertised of the card: 10^6 vertices a second, what the paper makes of it with 15
/// opcodes a vertex in 10^9 opcodes a second, and GB/s of its memory.
pub const ADVERTISED: [f64; 3] = [136.0, 2.04, 10.4];

/// Figure 6: the size of the matrices for which the paper gives a number.
pub const PRODUCT_SIZE: usize = 1500;
/// The speedup of the GPU there.
pub const PRODUCT_SPEEDUP: f64 = 3.2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_stand_where_the_paper_has_them() {
        let at = |program, n| claim(program, n).map(|claim| (claim.cpu_ms, claim.gpu_ms));
        assert_eq!(at("arithmetic", 10_000_000), Some((1220, 190)));
        assert_eq!(at("exponents", 10_000), Some((10, 0)));
        assert_eq!(at("factorial", 1_000_000), Some((170, 40)));
        assert_eq!([at("muls", 1_000_000), at("factorial", 999)], [None; 2]);
    }
}
