//! Products over several ranks of one process, each with a context of its own.

use crate::common::{Flavour, is_thorough};
use quadrille::cluster::matmul::{Error, Layout, Options, Part, Rank, RankGrid, Summary, multiply};
use quadrille::cluster::{Communicator, InProcess, Incoming, Outgoing};
use quadrille::data::{Block, Matrix};
use quadrille::error::Kind;
use quadrille::internal::Ability;
use quadrille::internal::reference::matmul::expected;
use quadrille::linalg::DeviceMatrix;
use quadrille::linalg::matmul::{self, Accumulator, Element, Method};
use quadrille::{Context, Shape};
use quadrille::{Control, Progress};

/// C and what it took, from parts of A and B that hold no more than their ranks need.
fn product_by<T: Element>(
    ranks: &dyn Communicator,
    contexts: &[Context],
    (a, b): (&Matrix<T>, &Matrix<T>),
    options: Options,
) -> Result<(Matrix<T>, Summary), Error> {
    let grid = options.grid.unwrap_or(RankGrid { columns: 1, rows: contexts.len() });
    let options = options.grid(grid);
    let layout = Layout::new(a.shape(), b.shape(), grid, options.width)?;
    let shape = Shape::new(a.shape().rows, b.shape().cols);
    let mut parts = Vec::new();
    for rank in 0..contexts.len() {
        let of_a = Part::new(a.shape(), layout.of_a(rank), window(a, &layout.of_a(rank)))?;
        let of_b = Part::new(b.shape(), layout.of_b(rank), window(b, &layout.of_b(rank)))?;
        parts.push((of_a, of_b, Part::zeros(shape, layout.of_c(rank))?));
    }
    let mut local: Vec<_> = parts
        .iter_mut()
        .zip(contexts)
        .map(|((a, b, c), context)| Rank { context, a, b, c })
        .collect();
    let summary = multiply(ranks, &mut local, &options, &mut ())?;
    let mut c = Matrix::zeros(shape)?;
    for (rank, (_, _, part)) in parts.into_iter().enumerate() {
        let (block, part) = (layout.of_c(rank), part.into_matrix());
        for (row, at) in block.rows.zip(0..) {
            let line = &mut c.elements_mut()[row * shape.cols..][block.columns.clone()];
            line.copy_from_slice(part.row(at));
        }
    }
    Ok((c, summary))
}

fn window<T: Element>(matrix: &Matrix<T>, block: &Block) -> Matrix<T> {
    let Block { columns, rows } = block;
    let at = |row, col| matrix.at(rows.start + row, columns.start + col).unwrap();
    Matrix::from_fn(Shape::new(rows.len(), columns.len()), at).unwrap()
}

fn product<T: Element>(
    contexts: &[Context],
    operands: (&Matrix<T>, &Matrix<T>),
    options: Options,
) -> Result<(Matrix<T>, Summary), Error> {
    product_by(&InProcess::new(contexts.len()), contexts, operands, options)
}

fn contexts(flavour: Flavour, count: usize) -> Vec<Context> {
    (0..count).map(|_| flavour.builder().build().unwrap()).collect()
}

fn random<T: Element>(m: usize, k: usize, n: usize, seed: u64) -> (Matrix<T>, Matrix<T>) {
    let (a, b) = (Shape::new(m, k), Shape::new(k, n));
    (Matrix::random(a, seed).unwrap(), Matrix::random(b, seed + 1).unwrap())
}

fn bits(matrix: &Matrix<f32>) -> Vec<u32> {
    matrix.elements().iter().map(|element| element.to_bits()).collect()
}

fn grid(columns: usize, rows: usize) -> RankGrid {
    RankGrid { columns, rows }
}

/// Shapes, widths of panels and grids of ranks: primes, single rows, one over a power of two,
/// panels wider than k.
const CASES: [([usize; 3], usize, [usize; 2]); 9] = [
    ([13, 17, 11], 5, [2, 2]),
    ([1, 31, 7], 4, [3, 1]),
    ([23, 1, 5], 1, [1, 2]),
    ([6, 65, 6], 16, [3, 2]),
    ([37, 5, 33], 7, [1, 3]),
    ([5, 129, 3], 33, [1, 5]),
    ([2, 3, 129], 1, [2, 2]),
    ([31, 0, 3], 4, [1, 2]),
    ([65, 67, 64], 24, [2, 3]),
];

/// Whatever the grid of ranks: within the bound of double precision, and the bits of one rank.
fn must_agree(flavour: Flavour, method: Method, cases: &[([usize; 3], usize, [usize; 2])]) {
    let most = cases.iter().map(|(_, _, [columns, rows])| columns * rows).max().unwrap_or(1);
    let all = contexts(flavour, most);
    if method.lacks(all[0].abilities()).is_some() {
        return;
    }
    for (at, ([m, k, n], width, [columns, rows])) in cases.iter().copied().enumerate() {
        let (a, b) = random::<f32>(m, k, n, 3 * at as u64);
        let options = Options::default().product(method).width(width);
        let one = product(&all[..1], (&a, &b), options).unwrap().0;
        let several = options.grid(grid(columns, rows));
        let (c, summary) = product(&all[..columns * rows], (&a, &b), several).unwrap();
        let what = format!("{method} of {m} x {k} x {n} on {columns} x {rows} ranks");
        assert!(expected(&a, &b).unwrap().compare(&c).is_right(), "{what}");
        assert_eq!(bits(&c), bits(&one), "{what}");
        assert!(k == 0 || summary.method == Some(method), "{what}");
        if method.engine() == Some(quadrille::stream::Engine::Compute) && k > 0 {
            // One sum in the order of k, as one product has it.
            let whole = matmul::Options::from(method);
            let whole = if method == Method::ComputeBlocked { whole.split(1) } else { whole };
            let whole = matmul::multiply(&all[0], &a, &b, whole).unwrap();
            assert_eq!(bits(&c), bits(&whole), "{what}, in one piece");
        }
    }
}

#[test]
fn any_grid_of_ranks_gives_the_bits_of_one() {
    let some = if is_thorough() { &CASES[..] } else { &CASES[..4] };
    must_agree(Flavour::Gl, Method::ComputeBlocked, some);
    must_agree(Flavour::Gles30, Method::Block4x4, if is_thorough() { some } else { &CASES[4..7] });
    must_agree(Flavour::Gl, Method::ComputeTiled, &CASES[6..]);
    if is_thorough() {
        for method in Method::ALL {
            // One work group of the size of C, and tiles that must divide all sides, are for some
            // shapes alone.
            if method != Method::ComputeSimple {
                must_agree(Flavour::Gl, method, some);
                must_agree(Flavour::Gles30, method, some);
            }
        }
    }
}

#[test]
fn random_shapes_on_random_grids_are_right() {
    let mut seed = 12345_u64;
    let mut below = |limit: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % limit
    };
    let all = contexts(Flavour::Gl, 6);
    for _ in 0..if is_thorough() { 200 } else { 12 } {
        let [columns, rows] =
            [[1, 1], [2, 1], [1, 2], [2, 2], [3, 1], [2, 3], [3, 2], [1, 5]][below(8)];
        let [m, k, n] = [rows + below(40), below(70), columns + below(40)];
        let width = 1 + below(40);
        let (a, b) = random::<f32>(m, k, n, below(1000) as u64);
        let options = Options::default().width(width);
        let several = options.grid(grid(columns, rows));
        let c = product(&all[..columns * rows], (&a, &b), several).unwrap().0;
        let what = format!("{m} x {k} x {n} by {width} on {columns} x {rows} ranks");
        assert!(expected(&a, &b).unwrap().compare(&c).is_right(), "{what}");
        assert_eq!(bits(&c), bits(&product(&all[..1], (&a, &b), options).unwrap().0), "{what}");
    }
}

#[test]
fn integers_wrap_as_on_one_rank() {
    let all = contexts(Flavour::Gl, 2);
    let methods = [Method::Element, Method::ComputeShared];
    for method in methods.into_iter().filter(|method| method.lacks(all[0].abilities()).is_none()) {
        let options = Options::default().product(method).width(16).grid(grid(2, 1));
        let (a, b) = random::<i16>(5, 35, 9, 1);
        let c = product(&all, (&a, &b), options).unwrap().0;
        assert!(expected(&a, &b).unwrap().compare(&c).is_right(), "{method}");
        let (a, b) = random::<i32>(5, 35, 9, 1);
        let c = product(&all, (&a, &b), options).unwrap().0;
        assert!(expected(&a, &b).unwrap().compare(&c).is_right(), "{method}");
    }
}

/// A NaN makes its row of C NaN, an infinity too where B has a zero, and no padding makes others.
#[test]
fn nan_and_infinities_go_where_they_go_on_one_rank() {
    let all = contexts(Flavour::Gles30, 4);
    let (mut a, mut b) = random::<f32>(9, 21, 10, 5);
    a.elements_mut()[2 * 21 + 20] = f32::NAN;
    a.elements_mut()[7 * 21] = f32::INFINITY;
    b.elements_mut()[3] = 0.0;
    b.elements_mut()[20 * 10 + 9] = f32::NEG_INFINITY;
    let options = Options::default().product(Method::Block4x4).width(8);
    let one = product(&all[..1], (&a, &b), options).unwrap().0;
    let several = product(&all, (&a, &b), options.grid(grid(2, 2))).unwrap().0;
    for (row, col) in (0..9).flat_map(|row| (0..10).map(move |col| (row, col))) {
        let (got, right) = (several.at(row, col).unwrap(), one.at(row, col).unwrap());
        assert!(got == right || got.is_nan() && right.is_nan(), "{row}, {col}: {got}, {right}");
        assert_eq!(
            got.is_nan(),
            row == 2 || (row, col) == (7, 3) || (row, col) == (7, 9) && got.is_nan()
        );
        assert!(row == 7 || row == 2 || got.is_infinite() == (col == 9), "{row}, {col}: {got}");
    }
}

/// Multiplies with memory for a few tiles, and on devices whose textures hold little.
#[test]
fn what_does_not_fit_is_computed_in_tiles_and_passes() {
    let small =
        |side| Flavour::Gl.builder().without(Ability::LargerTextures(side)).build().unwrap();
    let all = [small(16), small(16)];
    let (a, b) = random::<f32>(37, 41, 53, 8);
    let right = expected(&a, &b).unwrap();
    let options = Options::default().product(Method::Block4x4).width(8).grid(grid(1, 2));
    let (c, summary) = product(&all, (&a, &b), options).unwrap();
    assert!(right.compare(&c).is_right() && summary.tiles > 1, "{summary:?}");
    let (bits_of_all, passes) = (bits(&c), summary.passes);
    assert_eq!(passes, 1, "all tiles are computed at once");
    let (c, summary) = product(&all, (&a, &b), options.memory(20_000)).unwrap();
    // The memory of a software renderer is the host's, which then has more to hold.
    assert!(summary.passes > passes, "{summary:?}");
    assert_eq!(bits(&c), bits_of_all);
    let error = product(&all, (&a, &b), options.memory(300)).unwrap_err();
    assert!(matches!(error, Error::Memory { limit: 300, width: 8, .. }), "{error}");
    assert_eq!(error.kind(), Kind::OutOfMemory);
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let all = contexts(Flavour::Gles30, 2);
    let (a, b) = random::<f32>(1, 4, 3, 1);
    let refused = |options: Options| product(&all, (&a, &b), options).unwrap_err();
    let error = refused(Options::default().grid(grid(1, 2)));
    let text = "2 ranks below each other cannot share the 1 rows of C: each rank needs one; use at most 1 rows of ranks";
    assert_eq!((error.to_string().as_str(), error.kind()), (text, Kind::Input));
    let error = refused(Options::default().grid(grid(2, 1)).width(0));
    assert_eq!(error.to_string(), "a panel must be at least 1 wide");
    let error = product(&all, (&a, &a), Options::default().grid(grid(2, 1))).unwrap_err();
    assert!(matches!(error, Error::Inner { .. }), "{error}");
    let ranks = InProcess::new(2);
    let (mut a, mut b) = (Part::whole(a), Part::whole(b));
    let mut c = Part::whole(Matrix::zeros(Shape::new(1, 3)).unwrap());
    let mut one = [Rank { context: &all[0], a: &mut a, b: &mut b, c: &mut c }];
    let error = multiply(&ranks, &mut one, &Options::default(), &mut ()).unwrap_err();
    assert_eq!(error.to_string(), "this process has 2 ranks, but 1 were given");
    let three = Options::default().grid(grid(3, 1));
    let error = multiply(&InProcess::new(1), &mut one, &three, &mut ()).unwrap_err();
    assert_eq!(error.to_string(), "3 x 1 ranks are 3, but there are 1");
    // Whoever watches may stop it.
    let mut seen = Vec::new();
    let mut stop = |progress: &Progress| {
        seen.push(progress.done);
        if progress.done == 1 { Control::Stop } else { Control::Continue }
    };
    let narrow = Options::default().width(2);
    let error = multiply(&InProcess::new(1), &mut one, &narrow, &mut stop).unwrap_err();
    assert!(matches!(error, Error::Stopped { done: 1, steps: 2 }), "{error}");
    assert_eq!(seen, [0, 1]);
}

/// A communicator that loses a message's contents.
struct Losing(InProcess, std::cell::Cell<u32>);

impl Communicator for Losing {
    fn size(&self) -> usize {
        self.0.size()
    }

    fn local(&self) -> std::ops::Range<usize> {
        self.0.local()
    }

    fn exchange(
        &self,
        outgoing: &[Outgoing<'_>],
        incoming: &mut [Incoming<'_>],
    ) -> Result<(), quadrille::cluster::Error> {
        self.0.exchange(outgoing, incoming)?;
        self.1.set(self.1.get() + 1);
        if self.1.get() == 2 {
            incoming[0].bytes[..4].fill(0);
        }
        Ok(())
    }

    fn all_gather(&self, local: &[u8], all: &mut [u8]) -> Result<(), quadrille::cluster::Error> {
        self.0.all_gather(local, all)
    }
}

#[test]
fn the_comparison_notices_one_number_that_is_lost() {
    let all = contexts(Flavour::Gles30, 4);
    let (a, b) = random::<f32>(8, 20, 8, 3);
    let options = Options::default().product(Method::Element).width(5).grid(grid(2, 2));
    let ranks = Losing(InProcess::new(4), std::cell::Cell::new(0));
    let c = product_by(&ranks, &all, (&a, &b), options).unwrap().0;
    assert!(!expected(&a, &b).unwrap().compare(&c).is_right());
}

fn rows_are_those_of_the_whole<T: Element>(context: &Context, method: Method) {
    let (a, b) = random::<T>(11, 19, 7, 4);
    let on_device = |host: &Matrix<T>| DeviceMatrix::from_host(context, host).unwrap();
    let mut sum = Accumulator::<T>::new(context, a.shape(), b.shape(), method).unwrap();
    assert!(matches!(sum.read_rows(0..1, &mut [T::default(); 7]), Err(matmul::Error::NotRun)));
    sum.add(&on_device(&a), &on_device(&b)).unwrap();
    let whole = sum.read().unwrap();
    assert!(expected(&a, &b).unwrap().compare(&whole).is_right());
    for rows in [0..11, 0..1, 10..11, 3..9, 4..4] {
        let mut to = vec![T::ONE; rows.len() * 7];
        sum.read_rows(rows.clone(), &mut to).unwrap();
        assert!(to == whole.elements()[rows.start * 7..rows.end * 7], "{method}: {rows:?}");
    }
    for (rows, length) in [(0..12, 84), (2..3, 6), (11..12, 7)] {
        let refused = sum.read_rows(rows, &mut vec![T::default(); length]).unwrap_err();
        assert!(matches!(refused, matmul::Error::Rows { .. }), "{refused}");
    }
    // Once more is twice the sum, and after `clear` once.
    sum.add(&on_device(&a), &on_device(&b)).unwrap();
    let twice = sum.read().unwrap();
    assert!(twice != whole);
    sum.clear();
    sum.add(&on_device(&a), &on_device(&b)).unwrap();
    assert!(sum.read().unwrap() == whole);
}

#[test]
fn rows_of_a_sum_are_those_of_the_whole() {
    crate::common::on_extremes(|context| {
        let has = |method: &Method| method.lacks(context.abilities()).is_none();
        for method in
            [Method::ComputeBlocked, Method::Block4x4, Method::Serial].into_iter().filter(has)
        {
            rows_are_those_of_the_whole::<f32>(context, method);
        }
        for method in [Method::ComputeShared, Method::Element].into_iter().filter(has) {
            rows_are_those_of_the_whole::<i16>(context, method);
            rows_are_those_of_the_whole::<i32>(context, method);
        }
    });
}
