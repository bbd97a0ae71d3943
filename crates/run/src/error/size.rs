//! The errors of sizes: of arrays, and of the work groups that go through them.

use quadrille::Extent;
use quadrille::internal::failure;

use crate::error::text::{list, prefix};

/// An error of the size of what a pass computes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SizeError {
    #[error(
        "{}the size to compute is unknown, since nothing is read: give the size, width by height",
        prefix(pass)
    )]
    NoExtent { pass: String },

    #[error(
        "{}the inputs differ in size, so give the size to compute, width by height; they have: {}",
        prefix(pass),
        inputs.iter().map(|(name, e)| format!("{name} {} x {}", e.width, e.height)).collect::<Vec<_>>().join(", ")
    )]
    Extents { pass: String, inputs: Vec<(String, Extent)> },

    #[error("expected a size by its name, as in `image / 2` or `image * 1.5`; got `{got}`")]
    Scale { got: String },

    #[error(
        "{}its size is that of `{of}`, which is not known before it; expected one of: {}",
        prefix(pass),
        list(has)
    )]
    ScaleOf { pass: String, of: String, has: Vec<String> },

    #[error(
        "{}the sizes of this ISF shader's targets follow from `{of}`, whose size is not known before the passes are planned: give the \
         pass a width and a height",
        prefix(pass)
    )]
    IsfSize { pass: String, of: String },

    #[error(
        "{}the primitive takes vectors of at most {limit} numbers on this device, and `x` has {} x {} cells: give it parts",
        prefix(pass), extent.width, extent.height
    )]
    LongVector { pass: String, extent: Extent, limit: usize },

    #[error(
        "{kernel}: how many work groups to run is unknown{}: give their number along x, y and z, {}",
        match local {
            Some([x, y, z]) => format!(", since groups of {x} x {y} x {z} may go through the {extent} cells of `{array}` in more than one way"),
            None => ", since the text does not say the size of a group in numbers".to_owned(),
        },
        groups_text(*extent, *local)
    )]
    Groups { kernel: String, array: String, extent: Extent, local: Option<[u32; 3]> },

    #[error("{kernel} is a fragment shader, which has no work groups: leave their number out")]
    NoGroups { kernel: String },
}

failure!(SizeError);

/// Returns the work groups that cover an extent, one invocation for each cell, in the ways in which
/// a shader may go through it.
fn groups_text(extent: Extent, local: Option<[u32; 3]>) -> String {
    let [x, y, z] = local.unwrap_or([1; 3]);
    let groups = |cells: usize, of: u32| cells.div_ceil(of.max(1) as usize);
    let (columns, rows) = (groups(extent.width as usize, x), groups(extent.height as usize, y));
    let by_rows = format!("{columns}x{rows}x1");
    let all = groups(extent.texels(), x);
    let text = match (y, z) {
        (1, 1) if extent.height > 1 => format!(
            "{all}x1x1 where gl_GlobalInvocationID.x counts all cells, or {by_rows} where x counts columns and y rows"
        ),
        _ => format!("for instance {by_rows}"),
    };
    match local {
        Some(_) => text,
        None => format!("with groups of one invocation {text}"),
    }
}
