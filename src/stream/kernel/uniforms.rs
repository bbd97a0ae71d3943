//! The uniforms of a program as data: under which names each can be given, and which have to be.

use crate::gl::Type;

/// A uniform that is neither a texture nor an image.
#[derive(Clone, Debug, PartialEq)]
pub struct Uniform {
    /// The name by which it is listed.
    pub name: String,
    /// The type.
    pub glsl: Type,
    /// Where it is a member of a uniform block, the block.
    pub member: Option<Member>,
}

/// The block of a uniform.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The name of the block.
    pub block: String,
    /// The name in the block.
    pub name: String,
    /// Whether the text declares it and does nothing else with it: it may be left out, as a loose uniform that the
    /// compiler removes. Of a block the compiler removes nothing.
    pub unused: bool,
}

impl Uniform {
    fn may_be_called(&self, name: &str) -> bool {
        let of_block = |member: &Member| {
            let rest = name.strip_prefix(&member.block).and_then(|rest| rest.strip_prefix('.'));
            member.name == name || rest == Some(&member.name)
        };
        self.member.as_ref().is_some_and(of_block)
    }

    fn is_unused(&self) -> bool {
        self.member.as_ref().is_some_and(|member| member.unused)
    }
}

/// The uniforms of a program, sorted by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Uniforms(pub Vec<Uniform>);

impl Uniforms {
    /// Returns the uniform that a name means: of a member of a block its name, with the block's in front or without.
    ///
    /// # Errors
    /// The names of all that it may mean.
    pub fn find(&self, name: &str) -> Result<Option<&Uniform>, Vec<String>> {
        if let Some(uniform) = self.0.iter().find(|uniform| uniform.name == name) {
            return Ok(Some(uniform));
        }
        let called: Vec<&Uniform> =
            self.0.iter().filter(|uniform| uniform.may_be_called(name)).collect();
        match *called {
            [] => Ok(None),
            [one] => Ok(Some(one)),
            _ => Err(called.into_iter().map(|uniform| uniform.name.clone()).collect()),
        }
    }

    /// Yields those that a run uses.
    pub fn used(&self) -> impl Iterator<Item = &Uniform> {
        self.0.iter().filter(|uniform| !uniform.is_unused())
    }

    /// Describes those that are used and not given, the members of a block together.
    pub fn missing(&self, given: impl Fn(&str) -> bool) -> Vec<String> {
        let mut missing: Vec<String> = Vec::new();
        let mut blocks: Vec<(&str, String)> = Vec::new();
        for Uniform { name, glsl, member } in self.used().filter(|uniform| !given(&uniform.name)) {
            let Some(Member { block, name, .. }) = member else {
                missing.push(format!("{glsl} {name}"));
                continue;
            };
            let declared = format!("{glsl} {name}; ");
            match blocks.iter_mut().find(|(known, _)| known == block) {
                Some((_, members)) => members.push_str(&declared),
                None => blocks.push((block, declared)),
            }
        }
        missing.extend(
            blocks.iter().map(|(block, members)| format!("uniform {block} {{ {members}}}")),
        );
        missing
    }
}
