//! Draws a texture as the picture of a window.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use quadrille::gl::{AnyTexture, Class, Context, Texture, Unorm8};
use quadrille::shader::{Source, Stage};
use quadrille::stream::reduce::Reducer;
use quadrille::stream::{Error, Kernel};
use quadrille::{Extent, Rectangle};

use super::Layout;
use crate::dialect::shaders::SHADERS;
use crate::io::ColourMap;

/// Makes pictures of textures. Kernels are compiled when first needed and kept.
///
/// ```
/// use quadrille::gl::Unorm8;
/// use quadrille_run::io::ColourMap;
/// use quadrille_run::view::{Layout, Painter, Shown};
/// use quadrille::{Context, Extent};
/// let context = Context::headless()?;
/// let field = context.texture::<f32>(Extent::new(2, 1), &[-1.0, 3.0])?;
/// let mut painter = Painter::new(&context);
/// let range = painter.range(&field)?.unwrap_or_default();
/// assert_eq!(range, (-1.0, 3.0));
/// let window = Extent::new(2, 1);
/// let mut picture = context.uninit::<[Unorm8; 4]>(window)?;
/// let shown = Shown::Numbers { map: ColourMap::Grey, range };
/// painter.paint(&field, shown, Layout::new(window, field.extent(), false), &mut picture)?;
/// assert_eq!(picture.read()?, [[0, 0, 0, 255], [255; 4]].map(|pixel| pixel.map(Unorm8)));
/// # Ok::<(), quadrille::stream::Error>(())
/// ```
pub struct Painter {
    context: Context,
    reducer: Reducer,
    kernels: HashMap<Key, Kernel>,
    maps: HashMap<ColourMap, Texture<[Unorm8; 4]>>,
    /// The numbers that are shown, as floats of one channel.
    picked: Option<Texture<f32>>,
}

/// The conversion of texels into colours.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shown {
    /// The first channel of each, through a colour map whose ends are these two numbers.
    Numbers {
        /// The colours.
        map: ColourMap,
        /// The numbers at the map's ends.
        range: (f32, f32),
    },
    /// The first three channels of each as red, green and blue: floats 0 to 1, integers 0 to 255.
    Colours,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Pick(Class),
    Mapped,
    Colours(Class),
}

impl Key {
    const ALL: [Key; 7] = [
        Key::Pick(Class::Float),
        Key::Pick(Class::Int),
        Key::Pick(Class::Uint),
        Key::Mapped,
        Key::Colours(Class::Float),
        Key::Colours(Class::Int),
        Key::Colours(Class::Uint),
    ];

    fn source(self) -> Result<Source, quadrille::shader::Error> {
        let field = |class| match class {
            Class::Float => "sampler2D",
            Class::Int => "isampler2D",
            Class::Uint => "usampler2D",
        };
        let (file, class) = match self {
            Key::Pick(class) => ("view/pick.frag", class),
            Key::Mapped => ("view/colour.frag", Class::Float),
            Key::Colours(class) => ("view/colour.frag", class),
        };
        let source = SHADERS.source(Stage::Fragment, file)?.define("FIELD", field(class));
        Ok(match self {
            Key::Colours(Class::Float) => source.define("COLOURS", 1).define("UNIT", "1.0"),
            Key::Colours(_) => source.define("COLOURS", 1).define("UNIT", "255.0"),
            Key::Pick(_) | Key::Mapped => source,
        })
    }
}

pub(super) fn sources() -> Result<Vec<Source>, quadrille::shader::Error> {
    Key::ALL.into_iter().map(Key::source).collect()
}

impl Painter {
    /// Creates a painter of textures of this context.
    pub fn new(context: &Context) -> Painter {
        Painter {
            context: context.clone(),
            reducer: Reducer::new(context),
            kernels: HashMap::new(),
            maps: HashMap::new(),
            picked: None,
        }
    }

    /// Returns the least and the greatest finite number among the first channels, if any.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn range(&mut self, field: &dyn AnyTexture) -> Result<Option<(f32, f32)>, Error> {
        self.pick(field)?;
        let Some(picked) = &self.picked else { return Ok(None) };
        let (low, high) = (self.reducer.min(picked)?, self.reducer.max(picked)?);
        if low.is_finite() && high.is_finite() {
            // They are among the floats of the field.
            return Ok(Some((low as f32, high as f32)));
        }
        // One NaN would spoil the device's result; the host skips it.
        let finite = picked.read()?.into_iter().filter(|number| number.is_finite());
        Ok(finite.fold(None, |range, number| {
            let (low, high) = range.unwrap_or((number, number));
            Some((number.min(low), number.max(high)))
        }))
    }

    /// Draws the window that a layout describes.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn paint(
        &mut self,
        field: &dyn AnyTexture,
        shown: Shown,
        layout: Layout,
        picture: &mut Texture<[Unorm8; 4]>,
    ) -> Result<(), Error> {
        match shown {
            Shown::Numbers { map, range } => {
                self.pick(field)?;
                self.paint_numbers(map, range, layout, picture)
            }
            Shown::Colours => {
                let kernel =
                    kernel(&mut self.kernels, &self.context, Key::Colours(field.format().class))?;
                let pass = kernel.pass().input("field", field).uniform("flip", layout.flip);
                pass.uniform("place", corners(layout.place)).draw(picture)
            }
        }
    }

    fn paint_numbers(
        &mut self,
        map: ColourMap,
        (low, high): (f32, f32),
        layout: Layout,
        picture: &mut Texture<[Unorm8; 4]>,
    ) -> Result<(), Error> {
        let colours = match self.maps.entry(map) {
            Entry::Occupied(found) => found.into_mut(),
            Entry::Vacant(place) => place.insert(row_of(&self.context, map)?),
        };
        let Some(picked) = &self.picked else { return Ok(()) };
        let kernel = kernel(&mut self.kernels, &self.context, Key::Mapped)?;
        let pass = kernel.pass().input("field", picked).input("scale", colours);
        let bar = layout.bar.unwrap_or_default();
        pass.uniform("place", corners(layout.place))
            .uniform("flip", layout.flip)
            .uniform("bar", corners(bar))
            .uniform("range", [low, high])
            .draw(picture)
    }

    /// Takes the first channels over as floats.
    fn pick(&mut self, field: &dyn AnyTexture) -> Result<(), Error> {
        let kernel = kernel(&mut self.kernels, &self.context, Key::Pick(field.format().class))?;
        let extent = field.extent();
        let mut picked = match self.picked.take() {
            Some(room) if room.extent() == extent => room,
            _ => self.context.uninit::<f32>(extent)?,
        };
        kernel.pass().input("field", field).draw(&mut picked)?;
        self.picked = Some(picked);
        Ok(())
    }
}

fn kernel<'a>(
    kernels: &'a mut HashMap<Key, Kernel>,
    context: &Context,
    key: Key,
) -> Result<&'a Kernel, Error> {
    Ok(match kernels.entry(key) {
        Entry::Occupied(found) => found.into_mut(),
        Entry::Vacant(place) => place.insert(context.kernel(key.source()?)?),
    })
}

fn row_of(context: &Context, map: ColourMap) -> Result<Texture<[Unorm8; 4]>, Error> {
    let texels = map.colours().map(|[red, green, blue]| [red, green, blue, 255].map(Unorm8));
    Ok(context.texture(Extent::new(texels.len() as u32, 1), &texels)?)
}

fn corners(place: Rectangle) -> [i32; 4] {
    [place.x, place.y, place.width, place.height].map(|number| number as i32)
}
