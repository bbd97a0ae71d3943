//! The shaders of each variant, and the texels that each of them writes.

use std::rc::Rc;

use crate::gl::{Context, Texel, Texture, Value};
use crate::shader::{Reads, Source, Stage};
use crate::stream::{ComputeKernel, Geometry, Kernel, LineDirection};
use crate::{Extent, Rectangle};

use super::bands::Bands;
use crate::linalg::jacobi::{ComputeShape, Error, Layout, Optimization, ResolvedVariant};

/// A pass or the dispatch of a step or a residual, over texels of one panel. Panels share kernels.
pub(in crate::linalg::jacobi) enum Part {
    Draw { kernel: Rc<Kernel>, place: Place, knows_ends: bool },
    Compute { kernel: Rc<ComputeKernel>, shape: ComputeShape, extent: Extent },
}

/// The inputs of a panel's kernels other than x.
pub(in crate::linalg::jacobi) struct Inputs<'a> {
    pub(in crate::linalg::jacobi) bands: &'a Bands,
    /// The lane of a row's last unknown in its last texel, where texels hold several.
    pub(in crate::linalg::jacobi) last_lane: Option<i32>,
    /// The factor of a residual; `None` for a step.
    pub(in crate::linalg::jacobi) scale: Option<&'a Value>,
    /// Whether the device may run what follows at the same time:
    /// [`Region::Inside`](super::Region::Inside) meets halos that are spread.
    pub(in crate::linalg::jacobi) unordered: bool,
}

/// A pass: the shader, and the texels that it writes.
pub(in crate::linalg::jacobi) type Draw = (Shader, Place);

/// A geometry without a lifetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::linalg::jacobi) enum Place {
    Full,
    Interior(Rectangle),
    Column(u32),
    Line(u32, LineDirection),
}

impl Place {
    fn geometry(self) -> Geometry<'static> {
        match self {
            Place::Full => Geometry::Full,
            Place::Interior(rectangle) => Geometry::Rectangle(rectangle),
            Place::Column(x) => Geometry::Column(x),
            Place::Line(x, direction) => Geometry::Line(x, direction),
        }
    }

    /// Returns the part of the place within a region; `None` if they have no texel in common.
    fn within(self, region: Rectangle) -> Option<Place> {
        let common = match self {
            Place::Full => region,
            Place::Interior(rectangle) => rectangle.common(region),
            Place::Column(x) | Place::Line(x, _) => {
                region.common(Rectangle { x, width: 1, ..region })
            }
        };
        (common.texels() > 0).then_some(Place::Interior(common))
    }
}

/// A shader that is a part of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::linalg::jacobi) enum Shader {
    Generic,
    Interior,
    Neighbours,
    Left,
    Right,
}

/// The output of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::linalg::jacobi) enum Quantity {
    NextX,
    Residual,
}

/// Returns the passes of a panel: plain arithmetic, tested without GL. On a grid one texel wide
/// both ends of a row are in one texel, which only the generic shader handles.
pub(super) fn draws(
    optimization: Optimization,
    extent: Extent,
    lines: Option<LineDirection>,
) -> Vec<Draw> {
    let inside = match optimization {
        Optimization::Generic | Optimization::Reciprocal | Optimization::Compute => {
            return vec![(Shader::Generic, Place::Full)];
        }
        _ if extent.width < 2 => return vec![(Shader::Generic, Place::Full)],
        Optimization::Boundary => Shader::Interior,
        Optimization::Neighbours => Shader::Neighbours,
    };
    let column = |x| lines.map_or(Place::Column(x), |direction| Place::Line(x, direction));
    let ends = [(Shader::Left, column(0)), (Shader::Right, column(extent.width - 1))];
    let interior = Rectangle::new(1, 0, extent.width - 2, extent.height);
    let interior = (interior.texels() > 0).then_some((inside, Place::Interior(interior)));
    interior.into_iter().chain(ends).collect()
}

impl Shader {
    /// Returns whether it computes texels at the ends of rows.
    fn knows_ends(self) -> bool {
        !matches!(self, Shader::Interior | Shader::Neighbours)
    }

    fn sources(
        self,
        chosen: ResolvedVariant,
        quantity: Quantity,
    ) -> Result<(Source, Source), Error> {
        let (vertex, fragment) = match self {
            Shader::Generic => ("vertex/rectangle.vert", "jacobi/generic.frag"),
            Shader::Interior => ("vertex/rectangle.vert", "jacobi/interior.frag"),
            Shader::Neighbours => ("jacobi/neighbours.vert", "jacobi/neighbours.frag"),
            Shader::Left | Shader::Right => ("vertex/rectangle.vert", "jacobi/boundary.frag"),
        };
        let vertex = Source::library(Stage::Vertex, vertex)?.define(chosen.layout.define(), 1);
        let mut fragment =
            Source::library(Stage::Fragment, fragment)?.define(chosen.layout.define(), 1);
        if chosen.optimization > Optimization::Generic {
            fragment = fragment.define("RECIPROCAL", 1);
        }
        if quantity == Quantity::Residual {
            fragment = fragment.define("RESIDUAL", 1);
        }
        match self {
            Shader::Left => fragment = fragment.define("SIDE_LEFT", 1),
            Shader::Right => fragment = fragment.define("SIDE_RIGHT", 1),
            _ => {}
        }
        Ok((vertex, fragment))
    }
}

/// Gives the inputs to a pass or a dispatch, which have methods of the same names.
macro_rules! bind {
    ($run:expr, $inputs:expr, $last:expr) => {{
        let mut run = $run;
        for (name, texture) in $inputs.bands.inputs() {
            run = run.input(name, texture);
        }
        if let Some(last) = $last {
            run = run.uniform("last", last);
        }
        if let Some(scale) = $inputs.scale {
            run = run.uniform("scale", scale.clone());
        }
        run
    }};
}
/// The kernels of a quantity, each compiled once.
pub(in crate::linalg::jacobi) struct Kernels<'a> {
    context: &'a Context,
    chosen: ResolvedVariant,
    shape: ComputeShape,
    quantity: Quantity,
    drawn: Vec<(Shader, Rc<Kernel>)>,
    dispatched: Option<Rc<ComputeKernel>>,
}

impl<'a> Kernels<'a> {
    pub(in crate::linalg::jacobi) fn new(
        context: &'a Context,
        chosen: ResolvedVariant,
        shape: ComputeShape,
        quantity: Quantity,
    ) -> Kernels<'a> {
        Kernels { context, chosen, shape, quantity, drawn: Vec::new(), dispatched: None }
    }

    /// Returns the passes, or the one dispatch of the compute stage, that compute a panel of this
    /// extent.
    pub(in crate::linalg::jacobi) fn parts(
        &mut self,
        extent: Extent,
        draws: &[Draw],
    ) -> Result<Vec<Part>, Error> {
        if self.chosen.optimization == Optimization::Compute {
            let (kernel, shape) = (self.dispatched()?, self.shape);
            return Ok(vec![Part::Compute { kernel, shape, extent }]);
        }
        let part = |(shader, place): &Draw| {
            let (kernel, place, knows_ends) = (self.drawn(*shader)?, *place, shader.knows_ends());
            Ok(Part::Draw { kernel, place, knows_ends })
        };
        draws.iter().map(part).collect()
    }

    fn drawn(&mut self, shader: Shader) -> Result<Rc<Kernel>, Error> {
        if let Some((_, kernel)) = self.drawn.iter().find(|(known, _)| *known == shader) {
            return Ok(Rc::clone(kernel));
        }
        let (vertex, fragment) = shader.sources(self.chosen, self.quantity)?;
        let kernel = Rc::new(Kernel::new(self.context, &vertex, &fragment, self.chosen.reads)?);
        self.drawn.push((shader, Rc::clone(&kernel)));
        Ok(kernel)
    }

    fn dispatched(&mut self) -> Result<Rc<ComputeKernel>, Error> {
        if let Some(kernel) = &self.dispatched {
            return Ok(Rc::clone(kernel));
        }
        let source = compute_source(self.chosen, self.shape, self.quantity)?;
        let kernel = Rc::new(self.context.compute_kernel(source)?);
        Ok(Rc::clone(self.dispatched.insert(kernel)))
    }
}

impl Part {
    /// Computes its texels of the new x, or of the residual, from the old x: all, or those of a
    /// region.
    pub(in crate::linalg::jacobi) fn run<T: Texel>(
        &self,
        inputs: &Inputs<'_>,
        old: &Texture<T>,
        new: &mut Texture<T>,
        region: Option<Rectangle>,
    ) -> Result<(), Error> {
        match self {
            Part::Draw { kernel, place, knows_ends } => {
                let place = region.map_or(Some(*place), |region| place.within(region));
                let Some(place) = place else { return Ok(()) };
                let last = inputs.last_lane.filter(|_| *knows_ends);
                let pass = bind!(kernel.pass(), inputs, last).input("x", old);
                Ok(pass.over(place.geometry()).draw(new)?)
            }
            Part::Compute { kernel, shape, extent } => {
                let region = region.unwrap_or_else(|| extent.rectangle());
                let pair = |x: u32, y: u32| [x as i32, y as i32];
                let dispatch = bind!(kernel.dispatch(), inputs, inputs.last_lane).input("x", old);
                let dispatch = dispatch
                    .uniform("size", pair(extent.width, extent.height))
                    .uniform("corner", pair(region.x, region.y))
                    .uniform("region", pair(region.width, region.height));
                let dispatch = if inputs.unordered { dispatch.unordered() } else { dispatch };
                let groups = shape.groups(Extent::new(region.width, region.height));
                Ok(dispatch.image_mut("next", new).run(groups)?)
            }
        }
    }
}

fn compute_source(
    chosen: ResolvedVariant,
    shape: ComputeShape,
    quantity: Quantity,
) -> Result<Source, Error> {
    let format = if chosen.layout.channels() == 1 { "r32f" } else { "rgba32f" };
    let source = Source::library(Stage::Compute, "jacobi/step.comp")?
        .define("FORMAT", format)
        .define("RECIPROCAL", 1)
        .define(chosen.layout.define(), 1);
    let source = shape.define(source);
    Ok(if quantity == Quantity::Residual { source.define("RESIDUAL", 1) } else { source })
}

/// Returns every shader of this module in every variant, to be checked as a set.
pub(crate) fn sources() -> Result<Vec<Source>, Error> {
    const SHADERS: [Shader; 5] =
        [Shader::Generic, Shader::Interior, Shader::Neighbours, Shader::Left, Shader::Right];
    let mut sources = vec![super::interleaved::source(false)?, super::interleaved::source(true)?];
    for layout in Layout::ALL {
        for optimization in [Optimization::Generic, Optimization::Neighbours] {
            for quantity in [Quantity::NextX, Quantity::Residual] {
                for shader in SHADERS {
                    // The sources do not depend on the way of reading.
                    let chosen = ResolvedVariant { layout, optimization, reads: Reads::Fetch };
                    let (vertex, fragment) = shader.sources(chosen, quantity)?;
                    sources.extend([vertex, fragment]);
                }
                let chosen = ResolvedVariant {
                    layout,
                    optimization: Optimization::Compute,
                    reads: Reads::Fetch,
                };
                for shape in [ComputeShape::WIDE, ComputeShape::TILE] {
                    sources.push(compute_source(chosen, shape, quantity)?);
                }
            }
        }
    }
    Ok(sources)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texels(draws: &[Draw], extent: Extent) -> usize {
        let count = |place: &Place| match place {
            Place::Full => extent.texels(),
            Place::Interior(rectangle) => rectangle.texels(),
            Place::Column(_) | Place::Line(..) => extent.height as usize,
        };
        draws.iter().map(|(_, place)| count(place)).sum()
    }

    #[test]
    fn the_passes_cover_all_texels() {
        for width in 1..6 {
            for optimization in Optimization::ALL {
                for lines in [None, Some(LineDirection::Up)] {
                    let extent = Extent::new(width, 7);
                    let draws = draws(optimization, extent, lines);
                    assert_eq!(
                        texels(&draws, extent),
                        extent.texels(),
                        "{optimization}, width {width}"
                    );
                }
            }
        }
    }
}
