//! Textures from fields and back.

use crate::data::{Field, Values};
use crate::memory;

use crate::gl::{AnyTexture, Context, Error, Result, Texel, Texture};

/// A texel that a [`Field`] can hold: 1 to 4 floats or integers.
pub trait FieldTexel: Texel {
    /// Returns the texels of a field; `None` if its values have another type or number of channels.
    #[doc(hidden)]
    fn of_field(field: &Field) -> Option<&[Self]>;

    /// Returns the values of texels.
    #[doc(hidden)]
    fn to_values(texels: &[Self]) -> Result<Values, memory::NoMemory>;
}

macro_rules! field_texel {
    ($number:ty, $variant:ident: $($texel:ty),+) => {
        $(impl FieldTexel for $texel {
            fn of_field(field: &Field) -> Option<&[Self]> {
                match field.values() {
                    Values::$variant(values) if field.channels() == Self::FORMAT.channels => {
                        Some(bytemuck::cast_slice(values))
                    }
                    _ => None,
                }
            }

            fn to_values(texels: &[Self]) -> Result<Values, memory::NoMemory> {
                let values: &[$number] = bytemuck::cast_slice(texels);
                Ok(memory::copied(values)?.into())
            }
        })+
    };
}

field_texel!(f32, F32: f32, [f32; 2], [f32; 3], [f32; 4]);
field_texel!(i32, I32: i32, [i32; 2], [i32; 3], [i32; 4]);
field_texel!(u32, U32: u32, [u32; 2], [u32; 3], [u32; 4]);

impl Context {
    /// Makes a texture of a field, such as an array or a picture that was read from a file. The
    /// texel type must have as many channels as the field, and numbers of the same type.
    ///
    /// ```
    /// use quadrille::{Context, Extent, data::Field};
    /// let context = Context::headless()?;
    /// let picture = Field::new(Extent::new(2, 1), 3, vec![0.0_f32, 0.5, 1.0, 1.0, 0.5, 0.0])?;
    /// let texture = context.texture_of::<[f32; 3]>(&picture)?;
    /// assert_eq!(texture.field()?, picture);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::FieldTexel`] if the field has other channels or values; otherwise as
    /// [`texture`](Context::texture).
    pub fn texture_of<T: FieldTexel>(&self, field: &Field) -> Result<Texture<T>> {
        let texels = T::of_field(field).ok_or(Error::FieldTexel {
            texel: T::FORMAT.name,
            channels: field.channels(),
            values: field.values().name(),
        })?;
        self.texture(field.extent(), texels)
    }
}

impl<T: FieldTexel> Texture<T> {
    /// Reads all texels into a field, to be written to a file or shown.
    ///
    /// # Errors
    /// As [`read`](Texture::read).
    pub fn field(&self) -> Result<Field> {
        let values = T::to_values(&self.read()?)?;
        Ok(Field::new(self.extent(), self.format().channels, values)?)
    }
}
