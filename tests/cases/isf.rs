//! ISF shaders of several passes: as an experiment for the interpreter, and as the text of one
//! shader.

use quadrille::Extent;

use super::choices::Choices;
use super::expression::{Expression, Fact, Two};
use super::glsl::{Words, functions};
use super::grow::{Sampled, Scope};
use super::number::{Array, Kind, Number};
use super::run::{Buffer, First, From, Input, Output, Pass, Run, Sampler};

/// The bits behind the point of what targets hold, and of what one from 0 to 1 holds.
pub const FRACTION: u32 = 6;
const OF_TEXELS: u32 = FRACTION + 4;

#[derive(Debug)]
pub struct Isf {
    pub run: Run,
    pub text: String,
    pub size: Extent,
    /// Whether pictures are filtered between the centres of texels.
    pub linear: bool,
    /// The inputs that are numbers, where they are given.
    pub given: Vec<Option<f32>>,
    /// The buffers that are given what they hold at first, with their names.
    pub firsts: Vec<(usize, String)>,
    /// The names of the outputs, by pass.
    pub names: Vec<String>,
}

/// A target that passes write and read by a name.
struct Target {
    persistent: bool,
    float: bool,
    extent: Extent,
    /// The expressions of its width and its height.
    sides: [Option<String>; 2],
    writers: Vec<usize>,
}

impl Isf {
    pub fn new(choices: &mut Choices<'_>) -> Isf {
        let size = Extent::new(choices.between(1, 12) as u32, choices.between(1, 12) as u32);
        let mut run = Run { steps: choices.between(1, 4) as u32, ..Run::default() };
        run.flip = !choices.one_in(4);
        run.saved = choices.one_in(4).then(|| choices.between(1, run.steps as usize) as u32);
        let linear = choices.one_in(4);
        for index in 0..choices.below(3) {
            let own = Extent::new(choices.between(1, 12) as u32, choices.between(1, 12) as u32);
            let extent = if choices.one_in(2) { own } else { size };
            let image = Array::random(extent, Kind::Float, choices.between(1, 4), choices.bits());
            run.inputs.push(Input {
                name: format!("image{index}"),
                frames: vec![image],
                half: false,
            });
        }
        let mut given = Vec::new();
        let mut defaults = Vec::new();
        for _ in 0..choices.below(3) {
            let mut number = || choices.between(1, 24) as f32 / 4.0;
            let (default, own) = (number(), number());
            given.push(choices.one_in(2).then_some(own));
            defaults.push(default);
            run.uniforms.push(Number::Float(given[given.len() - 1].unwrap_or(default)));
        }
        let numbers: Vec<f32> = run.uniforms.iter().map(|number| number.float()).collect();
        let (order, targets) = targets(size, &numbers, choices);
        let mut isf = Isf {
            run,
            text: String::new(),
            size,
            linear,
            given,
            firsts: Vec::new(),
            names: Vec::new(),
        };
        isf.add_buffers(&targets, choices);
        for (index, target) in order.iter().enumerate() {
            isf.add_pass(index, *target, &targets, choices);
        }
        isf.names = names(&order, &targets);
        isf.text = isf.shader(&order, &targets, &defaults, choices);
        isf
    }

    /// Adds the buffers that keep a target for the next step.
    fn add_buffers(&mut self, targets: &[Target], choices: &mut Choices<'_>) {
        for (index, target) in targets.iter().enumerate().filter(|(_, target)| target.persistent) {
            let first = match choices.one_in(4) {
                true => {
                    self.firsts.push((self.run.buffers.len(), format!("t{index}")));
                    Array::random(target.extent, Kind::Float, 4, choices.bits())
                }
                false => Array::zeros(target.extent, Kind::Float, 4),
            };
            let (name, said) = (format!("t{index}"), First::Input);
            let from = (target.writers[target.writers.len() - 1], 0);
            self.run.buffers.push(Buffer { name, first, said, from, half: false });
        }
    }

    fn add_pass(
        &mut self,
        index: usize,
        target: Option<usize>,
        targets: &[Target],
        choices: &mut Choices<'_>,
    ) {
        let mut samplers: Vec<Sampler> = (self.run.inputs.iter().enumerate())
            .map(|(at, input)| Sampler { name: input.name.clone(), from: From::Input(at) })
            .collect();
        for (at, read) in targets.iter().enumerate() {
            let name = format!("t{at}");
            let earlier = read.writers.iter().rev().find(|writer| **writer < index);
            let buffer = self.run.buffers.iter().position(|buffer| buffer.name == name);
            let from = match (earlier, buffer) {
                (Some(writer), _) => From::Output(*writer, 0),
                (None, Some(buffer)) => From::Buffer(buffer),
                (None, None) => continue,
            };
            samplers.push(Sampler { name, from });
        }
        let extent = target.map_or(self.size, |target| targets[target].extent);
        let sampled = |sampler: &Sampler| Sampled {
            kind: Kind::Float,
            same: self.extent_of(sampler.from) == extent,
            halo: None,
            sampled: !self.linear,
        };
        let scope = Scope {
            samplers: samplers.iter().map(sampled).collect(),
            uniforms: self.run.uniforms.iter().map(|number| number.kind()).collect(),
            facts: vec![Fact::Column, Fact::Row, Fact::Iteration, Fact::PassIndex],
            fraction: FRACTION,
            of_texels: OF_TEXELS,
            isf: true,
            loops: false,
        };
        let clamps = target.is_some_and(|target| !targets[target].float);
        let cell = |channel: usize| {
            let cell = scope.channel(Kind::Float, channel == 0, choices);
            let sixteenth = Expression::Number(Number::Float(0.0625));
            match clamps {
                true => Expression::Two(Two::Multiply, Box::new([cell, sixteenth])),
                false => cell,
            }
        };
        let cells = (0..4).map(cell).collect();
        let name = "gl_FragColor".to_owned();
        let output = Output { name, kind: Kind::Float, cells, otherwise: None, clamps };
        // The word counts for all passes of a text, and passes that share a target must write all
        // of it.
        let alone = targets.iter().all(|target| target.writers.len() == 1);
        let discard = (alone && choices.one_in(6)).then(|| (3, choices.below(3) as i32));
        self.run.passes.push(Pass {
            name: format!("p{index}"),
            extent,
            said: None,
            samplers,
            repeat: None,
            again: None,
            outputs: vec![output],
            discard,
            uniforms: vec![None; self.run.uniforms.len()],
            macro_n: None,
            loops: false,
        });
    }

    fn extent_of(&self, from: From) -> Extent {
        match from {
            From::Input(index) => self.run.inputs[index].frames[0].extent,
            From::Buffer(index) => self.run.buffers[index].first.extent,
            From::Output(pass, _) => self.run.passes[pass].extent,
        }
    }

    fn shader(
        &self,
        order: &[Option<usize>],
        targets: &[Target],
        defaults: &[f32],
        choices: &mut Choices<'_>,
    ) -> String {
        let images = self
            .run
            .inputs
            .iter()
            .map(|input| format!("{{ \"NAME\": \"{}\", \"TYPE\": \"image\" }}", input.name));
        let numbers = defaults.iter().enumerate().map(|(index, default)| {
            format!("{{ \"NAME\": \"u{index}\", \"TYPE\": \"float\", \"DEFAULT\": {default:?} }}")
        });
        let inputs: Vec<String> = images.chain(numbers).collect();
        let passes = order.iter().enumerate().map(|(pass, target)| match target {
            None => "{}".to_owned(),
            Some(index) => header(*index, &targets[*index], pass, choices),
        });
        let passes: Vec<String> = passes.collect();
        let mut text = format!(
            "/*{{\n  \"ISFVSN\": \"2\",\n  \"INPUTS\": [{}],\n  \"PASSES\": [{}]\n}}*/\n{}void main() {{\n",
            inputs.join(", "),
            passes.join(",\n    "),
            functions(FRACTION, false)
        );
        let uniforms: Vec<String> = (0..defaults.len()).map(|index| format!("u{index}")).collect();
        for (index, pass) in self.run.passes.iter().enumerate() {
            let words = Words {
                samplers: pass.samplers.iter().map(|sampler| sampler.name.as_str()).collect(),
                uniforms: uniforms.iter().map(String::as_str).collect(),
                isf: true,
            };
            let cells = pass.outputs[0].cells.iter().map(|cell| words.text(cell));
            let cells: Vec<String> = cells.collect();
            let start = if index == 0 { "    " } else { " else " };
            text += &format!("{start}if (PASSINDEX == {index}) {{\n");
            if let Some((by, rest)) = pass.discard {
                text += &format!(
                    "        if ((int(gl_FragCoord.x) + 3 * int(gl_FragCoord.y) + FRAMEINDEX) % {by} == {rest}) discard;\n"
                );
            }
            text +=
                &format!("        gl_FragColor = vec4({});\n    }}", cells.join(",\n            "));
        }
        text + "\n}\n"
    }
}

/// The targets, and what each pass writes.
fn targets(
    size: Extent,
    numbers: &[f32],
    choices: &mut Choices<'_>,
) -> (Vec<Option<usize>>, Vec<Target>) {
    let passes = choices.pick(&[1, 2, 2, 3, 3, 4]);
    let picture = choices.below(passes + 1);
    let (mut order, mut targets) = (Vec::new(), Vec::<Target>::new());
    for pass in 0..passes {
        if pass == picture {
            order.push(None);
            continue;
        }
        let index = choices.below(targets.len() + 1);
        if index == targets.len() {
            let (width, wide) = side(size, size.width, numbers, choices);
            let (height, high) = side(size, size.height, numbers, choices);
            targets.push(Target {
                persistent: choices.one_in(2),
                float: choices.one_in(2),
                extent: Extent::new(width, height),
                sides: [wide, high],
                writers: Vec::new(),
            });
        }
        targets[index].writers.push(pass);
        order.push(Some(index));
    }
    (order, targets)
}

/// A length and its expression; none for that of the picture.
fn side(
    size: Extent,
    own: u32,
    numbers: &[f32],
    choices: &mut Choices<'_>,
) -> (u32, Option<String>) {
    let (w, h) = (f64::from(size.width), f64::from(size.height));
    let number = f64::from(numbers.first().copied().unwrap_or(1.0));
    let scaled = if numbers.is_empty() { "2 * $HEIGHT" } else { "$u0 * $HEIGHT / 3" };
    let by_number = if numbers.is_empty() { 2.0 * h } else { number * h / 3.0 };
    let (length, text) = match choices.below(12) {
        0 => return (own, None),
        1 => (7.0, "7"),
        2 => (w / 2.0, "\"$WIDTH / 2\""),
        3 => ((w / 2.0).floor(), "\"floor($WIDTH / 2.0)\""),
        4 => (h + 3.0, "\"$HEIGHT+3\""),
        5 => ((w - 4.0).max(1.0), "\"max(1.0, $WIDTH - 4)\""),
        6 => (1.0 + w % 3.0, "\"1 + $WIDTH % 3\""),
        7 => ((h * 0.5).ceil(), "\"ceil($HEIGHT*0.5)\""),
        8 => (w.clamp(2.0, 6.0), "\"clamp($WIDTH, 2, 6)\""),
        9 => ((2.0 - w).abs() + 1.0, "\"abs(2 - $WIDTH) + 1\""),
        10 => (h.min(2.0) * (w - (w - 1.0)), "\"min($HEIGHT, 2) * ($WIDTH - ($WIDTH - 1))\""),
        _ => (by_number, scaled),
    };
    let quoted = if text.starts_with('$') || text == "2 * $HEIGHT" { "\"" } else { "" };
    match length {
        length if (1.0..40.0).contains(&length) => {
            (length as u32, Some(format!("{quoted}{text}{quoted}")))
        }
        _ => (own, None),
    }
}

/// The object of a pass. What several passes of a target tell, each may tell or not, but the first.
fn header(index: usize, target: &Target, pass: usize, choices: &mut Choices<'_>) -> String {
    let mut text = format!("{{ \"TARGET\": \"t{index}\"");
    let mut tells = || target.writers[0] == pass || choices.one_in(2);
    for (key, side) in ["WIDTH", "HEIGHT"].iter().zip(&target.sides) {
        if let Some(side) = side.as_ref().filter(|_| tells()) {
            text += &format!(", \"{key}\": {side}");
        }
    }
    for (key, truth) in [("PERSISTENT", target.persistent), ("FLOAT", target.float)] {
        if truth && tells() {
            text += &format!(", \"{key}\": true");
        }
    }
    text + " }"
}

/// The picture is `colour`: of the pass without a target, else of the last one.
fn names(order: &[Option<usize>], targets: &[Target]) -> Vec<String> {
    let picture = order.iter().position(Option::is_none).unwrap_or(order.len() - 1);
    let name = |(pass, target): (usize, &Option<usize>)| match target {
        Some(index) if pass != picture => {
            let last = targets[*index].writers.iter().all(|writer| *writer <= pass);
            match last {
                true => format!("t{index}.colour"),
                false => format!("t{index}.{pass}.colour"),
            }
        }
        _ => "colour".to_owned(),
    };
    order.iter().enumerate().map(name).collect()
}
