//! The errors of what a device limits: loops, and arrays that are computed in panels.

use quadrille::Extent;
use quadrille::Kind;
use quadrille::internal::failure;

use crate::error::unsuited::Unsuited;

/// A limit of the device. Another device, or less work, may do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LimitError {
    #[error(
        "{kernel}: this device ({device}) ends all loops of a fragment after {budget} iterations in total, and {cells} \
         of the cells reached that limit, the first in column {} of row {}: their values would be wrong. Make the \
         loops shorter, spread the work over several steps with a feedback, or use another device",
        first.0, first.1
    )]
    LoopsEnded {
        kernel: String,
        budget: u32,
        device: String,
        cells: usize,
        /// Column and row.
        first: (usize, usize),
    },

    #[error(
        "{kernel}: this device ({device}) ends all loops of an invocation after {budget} iterations in total, and \
         {invocations} invocations reached that limit: what they wrote would be wrong. Make the loops shorter, spread the \
         work over several steps, or use another device"
    )]
    InvocationsEnded { kernel: String, budget: u32, device: String, invocations: u32 },

    #[error(
        "{kernel} has loops, and this device ends all loops of a fragment after {budget} iterations in total without \
         an error. To detect that needs one render target besides the outputs, and the device has {limit}: use at most \
         {} outputs", limit - 1
    )]
    NoTargetToWatch { kernel: String, limit: u32, budget: u32 },

    #[error(
        "{kernel} has loops, and this device ends all loops of an invocation after {budget} iterations in total without \
         an error. To detect that needs one storage block besides its own, and the device has {limit}"
    )]
    NoBlockToWatch { kernel: String, limit: u32, budget: u32 },

    #[error(
        "{kernel}: `{array}` is {} x {}, and a texture of this device has at most {limit} texels along each axis. Larger arrays are \
         computed in panels, {why}", extent.width, extent.height
    )]
    InPanels { kernel: String, array: String, extent: Extent, limit: u32, why: Unsuited },

    #[error(
        "a halo of {halo} texels is too wide: panels are at most {limit} texels wide and high, so that at most {} are left for it", (limit / 2).saturating_sub(1) & !1
    )]
    Halo { halo: u32, limit: u32 },

    #[error(
        "{kernel}: arrays of {} x {} are computed in panels, since a texture of this device has at most {limit} texels along each axis. \
         With a halo of {halo}, {cells} of the cells read what their panels do not store; the first is in column {} of row {}. {}",
        extent.width, extent.height, first.0, first.1,
        match needed {
            Some(needed) => format!("Give a halo of {needed}"),
            None => "Cells that read from everywhere need arrays that fit in a texture".to_owned(),
        }
    )]
    TooFar {
        kernel: String,
        extent: Extent,
        limit: u32,
        halo: u32,
        /// The halo that would do, unless it is much wider.
        needed: Option<u32>,
        cells: usize,
        /// Column and row.
        first: (usize, usize),
    },

    #[error(
        "{kernel} computes in panels, since its arrays are larger than a texture. To check what it reads needs one render target besides the \
         outputs, and the device has {limit}: use at most {} outputs", limit - 1
    )]
    NoTargetForPanels { kernel: String, limit: u32 },
}

failure!(LimitError; kinds {
    _ => Kind::Limit,
});
