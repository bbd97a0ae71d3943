//! Finding a number and its index, on the device.

use std::rc::Rc;

use quadrille::Extent;
use quadrille::gl::{AnyTexture, Context, Texture};
use quadrille::internal::group::Setup;
use quadrille::internal::stream::{Program, Programs};
use quadrille::shader::{Source, Stage};

use crate::shaders::SHADERS;
use crate::vector_machine::{Memory, Result};

/// The side of the square of texels that a stage folds into one.
const SIDE: u32 = 8;
/// The position that the shaders write for a number that is not there.
const NOWHERE: i32 = i32::MAX;

/// The input of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Read {
    Floats,
    Bytes,
    Positions,
}

/// Returns a number by its bits, since devices may take denormals for zeros when they compare; both
/// zeros are 0.
fn bits(number: f32) -> i32 {
    if number == 0.0 { 0 } else { number.to_bits() as i32 }
}

/// A vector on the device.
pub(crate) struct Haystack<'a> {
    pub(crate) numbers: &'a dyn AnyTexture,
    pub(crate) is_byte: bool,
    pub(crate) length: i32,
}

/// The programs, compiled when first needed.
pub(crate) struct Finder(Programs<Read>);

impl Finder {
    pub(crate) fn new(context: &Context) -> Finder {
        Finder(Programs::new(context, Setup::Fragment))
    }

    /// Returns every shader of this file.
    pub(crate) fn sources() -> Result<Vec<Source>> {
        [Read::Floats, Read::Bytes, Read::Positions].into_iter().map(Read::source).collect()
    }

    /// Returns the index of the first number equal to one. `since` is the moment at which the call
    /// began.
    pub(crate) fn find(
        &self,
        memory: &Memory,
        since: u64,
        among: &Haystack<'_>,
        number: f32,
    ) -> Result<Option<usize>> {
        let room = |extent: Extent| memory.texture(folded(extent), since);
        let from = if among.is_byte { Read::Bytes } else { Read::Floats };
        let mut found: Texture<i32> = room(among.numbers.extent())?;
        let program = self.program(from)?;
        let launch = program.launch().input("numbers", among.numbers);
        let launch = launch.uniform("wanted", bits(number)).uniform("count", among.length);
        launch.write("position", &mut found)?;
        while found.extent().texels() > 1 {
            let mut next = room(found.extent())?;
            let program = self.program(Read::Positions)?;
            program.launch().input("found", &found).write("position", &mut next)?;
            found = next;
        }
        let first = found.read()?.into_iter().min().filter(|first| *first != NOWHERE);
        Ok(first.and_then(|first| usize::try_from(first).ok()))
    }

    fn program(&self, from: Read) -> Result<Rc<Program>> {
        self.0.get(&from, |from, _| from.source())
    }
}

impl Read {
    fn source(self) -> Result<Source> {
        let source = SHADERS.source(Stage::Fragment, "vector_machine/find.frag")?;
        let source = source.define("SIDE", SIDE);
        Ok(match self {
            Read::Floats => source.define("FIRST", 1),
            Read::Bytes => source.define("FIRST", 1).define("BYTES", 1),
            Read::Positions => source,
        })
    }
}

fn folded(extent: Extent) -> Extent {
    Extent::new(extent.width.div_ceil(SIDE), extent.height.div_ceil(SIDE))
}
