//! Expressions that choices make.

use super::choices::Choices;
use super::expression::{At, Axis, Expression, Fact, Form, One, Read, Two};
use super::number::{Kind, Number};

/// The content that an expression may have.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub samplers: Vec<Sampled>,
    pub uniforms: Vec<Kind>,
    pub facts: Vec<Fact>,
    /// The bits behind the point that folding keeps, and those that texels have.
    pub fraction: u32,
    pub of_texels: u32,
    pub isf: bool,
    /// Whether loops may be there.
    pub loops: bool,
}

/// The array of a sampler, as an expression sees it.
#[derive(Clone, Copy, Debug)]
pub struct Sampled {
    pub kind: Kind,
    /// Whether it is as large as what is written.
    pub same: bool,
    /// The farthest read, where the array is cut into panels.
    pub halo: Option<i32>,
    /// Whether `texture()` may read it.
    pub sampled: bool,
}

/// The bits that a float may have, of 24.
const MOST: u32 = 22;

impl Scope {
    /// An expression of a type: the more levels, the later a compiler is done with it.
    fn cell(&self, kind: Kind, choices: &mut Choices<'_>) -> Expression {
        let depth = choices.pick(&[0, 1, 1, 2, 2, 3]);
        self.expression(kind, depth, choices)
    }

    /// An expression of a type, of so many levels at most.
    fn expression(&self, kind: Kind, depth: usize, choices: &mut Choices<'_>) -> Expression {
        if depth == 0 {
            return self.leaf(kind, choices);
        }
        match kind {
            _ if self.is_leaf(choices) => self.leaf(kind, choices),
            _ if choices.one_in(8) => {
                let compared = choices.pick(&Kind::ALL);
                let mut operand = |kind| self.expression(kind, depth - 1, choices);
                let parts = [operand(compared), operand(compared), operand(kind), operand(kind)];
                Expression::Choose(Box::new(parts))
            }
            Kind::Float => self.float(depth, choices),
            Kind::Int => self.int(depth, choices),
            Kind::Uint => self.uint(depth, choices),
        }
    }

    /// The expression that computes a channel, folded. To the first one the step is added, what all
    /// samplers read and all uniforms, of which a compiler then removes none.
    pub fn channel(&self, kind: Kind, first: bool, choices: &mut Choices<'_>) -> Expression {
        let mut sum = self.cell(kind, choices);
        if first {
            let step = converted(Expression::Fact(Fact::Iteration), Kind::Int, kind);
            sum = self.of_kind(kind, Two::Add, [sum, step]);
        }
        let count = if first { self.samplers.len() + self.uniforms.len() } else { 0 };
        for index in 0..count {
            let (read, of) = match self.samplers.get(index) {
                Some(sampler) => (self.read(index, choices), sampler.kind),
                None => {
                    let index = index - self.samplers.len();
                    (Expression::Uniform(index), self.uniforms[index])
                }
            };
            let read = converted(read, of, kind);
            let three = Expression::Number(Number::small(kind, 3));
            let read = self.of_kind(kind, Two::Multiply, [read, three]);
            sum = self.of_kind(kind, Two::Add, [sum, read]);
        }
        if kind == Kind::Float { Scope::folded(sum) } else { sum }
    }

    /// Folds a float into the range of outputs.
    fn folded(of: Expression) -> Expression {
        Expression::One(One::Fold, Box::new(of))
    }

    fn is_leaf(&self, choices: &mut Choices<'_>) -> bool {
        choices.below(4) == 0
    }

    fn float(&self, depth: usize, choices: &mut Choices<'_>) -> Expression {
        const TWO: [Two; 6] =
            [Two::Add, Two::Subtract, Two::Multiply, Two::Multiply, Two::Minimum, Two::Maximum];
        const ONE: [One; 6] =
            [One::Negative, One::Absolute, One::Floor, One::Fraction, One::Half, One::Fold];
        match choices.below(6) {
            0..3 => {
                let operator = choices.pick(&TWO);
                let mut operand = || Box::new(self.expression(Kind::Float, depth - 1, choices));
                self.two(operator, [*operand(), *operand()])
            }
            3 | 4 => {
                let function = choices.pick(&ONE);
                let of = self.expression(Kind::Float, depth - 1, choices);
                self.within(Expression::One(function, Box::new(of)))
            }
            _ => one(One::Float, self.expression(Kind::Int, depth - 1, choices)),
        }
    }

    fn of_kind(&self, kind: Kind, operator: Two, of: [Expression; 2]) -> Expression {
        match kind {
            Kind::Float => self.two(operator, of),
            _ => Expression::Two(operator, Box::new(of)),
        }
    }

    /// Two floats, folded before if the result might have too many bits.
    fn two(&self, operator: Two, of: [Expression; 2]) -> Expression {
        let fits = |of: &[Expression; 2]| {
            let (whole, fraction) = self.of_two(operator, of);
            whole + fraction <= MOST
        };
        let of = if fits(&of) { of } else { of.map(Scope::folded) };
        Expression::Two(operator, Box::new(of))
    }

    /// The expression, folded where it may have too many bits.
    fn within(&self, expression: Expression) -> Expression {
        let (whole, fraction) = self.bits(&expression);
        match expression {
            Expression::One(function, of) if whole + fraction > MOST => {
                Expression::One(function, Box::new(Scope::folded(*of)))
            }
            other => other,
        }
    }

    /// How many bits a float has before and behind the point.
    fn bits(&self, expression: &Expression) -> (u32, u32) {
        match expression {
            Expression::One(function, of) => {
                let (whole, fraction) = match function {
                    One::Float => (8, 0),
                    One::Fold => (5, self.fraction),
                    _ => self.bits(of),
                };
                match function {
                    One::Floor => (whole, 0),
                    One::Half => (whole, fraction + 1),
                    _ => (whole, fraction),
                }
            }
            Expression::Two(operator, of) => self.of_two(*operator, of),
            Expression::Choose(of) => {
                let (a, b) = (self.bits(&of[2]), self.bits(&of[3]));
                (a.0.max(b.0), a.1.max(b.1))
            }
            Expression::Read(_) => (5, self.of_texels),
            Expression::Number(Number::Float(x)) => bits_of(*x),
            _ => (5, 2),
        }
    }

    fn of_two(&self, operator: Two, of: &[Expression; 2]) -> (u32, u32) {
        let (a, b) = (self.bits(&of[0]), self.bits(&of[1]));
        match operator {
            Two::Multiply => (a.0 + b.0, a.1 + b.1),
            Two::Add | Two::Subtract => (a.0.max(b.0) + 1, a.1.max(b.1)),
            _ => (a.0.max(b.0), a.1.max(b.1)),
        }
    }

    fn int(&self, depth: usize, choices: &mut Choices<'_>) -> Expression {
        const TWO: [Two; 8] = [
            Two::Add,
            Two::Subtract,
            Two::Multiply,
            Two::And,
            Two::Or,
            Two::Xor,
            Two::Minimum,
            Two::Maximum,
        ];
        match choices.below(8) {
            0..4 => {
                let operator = choices.pick(&TWO);
                let mut operand = || self.expression(Kind::Int, depth - 1, choices);
                Expression::Two(operator, Box::new([operand(), operand()]))
            }
            4 => {
                let by = choices.below(32) as u32;
                let function =
                    choices.pick(&[One::Negative, One::Complement, One::Left(by), One::Right(by)]);
                one(function, self.expression(Kind::Int, depth - 1, choices))
            }
            5 => one(One::Int, self.expression(Kind::Float, depth - 1, choices)),
            6 => one(One::Int, self.expression(Kind::Uint, depth - 1, choices)),
            _ => {
                let of = self.expression(Kind::Int, depth - 1, choices);
                one(if self.loops { One::Turns } else { One::Complement }, of)
            }
        }
    }

    fn uint(&self, depth: usize, choices: &mut Choices<'_>) -> Expression {
        const TWO: [Two; 8] = [
            Two::Add,
            Two::Subtract,
            Two::Multiply,
            Two::And,
            Two::Or,
            Two::Xor,
            Two::Minimum,
            Two::Maximum,
        ];
        match choices.below(7) {
            0..3 => {
                let operator = choices.pick(&TWO);
                let mut operand = || self.expression(Kind::Uint, depth - 1, choices);
                Expression::Two(operator, Box::new([operand(), operand()]))
            }
            3 => {
                let operator = choices.pick(&[Two::Divide, Two::Rest]);
                let by = Expression::Number(Number::Uint(choices.between(1, 40) as u32));
                let of = self.expression(Kind::Uint, depth - 1, choices);
                Expression::Two(operator, Box::new([of, by]))
            }
            4 => {
                let by = choices.below(32) as u32;
                let function = choices.pick(&[One::Complement, One::Left(by), One::Right(by)]);
                one(function, self.expression(Kind::Uint, depth - 1, choices))
            }
            _ => one(One::Uint, self.expression(Kind::Int, depth - 1, choices)),
        }
    }

    fn leaf(&self, kind: Kind, choices: &mut Choices<'_>) -> Expression {
        let samplers: Vec<usize> =
            (0..self.samplers.len()).filter(|i| self.samplers[*i].kind == kind).collect();
        let uniforms: Vec<usize> =
            (0..self.uniforms.len()).filter(|i| self.uniforms[*i] == kind).collect();
        match choices.below(8) {
            3 | 4 => {
                let fact = self.fact(choices);
                match kind {
                    Kind::Float => one(One::Float, fact),
                    Kind::Int => fact,
                    Kind::Uint => one(One::Uint, fact),
                }
            }
            5 if !uniforms.is_empty() => Expression::Uniform(choices.pick(&uniforms)),
            1.. if !samplers.is_empty() => self.read(choices.pick(&samplers), choices),
            _ => Expression::Number(constant(kind, choices.byte() as i8)),
        }
    }

    fn fact(&self, choices: &mut Choices<'_>) -> Expression {
        let index = choices.below(self.facts.len() + 1);
        match self.facts.get(index) {
            Some(fact) => Expression::Fact(*fact),
            None if self.samplers.is_empty() => Expression::Fact(self.facts[0]),
            None => {
                let sampler = choices.below(self.samplers.len());
                Expression::Side(sampler, choices.pick(&[Axis::X, Axis::Y]))
            }
        }
    }

    /// A read of a sampler, whatever else there is.
    fn read(&self, sampler: usize, choices: &mut Choices<'_>) -> Expression {
        let Sampled { same, halo, sampled, .. } = self.samplers[sampler];
        let channel = choices.below(4);
        let form = match choices.below(6) {
            5 if sampled => Form::Sampled,
            4 if self.isf && same => Form::This,
            3 => Form::Fetched,
            1 | 2 if !self.isf => Form::Wrapped,
            _ => Form::Clamped,
        };
        let most = halo.unwrap_or(3) as usize;
        let mut by = || match choices.below(2 * most + 1) as i32 {
            step if step % 2 == 1 => (step + 1) / 2,
            step => -step / 2,
        };
        let near = [by(), by()];
        let at = match choices.below(8) {
            _ if form == Form::This => At::Near { factor: 1, by: [0, 0] },
            6 if halo.is_none() => {
                At::Computed(self.leaf(Kind::Int, choices), self.leaf(Kind::Int, choices))
            }
            7 if halo.is_none() => At::Near { factor: choices.between(0, 3) as i32, by: near },
            _ => At::Near { factor: 1, by: near },
        };
        Expression::Read(Box::new(Read { sampler, at, form, channel }))
    }
}

/// The bits before and behind the point of a number that has at most eight of these.
fn bits_of(x: f32) -> (u32, u32) {
    let whole = (0..8).find(|bits| x.abs() <= (1_u32 << bits) as f32);
    let fraction = (0..8).find(|bits| (x * (1_u32 << bits) as f32).fract() == 0.0);
    (whole.unwrap_or(8), fraction.unwrap_or(8))
}

fn constant(kind: Kind, number: i8) -> Number {
    match kind {
        Kind::Float => Number::Float(f32::from(number) / 4.0),
        Kind::Int => Number::Int(number.into()),
        Kind::Uint => Number::Uint(u32::from(number as u8)),
    }
}

fn converted(expression: Expression, from: Kind, to: Kind) -> Expression {
    match (from, to) {
        (Kind::Float, Kind::Uint) => one(One::Uint, one(One::Int, expression)),
        (Kind::Uint, Kind::Float) => one(One::Float, one(One::Int, expression)),
        (_, Kind::Int) if from != to => one(One::Int, expression),
        (Kind::Int, Kind::Float) => one(One::Float, expression),
        (Kind::Int, Kind::Uint) => one(One::Uint, expression),
        _ => expression,
    }
}

fn one(function: One, of: Expression) -> Expression {
    Expression::One(function, Box::new(of))
}
