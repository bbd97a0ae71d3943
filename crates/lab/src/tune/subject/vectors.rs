//! Operations on vectors.

use quadrille::Extent;
use quadrille::gl::Context;
use quadrille::grid::DeviceVector;
use quadrille::internal::reference::blas1 as twin;
use quadrille::linalg::blas1::Blas1;
use quadrille::stream::Clock;
use quadrille::stream::reduce::{Reducer, error_bound};
use quadrille::testing::Comparison;
use quadrille_vp::vector_machine::{DVector, Machine};

use super::{Repeated, Running, Subject};
use crate::Result;
use crate::bench::benchmark::benchmark;
use crate::bench::vector;

/// Numbers from -1 to 1.
fn numbers(length: usize, seed: u64) -> Result<Vec<f32>> {
    Ok(DVector::<f32>::random(length, -1.0..1.0, seed).into_vec()?)
}

/// y = a x + y.
pub(super) struct Axpy {
    x: Vec<f32>,
    y: Vec<f32>,
    expected: Vec<f64>,
}

/// Repeated, it neither overflows nor underflows.
const A: f32 = 0.7;

impl Axpy {
    pub(super) fn new(side: usize) -> Result<Axpy> {
        let length = 4 * side * side;
        let (x, y) = (numbers(length, 1)?, numbers(length, 2)?);
        Ok(Axpy { expected: twin::axpby(A, &x, 1.0, &y), x, y })
    }

    fn compare(&self, got: Vec<f32>) -> Comparison {
        let Axpy { x, y, expected } = self;
        // Two roundings, and a little for those of the bound.
        let magnitude = |(x, y): (&f32, &f32)| f64::from((A * x).abs()) + f64::from(y.abs());
        let bounds = x.iter().zip(y).map(|pair| 2.5 * 0.5_f64.powi(24) * magnitude(pair));
        Comparison::of(got, expected.iter().copied().zip(bounds))
    }
}

impl Subject for Axpy {
    fn choices(&self, context: &Context) -> Vec<String> {
        Blas1::choices(context)
    }

    fn start<'a>(&'a self, context: &'a Context) -> Result<Box<dyn Running + 'a>> {
        let blas = Blas1::new(context);
        let x = DeviceVector::from_host(context, &self.x)?;
        let y = DeviceVector::from_host(context, &self.y)?;
        let choice = blas.choice();
        let run = move |y: &mut DeviceVector| Ok(blas.axpy(A, &x, y)?);
        let work = benchmark(y, run, |y| Ok(self.compare(y.read()?)));
        Ok(Box::new(Repeated { choice, clock: Clock::of(context), work }))
    }
}

/// A sum on the host.
pub(super) struct Sum {
    extent: Extent,
    x: Vec<f32>,
    expected: f64,
    magnitude: f64,
}

impl Sum {
    pub(super) fn new(side: usize) -> Result<Sum> {
        let extent = Extent::new(side as u32, side as u32);
        let x = numbers(4 * extent.texels(), 1)?;
        Ok(Sum { extent, expected: twin::sum(&x), magnitude: twin::asum(&x), x })
    }
}

impl Subject for Sum {
    fn choices(&self, context: &Context) -> Vec<String> {
        Reducer::choices(context)
    }

    fn start<'a>(&'a self, context: &'a Context) -> Result<Box<dyn Running + 'a>> {
        let texture =
            context.texture(self.extent, bytemuck::cast_slice::<f32, [f32; 4]>(&self.x))?;
        let reducer = Reducer::new(context);
        let choice = reducer.choice();
        let bound = error_bound(self.extent, reducer.factor()) * self.magnitude;
        let run = move |sum: &mut f64| {
            *sum = reducer.sum(&texture)?;
            Ok(())
        };
        let compare = move |sum: &f64| Ok(Comparison::of_number(*sum, self.expected, bound));
        let work = benchmark(f64::NAN, run, compare);
        Ok(Box::new(Repeated { choice, clock: Clock::Wall, work }))
    }
}

/// A program of the vector machine, with its vectors on the device.
pub(super) struct Program {
    x: Vec<f32>,
}

/// x^50, the longest of the paper's programs without branches.
const PROGRAM: vector::Subject = vector::Subject::Exponents;

impl Program {
    pub(super) fn new(length: usize) -> Result<Program> {
        Ok(Program { x: PROGRAM.inputs(length)? })
    }
}

impl Subject for Program {
    fn choices(&self, context: &Context) -> Vec<String> {
        Machine::choices(context)
    }

    fn start<'a>(&'a self, context: &'a Context) -> Result<Box<dyn Running + 'a>> {
        let machine = Machine::new(context);
        let function = PROGRAM.function(&machine)?;
        let (x, y) = (DVector::from_slice(&self.x), DVector::<f32>::zeros(self.x.len()));
        let run = move |y: &mut DVector<f32>| {
            function.execute_async(&[&x], y)?;
            Ok(())
        };
        let work = benchmark(y, run, |y| Ok(PROGRAM.compare(&self.x, y.read()?)));
        let (choice, clock) = (machine.choice(), Clock::of(context));
        Ok(Box::new(Repeated { choice, clock, work }))
    }
}
