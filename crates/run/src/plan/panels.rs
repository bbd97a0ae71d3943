//! Finds the passes that compute arrays larger than a texture, one panel after the other, and
//! refuses those that cannot.

use crate::error::{LimitError, Result};
use crate::plan::tiling::Tiling;
use quadrille::Extent;
use quadrille::gl;

use crate::error::unsuited::{EXACT, Unsuited};
use crate::plan::ir::{Cut, Plan, Planned, ReadFrom};
use crate::setup::Setup;
use crate::source::place::Place;
use crate::source::shader::Shader;

/// Plans the panels of all arrays that are larger than this limit along one axis or both.
pub(crate) fn plan(shaders: &[Shader], setup: &Setup, plan: &mut Plan, limit: u32) -> Result<()> {
    let is_large = |extent: Extent| extent.width.max(extent.height) > limit;
    let input = |index: usize| {
        let read = &plan.inputs[index];
        let array = &setup.arrays[read.array];
        (read.place == Place::Texture).then_some((&array.name, array.layout.extent))
    };
    let output = |index: usize| {
        let output = &plan.outputs[index];
        (output.place == Place::Texture).then_some((&output.name, output.cells.extent))
    };
    let inputs = (0..plan.inputs.len()).filter_map(input);
    let all = inputs.chain((0..plan.outputs.len()).filter_map(output));
    let (large, whole): (Vec<Extent>, Vec<Extent>) =
        all.map(|(_, extent)| extent).partition(|extent| is_large(*extent));
    for (pass, shader) in plan.passes.iter().zip(shaders) {
        let read = pass.all_reads().filter_map(|(_, from)| match from {
            ReadFrom::Input(index) => input(*index),
            ReadFrom::Output(index) => output(*index),
        });
        let arrays = pass.outputs.clone().filter_map(output).chain(read);
        for (array, extent) in arrays.filter(|(_, extent)| is_large(*extent)) {
            if let Some(why) = unsuited(pass, shader, extent) {
                let (kernel, array) = (shader.name.clone(), array.clone());
                return Err(LimitError::InPanels { kernel, array, extent, limit, why }.into());
            }
        }
    }
    let mut tilings: Vec<Tiling> = Vec::new();
    for extent in large {
        if tilings.iter().any(|tiling| tiling.whole() == extent) {
            continue;
        }
        must_be_counted(extent)?;
        let halo = setup.settings.halo.unwrap_or_default();
        let tiling = Tiling::of(extent, limit, halo, &whole);
        tilings.push(tiling.ok_or(LimitError::Halo { halo, limit })?);
    }
    let tiling = |extent: Extent| tilings.iter().find(|tiling| tiling.whole() == extent).copied();
    for read in plan.inputs.iter_mut().filter(|read| read.place == Place::Texture) {
        read.tiling = tiling(setup.arrays[read.array].layout.extent);
    }
    for output in plan.outputs.iter_mut().filter(|output| output.place == Place::Texture) {
        output.tiling = tiling(output.cells.extent);
    }
    for pass in plan.passes.iter_mut().filter(|pass| pass.dispatch.is_none()) {
        let is_whole = |(_, from): &(String, ReadFrom)| match from {
            ReadFrom::Input(index) => plan.inputs[*index].tiling.is_none(),
            ReadFrom::Output(index) => plan.outputs[*index].tiling.is_none(),
        };
        let mixed = pass.reads.iter().any(is_whole);
        pass.cut = tiling(pass.extent).map(|tiling| Cut { tiling, mixed });
    }
    Ok(())
}

fn unsuited(pass: &Planned, shader: &Shader, extent: Extent) -> Option<Unsuited> {
    let is_beyond = extent.width.max(extent.height) > EXACT;
    if pass.takes.is_some() {
        Some(Unsuited::Primitive)
    } else if pass.dispatch.is_some() {
        Some(Unsuited::Compute)
    } else if extent != pass.extent {
        Some(Unsuited::Size(pass.extent))
    } else if shader.own_vertices {
        Some(Unsuited::Vertices)
    } else if let Some(name) = shader.levels.first() {
        Some(Unsuited::Levels(name.clone()))
    } else if shader.samples {
        Some(Unsuited::Samples)
    } else if shader.differences && !pass.reads.is_empty() {
        Some(Unsuited::Differences)
    } else if is_beyond && shader.float_position {
        Some(Unsuited::Positions)
    } else {
        None
    }
}

/// Positions are integers of 32 bits.
fn must_be_counted(extent: Extent) -> Result<(), gl::Error> {
    let limit = i32::MAX.unsigned_abs();
    match extent.width.max(extent.height) <= limit {
        true => Ok(()),
        false => Err(gl::Error::TooLarge {
            what: "an array".into(),
            request: format!("{extent} texels"),
            limit: limit.into(),
            remedy: "give it shorter rows".into(),
        }),
    }
}
