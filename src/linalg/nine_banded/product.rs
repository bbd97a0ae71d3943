//! The programs of a product, on either engine.

use crate::data::NineBanded;
use crate::gl::{Context, Target, Texture};
use crate::grid::Part;
use crate::linalg::jacobi::ComputeShape;
use crate::shader::Source;
use crate::stream::launch::Programs;
use crate::stream::{Engine, Geometry};
use crate::{Extent, Rectangle};

use super::bands::{Places, halo_of, shape_of};
use super::coefficients::{Coefficients, Reading, around, define};
use super::{Error, Result, field};

/// The result of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

    /// Returns the text of a quantity; or for inner points alone.
    fn source(self, (quantity, inner): (Quantity, bool)) -> Result<Source> {
        let dispatched = self.engine == Engine::Compute;
        let path = if dispatched { "nine_banded/product.comp" } else { "nine_banded/product.frag" };
        let source = self.shape.setup(self.engine).library(path)?;
        let source = if dispatched && self.shape.tile { source.define("TILE", 1) } else { source };
        let source = if inner { source.define("INNER", 1) } else { source };
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

/// The programs of an operator.
pub(super) struct Products {
    pub(super) variant: Variant,
    programs: Programs<(Quantity, bool)>,
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

impl Products {
    /// Compiles nothing yet.
    pub(super) fn new(context: &Context, variant: Variant) -> Products {
        Products { variant, programs: Programs::new(context, variant.shape.setup(variant.engine)) }
    }

    /// Computes what a panel owns, and what else the quantity has.
    pub(super) fn run(
        &self,
        quantity: Quantity,
        part: &Part,
        inputs: &Inputs<'_>,
        result: &mut Texture<[f32; 4]>,
        others: ExtraOutputs<'_>,
    ) -> Result<()> {
        let owned = part.local(part.owned);
        let size = result.extent();
        let mut targets: Vec<(&str, &mut dyn Target)> = vec![("value", result)];
        targets.extend(others.sums.map(|sums| ("sums", sums as &mut dyn Target)));
        targets.extend(others.direction.map(|next| ("direction", next as &mut dyn Target)));
        let mut run = |inner: bool, rectangle: Rectangle| {
            let variant = self.variant;
            let program = self.programs.get(&(quantity, inner), |key, _| variant.source(*key))?;
            // Rectangles count from the first texel that is owned.
            let (x, y) = (rectangle.x + owned.x, rectangle.y + owned.y);
            let over = Geometry::Rectangle(Rectangle { x, y, ..rectangle });
            let launch = program.launch().input("x", inputs.x).over(over);
            let launch = match variant.engine {
                Engine::Fragment => launch.uniform("part", [owned.x as i32, owned.y as i32]),
                Engine::Compute => launch.uniform("size", [size.width as i32, size.height as i32]),
            };
            let launch = inputs.coefficients.bind(launch);
            let launch = match inputs.b {
                Some(b) => launch.input("b", b),
                None => launch,
            };
            let launch = match variant.last {
                Some(last) => launch.uniform("last", last),
                None => launch,
            };
            let launch = match inputs.direction {
                Some(Direction { d, r, above, below }) => {
                    launch.input("d", d).input("r", r).input("above", above).input("below", below)
                }
                None => launch,
            };
            Ok(launch.into(&mut targets)?)
        };
        let extent = Extent::new(owned.width, owned.height);
        let drawn = self.variant.engine == Engine::Fragment;
        let inner = || inputs.coefficients.inner(extent);
        let Some(inner) = drawn.then(inner).flatten() else {
            return run(false, extent.rectangle());
        };
        run(true, inner)?;
        around(extent, inner).try_for_each(|rectangle| run(false, rectangle))
    }
}

/// Returns every shader of this module in every variant, to be checked as a set.
pub(crate) fn sources() -> Result<Vec<Source>, Error> {
    let mut sources = field::sources()?;
    for (engine, shape) in ComputeShape::ON_ENGINES {
        let wide = [9, 3, 1].map(|across| [None, Some(0)].map(|last| (across, last)));
        let all = Reading::every()
            .flat_map(|reading| wide.into_iter().flatten().map(move |wide| (reading, wide)));
        // Couplings across the ends of rows are stored.
        let all = all.filter(|(reading, wide)| !reading.constant || *wide == (9, None));
        for (reading, (across, last)) in all {
            let places = Places { across, panels: shape.panels };
            let variant = Variant { engine, reading, places, shape, last };
            for quantity in [Quantity::Product, Quantity::Residual] {
                sources.push(variant.source((quantity, false))?);
                if engine == Engine::Fragment && reading.constant {
                    sources.push(variant.source((quantity, true))?);
                }
            }
            if engine == Engine::Compute {
                sources.push(variant.source((Quantity::ProductAndDot, false))?);
                sources.push(variant.source((Quantity::Direction, false))?);
            }
        }
    }
    Ok(sources)
}
