//! Makes the levels of the textures that a kernel reads them of.

use std::cell::RefCell;

use crate::Extent;
use crate::gl::{
    AnyTexture, Context, Level, Target, has_current_levels, levels_are_current, store_level,
};
use crate::shader::{Reads, Source, Stage};

use super::{Error, Kernel};

/// The kernels that halve textures, each compiled when the first of its kind is halved.
#[derive(Default)]
pub(super) struct Halving(RefCell<Vec<(Form, Kernel)>>);

/// What halving depends on.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Form {
    channels: usize,
    layered: bool,
}

impl Form {
    fn source(self) -> Result<Source, Error> {
        let (value, part) = match self.channels {
            1 => ("float", "r"),
            2 => ("vec2", "rg"),
            3 => ("vec3", "rgb"),
            _ => ("vec4", "rgba"),
        };
        let source = Source::library(Stage::Fragment, "levels/halve.frag")?;
        let source = source.define("VALUE", value).define("PART", part);
        Ok(if self.layered { source.define("LAYERED", 1) } else { source })
    }
}

pub(crate) fn sources() -> Result<Vec<Source>, Error> {
    let forms = |layered| (1..=4).map(move |channels| Form { channels, layered });
    forms(false).chain(forms(true)).map(Form::source).collect()
}

impl Halving {
    /// Makes the levels of a texture, unless they are those of what it holds.
    pub(super) fn refresh(&self, context: &Context, texture: &dyn AnyTexture) -> Result<(), Error> {
        if has_current_levels(texture) {
            return Ok(());
        }
        let (extent, layers) = (texture.extent(), texture.layers());
        for layer in 0..layers.unwrap_or(1) {
            let mut before: Option<Level> = None;
            for index in 0..extent.levels() {
                if index == 0 && layers.is_none() {
                    store_level(texture, 0, 0, texture)?;
                    continue;
                }
                let from = before.as_ref().map_or(texture, |level| level as &dyn AnyTexture);
                let level = self.halved(context, from, layer, extent.level(index))?;
                store_level(texture, index, layer, &level)?;
                before = Some(level);
            }
        }
        levels_are_current(texture);
        Ok(())
    }

    /// Draws a level from the one before, or from a layer.
    fn halved(
        &self,
        context: &Context,
        from: &dyn AnyTexture,
        layer: u32,
        size: Extent,
    ) -> Result<Level, Error> {
        let mut level = Level::new(from, size)?;
        let form = Form { channels: from.format().channels, layered: from.layers().is_some() };
        self.compile(context, form)?;
        let kernels = self.0.borrow();
        if let Some((_, kernel)) = kernels.iter().find(|(known, _)| *known == form) {
            let size = [size.width, size.height].map(u32::cast_signed);
            let mut pass = kernel.pass().input("image", from).uniform("size", size);
            if form.layered {
                pass = pass.uniform("layer", layer.cast_signed());
            }
            pass.draw_into(&mut [&mut level as &mut dyn Target])?;
        }
        Ok(level)
    }

    fn compile(&self, context: &Context, form: Form) -> Result<(), Error> {
        if self.0.borrow().iter().all(|(known, _)| *known != form) {
            let kernel = Kernel::from_fragment(context, &form.source()?, Reads::Fetch)?;
            self.0.borrow_mut().push((form, kernel));
        }
        Ok(())
    }
}
