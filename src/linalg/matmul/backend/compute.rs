//! The methods of compute shaders: operands and result in storage buffers, a work group for each
//! tile of C.
//!
//! [`plan`] computes the tiles and the padding of the operands by plain arithmetic; the same few
//! lines run every plan.

mod blocked;
mod layout;
mod limits;
mod pack;
mod plan;
mod stored;
mod sum;

use std::ops::Range;

use bytemuck::cast_slice_mut;

use crate::Shape;
use crate::data::pack::TexelLayout;
use crate::data::{self, Matrix};
use crate::gl::{Buffer, Context};
use crate::linalg::DeviceMatrix;
use crate::shader::{Source, Stage};
use crate::stream::launch::Program;

use super::number::of_type;
use super::packing::{BufferPacker, BufferUnpacker};
use super::{Backend, Operands};
use crate::linalg::matmul::{Method, Options, Result, Tile, backend};
use layout::{Plan, Shader, Sizes};
use stored::Stored;
use sum::Parts;

/// Returns the engine of a compute method, for a type that it multiplies.
pub(crate) fn engine<T: Stored>(
    context: &Context,
    method: Method,
    options: &Options,
    operands: Operands,
) -> Result<Box<dyn Backend<T>>> {
    let limits = limits::of(context, method, operands.a.cols)?;
    // The parts of a split product are added to each other alone.
    let adds = operands.adds && options.split.unwrap_or(1) == 1;
    let options = if adds { options.split(1) } else { *options };
    let plan = plan::plan(&limits, &options, Sizes::of(operands))?;
    Ok(Box::new(ComputeBackend::<T>::new(context, plan, adds)?))
}

/// A plan, its kernel and buffers, and the kernels that pack and unpack these on the device.
struct ComputeBackend<T: Stored> {
    plan: Plan,
    /// Whether a product may be added to the one before it.
    adds: bool,
    program: Program,
    a: Buffer<T::Word>,
    b: Buffer<T::Word>,
    c: Buffer<T::Word>,
    /// The partial products that are added to C, if k is split.
    parts: Option<Parts<T::Word>>,
    pack_a: BufferPacker,
    pack_b: BufferPacker,
    unpack_c: BufferUnpacker,
}

impl<T: Stored> ComputeBackend<T> {
    fn new(context: &Context, plan: Plan, adds: bool) -> Result<ComputeBackend<T>> {
        let program = Program::compute(context, source_of::<T>(&plan, adds)?)?;
        let (sizes, padded) = (plan.loaded(), plan.padded);
        // An element a texel, filled up; a matrix by columns is transposed.
        let cells =
            |shape, padded_shape| TexelLayout { padded_shape, ..TexelLayout::new(shape, 1, 1) };
        let room = |shape: Shape| shape.len().unwrap_or(usize::MAX);
        let a = cells(sizes.a(), padded.a()).transposed(plan.a_by_columns);
        Ok(ComputeBackend {
            program,
            a: context.uninit_buffer(room(padded.a()))?,
            b: context.uninit_buffer(room(padded.b()))?,
            c: context.uninit_buffer(room(padded.c()))?,
            parts: Parts::new(context, &plan)?,
            pack_a: BufferPacker::new(a),
            pack_b: BufferPacker::new(cells(sizes.b(), padded.b())),
            unpack_c: BufferUnpacker::new(padded.n),
            plan,
            adds,
        })
    }
}

impl<T: Stored> Backend<T> for ComputeBackend<T> {
    fn load_a(&mut self, a: &Matrix<T>) -> Result<()> {
        let pack = if self.plan.a_by_columns { pack::by_columns } else { pack::by_rows };
        Ok(self.a.write(&pack(a, self.plan.padded.a())?)?)
    }

    fn load_b(&mut self, b: &Matrix<T>) -> Result<()> {
        Ok(self.b.write(&pack::by_rows(b, self.plan.padded.b())?)?)
    }

    fn load_from(&mut self, a: &DeviceMatrix<T>, b: &DeviceMatrix<T>) -> Result<()> {
        self.pack_a.fill(a, &mut self.a)?;
        self.pack_b.fill(b, &mut self.b)
    }

    fn run(&mut self) -> Result<()> {
        self.run_on(true)
    }

    fn adds(&self) -> bool {
        self.adds
    }

    fn run_on(&mut self, is_first: bool) -> Result<()> {
        let ComputeBackend { plan, program, a, b, .. } = self;
        let [x, y] = plan.groups;
        let launch = || {
            let launch = program.launch().buffer("A", a).buffer("B", b);
            let launch = launch.uniform("size", plan.size());
            if plan.sizes.count == 1 {
                return launch;
            }
            launch.uniform("batch", [plan.padded.m as i32, plan.padded.n as i32])
        };
        if let Some(parts) = &mut self.parts {
            let launch = launch().uniform("span", plan.split.span as i32);
            launch.buffer_mut("C", parts.buffer()).run([x, y, plan.split.parts as u32])?;
            return parts.add(&mut self.c);
        }
        for (first, last) in plan.slices() {
            let launch = launch().uniform("first", first).uniform("last", last);
            let launch = launch.uniform("adds", i32::from(first > 0 || !is_first));
            launch.buffer_mut("C", &mut self.c).run([x, y, 1])?;
        }
        Ok(())
    }

    fn read(&self) -> Result<Matrix<T>> {
        pack::unpack(&self.c.read()?, self.plan.padded.c(), self.plan.loaded().c())
    }

    fn read_rows(&self, rows: Range<usize>, to: &mut [T]) -> Result<()> {
        let (stored, width) = (self.plan.padded.c().cols, self.plan.loaded().c().cols);
        if stored == width && size_of::<T>() == size_of::<T::Word>() {
            return Ok(self.c.read_at(rows.start * stored, cast_slice_mut(to))?);
        }
        let mut words = data::zeros(rows.len() * stored)?;
        self.c.read_at(rows.start * stored, &mut words)?;
        pack::unpack_to(&words, stored, to, width);
        Ok(())
    }

    fn write_to(&self, c: &mut DeviceMatrix<T>) -> Result<()> {
        if BufferUnpacker::runs_on(&self.c.context()) {
            self.unpack_c.draw(&self.c, c)
        } else {
            backend::write_by_host(self, c)
        }
    }

    fn stored(&self) -> Shape {
        Shape::new(self.plan.padded.m, self.plan.padded.n)
    }

    /// Returns the bytes loaded from the buffers, the zeros that fill tiles up included. Traffic
    /// through shared memory and registers is not counted.
    fn fetched_bytes(&self) -> u64 {
        self.plan.loads * size_of::<T::Word>() as u64
    }

    fn options(&self) -> String {
        self.plan.options.clone()
    }
}

/// Returns the shader of a plan, for one dispatch, for parts of C, or for one of several
/// dispatches.
fn source_of<T: Stored>(plan: &Plan, adds: bool) -> Result<Source> {
    let source = source::<T>(&plan.shader)?;
    let source = if plan.sizes.count > 1 { source.define("BATCH", 1) } else { source };
    Ok(match (plan.split.parts, plan.slices().count()) {
        (1, 1) if !adds => source,
        (1, _) => source.define("CONTINUES", 1),
        _ => source.define("SPLIT", 1),
    })
}

/// Returns a shader for this type of number.
fn source<T: Stored>(shader: &Shader) -> Result<Source> {
    let mut source = of_type::<T>(Source::library(Stage::Compute, shader.path)?);
    for (name, value) in &shader.defines {
        source = source.define(*name, value);
    }
    Ok(source)
}

/// Returns every shader of this module in every variant, to be checked as a set. Tiles of an
/// element an invocation may have any size; one of each kind represents all.
pub(crate) fn sources() -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    let (tile, tall) = (Tile { width: 16, height: 8 }, Tile { width: 8, height: 16 });
    for shader in [Shader::of_tile(tile), Shader::of_shared_tile(tall)] {
        sources.push(source::<f32>(&shader)?);
        sources.push(source::<f32>(&shader)?.define("BATCH", 1));
        sources.push(source::<i32>(&shader)?);
        sources.push(source::<i16>(&shader)?);
    }
    for variant in &blocked::VARIANTS {
        sources.push(source::<f32>(&variant.shader(true))?.define("SPLIT", 1));
        let shader = source::<f32>(&variant.shader(false))?;
        let with = |define: &str| shader.clone().define(define, 1);
        let both = with("SPLIT").define("BATCH", 1);
        sources.extend([with("CONTINUES"), with("SPLIT"), both, shader]);
    }
    sources.push(sum::source(2)?);
    Ok(sources)
}

/// Runs the plans for hardware on whatever device there is, since a software renderer would never
/// choose them.
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::limits::Limits;
    use super::*;
    use crate::reference::matmul::expected;

    /// Returns the product of a plan for a GPU, in buffers that held NaN, and the options that ran.
    fn product(context: &Context, options: &str, a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        let limits = limits::of(context, Method::ComputeBlocked, a.shape().cols).unwrap();
        let limits = Limits { software: false, ..limits };
        let sizes = Sizes::of(Operands::of_one(a.shape(), b.shape()));
        let plan = plan::plan(&limits, &options.parse().unwrap(), sizes).unwrap();
        assert!(plan.shader.defines.contains(&("PREFETCH", 1)), "{options}");
        let mut product = ComputeBackend::<f32>::new(context, plan, false).unwrap();
        let poison = |shape| Matrix::from_fn(shape, |_, _| f32::NAN).unwrap();
        product.load(&poison(a.shape()), &poison(b.shape())).unwrap();
        product.run().unwrap();
        product.load(a, b).unwrap();
        product.run().unwrap();
        product.read().unwrap()
    }

    #[test]
    fn the_form_for_hardware_multiplies_with_every_tile() {
        let context = Context::headless().unwrap();
        let Some(limits) = context.abilities().compute else { return };
        for (tile, m, k, n) in [
            ("32x32", 32, 1, 64),
            ("64x64", 64, 65, 64),
            ("64x128", 128, 16, 64),
            ("128x128", 128, 127, 128),
            ("128x256", 256, 33, 128),
        ] {
            if tile == "128x256" && limits.shared_bytes < 48 << 10 {
                continue;
            }
            let a = Matrix::random(Shape::new(m, k), 1).unwrap();
            let b = Matrix::random(Shape::new(k, n), 2).unwrap();
            let right = expected(&a, &b).unwrap();
            let one = product(&context, &format!("compute-blocked split=1 tile={tile}"), &a, &b);
            assert_eq!(right.first_wrong(&one), None, "{tile}");
            let parts = product(&context, &format!("compute-blocked split=2 tile={tile}"), &a, &b);
            assert_eq!(right.first_wrong(&parts), None, "{tile} in parts");
        }
    }

    #[test]
    fn the_form_for_hardware_multiplies_any_sizes() {
        let context = Context::headless().unwrap();
        if context.abilities().compute.is_none() {
            return;
        }
        for (m, k, n) in [(1, 1, 1), (3, 5, 63), (65, 127, 2), (5, 4097, 3)] {
            let a = Matrix::random(Shape::new(m, k), 1).unwrap();
            let b = Matrix::random(Shape::new(k, n), 2).unwrap();
            let c = product(&context, "compute-blocked", &a, &b);
            assert_eq!(expected(&a, &b).unwrap().first_wrong(&c), None, "{m} x {k} x {n}");
        }
    }
}
