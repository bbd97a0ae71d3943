//! BLAS level 1 against double precision, on each engine of the ablest and the least able context,
//! in one panel and in several.

mod element_wise;
mod elementary;
mod maps;
mod reductions;

use quadrille::Context;
use quadrille::linalg::blas1::Blas1;

/// None, one, primes, and one over and under whole texels and powers of two.
const LENGTHS: [usize; 11] = [0, 1, 2, 3, 5, 7, 63, 65, 257, 1021, 4097];

/// Textures of 4 x 4 texels: vectors of more than 64 numbers have several panels.
const SIDE: u32 = 4;

/// Runs a test on each engine of the extreme contexts.
fn each_engine(body: impl Fn(&Context, &Blas1)) {
    crate::common::each_engine(SIDE, |context, engine| {
        body(context, &Blas1::on(context, engine).unwrap());
    });
}
