//! BLAS level 1 against double precision, on each engine of the ablest and the least able context,
//! in one panel and in several.

mod element_wise;
mod elementary;
mod maps;
mod reductions;

use crate::common::Flavour;
use quadrille::Context;
use quadrille::internal::Ability;
use quadrille::linalg::blas1::Blas1;
use quadrille::stream::Engine;

/// None, one, primes, and one over and under whole texels and powers of two.
const LENGTHS: [usize; 11] = [0, 1, 2, 3, 5, 7, 63, 65, 257, 1021, 4097];

/// Textures of 4 x 4 texels: vectors of more than 64 numbers have several panels.
const SMALL: Ability = Ability::LargerTextures(4);

/// Runs a test on each engine of the extreme contexts.
fn each_engine(body: impl Fn(&Context, &Blas1)) {
    let engines = |context: &Context| {
        for engine in Engine::of(context) {
            eprintln!("  on {engine}");
            body(context, &Blas1::on(context, engine).unwrap());
        }
    };
    crate::common::on_extremes(engines);
    let small = Flavour::Gl.builder().without(SMALL).build().unwrap();
    crate::common::clean("panels of 4 x 4 texels", &small, engines);
}
