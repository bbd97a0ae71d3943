//! The limits of compute shaders, as JSON has them.

use quadrille::gl::ComputeLimits;
use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
pub struct Compute {
    pub max_invocations: u32,
    pub max_group_size: [u32; 3],
    pub max_groups: [u32; 3],
    pub shared_bytes: u32,
    pub max_buffers: u32,
    pub max_block_bytes: u32,
}

impl Compute {
    pub fn of(limits: ComputeLimits) -> Compute {
        Compute {
            max_invocations: limits.max_invocations,
            max_group_size: limits.max_group_size,
            max_groups: limits.max_groups,
            shared_bytes: limits.shared_bytes,
            max_buffers: limits.max_buffers,
            max_block_bytes: limits.max_block_bytes,
        }
    }
}
