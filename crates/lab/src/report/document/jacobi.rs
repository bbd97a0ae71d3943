//! The figures that Göddeke's "GPGPU Performance Tuning" reports, and its sizes.

use quadrille::linalg::jacobi::Layout;

/// The MFLOP/s of the paper on its two graphics cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Claim {
    #[serde(rename = "5900U")]
    pub fx5900: Option<u32>,
    #[serde(rename = "6800")]
    pub gf6800: Option<u32>,
}

/// N, then 5900U RGBA, 5900U RED, 6800 RGBA, 6800 RED; 0 where the paper has no figure. RGBA
/// rows hold four systems of N / 4.
const TABLE: [[u32; 5]; 6] = [
    [4096, 807, 451, 283, 474],
    [16384, 1595, 594, 669, 1233],
    [65536, 1925, 639, 979, 1894],
    [262144, 1504, 643, 1083, 2238],
    [1048576, 1363, 632, 1002, 2358],
    [4194304, 1280, 0, 984, 2240],
];

pub fn sizes() -> Vec<usize> {
    TABLE.iter().map(|row| row[0] as usize).collect()
}

/// The rates that the paper reports for a size and a layout: RED and RGBA, with all optimizations.
pub fn claim(n: usize, layout: Layout) -> Option<Claim> {
    let [_, fx5900_rgba, fx5900_red, gf6800_rgba, gf6800_red] =
        *TABLE.iter().find(|row| row[0] as usize == n)?;
    let figure = |number: u32| (number > 0).then_some(number);
    match layout {
        Layout::Rgba => Some(Claim { fx5900: figure(fx5900_rgba), gf6800: figure(gf6800_rgba) }),
        Layout::Red => Some(Claim { fx5900: figure(fx5900_red), gf6800: figure(gf6800_red) }),
        // The paper has no others.
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_stand_where_the_paper_has_them() {
        let red = claim(1_048_576, Layout::Red);
        assert_eq!(red, Some(Claim { fx5900: Some(632), gf6800: Some(2358) }));
        let largest = claim(4_194_304, Layout::Red);
        assert_eq!(largest, Some(Claim { fx5900: None, gf6800: Some(2240) }));
        assert_eq!(claim(4096, Layout::Rgba).and_then(|c| c.fx5900), Some(807));
        assert_eq!(claim(4096, Layout::Packed), None);
        assert_eq!(claim(4097, Layout::Red), None);
    }
}
