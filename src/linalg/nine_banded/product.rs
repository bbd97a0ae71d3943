//! The kernels of a product, on either engine.

use crate::data::NineBanded;
use crate::gl::{Context, Texture};
use crate::grid::Part;
use crate::linalg::jacobi::ComputeShape;
use crate::shader::{Source, Stage};
use crate::stream::{ComputeKernel, Engine, Geometry, Kernel};
use crate::{Extent, Rectangle};

use super::bands::{Places, halo_of, shape_of};
use super::coefficients::{Coefficients, Reading, around, bind_coefficients, define};
use super::{Error, double, field};

/// The result of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    Product,
    Residual,
    /// A x, and in parts the dot product of x and A x. By compute shaders alone.
    ProductAndDot,
    /// The next direction of conjugate gradients in the place of x, and the same of that. By
    /// compute shaders alone.
    Direction,
}

/// The properties that the kernels of one quantity depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Variant {
    pub(super) engine: Engine,
    pub(super) reading: Reading,
    pub(super) places: Places,
    /// The work groups.
    pub(super) shape: ComputeShape,
    /// The lane of a row's last unknown, where couplings go across the ends of rows.
    pub(super) last: Option<i32>,
}

impl Variant {
    pub(super) fn new(
        context: &Context,
        matrix: &NineBanded,
        engine: Engine,
        shape: ComputeShape,
    ) -> Variant {
        let panels = engine == Engine::Compute && shape.panels;
        let grid = shape_of(matrix);
        let places = Places::new(grid, context.abilities().max_texture_size, panels);
        let last = halo_of(matrix).across_ends.then_some(grid.last_lane() as i32);
        Variant { engine, reading: Reading::ALL, places, shape, last }
    }

    fn source(self, quantity: Quantity) -> Result<Source, Error> {
        let source = match self.engine {
            Engine::Fragment => Source::library(Stage::Fragment, "nine_banded/product.frag")?,
            Engine::Compute => {
                let source = Source::library(Stage::Compute, "nine_banded/product.comp")?;
                let ComputeShape { group: [x, y], tile, .. } = self.shape;
                let source = source.define("GROUP_X", x).define("GROUP_Y", y);
                if tile { source.define("TILE", 1) } else { source }
            }
        };
        let source = define(self.places.define(source), self.reading);
        let source = if self.last.is_some() { source.define("WRAPS", 1) } else { source };
        Ok(match quantity {
            Quantity::Product => source,
            Quantity::Residual => source.define("RESIDUAL", 1),
            Quantity::ProductAndDot => source.define("DOT", 1),
            Quantity::Direction => source.define("DOT", 1).define("DIRECTION", 1),
        })
    }

    /// Returns the work groups that compute a panel.
    pub(super) fn groups(self, part: &Part) -> Extent {
        let [width, height, _] =
            self.shape.groups(Extent::new(part.owned.width, part.owned.height));
        Extent::new(width, height)
    }
}

/// A compiled kernel.
pub(super) struct Compiled {
    variant: Variant,
    work: Work,
}

enum Work {
    /// Of all points, and of inner ones alone.
    Drawn(Kernel, Option<Box<Kernel>>),
    Dispatched(ComputeKernel),
}

/// Returns the source for inner points alone.
fn inner(source: Source) -> Source {
    source.define("INNER", 1)
}

/// The inputs of a kernel for one panel.
pub(super) struct Inputs<'a> {
    pub(super) x: &'a Texture<[f32; 4]>,
    pub(super) coefficients: Coefficients<'a>,
    /// The right-hand side, for a residual.
    pub(super) b: Option<&'a Texture<[f32; 4]>>,
    /// The terms of the next direction, for a direction.
    pub(super) direction: Option<Direction<'a>>,
}

/// The next direction d r + p above / below.
#[derive(Clone, Copy)]
pub(super) struct Direction<'a> {
    pub(super) d: &'a Texture<[f32; 4]>,
    pub(super) r: &'a Texture<[f32; 4]>,
    pub(super) above: &'a Texture<[f32; 4]>,
    pub(super) below: &'a Texture<[f32; 4]>,
}

/// The outputs of a kernel for one panel, beside the product.
#[derive(Default)]
pub(super) struct ExtraOutputs<'a> {
    /// The sums of work groups.
    pub(super) sums: Option<&'a mut Texture<[f32; 4]>>,
    pub(super) direction: Option<&'a mut Texture<[f32; 4]>>,
}

/// Gives the inputs to a pass or a dispatch, which have methods of the same names.
macro_rules! bind {
    ($run:expr, $inputs:expr, $variant:expr, $corner:expr) => {{
        let run = $run.input("x", $inputs.x).uniform("corner", $corner);
        let run = bind_coefficients!(run, $inputs.coefficients);
        let run = if let Some(b) = $inputs.b { run.input("b", b) } else { run };
        if let Some(last) = $variant.last { run.uniform("last", last) } else { run }
    }};
}

impl Compiled {
    pub(super) fn new(
        context: &Context,
        variant: Variant,
        quantity: Quantity,
    ) -> Result<Compiled, Error> {
        let source = variant.source(quantity)?;
        let work = match variant.engine {
            Engine::Fragment => {
                let reads = context.abilities().reads();
                let inner = variant
                    .reading
                    .constant
                    .then(|| Kernel::from_fragment(context, &inner(source.clone()), reads));
                let inner = inner.transpose()?.map(Box::new);
                Work::Drawn(Kernel::from_fragment(context, &source, reads)?, inner)
            }
            Engine::Compute => Work::Dispatched(context.compute_kernel(source)?),
        };
        Ok(Compiled { variant, work })
    }

    /// Computes what a panel owns, and what else the kernel has.
    pub(super) fn run(
        &self,
        part: &Part,
        inputs: &Inputs<'_>,
        result: &mut Texture<[f32; 4]>,
        others: ExtraOutputs<'_>,
    ) -> Result<(), Error> {
        let (variant, owned) = (self.variant, part.local(part.owned));
        let corner = [owned.x as i32, owned.y as i32];
        match &self.work {
            Work::Drawn(kernel, of_inner) => {
                let mut draw = |kernel: &Kernel, rectangle: Rectangle| {
                    let pass = bind!(kernel.pass(), inputs, variant, corner);
                    // Rectangles count from the first texel that is owned.
                    let (x, y) = (rectangle.x + owned.x, rectangle.y + owned.y);
                    let rectangle = Rectangle { x, y, ..rectangle };
                    pass.over(Geometry::Rectangle(rectangle)).draw(result)
                };
                let extent = Extent::new(owned.width, owned.height);
                let whole = Rectangle { x: 0, y: 0, width: owned.width, height: owned.height };
                let inner = inputs.coefficients.inner(extent, None, 0);
                let Some((inner, of_inner)) = inner.zip(of_inner.as_deref()) else {
                    return Ok(draw(kernel, whole)?);
                };
                draw(of_inner, inner)?;
                Ok(around(extent, inner).try_for_each(|rectangle| draw(kernel, rectangle))?)
            }
            Work::Dispatched(kernel) => {
                let size = result.extent();
                let dispatch = bind!(kernel.dispatch(), inputs, variant, corner)
                    .uniform("owned", [owned.width as i32, owned.height as i32])
                    .uniform("size", [size.width as i32, size.height as i32])
                    .image_mut("value", result);
                let dispatch = match others.sums {
                    Some(sums) => dispatch.image_mut("sums", sums),
                    None => dispatch,
                };
                let dispatch = match inputs.direction.zip(others.direction) {
                    Some((Direction { d, r, above, below }, direction)) => dispatch
                        .input("d", d)
                        .input("r", r)
                        .input("above", above)
                        .input("below", below)
                        .image_mut("direction", direction),
                    None => dispatch,
                };
                let Extent { width, height } = variant.groups(part);
                Ok(dispatch.run([width, height, 1])?)
            }
        }
    }
}

/// Returns every shader of this module in every variant, to be checked as a set.
pub(crate) fn sources() -> Result<Vec<Source>, Error> {
    let mut sources = double::sources()?;
    sources.extend(field::sources()?);
    for (engine, shape) in [
        (Engine::Fragment, ComputeShape::WIDE),
        (Engine::Compute, ComputeShape::WIDE),
        (Engine::Compute, ComputeShape::TILE),
    ] {
        let wide = [9, 3, 1].map(|across| [None, Some(0)].map(|last| (across, last)));
        let all = Reading::every()
            .flat_map(|reading| wide.into_iter().flatten().map(move |wide| (reading, wide)));
        // Couplings across the ends of rows are stored.
        let all = all.filter(|(reading, wide)| !reading.constant || *wide == (9, None));
        for (reading, (across, last)) in all {
            let places = Places { across, panels: shape.panels };
            let variant = Variant { engine, reading, places, shape, last };
            for quantity in [Quantity::Product, Quantity::Residual] {
                sources.push(variant.source(quantity)?);
                if engine == Engine::Fragment && reading.constant {
                    sources.push(inner(variant.source(quantity)?));
                }
            }
            if engine == Engine::Compute {
                sources.push(variant.source(Quantity::ProductAndDot)?);
                sources.push(variant.source(Quantity::Direction)?);
            }
        }
    }
    Ok(sources)
}
