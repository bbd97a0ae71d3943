//! Operations on vectors.

use std::time::Duration;

use quadrille::Extent;
use quadrille::gl::{Context, Texture};
use quadrille::grid::DeviceVector;
use quadrille::internal::reference::blas1 as twin;
use quadrille::linalg::blas1::Blas1;
use quadrille::stream::Clock;
use quadrille::stream::reduce::{Reducer, error_bound};
use quadrille::testing::Comparison;
use quadrille_vp::vector_machine::{DFunction, DVector, Machine};

use super::{Running, Subject};
use crate::bench::vector;
use crate::{Error, Result};

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
}

impl Subject for Axpy {
    fn choices(&self, context: &Context) -> Vec<String> {
        Blas1::choices(context)
    }

    fn start<'a>(&'a self, context: &'a Context) -> Result<Box<dyn Running + 'a>> {
        Ok(Box::new(AxpyRunning {
            subject: self,
            blas: Blas1::new(context),
            x: DeviceVector::from_host(context, &self.x)?,
            y: DeviceVector::from_host(context, &self.y)?,
        }))
    }
}

struct AxpyRunning<'a> {
    subject: &'a Axpy,
    blas: Blas1,
    x: DeviceVector,
    y: DeviceVector,
}

impl Running for AxpyRunning<'_> {
    fn choice(&self) -> String {
        self.blas.choice()
    }

    fn check(&mut self) -> Result<Comparison> {
        self.blas.axpy(A, &self.x, &mut self.y)?;
        let Axpy { x, y, expected } = self.subject;
        // Two roundings, and a little for those of the bound.
        let magnitude = |(x, y): (&f32, &f32)| f64::from((A * x).abs()) + f64::from(y.abs());
        let bounds = x.iter().zip(y).map(|pair| 2.5 * 0.5_f64.powi(24) * magnitude(pair));
        Ok(Comparison::of(self.y.read()?, expected.iter().copied().zip(bounds)))
    }

    fn time(&mut self, context: &Context, parts: u64) -> Result<Duration> {
        let repeated = || {
            (0..parts).try_for_each(|_| Ok::<_, Error>(self.blas.axpy(A, &self.x, &mut self.y)?))
        };
        Ok(Clock::of(context).time(context, repeated)?.1)
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
        let texture = context.texture(self.extent, bytemuck::cast_slice(&self.x))?;
        Ok(Box::new(SumRunning { subject: self, reducer: Reducer::new(context), texture }))
    }
}

struct SumRunning<'a> {
    subject: &'a Sum,
    reducer: Reducer,
    texture: Texture<[f32; 4]>,
}

impl Running for SumRunning<'_> {
    fn choice(&self) -> String {
        self.reducer.choice()
    }

    fn check(&mut self) -> Result<Comparison> {
        let Sum { extent, expected, magnitude, .. } = self.subject;
        let bound = error_bound(*extent, self.reducer.factor()) * magnitude;
        Ok(Comparison::of_number(self.reducer.sum(&self.texture)?, *expected, bound))
    }

    fn time(&mut self, context: &Context, parts: u64) -> Result<Duration> {
        let repeated = || {
            (0..parts).try_for_each(|_| Ok::<_, Error>(self.reducer.sum(&self.texture).map(drop)?))
        };
        Ok(Clock::Wall.time(context, repeated)?.1)
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
        Ok(Box::new(ProgramRunning {
            subject: self,
            function: PROGRAM.function(&machine)?,
            choice: machine.choice(),
            x: DVector::from_slice(&self.x),
            y: DVector::zeros(self.x.len()),
        }))
    }
}

struct ProgramRunning<'a> {
    subject: &'a Program,
    function: DFunction,
    choice: String,
    x: DVector<f32>,
    y: DVector<f32>,
}

impl Running for ProgramRunning<'_> {
    fn choice(&self) -> String {
        self.choice.clone()
    }

    fn check(&mut self) -> Result<Comparison> {
        self.function.execute(&[&self.x], &mut self.y)?;
        Ok(PROGRAM.compare(&self.subject.x, self.y.read()?))
    }

    fn time(&mut self, context: &Context, parts: u64) -> Result<Duration> {
        let repeated = || {
            (0..parts).try_for_each(|_| {
                Ok::<_, Error>(self.function.execute_async(&[&self.x], &mut self.y).map(drop)?)
            })
        };
        Ok(Clock::of(context).time(context, repeated)?.1)
    }
}
