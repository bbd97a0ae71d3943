//! Experiments that choices make.

use quadrille::Extent;

use super::choices::Choices;
use super::expression::{Expression, Fact};
use super::grow::{Sampled, Scope};
use super::number::{Array, Kind, Number};
use super::run::{Buffer, FRACTION, First, From, Input, Output, Pass, Run, Sampler};

impl Run {
    /// An experiment whose arrays are of any size, or larger than a texture of this number of texels a
    /// side.
    pub fn new(choices: &mut Choices<'_>, limit: Option<u32>) -> Run {
        let mut run = Run { steps: choices.between(1, 4) as u32, ..Run::default() };
        run.flip = choices.one_in(4);
        run.saved = choices.one_in(4).then(|| choices.between(1, run.steps as usize) as u32);
        run.macro_n = choices.between(0, 5) as i32;
        for _ in 0..choices.below(3) {
            let kind = choices.pick(&Kind::ALL);
            run.uniforms.push(Number::random(kind, 128 + choices.below(40) as u64));
        }
        match limit {
            None => run.size = choices.one_in(3).then(|| extent(choices)),
            Some(limit) => {
                run.size = Some(large(limit, choices));
                run.halo = choices.one_in(4).then_some(0).or(Some(choices.between(1, 3) as u32));
                run.reach = run.halo.unwrap_or(0) + u32::from(choices.one_in(6));
            }
        }
        let count = 1 + choices.below(if limit.is_some() { 3 } else { 4 });
        for _ in 0..choices.below(3) {
            run.add_input(limit, choices);
        }
        for _ in 0..choices.below(3) {
            run.add_buffer(count, limit.is_some(), choices);
        }
        let inputs = (0..run.inputs.len()).map(From::Input);
        let needed: Vec<(From, usize)> = inputs
            .chain((0..run.buffers.len()).map(From::Buffer))
            .map(|from| (from, choices.below(count)))
            .collect();
        for index in 0..count {
            let first = needed.iter().filter(|(_, reader)| *reader == index).map(|(from, _)| *from);
            run.add_pass(first.collect(), limit.is_some(), choices);
        }
        run
    }

    fn add_input(&mut self, limit: Option<u32>, choices: &mut Choices<'_>) {
        let (kind, channels) = (choices.pick(&Kind::ALL), choices.between(1, 4));
        let own = choices.one_in(2);
        let extent = match (self.size, limit) {
            (Some(size), None) if own => size,
            (Some(size), Some(_)) if !own => size,
            (_, None) => extent(choices),
            // A table, which fits in a texture.
            (_, Some(_)) => Extent::new(choices.between(1, 8) as u32, choices.between(1, 8) as u32),
        };
        let count = if choices.one_in(4) { self.steps as usize + choices.below(2) } else { 1 };
        let seed = choices.bits();
        let frame = |index: usize| Array::random(extent, kind, channels, seed + index as u64);
        let name = format!("in{}", self.inputs.len());
        let half = kind == Kind::Float && choices.one_in(4);
        self.inputs.push(Input { name, frames: (0..count).map(frame).collect(), half });
    }

    fn add_buffer(&mut self, passes: usize, panels: bool, choices: &mut Choices<'_>) {
        let pass = choices.below(passes);
        let (kind, channels) = (choices.pick(&Kind::ALL), choices.between(1, 4));
        let alike = self.buffers.iter().filter(|buffer| buffer.from.0 == pass);
        let output = alike.clone().count();
        let alike = alike.clone().next();
        // Buffers of one pass have one size.
        let (extent, said) = match (alike, self.size) {
            (Some(buffer), _) if matches!(buffer.said, First::Input) => {
                (buffer.first.extent, literal(buffer.first.extent))
            }
            (Some(buffer), _) => (buffer.first.extent, format!("\"{}\"", buffer.name)),
            (None, Some(size)) if panels => (size, "\"size\"".to_owned()),
            (None, _) => self.sized(choices, &self.inputs_by_name()),
        };
        let name = format!("b{}", self.buffers.len());
        let number = choices.byte();
        let value = |index: usize| Number::random(kind, u64::from(number) + 32 + 7 * index as u64);
        let (first, said) = match choices.below(5) {
            0 => {
                let lines = format!("size = {said}\nchannels = {channels}\n");
                (Array::zeros(extent, kind, channels), First::Lines(lines))
            }
            1 => {
                let first = Array::filled(extent, &vec![value(0); channels]);
                let number = value(0).toml();
                let lines = format!("size = {said}\nchannels = {channels}\nfirst = {number}\n");
                (first, First::Lines(lines))
            }
            2 => {
                let texel: Vec<Number> = (0..channels).map(value).collect();
                let list: Vec<String> = texel.iter().map(|number| number.toml()).collect();
                let lines = format!("size = {said}\nfirst = [{}]\n", list.join(", "));
                (Array::filled(extent, &texel), First::Lines(lines))
            }
            3 => (Array::random(extent, kind, channels, choices.bits()), First::File),
            _ => (Array::random(extent, kind, channels, choices.bits()), First::Input),
        };
        let half = kind == Kind::Float && choices.one_in(4);
        self.buffers.push(Buffer { name, first, said, from: (pass, output), half });
    }

    /// An extent and how a key `size` may say it, by what there is already.
    fn sized(&self, choices: &mut Choices<'_>, known: &[(String, Extent)]) -> (Extent, String) {
        let size = self.size.map(|size| ("size".to_owned(), size));
        let known: Vec<_> = known.iter().cloned().chain(size).collect();
        if known.is_empty() || choices.one_in(3) {
            let extent = extent(choices);
            return (extent, literal(extent));
        }
        let (name, of) = known[choices.below(known.len())].clone();
        let (text, by): (&str, &dyn Fn(u32) -> u32) = match choices.below(6) {
            0 => ("", &|side| side),
            1 => (" / 2", &|side| side / 2),
            2 => ("/3", &|side| side / 3),
            3 => (" * 2", &|side| 2 * side),
            4 => (" * 1.5", &|side| side + side / 2),
            _ => (" / 0.5", &|side| 2 * side),
        };
        let doubles = text == " * 2" || text == " / 0.5";
        if doubles && of.width.max(of.height) > 12 {
            return (of, format!("\"{name}\""));
        }
        (Extent::new(by(of.width).max(1), by(of.height).max(1)), format!("\"{name}{text}\""))
    }

    fn add_pass(&mut self, mut reads: Vec<From>, panels: bool, choices: &mut Choices<'_>) {
        let index = self.passes.len();
        let all = self.all();
        for _ in 0..choices.below(3) {
            let from = all.get(choices.below(all.len().max(1)));
            reads.extend(from.filter(|from| !reads.contains(from)));
        }
        let samplers = reads.iter().enumerate().map(|(at, from)| {
            let (name, ..) = self.known(*from);
            let told = matches!(from, From::Output(..)) || choices.one_in(3);
            Sampler { name: if told { format!("s{at}") } else { name }, from: *from }
        });
        let samplers: Vec<Sampler> = samplers.collect();
        let (extent, said) = self.size_of_pass(&samplers, panels, choices);
        let mut kinds: Vec<(Kind, usize)> = (self.buffers.iter())
            .filter(|buffer| buffer.from.0 == index)
            .map(|buffer| (buffer.first.kind, buffer.first.channels))
            .collect();
        let fed = kinds.len();
        for _ in 0..choices.below(2) + usize::from(fed == 0) {
            kinds.push((choices.pick(&Kind::ALL), choices.between(1, 4)));
        }
        let again = choices.one_in(3).then(|| self.again(&samplers, extent, &mut kinds)).flatten();
        // What no repetition reads is drawn once.
        let most = if again.is_some() { 3 } else { 1 };
        let repeat = choices.one_in(2).then(|| choices.between(1, most) as u32);
        let again = again.filter(|_| repeat.is_some());
        let uniforms = self.uniforms.iter().map(|number| {
            let own = Number::random(number.kind(), 130 + choices.below(40) as u64);
            choices.one_in(4).then_some(own)
        });
        let mut pass = Pass {
            name: format!("p{index}"),
            extent,
            said,
            samplers,
            repeat,
            again,
            outputs: Vec::new(),
            discard: None,
            uniforms: uniforms.collect(),
            macro_n: choices.one_in(4).then(|| choices.between(0, 5) as i32),
            loops: choices.one_in(8),
        };
        if choices.one_in(5) {
            let by = choices.between(2, 5);
            pass.discard = Some((by as i32, choices.below(by) as i32));
        }
        let scope = self.scope(&pass, panels);
        for (at, (kind, channels)) in kinds.into_iter().enumerate() {
            let output = output(at, kind, channels, &scope, choices);
            pass.outputs.push(output);
        }
        self.passes.push(pass);
    }

    /// An output and the sampler that reads it in the next repetition: of one type, of one size,
    /// and in single precision.
    fn again(
        &self,
        samplers: &[Sampler],
        extent: Extent,
        kinds: &mut Vec<(Kind, usize)>,
    ) -> Option<(usize, usize)> {
        let index = self.passes.len();
        let fits =
            |sampler: &Sampler| self.known(sampler.from).3 == extent && !self.is_half(sampler.from);
        let at = samplers.iter().position(fits)?;
        let (_, kind, channels, _) = self.known(samplers[at].from);
        let fits = |(output, of): (usize, &(Kind, usize))| {
            *of == (kind, channels) && !self.is_half_output(index, output)
        };
        let output = match kinds.iter().enumerate().position(fits) {
            Some(output) => output,
            // A target of the four that every device has is left for what is watched.
            None if kinds.len() == 3 => return None,
            None => {
                kinds.push((kind, channels));
                kinds.len() - 1
            }
        };
        Some((output, at))
    }

    /// The extent of a pass: that of what it feeds, else as is said, else that of the file or of
    /// all that it reads.
    fn size_of_pass(
        &self,
        samplers: &[Sampler],
        panels: bool,
        choices: &mut Choices<'_>,
    ) -> (Extent, Option<String>) {
        let index = self.passes.len();
        if let Some(size) = self.size.filter(|_| panels) {
            return (size, choices.one_in(2).then(|| "\"size\"".to_owned()));
        }
        let fed = self.buffers.iter().find(|buffer| buffer.from.0 == index);
        if let Some(Buffer { name, first, .. }) = fed {
            let extent = first.extent;
            let said = match choices.below(3) {
                0 if self.size.is_none_or(|size| size == extent) => None,
                1 => Some(format!("\"{name}\"")),
                _ => Some(literal(extent)),
            };
            return (extent, said);
        }
        let all = self.all().into_iter().map(|from| self.known(from));
        let known: Vec<_> = all.map(|(name, _, _, extent)| (name, extent)).collect();
        let mut extents = samplers.iter().map(|sampler| self.known(sampler.from).3);
        let read = extents.next().filter(|first| extents.all(|extent| extent == *first));
        match self.size.or(read) {
            Some(extent) if choices.one_in(2) => (extent, None),
            _ => {
                let (extent, said) = self.sized(choices, &known);
                (extent, Some(said))
            }
        }
    }

    fn scope(&self, pass: &Pass, panels: bool) -> Scope {
        let sampled = |sampler: &Sampler| {
            let (_, kind, _, extent) = self.known(sampler.from);
            let same = extent == pass.extent;
            let halo = (same && panels).then_some(self.reach as i32);
            Sampled { kind, same, halo, sampled: !panels }
        };
        let mut facts = vec![Fact::Column, Fact::Row, Fact::Iteration, Fact::Macro];
        if pass.repeat.is_some() {
            facts.push(Fact::Repetition);
        }
        Scope {
            samplers: pass.samplers.iter().map(sampled).collect(),
            uniforms: self.uniforms.iter().map(|number| number.kind()).collect(),
            facts,
            fraction: FRACTION,
            of_texels: FRACTION,
            isf: false,
            loops: pass.loops,
        }
    }
}

/// An output; the first reads all that the pass has a sampler for, so that the compiler removes
/// none.
fn output(
    index: usize,
    kind: Kind,
    channels: usize,
    scope: &Scope,
    choices: &mut Choices<'_>,
) -> Output {
    let mut cells = || -> Vec<Expression> {
        let mut cell = |channel: usize| scope.channel(kind, (index, channel) == (0, 0), choices);
        (0..channels).map(&mut cell).collect()
    };
    let cells = (cells(), cells());
    let otherwise = choices.one_in(5).then(|| (choices.between(1, 5) as i32, cells.1));
    Output { name: format!("o{index}"), kind, cells: cells.0, otherwise, clamps: false }
}

fn extent(choices: &mut Choices<'_>) -> Extent {
    Extent::new(choices.between(1, 12) as u32, choices.between(1, 12) as u32)
}

/// Larger than a texture along one axis or both.
fn large(limit: u32, choices: &mut Choices<'_>) -> Extent {
    let which = choices.below(3);
    let mut side = |is_large: bool| match is_large {
        true => limit + choices.between(1, 2 * limit as usize) as u32,
        false => choices.between(1, limit as usize) as u32,
    };
    Extent::new(side(which != 1), side(which != 0))
}

fn literal(Extent { width, height }: Extent) -> String {
    format!("[{width}, {height}]")
}
