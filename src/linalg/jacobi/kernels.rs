//! Which shaders draw which texels, for each variant.

use crate::gl::Context;
use crate::shader::{Source, Stage as ShaderStage};
use crate::stream::{Geometry, Kernel};
use crate::{Extent, Rectangle};

use super::{Chosen, Error, Layout, Stage};

/// A kernel and the texels it is drawn over.
pub(super) struct Part {
    pub(super) kernel: Kernel,
    pub(super) place: Place,
    /// Whether it asks for the lane of a row's last unknown.
    pub(super) takes_last: bool,
}

/// A geometry without a lifetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Full,
    Interior(Rectangle),
    Column(u32),
    Line(u32),
}

impl Place {
    pub(super) fn geometry(self) -> Geometry<'static> {
        match self {
            Place::Full => Geometry::Full,
            Place::Interior(rectangle) => Geometry::Rectangle(rectangle),
            Place::Column(x) => Geometry::Column(x),
            Place::Line(x) => Geometry::Line(x),
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

/// What a kernel gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gives {
    NextX,
    Residual,
}

/// Which shader draws which texels: plain arithmetic, so that it can be tested without GL. A grid
/// one texel wide has both ends of a row in one texel, which only the generic shader knows.
fn plan(stage: Stage, extent: Extent, lines: bool) -> Vec<(Shader, Place)> {
    let inside = match stage {
        Stage::Generic | Stage::Reciprocal => return vec![(Shader::Generic, Place::Full)],
        _ if extent.width < 2 => return vec![(Shader::Generic, Place::Full)],
        Stage::Boundary => Shader::Interior,
        Stage::Neighbours => Shader::Neighbours,
    };
    let column = |x| if lines { Place::Line(x) } else { Place::Column(x) };
    let interior = Rectangle::new(1, 0, extent.width - 2, extent.height);
    vec![
        (inside, Place::Interior(interior)),
        (Shader::Left, column(0)),
        (Shader::Right, column(extent.width - 1)),
    ]
}

impl Shader {
    fn sources(self, chosen: Chosen, gives: Gives) -> Result<(Source, Source), Error> {
        let (vertex, fragment) = match self {
            Shader::Generic => ("vertex/rectangle.vert", "jacobi/generic.frag"),
            Shader::Interior => ("vertex/rectangle.vert", "jacobi/interior.frag"),
            Shader::Neighbours => ("jacobi/neighbours.vert", "jacobi/neighbours.frag"),
            Shader::Left | Shader::Right => ("vertex/rectangle.vert", "jacobi/boundary.frag"),
        };
        let vertex =
            Source::library(ShaderStage::Vertex, vertex)?.define(chosen.layout.define(), 1);
        let mut fragment =
            Source::library(ShaderStage::Fragment, fragment)?.define(chosen.layout.define(), 1);
        if chosen.stage > Stage::Generic {
            fragment = fragment.define("RECIPROCAL", 1);
        }
        if gives == Gives::Residual {
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

/// Compiles what a variant needs.
pub(super) fn build(
    context: &Context,
    chosen: Chosen,
    extent: Extent,
    lines: bool,
    gives: Gives,
) -> Result<Vec<Part>, Error> {
    let mut parts = Vec::new();
    for (shader, place) in plan(chosen.stage, extent, lines) {
        if place.geometry_is_empty() {
            continue;
        }
        let (vertex, fragment) = shader.sources(chosen, gives)?;
        let kernel = Kernel::new(context, &vertex, &fragment, chosen.reads)?;
        let takes_last = kernel.uniforms().contains(&"last");
        parts.push(Part { kernel, place, takes_last });
    }
    Ok(parts)
}

impl Place {
    fn geometry_is_empty(self) -> bool {
        matches!(self, Place::Interior(rectangle) if rectangle.texels() == 0)
    }
}

/// Every shader of this module in every variant, to be checked as a set.
pub fn sources() -> Result<Vec<Source>, Error> {
    const SHADERS: [Shader; 5] =
        [Shader::Generic, Shader::Interior, Shader::Neighbours, Shader::Left, Shader::Right];
    let mut sources = Vec::new();
    for layout in Layout::ALL {
        for stage in [Stage::Generic, Stage::Neighbours] {
            for gives in [Gives::NextX, Gives::Residual] {
                for shader in SHADERS {
                    // What the sources are does not depend on how they read.
                    let chosen = Chosen { layout, stage, reads: crate::shader::Reads::Fetch };
                    let (vertex, fragment) = shader.sources(chosen, gives)?;
                    sources.extend([vertex, fragment]);
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
            Place::Column(_) | Place::Line(_) => extent.height as usize,
        };
        plan.iter().map(|(_, place)| count(place)).sum()
    }

    #[test]
    fn every_plan_covers_all_texels() {
        for width in 1..6 {
            for stage in Stage::ALL {
                for lines in [false, true] {
                    let extent = Extent::new(width, 7);
                    let plan = plan(stage, extent, lines);
                    assert_eq!(texels(&plan, extent), extent.texels(), "{stage}, width {width}");
                }
            }
        }
    }
}
