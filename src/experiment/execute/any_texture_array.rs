//! Texture arrays whose type of texel is chosen at run time: arrays of layers, which are read alone.

use bytemuck::Pod;

use crate::data::Layout;
use crate::gl::{self, AnyTexture, Class, Context, Format, TextureArray};

use crate::experiment::Error;
use crate::experiment::execute::any_texture::Room;

/// A texture array of one, two or four channels of a class. Three are stored in four, and so are two unsigned ones.
#[derive(Debug)]
pub(in crate::experiment) enum Layers {
    F1(TextureArray<f32>),
    F2(TextureArray<[f32; 2]>),
    F4(TextureArray<[f32; 4]>),
    I1(TextureArray<i32>),
    I2(TextureArray<[i32; 2]>),
    I4(TextureArray<[i32; 4]>),
    U1(TextureArray<u32>),
    U4(TextureArray<[u32; 4]>),
}

/// Does the same with a texture array of any type.
macro_rules! with {
    ($layers:expr, $array:ident => $work:expr) => {
        match $layers {
            Layers::F1($array) => $work,
            Layers::F2($array) => $work,
            Layers::F4($array) => $work,
            Layers::I1($array) => $work,
            Layers::I2($array) => $work,
            Layers::I4($array) => $work,
            Layers::U1($array) => $work,
            Layers::U4($array) => $work,
        }
    };
}

impl Layers {
    /// An uninitialized texture array.
    pub(in crate::experiment) fn empty(
        context: &Context,
        class: Class,
        layout: Layout,
    ) -> Result<Layers, gl::Error> {
        let Layout { extent, channels, layers, .. } = layout;
        Ok(match (class, channels) {
            (Class::Float, 1) => Layers::F1(context.uninit_array(extent, layers)?),
            (Class::Float, 2) => Layers::F2(context.uninit_array(extent, layers)?),
            (Class::Float, _) => Layers::F4(context.uninit_array(extent, layers)?),
            (Class::Int, 1) => Layers::I1(context.uninit_array(extent, layers)?),
            (Class::Int, 2) => Layers::I2(context.uninit_array(extent, layers)?),
            (Class::Int, _) => Layers::I4(context.uninit_array(extent, layers)?),
            (Class::Uint, 1) => Layers::U1(context.uninit_array(extent, layers)?),
            (Class::Uint, _) => Layers::U4(context.uninit_array(extent, layers)?),
        })
    }

    pub(in crate::experiment) fn any(&self) -> &dyn AnyTexture {
        with!(self, array => array)
    }
}

impl Room for Layers {
    fn format(&self) -> Format {
        self.any().format()
    }

    fn write_texels<T: Pod>(&mut self, numbers: &[T]) -> Result<(), Error> {
        Ok(with!(self, array => array.write(bytemuck::cast_slice(numbers)))?)
    }
}
