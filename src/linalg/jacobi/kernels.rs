//! The shaders of each variant, and the texels that each of them writes.

use crate::gl::{Context, Texel, Texture, Value};
use crate::shader::{Reads, Source, Stage};
use crate::stream::{ComputeKernel, Geometry, Kernel, LineDirection};
use crate::{Extent, Rectangle};

use super::bands::Bands;
use super::{Error, Layout, Optimization, ResolvedVariant, Shape};

/// One pass or dispatch of a step.
pub(super) struct Part {
    work: Work,
    /// Whether it has the uniform `last`.
    takes_last: bool,
}

/// The uniforms of a part.
pub(super) struct Uniforms {
    /// The lane of a row's last unknown in its last texel.
    pub(super) last_lane: i32,
    /// The factor of a residual; none for a step.
    pub(super) scale: Option<Value>,
}

enum Work {
    Draw { kernel: Kernel, place: Place },
    Compute { kernel: ComputeKernel, groups: [u32; 3], size: [i32; 2] },
}

/// A geometry without a lifetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
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
}

/// One of the shaders that a step is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shader {
    Generic,
    Interior,
    Neighbours,
    Left,
    Right,
}

/// The output of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    NextX,
    Residual,
}

/// The shaders and the texels that each of them writes: plain arithmetic, tested without GL. On a grid one texel
/// wide both ends of a row are in one texel, which only the generic shader handles.
fn plan(
    optimization: Optimization,
    extent: Extent,
    lines: Option<LineDirection>,
) -> Vec<(Shader, Place)> {
    let inside = match optimization {
        Optimization::Generic | Optimization::Reciprocal | Optimization::Compute => {
            return vec![(Shader::Generic, Place::Full)];
        }
        _ if extent.width < 2 => return vec![(Shader::Generic, Place::Full)],
        Optimization::Boundary => Shader::Interior,
        Optimization::Neighbours => Shader::Neighbours,
    };
    let column = |x| lines.map_or(Place::Column(x), |direction| Place::Line(x, direction));
    let interior = Rectangle::new(1, 0, extent.width - 2, extent.height);
    vec![
        (inside, Place::Interior(interior)),
        (Shader::Left, column(0)),
        (Shader::Right, column(extent.width - 1)),
    ]
}

impl Shader {
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

/// Compiles the kernels of a variant.
pub(super) fn build(
    context: &Context,
    chosen: ResolvedVariant,
    shape: Shape,
    extent: Extent,
    lines: Option<LineDirection>,
    quantity: Quantity,
) -> Result<Vec<Part>, Error> {
    if chosen.optimization == Optimization::Compute {
        return Ok(vec![build_compute(context, chosen, shape, extent, quantity)?]);
    }
    let mut parts = Vec::new();
    for (shader, place) in plan(chosen.optimization, extent, lines) {
        if place.geometry_is_empty() {
            continue;
        }
        let (vertex, fragment) = shader.sources(chosen, quantity)?;
        let kernel = Kernel::new(context, &vertex, &fragment, chosen.reads)?;
        let knows_ends = !matches!(shader, Shader::Interior | Shader::Neighbours);
        let takes_last = chosen.layout == Layout::Packed && knows_ends;
        parts.push(Part { work: Work::Draw { kernel, place }, takes_last });
    }
    Ok(parts)
}

fn compute_source(
    chosen: ResolvedVariant,
    shape: Shape,
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

fn build_compute(
    context: &Context,
    chosen: ResolvedVariant,
    shape: Shape,
    extent: Extent,
    quantity: Quantity,
) -> Result<Part, Error> {
    let kernel = context.compute_kernel(compute_source(chosen, shape, quantity)?)?;
    let size = [extent.width as i32, extent.height as i32];
    let work = Work::Compute { kernel, groups: shape.groups(extent), size };
    Ok(Part { work, takes_last: chosen.layout == Layout::Packed })
}

impl Part {
    /// Computes its texels of the new x, or of the residual, from the old x.
    pub(super) fn run<T: Texel>(
        &self,
        bands: &Bands,
        uniforms: &Uniforms,
        old: &Texture<T>,
        new: &mut Texture<T>,
    ) -> Result<(), Error> {
        match &self.work {
            Work::Draw { kernel, place } => {
                let mut pass = kernel.pass().input("x", old).over(place.geometry());
                for (name, texture) in bands.inputs() {
                    pass = pass.input(name, texture);
                }
                if self.takes_last {
                    pass = pass.uniform("last", uniforms.last_lane);
                }
                if let Some(scale) = &uniforms.scale {
                    pass = pass.uniform("scale", scale.clone());
                }
                Ok(pass.draw(new)?)
            }
            Work::Compute { kernel, groups, size } => {
                let mut dispatch = kernel.dispatch().input("x", old).image_mut("next", new);
                dispatch = dispatch.uniform("size", *size);
                for (name, texture) in bands.inputs() {
                    dispatch = dispatch.input(name, texture);
                }
                if self.takes_last {
                    dispatch = dispatch.uniform("last", uniforms.last_lane);
                }
                if let Some(scale) = &uniforms.scale {
                    dispatch = dispatch.uniform("scale", scale.clone());
                }
                Ok(dispatch.run(*groups)?)
            }
        }
    }
}

impl Place {
    fn geometry_is_empty(self) -> bool {
        matches!(self, Place::Interior(rectangle) if rectangle.texels() == 0)
    }
}

/// Every shader of this module in every variant, to be checked as a set.
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
                for shape in [Shape::WIDE, Shape::TILE] {
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

    fn texels(plan: &[(Shader, Place)], extent: Extent) -> usize {
        let count = |place: &Place| match place {
            Place::Full => extent.texels(),
            Place::Interior(rectangle) => rectangle.texels(),
            Place::Column(_) | Place::Line(..) => extent.height as usize,
        };
        plan.iter().map(|(_, place)| count(place)).sum()
    }

    #[test]
    fn every_plan_covers_all_texels() {
        for width in 1..6 {
            for optimization in Optimization::ALL {
                for lines in [None, Some(LineDirection::Up)] {
                    let extent = Extent::new(width, 7);
                    let plan = plan(optimization, extent, lines);
                    assert_eq!(
                        texels(&plan, extent),
                        extent.texels(),
                        "{optimization}, width {width}"
                    );
                }
            }
        }
    }
}
