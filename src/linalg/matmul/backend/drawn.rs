//! The drawn methods: each fragment computes a block of C.

mod operand;
mod plan;
mod product;
mod shaders;

use crate::Shape;
use crate::data::pack::TexelLayout;
use crate::data::{Matrix, Number};
use crate::gl::{Context, Target, Texel};
use crate::linalg::DeviceMatrix;
use crate::shader::Reads;
use crate::stream::{Geometry, Kernel, Tiles};

use self::operand::Operand;
use self::plan::{Coverage, Plan};
use self::product::Product;
use super::{Backend, Operands};
use crate::linalg::matmul::{Cell, Error, Method, OperandReads, Options, Result};

pub(in crate::linalg::matmul) use self::shaders::sources;

/// Returns a drawn method for floats.
pub(crate) fn floats(
    context: &Context,
    method: Method,
    options: &Options,
    operands: Operands,
) -> Result<Box<dyn Backend<f32>>> {
    let plan = plan(context, method, options, operands)?;
    Ok(match (method, plan.cell) {
        (Method::Element, Cell::Four) => {
            Box::new(Multiply::<f32, [f32; 4], f32>::new(context, plan)?)
        }
        (Method::Element, _) => Box::new(Multiply::<f32, f32, f32>::new(context, plan)?),
        _ => Box::new(Multiply::<f32, [f32; 4], [f32; 4]>::new(context, plan)?),
    })
}

/// Returns the method `element` for integers.
pub(crate) fn integers<T: Number + Texel>(
    context: &Context,
    method: Method,
    options: &Options,
    operands: Operands,
) -> Result<Box<dyn Backend<T>>> {
    if let Some(cell) = options.cell.filter(|cell| *cell == Cell::Four) {
        return Err(Error::Cell {
            method,
            cell,
            expected: "1 integer (4 elements are for float alone)",
        });
    }
    let plan = plan(context, method, options, operands)?;
    Ok(Box::new(Multiply::<T, T, T>::new(context, plan)?))
}

fn plan(context: &Context, method: Method, options: &Options, operands: Operands) -> Result<Plan> {
    // No method has more steps than A has columns.
    let iterations = context.most_iterations(operands.a.cols as u64)?;
    Plan::new(method, options, operands, context.abilities(), iterations)
}

/// A multiplication of numbers `T` from operands in texels `P` to a result in texels `R`.
struct Multiply<T: Number + Texel, P: Texel, R: Texel> {
    plan: Plan,
    kernel: Kernel,
    tiles: Option<Tiles>,
    a: Operand<P>,
    b: Operand<P>,
    c: Product<R>,
    number: std::marker::PhantomData<T>,
}

impl<T: Number + Texel, P: Texel, R: Texel> Multiply<T, P, R> {
    fn new(context: &Context, plan: Plan) -> Result<Self> {
        let reads = match plan.reads {
            OperandReads::Texture(reads) => reads,
            OperandReads::Buffer => Reads::Fetch,
        };
        let tiles = plan.tiles()?.map(|tiles| Tiles::new(context, &tiles)).transpose()?;
        Ok(Multiply {
            kernel: Kernel::from_fragment(context, &shaders::source::<T>(&plan)?, reads)?,
            tiles,
            a: Operand::new(context, plan.reads, plan.a)?,
            b: Operand::new(context, plan.reads, plan.b)?,
            c: Product::new(context, &plan)?,
            plan,
            number: std::marker::PhantomData,
        })
    }
}

impl<T: Number + Texel, P: Texel, R: Texel> Backend<T> for Multiply<T, P, R> {
    fn load_a(&mut self, a: &Matrix<T>) -> Result<()> {
        self.a.write(a)
    }

    fn load_b(&mut self, b: &Matrix<T>) -> Result<()> {
        self.b.write(b)
    }

    fn load_from(&mut self, a: &DeviceMatrix<T>, b: &DeviceMatrix<T>) -> Result<()> {
        self.a.pack(a)?;
        self.b.pack(b)
    }

    fn run(&mut self) -> Result<()> {
        let (plan, kernel, a, b) = (&self.plan, &self.kernel, &self.a, &self.b);
        let geometry = match (&self.tiles, plan.coverage) {
            (Some(tiles), _) => Geometry::Tiles(tiles),
            (None, Coverage::Triangle) => Geometry::Triangle,
            _ => Geometry::Full,
        };
        let pass = |first: i32, last: i32| {
            let pass = kernel.pass().uniform("first", first).uniform("last", last).over(geometry);
            let pass = b.bind(a.bind(pass, "a", "A", "a_width"), "b", "B", "b_width");
            let pass = match plan.mapping.strips {
                0 => pass,
                _ => {
                    let height = |cells: TexelLayout| cells.strip_height() as i32;
                    pass.uniform("strip_heights", [plan.a, plan.b].map(height))
                }
            };
            match plan.batch {
                Some(batch) => pass.uniform("batch", batch),
                None => pass,
            }
        };
        match &mut self.c {
            Product::Sums(sums, _) => {
                sums.with_scratch(|_, second| second.fill(R::zeroed()))?;
                sums.swap();
                for (first, last) in plan.slices() {
                    sums.step(|old, new| pass(first, last).input("partial", old).draw(new))?;
                }
            }
            Product::Targets(targets, _) => {
                let mut targets: Vec<&mut dyn Target> =
                    targets.textures.iter_mut().map(|texture| texture as &mut dyn Target).collect();
                pass(0, plan.steps as i32).draw_into(&mut targets)?;
            }
            Product::Buffer(buffer, canvas, _) => {
                let width = plan.c.texture_size().0 as i32;
                for (first, last) in plan.slices() {
                    let pass = pass(first, last).uniform("c_width", width);
                    pass.buffer_mut("C", &mut *buffer).store_over(canvas)?;
                }
            }
        }
        Ok(())
    }

    fn read(&self) -> Result<Matrix<T>> {
        Ok(Matrix::new(self.plan.c.shape, self.c.read(&self.plan)?)?)
    }

    fn write_to(&self, c: &mut DeviceMatrix<T>) -> Result<()> {
        self.c.unpack(c)
    }

    fn stored(&self) -> Shape {
        self.plan.stored
    }

    fn fetched_bytes(&self) -> u64 {
        self.plan.fetched_bytes(size_of::<T>())
    }

    fn options(&self) -> String {
        let text = self.plan.options().to_string();
        text.split_once(' ').map_or_else(String::new, |(_, options)| options.to_owned())
    }
}
