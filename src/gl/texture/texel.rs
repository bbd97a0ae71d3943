//! The types a texel can have.

use bytemuck::{Pod, Zeroable};
use half::f16;

/// The type that shaders read from a texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Floats: `sampler2D`, `float`, `vec2`, `vec4`.
    Float,
    /// Signed integers: `isampler2D`, `int`, `ivec2` ...
    Int,
    /// Unsigned integers: `usampler2D`, `uint`, `uvec2` ...
    Uint,
}

/// The storage format of a texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Format {
    /// The name in OpenGL, such as `RGBA32F`.
    pub name: &'static str,
    /// The type that shaders read.
    pub class: Class,
    /// The number of channels of a texel.
    pub channels: usize,
    /// The bytes that a texel takes on the device: those of four channels for three.
    pub bytes: usize,
    pub(in crate::gl) internal: u32,
    pub(in crate::gl) layout: u32,
    pub(in crate::gl) component: u32,
    /// The component type in which ES promises to give back four channels.
    pub(in crate::gl) wide: u32,
    component_type: ComponentType,
}

/// The type of the components of a texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ComponentType {
    /// Integers, which shaders read as such.
    Whole,
    /// Integers that stand for fractions.
    Fractions,
    /// 16-bit floats.
    Half,
    /// 32-bit floats.
    Single,
}

impl Format {
    /// Returns whether it holds 32-bit floats, which not every device can draw.
    pub fn is_float(&self) -> bool {
        self.component_type == ComponentType::Single
    }

    /// Returns whether it holds 16-bit floats.
    pub fn is_half(&self) -> bool {
        self.component_type == ComponentType::Half
    }

    /// Returns whether it is stored with a channel that shaders do not see: the fourth beside
    /// three.
    pub(in crate::gl) fn is_padded(&self) -> bool {
        self.channels == 3
    }

    /// Returns the bytes of a 1 in a channel of 16 or 32 bits.
    pub(in crate::gl) fn one(&self) -> &'static [u8] {
        match (self.class, self.component_type) {
            (_, ComponentType::Half) => bytemuck::bytes_of(&0x3c00_u16),
            (Class::Float, _) => bytemuck::bytes_of(&1.0_f32),
            (Class::Int | Class::Uint, _) => bytemuck::bytes_of(&1_u32),
        }
    }

    /// Returns the layout for four channels of this class.
    pub(in crate::gl) fn wide_layout(&self) -> u32 {
        if self.class == Class::Float { glow::RGBA } else { glow::RGBA_INTEGER }
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A type that textures can hold: `f32`, `i32`, `u32`, [`f16`](half::f16) and arrays of 2 to 4 of
/// them, `u8`, `i16`, [`Unorm8`], and arrays of 4 [`Unorm8`].
///
/// Three channels are stored with a fourth, since OpenGL need not draw into three. Shaders read 1
/// there, as in a channel that a format lacks, whatever a pass wrote.
pub trait Texel: sealed::Sealed + Pod + PartialEq + std::fmt::Debug + 'static {
    /// The storage format.
    const FORMAT: Format;

    /// Converts from the four channels that ES reads back, in the widest type of its class.
    #[doc(hidden)]
    fn from_wide(wide: Wide) -> Self;

    /// Returns the four channels of one texel, for filling.
    #[doc(hidden)]
    fn to_wide(self) -> Wide;
}

/// Four channels in the widest type of their class.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Wide {
    Float([f32; 4]),
    Int([i32; 4]),
    Uint([u32; 4]),
}

/// A byte that shaders read as a fraction of 255. It is a type of its own, since `u8` is an integer
/// texel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Unorm8(pub u8);

macro_rules! texel {
    ($type:ty, $class:ident, $channels:literal, $numbers:ident,
     $internal:ident, $layout:ident, $component:ident, $wide:ident,
     |$from:ident| $get:expr, |$value:ident| $put:expr) => {
        impl sealed::Sealed for $type {}
        impl Texel for $type {
            const FORMAT: Format = Format {
                name: stringify!($internal),
                class: Class::$class,
                channels: $channels,
                bytes: size_of::<$type>(),
                internal: glow::$internal,
                layout: glow::$layout,
                component: glow::$component,
                wide: glow::$wide,
                component_type: ComponentType::$numbers,
            };
            fn from_wide(wide: Wide) -> Self {
                match wide {
                    Wide::$class($from) => $get,
                    _ => Self::zeroed(),
                }
            }
            fn to_wide(self) -> Wide {
                let $value = self;
                Wide::$class($put)
            }
        }
    };
}

texel!(f32, Float, 1, Single, R32F, RED, FLOAT, FLOAT, |c| c[0], |v| [v, 0.0, 0.0, 1.0]);
texel!([f32; 2], Float, 2, Single, RG32F, RG, FLOAT, FLOAT, |c| [c[0], c[1]], |v| [
    v[0], v[1], 0.0, 1.0
]);
texel!([f32; 4], Float, 4, Single, RGBA32F, RGBA, FLOAT, FLOAT, |c| c, |v| v);
texel!(f16, Float, 1, Half, R16F, RED, HALF_FLOAT, FLOAT, |c| f16::from_f32(c[0]), |v| [
    v.to_f32(),
    0.0,
    0.0,
    1.0
]);
texel!(
    [f16; 2],
    Float,
    2,
    Half,
    RG16F,
    RG,
    HALF_FLOAT,
    FLOAT,
    |c| [f16::from_f32(c[0]), f16::from_f32(c[1])],
    |v| [v[0].to_f32(), v[1].to_f32(), 0.0, 1.0]
);
texel!([f16; 4], Float, 4, Half, RGBA16F, RGBA, HALF_FLOAT, FLOAT, |c| c.map(f16::from_f32), |v| v
    .map(f16::to_f32));
texel!(u8, Uint, 1, Whole, R8UI, RED_INTEGER, UNSIGNED_BYTE, UNSIGNED_INT, |c| c[0] as u8, |v| [
    u32::from(v),
    0,
    0,
    1
]);
texel!(i16, Int, 1, Whole, R16I, RED_INTEGER, SHORT, INT, |c| c[0] as i16, |v| [
    i32::from(v),
    0,
    0,
    1
]);
texel!(i32, Int, 1, Whole, R32I, RED_INTEGER, INT, INT, |c| c[0], |v| [v, 0, 0, 1]);
texel!([i32; 2], Int, 2, Whole, RG32I, RG_INTEGER, INT, INT, |c| [c[0], c[1]], |v| [
    v[0], v[1], 0, 1
]);
texel!([i32; 4], Int, 4, Whole, RGBA32I, RGBA_INTEGER, INT, INT, |c| c, |v| v);
texel!(u32, Uint, 1, Whole, R32UI, RED_INTEGER, UNSIGNED_INT, UNSIGNED_INT, |c| c[0], |v| [
    v, 0, 0, 1
]);
texel!(
    [u32; 2],
    Uint,
    2,
    Whole,
    RG32UI,
    RG_INTEGER,
    UNSIGNED_INT,
    UNSIGNED_INT,
    |c| [c[0], c[1]],
    |v| [v[0], v[1], 0, 1]
);
texel!([u32; 4], Uint, 4, Whole, RGBA32UI, RGBA_INTEGER, UNSIGNED_INT, UNSIGNED_INT, |c| c, |v| v);
texel!(
    Unorm8,
    Float,
    1,
    Fractions,
    R8,
    RED,
    UNSIGNED_BYTE,
    UNSIGNED_BYTE,
    |c| Unorm8((c[0] * 255.0).round() as u8),
    |v| [f32::from(v.0) / 255.0, 0.0, 0.0, 1.0]
);
texel!(
    [Unorm8; 4],
    Float,
    4,
    Fractions,
    RGBA8,
    RGBA,
    UNSIGNED_BYTE,
    UNSIGNED_BYTE,
    |c| c.map(|part| Unorm8((part * 255.0).round() as u8)),
    |v| v.map(|byte| f32::from(byte.0) / 255.0)
);

/// Three channels, which are stored as four: no device need draw into three.
macro_rules! padded {
    ($number:ty, $name:literal, $one:expr) => {
        impl sealed::Sealed for [$number; 3] {}
        impl Texel for [$number; 3] {
            const FORMAT: Format =
                Format { name: $name, channels: 3, ..<[$number; 4] as Texel>::FORMAT };

            fn from_wide(wide: Wide) -> Self {
                let [r, g, b, _] = <[$number; 4]>::from_wide(wide);
                [r, g, b]
            }

            fn to_wide(self) -> Wide {
                let [r, g, b] = self;
                [r, g, b, $one].to_wide()
            }
        }
    };
}

padded!(f32, "RGB32F", 1.0);
padded!(f16, "RGB16F", f16::from_f32(1.0));
padded!(i32, "RGB32I", 1);
padded!(u32, "RGB32UI", 1);
