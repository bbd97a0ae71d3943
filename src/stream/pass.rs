//! Passes: one draw, as one value.

use crate::gl::{
    self, AnyTexture, Blend, Buffer, Class, Draw, Element, Primitive, Target, Texel, Texture,
    Unorm8, Value, draw, must_live_in,
};
use crate::{Extent, Rectangle};

use super::geometry::corners;
use super::interface::Given;
use super::kernel::{class_of, components_of};
use super::{Error, Geometry, Heading, Kernel};

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
/// let mut other = context.uninit::<f32>(image.extent())?;
/// kernel.pass().input("image", &image).draw(&mut other)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a pass does nothing until it is drawn"]
pub struct Pass<'a> {
    kernel: &'a Kernel,
    given: Given<'a>,
    geometry: Geometry<'a>,
    blend: Blend,
}

impl Kernel {
    /// Begins a pass.
    pub fn pass(&self) -> Pass<'_> {
        Pass::new(self)
    }
}

impl<'a> Pass<'a> {
    fn new(kernel: &'a Kernel) -> Pass<'a> {
        Pass {
            kernel,
            given: Given::new(&kernel.interface),
            geometry: Geometry::Full,
            blend: Blend::Replace,
        }
    }

    /// Gives a texture to read.
    pub fn input(mut self, name: &str, texture: &'a dyn AnyTexture) -> Self {
        self.given.input(name, texture);
        self
    }

    /// Gives a number, or a few, or an array of them.
    pub fn uniform(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.given.uniform(name, value.into());
        self
    }

    /// Gives a storage buffer to read, to a shader that was marked with
    /// [`Source::storage`](crate::shader::Source::storage).
    pub fn buffer<T: Element>(mut self, block: &str, buffer: &'a Buffer<T>) -> Self {
        self.given.buffer(block, buffer);
        self
    }

    /// Gives a storage buffer to write.
    pub fn buffer_mut<T: Element>(mut self, block: &str, buffer: &'a mut Buffer<T>) -> Self {
        self.given.buffer(block, buffer);
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

    /// Draws a kernel without outputs for what it stores in buffers. The canvas says by its extent
    /// how many fragments there are; what it holds afterwards is undefined.
    pub fn store_over(mut self, canvas: &mut Texture<Unorm8>) -> Result<(), Error> {
        self.given.check()?;
        must_live_in(&self.kernel.interface.context, canvas, "the canvas")?;
        if !self.kernel.outputs().is_empty() {
            return Err(self.wrong_targets(&[]));
        }
        self.draw_over(canvas.extent(), &[canvas])
    }

    fn run(mut self, targets: &[&dyn AnyTexture]) -> Result<(), Error> {
        self.given.check()?;
        let extent = self.check_targets(targets)?;
        self.must_blend(targets)?;
        self.draw_over(extent, targets)
    }

    fn draw_over(&self, extent: Extent, targets: &[&dyn AnyTexture]) -> Result<(), Error> {
        let Some(primitive) = self.primitive(extent)? else { return Ok(()) };
        let scale = Value::Vec2([2.0 / extent.width as f32, 2.0 / extent.height as f32]);
        let own = self.kernel.interface.program.parameter("quadrille_scale").map(|p| (p, &scale));
        let (blend, context) = (self.blend, &self.kernel.interface.context);
        let stores = self.kernel.stores;
        Ok(self.given.bind(own, |bindings| {
            draw(context, &Draw { bindings, targets, primitive, blend, stores })
        })?)
    }

    /// As many targets as outputs, of their classes, in this context, of one extent.
    fn check_targets(&self, targets: &[&dyn AnyTexture]) -> Result<Extent, Error> {
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

    /// GL ignores blending into integers, and some devices cannot blend floats.
    fn must_blend(&self, targets: &[&dyn AnyTexture]) -> Result<(), Error> {
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
        Err(Error::Gl(gl::Error::Unsupported {
            wish: format!(
                "adding the results of {} into a texture of {name}",
                self.kernel.interface.name
            ),
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

    /// What to draw; nothing for a geometry without texels.
    fn primitive(&self, extent: Extent) -> Result<Option<Primitive>, Error> {
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
            Geometry::Line(x, heading) => {
                let centre = x as f32 + 0.5;
                let (from, to) = match heading {
                    Heading::Up => (0.0, height),
                    Heading::Down => (height, 0.0),
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

/// Whether a target holds all that an output of this type has. Channels beyond it are undefined, so that
/// a `vec3` can go into four.
fn holds(target: &dyn AnyTexture, kind: &str) -> bool {
    let format = target.format();
    class_of(kind) == format.class && components_of(kind) <= format.channels
}
