//! The limits of a context for a method, and the errors of requests beyond them.

use crate::Shape;
use crate::gl::{ComputeLimits, Context};
use crate::linalg::matmul::{Error, Method, Remedy, Request, Result, Tile};

/// A method and its limits on a context.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) method: Method,
    /// Invocations of a work group: together, and along x and y.
    pub(super) invocations: u32,
    pub(super) along: [u32; 2],
    /// Work groups along x and y.
    pub(super) groups: [u32; 2],
    pub(super) shared_bytes: u32,
    pub(super) buffer_bytes: u64,
    /// The most iterations of an invocation, if there is a limit.
    pub(super) iterations: Option<u32>,
    /// Whether the context is a software renderer.
    pub(super) software: bool,
}

/// Returns the limits of a context with compute shaders ([`Method::must_run_on`] checks that). `k`
/// is the inner dimension.
pub(super) fn of(context: &Context, method: Method, k: usize) -> Result<Limits> {
    let abilities = context.abilities();
    let limits = abilities.compute.unwrap_or_default();
    // For each k at most one iteration of an inner loop and one of an outer.
    let iterations = context.most_iterations(2 * k as u64)?;
    Ok(Limits { iterations, ..Limits::new(method, &limits, abilities.software) })
}

/// The shaders index a buffer's bytes with signed 32-bit numbers.
const MOST_BYTES: u64 = i32::MAX as u64;

impl Limits {
    fn new(method: Method, limits: &ComputeLimits, software: bool) -> Limits {
        let [size_x, size_y, _] = limits.max_group_size;
        let [groups_x, groups_y, _] = limits.max_groups;
        Limits {
            method,
            invocations: limits.max_invocations,
            along: [size_x, size_y],
            groups: [groups_x, groups_y],
            shared_bytes: limits.shared_bytes,
            buffer_bytes: MOST_BYTES.min(limits.max_block_bytes.into()),
            iterations: None,
            software,
        }
    }

    /// Fails if a work group with one invocation for each element of a tile is too large.
    pub(super) fn check_group(&self, tile: Tile, remedy: Remedy) -> Result<()> {
        let Tile { width, height } = tile;
        let sides = [('x', width, self.along[0]), ('y', height, self.along[1])];
        for (axis, invocations, limit) in sides {
            let request = Request::GroupSide { invocations, axis };
            self.check(invocations.into(), limit.into(), request, remedy)?;
        }
        let invocations = u64::from(width) * u64::from(height);
        let request = Request::Group { tile, invocations };
        self.check(invocations, self.invocations.into(), request, remedy)
    }

    pub(super) fn check_shared(&self, bytes: u64, remedy: Remedy) -> Result<()> {
        self.check(bytes, self.shared_bytes.into(), Request::SharedMemory { bytes }, remedy)
    }

    pub(super) fn check_groups(&self, groups: [u64; 2], remedy: Remedy) -> Result<[u32; 2]> {
        let axes = [('x', groups[0], self.groups[0]), ('y', groups[1], self.groups[1])];
        for (axis, groups, limit) in axes {
            self.check(groups, limit.into(), Request::Dispatch { groups, axis }, remedy)?;
        }
        // Within a limit of 32 bits, so nothing is cut off.
        Ok(groups.map(|count| count as u32))
    }

    pub(super) fn check_buffer(&self, matrix: char, shape: Shape) -> Result<()> {
        let numbers = (shape.rows as u64).saturating_mul(shape.cols as u64);
        let bytes = numbers.saturating_mul(4);
        let request = Request::Buffer { matrix, shape, bytes };
        self.check(bytes, self.buffer_bytes, request, Remedy::SmallerMatrix)
    }

    /// Fails if the parts of C, one after the other, do not fit in a buffer.
    pub(super) fn check_parts(&self, parts: usize, c: Shape) -> Result<()> {
        self.check_buffer('C', Shape::new(c.rows.saturating_mul(parts), c.cols))
    }

    /// Returns the steps along the inner dimension in one dispatch: whole tiles of `inner` steps; a
    /// tile has 1 + `in_tile` iterations. At least one tile.
    pub(super) fn slice(&self, inner: u32, in_tile: u32) -> usize {
        let tiles = |most: u32| (most / (1 + in_tile)).max(1) as usize * inner as usize;
        self.iterations.map_or(usize::MAX, tiles)
    }

    fn check(&self, got: u64, limit: u64, request: Request, remedy: Remedy) -> Result<()> {
        let method = self.method;
        if got <= limit { Ok(()) } else { Err(Error::Limit { method, request, limit, remedy }) }
    }
}

#[cfg(test)]
impl Limits {
    /// Returns the minimums of ES 3.1.
    pub(super) fn least(method: Method) -> Limits {
        Limits {
            method,
            invocations: 128,
            along: [128, 128],
            groups: [65535, 65535],
            shared_bytes: 16 << 10,
            buffer_bytes: 1 << 27,
            iterations: None,
            software: false,
        }
    }

    /// Returns the limits of a large GPU.
    pub(super) fn large(method: Method) -> Limits {
        Limits {
            invocations: 1024,
            along: [1024, 1024],
            shared_bytes: 48 << 10,
            buffer_bytes: MOST_BYTES,
            ..Limits::least(method)
        }
    }
}
