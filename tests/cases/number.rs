//! Numbers of the three types of GLSL, and arrays of them.

use quadrille::Extent;
use quadrille::data::{Field, Values};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Float,
    Int,
    Uint,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::Float, Kind::Int, Kind::Uint];

    pub fn scalar(self) -> &'static str {
        match self {
            Kind::Float => "float",
            Kind::Int => "int",
            Kind::Uint => "uint",
        }
    }

    /// The prefix of `vec` and `sampler2D`.
    fn letter(self) -> &'static str {
        match self {
            Kind::Float => "",
            Kind::Int => "i",
            Kind::Uint => "u",
        }
    }

    pub fn vector(self, channels: usize) -> String {
        match channels {
            1 => self.scalar().to_owned(),
            _ => format!("{}vec{channels}", self.letter()),
        }
    }

    pub fn sampler(self) -> String {
        format!("{}sampler2D", self.letter())
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Float(f32),
    Int(i32),
    Uint(u32),
}

impl Number {
    pub fn kind(self) -> Kind {
        match self {
            Number::Float(_) => Kind::Float,
            Number::Int(_) => Kind::Int,
            Number::Uint(_) => Kind::Uint,
        }
    }

    /// A small integer in a type.
    pub fn small(kind: Kind, number: i32) -> Number {
        match kind {
            Kind::Float => Number::Float(number as f32),
            Kind::Int => Number::Int(number),
            Kind::Uint => Number::Uint(number as u32),
        }
    }

    /// One of the numbers that bits choose. Floats are quarters from -32 on and below 32, which
    /// half precision holds too.
    pub fn random(kind: Kind, bits: u64) -> Number {
        let wide = bits >> 60 == 0;
        match kind {
            Kind::Float => Number::Float(((bits & 255) as f32 - 128.0) / 4.0),
            Kind::Int if wide => Number::Int(bits as i32),
            Kind::Int => Number::Int((bits & 63) as i32 - 32),
            Kind::Uint if wide => Number::Uint(bits as u32),
            Kind::Uint => Number::Uint((bits & 63) as u32),
        }
    }

    pub fn float(self) -> f32 {
        match self {
            Number::Float(x) => x,
            other => panic!("{other:?} is no float"),
        }
    }

    pub fn int(self) -> i32 {
        match self {
            Number::Int(x) => x,
            other => panic!("{other:?} is no int"),
        }
    }

    pub fn uint(self) -> u32 {
        match self {
            Number::Uint(x) => x,
            other => panic!("{other:?} is no uint"),
        }
    }

    /// The number in GLSL; the lowest int has no name of its own there.
    pub fn glsl(self) -> String {
        match self {
            Number::Float(x) => format!("({x:?})"),
            Number::Int(i32::MIN) => "(-2147483647 - 1)".to_owned(),
            Number::Int(x) => format!("({x})"),
            Number::Uint(x) => format!("{x}u"),
        }
    }

    /// The number in a description.
    pub fn toml(self) -> String {
        match self {
            Number::Float(x) => format!("{x:?}"),
            Number::Int(x) => x.to_string(),
            Number::Uint(x) => x.to_string(),
        }
    }

    /// The bits, where both zeros of floats are one: compilers may exchange them.
    fn bits(self) -> u32 {
        match self {
            Number::Float(x) => (x + 0.0).to_bits(),
            Number::Int(x) => x as u32,
            Number::Uint(x) => x,
        }
    }
}

/// Rows of texels.
#[derive(Clone, Debug)]
pub struct Array {
    pub kind: Kind,
    pub channels: usize,
    pub extent: Extent,
    pub numbers: Vec<Number>,
}

impl Array {
    /// A texel everywhere.
    pub fn filled(extent: Extent, texel: &[Number]) -> Array {
        let (kind, channels) = (texel[0].kind(), texel.len());
        Array { kind, channels, extent, numbers: texel.repeat(extent.texels()) }
    }

    pub fn zeros(extent: Extent, kind: Kind, channels: usize) -> Array {
        Array::filled(extent, &vec![Number::small(kind, 0); channels])
    }

    pub fn random(extent: Extent, kind: Kind, channels: usize, seed: u64) -> Array {
        let number = |index: usize| Number::random(kind, scrambled(seed ^ (index as u64) << 20));
        let numbers = (0..extent.texels() * channels).map(number).collect();
        Array { kind, channels, extent, numbers }
    }

    /// The number that GLSL reads: a missing channel is 0, and the fourth 1.
    pub fn read(&self, (x, y): (i32, i32), channel: usize) -> Number {
        match channel < self.channels {
            true => self.numbers[self.index(x, y) + channel],
            false => Number::small(self.kind, i32::from(channel == 3)),
        }
    }

    /// The index at which a texel begins.
    pub fn index(&self, x: i32, y: i32) -> usize {
        (y as usize * self.extent.width as usize + x as usize) * self.channels
    }

    /// The last row first.
    pub fn flipped(&self) -> Array {
        let row = self.extent.width as usize * self.channels;
        let numbers = self.numbers.chunks(row).rev().flatten().copied().collect();
        Array { numbers, ..self.clone() }
    }

    pub fn field(&self) -> Field {
        let numbers = || self.numbers.iter();
        let values: Values = match self.kind {
            Kind::Float => numbers().map(|x| x.float()).collect::<Vec<f32>>().into(),
            Kind::Int => numbers().map(|x| x.int()).collect::<Vec<i32>>().into(),
            Kind::Uint => numbers().map(|x| x.uint()).collect::<Vec<u32>>().into(),
        };
        Field::new(self.extent, self.channels, values).unwrap()
    }

    pub fn of(field: &Field) -> Array {
        let (kind, numbers) = match field.values() {
            Values::F32(x) => (Kind::Float, x.iter().map(|x| Number::Float(*x)).collect()),
            Values::I32(x) => (Kind::Int, x.iter().map(|x| Number::Int(*x)).collect()),
            Values::U32(x) => (Kind::Uint, x.iter().map(|x| Number::Uint(*x)).collect()),
        };
        Array { kind, channels: field.channels(), extent: field.extent(), numbers }
    }

    /// Says where another differs from this one, in shape or in a bit.
    pub fn difference(&self, got: &Array) -> Option<String> {
        let shape = |array: &Array| {
            let (Extent { width, height }, channels) = (array.extent, array.channels);
            format!("{width} x {height} of {}", array.kind.vector(channels))
        };
        if shape(self) != shape(got) {
            return Some(format!("expected {}, got {}", shape(self), shape(got)));
        }
        let mut pairs = self.numbers.iter().zip(&got.numbers);
        let at = pairs.position(|(a, b)| a.bits() != b.bits())?;
        let (texel, channel) = (at / self.channels, at % self.channels);
        let width = self.extent.width as usize;
        let (column, row) = (texel % width, texel / width);
        let (expected, got) = (self.numbers[at], got.numbers[at]);
        Some(format!(
            "channel {channel} in column {column} of row {row}: expected {expected:?}, got {got:?}"
        ))
    }
}

/// Bits that depend on all of a number (Steele, Lea and Flood 2014).
fn scrambled(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
