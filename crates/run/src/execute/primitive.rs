//! Primitives between textures: vectors are made of what a pass reads, and its output of vectors.

use std::rc::Rc;

use quadrille::data::Shape;
use quadrille::gl::{AnyTexture, Class, Context, Target};
use quadrille::grid::DeviceVector;
use quadrille::primitives::{Axis, Convolution, Fft, Histogram, Number, Scan, Sort};
use quadrille::shader::{Source, Stage};
use quadrille::stream::{self, Kernel};

use crate::dialect::shaders::SHADERS;
use crate::error::{Result, SizeError};
use crate::io::cells::Cells;
use crate::setup::primitive::{Along, Primitive};

/// A primitive that is ready to run.
pub(crate) trait PreparedPrimitive {
    /// Computes the cells of a target from those of a texture.
    fn run(&mut self, x: &dyn AnyTexture, y: &mut dyn Target) -> Result<()>;
}

/// What makes a vector of another.
type Compute<T, U> = Box<dyn Fn(&DeviceVector<T>) -> Result<DeviceVector<U>, stream::Error>>;

/// A function of vectors, with the way to them from a texture, and from them to another.
struct OfVectors<T: Number, U: Number> {
    layout: VectorLayout,
    pack: Kernel,
    unpack: Kernel,
    x: DeviceVector<T>,
    compute: Compute<T, U>,
}

/// The layout of cells as vectors.
#[derive(Clone, Copy)]
struct VectorLayout {
    takes: Cells,
    /// Whether vectors go down the columns.
    columns: bool,
    /// Whether a vector has two channels in turns, rather than one.
    in_turns: bool,
}

impl VectorLayout {
    /// Returns the number of vectors.
    fn vectors(&self) -> usize {
        if self.in_turns { 1 } else { self.takes.channels }
    }

    /// Returns the channels of each vector.
    fn turns(&self) -> usize {
        if self.in_turns { 2 } else { 1 }
    }

    /// Returns the length of each vector.
    fn length(&self) -> usize {
        self.turns().saturating_mul(self.takes.extent.texels())
    }

    /// Returns the height and the width as the vectors have them.
    fn shape(&self) -> Shape {
        let [width, height] = [self.takes.extent.width, self.takes.extent.height];
        let (rows, columns) = if self.columns { (width, height) } else { (height, width) };
        Shape::new(rows as usize, columns as usize)
    }
}

fn packing<T: Number>() -> Result<Source, quadrille::shader::Error> {
    Ok(SHADERS.source(Stage::Fragment, "primitive/pack.frag")?.define(T::DEFINE, 1))
}

fn unpacking<U: Number>(
    channels: usize,
    in_turns: bool,
) -> Result<Source, quadrille::shader::Error> {
    let source = SHADERS.source(Stage::Fragment, "primitive/unpack.frag")?;
    let source = source.define(U::DEFINE, 1).define("CHANNELS", channels);
    Ok(if in_turns { source.define("IN_TURNS", 1) } else { source })
}

/// Returns the shaders in every variant.
pub(crate) fn sources() -> Result<Vec<Source>, quadrille::shader::Error> {
    let mut sources = vec![packing::<f32>()?, packing::<i32>()?, packing::<u32>()?];
    sources.push(unpacking::<f32>(2, true)?);
    for channels in 1..=4 {
        sources.push(unpacking::<f32>(channels, false)?);
        sources.push(unpacking::<i32>(channels, false)?);
        sources.push(unpacking::<u32>(channels, false)?);
    }
    Ok(sources)
}

/// Makes what a primitive needs on the device to take these cells.
pub(crate) fn made(
    context: &Context,
    pass: &str,
    primitive: &Primitive,
    takes: Cells,
) -> Result<Box<dyn PreparedPrimitive>> {
    let in_turns = matches!(primitive, Primitive::Fft { .. });
    let layout = VectorLayout { takes, columns: primitive.goes_down(), in_turns };
    let limit = DeviceVector::<f32>::room_of_panel(context);
    if layout.length() > limit {
        return Err(
            SizeError::LongVector { pass: pass.to_owned(), extent: takes.extent, limit }.into()
        );
    }
    match (primitive, primitive.takes()) {
        (Primitive::Scan { .. } | Primitive::Sort { .. }, Class::Float) => {
            of_numbers::<f32>(context, layout, primitive)
        }
        (Primitive::Scan { .. } | Primitive::Sort { .. }, Class::Int) => {
            of_numbers::<i32>(context, layout, primitive)
        }
        (Primitive::Scan { .. } | Primitive::Sort { .. }, Class::Uint) => {
            of_numbers::<u32>(context, layout, primitive)
        }
        (Primitive::Histogram { bins, range: None }, _) => {
            let histogram = Histogram::<u32>::of_numbers(context, *bins)?;
            OfVectors::boxed(context, layout, Box::new(move |x| histogram.of(x)))
        }
        (Primitive::Histogram { bins, range: Some([low, high]) }, _) => {
            let histogram = Histogram::between(context, *bins, *low, *high)?;
            OfVectors::boxed(context, layout, Box::new(move |x| histogram.of(x)))
        }
        (Primitive::Fft { inverse, along }, _) => {
            let (fft, inverse) = (transform(context, layout, *along)?, *inverse);
            let compute = move |x: &DeviceVector| {
                let mut y = DeviceVector::uninit(x.context(), x.len())?;
                if inverse {
                    fft.inverse(x, &mut y)?
                } else {
                    fft.forward(x, &mut y)?
                }
                Ok(y)
            };
            OfVectors::<f32, f32>::boxed(context, layout, Box::new(compute))
        }
        (Primitive::Convolution { weights, border }, _) => {
            let convolution = Convolution::new(context, layout.shape(), weights, *border)?;
            let compute = move |x: &DeviceVector| {
                let mut y = DeviceVector::uninit(x.context(), x.len())?;
                convolution.run(x, &mut y)?;
                Ok(y)
            };
            OfVectors::<f32, f32>::boxed(context, layout, Box::new(compute))
        }
    }
}

/// Makes a scan or a sort of one type of numbers.
fn of_numbers<T: Number>(
    context: &Context,
    layout: VectorLayout,
    primitive: &Primitive,
) -> Result<Box<dyn PreparedPrimitive>> {
    match *primitive {
        Primitive::Scan { operation, exclusive, along, .. } => {
            let scan = Scan::<T>::new(context);
            let starts = match along {
                Along::All => None,
                _ => Some(starts(context, layout)?),
            };
            let compute = move |x: &DeviceVector<T>| {
                let mut y = DeviceVector::uninit(x.context(), x.len())?;
                let mut prefixes = scan.of(x).operation(operation);
                if exclusive {
                    prefixes = prefixes.exclusive();
                }
                if let Some(starts) = &starts {
                    prefixes = prefixes.segments(starts);
                }
                prefixes.run(&mut y)?;
                Ok(y)
            };
            OfVectors::<T, T>::boxed(context, layout, Box::new(compute))
        }
        Primitive::Sort { descending, places, along, .. } => {
            let sort = Sort::<T>::new(context)?;
            let sort = Rc::new(if descending { sort.descending() } else { sort });
            let columns = match along {
                Along::All => layout.length(),
                _ => layout.shape().cols,
            };
            let is_whole = columns == layout.length();
            match places {
                true => {
                    let compute = move |x: &DeviceVector<T>| match is_whole {
                        true => sort.indices(x),
                        false => sort.row_indices(x, columns),
                    };
                    OfVectors::<T, u32>::boxed(context, layout, Box::new(compute))
                }
                false => {
                    let compute = move |x: &DeviceVector<T>| match is_whole {
                        true => sort.keys(x),
                        false => sort.rows(x, columns),
                    };
                    OfVectors::<T, T>::boxed(context, layout, Box::new(compute))
                }
            }
        }
        _ => unreachable!(),
    }
}

fn transform(context: &Context, layout: VectorLayout, along: Along) -> Result<Fft, stream::Error> {
    let Shape { rows, cols } = layout.shape();
    let (along_rows, down) = (Axis::rows(rows, cols), Axis::columns(rows, cols));
    match along {
        Along::All => Fft::new(context, &[along_rows, down]),
        Along::Rows => Fft::new(context, &[along_rows]),
        Along::Columns => Fft::new(context, &[down]),
    }
}

/// Returns where the rows of vectors start.
fn starts(context: &Context, layout: VectorLayout) -> Result<DeviceVector<u32>> {
    let columns = layout.shape().cols;
    let starts = (0..layout.length()).map(|index| u32::from(index % columns == 0));
    let starts = quadrille::memory::collected(layout.length(), starts)?;
    Ok(DeviceVector::from_host(context, &starts)?)
}

impl<T: Number, U: Number> OfVectors<T, U> {
    fn boxed(
        context: &Context,
        layout: VectorLayout,
        compute: Compute<T, U>,
    ) -> Result<Box<dyn PreparedPrimitive>> {
        let channels = layout.vectors() * layout.turns();
        let pack = context.kernel(packing::<T>().map_err(stream::Error::from)?)?;
        let unpack = unpacking::<U>(channels, layout.in_turns).map_err(stream::Error::from)?;
        let unpack = context.kernel(unpack)?;
        let x = DeviceVector::uninit(context, layout.length())?;
        Ok(Box::new(OfVectors { layout, pack, unpack, x, compute }))
    }

    /// Makes a vector of a channel, or of two, and computes another of it.
    fn computed(&mut self, x: &dyn AnyTexture, vector: usize) -> Result<DeviceVector<U>> {
        let VectorLayout { takes, columns, .. } = self.layout;
        let size = [takes.extent.width as i32, takes.extent.height as i32];
        for (panel, _) in self.x.panels_mut() {
            let shift = panel.extent().width.trailing_zeros() as i32;
            let pass = self.pack.pass().input("cells", x).uniform("size", size);
            let pass = pass.uniform("columns", columns).uniform("first", vector as i32);
            pass.uniform("turns", self.layout.turns() as i32)
                .uniform("shift", shift)
                .draw(panel)?;
        }
        Ok((self.compute)(&self.x)?)
    }
}

impl<T: Number, U: Number> PreparedPrimitive for OfVectors<T, U> {
    fn run(&mut self, x: &dyn AnyTexture, y: &mut dyn Target) -> Result<()> {
        let vectors = (0..self.layout.vectors()).map(|vector| self.computed(x, vector));
        let vectors: Vec<DeviceVector<U>> = vectors.collect::<Result<_, _>>()?;
        let panels: Vec<_> =
            vectors.iter().filter_map(|vector| Some(vector.panels().next()?.0)).collect();
        let Some(first) = panels.first() else { return Ok(()) };
        let shift = first.extent().width.trailing_zeros() as i32;
        let extent = y.extent();
        let mut pass = self.unpack.pass().uniform("shift", shift);
        pass = pass.uniform("size", [extent.width as i32, extent.height as i32]);
        pass = pass.uniform("columns", self.layout.columns);
        for (panel, name) in panels.iter().zip(["x0", "x1", "x2", "x3"]) {
            pass = pass.input(name, *panel);
        }
        Ok(pass.draw_into(&mut [y])?)
    }
}
