//! Finds the samplers whose levels a text asks for: by a function of GLSL with a level, a bias or
//! derivatives, which it calls by itself, through macros, or through functions with a sampler among
//! their parameters.

mod calls;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::lexer::preprocess::preprocessed;
use calls::{Calls, Function};

/// The samplers whose levels a text asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LevelReads {
    names: HashSet<String>,
    /// Whether the text is too involved to tell, so that any sampler may be among them.
    may_be_any: bool,
}

impl LevelReads {
    /// Finds those of an expanded text.
    pub(super) fn of(text: &str) -> LevelReads {
        match preprocessed(text) {
            Some(tokens) => LevelReads { names: Calls::of(&tokens).names(), may_be_any: false },
            None => LevelReads { may_be_any: true, ..LevelReads::default() },
        }
    }

    /// Returns whether a sampler is among them; `name` may be that of a field or an element.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.may_be_any
            || name.split(['.', '[']).next().is_some_and(|name| self.names.contains(name))
    }
}

/// Returns the index of the argument that chooses the level for a function of GLSL whose first
/// argument is a sampler, an inner `None` where all of its calls choose one; `None` for any other
/// function.
fn built_in(name: &str) -> Option<Option<usize>> {
    Some(match name {
        "textureSize" => Some(1),
        "texture"
        | "textureProj"
        | "textureLod"
        | "textureLodOffset"
        | "textureProjLod"
        | "textureProjLodOffset"
        | "texelFetch"
        | "texelFetchOffset" => Some(2),
        "textureOffset" | "textureProjOffset" => Some(3),
        "textureGrad"
        | "textureGradOffset"
        | "textureProjGrad"
        | "textureProjGradOffset"
        | "textureQueryLevels"
        | "textureQueryLod"
        | "textureQueryLOD" => None,
        _ => return None,
    })
}

/// What a function does with the sampler that it is given as an argument: it asks for its levels,
/// unless the argument that chooses the level, if there is one, is left out or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Asks {
    sampler: usize,
    level: Option<usize>,
}

/// The name of a function, and how many arguments it takes.
type Signature<'a> = (&'a str, usize);

impl<'a> Calls<'a> {
    /// Returns the names of the samplers that are asked for levels, and of no parameter.
    fn names(&self) -> HashSet<String> {
        let mut asking: HashMap<Signature<'a>, HashSet<Asks>> = HashMap::new();
        let mut names = HashSet::new();
        loop {
            let mut grows = false;
            for function in &self.functions {
                for (sampler, level) in self.asked_in(function, &asking) {
                    let Some(name) = self.name(sampler) else { continue };
                    match function.parameters.iter().position(|known| known.name == name) {
                        None => drop(names.insert(name.to_owned())),
                        Some(sampler) => {
                            let level = level.and_then(|level| self.as_parameter(function, level));
                            let signature = (function.name, function.parameters.len());
                            let asks = asking.entry(signature).or_default();
                            grows |= asks.insert(Asks { sampler, level });
                        }
                    }
                }
            }
            if !grows {
                return names;
            }
        }
    }

    /// Returns where a function names samplers that it asks for levels, and what chooses the level.
    fn asked_in(
        &self,
        function: &Function<'a>,
        asking: &HashMap<Signature<'a>, HashSet<Asks>>,
    ) -> Vec<(usize, Option<Range<usize>>)> {
        let mut asked = Vec::new();
        for at in function.body.clone() {
            let (Some(name), Some(close)) = (self.name(at), self.closing.get(&(at + 1))) else {
                continue;
            };
            let arguments = self.arguments(at + 1, *close);
            let own = asking.get(&(name, arguments.len())).into_iter().flatten().copied();
            let level = built_in(name).filter(|_| !self.replaces(name, arguments.len()));
            for asks in own.chain(level.map(|level| Asks { sampler: 0, level })) {
                let level = asks.level.map(|level| arguments.get(level).cloned());
                if level.as_ref().is_some_and(|level| self.is_level_0(level.as_ref())) {
                    continue;
                }
                let range = arguments.get(asks.sampler).cloned().unwrap_or_default();
                let is_own = |at: &usize| !at.checked_sub(1).is_some_and(|at| self.is(at, "."));
                asked.extend(range.filter(is_own).map(|at| (at, level.clone().flatten())));
            }
        }
        asked
    }

    /// Returns whether an argument that was left out, or is 0, chooses level 0.
    fn is_level_0(&self, argument: Option<&Range<usize>>) -> bool {
        argument.is_none_or(|range| self.is_zero(range.clone()))
    }

    /// Returns whether the text has a function in place of this one of GLSL.
    fn replaces(&self, name: &str, arguments: usize) -> bool {
        self.functions.iter().any(|function| {
            let parameters = &function.parameters;
            let takes = parameters.first().is_some_and(|first| first.is_sampler);
            function.name == name && parameters.len() == arguments && takes
        })
    }

    /// Returns the parameter of a function that an argument is, as the function was given it.
    fn as_parameter(&self, function: &Function<'a>, argument: Range<usize>) -> Option<usize> {
        let name = self.name(argument.start).filter(|_| argument.len() == 1)?;
        let index = function.parameters.iter().position(|known| known.name == name)?;
        let is_changed = |at: usize| self.name(at) == Some(name) && self.is_written(at);
        (!function.body.clone().any(is_changed)).then_some(index)
    }
}

#[cfg(test)]
#[path = "levels/tests.rs"]
mod tests;
