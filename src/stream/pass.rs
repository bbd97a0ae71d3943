//! Passes: one draw, as one value.

pub(super) mod geometry;
pub(super) mod ping_pong;

use crate::gl::{
    self, AnyTexture, Attribute, Blend, Buffer, Class, Draw, Element, Primitive, Target, Texel,
    Texture, Unorm8, Value, draw, must_live_in,
};
use crate::{Extent, Rectangle, memory};

use super::kernel::interface::Arguments;
use super::kernel::{class_of, components_of};
use super::{Error, Geometry, Kernel, LineDirection, Result};
use geometry::corners;

/// A draw of a kernel: its inputs and uniforms by name, and the texels to write. Errors in any of
/// them are returned when it is drawn.
///
/// A pass cannot read what it writes; this does not compile:
///
/// ```compile_fail,E0502
/// # use quadrille::{Context, Extent, Source};
/// # let context = Context::headless()?;
/// # let text = "uniform sampler2D image; out float o; void main() { o = READ(image, TEXEL).r; }";
/// # let kernel = context.kernel(Source::fragment("copy.frag", text))?;
/// let mut image = context.texture::<f32>(Extent::new(1, 1), &[1.0])?;
/// kernel.pass().input("image", &image).draw(&mut image)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// and this, which differs only in the target, does:
///
/// ```
/// # use quadrille::{Context, Extent, Source};
/// # let context = Context::headless()?;
/// # let text = "uniform sampler2D image; out float o; void main() { o = READ(image, TEXEL).r; }";
/// # let kernel = context.kernel(Source::fragment("copy.frag", text))?;
/// let image = context.texture::<f32>(Extent::new(1, 1), &[1.0])?;
/// let mut other = context.uninit::<f32>(image.extent())?;
/// kernel.pass().input("image", &image).draw(&mut other)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a pass does nothing until it is drawn"]
pub struct Pass<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) arguments: Arguments<'a>,
    pub(super) attributes: Vec<Attribute>,
    pub(super) geometry: Geometry<'a>,
    pub(super) blend: Blend,
}

impl Kernel {
    /// Begins a pass.
    pub fn pass(&self) -> Pass<'_> {
        Pass {
            kernel: self,
            arguments: Arguments::new(&self.interface),
            attributes: Vec::new(),
            geometry: Geometry::Full,
            blend: Blend::Replace,
        }
    }
}

/// The bytes that a software renderer takes for each point of a draw, and those that it takes at
/// most: the scenes of Mesa's llvmpipe are limited.
const POINT: usize = 64;
const SCENES: usize = 128 << 20;

impl<'a> Pass<'a> {
    /// Binds a texture to a sampler.
    pub fn input(mut self, name: &str, texture: &'a dyn AnyTexture) -> Self {
        self.arguments.input(name, texture);
        self
    }

    /// Sets a uniform: a number, a vector, a matrix, or an array of them.
    pub fn uniform(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.arguments.uniform(name, value.into());
        self
    }

    /// Binds a storage buffer to read. The shader must be marked with
    /// [`Source::storage`](crate::shader::Source::storage).
    pub fn buffer<T: Element>(mut self, block: &str, buffer: &'a Buffer<T>) -> Self {
        self.arguments.buffer(block, buffer);
        self
    }

    /// Binds a storage buffer to write.
    pub fn buffer_mut<T: Element>(mut self, block: &str, buffer: &'a mut Buffer<T>) -> Self {
        self.arguments.buffer(block, buffer);
        self
    }

    /// Sets the texels to write; all of the target by default.
    pub fn over(mut self, geometry: Geometry<'a>) -> Self {
        self.geometry = geometry;
        self
    }

    /// Sets how results are combined with the target; they replace its texels by default.
    pub fn blend(mut self, blend: Blend) -> Self {
        self.blend = blend;
        self
    }

    /// Draws into one texture.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchName`], [`Error::WrongType`] and [`Error::Missing`] if the inputs and
    /// uniforms do not match the kernel, [`Error::Targets`] if the target does not match its
    /// outputs, [`gl::Error::Foreign`] for a texture of another context, [`gl::Error::Outside`] for
    /// a geometry outside the target, and errors of the device.
    pub fn draw<T: Texel>(self, target: &mut Texture<T>) -> Result<()> {
        self.run(&[target as &dyn AnyTexture])
    }

    /// Draws into several textures of one extent, in the order of the outputs' locations.
    ///
    /// # Errors
    ///
    /// Those of [`draw`](Pass::draw).
    pub fn draw_into(self, targets: &mut [&mut dyn Target]) -> Result<()> {
        let targets: Vec<&dyn AnyTexture> =
            targets.iter().map(|target| &**target as &dyn AnyTexture).collect();
        self.run(&targets)
    }

    /// Draws a kernel that has no outputs and stores into buffers instead. There is one fragment
    /// for each texel of the canvas, whose contents are undefined afterwards.
    ///
    /// # Errors
    ///
    /// Those of [`draw`](Pass::draw); [`Error::Targets`] if the kernel has outputs.
    pub fn store_over(mut self, canvas: &mut Texture<Unorm8>) -> Result<()> {
        self.arguments.check()?;
        must_live_in(&self.kernel.interface.context, canvas, "the canvas")?;
        if !self.kernel.outputs().is_empty() {
            return Err(self.wrong_targets(&[]));
        }
        self.draw_over(canvas.extent(), &[canvas])
    }

    pub(super) fn run(mut self, targets: &[&dyn AnyTexture]) -> Result<()> {
        self.arguments.check()?;
        let extent = self.check_targets(targets)?;
        self.must_blend(targets)?;
        self.draw_over(extent, targets)
    }

    fn draw_over(&self, extent: Extent, targets: &[&dyn AnyTexture]) -> Result<()> {
        let Some(primitive) = self.primitive(extent)? else { return Ok(()) };
        let scale = Value::Vec2([2.0 / extent.width as f32, 2.0 / extent.height as f32]);
        let own = self.kernel.interface.program.parameter("quadrille_scale").map(|p| (p, &scale));
        let (blend, context) = (self.blend, &self.kernel.interface.context);
        let attributes = &self.attributes[..];
        let fed = |location| attributes.iter().any(|attribute| attribute.location == location);
        self.kernel.interface.must_be_fed(fed)?;
        self.must_reach(attributes)?;
        self.must_have_room()?;
        let stores = self.kernel.stores;
        Ok(self.arguments.bind(own, |bindings| {
            draw(context, &Draw { bindings, targets, primitive, attributes, blend, stores })
        })?)
    }

    /// Checks that the targets match the outputs in number and class, and are of this context and
    /// one extent.
    fn check_targets(&self, targets: &[&dyn AnyTexture]) -> Result<Extent> {
        let outputs = self.kernel.outputs();
        let in_order = outputs.iter().enumerate().all(|(slot, o)| o.location as usize == slot);
        let classes_fit = outputs.len() == targets.len()
            && outputs.iter().zip(targets).all(|(o, t)| holds(*t, &o.kind));
        let one_extent = targets.windows(2).all(|pair| pair[0].extent() == pair[1].extent());
        for target in targets {
            must_live_in(&self.kernel.interface.context, *target, "a target")?;
        }
        match targets.first() {
            Some(first) if in_order && classes_fit && one_extent => Ok(first.extent()),
            _ => Err(self.wrong_targets(targets)),
        }
    }

    /// Refuses to blend into integers, which GL ignores, and into floats where the device cannot.
    fn must_blend(&self, targets: &[&dyn AnyTexture]) -> Result<()> {
        let abilities = self.kernel.interface.context.abilities();
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
        let kernel = self.kernel.name();
        let request = format!("adding the results of {kernel} into a texture of {name}");
        let lacks = match floats {
            true => "blending of 32-bit floats (GL_EXT_float_blend in OpenGL ES)",
            false => "blending of integers, which no OpenGL has",
        };
        let remedy = "read what is there as an input, and write the sum to another texture";
        Err(abilities.lack(request, lacks, remedy).into())
    }

    /// Checks that the buffers have an element for each vertex: GL would read past their ends.
    fn must_reach(&self, attributes: &[Attribute]) -> Result<()> {
        // No other geometry has more than four.
        let vertices = if let Geometry::Points(count) = self.geometry { count as usize } else { 4 };
        let reach = |one: &Attribute| one.first + one.step * vertices.saturating_sub(1) + 1;
        match attributes.iter().find(|one| reach(one) > one.length) {
            None => Ok(()),
            Some(short) => {
                let what = format!("attribute {} of {vertices} vertices", short.location);
                let (expected, got) = (reach(short), short.length);
                Err(gl::Error::Length { what, expected, got }.into())
            }
        }
    }

    /// Checks that a software renderer has memory for the points: Mesa's llvmpipe ends the process
    /// where it has none for the scene of a draw.
    fn must_have_room(&self) -> Result<()> {
        match self.geometry {
            Geometry::Points(count) if self.kernel.interface.context.abilities().software => {
                let bytes = (count as usize).saturating_mul(POINT).min(SCENES);
                Ok(memory::must_have(bytes).map_err(gl::Error::from)?)
            }
            _ => Ok(()),
        }
    }

    fn wrong_targets(&self, targets: &[&dyn AnyTexture]) -> Error {
        let outputs = self.kernel.outputs();
        Error::Targets {
            kernel: self.kernel.interface.name.clone(),
            outputs: outputs
                .iter()
                .map(|o| format!("{}: {} {}", o.location, o.kind, o.name))
                .collect(),
            got: targets
                .iter()
                .map(|target| format!("{} texels of {}", target.extent(), target.format().name))
                .collect(),
            dropped: self.kernel.dropped_outputs().into(),
        }
    }

    /// Returns the primitive to draw; `None` for a geometry without texels.
    fn primitive(&self, extent: Extent) -> Result<Option<Primitive>> {
        let height = extent.height as f32;
        let (rectangle, primitive) = match self.geometry {
            Geometry::Full => return Ok(Some(Primitive::Quad(corners(extent.rectangle())))),
            Geometry::Triangle => {
                return Ok(Some(Primitive::Triangle(corners(extent.rectangle()))));
            }
            Geometry::Rectangle(rectangle) => (rectangle, Primitive::Quad(corners(rectangle))),
            Geometry::Column(x) => {
                let column = Rectangle::new(x, 0, 1, extent.height);
                (column, Primitive::Quad(corners(column)))
            }
            Geometry::Line(x, direction) => {
                let centre = x as f32 + 0.5;
                let (from, to) = match direction {
                    LineDirection::Up => (0.0, height),
                    LineDirection::Down => (height, 0.0),
                };
                let line = Primitive::Line([centre, from, centre, to]);
                (Rectangle::new(x, 0, 1, extent.height), line)
            }
            Geometry::Points(0) => return Ok(None),
            Geometry::Points(count) => return Ok(Some(Primitive::Points(count))),
            Geometry::Tiles(tiles) => {
                let rectangles =
                    tiles.rectangles.id_in(&self.kernel.interface.context, "the tiles")?;
                let count = tiles.rectangles.len() as u32;
                (tiles.reach.rectangle(), Primitive::Quads { rectangles, count })
            }
        };
        if !rectangle.fits(extent) {
            let what = format!("a pass of {}", self.kernel.interface.name);
            return Err(gl::Error::Outside { what, rectangle, extent }.into());
        }
        Ok((rectangle.texels() > 0).then_some(primitive))
    }
}

/// Returns whether a target has a channel for each component of an output of this type. Further
/// channels are undefined, so a `vec3` can be written to four.
fn holds(target: &dyn AnyTexture, kind: &str) -> bool {
    let format = target.format();
    class_of(kind) == format.class && components_of(kind) <= format.channels
}
