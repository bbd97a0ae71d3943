//! Sweeps one option of a method over all its values: the papers' questions.

use super::{Contender, Row};
use crate::report::names::named_enum;
use quadrille::linalg::matmul::{Cover, Mapping, Method, Options, Tile};
use quadrille::stream::{Engine, Order};

named_enum! {
    pub enum Sweep {
        /// Quads of tiles in every order, one quad, one triangle; sizes of work groups. Slide 12,
        /// and the CUDA tutorial's open question.
        Tile => "tile",
        /// Steps along k in a trip of the loop. Slide 12.
        Unroll => "unrolling",
        /// The transposed operands, and padding. Slide 12.
        Mapping => "mapping",
    }
}

impl Sweep {
    /// The methods that it asks, where no one names others.
    pub fn methods(self) -> &'static [Method] {
        match self {
            Sweep::Tile => {
                &[Method::Sp, Method::Block8x4, Method::ComputeTiled, Method::ComputeShared]
            }
            Sweep::Unroll => &[Method::Cp, Method::Sp],
            Sweep::Mapping => &[Method::Cp, Method::Sp, Method::Block8x4],
        }
    }

    pub fn is_named_in(self, wish: &Options) -> bool {
        match self {
            Sweep::Tile => wish.tile.is_some() || wish.order.is_some() || wish.cover.is_some(),
            Sweep::Unroll => wish.unroll.is_some(),
            Sweep::Mapping => wish.mapping.is_some(),
        }
    }

    /// A method at all values of the option, for matrices of this size, its other options as
    /// `plain` has them; none where it does not have the option.
    pub fn contenders(self, method: Method, plain: Options, n: usize) -> Vec<Contender> {
        let drawn = method.engine() == Some(Engine::Fragment);
        let wishes = match self {
            Sweep::Tile if drawn => tiles(plain, n),
            Sweep::Tile => groups(method, plain, n),
            Sweep::Unroll if drawn => unrolls(method, plain, n),
            Sweep::Mapping if drawn => mappings(plain),
            _ => Vec::new(),
        };
        wishes.into_iter().map(|wish| Contender::Method(method, wish)).collect()
    }
}

/// Sides of quads, in elements of C.
const SIDES: [u32; 6] = [8, 16, 32, 64, 128, 256];

fn tiles(plain: Options, n: usize) -> Vec<Options> {
    let mut wishes: Vec<Options> = Cover::ALL.map(|cover| plain.cover(cover)).into();
    for side in
        SIDES.into_iter().filter(|side| (*side as usize) < n && n.is_multiple_of(*side as usize))
    {
        let tile = Tile { width: side, height: side };
        wishes.extend(Order::ALL.map(|order| plain.tile(tile).order(order)));
    }
    wishes
}

const GROUPS: [(u32, u32); 8] =
    [(4, 4), (8, 8), (16, 8), (16, 16), (32, 8), (32, 32), (256, 1), (1, 256)];

fn groups(method: Method, plain: Options, n: usize) -> Vec<Options> {
    let fits = |(width, height): &(u32, u32)| {
        let square = width == height || method == Method::ComputeTiled;
        square && n.is_multiple_of(*width as usize) && n.is_multiple_of(*height as usize)
    };
    if !method.options().contains(&"tile") {
        return Vec::new();
    }
    let groups = GROUPS.into_iter().filter(fits);
    let tiles = groups.map(|(width, height)| Tile { width, height });
    tiles.map(|tile| plain.tile(tile)).collect()
}

fn unrolls(method: Method, plain: Options, n: usize) -> Vec<Options> {
    // Elements of k in a step.
    let along = match method {
        Method::Cp => 4,
        Method::Sp => 2,
        _ => 1,
    };
    let all = n.div_ceil(along).clamp(1, MOST) as u32;
    let powers = (0..8).map(|power| 1 << power).filter(|unroll| *unroll < all);
    powers.chain([all]).map(|unroll| plain.unroll(unroll)).collect()
}

/// The most that a shader can unroll.
const MOST: usize = 1023;

fn mappings(plain: Options) -> Vec<Options> {
    let mut wishes = Vec::new();
    for padding in [0, 5] {
        for (a_transposed, b_transposed) in
            [(false, false), (true, false), (false, true), (true, true)]
        {
            let mapping = Mapping { a_transposed, b_transposed, padding, strips: 0 };
            wishes.push(plain.mapping(mapping));
        }
    }
    // In blocks: strips along k of A, and of B along k or across it.
    for b_transposed in [false, true] {
        let mapping = Mapping { a_transposed: false, b_transposed, padding: 0, strips: STRIP };
        wishes.push(plain.mapping(mapping));
    }
    wishes
}

/// A strip of a blocked mapping in texels: a kilobyte.
const STRIP: u32 = 64;

#[derive(Clone, Copy, Debug)]
pub struct Finding<'a> {
    pub best: &'a Row,
    pub worst: &'a Row,
    pub ratio: f64,
}

/// The best and the worst of each method at each size, where there are several to compare.
pub fn findings(rows: &[Row]) -> Vec<Finding<'_>> {
    let same =
        |one: &Row, other: &Row| one.n == other.n && one.contender.name() == other.contender.name();
    let mut findings: Vec<Finding<'_>> = Vec::new();
    for row in rows {
        let Some(finding) = findings.iter_mut().find(|finding| same(finding.best, row)) else {
            findings.push(Finding { best: row, worst: row, ratio: 1.0 });
            continue;
        };
        if row.summary.median_ms < finding.best.summary.median_ms {
            finding.best = row;
        }
        if row.summary.median_ms > finding.worst.summary.median_ms {
            finding.worst = row;
        }
        finding.ratio = finding.worst.summary.median_ms / finding.best.summary.median_ms.max(1e-12);
    }
    findings.retain(|finding| !std::ptr::eq(finding.best, finding.worst));
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(sweep: Sweep, method: Method, n: usize) -> Vec<String> {
        sweep.contenders(method, method.into(), n).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn tiles_come_in_all_orders_beside_a_quad_and_a_triangle() {
        assert_eq!(
            texts(Sweep::Tile, Method::Sp, 16),
            [
                "sp cover=quad",
                "sp cover=triangle",
                "sp tile=8x8 order=rows",
                "sp tile=8x8 order=columns",
                "sp tile=8x8 order=morton",
                "sp tile=8x8 order=hilbert"
            ]
        );
        assert_eq!(texts(Sweep::Tile, Method::Sp, 1024).len(), 2 + 6 * 4);
        let shared = texts(Sweep::Tile, Method::ComputeShared, 24);
        assert_eq!(shared, ["compute-shared tile=4x4", "compute-shared tile=8x8"]);
        assert!(texts(Sweep::Tile, Method::Serial, 24).is_empty());
    }

    #[test]
    fn the_options_that_do_not_vary_stay() {
        let plain: Options = "cp reads=fetch passes=2".parse().unwrap();
        let all = Sweep::Unroll.contenders(Method::Cp, plain, 8);
        let all: Vec<String> = all.iter().map(ToString::to_string).collect();
        assert_eq!(all, ["cp unroll=1 passes=2 reads=fetch", "cp unroll=2 passes=2 reads=fetch"]);
        assert!(!Sweep::Unroll.is_named_in(&plain));
        assert!(Sweep::Unroll.is_named_in(&all[0].parse().unwrap()));
    }

    #[test]
    fn unrolling_ends_with_the_whole_loop() {
        assert_eq!(
            texts(Sweep::Unroll, Method::Cp, 16),
            ["cp unroll=1", "cp unroll=2", "cp unroll=4"]
        );
        let sp = texts(Sweep::Unroll, Method::Sp, 1024);
        assert_eq!(
            (sp.len(), sp[7].as_str(), sp[8].as_str()),
            (9, "sp unroll=128", "sp unroll=512")
        );
        assert!(texts(Sweep::Unroll, Method::ComputeTiled, 16).is_empty());
    }
}
