//! Uniform blocks: the layout that a driver reports, and the buffers that fill them.

use std::cell::RefCell;

use glow::HasContext;

use super::parameter::{Block, Home, Member, Parameter};
use super::value::Value;
use crate::gl::buffer::{allocate, fill};
use crate::gl::context::origin::Origin;
use crate::gl::context::{Range, Shared};
use crate::gl::object::owned::Owned;
use crate::gl::{Context, Result, Type};
use crate::memory;

/// The buffers of a program's uniform blocks, once it has been used.
#[derive(Default)]
pub(super) struct Buffers(RefCell<Vec<Filled>>);

/// The buffer of a block, and what it holds.
struct Filled {
    buffer: Owned<glow::Buffer>,
    bytes: Vec<u8>,
}

/// Lists the uniform blocks, and gives each its index as its binding.
///
/// # Safety
/// The context is current and the program linked.
pub(super) unsafe fn blocks(gl: &glow::Context, program: glow::Program) -> Vec<Block> {
    let size = glow::UNIFORM_BLOCK_DATA_SIZE;
    let block = |index| unsafe {
        gl.uniform_block_binding(program, index, index);
        let bytes = gl.get_active_uniform_block_parameter_i32(program, index, size);
        let name = gl.get_active_uniform_block_name(program, index);
        Block { name, bytes: usize::try_from(bytes).unwrap_or(0) }
    };
    let count = unsafe { gl.get_program_parameter_i32(program, glow::ACTIVE_UNIFORM_BLOCKS) };
    (0..u32::try_from(count).unwrap_or(0)).map(block).collect()
}

/// Returns the uniforms without a location, each given with its index and its name, with their places in blocks.
///
/// # Safety
/// The context is current and the program linked and in use.
pub(super) unsafe fn parameters(
    gl: &glow::Context,
    shared: &Shared,
    program: glow::Program,
    blocks: &[Block],
    uniforms: &[(u32, String, Type)],
) -> Vec<Parameter> {
    let indices: Vec<u32> = uniforms.iter().map(|(index, ..)| *index).collect();
    let ask = |what| match blocks.is_empty() || indices.is_empty() {
        true => Vec::new(),
        false => unsafe { ask(gl, shared, program, &indices, what) },
    };
    let reported = [
        glow::UNIFORM_BLOCK_INDEX,
        glow::UNIFORM_OFFSET,
        glow::UNIFORM_ARRAY_STRIDE,
        glow::UNIFORM_MATRIX_STRIDE,
        glow::UNIFORM_IS_ROW_MAJOR,
    ]
    .map(ask);
    let mut parameters = Vec::new();
    for (at, (_, name, glsl)) in uniforms.iter().enumerate() {
        let [block, offset, element, vector, row_major] =
            reported.each_ref().map(|list| list.get(at).and_then(|it| usize::try_from(*it).ok()));
        let member = |index: usize, block: &Block, name: &str| Member {
            block: block.name.clone(),
            name: name.to_owned(),
            index,
            offset: offset.unwrap_or(0),
            element: element.unwrap_or(0),
            vector: vector.unwrap_or(0),
            row_major: row_major == Some(1),
        };
        let parameter = |name: String, home| Parameter { name, glsl: *glsl, unit: 0, home };
        let Some(block) = block.and_then(|block| blocks.get(block)).filter(|_| offset.is_some())
        else {
            parameters.push(parameter(name.clone(), Home::Nowhere));
            continue;
        };
        let base = base(&block.name);
        match in_instance(name, base) {
            // Its name has no index of a block, whichever blocks of the array there are.
            Some(short) => {
                let all =
                    blocks.iter().enumerate().filter(|(_, block)| self::base(&block.name) == base);
                parameters.extend(all.map(|(index, block)| {
                    parameter(
                        format!("{}.{short}", block.name),
                        Home::Member(member(index, block, short)),
                    )
                }));
            }
            None => {
                let index = blocks.iter().position(|known| known.name == block.name).unwrap_or(0);
                parameters.push(parameter(name.clone(), Home::Member(member(index, block, name))));
            }
        }
    }
    parameters
}

/// Returns the name of a block without the index that it has in an array.
fn base(block: &str) -> &str {
    block.split_once('[').map_or(block, |(base, _)| base)
}

/// Returns the name in its block of a member of a block that has a name for its instance, and so is a part of the
/// member's name.
fn in_instance<'a>(name: &'a str, base: &str) -> Option<&'a str> {
    let mut rest = name.strip_prefix(base)?;
    while let Some((_, behind)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        rest = behind;
    }
    rest.strip_prefix('.')
}

#[cfg(not(target_family = "wasm"))]
unsafe fn ask(
    gl: &glow::Context,
    _: &Shared,
    program: glow::Program,
    uniforms: &[u32],
    what: u32,
) -> Vec<i32> {
    unsafe { gl.get_active_uniforms_parameter(program, uniforms, what) }
}

/// glow has no such question in browsers.
#[cfg(target_family = "wasm")]
unsafe fn ask(
    _: &glow::Context,
    shared: &Shared,
    _: glow::Program,
    uniforms: &[u32],
    what: u32,
) -> Vec<i32> {
    shared.origin.active_uniforms(uniforms, what).unwrap_or_default()
}

impl Member {
    /// Writes a value of the member's type to the bytes of its block.
    fn write(&self, glsl: Type, value: &Value, bytes: &mut [u8]) {
        let Some([columns, rows]) = glsl.kind.grid() else { return };
        let numbers = value.parts().1.iter().take(columns * rows * glsl.length);
        for (index, word) in numbers.enumerate() {
            let (row, column, element) =
                (index % rows, index / rows % columns, index / rows / columns);
            let [far, near] = if self.row_major { [row, column] } else { [column, row] };
            let at =
                self.offset + element * self.element + far * self.vector + near * size_of::<u32>();
            if let Some(place) = bytes.get_mut(at..at + size_of::<u32>()) {
                place.copy_from_slice(&word.to_ne_bytes());
            }
        }
    }
}

impl Buffers {
    /// Fills them with the values of these blocks' members, where they hold other values; what is not given is 0.
    /// Returns what a caller has bound in their places.
    pub(super) fn fill(
        &self,
        context: &Context,
        blocks: &[Block],
        uniforms: &[(&Parameter, &Value)],
    ) -> Result<Vec<Range>> {
        let mut filled = self.0.borrow_mut();
        for (index, block) in blocks.iter().enumerate() {
            let mut bytes = memory::zeroed::<u8>(block.bytes)?;
            for (parameter, value) in uniforms {
                if let Some(member) = parameter.member().filter(|member| member.index == index) {
                    member.write(parameter.glsl, value, &mut bytes);
                }
            }
            match filled.get_mut(index) {
                Some(known) if known.bytes == bytes => {}
                Some(known) => {
                    fill(&known.buffer, 0, &bytes)?;
                    known.bytes = bytes;
                }
                None => {
                    let what = || format!("the buffer of uniform block {}", block.name);
                    let buffer = allocate(context, bytes.len().max(1), glow::DYNAMIC_DRAW, what)?;
                    fill(&buffer, 0, &bytes)?;
                    filled.push(Filled { buffer, bytes });
                }
            }
        }
        match &context.shared.origin {
            Origin::Own(_) => Ok(Vec::new()),
            Origin::Caller(_) => {
                let gl = context.shared.enter()?;
                // SAFETY: entered.
                let range = |index| unsafe { Range::save(&gl, glow::UNIFORM_BUFFER, index) };
                (0..filled.len() as u32).map(range).collect()
            }
        }
    }

    /// # Safety
    /// The context is current, and the blocks are filled.
    pub(super) unsafe fn bind(&self, gl: &glow::Context) {
        for (index, filled) in self.0.borrow().iter().enumerate() {
            let buffer = Some(filled.buffer.name());
            unsafe { gl.bind_buffer_base(glow::UNIFORM_BUFFER, index as u32, buffer) };
        }
    }
}

/// Gives the members of blocks names that no two have: a member's own, where its block's instance has none and no
/// other block has a member of this name, else with the block's name in front.
pub(super) fn named_apart(parameters: &mut [Parameter]) {
    let names = |parameter: &Parameter| parameter.member().map(|member| member.name.clone());
    let known: Vec<String> = parameters.iter().filter_map(names).collect();
    for parameter in parameters {
        let Home::Member(member) = &parameter.home else { continue };
        if known.iter().filter(|name| **name == member.name).count() > 1 {
            parameter.name = format!("{}.{}", member.block, member.name);
        }
    }
}
