//! Stencils, as the command line takes them.

use super::mutation::mutate;
use super::scratch::bounded;
use super::{Choices, Target, Verdicts};
use quadrille::data::{
    Band, BandError, Error, MAX_HEAT_STEP, MAX_JUMP, MAX_PECLET, MIN_WIDTH, Side, Stencil,
};

pub const TARGET: Target = Target { name: "stencil", file, generated };

const WORDS: [&str; 16] = [
    "poisson5:",
    "fe9:",
    "heat9:",
    "jump:",
    "random:",
    "convection:",
    "neumann5:",
    ":",
    "x",
    "=",
    ":step=0.5",
    ":angle=30",
    ":anisotropy=0.01",
    "e9",
    ".",
    "-",
];

/// Matrices of at most this many points are made.
const MOST_POINTS: usize = 1 << 12;

fn file(bytes: &[u8]) -> Verdicts {
    let mut verdicts = Verdicts::default();
    let text = String::from_utf8_lossy(bytes);
    let stencil = bounded(16 * text.len() + 4096, || text.parse::<Stencil>());
    verdicts.count(&stencil);
    match stencil {
        Ok(stencil) => assert_sound(stencil),
        Err(error) => {
            let shown = error.to_string();
            let names = shown.contains("stencil") || shown.contains("the most is");
            assert!(names, "{shown}");
        }
    }
    verdicts
}

fn generated(bytes: &[u8]) -> Verdicts {
    let mut choices = Choices::new(bytes);
    let (stencil, text) = valid(&mut choices);
    assert_eq!(text.parse::<Stencil>().unwrap(), stencil, "{text}");
    assert_sound(stencil);
    let mut text = text.into_bytes();
    mutate(&mut text, &mut choices, &WORDS);
    file(&text)
}

/// A stencil and one of its texts.
fn valid(choices: &mut Choices) -> (Stencil, String) {
    let (width, height) = (choices.between(MIN_WIDTH, 40), choices.between(1, 40));
    let number = |choices: &mut Choices, most: f64| {
        let part = (choices.below(1 << 16) + 1) as f64 / f64::from(1 << 16);
        part * choices.pick(&[1e-12, 1.0, most])
    };
    let grid = match height == width && choices.one_in(2) {
        true => format!("{width}"),
        false => format!("{width}x{height}"),
    };
    let sides = [choices.pick(&Side::ALL), choices.pick(&Side::ALL)];
    let named = match sides {
        [x, y] if x == y && choices.one_in(2) => format!(":sides={x}"),
        [x, y] => format!(":sides={x}+{y}"),
    };
    match choices.below(7) {
        0 => (Stencil::Poisson5 { width, height, sides }, format!("poisson5:{grid}{named}")),
        1 => {
            let (anisotropy, angle) = (number(choices, 1e6), 720.0 * number(choices, 1.0) - 360.0);
            let options = match choices.one_in(2) {
                true => format!(":anisotropy={anisotropy}:angle={angle}"),
                false => format!(":angle={angle:e}:anisotropy={anisotropy:e}"),
            };
            (
                Stencil::Fe9 { width, height, anisotropy, angle, sides: [Side::Dirichlet; 2] },
                format!("fe9:{grid}{options}"),
            )
        }
        2 => {
            let step = number(choices, MAX_HEAT_STEP);
            (
                Stencil::Heat9 { width, height, step, sides },
                format!("heat9:{grid}:step={step}{named}"),
            )
        }
        3 => {
            let (ratio, cell) = (1.0 + number(choices, MAX_JUMP - 1.0), choices.between(1, 50));
            let text = format!("jump:{grid}:cell={cell}:ratio={ratio}");
            (Stencil::Jump { width, height, ratio, cell }, text)
        }
        4 => {
            let seed = choices.below(1 << 16) as u64;
            (Stencil::Random { width, height, seed }, format!("random:{grid}:seed={seed}"))
        }
        5 => {
            let (angle, peclet) =
                (720.0 * number(choices, 1.0) - 360.0, number(choices, MAX_PECLET));
            let text = format!("convection:{grid}:angle={angle}:peclet={peclet}");
            (Stencil::Convection { width, height, angle, peclet }, text)
        }
        _ => (Stencil::Neumann5 { width, height }, format!("neumann5:{grid}")),
    }
}

/// A stencil's own text is that stencil, and its matrix is that of its grid.
fn assert_sound(stencil: Stencil) {
    let again = stencil.to_string().parse::<Stencil>();
    assert!(again.as_ref() == Ok(&stencil), "{stencil}: {again:?}");
    let (width, height) = stencil.grid();
    let points = width.checked_mul(height).unwrap();
    if points > MOST_POINTS {
        return;
    }
    let matrix = match bounded((9 * 4 + 8) * points + 4096, || stencil.matrix()) {
        Err(Error::Bands(BandError::Periodic { .. }))
            if stencil.sides().contains(&Side::Periodic) =>
        {
            return;
        }
        made => made.unwrap(),
    };
    assert_eq!((matrix.n(), matrix.m()), (points, width));
    if !matches!(stencil, Stencil::Convection { .. }) {
        assert_eq!(matrix.first_asymmetric_entry(), None, "{stencil}: not symmetric");
    }
    for band in Band::ALL {
        for row in band.rows(points, width) {
            let col = row.wrapping_add_signed(band.offset(width));
            let apart = (row % width).abs_diff(col % width);
            assert!(apart <= 1 || matrix.entry(row, col) == 0.0, "{stencil}: couples over an edge");
        }
    }
    assert_eq!(matrix.first_zero_diagonal(), None, "{stencil}");
}
