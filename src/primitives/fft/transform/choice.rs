//! The choice of how transforms run: the default, the tuned one, and its text.

use std::fmt;

use crate::gl::Context;
use crate::stream::Engine;

use super::super::groups::Limits;

/// The name of transforms among the tuned choices.
const OPERATION: &str = "fft";
/// Invocations and numbers of work groups that may be the fastest.
const GROUPS: [[usize; 2]; 4] = [[256, 4096], [128, 4096], [128, 2048], [64, 1024]];

/// A texel at a time, or in work groups with limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) engine: Engine,
    pub(super) limits: Option<Limits>,
}

/// The numbers from which on a software renderer takes [`Choice::SOFTWARE`], whose shaders take longer
/// to compile.
const LONG: usize = 1 << 16;

impl Choice {
    /// The fastest on software renderers, for powers of two.
    const SOFTWARE: Choice = Choice { engine: Engine::Compute, limits: Some(Limits::SOFTWARE) };

    /// Returns the tuned choice, else the usual one.
    pub(super) fn new(context: &Context, total: usize) -> Choice {
        let engine = match total >= LONG && context.abilities().compute.is_some() {
            true => Engine::Compute,
            false => Engine::default_for(context),
        };
        Choice::tuned(context, total).unwrap_or_else(|| Choice::usual(context, engine, total))
    }

    /// Returns the tuned choice if it is of this engine, else the usual one.
    pub(super) fn on(context: &Context, engine: Engine, total: usize) -> Choice {
        let tuned = Choice::tuned(context, total).filter(|choice| choice.engine == engine);
        tuned.unwrap_or_else(|| Choice::usual(context, engine, total))
    }

    fn in_groups([invocations, numbers]: [usize; 2]) -> Choice {
        let limits = Limits { invocations, numbers, ..Limits::LARGEST };
        Choice { engine: Engine::Compute, limits: Some(limits) }
    }

    fn usual(context: &Context, engine: Engine, total: usize) -> Choice {
        match (engine, context.abilities().software) {
            (Engine::Compute, false) => Choice { engine, limits: Some(Limits::of(context)) },
            (Engine::Compute, true) if total >= LONG => Choice::SOFTWARE,
            _ => Choice { engine, limits: None },
        }
    }

    fn tuned(context: &Context, total: usize) -> Option<Choice> {
        let choice = Choice::parse(&context.tuned(OPERATION, total)?.choice)?;
        choice.fits(context).then_some(choice)
    }

    /// Returns the usual choice, and others.
    pub(super) fn all(context: &Context) -> Vec<Choice> {
        let mut all = vec![Choice::usual(context, Engine::default_for(context), 0)];
        let in_groups = match context.abilities().software {
            true => vec![Choice::SOFTWARE],
            false => GROUPS.map(Choice::in_groups).to_vec(),
        };
        let by_texels = Engine::ALL.map(|engine| Choice { engine, limits: None });
        for choice in in_groups.into_iter().chain(by_texels) {
            if !all.contains(&choice) {
                all.push(choice);
            }
        }
        all.retain(|choice| choice.fits(context));
        all
    }

    fn fits(self, context: &Context) -> bool {
        let most = Limits::of(context);
        let fits = |limits: Limits| {
            limits.invocations <= most.invocations && limits.numbers <= most.numbers
        };
        Engine::of(context).contains(&self.engine) && self.limits.is_none_or(fits)
    }

    /// Accepts groups that were tested alone.
    fn parse(text: &str) -> Option<Choice> {
        match text.split_whitespace().collect::<Vec<_>>()[..] {
            ["fragment"] => Some(Choice { engine: Engine::Fragment, limits: None }),
            ["compute"] => Some(Choice { engine: Engine::Compute, limits: None }),
            ["compute", invocations, numbers] => {
                let groups = [invocations.parse().ok()?, numbers.parse().ok()?];
                match groups == [Limits::SOFTWARE.invocations, Limits::SOFTWARE.numbers] {
                    true => Some(Choice::SOFTWARE),
                    false => GROUPS.contains(&groups).then(|| Choice::in_groups(groups)),
                }
            }
            _ => None,
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.engine.fmt(f)?;
        match self.limits {
            None => Ok(()),
            Some(limits) => write!(f, " {} {}", limits.invocations, limits.numbers),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_read_back_from_its_text_and_no_other_text_is() {
        let in_groups =
            GROUPS.map(|[invocations, numbers]| format!("compute {invocations} {numbers}"));
        let others = ["fragment", "compute", "compute 16 256"];
        for text in in_groups.iter().map(String::as_str).chain(others) {
            assert_eq!(Choice::parse(text).map(|choice| choice.to_string()).as_deref(), Some(text));
        }
        for text in [
            "",
            "vertex",
            "fragment 256 4096",
            "compute 256",
            "compute 257 4096",
            "compute 256 4096 1024",
        ] {
            assert_eq!(Choice::parse(text), None, "{text}");
        }
    }
}
