//! Vectors on the device.

mod exact;

use bytemuck::Pod;

use crate::gl::{self, Context, Texel, Texture, Unorm8};
use crate::memory;
use crate::stream::Result;
use crate::{Extent, Rectangle};

use super::layout::{Panel, panels, room};

/// The bytes that no device has, where its driver does not say how many it has.
const MOST_OF_A_DEVICE: u64 = 1 << 40;

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for i32 {}
    impl Sealed for u32 {}
    impl Sealed for u8 {}
}

/// A number that is stored four to a texel: `f32`, `i32`, `u32`, or `u8`, which shaders read as a
/// fraction of 255.
pub trait Lane: sealed::Sealed + Pod + Default + PartialEq + std::fmt::Debug {
    /// The texel: four of them.
    type Quad: Texel + gl::Element;
}

impl Lane for f32 {
    type Quad = [f32; 4];
}

impl Lane for i32 {
    type Quad = [i32; 4];
}

impl Lane for u32 {
    type Quad = [u32; 4];
}

impl Lane for u8 {
    type Quad = [Unorm8; 4];
}

/// A vector on a device: numbers packed four to a texel, of any length. What does not fit in one
/// texture is in several, its panels. The padding after the last number is zero whenever the
/// numbers are set.
///
/// ```
/// use quadrille::{Context, grid::DeviceVector};
/// let context = Context::headless()?;
/// let x = DeviceVector::from_host(&context, &[1.0_f32, 2.0, 3.0])?;
/// let mut y = DeviceVector::zeros(&context, x.len())?;
/// assert_eq!(y.read()?, [0.0; 3]);
/// y.copy_from(&x)?;
/// assert_eq!(y.read()?, [1.0, 2.0, 3.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DeviceVector<T: Lane = f32> {
    context: Context,
    length: usize,
    /// The textures, one for each panel, as [`panels`] divides the length: vectors of one length
    /// and context have the same panels.
    textures: Vec<Texture<T::Quad>>,
}

impl<T: Lane> DeviceVector<T> {
    /// Creates a vector whose numbers are undefined until an operation or [`write`](Self::write)
    /// sets all of them.
    ///
    /// # Errors
    ///
    /// [`gl::Error::OutOfMemory`] and [`gl::Error::HostMemory`], with the bytes of the whole
    /// vector, if the device cannot hold it.
    pub fn uninit(context: &Context, length: usize) -> Result<DeviceVector<T>> {
        let bytes = length.saturating_mul(size_of::<T>());
        let own = match context.abilities().software {
            true => 0,
            false => context.abilities().memory.unwrap_or(MOST_OF_A_DEVICE),
        };
        if bytes as u64 > own {
            // It is the host's, which would be promised now and missing when it is written; some
            // drivers take all there is, for minutes, before they refuse.
            memory::must_have(bytes)?;
        }
        let whole =
            |error: gl::Error| error.of_whole(format_args!("a vector of {length} numbers"), bytes);
        let make = |panel: Panel| context.uninit(panel.extent).map_err(whole);
        let textures = panels_of(context, length).map(make).collect::<Result<_, _>>()?;
        Ok(DeviceVector { context: context.clone(), length, textures })
    }

    /// Creates a vector of zeros, made on the device.
    ///
    /// # Errors
    ///
    /// Those of [`uninit`](Self::uninit).
    pub fn zeros(context: &Context, length: usize) -> Result<DeviceVector<T>> {
        let mut vector = DeviceVector::uninit(context, length)?;
        for texture in &mut vector.textures {
            texture.fill(bytemuck::Zeroable::zeroed())?;
        }
        Ok(vector)
    }

    /// Creates a copy of numbers of the host.
    ///
    /// # Errors
    ///
    /// Those of [`uninit`](Self::uninit).
    pub fn from_host(context: &Context, numbers: &[T]) -> Result<DeviceVector<T>> {
        let mut vector = DeviceVector::uninit(context, numbers.len())?;
        vector.write(numbers)?;
        Ok(vector)
    }

    /// Returns the context it lives in.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Returns whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Replaces all numbers.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Length`] if there are not as many, and errors of the device.
    pub fn write(&mut self, numbers: &[T]) -> Result<()> {
        self.must_have(numbers.len(), "writing a vector")?;
        let mut rest = numbers;
        for (texture, panel) in self.textures.iter_mut().zip(panels_of(&self.context, self.length))
        {
            let (part, further) = rest.split_at(panel.length);
            write_padded(texture, part)?;
            rest = further;
        }
        Ok(())
    }

    /// Returns the texels of all panels: elements of a buffer that holds the numbers, four each.
    #[doc(hidden)]
    pub fn texels(&self) -> usize {
        self.textures.iter().map(|texture| texture.extent().texels()).sum()
    }

    /// Copies the numbers to the first elements of a buffer, on the device. The buffer is only a
    /// cache of the numbers, so it may be shared.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Length`] for a buffer of fewer than [`texels`](Self::texels) elements, and
    /// errors of the device.
    #[doc(hidden)]
    pub fn copy_to_buffer(&self, buffer: &gl::Buffer<T::Quad>) -> Result<()> {
        let mut start = 0;
        for texture in &self.textures {
            texture.copy_to_buffer(buffer, start)?;
            start += texture.extent().texels();
        }
        Ok(())
    }

    /// Returns a copy on the host. Waits for the operations that write the vector.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    pub fn read(&self) -> Result<Vec<T>> {
        let numbers_of = |texture: &Texture<T::Quad>| 4 * texture.extent().texels();
        let mut numbers = memory::zeroed(self.textures.iter().map(numbers_of).sum())?;
        let mut rest = &mut numbers[..];
        for texture in &self.textures {
            let (part, further) = rest.split_at_mut(numbers_of(texture));
            texture.read_into(bytemuck::cast_slice_mut(part))?;
            rest = further;
        }
        // Only the last panel has padding.
        numbers.truncate(self.length);
        Ok(numbers)
    }

    /// Returns the number at an index, read back alone; none where the vector has ended.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn get(&self, index: usize) -> Result<Option<T>> {
        let room = DeviceVector::<T>::room_of_panel(&self.context);
        let panel = self.textures.get(index / room).filter(|_| index < self.length);
        let Some(panel) = panel else { return Ok(None) };
        let (texel, width) = (((index % room) / 4) as u32, panel.extent().width);
        let texels = panel.read_rectangle(Rectangle::new(texel % width, texel / width, 1, 1))?;
        let numbers: &[T] = bytemuck::cast_slice(&texels);
        Ok(numbers.get(index % 4).copied())
    }

    /// Replaces the numbers by those of a vector of the same length and context, on the device.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Length`] if the lengths differ, [`gl::Error::Foreign`] if the contexts differ,
    /// and errors of the device.
    pub fn copy_from(&mut self, other: &DeviceVector<T>) -> Result<()> {
        self.must_have(other.length, "copying a vector")?;
        for (to, from) in self.textures.iter_mut().zip(&other.textures) {
            to.copy_from(from)?;
        }
        Ok(())
    }

    /// Iterates over its panels in order: the texture of each, and how many numbers it holds.
    /// Vectors of one length and context have the same panels, so that a kernel of yours runs once
    /// for each.
    ///
    /// ```
    /// use quadrille::{Context, grid::DeviceVector, shader::Source};
    /// let context = Context::headless()?;
    /// let twice = context.kernel(Source::fragment("twice.frag", "
    ///     uniform sampler2D x;
    ///     out vec4 y;
    ///     void main() { y = 2.0 * READ(x, TEXEL); }"))?;
    /// let x = DeviceVector::from_host(&context, &[1.0_f32, 2.0, 3.0])?;
    /// let mut y = DeviceVector::<f32>::uninit(&context, x.len())?;
    /// for ((from, _), (to, _)) in x.panels().zip(y.panels_mut()) {
    ///     twice.pass().input("x", from).draw(to)?;
    /// }
    /// assert_eq!(y.read()?, [2.0, 4.0, 6.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn panels(&self) -> impl Iterator<Item = (&Texture<T::Quad>, usize)> {
        let lengths = panels_of(&self.context, self.length).map(|panel| panel.length);
        self.textures.iter().zip(lengths)
    }

    /// Iterates over its [panels](Self::panels) to write them. Code that writes a panel must set
    /// the padding after its last number to zero.
    pub fn panels_mut(&mut self) -> impl Iterator<Item = (&mut Texture<T::Quad>, usize)> {
        let lengths = panels_of(&self.context, self.length).map(|panel| panel.length);
        self.textures.iter_mut().zip(lengths)
    }

    /// Returns the texture of a panel. Vectors of one length and context have the same panels.
    pub(crate) fn panel(&self, index: usize) -> Option<&Texture<T::Quad>> {
        self.textures.get(index)
    }

    /// Returns the texture of a panel, which may be replaced by another of its extent.
    pub(crate) fn panel_mut(&mut self, index: usize) -> Option<&mut Texture<T::Quad>> {
        self.textures.get_mut(index)
    }

    /// Returns the extent of the largest panel of vectors of this length, and how many there are.
    pub(crate) fn largest_panel(context: &Context, length: usize) -> (Extent, usize) {
        let first = panels_of(context, length).next();
        let count = panels_of(context, length).count();
        (first.map_or(Extent::new(1, 1), |panel| panel.extent), count)
    }

    /// Returns the most numbers that fit in one panel on this device.
    pub fn room_of_panel(context: &Context) -> usize {
        room(context.abilities().max_texture_size)
    }

    /// Returns the bytes that it takes on the device.
    pub fn bytes(&self) -> u64 {
        let texels = self.textures.iter().map(|texture| texture.extent().texels());
        (texels.sum::<usize>() * size_of::<T::Quad>()) as u64
    }

    /// Refuses another length than its own.
    pub(crate) fn must_have(&self, got: usize, what: &str) -> Result<()> {
        Ok(gl::must_be(self.length, got, what)?)
    }
}

fn panels_of(context: &Context, length: usize) -> impl Iterator<Item = Panel> + use<> {
    panels(length, context.abilities().max_texture_size)
}

/// Uploads numbers: whole rows as they are, and the last row filled up with zeros.
fn write_padded<T: Lane>(texture: &mut Texture<T::Quad>, numbers: &[T]) -> Result<()> {
    let extent = texture.extent();
    let row = 4 * extent.width as usize;
    let (rows, rest) = numbers.split_at(numbers.len() / row * row);
    let whole = (rows.len() / row) as u32;
    texture
        .write_rectangle(Rectangle::new(0, 0, extent.width, whole), bytemuck::cast_slice(rows))?;
    let padded = rest.iter().copied().chain(std::iter::repeat(T::default()));
    let last = memory::collected((extent.height - whole) as usize * row, padded);
    let last = last.map_err(gl::Error::from)?;
    let place = Rectangle::new(0, whole, extent.width, extent.height - whole);
    Ok(texture.write_rectangle(place, bytemuck::cast_slice(&last))?)
}

impl<T: Lane> std::fmt::Debug for DeviceVector<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DeviceVector({})", self.length)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::gl::masks::Ability;

    /// Writes over poisoned textures, in one panel and in several.
    #[test]
    fn the_padding_is_zero_after_every_way_to_set_the_numbers() {
        let small = Context::builder().without(Ability::LargerTextures(4)).build().unwrap();
        for context in [Context::headless().unwrap(), small] {
            for length in [1, 2, 3, 5, 13, 63, 64, 65, 131] {
                let poisoned = || {
                    let mut vector = DeviceVector::<f32>::uninit(&context, length).unwrap();
                    vector.textures.iter_mut().for_each(|t| t.fill([f32::NAN; 4]).unwrap());
                    vector
                };
                let (mut written, mut copied) = (poisoned(), poisoned());
                written.write(&vec![7.0; length]).unwrap();
                copied.copy_from(&written).unwrap();
                let zeros = DeviceVector::<f32>::zeros(&context, length).unwrap();
                for (vector, number) in [(written, 7.0), (copied, 7.0), (zeros, 0.0)] {
                    let texels = vector.textures.iter().flat_map(|t| t.read().unwrap());
                    let stored: Vec<f32> = texels.flatten().collect();
                    let expected = |i: usize| if i < length { number } else { 0.0 };
                    assert!(stored.iter().enumerate().all(|(i, x)| *x == expected(i)), "{length}");
                }
            }
        }
    }
}
