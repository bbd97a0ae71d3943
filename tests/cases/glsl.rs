//! The text of expressions.

use super::expression::{At, Axis, Expression, Fact, Form, One, Read, Two};

/// The names of samplers and uniforms, in a plain shader or in ISF.
pub struct Words<'a> {
    pub samplers: Vec<&'a str>,
    pub uniforms: Vec<&'a str>,
    pub isf: bool,
}

impl Words<'_> {
    pub fn text(&self, expression: &Expression) -> String {
        match expression {
            Expression::Number(number) => number.glsl(),
            Expression::Fact(fact) => self.fact(*fact).to_owned(),
            Expression::Uniform(index) => self.uniforms[*index].to_owned(),
            Expression::Side(sampler, axis) => {
                let axis = if matches!(axis, Axis::X) { "x" } else { "y" };
                let name = self.samplers[*sampler];
                match self.isf {
                    true => format!("int(IMG_SIZE({name}).{axis})"),
                    false => format!("textureSize({name}, 0).{axis}"),
                }
            }
            Expression::Read(read) => self.read(read),
            Expression::One(function, of) => one(*function, &self.text(of)),
            Expression::Two(operator, of) => two(*operator, &self.text(&of[0]), &self.text(&of[1])),
            Expression::Choose(of) => {
                let [a, b, c, d] = [0, 1, 2, 3].map(|index| self.text(&of[index]));
                format!("({a} < {b} ? {c} : {d})")
            }
        }
    }

    fn fact(&self, fact: Fact) -> &'static str {
        match fact {
            Fact::Column if self.isf => "int(gl_FragCoord.x)",
            Fact::Row if self.isf => "int(gl_FragCoord.y)",
            Fact::Column => "TEXEL.x",
            Fact::Row => "TEXEL.y",
            Fact::Iteration if self.isf => "FRAMEINDEX",
            Fact::Iteration => "iteration",
            Fact::Repetition => "repetition",
            Fact::Macro => "N",
            Fact::PassIndex => "PASSINDEX",
        }
    }

    fn read(&self, read: &Read) -> String {
        let name = self.samplers[read.sampler];
        let own = if self.isf { "ivec2(gl_FragCoord.xy)" } else { "TEXEL" };
        let at = match &read.at {
            At::Near { factor: 1, by: [0, 0] } => own.to_owned(),
            At::Near { factor, by: [x, y] } => format!("{factor} * {own} + ivec2({x}, {y})"),
            At::Computed(x, y) => {
                format!("ivec2({} & 63, {} & 63) - 20", self.text(x), self.text(y))
            }
        };
        let inside = format!("clamp({at}, ivec2(0), textureSize({name}, 0) - 1)");
        let texel = match read.form {
            Form::This => format!("IMG_THIS_PIXEL({name})"),
            Form::Sampled if self.isf => {
                format!("IMG_NORM_PIXEL({name}, (vec2({inside}) + 0.5) / IMG_SIZE({name}))")
            }
            _ if self.isf => format!("IMG_PIXEL({name}, vec2({inside}) + 0.5)"),
            Form::Clamped => format!("READ_CLAMPED({name}, {at})"),
            Form::Wrapped => format!("READ_WRAPPED({name}, {at})"),
            Form::Fetched => format!("texelFetch({name}, {inside}, 0)"),
            Form::Sampled => {
                format!("texture({name}, (vec2({at}) + 0.5) / vec2(textureSize({name}, 0)))")
            }
        };
        let channel = ["r", "g", "b", "a"][read.channel];
        format!("{texel}.{channel}")
    }
}

fn one(function: One, of: &str) -> String {
    match function {
        One::Negative => format!("(-{of})"),
        One::Complement => format!("(~{of})"),
        One::Absolute => format!("abs({of})"),
        One::Floor => format!("floor({of})"),
        One::Fraction => format!("fract({of})"),
        One::Half => format!("(0.5 * {of})"),
        One::Fold => format!("fold({of})"),
        One::Left(by) => format!("({of} << {by})"),
        One::Right(by) => format!("({of} >> {by})"),
        One::Turns => format!("turns({of})"),
        One::Float => format!("float({of} & 255)"),
        One::Int => format!("int({of})"),
        One::Uint => format!("uint({of})"),
    }
}

fn two(operator: Two, a: &str, b: &str) -> String {
    let sign = match operator {
        Two::Minimum => return format!("min({a}, {b})"),
        Two::Maximum => return format!("max({a}, {b})"),
        Two::Add => "+",
        Two::Subtract => "-",
        Two::Multiply => "*",
        Two::And => "&",
        Two::Or => "|",
        Two::Xor => "^",
        Two::Divide => "/",
        Two::Rest => "%",
    };
    format!("({a} {sign} {b})")
}

/// The functions of [`One::Fold`] and [`One::Turns`], with so many bits behind the point.
pub fn functions(fraction: u32, loops: bool) -> String {
    let unit = 1_u32 << fraction;
    let mut text = format!(
        "float fold(float x) {{\n    x = floor(x * {unit}.0) / {unit}.0;\n    return x - 64.0 * floor((x + 32.0) / 64.0);\n}}\n"
    );
    if loops {
        text += "int turns(int n) {\n    int sum = 1;\n    for (int i = 0; i < (n & 7); i++) sum = 3 * sum + (i ^ n);\n    return sum;\n}\n";
    }
    text
}
