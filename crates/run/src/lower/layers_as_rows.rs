//! Arrays of layers in storage blocks, which know no layers: rows, those of one layer below those
//! of the other.

use quadrille::internal::shader::Access;

use crate::setup::array::Array;
use crate::setup::{PassSetup, Setup};
use crate::source::place::Place;
use crate::source::shader::Shader;

/// Returns the setup in which an array that a block reads, or begins with, has rows in place of
/// layers. The numbers stay in their order.
pub(crate) fn in_blocks(passes: &[PassSetup], shaders: &[Shader], mut setup: Setup) -> Setup {
    for Array { name, layout, .. } in &mut setup.arrays {
        if passes.iter().zip(shaders).any(|(pass, shader)| is_in_block(pass, shader, name)) {
            *layout = layout.as_rows();
        }
    }
    setup
}

fn is_in_block(pass: &PassSetup, shader: &Shader, input: &String) -> bool {
    let storage = shader.dispatched.iter().flat_map(|dispatched| &dispatched.storage);
    let mut blocks = storage.filter(|stored| stored.place == Place::Buffer);
    blocks.any(|block| match block.access {
        Access::Reads => {
            let named = pass.reads.iter().find(|(reader, _)| *reader == block.name);
            named.map_or(&block.name, |(_, from)| from) == input
        }
        _ => block.name == *input,
    })
}
