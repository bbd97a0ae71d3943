//! Passes by powers of two, where the two numbers of a texel go the same way.
//!
//! The first pass reads a texture, the last one writes one, and between them the numbers are in
//! buffers, which keep what stands beside each other beside each other in memory.

use std::cell::RefCell;

use crate::gl::{Buffer, Context};
use crate::grid::row_shift;
use crate::shader::Source;
use crate::stream::Result;
use crate::stream::kept::made_once;

use super::super::super::kit::store::most_texels;
use super::super::axis::Axis;
use super::super::maps::Texels;
use super::super::passes::Factors;
use super::super::roots;
use super::kernels::{Columns, Compiler, PassKernel, source};
use super::pair_plan::{self, PairPass};
use super::plan::Limits;

/// The shader.
const FILE: &str = "fft/pairs.comp";

/// The passes along axes, one after the other.
pub(crate) struct Pairs {
    context: Context,
    /// Each with the numbers of a row of the texture.
    passes: Vec<(PassKernel, i32)>,
    total: usize,
    between: RefCell<[Option<Between>; 2]>,
    bound: f64,
}

/// Pairs of numbers, which one pass writes and the next reads.
type Between = Buffer<[f32; 4]>;

impl Pairs {
    /// Returns `None` for other lengths, and for more numbers than a buffer has room for.
    pub(super) fn new(context: &Context, axes: &[Axis], limits: Limits) -> Result<Option<Pairs>> {
        let Some(plan) = pair_plan::passes(axes, limits) else { return Ok(None) };
        let total = axes.first().map_or(0, |axis| axis.total());
        if total.div_ceil(2) > most_texels(context) {
            return Ok(None);
        }
        let compiler = Compiler::new(context, FILE);
        let (mut passes, mut bound) = (Vec::new(), 0.0);
        for pass in plan {
            let levels = roots::levels(pass.length);
            bound += pass.bound(levels);
            let columns = Columns { of_array: total / pass.pass.radix, of_group: pass.columns };
            let (defines, steps) = (pass.defines(levels), roots_of_steps(&pass));
            let compiled = compiler.compile(pass.pass, columns, pass.length, defines, &steps)?;
            passes.push((compiled, pass.row as i32));
        }
        let context = context.clone();
        Ok(Some(Pairs { context, passes, total, between: RefCell::default(), bound }))
    }

    /// Returns a bound of the relative error of all passes.
    pub(super) fn bound(&self) -> f64 {
        self.bound
    }

    pub(super) fn run(&self, factors: Factors, x: &Texels, out: &mut Texels) -> Result<()> {
        let last = self.passes.len() - 1;
        let shift = row_shift(x.extent());
        let mut between = self.between.borrow_mut();
        let [mut from, mut to] = between.each_mut();
        for (index, (pass, row)) in self.passes.iter().enumerate() {
            let factors = factors.of_step(index == 0, index == last);
            let launch = pass.launch(factors, shift).uniform("row", *row);
            let launch = match from {
                Some(from) if index > 0 => launch.buffer("From", from),
                _ => launch.input("x", x),
            };
            if index == last {
                launch.write("result", out)?;
            } else {
                let to = made_once(to, || self.context.uninit_buffer(self.total / 2))?;
                launch.buffer_mut("To", to).into(&mut [])?;
            }
            std::mem::swap(&mut from, &mut to);
        }
        Ok(())
    }
}

/// Returns the roots that the steps of a pass multiply by, in the order in which they read them.
fn roots_of_steps(pass: &PairPass) -> Vec<[f32; 2]> {
    let rounded = |power: usize| roots::root(power, pass.pass.radix).map(|part| part as f32);
    pass.powers().into_iter().map(rounded).collect()
}

/// Returns variants of the shader with every radix and every property.
pub(super) fn sources() -> Result<Vec<Source>> {
    let sets: [&[Axis]; 9] = [
        &[Axis::rows(3, 4096)],
        &[Axis::rows(1, 1 << 20)],
        &[Axis::rows(1, 1 << 24)],
        &[Axis::rows(4, 512), Axis::columns(4, 512)],
        &[Axis::rows(2, 4)],
        &[Axis::rows(2, 16)],
        &[Axis::columns(2, 64)],
        &[Axis::columns(4, 64)],
        &[Axis::columns(4096, 4096)],
    ];
    let mut plans: Vec<_> =
        sets.into_iter().filter_map(|axes| pair_plan::passes(axes, Limits::LARGEST)).collect();
    plans.extend(pair_plan::passes(&[Axis::rows(1, 1 << 14)], Limits::SOFTWARE));
    let mut sources = Vec::new();
    for pass in plans.into_iter().flatten() {
        for levels in [1, 2] {
            sources.push(source(FILE, &pass.defines(levels))?);
        }
    }
    Ok(sources)
}
