//! Samplers and uniforms that a kernel has in panels and the user's own does not, because it keeps
//! reads whose values are not used. The compiler removes such reads from the user's kernel, but not
//! where their distances are recorded.

use quadrille::Extent;
use quadrille::gl::{Type, TypeKind, Value};
use quadrille::stream::{Kernel, Pass};

use crate::Result;
use crate::execute::any_texture::Grid;
use crate::io::uniform_text;
use crate::setup::precision::Precision;

/// The textures and the values that are bound to those names.
pub(crate) struct DummyBindings {
    /// Textures of a single texel, an extent that no panel has.
    textures: Vec<(String, Grid)>,
    uniforms: Vec<(String, Value)>,
}

/// Returns whether a kernel has samplers that another of the same text does not have.
pub(crate) fn has_samplers(kernel: &Kernel, own: &Kernel) -> bool {
    let known = own.inputs();
    kernel.inputs().iter().any(|name| !known.contains(name))
}

impl DummyBindings {
    /// Creates bindings for the names that a kernel has and another of the same text does not.
    pub(crate) fn of(kernel: &Kernel, own: &Kernel) -> Result<DummyBindings> {
        let (samplers, names) = (own.inputs(), own.uniforms());
        let (mut textures, mut uniforms) = (Vec::new(), Vec::new());
        for name in kernel.inputs().into_iter().filter(|name| !samplers.contains(name)) {
            if let Some(Type { kind: TypeKind::Sampler(class), .. }) = kernel.type_of(name) {
                let (context, extent) = (kernel.context(), Extent::new(1, 1));
                let mut texel = Grid::empty(context, class, 1, extent, Precision::Single)?;
                texel.clear()?;
                textures.push((name.to_owned(), texel));
            }
        }
        for name in kernel.uniforms().into_iter().filter(|name| !names.contains(name)) {
            let zero = kernel.type_of(name).and_then(uniform_text::zero);
            uniforms.extend(zero.map(|zero| (name.to_owned(), zero)));
        }
        Ok(DummyBindings { textures, uniforms })
    }

    pub(crate) fn give<'a>(&'a self, mut pass: Pass<'a>) -> Pass<'a> {
        for (name, texel) in &self.textures {
            pass = pass.input(name, texel.any());
        }
        for (name, value) in &self.uniforms {
            pass = pass.uniform(name, value.clone());
        }
        pass
    }
}
