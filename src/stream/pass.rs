//! Passes: one draw, as one value.

use crate::gl::{
    self, AnyTexture, Bindings, Blend, Class, Draw, Parameter, ParameterKind, Primitive, Target,
    Texel, Texture, Value, draw, must_live_in,
};
use crate::{Extent, Rectangle};

use super::build::array;
use super::geometry::corners;
use super::kernel::class_of;
use super::{Error, Geometry, Kernel};

/// One draw: a kernel, what it reads, and which texels it writes. What is wrong with the parts is
/// said when it is drawn.
///
/// A pass cannot read what it writes; this does not compile:
///
/// ```compile_fail,E0502
/// # use quadrille::{Context, Extent, shader::Source};
/// # let context = Context::headless()?;
/// # let text = "uniform sampler2D image; out float o; void main() { o = READ(image, TEXEL).r; }";
/// # let kernel = context.kernel(Source::fragment("copy.frag", text))?;
/// let mut image = context.texture::<f32>(Extent::new(1, 1), &[1.0])?;
/// kernel.pass().input("image", &image).draw(&mut image)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// and this, which differs in the target alone, does:
///
/// ```
/// # use quadrille::{Context, Extent, shader::Source};
/// # let context = Context::headless()?;
/// # let text = "uniform sampler2D image; out float o; void main() { o = READ(image, TEXEL).r; }";
/// # let kernel = context.kernel(Source::fragment("copy.frag", text))?;
/// let image = context.texture::<f32>(Extent::new(1, 1), &[1.0])?;
/// let mut other = context.empty::<f32>(image.extent())?;
/// kernel.pass().input("image", &image).draw(&mut other)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a pass does nothing until it is drawn"]
pub struct Pass<'a> {
    kernel: &'a Kernel,
    inputs: Vec<(&'a Parameter, &'a dyn AnyTexture)>,
    uniforms: Vec<(&'a Parameter, Value)>,
    geometry: Geometry<'a>,
    blend: Blend,
    fault: Option<Error>,
}

impl<'a> Pass<'a> {
    pub(super) fn new(kernel: &'a Kernel) -> Pass<'a> {
        Pass {
            kernel,
            inputs: Vec::with_capacity(kernel.needed),
            uniforms: Vec::with_capacity(kernel.needed + 1),
            geometry: Geometry::Full,
            blend: Blend::Replace,
            fault: None,
        }
    }

    /// Gives a texture to read.
    pub fn input(mut self, name: &str, texture: &'a dyn AnyTexture) -> Self {
        match self.find_input(name, texture) {
            Ok(Some(parameter)) => replace(&mut self.inputs, parameter, texture),
            Ok(None) => {}
            Err(error) => self.blame(error),
        }
        self
    }

    /// Gives a number, or a few, or an array of them.
    pub fn uniform(mut self, name: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        match self.find_uniform(name, &value) {
            Ok(Some(parameter)) => replace(&mut self.uniforms, parameter, value),
            Ok(None) => {}
            Err(error) => self.blame(error),
        }
        self
    }

    /// Which texels to write; all of the target unless told.
    pub fn over(mut self, geometry: Geometry<'a>) -> Self {
        self.geometry = geometry;
        self
    }

    /// How results meet what is there; they replace it unless told.
    pub fn blend(mut self, blend: Blend) -> Self {
        self.blend = blend;
        self
    }

    /// Draws into one texture.
    pub fn draw<T: Texel>(self, target: &mut Texture<T>) -> Result<(), Error> {
        self.run(&[target as &dyn AnyTexture])
    }

    /// Draws into several textures of one extent, in the order of the outputs' locations.
    pub fn draw_into(self, targets: &mut [&mut dyn Target]) -> Result<(), Error> {
        let targets: Vec<&dyn AnyTexture> =
            targets.iter().map(|target| &**target as &dyn AnyTexture).collect();
        self.run(&targets)
    }

    fn run(mut self, targets: &[&dyn AnyTexture]) -> Result<(), Error> {
        if let Some(error) = self.fault.take() {
            return Err(error);
        }
        self.must_be_complete()?;
        let extent = self.check_targets(targets)?;
        self.must_blend(targets)?;
        let Some(primitive) = self.primitive(extent)? else { return Ok(()) };
        let scale = Value::Vec2([2.0 / extent.width as f32, 2.0 / extent.height as f32]);
        let inputs: Vec<(u32, &dyn AnyTexture)> =
            self.inputs.iter().map(|(parameter, texture)| (parameter.unit, *texture)).collect();
        let mut uniforms: Vec<(&Parameter, &Value)> =
            self.uniforms.iter().map(|(parameter, value)| (*parameter, value)).collect();
        if let Some(parameter) = self.kernel.program.parameter("quadrille_scale") {
            uniforms.push((parameter, &scale));
        }
        let bindings =
            Bindings { program: &self.kernel.program, inputs: &inputs, uniforms: &uniforms };
        let work = Draw { bindings, targets, primitive, blend: self.blend };
        Ok(draw(&self.kernel.context, &work)?)
    }

    fn blame(&mut self, error: Error) {
        self.fault.get_or_insert(error);
    }

    fn find_input(
        &self,
        name: &str,
        texture: &dyn AnyTexture,
    ) -> Result<Option<&'a Parameter>, Error> {
        let Some(parameter) = self.kernel.find("input", name)? else { return Ok(None) };
        must_live_in(&self.kernel.context, texture, &format!("input `{name}`"))?;
        if parameter.kind == ParameterKind::Sampler(texture.format().class) {
            return Ok(Some(parameter));
        }
        let got = format!("a texture of {}", texture.format().name);
        Err(self.wrong_type(name, parameter.kind.to_string(), got))
    }

    fn find_uniform(&self, name: &str, value: &Value) -> Result<Option<&'a Parameter>, Error> {
        let Some(parameter) = self.kernel.find("uniform", name)? else { return Ok(None) };
        let declared = &self.kernel.declared;
        if declared.takes(parameter, value) {
            return Ok(Some(parameter));
        }
        let (kind, length) = value.kind();
        let got = format!("a {}", array(kind, length));
        Err(self.wrong_type(name, declared.describe(parameter), got))
    }

    fn wrong_type(&self, name: &str, expected: String, got: String) -> Error {
        Error::WrongType { kernel: self.kernel.name.clone(), name: name.to_owned(), expected, got }
    }

    fn must_be_complete(&self) -> Result<(), Error> {
        if self.inputs.len() + self.uniforms.len() == self.kernel.needed {
            return Ok(());
        }
        Err(self.kernel.missing(|name| {
            self.inputs.iter().any(|(parameter, _)| parameter.name == name)
                || self.uniforms.iter().any(|(parameter, _)| parameter.name == name)
        }))
    }

    /// As many targets as outputs, of their classes, in this context, of one extent.
    fn check_targets(&self, targets: &[&dyn AnyTexture]) -> Result<Extent, Error> {
        let outputs = self.kernel.outputs();
        let in_order = outputs.iter().enumerate().all(|(slot, o)| o.location as usize == slot);
        let classes_fit = outputs.len() == targets.len()
            && outputs.iter().zip(targets).all(|(o, t)| class_of(&o.kind) == t.format().class);
        let one_extent = targets.windows(2).all(|pair| pair[0].extent() == pair[1].extent());
        for target in targets {
            must_live_in(&self.kernel.context, *target, "a target")?;
        }
        match targets.first() {
            Some(first) if in_order && classes_fit && one_extent => Ok(first.extent()),
            _ => Err(self.wrong_targets(targets)),
        }
    }

    /// GL ignores blending into integers, and some devices cannot blend floats.
    fn must_blend(&self, targets: &[&dyn AnyTexture]) -> Result<(), Error> {
        let abilities = self.kernel.context.abilities();
        let cannot = |target: &&&dyn AnyTexture| {
            let format = target.format();
            format.class != Class::Float || format.is_float() && !abilities.float_blending
        };
        if self.blend == Blend::Replace {
            return Ok(());
        }
        let Some(target) = targets.iter().find(cannot) else { return Ok(()) };
        let name = target.format().name;
        let floats = target.format().class == Class::Float;
        Err(Error::Gl(gl::Error::Unsupported {
            wish: format!("adding the results of {} into a texture of {name}", self.kernel.name),
            lacks: match floats {
                true => "blending of 32-bit floats (GL_EXT_float_blend in OpenGL ES)".into(),
                false => "blending of integers, which no OpenGL has".into(),
            },
            device: abilities.renderer.clone(),
            way_out: "read what is there as an input, and write the sum to another texture".into(),
        }))
    }

    fn wrong_targets(&self, targets: &[&dyn AnyTexture]) -> Error {
        let outputs = self.kernel.outputs();
        let got: Vec<String> = targets
            .iter()
            .map(|target| format!("{} of {}", target.extent(), target.format().name))
            .collect();
        Error::Targets {
            kernel: self.kernel.name.clone(),
            expected: format!("{} target(s) of one extent", outputs.len()),
            outputs: outputs
                .iter()
                .map(|o| format!("{}: {} {}", o.location, o.kind, o.name))
                .collect(),
            got: if got.is_empty() { "none".into() } else { got.join(", ") },
        }
    }

    /// What to draw; nothing for a geometry without texels.
    fn primitive(&self, extent: Extent) -> Result<Option<Primitive>, Error> {
        let height = extent.height as f32;
        let (rectangle, primitive) = match self.geometry {
            Geometry::Full => return Ok(Some(Primitive::Quad(corners(extent.rectangle())))),
            Geometry::Rectangle(rectangle) => (rectangle, Primitive::Quad(corners(rectangle))),
            Geometry::Column(x) => {
                let column = Rectangle::new(x, 0, 1, extent.height);
                (column, Primitive::Quad(corners(column)))
            }
            Geometry::Line(x) => {
                let centre = x as f32 + 0.5;
                let line = Primitive::Line([centre, 0.0, centre, height]);
                (Rectangle::new(x, 0, 1, extent.height), line)
            }
            Geometry::Tiles(tiles) => {
                let rectangles = tiles.rectangles.id_in(&self.kernel.context, "the tiles")?;
                let count = tiles.rectangles.len() as u32;
                (tiles.reach.rectangle(), Primitive::Quads { rectangles, count })
            }
        };
        if !rectangle.fits(extent) {
            let what = format!("a pass of {}", self.kernel.name);
            return Err(gl::Error::Outside { what, rectangle, extent }.into());
        }
        Ok((rectangle.texels() > 0).then_some(primitive))
    }
}

fn replace<'a, V>(list: &mut Vec<(&'a Parameter, V)>, parameter: &'a Parameter, value: V) {
    match list.iter_mut().find(|(known, _)| std::ptr::eq(*known, parameter)) {
        Some((_, old)) => *old = value,
        None => list.push((parameter, value)),
    }
}
