//! Makes the levels of the textures that a kernel reads them of.

use std::cell::RefCell;

use crate::Extent;
use crate::gl::{
    AnyTexture, Bindings, Blend, Context, Draw, Input, Level, Parameter, Primitive, Program, Value,
    draw, has_current_levels, levels_are_current, store_level,
};
use crate::shader::{Reads, Source, Stage};
use crate::stream::Result;

use super::build::build;
use super::resolve::resolve;

/// The programs that halve textures, each compiled when the first of its kind is halved.
#[derive(Default)]
pub(crate) struct Halving(RefCell<Vec<(LevelFormat, Program)>>);

/// What halving depends on.
#[derive(Clone, Copy, PartialEq, Eq)]
struct LevelFormat {
    channels: usize,
    layered: bool,
}

impl LevelFormat {
    fn source(self) -> Result<Source> {
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

pub(crate) fn sources() -> Result<Vec<Source>> {
    let formats = |layered| (1..=4).map(move |channels| LevelFormat { channels, layered });
    formats(false).chain(formats(true)).map(LevelFormat::source).collect()
}

impl Halving {
    /// Makes the levels of a texture, unless they are those of what it holds.
    pub(crate) fn refresh(&self, context: &Context, texture: &dyn AnyTexture) -> Result<()> {
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
    ) -> Result<Level> {
        let level = Level::new(from, size)?;
        let format =
            LevelFormat { channels: from.format().channels, layered: from.layers().is_some() };
        self.compile(context, format)?;
        let programs = self.0.borrow();
        let program =
            programs.iter().find(|(known, _)| *known == format).map(|(_, program)| program);
        let Some(program) = program else { return Ok(level) };
        let sides = [size.width, size.height];
        let values = [
            ("size", Value::IVec2(sides.map(u32::cast_signed))),
            ("layer", Value::Int(layer.cast_signed())),
            ("quadrille_scale", Value::Vec2(sides.map(|side| 2.0 / side as f32))),
        ];
        let parameter = |name| program.parameter(name);
        let uniforms: Vec<(&Parameter, &Value)> =
            values.iter().filter_map(|(name, value)| Some((parameter(name)?, value))).collect();
        let input =
            |image: &Parameter| Input { unit: image.unit, texture: from, reads_levels: false };
        let inputs: Vec<Input<'_>> = parameter("image").map(input).into_iter().collect();
        let bindings = Bindings {
            program,
            inputs: &inputs,
            images: &[],
            buffers: &[],
            uniforms: &uniforms,
            own_sampling: false,
        };
        let [width, height] = sides.map(|side| side as f32);
        let work = Draw {
            bindings: &bindings,
            targets: &[&level],
            primitive: Primitive::Quad([0.0, 0.0, width, height]),
            attributes: &[],
            blend: Blend::Replace,
            stores: false,
        };
        draw(context, &work)?;
        Ok(level)
    }

    fn compile(&self, context: &Context, format: LevelFormat) -> Result<()> {
        if self.0.borrow().iter().any(|(known, _)| *known == format) {
            return Ok(());
        }
        let text = resolve(context, &format.source()?, Some(Reads::Fetch))?;
        let vertex = text.vertex_stage()?;
        let (program, _) = build(context, text.name(), &[&vertex, &text], &[])?;
        self.0.borrow_mut().push((format, program));
        Ok(())
    }
}
