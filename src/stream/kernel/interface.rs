//! The parameters of a program by name, and the arguments of one run: what passes and dispatches
//! share.

use std::collections::HashMap;

use crate::gl::{
    self, AnyTexture, Bindings, Buffer, BufferId, Class, Context, Element, Fenced, Hosted, Input,
    Parameter, Program, Staging, Texel, Type, TypeKind, Value, has_own_sampling, must_live_in,
    reads_levels,
};
use crate::shader::{Expanded, LevelReads, Reads};

use super::build::{Declared, build};
use super::levels::Halving;
use super::uniforms::{Member, Uniform, Uniforms};
use crate::stream::{Argument, Error, Result};

/// The prefix of parameters that the framework sets.
const OWN: &str = "quadrille_";

/// A program and its parameters.
pub struct Interface {
    pub(in crate::stream) context: Context,
    pub(in crate::stream) name: String,
    pub(in crate::stream) program: Program,
    declared: Declared,
    blocks: Vec<Block>,
    uniforms: Uniforms,
    /// The number of parameters and blocks that a run must be given.
    needed: usize,
    /// Whether the user's text samples by functions of GLSL, and so with the textures' own filters.
    samples: bool,
    /// The form in which the prelude's words read texels.
    reads: Reads,
    /// The textures whose levels it asks for.
    levels: Vec<String>,
    halving: Halving,
}

/// A storage block, with the binding from its text: glow 0.18 cannot ask the driver for it, since
/// it passes no room for the answer.
struct Block {
    name: String,
    binding: u32,
}

impl Interface {
    /// Compiles and links. In errors the program has the name of its last text.
    pub(in crate::stream) fn build(
        context: &Context,
        texts: &[&Expanded],
        captured: &[&str],
    ) -> Result<Interface> {
        let name = texts.last().map_or("", |text| text.name()).to_owned();
        let (program, declared) = build(context, &name, texts, captured)?;
        let blocks = find_blocks(&name, &program, texts)?;
        let uniforms = find_uniforms(&program, &declared, texts);
        let textures = program.parameters().filter(is_users).filter(is_texture).count();
        let needed = textures + uniforms.used().count() + blocks.len();
        let context = context.clone();
        let samples = texts.iter().any(|text| text.samples());
        let reads = texts.last().map_or(Reads::Fetch, |text| text.language().reads);
        let levels = find_levels(&name, &program, texts)?;
        let halving = Halving::default();
        Ok(Interface {
            context,
            name,
            program,
            declared,
            blocks,
            uniforms,
            needed,
            samples,
            reads,
            levels,
            halving,
        })
    }

    /// Returns the name of the shader.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the names of its textures, sorted.
    pub fn inputs(&self) -> Vec<&str> {
        self.names(|parameter| is_sampler(parameter.glsl.kind))
    }

    /// Returns the names of its uniforms that are neither textures nor images, sorted.
    pub fn uniforms(&self) -> Vec<&str> {
        self.uniforms.used().map(|uniform| uniform.name.as_str()).collect()
    }

    /// Returns its uniforms other than textures and images, with those of their names by which each can be given.
    pub fn named_uniforms(&self) -> &Uniforms {
        &self.uniforms
    }

    /// Returns whether the user's text samples by functions of GLSL, and so by the textures' own filters and wrap modes.
    pub fn samples(&self) -> bool {
        self.samples
    }

    /// Returns the names of the textures whose levels its text asks for.
    pub fn level_inputs(&self) -> &[String] {
        &self.levels
    }

    /// Refuses a value of another type than the uniform's.
    ///
    /// # Errors
    /// [`Error::NoSuchName`], [`Error::WrongType`] and [`Error::Ambiguous`].
    pub fn check_value(&self, name: &str, value: &Value) -> Result<()> {
        self.uniform(name, value).map(drop)
    }

    /// Returns the type of a parameter that the compiler kept; `None` also of a name that may mean several.
    pub fn type_of(&self, name: &str) -> Option<Type> {
        let parameter = self.known(name).ok().flatten().filter(is_users)?;
        Some(self.declared.glsl(parameter))
    }

    /// Returns whether the compiler kept a storage block of this name.
    pub fn has_block(&self, name: &str) -> bool {
        self.blocks.iter().any(|block| block.name == name)
    }

    /// Returns the bindings of its storage blocks.
    pub fn bindings(&self) -> impl Iterator<Item = u32> {
        self.blocks.iter().map(|block| block.binding)
    }

    /// Returns whether the text declares a uniform or a texture of this name.
    pub fn declares(&self, name: &str) -> bool {
        self.declared.contains(name)
    }

    fn textures(&self) -> Vec<&str> {
        self.names(|parameter| is_texture(&parameter))
    }

    fn names(&self, keep: impl Fn(&Parameter) -> bool) -> Vec<&str> {
        let users = self.program.parameters().filter(|p| is_users(p) && keep(p));
        let mut names: Vec<&str> = users.map(|parameter| parameter.name.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// Returns the parameter of this name: of a member of a uniform block also by its other name.
    fn known(&self, name: &str) -> Result<Option<&Parameter>> {
        if let Some(parameter) = self.program.parameter(name) {
            return Ok(Some(parameter));
        }
        if !self.program.has_blocks() {
            return Ok(None);
        }
        match self.uniforms.find(name) {
            Ok(uniform) => Ok(uniform.and_then(|uniform| self.program.parameter(&uniform.name))),
            Err(may_be) => {
                let (kernel, name) = (self.name.clone(), name.to_owned());
                Err(Error::Ambiguous { kernel, name, may_be })
            }
        }
    }

    /// Finds a parameter: none if the text declares it and the compiler removed it, an error if the
    /// text does not declare it.
    fn find(&self, what: &'static str, name: &str) -> Result<Option<&Parameter>> {
        if let Some(parameter) = self.known(name)? {
            return Ok(Some(parameter));
        }
        if self.declared.contains(name) {
            return Ok(None);
        }
        let has = if what == "input" { self.textures() } else { self.uniforms() };
        Err(self.no_such(what, name, has))
    }

    /// Returns a uniform that takes a value; `None` where the compiler removed it.
    pub(in crate::stream) fn uniform(
        &self,
        name: &str,
        value: &Value,
    ) -> Result<Option<&Parameter>> {
        let Some(parameter) = self.find("uniform", name)? else { return Ok(None) };
        if self.declared.takes(parameter, value) {
            return Ok(Some(parameter));
        }
        let got = Argument::Value(value.glsl());
        Err(self.wrong_type(name, self.declared.glsl(parameter), got))
    }

    fn block(&self, name: &str) -> Result<u32> {
        match self.blocks.iter().find(|block| block.name == name) {
            Some(block) => Ok(block.binding),
            None => {
                let has = self.blocks.iter().map(|block| block.name.as_str()).collect();
                Err(self.no_such("storage block", name, has))
            }
        }
    }

    fn missing(&self, missing: Vec<String>) -> Error {
        Error::Missing { kernel: self.name.clone(), missing }
    }

    /// Refuses inputs of a user's vertex stage at locations that nothing is fed to: their values would be those of some
    /// other draw. The framework's own may be kept by a compiler though their values are read by nobody.
    pub(in crate::stream) fn must_be_fed(&self, fed: impl Fn(u32) -> bool) -> Result<()> {
        let inputs = self.program.vertex_inputs().iter();
        let unfed = inputs.filter(|input| !input.name.starts_with(OWN) && !fed(input.location));
        let missing: Vec<String> =
            unfed.map(|input| format!("in {} {}", input.glsl, input.name)).collect();
        if missing.is_empty() { Ok(()) } else { Err(self.missing(missing)) }
    }

    fn no_such(&self, what: &'static str, name: &str, has: Vec<&str>) -> Error {
        let has = has.into_iter().map(str::to_owned).collect();
        Error::NoSuchName { kernel: self.name.clone(), what, name: name.to_owned(), has }
    }

    fn wrong_type(&self, name: &str, expected: Type, got: Argument) -> Error {
        Error::WrongType { kernel: self.name.clone(), name: name.to_owned(), expected, got }
    }
}

fn is_sampler(kind: TypeKind) -> bool {
    matches!(kind, TypeKind::Sampler(_) | TypeKind::SamplerArray(_))
}

fn is_texture(parameter: &&Parameter) -> bool {
    is_sampler(parameter.glsl.kind) || matches!(parameter.glsl.kind, TypeKind::Image(_))
}

fn is_users(parameter: &&Parameter) -> bool {
    !parameter.name.starts_with(OWN)
}

/// Returns the textures whose levels the texts ask for. Integers have none.
fn find_levels(kernel: &str, program: &Program, texts: &[&Expanded]) -> Result<Vec<String>> {
    let is_read = |parameter: &&Parameter| is_users(parameter) && is_sampler(parameter.glsl.kind);
    let samplers: Vec<&Parameter> = program.parameters().filter(is_read).collect();
    if samplers.is_empty() {
        return Ok(Vec::new());
    }
    let asked: Vec<LevelReads> = texts.iter().map(|text| text.level_reads()).collect();
    let is_asked = |name: &str| asked.iter().any(|asked| asked.contains(name));
    let mut levels = Vec::new();
    for Parameter { name, glsl, .. } in samplers.into_iter().filter(|known| is_asked(&known.name)) {
        let (TypeKind::Sampler(class) | TypeKind::SamplerArray(class)) = glsl.kind else {
            continue;
        };
        if class != Class::Float {
            let (kernel, name) = (kernel.to_owned(), name.clone());
            return Err(Error::LevelsOfIntegers { kernel, name, glsl: *glsl });
        }
        levels.push(name.clone());
    }
    Ok(levels)
}

/// Returns the uniforms that are neither textures nor images. Members of a block that the texts only declare are
/// unused.
fn find_uniforms(program: &Program, declared: &Declared, texts: &[&Expanded]) -> Uniforms {
    let mentions: Vec<HashMap<String, usize>> = match program.has_blocks() {
        true => texts.iter().map(|text| text.mentions()).collect(),
        false => Vec::new(),
    };
    let is_unused = |name: &str| {
        let first = name.split(['.', '[']).next().unwrap_or(name);
        mentions.iter().filter_map(|text| text.get(first)).sum::<usize>() == 1
    };
    let uniform = |parameter: &Parameter| Uniform {
        name: parameter.name.clone(),
        glsl: declared.glsl(parameter),
        member: parameter.member().map(|member| Member {
            block: member.block.clone(),
            name: member.name.clone(),
            unused: is_unused(&member.name),
        }),
    };
    let users = program.parameters().filter(is_users).filter(|parameter| !is_texture(parameter));
    let mut uniforms: Vec<Uniform> = users.map(uniform).collect();
    uniforms.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    Uniforms(uniforms)
}

/// Returns the storage blocks that the compiler kept.
fn find_blocks(kernel: &str, program: &Program, texts: &[&Expanded]) -> Result<Vec<Block>> {
    let mut blocks: Vec<Block> = Vec::new();
    for declared in texts.iter().flat_map(|text| text.declarations().buffers.iter()) {
        let name = &declared.name;
        if !program.has_block(name)? {
            continue;
        }
        let Some(binding) = declared.binding else {
            let (kernel, block) = (kernel.to_owned(), name.clone());
            return Err(Error::BlockWithoutBinding { kernel, block });
        };
        if program.has_block(&format!("{name}[1]"))? {
            let (kernel, block) = (kernel.to_owned(), name.clone());
            return Err(Error::ArrayOfBlocks { kernel, block });
        }
        // Two branches of an #if may declare the same block.
        if blocks.iter().any(|known| known.name == *name && known.binding == binding) {
            continue;
        }
        if let Some(other) = blocks.iter().find(|other| other.binding == binding) {
            let (first, second) = (other.name.clone(), name.clone());
            return Err(Error::SharedBinding { kernel: kernel.to_owned(), first, second, binding });
        }
        blocks.push(Block { name: name.clone(), binding });
    }
    Ok(blocks)
}

/// The arguments of one run so far. The first error is kept until it runs.
pub(crate) struct Arguments<'a> {
    pub(crate) interface: &'a Interface,
    inputs: Vec<(&'a Parameter, &'a dyn AnyTexture)>,
    images: Vec<(&'a Parameter, &'a dyn AnyTexture)>,
    buffers: Vec<(u32, BufferId)>,
    uniforms: Vec<(&'a Parameter, Value)>,
    fault: Option<Error>,
}

impl<'a> Arguments<'a> {
    pub(crate) fn new(interface: &'a Interface) -> Arguments<'a> {
        Arguments {
            interface,
            inputs: Vec::with_capacity(interface.needed),
            images: Vec::new(),
            buffers: Vec::new(),
            uniforms: Vec::with_capacity(interface.needed + 1),
            fault: None,
        }
    }

    pub(crate) fn input(&mut self, name: &str, texture: &'a dyn AnyTexture) {
        let class = texture.format().class;
        let kind = match texture.layers() {
            None => TypeKind::Sampler(class),
            Some(_) => TypeKind::SamplerArray(class),
        };
        match self.find_texture(name, texture, kind) {
            Ok(Some(parameter)) => {
                let Interface { samples, reads, .. } = *self.interface;
                if samples && reads == Reads::Sample && has_own_sampling(texture) {
                    let kernel = self.interface.name.clone();
                    self.blame(Error::SampledReads { kernel, name: name.to_owned() });
                }
                replace(&mut self.inputs, parameter, texture);
            }
            Ok(None) => {}
            Err(error) => self.blame(error),
        }
    }

    pub(crate) fn image(&mut self, name: &str, texture: &'a dyn AnyTexture) {
        match self.find_texture(name, texture, TypeKind::Image(texture.format().class)) {
            Ok(Some(parameter)) => replace(&mut self.images, parameter, texture),
            Ok(None) => {}
            Err(error) => self.blame(error),
        }
    }

    pub(crate) fn buffer<T: Element>(&mut self, block: &str, buffer: &'a Buffer<T>) {
        match buffer.id_in(&self.interface.context, &format!("block `{block}`")) {
            Ok(id) => self.block(block, id),
            Err(error) => self.blame(error.into()),
        }
    }

    /// Binds memory of the host that a dispatch uses, if it is mapped; ordinary memory is not
    /// bound.
    pub(crate) fn staging<T: Texel>(
        &mut self,
        block: &str,
        staging: &'a Staging<T>,
        fenced: Fenced,
    ) -> Option<Hosted<'a>> {
        if !staging.context().ptr_eq(&self.interface.context) {
            self.blame(gl::Error::Foreign { what: format!("block `{block}`") }.into());
            return None;
        }
        let (id, hosted) = staging.as_buffer(fenced)?;
        self.block(block, id);
        Some(hosted)
    }

    fn block(&mut self, block: &str, id: BufferId) {
        match self.interface.block(block) {
            Ok(binding) => {
                self.buffers.retain(|(known, _)| *known != binding);
                self.buffers.push((binding, id));
            }
            Err(error) => self.blame(error),
        }
    }

    pub(crate) fn uniform(&mut self, name: &str, value: Value) {
        match self.interface.uniform(name, &value) {
            Ok(Some(parameter)) => replace(&mut self.uniforms, parameter, value),
            Ok(None) => {}
            Err(error) => self.blame(error),
        }
    }

    pub(crate) fn blame(&mut self, error: Error) {
        self.fault.get_or_insert(error);
    }

    fn find_texture(
        &self,
        name: &str,
        texture: &dyn AnyTexture,
        kind: TypeKind,
    ) -> Result<Option<&'a Parameter>> {
        let Some(parameter) = self.interface.find("input", name)? else { return Ok(None) };
        must_live_in(&self.interface.context, texture, &format!("input `{name}`"))?;
        if parameter.glsl == kind.into() {
            return Ok(Some(parameter));
        }
        let format = texture.format().name;
        let got = match kind {
            TypeKind::Image(class) => Argument::Image { class, format },
            _ => Argument::Texture { format },
        };
        Err(self.interface.wrong_type(name, self.interface.declared.glsl(parameter), got))
    }

    /// Fails with the first error, or with the names of missing arguments, and makes the levels that
    /// the run reads.
    pub(crate) fn check(&mut self) -> Result<()> {
        if let Some(error) = self.fault.take() {
            return Err(error);
        }
        let given = self.inputs.iter().filter(|(parameter, _)| is_users(parameter)).count()
            + self.images.len()
            + self.buffers.len()
            + self.uniforms.iter().filter(|(parameter, _)| is_users(parameter)).count();
        // More are given where some are unused members of a block.
        if given != self.interface.needed || self.interface.program.has_blocks() {
            let missing = self.missing();
            if !missing.is_empty() {
                return Err(self.interface.missing(missing));
            }
        }
        for (parameter, texture) in &self.inputs {
            if self.reads_levels(parameter, *texture) {
                self.interface.halving.refresh(&self.interface.context, *texture)?;
            }
        }
        Ok(())
    }

    fn reads_levels(&self, parameter: &Parameter, texture: &dyn AnyTexture) -> bool {
        let Interface { levels, samples, .. } = self.interface;
        let is_asked = !levels.is_empty() && levels.contains(&parameter.name);
        reads_levels(texture, is_asked, *samples)
    }

    fn missing(&self) -> Vec<String> {
        let known = |name: &str| {
            let mut all = self.inputs.iter().chain(&self.images).map(|(parameter, _)| parameter);
            all.any(|parameter| parameter.name == name)
        };
        let textures = self.interface.program.parameters().filter(is_users).filter(is_texture);
        let textures = textures.filter(|parameter| !known(&parameter.name));
        let mut missing: Vec<String> =
            textures.map(|texture| format!("{} {}", texture.glsl, texture.name)).collect();
        let given = |name: &str| self.uniforms.iter().any(|(parameter, _)| parameter.name == name);
        missing.extend(self.interface.uniforms.missing(given));
        let bound = |block: &&Block| self.buffers.iter().any(|(b, _)| *b == block.binding);
        let blocks = self.interface.blocks.iter().filter(|block| !bound(block));
        missing.extend(blocks.map(|block| format!("buffer {}", block.name)));
        missing.sort_unstable();
        missing
    }

    /// Passes the arguments, and the framework's own uniform, to `work`.
    pub(crate) fn bind<R>(
        &self,
        own: Option<(&Parameter, &Value)>,
        work: impl FnOnce(&Bindings<'_>) -> R,
    ) -> R {
        let input = |(parameter, texture): &(&Parameter, &'a dyn AnyTexture)| {
            let (texture, reads_levels) = (*texture, self.reads_levels(parameter, *texture));
            Input { unit: parameter.unit, texture, reads_levels }
        };
        let inputs: Vec<Input<'a>> = self.inputs.iter().map(input).collect();
        let image =
            |(parameter, image): &(&Parameter, &'a dyn AnyTexture)| (parameter.unit, *image);
        let images: Vec<_> = self.images.iter().map(image).collect();
        let mut uniforms: Vec<(&Parameter, &Value)> =
            self.uniforms.iter().map(|(parameter, value)| (*parameter, value)).collect();
        uniforms.extend(own);
        work(&Bindings {
            program: &self.interface.program,
            inputs: &inputs,
            images: &images,
            buffers: &self.buffers,
            uniforms: &uniforms,
            own_sampling: self.interface.samples,
        })
    }
}

fn replace<'a, V>(list: &mut Vec<(&'a Parameter, V)>, parameter: &'a Parameter, value: V) {
    match list.iter_mut().find(|(known, _)| std::ptr::eq(*known, parameter)) {
        Some((_, old)) => *old = value,
        None => list.push((parameter, value)),
    }
}
