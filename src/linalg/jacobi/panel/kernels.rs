//! The shaders of each variant, and the texels that each of them writes.

use std::rc::Rc;

use crate::gl::{Context, Texel, Texture, Value};
use crate::shader::{Reads, Source, Stage};
use crate::stream::launch::{Program, Programs};
use crate::stream::{Engine, Geometry, Kernel, LineDirection};
use crate::{Extent, Rectangle};

use super::bands::Bands;
use crate::linalg::jacobi::{ComputeShape, Layout, Optimization, ResolvedVariant, Result};

/// A pass or the dispatch of a step or a residual, over texels of one panel. Panels share programs.
pub(crate) struct Part {
    program: Rc<Program>,
    place: Place,
    knows_ends: bool,
}

/// The inputs of a panel's kernels other than x.
pub(crate) struct Inputs<'a> {
    pub(crate) bands: &'a Bands,
    /// The lane of a row's last unknown in its last texel, where texels hold several.
    pub(crate) last_lane: Option<i32>,
    /// The factor of a residual; `None` for a step.
    pub(crate) scale: Option<&'a Value>,
    /// Whether the device may run what follows at the same time:
    /// [`Region::Inside`](super::Region::Inside) meets halos that are spread.
    pub(crate) unordered: bool,
}

/// A pass: the shader, and the texels that it writes.
pub(crate) type Draw = (Shader, Place);

/// A geometry without a lifetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shader {
    Generic,
    Interior,
    Neighbours,
    Left,
    Right,
    /// All texels by a compute shader.
    Step,
}

/// The output of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
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
        Optimization::Compute => {
            return vec![(Shader::Step, Place::Interior(extent.rectangle()))];
        }
        Optimization::Generic | Optimization::Reciprocal => {
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

    /// Compiles it.
    fn program(
        self,
        context: &Context,
        chosen: ResolvedVariant,
        shape: ComputeShape,
        quantity: Quantity,
    ) -> Result<Program> {
        if self == Shader::Step {
            let setup = shape.setup(Engine::Compute);
            return Ok(Program::new(context, setup, compute_source(chosen, shape, quantity)?)?);
        }
        let (vertex, fragment) = self.sources(chosen, quantity)?;
        Ok(Kernel::new(context, &vertex, &fragment, chosen.reads)?.into())
    }

    fn sources(self, chosen: ResolvedVariant, quantity: Quantity) -> Result<(Source, Source)> {
        let (vertex, fragment) = match self {
            Shader::Interior => ("vertex/rectangle.vert", "jacobi/interior.frag"),
            Shader::Neighbours => ("jacobi/neighbours.vert", "jacobi/neighbours.frag"),
            Shader::Left | Shader::Right => ("vertex/rectangle.vert", "jacobi/boundary.frag"),
            Shader::Generic | Shader::Step => ("vertex/rectangle.vert", "jacobi/generic.frag"),
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

/// The programs of a quantity.
pub(crate) struct PanelPrograms {
    chosen: ResolvedVariant,
    shape: ComputeShape,
    quantity: Quantity,
    programs: Programs<Shader>,
}

impl PanelPrograms {
    pub(crate) fn new(
        context: &Context,
        chosen: ResolvedVariant,
        shape: ComputeShape,
        quantity: Quantity,
    ) -> PanelPrograms {
        let programs = Programs::new(context, shape.setup(Engine::Compute));
        PanelPrograms { chosen, shape, quantity, programs }
    }

    /// Returns the passes, or the one dispatch, that compute a panel.
    pub(crate) fn parts(&self, draws: &[Draw]) -> Result<Vec<Part>> {
        let part = |(shader, place): &Draw| {
            let make = || {
                let context = self.programs.context();
                shader.program(context, self.chosen, self.shape, self.quantity)
            };
            let program = self.programs.get_or(shader, make)?;
            Ok(Part { program, place: *place, knows_ends: shader.knows_ends() })
        };
        draws.iter().map(part).collect()
    }
}

impl Part {
    /// Computes its texels of the new x, or of the residual, from the old x: all, or those of a
    /// region.
    pub(crate) fn run<T: Texel>(
        &self,
        inputs: &Inputs<'_>,
        old: &Texture<T>,
        new: &mut Texture<T>,
        region: Option<Rectangle>,
    ) -> Result<()> {
        let place = region.map_or(Some(self.place), |region| self.place.within(region));
        let Some(place) = place else { return Ok(()) };
        let mut launch = self.program.launch().input("x", old).over(place.geometry());
        if self.program.engine() == Engine::Compute {
            let Extent { width, height } = old.extent();
            launch = launch.uniform("size", [width as i32, height as i32]);
        }
        for (name, texture) in inputs.bands.inputs() {
            launch = launch.input(name, texture);
        }
        if let Some(last) = inputs.last_lane.filter(|_| self.knows_ends) {
            launch = launch.uniform("last", last);
        }
        if let Some(scale) = inputs.scale {
            launch = launch.uniform("scale", scale.clone());
        }
        let launch = if inputs.unordered { launch.unordered() } else { launch };
        Ok(launch.write("next", new)?)
    }
}

fn compute_source(
    chosen: ResolvedVariant,
    shape: ComputeShape,
    quantity: Quantity,
) -> Result<Source> {
    let format = if chosen.layout.channels() == 1 { "r32f" } else { "rgba32f" };
    let source = shape
        .setup(Engine::Compute)
        .library("jacobi/step.comp")?
        .define("FORMAT", format)
        .define("RECIPROCAL", 1)
        .define(chosen.layout.define(), 1);
    let source = shape.define(source);
    Ok(if quantity == Quantity::Residual { source.define("RESIDUAL", 1) } else { source })
}

/// Returns every shader of this module in every variant, to be checked as a set.
pub(crate) fn sources() -> Result<Vec<Source>> {
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
