//! The methods that draw: each fragment makes a block of C.

mod plan;
mod shaders;

use crate::Shape;
use crate::data::{Matrix, Number};
use crate::gl::{Buffer, Context, Target, Texel, Texture, Unorm8};
use crate::pack::Cells;
use crate::shader::Reads;
use crate::stream::{Geometry, Kernel, Packed, Pass, PingPong, Tiles};

use self::plan::{Drawn, Plan};
use super::multiplier::Engine;
use super::{Cell, Element, Error, Method, OperandReads, Wish};

pub(super) use self::shaders::sources;

/// A drawn method for floats.
pub(super) fn floats(
    context: &Context,
    method: Method,
    wish: &Wish,
    a: Shape,
    b: Shape,
) -> Result<Box<dyn Engine<f32>>, Error> {
    let plan = Plan::new(method, wish, a, b, context.abilities())?;
    Ok(match (method, plan.cell) {
        (Method::Element, Cell::Four) => {
            Box::new(Multiply::<f32, [f32; 4], f32>::new(context, plan)?)
        }
        (Method::Element, _) => Box::new(Multiply::<f32, f32, f32>::new(context, plan)?),
        _ => Box::new(Multiply::<f32, [f32; 4], [f32; 4]>::new(context, plan)?),
    })
}

/// The method `element` for integers.
pub(super) fn integers<T: Element>(
    context: &Context,
    method: Method,
    wish: &Wish,
    a: Shape,
    b: Shape,
) -> Result<Box<dyn Engine<T>>, Error> {
    if wish.cell == Some(Cell::Four) {
        let text = "four elements share a texel for float alone".to_owned();
        return Err(Error::Bad { method, text });
    }
    let plan = Plan::new(method, wish, a, b, context.abilities())?;
    Ok(Box::new(Multiply::<T, T, T>::new(context, plan)?))
}

/// A multiplication of numbers `T` from operands in texels `P` to a result in texels `R`.
struct Multiply<T: Element, P: Texel, R: Texel> {
    plan: Plan,
    kernel: Kernel,
    tiles: Option<Tiles>,
    a: Operand<P>,
    b: Operand<P>,
    c: Product<R>,
    number: std::marker::PhantomData<T>,
}

/// An operand, where fragments read it.
enum Operand<P: Texel> {
    Texture(Packed<P>),
    Buffer(Buffer<[f32; 4]>, Cells),
}

/// Where C is made.
enum Product<R: Texel> {
    /// Sums that each pass takes from the one before.
    Sums(PingPong<R>, Cells),
    /// As many targets as a fragment has outputs.
    Targets(Packed<R>),
    /// A buffer, and what is drawn over to have fragments.
    Buffer(Buffer<[f32; 4]>, Cells, Texture<Unorm8>),
}

impl<T: Element, P: Texel, R: Texel> Multiply<T, P, R> {
    fn new(context: &Context, plan: Plan) -> Result<Self, Error> {
        let reads = match plan.reads {
            OperandReads::Texture(reads) => reads,
            OperandReads::Buffer => Reads::Fetch,
        };
        let tiles = plan.tiles().map(|tiles| Tiles::new(context, &tiles)).transpose()?;
        Ok(Multiply {
            kernel: Kernel::drawn(context, &shaders::source::<T>(&plan)?, reads)?,
            tiles,
            a: Operand::new(context, &plan, plan.a)?,
            b: Operand::new(context, &plan, plan.b)?,
            c: Product::new(context, &plan)?,
            plan,
            number: std::marker::PhantomData,
        })
    }
}

impl<T: Element, P: Texel, R: Texel> Engine<T> for Multiply<T, P, R> {
    fn load(&mut self, a: &Matrix<T>, b: &Matrix<T>) -> Result<(), Error> {
        self.a.write(a)?;
        self.b.write(b)
    }

    fn run(&mut self) -> Result<(), Error> {
        let (plan, kernel, a, b) = (&self.plan, &self.kernel, &self.a, &self.b);
        let geometry = match (&self.tiles, plan.drawn) {
            (Some(tiles), _) => Geometry::Tiles(tiles),
            (None, Drawn::Triangle) => Geometry::Triangle,
            _ => Geometry::Full,
        };
        let pass = |first: i32, last: i32| {
            let pass = kernel.pass().uniform("first", first).uniform("last", last).over(geometry);
            b.bind(a.bind(pass, "a", "A", "a_width"), "b", "B", "b_width")
        };
        match &mut self.c {
            Product::Sums(sums, _) => {
                sums.beside(|_, second| second.fill(R::zeroed()))?;
                sums.swap();
                for (first, last) in plan.slices() {
                    sums.step(|old, new| pass(first, last).input("partial", old).draw(new))?;
                }
            }
            Product::Targets(targets) => {
                let mut targets: Vec<&mut dyn Target> =
                    targets.textures.iter_mut().map(|texture| texture as &mut dyn Target).collect();
                pass(0, plan.steps as i32).draw_into(&mut targets)?;
            }
            Product::Buffer(buffer, cells, canvas) => {
                let width = cells.wide_and_high().0 as i32;
                let pass = pass(0, plan.steps as i32).uniform("c_width", width);
                pass.buffer_mut("C", buffer).store_over(canvas)?;
            }
        }
        Ok(())
    }

    fn read(&self) -> Result<Matrix<T>, Error> {
        let (elements, cells) = match &self.c {
            Product::Sums(sums, cells) => {
                let mut numbers = vec![T::default(); cells.numbers()];
                sums.newest().read_into(bytemuck::cast_slice_mut(&mut numbers))?;
                (cells.unpack(&[numbers]), cells.shape)
            }
            Product::Targets(targets) => (targets.read::<T>()?, targets.cells().shape),
            Product::Buffer(buffer, cells, _) => {
                let numbers = buffer.read()?;
                (cells.unpack(&[bytemuck::cast_slice::<_, T>(&numbers)]), cells.shape)
            }
        };
        Ok(Matrix::new(cells, elements)?)
    }

    fn fetched_bytes(&self) -> u64 {
        self.plan.fetched_bytes(size_of::<T>())
    }

    fn options(&self) -> String {
        let text = self.plan.wish().to_string();
        text.split_once(' ').map_or_else(String::new, |(_, options)| options.to_owned())
    }
}

impl<P: Texel> Operand<P> {
    fn new(context: &Context, plan: &Plan, cells: Cells) -> Result<Operand<P>, Error> {
        Ok(match plan.reads {
            OperandReads::Texture(_) => Operand::Texture(Packed::empty(context, cells)?),
            OperandReads::Buffer => {
                Operand::Buffer(context.empty_buffer(cells.numbers() / 4)?, cells)
            }
        })
    }

    fn write<T: Number>(&mut self, matrix: &Matrix<T>) -> Result<(), Error> {
        match self {
            Operand::Texture(packed) => packed.write(matrix.elements())?,
            Operand::Buffer(buffer, cells) => {
                for numbers in cells.pack(matrix.elements()) {
                    buffer.write(bytemuck::cast_slice(&numbers))?;
                }
            }
        }
        Ok(())
    }

    fn bind<'a>(&'a self, pass: Pass<'a>, input: &str, block: &str, width: &str) -> Pass<'a> {
        match self {
            Operand::Texture(packed) => pass.input(input, packed.texture()),
            Operand::Buffer(buffer, cells) => {
                pass.buffer(block, buffer).uniform(width, cells.wide_and_high().0 as i32)
            }
        }
    }
}

impl<R: Texel> Product<R> {
    fn new(context: &Context, plan: &Plan) -> Result<Product<R>, Error> {
        let cells = plan.c;
        if plan.method.stores() {
            let buffer = context.empty_buffer(cells.numbers() / 4)?;
            return Ok(Product::Buffer(buffer, cells, context.empty(plan.fragments)?));
        }
        if cells.textures() > 1 {
            return Ok(Product::Targets(Packed::empty(context, cells)?));
        }
        let make = || context.empty(cells.extent());
        Ok(Product::Sums(PingPong::new(make()?, make()?)?, cells))
    }
}
