//! Parts of grids: a block's matrix has the entries of the whole one.

use std::ops::Range;

use proptest::prelude::*;
use quadrille::Shape;
use quadrille::data::{
    self, ArrayError, Band, BandError, Block, Error, Float, NineBanded, SplitMix64, Stencil,
    random_couplings,
};

const STENCILS: [&str; 8] = [
    "poisson5:GRID",
    "fe9:GRID:anisotropy=0.01:angle=30",
    "heat9:GRID:step=0.3",
    "jump:GRID:ratio=1e9:cell=3",
    "jump:GRID:ratio=7:cell=1",
    "random:GRID:seed=5",
    "convection:GRID:angle=200:peclet=3",
    "neumann5:GRID",
];

fn random(n: usize, m: usize, seed: u64) -> NineBanded {
    let mut generator = SplitMix64::new(seed);
    random_couplings(n, m, || (generator.next() >> 40) as f32 / 8388608.0 - 1.0).unwrap()
}

/// The matrix without what couples across the ends of rows.
fn on_grid(matrix: &NineBanded) -> NineBanded {
    let m = matrix.m();
    let bands = Band::ALL.map(|band| {
        let mut entries = matrix.band(band).to_vec();
        for row in band.rows(matrix.n(), m) {
            if is_across(row, row.wrapping_add_signed(band.offset(m)), m) {
                entries[row] = 0.0;
            }
        }
        entries
    });
    NineBanded::new(m, bands).unwrap()
}

fn is_across(row: usize, column: usize, m: usize) -> bool {
    (row % m).abs_diff(column % m) > 1
}

/// Whether a block without whole rows has a number that is coupled across the end of its row.
fn cuts_ends(matrix: &NineBanded, block: &Block) -> bool {
    let (n, m) = (matrix.n(), matrix.m());
    let mut rows = block.rows.clone().flat_map(|row| block.in_row(row, n, m));
    let coupled = |row: usize| {
        (0..n).any(|column| is_across(row, column, m) && matrix.entry(row, column) != 0.0)
    };
    block.width() < m && rows.any(coupled)
}

/// Ranges of at least `least` that have all of `0..length` between them.
fn cuts(length: usize, least: usize, generator: &mut SplitMix64) -> Vec<Range<usize>> {
    let (mut ranges, mut start) = (Vec::new(), 0);
    while start < length {
        let end = start + least + generator.next() as usize % (length / 2 + 1);
        let end = if end + least > length { length } else { end };
        ranges.push(start..end);
        start = end;
    }
    ranges
}

fn blocks(n: usize, m: usize, generator: &mut SplitMix64) -> Vec<Block> {
    let columns = cuts(m, data::MIN_WIDTH, generator);
    let block = |rows: Range<usize>| {
        columns.iter().map(move |columns| Block { columns: columns.clone(), rows: rows.clone() })
    };
    cuts(n.div_ceil(m), 1, generator).into_iter().flat_map(block).collect()
}

/// The first entry of a block's matrix, by its row and column there, that is not that of the whole
/// one.
fn first_difference<T: Float>(
    part: &NineBanded<T>,
    block: &Block,
    whole: &NineBanded<T>,
) -> Option<(usize, usize)> {
    let (n, m) = (whole.n(), whole.m());
    let indices: Vec<usize> = block.rows.clone().flat_map(|row| block.in_row(row, n, m)).collect();
    assert_eq!((part.n(), part.m()), (indices.len(), block.width()));
    let differs = |row: usize, column: usize| {
        // Equal bits: no entry is -0.
        part.entry(row, column) != whole.entry(indices[row], indices[column])
    };
    let at = |row: usize| (0..part.n()).find(|&column| differs(row, column)).map(|at| (row, at));
    (0..part.n()).find_map(at)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn blocks_of_stencils_are_made_without_the_whole(
        width in 3_usize..14, height in 1_usize..12, seed in any::<u64>(),
    ) {
        let mut generator = SplitMix64::new(seed);
        for stencil in STENCILS {
            let text = stencil.replace("GRID", &format!("{width}x{height}"));
            let stencil: Stencil = text.parse().unwrap();
            let (single, double) = (stencil.matrix().unwrap(), stencil.matrix_f64().unwrap());
            for block in blocks(width * height, width, &mut generator) {
                let part = stencil.block(&block).unwrap();
                prop_assert_eq!(first_difference(&part, &block, &single), None, "{} {:?}", text, block);
                prop_assert!(part == single.block(&block).unwrap());
                let part = stencil.block_f64(&block).unwrap();
                prop_assert_eq!(first_difference(&part, &block, &double), None, "{} {:?}", text, block);
            }
        }
    }

    #[test]
    fn blocks_of_any_matrix_drop_what_leaves_them(
        n in 1_usize..150, m in 3_usize..14, seed in any::<u64>(),
    ) {
        let mut generator = SplitMix64::new(seed);
        let coupled = random(n, m, seed);
        for matrix in [on_grid(&coupled), coupled] {
            for block in blocks(n, m, &mut generator) {
                // The last row may end before the block begins.
                if block.len(n, m) == 0 {
                    prop_assert_eq!(matrix.block(&block).unwrap_err(), Error::Empty);
                } else if cuts_ends(&matrix, &block) {
                    let refused = matrix.block(&block).unwrap_err();
                    prop_assert!(matches!(refused, Error::Bands(BandError::AcrossEnds { .. })), "{}", refused);
                } else {
                    let difference = first_difference(&matrix.block(&block).unwrap(), &block, &matrix);
                    prop_assert_eq!(difference, None, "{} {} {:?}", n, m, block);
                }
            }
        }
    }

    #[test]
    fn blocks_of_coefficients_need_those_around_them(
        width in 3_usize..14, height in 1_usize..12, seed in any::<u64>(),
    ) {
        let mut generator = SplitMix64::new(seed);
        let shape = Shape::new(height, width);
        let uniform = || (generator.next() >> 11) as f64 + 1.0;
        let coefficients: Vec<f64> = std::iter::repeat_with(uniform).take(width * height).collect();
        let matrix = data::diffusion(shape, &coefficients).unwrap();
        for block in blocks(width * height, width, &mut SplitMix64::new(seed)) {
            let known = block.grown(1, width * height, width);
            let rows = known.rows.clone().flat_map(|row| known.in_row(row, width * height, width));
            let known: Vec<f64> = rows.map(|at| coefficients[at]).collect();
            let part = data::diffusion_block(shape, &block, &known).unwrap();
            prop_assert_eq!(first_difference(&part, &block, &matrix), None, "{:?}", block);
            let refused = data::diffusion_block(shape, &block, &known[1..]).unwrap_err();
            prop_assert!(matches!(refused, Error::Array(ArrayError::MatrixLength { .. })), "{}", refused);
        }
    }
}

#[test]
fn the_comparison_notices_each_changed_entry() {
    let matrix = random(60, 10, 1);
    let block = Block { columns: 2..7, rows: 1..6 };
    let part = matrix.block(&block).unwrap();
    for band in Band::ALL {
        let row = band.rows(part.n(), part.m()).start;
        let bands = Band::ALL.map(|changed| {
            let mut entries = part.band(changed).to_vec();
            entries[row] += if changed == band { 0.25 } else { 0.0 };
            entries
        });
        let changed = NineBanded::new(part.m(), bands).unwrap();
        assert!(first_difference(&changed, &block, &matrix).is_some(), "{band}");
    }
}

#[test]
fn a_block_beyond_the_grid_is_refused() {
    let stencil: Stencil = "heat9:9x4".parse().unwrap();
    let says = |columns, rows| {
        let block = Block { columns, rows };
        let [one, other] = [stencil.block(&block), stencil.matrix().unwrap().block(&block)];
        let (one, other) = (one.unwrap_err(), other.unwrap_err());
        assert_eq!(one, other);
        one.to_string()
    };
    let expected = "expected a block of columns in 0..9 and rows in 0..4, got columns";
    assert_eq!(says(4..10, 0..4), format!("{expected} 4..10 and rows 0..4"));
    assert_eq!(says(4..9, 2..2), format!("{expected} 4..9 and rows 2..2"));
    assert!(says(7..9, 0..4).starts_with("expected a width m of at least 3, got 2"));
}

/// Larger than any memory: 10^12 unknowns, of which a block is made.
#[test]
fn a_grid_may_be_larger_than_a_matrix() {
    let stencil: Stencil = "neumann5:1000000".parse().unwrap();
    let corner = Block { columns: 999_996..1_000_000, rows: 999_997..1_000_000 };
    let part = stencil.block(&corner).unwrap();
    assert_eq!((part.n(), part.m(), part.entry(11, 11), part.entry(0, 0)), (12, 4, 2.0, 4.0));
    assert!(matches!(stencil.matrix().unwrap_err(), Error::TooLarge { .. }));
    let refused = "poisson5:3x1073741825".parse::<Stencil>().unwrap_err().to_string();
    assert!(refused.starts_with("the height of the grid is 1073741825"), "{refused}");
}
