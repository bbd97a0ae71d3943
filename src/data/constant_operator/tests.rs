use super::*;
use crate::data::Stencil;

/// Every pair of sides.
fn all_sides() -> impl Iterator<Item = [Side; 2]> {
    Side::ALL.into_iter().flat_map(|x| Side::ALL.map(|y| [x, y]))
}

#[test]
fn products_are_those_of_the_rows_at_awkward_sizes() {
    for (width, height) in [(3, 1), (3, 2), (4, 3), (7, 5), (17, 1)] {
        for sides in all_sides() {
            let made =
                ConstantOperator::new(width, height, [5.0, -1.25, -0.5, -0.125], sides).unwrap();
            let x: Vec<f64> = (0..made.n()).map(|i| ((i * i) % 17) as f64 - 8.0).collect();
            let mut expected = vec![0.0; made.n()];
            for (row, y) in expected.iter_mut().enumerate() {
                let add = |at_x, at_y, coupling| *y += coupling * x[at_y * width + at_x];
                made.each(row % width, row / width, add);
            }
            assert_eq!(made.multiply_f64(&x), expected, "{width} x {height}, {sides:?}");
            // In parts, as several threads compute.
            let mut parts = vec![0.0; made.n()];
            let (one, other) = parts.split_at_mut(made.n() / 2);
            made.add_product_of_rows(1.0, &x, 0, one);
            made.add_product_of_rows(1.0, &x, made.n() / 2, other);
            assert_eq!(parts, expected);
            match made.matrix::<f64>() {
                Ok(matrix) => assert_eq!(matrix.multiply_f64(&x), expected),
                Err(error) => {
                    assert!(made.sides().contains(&Side::Periodic));
                    assert!(error.to_string().contains("periodic"), "{error}");
                }
            }
        }
    }
}

#[test]
fn a_mode_is_an_eigenvector() {
    // sin, cos, and cos + sin, at places that are no multiples of anything.
    let mode = |side: Side, k: usize, j: usize, of: usize| {
        let angle = side.angle(k, of);
        match side {
            Side::Dirichlet => (angle * (j + 1) as f64).sin(),
            Side::Neumann => (angle * (j as f64 + 0.5)).cos(),
            Side::Periodic => (angle * j as f64).cos() + (angle * j as f64).sin(),
        }
    };
    for (width, height) in [(3, 1), (5, 4), (6, 7)] {
        for sides in all_sides() {
            let made =
                ConstantOperator::new(width, height, [5.0, -1.25, -0.5, -0.125], sides).unwrap();
            for (k, l) in (0..height).flat_map(|l| (0..width).map(move |k| (k, l))) {
                let at = |i: usize| {
                    mode(sides[0], k, i % width, width) * mode(sides[1], l, i / width, height)
                };
                let x: Vec<f64> = (0..made.n()).map(at).collect();
                let half = |angle: f64| (0.5 * angle).sin().powi(2);
                let (p, q) = (sides[0].angle(k, width), sides[1].angle(l, height));
                let eigenvalue = made.eigenvalue(half(p), half(q));
                for (y, x) in made.multiply_f64(&x).iter().zip(&x) {
                    assert!((y - eigenvalue * x).abs() < 1e-13, "{sides:?}, {k}, {l}");
                }
            }
        }
    }
}

#[test]
fn matrices_are_found_by_their_numbers() {
    for text in ["poisson5:7x5", "neumann5:7x5", "fe9:9x4:anisotropy=0.1", "heat9:8x1", "heat9:3x2"]
    {
        let matrix = text.parse::<Stencil>().unwrap().matrix_f64().unwrap();
        let found = ConstantOperator::of(&matrix).unwrap();
        assert_eq!(found.matrix::<f64>().unwrap(), matrix, "{text}");
        assert_eq!(ConstantOperator::of(&matrix.stored().unwrap()).unwrap(), found);
    }
    for sides in all_sides().filter(|sides| !sides.contains(&Side::Periodic)) {
        let made = ConstantOperator::new(6, 5, [5.0, -1.25, -0.5, -0.125], sides).unwrap();
        assert_eq!(ConstantOperator::of(&made.matrix::<f64>().unwrap()).unwrap(), made);
    }
}

#[test]
fn others_are_refused_with_their_numbers() {
    let refused = |text: &str| {
        let matrix = text.parse::<Stencil>().unwrap().matrix_f64().unwrap();
        ConstantOperator::of(&matrix).unwrap_err().to_string()
    };
    let text = refused("convection:9");
    assert!(
        text.contains("column 1 of row 1") && text.contains("to the point at (-1, -1)"),
        "{text}"
    );
    let text = refused("fe9:9:anisotropy=0.1:angle=30");
    assert!(text.contains("to the one at (1, -1)"), "{text}");
    let text = refused("random:9");
    assert!(text.contains("is coupled by") || text.contains("the entry in row"), "{text}");
    // One number, at a side, in the middle, and at a corner.
    let matrix = "poisson5:6x5".parse::<Stencil>().unwrap().matrix_f64().unwrap();
    for row in [0, 3, 14, 29] {
        let mut bands = Band::ALL.map(|band| matrix.band(band).to_vec());
        bands[0][row] += 1e-9;
        let text =
            ConstantOperator::of(&NineBanded::new(6, bands).unwrap()).unwrap_err().to_string();
        assert!(text.contains(&format!("row {row}, column {row}")), "{text}");
    }
}
