//! Multigrid on grids of three dimensions on the host, in double precision.

use quadrille::data::{Grid3, GridMatrix, Stencil3};
use quadrille::linalg::grid3::OnHost;
use quadrille::linalg::krylov::{HostSpace, Preconditioner};
use quadrille::linalg::multigrid::{CoarsenAlong, Options};

use crate::levels::{space_hierarchy, space_levels};

fn stencil(text: &str) -> GridMatrix {
    text.parse::<Stencil3>().unwrap().matrix().unwrap()
}

/// The largest difference of two matrices over the largest number.
fn difference(one: &GridMatrix, other: &GridMatrix) -> f64 {
    let (mut most, mut size) = (0.0_f64, 0.0_f64);
    for row in 0..one.n() {
        for (a, b) in one.row_at(row).iter().zip(other.row_at(row)) {
            most = most.max((a - b).abs());
            size = size.max(a.abs());
        }
    }
    most / size
}

/// Couplings that depend on the kind of a point alone make levels whose couplings do, with the same numbers as where
/// every point has its own, up to the rounding of 32-bit floats: on grids of any size, small ones too, and at any sides.
#[test]
fn couplings_of_kinds_are_those_of_all_points() {
    let stencils = [
        "poisson7:17x13x9",
        "poisson7:33x31x8:z=0.01",
        "poisson7:64x64x2:y=0.5:sides=periodic+neumann+dirichlet",
        "fe27:31x12x13",
        "fe27:32x27x24:x=0.01",
        "fe27:24x30x19:sides=neumann+periodic+dirichlet",
        "fe27:40x3x5:z=100",
        "fe27:37x37x37:y=100:x=0.5",
        "heat7:29x31x33",
        "heat7:300x3x1:step=100",
        "convection7:37x20x41:x=0.1:y=-1:z=0.5",
        "convection7:39x40x41:x=1:y=0:z=0",
    ];
    for text in stencils {
        let symmetric = !text.starts_with("convection");
        let matrix = stencil(text);
        assert!(!matrix.is_stored());
        let own = space_levels(&matrix.in_stored_form().unwrap(), CoarsenAlong::Strong, symmetric);
        let kinds = space_levels(&matrix, CoarsenAlong::Strong, symmetric);
        assert_eq!(own.len(), kinds.len(), "{text}");
        assert!(own.len() > 1, "{text}");
        for (at, (own, kinds)) in own.iter().zip(&kinds).enumerate() {
            assert!(own.matrix.is_stored() && !kinds.matrix.is_stored());
            let off = difference(&own.matrix, &kinds.matrix);
            assert!(off < 1e-6, "{text}, level {at} of {}: {off}", own.matrix.grid());
        }
    }
}

/// A level's matrix is R A P, as plain sums over all entries give it.
#[test]
fn coarse_matrices_are_products_of_three() {
    for (text, symmetric) in [
        ("poisson7:9x8x7", true),
        ("fe27:8x7x9:x=0.01:sides=periodic+neumann+dirichlet", true),
        ("jump7:9x7x8:cell=2", true),
        ("convection7:8x7x9:y=-0.5:z=0.25", false),
    ] {
        let matrix = stencil(text);
        let levels = space_levels(&matrix, CoarsenAlong::Both, symmetric);
        let (first, second) = (&levels[0], &levels[1]);
        let n = second.matrix.n();
        let unit =
            |column: usize| (0..n).map(|at| f64::from(u8::from(at == column))).collect::<Vec<_>>();
        let (mut off, mut size) = (0.0_f64, 0.0_f64);
        for column in 0..n {
            let mut fine = unit(column);
            for way in first.transfers.iter().rev() {
                fine = way.prolong(&fine, &first.matrix).unwrap();
            }
            let mut product = vec![0.0; fine.len()];
            first.matrix.add_product(&fine, &mut product);
            for way in &first.transfers {
                product = way.restrict(&product, &first.matrix).unwrap();
            }
            let mut expected = vec![0.0; n];
            second.matrix.add_product(&unit(column), &mut expected);
            off = product.iter().zip(&expected).fold(off, |off, (a, b)| off.max((a - b).abs()));
            size = expected.iter().fold(size, |size, a| size.max(a.abs()));
        }
        assert!(off < 1e-14 * size, "{text}: {off} of {size}");
    }
}

fn norm(numbers: &[f64]) -> f64 {
    numbers.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// What a cycle multiplies a residual by, after some.
fn factor(matrix: &GridMatrix, symmetric: bool) -> f64 {
    let made = space_hierarchy(matrix, CoarsenAlong::Strong, symmetric);
    let mut x: Vec<f64> =
        (0..matrix.n()).map(|i| ((i * 7919) % 1000) as f64 / 500.0 - 1.0).collect();
    let residual = |x: &[f64]| {
        let mut r = vec![0.0; x.len()];
        matrix.add_product(x, &mut r);
        r
    };
    let mut before = norm(&residual(&x));
    let mut last = 0.0;
    for _ in 0..8 {
        let z = made.apply(&residual(&x)).unwrap();
        x.iter_mut().zip(z).for_each(|(x, z)| *x -= z);
        let size = norm(&residual(&x));
        (last, before) = (size / before, size);
    }
    last
}

/// The factors of the prototype that chose this method, which grids of other sizes have too.
#[test]
fn cycles_reduce_errors_of_all_frequencies() {
    for (text, most) in [
        ("poisson7:31", 0.13),
        ("poisson7:30x33x28", 0.17),
        ("poisson7:31:x=0.01", 0.13),
        ("poisson7:31:y=0.01:z=0.01", 0.13),
        ("fe27:31", 0.13),
        ("fe27:31:z=0.01", 0.23),
        ("jump7:31:cell=8", 0.45),
        ("heat7:31:step=10", 0.2),
        ("convection7:31", 0.35),
        ("poisson7:32:sides=periodic+dirichlet+dirichlet", 0.15),
    ] {
        let got = factor(&stencil(text), !text.starts_with("convection"));
        assert!(got < most, "{text}: {got}");
    }
}

/// Thirds of a grid that are coupled ten times as strongly along x, along y and along z.
fn coupled_along_each_axis_somewhere(side: usize) -> GridMatrix {
    let grid = Grid3::new(side, side, side).unwrap();
    let place = |at: usize| [at % side, at / side % side, at / side / side];
    let entries = || {
        (0..grid.n()).flat_map(|row| {
            let mut entries = vec![(row, row, 0.0)];
            for (axis, step) in [(0, 1), (1, side), (2, side * side)] {
                let strength = |z: usize| if 3 * z / side == axis { 10.0 } else { 1.0 };
                let [lower, upper] = [place(row)[axis] > 0, place(row)[axis] + 1 < side];
                let z = place(row)[2];
                let below = strength(if axis == 2 && lower { z - 1 } else { z });
                let above = strength(z);
                entries[0].2 += below + above;
                entries.extend(lower.then(|| (row, row - step, -below)));
                entries.extend(upper.then(|| (row, row + step, -above)));
            }
            entries
        })
    };
    GridMatrix::from_entries(grid, entries).unwrap()
}

/// Eight sweeps smooth where points are coupled along one axis here and along another there.
#[test]
fn a_cycle_with_eight_sweeps_is_that_of_the_decisions_here() {
    let matrix = coupled_along_each_axis_somewhere(12);
    let twin = space_hierarchy(&matrix, CoarsenAlong::Strong, true);
    assert_eq!(twin.levels()[0].dampings.len(), 8);
    let r: Vec<f64> = (0..matrix.n()).map(|i| ((i * 7919) % 1000) as f64 / 500.0 - 1.0).collect();
    let space = HostSpace::<f64>::of_csr(&matrix.csr().unwrap());
    let mut z = vec![f64::NAN; matrix.n()];
    let mut on_host = OnHost::new(&matrix, Options::new().symmetric(true)).unwrap();
    on_host.apply(&space, &r, &mut z).unwrap();
    let expected = twin.apply(&r).unwrap();
    let off: Vec<f64> = z.iter().zip(&expected).map(|(z, x)| z - x).collect();
    assert!(norm(&off) < 1e-12 * norm(&expected), "{}", norm(&off) / norm(&expected));
}

#[test]
fn matrices_of_other_shapes_are_refused_with_numbers() {
    let grid = Grid3::new(5, 4, 2).unwrap();
    let entries = [(0, 0, 1.0), (0, 22, 2.0)];
    let error = GridMatrix::from_entries(grid, || entries).unwrap_err().to_string();
    assert!(error.contains("column 22") && error.contains("5 x 4 x 2"), "{error}");
    let grid = Grid3::new(3, 4, 2).unwrap();
    let error = GridMatrix::from_entries(grid, || [(0, 24, 1.0)]).unwrap_err().to_string();
    assert!(error.contains("24"), "{error}");
    let error = GridMatrix::from_entries(grid, || [(5, 5, f64::NAN)]).unwrap_err().to_string();
    assert!(error.contains("row 5") && error.contains("NaN"), "{error}");
    let error = GridMatrix::diffusion(grid, &[1.0; 23]).unwrap_err().to_string();
    assert!(error.contains("24") && error.contains("23"), "{error}");
    let mut k = [1.0; 24];
    k[13] = -2.0;
    let error = GridMatrix::diffusion(grid, &k).unwrap_err().to_string();
    assert!(error.contains("-2") && error.contains("x 1, y 0, z 1"), "{error}");
    assert!(Grid3::new(3, 0, 2).unwrap_err().to_string().contains("3 x 0 x 2"));
    assert!(Grid3::new(1 << 20, 1 << 20, 1 << 20).is_err());
    for (text, part) in [
        ("poisson7:3x4", "XxYxZ"),
        ("poisson7:3:x=0", "1e-6"),
        ("poisson7:3:sides=round", "three"),
        ("poisson7:3:sides=neumann+periodic", "three"),
        ("jump7:3:sides=neumann", "ratio"),
        ("jump7:3:cell=0", "cell"),
        ("heat7:3:step=-1", "step"),
        ("poisson8:3", "poisson7"),
    ] {
        let error = text.parse::<Stencil3>().unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn stencils_are_the_texts_that_they_are_read_from() {
    for text in [
        "poisson7:9x7x5",
        "poisson7:8:x=0.5:z=0.125:sides=periodic",
        "fe27:16x15x14:sides=periodic+dirichlet+neumann",
        "heat7:3:step=2",
        "jump7:12x11x14:ratio=100:cell=3",
        "random7:12:seed=4",
        "convection7:3x1x2:y=-1:peclet=4",
    ] {
        let stencil = text.parse::<Stencil3>().unwrap();
        assert_eq!(stencil.to_string(), text);
        let matrix = stencil.matrix().unwrap();
        let csr = matrix.csr().unwrap();
        let entries = || {
            let row = |row: usize| {
                let (columns, values) = csr.row(row);
                let pairs: Vec<_> =
                    columns.iter().zip(values).map(|(c, v)| (row, *c as usize, *v)).collect();
                pairs
            };
            (0..matrix.n()).flat_map(row).collect::<Vec<_>>()
        };
        let read = GridMatrix::from_entries(matrix.grid(), entries).unwrap();
        assert_eq!(read.csr().unwrap(), csr, "{text}");
        // An axis of two points has no other ends.
        if matrix.grid().points().iter().all(|points| *points > 2) {
            assert!(read.is_stored() == matrix.is_stored(), "{text}");
            assert_eq!(read.periodic(), matrix.periodic(), "{text}");
        }
    }
}
