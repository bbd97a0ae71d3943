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

/// Texels of a kind of numbers: how they are stored, the type that ES reads them back in, the
/// functions from that type and to it, and each texel with its channels and formats.
macro_rules! texels {
    ($number:ty, $class:ident, $numbers:ident, $component:ident, $wide:ident, $widest:ty, $from:expr, $to:expr;
     $($type:ty, $channels:literal, $internal:ident, $layout:ident;)+) => { $(
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
                let Wide::$class(wide) = wide else { return Self::zeroed() };
                bytemuck::cast::<[$number; $channels], Self>(std::array::from_fn(|at| $from(wide[at])))
            }

            fn to_wide(self) -> Wide {
                let mut wide = [0 as $widest, 0 as $widest, 0 as $widest, 1 as $widest];
                let numbers = bytemuck::cast::<Self, [$number; $channels]>(self);
                wide.iter_mut().zip(numbers).for_each(|(wide, number)| *wide = $to(number));
                Wide::$class(wide)
            }
        }
    )+ };
}

texels! { f32, Float, Single, FLOAT, FLOAT, f32, f32::from, f32::from;
    f32, 1, R32F, RED; [f32; 2], 2, RG32F, RG; [f32; 4], 4, RGBA32F, RGBA;
}
texels! { f16, Float, Half, HALF_FLOAT, FLOAT, f32, f16::from_f32, f16::to_f32;
    f16, 1, R16F, RED; [f16; 2], 2, RG16F, RG; [f16; 4], 4, RGBA16F, RGBA;
}
texels! { u8, Uint, Whole, UNSIGNED_BYTE, UNSIGNED_INT, u32, |wide| wide as u8, u32::from;
    u8, 1, R8UI, RED_INTEGER;
}
texels! { i16, Int, Whole, SHORT, INT, i32, |wide| wide as i16, i32::from;
    i16, 1, R16I, RED_INTEGER;
}
texels! { i32, Int, Whole, INT, INT, i32, i32::from, i32::from;
    i32, 1, R32I, RED_INTEGER; [i32; 2], 2, RG32I, RG_INTEGER; [i32; 4], 4, RGBA32I, RGBA_INTEGER;
}
texels! { u32, Uint, Whole, UNSIGNED_INT, UNSIGNED_INT, u32, u32::from, u32::from;
    u32, 1, R32UI, RED_INTEGER; [u32; 2], 2, RG32UI, RG_INTEGER; [u32; 4], 4, RGBA32UI, RGBA_INTEGER;
}
texels! { Unorm8, Float, Fractions, UNSIGNED_BYTE, UNSIGNED_BYTE, f32, Unorm8::nearest, Unorm8::fraction;
    Unorm8, 1, R8, RED; [Unorm8; 4], 4, RGBA8, RGBA;
}

impl Unorm8 {
    fn nearest(fraction: f32) -> Unorm8 {
        Unorm8((fraction * 255.0).round() as u8)
    }

    fn fraction(self) -> f32 {
        f32::from(self.0) / 255.0
    }
}

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
