//! What a context allows a method, and the errors where a request exceeds it.

use crate::gl::{ComputeLimits, Context};
use crate::linalg::matmul::{Error, Method, Tile};

/// A method and what the context allows it.
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

/// The limits of a context with compute shaders ([`Method::must_run_on`] checks that). `k` is the inner dimension.
pub(super) fn of(context: &Context, method: Method, k: usize) -> Result<Limits, Error> {
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
    pub(super) fn check_group(&self, tile: Tile, way_out: &str) -> Result<(), Error> {
        let Tile { width, height } = tile;
        for (axis, request, limit) in [("x", width, self.along[0]), ("y", height, self.along[1])] {
            let what = || format!("a work group of {request} invocations along {axis}");
            self.check(request.into(), limit.into(), what, way_out)?;
        }
        let all = u64::from(width) * u64::from(height);
        let what = || format!("a work group of {tile} = {all} invocations");
        self.check(all, self.invocations.into(), what, way_out)
    }

    pub(super) fn check_shared(&self, bytes: u64, way_out: &str) -> Result<(), Error> {
        let what = || format!("a work group with {bytes} bytes of shared memory");
        self.check(bytes, self.shared_bytes.into(), what, way_out)
    }

    pub(super) fn check_groups(&self, groups: [u64; 2], way_out: &str) -> Result<[u32; 2], Error> {
        for (axis, request, limit) in
            [("x", groups[0], self.groups[0]), ("y", groups[1], self.groups[1])]
        {
            let what = || format!("a dispatch of {request} work groups along {axis}");
            self.check(request, limit.into(), what, way_out)?;
        }
        // Within a limit of 32 bits, so nothing is cut off.
        Ok(groups.map(|count| count as u32))
    }

    pub(super) fn check_buffer(&self, name: &str, numbers: Option<u64>) -> Result<(), Error> {
        let bytes = numbers.map_or(u64::MAX, |numbers| numbers.saturating_mul(4));
        let what = || format!("a storage buffer of {bytes} bytes for {name}");
        self.check(bytes, self.buffer_bytes, what, "use a smaller matrix")
    }

    /// The steps along the inner dimension in one dispatch: whole tiles of `inner` steps, each of which takes
    /// 1 + `in_tile` iterations. At least one tile.
    pub(super) fn slice(&self, inner: u32, in_tile: u32) -> usize {
        let tiles = |most: u32| (most / (1 + in_tile)).max(1) as usize * inner as usize;
        self.iterations.map_or(usize::MAX, tiles)
    }

    fn check(
        &self,
        request: u64,
        limit: u64,
        what: impl Fn() -> String,
        way_out: &str,
    ) -> Result<(), Error> {
        if request <= limit {
            return Ok(());
        }
        Err(Error::Limit {
            method: self.method,
            request: what(),
            limit,
            way_out: way_out.to_owned(),
        })
    }
}

#[cfg(test)]
impl Limits {
    /// The minimums of ES 3.1.
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

    /// The limits of a large GPU.
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
