//! Finds the arrays that samplers, blocks and images of a pass read: inputs, and outputs of earlier
//! passes.

use crate::error::Error;
use crate::error::{InputError, PassError};
use crate::io::cells::Cells;
use crate::plan::compute_outputs;
use crate::plan::ir::{Read, ReadFrom};
use crate::plan::validate::no_such;
use crate::setup::PassSetup;
use crate::setup::precision::Precision;
use crate::source::place::Place;
use crate::source::shader::{ComputeInterface, Shader, Stored};
use quadrille::data::Field;
use quadrille::gl::{Class, TypeKind};
use quadrille::internal::shader::Access;

use crate::plan::Planner;

impl Planner<'_> {
    /// Finds the array that each sampler of a pass reads: the one that [`PassSetup::read`] names,
    /// or else the input of the sampler's name.
    pub(crate) fn reads(
        &mut self,
        pass: &PassSetup,
        shader: &Shader,
        missing: &mut Vec<String>,
    ) -> Result<Vec<(String, ReadFrom)>, Error> {
        for (sampler, _) in &pass.reads {
            if !shader.reads(sampler) && !shader.has_removed(sampler) {
                let has = shader.read_names().cloned().collect();
                return Err(no_such(&shader.name, "input", sampler, has));
            }
        }
        let mut reads = Vec::new();
        for (sampler, class) in &shader.samplers {
            let named = pass.reads.iter().find(|(name, _)| name == sampler).map(|(_, from)| from);
            let from = named.unwrap_or(sampler);
            let layered = shader.layered.contains(sampler);
            let place = if layered { Place::Layers } else { Place::Texture };
            let found = match self.setup.find(from).map(|(index, _)| index) {
                Some(array) => ReadFrom::Input(self.input(array, *class, place, None, shader)?),
                None if named.is_some() => {
                    ReadFrom::Output(self.earlier(pass, shader, from, *class, place)?)
                }
                None => {
                    let kind = match place {
                        Place::Layers => TypeKind::SamplerArray(*class),
                        _ => TypeKind::Sampler(*class),
                    };
                    missing.push(format!("{kind} {sampler}"));
                    continue;
                }
            };
            reads.push((sampler.clone(), found));
        }
        Ok(reads)
    }

    /// Finds the array that each read-only block and image reads: the one that [`PassSetup::read`]
    /// names, or else the input of its own name.
    pub(crate) fn stored_reads(
        &mut self,
        pass: &PassSetup,
        shader: &Shader,
        missing: &mut Vec<String>,
    ) -> Result<Vec<(String, ReadFrom)>, Error> {
        let Some(ComputeInterface { storage, .. }) = &shader.dispatched else {
            return Ok(Vec::new());
        };
        let mut reads = Vec::new();
        for stored in storage.iter().filter(|stored| stored.access == Access::Reads) {
            let Stored { name, kind, place, class, channels, .. } = stored;
            let named = pass.reads.iter().find(|(sampler, _)| sampler == name);
            let from = named.map_or(name, |(_, from)| from);
            let found = match self.setup.find(from).map(|(index, _)| index) {
                Some(array) => {
                    let layout = self.setup.arrays[array].layout;
                    compute_outputs::must_have(shader, stored, layout.channels, layout.len())?;
                    let width = channels.filter(|_| *place == Place::Texture);
                    ReadFrom::Input(self.input(array, *class, *place, width, shader)?)
                }
                None if named.is_some() => {
                    let index = self.earlier(pass, shader, from, *class, *place)?;
                    let Cells { channels, extent, .. } = self.plan.outputs[index].cells;
                    let numbers = extent.texels().saturating_mul(channels);
                    compute_outputs::must_have(shader, stored, channels, numbers)?;
                    compute_outputs::must_be_as_wide(shader, stored, channels)?;
                    ReadFrom::Output(index)
                }
                None => {
                    missing.push(format!("{kind} {name}"));
                    continue;
                }
            };
            reads.push((name.clone(), found));
        }
        Ok(reads)
    }

    /// Returns the index of an input, which all passes must read as one class and from one place.
    fn input(
        &mut self,
        array: usize,
        class: Class,
        place: Place,
        width: Option<usize>,
        shader: &Shader,
    ) -> Result<usize, Error> {
        if let Some(index) = self.plan.inputs.iter().position(|read| read.array == array) {
            let precision = self.precision(array, class, place, width)?;
            let read = &mut self.plan.inputs[index];
            let one_width = read.width.is_none() || width.is_none() || read.width == width;
            if read.class == class && read.place == place && one_width {
                read.width = read.width.or(width);
                if precision == Precision::Single {
                    read.precision = precision;
                }
                return Ok(index);
            }
            if read.class == class {
                return Err(PassError::InputPlaces {
                    input: self.setup.arrays[array].name.clone(),
                    readers: [read.reader.clone(), shader.name.clone()],
                    places: [read.place.described(read.width), place.described(width)],
                }
                .into());
            }
            return Err(PassError::InputClasses {
                input: self.setup.arrays[array].name.clone(),
                readers: [read.reader.clone(), shader.name.clone()],
                classes: [read.class, class],
            }
            .into());
        }
        self.must_have_layers(array, place)?;
        let precision = self.precision(array, class, place, width)?;
        let reader = shader.name.clone();
        self.plan.inputs.push(Read { array, class, place, width, precision, tiling: None, reader });
        Ok(self.plan.inputs.len() - 1)
    }

    /// Refuses an array of layers for what reads rows and columns, and the other way round.
    fn must_have_layers(&self, array: usize, place: Place) -> Result<(), Error> {
        let array = &self.setup.arrays[array];
        let (input, got) = (array.name.clone(), array.layout.shape());
        let is_picture = array.field.as_ref().is_some_and(Field::is_picture);
        match place {
            Place::Layers if is_picture => Err(InputError::PictureAsLayers { input }.into()),
            Place::Layers if array.layout.as_layers().is_none() => {
                Err(InputError::NotLayered { input, got }.into())
            }
            Place::Texture if array.layout.layers > 0 => {
                Err(InputError::Layered { input, got }.into())
            }
            _ => Ok(()),
        }
    }

    /// Chooses the precision: the requested one, or else half for numbers of a file that holds half
    /// precision, unless an output replaces them.
    fn precision(
        &self,
        array: usize,
        class: Class,
        place: Place,
        width: Option<usize>,
    ) -> Result<Precision, Error> {
        let array = &self.setup.arrays[array];
        let name = &array.name;
        let can = class == Class::Float && place == Place::Texture && width.is_none();
        let asked = self.setup.settings.precisions.iter().find(|(known, _)| known == name);
        match asked.map(|(_, precision)| *precision) {
            Some(Precision::Half) if !can => {
                Err(InputError::NotHalf { input: name.clone() }.into())
            }
            Some(precision) => Ok(precision),
            None => {
                let is_replaced =
                    self.setup.settings.feedback.iter().any(|(_, input)| input == name);
                let is_half = array.field.as_ref().is_some_and(Field::is_half);
                Ok(if can && is_half && !is_replaced { Precision::Half } else { Precision::Single })
            }
        }
    }

    fn earlier(
        &self,
        pass: &PassSetup,
        shader: &Shader,
        from: &str,
        class: Class,
        place: Place,
    ) -> Result<usize, Error> {
        let outputs = &self.plan.outputs;
        let Some(index) = outputs.iter().position(|output| output.name == from) else {
            let inputs = self.setup.arrays.iter().map(|array| &array.name);
            let has = inputs.chain(outputs.iter().map(|output| &output.name)).cloned().collect();
            return Err(PassError::NotReadable {
                pass: pass.name.clone(),
                from: from.to_owned(),
                has,
            }
            .into());
        };
        let found = outputs[index].cells.class;
        if found != class {
            let (shader, output) = (shader.name.clone(), from.to_owned());
            return Err(PassError::OutputClass { shader, output, found, class }.into());
        }
        let found = outputs[index].place;
        if found != place {
            let (shader, output) = (shader.name.clone(), from.to_owned());
            let (place, expected) = (found.described(None), place.described(None));
            return Err(PassError::OutputPlace { output, place, shader, expected }.into());
        }
        Ok(index)
    }
}
