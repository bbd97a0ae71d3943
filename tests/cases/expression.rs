//! Expressions of which every device computes the same bits: integers wrap, and floats are
//! multiples of a power of two that are folded back before they have more bits than a float.

use quadrille::Extent;

use super::number::{Array, Number};

#[derive(Clone, Debug)]
pub enum Expression {
    Number(Number),
    Fact(Fact),
    Uniform(usize),
    /// The width or the height of what a sampler reads.
    Side(usize, Axis),
    Read(Box<Read>),
    One(One, Box<Expression>),
    Two(Two, Box<[Expression; 2]>),
    /// The third where the first is below the second, else the fourth.
    Choose(Box<[Expression; 4]>),
}

/// An int that the place or the step tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    Column,
    Row,
    Iteration,
    Repetition,
    Macro,
    PassIndex,
}

#[derive(Clone, Copy, Debug)]
pub enum Axis {
    X,
    Y,
}

/// A channel of a texel.
#[derive(Clone, Debug)]
pub struct Read {
    pub sampler: usize,
    pub at: At,
    pub form: Form,
    pub channel: usize,
}

#[derive(Clone, Debug)]
pub enum At {
    /// The own place times a factor, and so many texels from there.
    Near { factor: i32, by: [i32; 2] },
    /// The lowest bits of two ints, less 20.
    Computed(Expression, Expression),
}

/// The way a read is written, and its result outside of the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Clamped,
    Wrapped,
    Fetched,
    /// Reads by a coordinate from 0 to 1.
    Sampled,
    /// The own texel of an array of the same size, in ISF.
    This,
}

#[derive(Clone, Copy, Debug)]
pub enum One {
    Negative,
    Complement,
    Absolute,
    Floor,
    Fraction,
    Half,
    Fold,
    Left(u32),
    Right(u32),
    /// A loop of up to seven turns.
    Turns,
    /// The float of the lowest eight bits of an int.
    Float,
    Int,
    /// The unsigned value of an int.
    Uint,
}

#[derive(Clone, Copy, Debug)]
pub enum Two {
    Add,
    Subtract,
    Multiply,
    Minimum,
    Maximum,
    And,
    Or,
    Xor,
    Divide,
    Rest,
}

/// The values that an expression is computed with.
pub struct Scene<'a> {
    pub texel: (i32, i32),
    /// The extent of the output.
    pub extent: Extent,
    pub iteration: i32,
    pub repetition: i32,
    pub macro_n: i32,
    pub pass: i32,
    pub uniforms: &'a [Number],
    /// The arrays that the samplers read.
    pub arrays: &'a [&'a Array],
    /// The bits behind the point that folding keeps.
    pub fraction: u32,
    /// Whether a missing alpha reads as 0, which is wrong.
    pub without_alpha: bool,
    /// The farthest read along each axis, across the ends too, of arrays of the own size.
    pub farthest: &'a mut [u32; 2],
}

impl Expression {
    pub fn value(&self, scene: &mut Scene<'_>) -> Number {
        match self {
            Expression::Number(number) => *number,
            Expression::Uniform(index) => scene.uniforms[*index],
            Expression::Fact(fact) => Number::Int(match fact {
                Fact::Column => scene.texel.0,
                Fact::Row => scene.texel.1,
                Fact::Iteration => scene.iteration,
                Fact::Repetition => scene.repetition,
                Fact::Macro => scene.macro_n,
                Fact::PassIndex => scene.pass,
            }),
            Expression::Side(sampler, axis) => {
                let extent = scene.arrays[*sampler].extent;
                let side = if matches!(axis, Axis::X) { extent.width } else { extent.height };
                Number::Int(side as i32)
            }
            Expression::Read(read) => read.value(scene),
            Expression::One(function, of) => function.of(of.value(scene), scene.fraction),
            Expression::Two(operator, of) => operator.of(of[0].value(scene), of[1].value(scene)),
            Expression::Choose(of) => {
                let is_below = match (of[0].value(scene), of[1].value(scene)) {
                    (Number::Float(a), Number::Float(b)) => a < b,
                    (Number::Int(a), Number::Int(b)) => a < b,
                    (Number::Uint(a), Number::Uint(b)) => a < b,
                    (a, b) => panic!("{a:?} < {b:?}"),
                };
                of[if is_below { 2 } else { 3 }].value(scene)
            }
        }
    }
}

impl Read {
    fn value(&self, scene: &mut Scene<'_>) -> Number {
        let [x, y] = match &self.at {
            At::Near { factor, by } => {
                [factor * scene.texel.0 + by[0], factor * scene.texel.1 + by[1]]
            }
            At::Computed(x, y) => {
                [x.value(scene), y.value(scene)].map(|place| (place.int() & 63) - 20)
            }
        };
        let array = scene.arrays[self.sampler];
        let [width, height] = [array.extent.width as i32, array.extent.height as i32];
        let place = match self.form {
            Form::Wrapped => (x.rem_euclid(width), y.rem_euclid(height)),
            _ => (x.clamp(0, width - 1), y.clamp(0, height - 1)),
        };
        let far = |own: i32, read: i32, side: i32| {
            let apart = own.abs_diff(read);
            apart.min((side as u32).saturating_sub(apart))
        };
        if array.extent == scene.extent {
            let far = [far(scene.texel.0, place.0, width), far(scene.texel.1, place.1, height)];
            *scene.farthest = [0, 1].map(|axis| far[axis].max(scene.farthest[axis]));
        }
        match scene.without_alpha && self.channel >= array.channels {
            true => Number::small(array.kind, 0),
            false => array.read(place, self.channel),
        }
    }
}

impl One {
    fn of(self, of: Number, fraction: u32) -> Number {
        match (self, of) {
            (One::Negative, Number::Float(x)) => Number::Float(-x),
            (One::Negative, Number::Int(x)) => Number::Int(x.wrapping_neg()),
            (One::Complement, Number::Int(x)) => Number::Int(!x),
            (One::Complement, Number::Uint(x)) => Number::Uint(!x),
            (One::Absolute, Number::Float(x)) => Number::Float(x.abs()),
            (One::Floor, Number::Float(x)) => Number::Float(x.floor()),
            (One::Fraction, Number::Float(x)) => Number::Float(x - x.floor()),
            (One::Half, Number::Float(x)) => Number::Float(x * 0.5),
            (One::Fold, Number::Float(x)) => Number::Float(folded(x, fraction)),
            (One::Left(by), Number::Int(x)) => Number::Int(x << by),
            (One::Left(by), Number::Uint(x)) => Number::Uint(x << by),
            (One::Right(by), Number::Int(x)) => Number::Int(x >> by),
            (One::Right(by), Number::Uint(x)) => Number::Uint(x >> by),
            (One::Turns, Number::Int(x)) => Number::Int(turns(x)),
            (One::Float, Number::Int(x)) => Number::Float((x & 255) as f32),
            (One::Int, Number::Float(x)) => Number::Int(x as i32),
            (One::Int, Number::Uint(x)) => Number::Int(x as i32),
            (One::Uint, Number::Int(x)) => Number::Uint(x as u32),
            (function, number) => panic!("{function:?} of {number:?}"),
        }
    }
}

/// A multiple of a power of two from -32 on and below 32, as `FOLD` has it.
fn folded(x: f32, fraction: u32) -> f32 {
    let unit = (1_u32 << fraction) as f32;
    let x = (x * unit).floor() / unit;
    x - 64.0 * ((x + 32.0) / 64.0).floor()
}

/// The number of turns, as `TURNS` computes it.
fn turns(n: i32) -> i32 {
    (0..n & 7).fold(1, |sum: i32, i| sum.wrapping_mul(3).wrapping_add(i ^ n))
}

impl Two {
    fn of(self, a: Number, b: Number) -> Number {
        match (a, b) {
            (Number::Float(a), Number::Float(b)) => Number::Float(match self {
                Two::Add => a + b,
                Two::Subtract => a - b,
                Two::Multiply => a * b,
                Two::Minimum => a.min(b),
                Two::Maximum => a.max(b),
                other => panic!("{other:?} of floats"),
            }),
            (Number::Int(a), Number::Int(b)) => Number::Int(match self {
                Two::Add => a.wrapping_add(b),
                Two::Subtract => a.wrapping_sub(b),
                Two::Multiply => a.wrapping_mul(b),
                Two::Minimum => a.min(b),
                Two::Maximum => a.max(b),
                Two::And => a & b,
                Two::Or => a | b,
                Two::Xor => a ^ b,
                other => panic!("{other:?} of ints"),
            }),
            (Number::Uint(a), Number::Uint(b)) => Number::Uint(match self {
                Two::Add => a.wrapping_add(b),
                Two::Subtract => a.wrapping_sub(b),
                Two::Multiply => a.wrapping_mul(b),
                Two::Minimum => a.min(b),
                Two::Maximum => a.max(b),
                Two::And => a & b,
                Two::Or => a | b,
                Two::Xor => a ^ b,
                Two::Divide => a / b,
                Two::Rest => a % b,
            }),
            (a, b) => panic!("{a:?} and {b:?}"),
        }
    }
}
