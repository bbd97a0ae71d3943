//! A run on the device.

use std::any::Any;
use std::rc::Rc;

use quadrille::gl::{Blend, Buffer, Element, Texel, Texture, Unorm8};
use quadrille::grid::extent_of;
use quadrille::internal::group::Setup;
use quadrille::internal::stream::{Launch, Programs};
use quadrille::stream::Geometry;
use quadrille::{Extent, memory};

use super::super::vector::AnyVector;
use super::super::vector::on_device::Stored;
use super::super::{DScalar, DVector, Error, Fold, Number, Processor, Profile, Result};
use super::Call;
use super::kernels::{self, Key, ResultForm, VECTORS};
use crate::vector_machine::machine::device::Device;

/// A call whose vectors are on the device.
struct Bound<'a> {
    device: &'a Rc<Device>,
    inputs: Vec<Rc<dyn Stored>>,
    /// The moment at which the call began: copies used since then are its own.
    since: u64,
}

impl Call<'_> {
    /// Fills a vector on the device.
    pub(super) fn draw_vector<T: Number>(&self, output: &mut DVector<T>) -> Result<()> {
        if self.length == 0 {
            return Ok(());
        }
        let bound = self.bind()?;
        let form = match (T::IS_BYTE, self.function.body.profile()) {
            (true, _) => ResultForm::Bytes,
            (false, Profile::Modern) => ResultForm::Floats,
            (false, Profile::Period) => ResultForm::Pixels,
        };
        let memory = &bound.device.memory;
        let mut vector = output.room(memory, bound.since)?;
        for (target, _) in vector.vector.panels_mut() {
            self.draw_through_pixels(&bound, form, target)?;
            self.watch::<[f32; 4]>(&bound, ResultForm::Floats, target.extent())?;
        }
        output.hold(vector, memory);
        Ok(())
    }

    /// Fills a scalar on the device.
    pub(super) fn draw_scalar(&self, output: &mut DScalar) -> Result<()> {
        if self.length == 0 {
            output.set(0.0);
            return Ok(());
        }
        let bound = self.bind()?;
        let (device, since) = (bound.device, bound.since);
        let (engine, profile) = (self.function.machine.engine(), self.function.body.profile());
        let blended = engine.draws_points() && self.function.fold == Fold::Blending;
        if blended && profile == Profile::Modern {
            // The points themselves are blended, without a texel for each.
            let mut sum = output.room(device, Extent::new(1, 1), since)?;
            sum.fill(0.0)?;
            self.draw(&bound, self.key(ResultForm::Sum, false), &mut sum)?;
            self.watch::<f32>(&bound, ResultForm::Partials, extent_of(self.invocations()))?;
            output.hold(device, sum, 1, Fold::Host);
            return Ok(());
        }
        let form = match profile {
            Profile::Modern => ResultForm::Partials,
            Profile::Period => ResultForm::PartialPixels,
        };
        let mut partials = output.room(device, extent_of(self.invocations()), since)?;
        if engine.draws_points() || engine == Processor::Feedback {
            // Points write their own texels alone, and the device sums all that there are.
            partials.fill(0.0)?;
        }
        self.draw_through_pixels(&bound, form, &mut partials)?;
        self.watch::<f32>(&bound, ResultForm::Partials, partials.extent())?;
        output.hold(device, partials, self.invocations(), self.function.fold);
        Ok(())
    }

    fn bind(&self) -> Result<Bound<'_>> {
        let device = self.function.machine.device()?;
        let since = device.memory.tick();
        let on_device = |input: &&dyn AnyVector| input.on_device(&device.memory, since);
        let inputs: Vec<Rc<dyn Stored>> =
            self.inputs.iter().map(on_device).collect::<Result<_, _>>()?;
        if self.function.machine.engine() == Processor::Attributes {
            inputs.iter().try_for_each(|input| input.need_attributes(&device.memory, since))?;
        }
        Ok(Bound { device, inputs, since })
    }

    fn is_padded(&self) -> bool {
        !self.length.is_multiple_of(self.function.semantics.elements())
    }

    /// Runs the function once more for where the device ended its loops early, and refuses the
    /// result if it did so anywhere. Only text that may loop on a device with a loop budget pays
    /// for this.
    fn watch<P: Texel + Element>(
        &self,
        bound: &Bound<'_>,
        form: ResultForm,
        extent: Extent,
    ) -> Result<()> {
        let function = self.function;
        let context = bound.device.memory.context();
        if !function.body.may_loop() {
            return Ok(());
        }
        let Some(budget) = context.loop_budget()? else { return Ok(()) };
        let mut marks = bound.device.memory.texture::<P>(extent, bound.since)?;
        marks.fill(P::zeroed())?;
        self.draw(bound, self.key(form, true), &mut marks)?;
        let marks = marks.read()?;
        match marks.iter().filter(|mark| **mark != P::zeroed()).count() {
            0 => Ok(()),
            invocations => Err(Error::LoopsEnded {
                function: function.name().to_owned(),
                device: context.abilities().renderer.clone(),
                budget,
                invocations,
            }),
        }
    }

    fn key(&self, form: ResultForm, watched: bool) -> Key {
        let mut bytes = [false; 3];
        for (is_byte, input) in bytes.iter_mut().zip(self.inputs) {
            *is_byte = input.is_byte();
        }
        let group = self.function.machine.group;
        Key { bytes, form, padded: self.is_padded(), watched, group }
    }

    /// Draws; results of the period into 8-bit pixels first, as in 2002. Those that are captured go
    /// to a buffer, which has no pixels.
    fn draw_through_pixels<P: Texel + Element>(
        &self,
        bound: &Bound<'_>,
        form: ResultForm,
        target: &mut Texture<P>,
    ) -> Result<()> {
        let key = self.key(form, false);
        let has_pixels = self.function.machine.engine() != Processor::Feedback;
        if !form.is_through_pixels() || !has_pixels {
            return self.draw(bound, key, target);
        }
        let mut pixels: Texture<[Unorm8; 4]> =
            bound.device.memory.texture(target.extent(), bound.since)?;
        pixels.fill([Unorm8(0); 4])?;
        self.draw(bound, key, &mut pixels)?;
        bound.device.pixels.to_numbers(&pixels, target)
    }

    fn draw<P: Texel + Element>(
        &self,
        bound: &Bound<'_>,
        key: Key,
        target: &mut Texture<P>,
    ) -> Result<()> {
        let function = self.function;
        let context = bound.device.memory.context();
        let programs = function
            .programs
            .get_or_init(|| Programs::new(context, Setup::Compute(function.machine.group)));
        let (machine, semantics) = (&function.machine, function.semantics);
        let program = kernels::program(programs, key, machine, semantics, &function.body)?;
        let launch = self.given(program.launch(), &bound.inputs, key.watched);
        match machine.engine() {
            Processor::Feedback => self.capture(bound, launch, target),
            Processor::Compute => self.dispatch(launch, target),
            _ => self.pass(self.fed(launch, &bound.inputs), key.form, target),
        }
    }

    /// Gives a launch the vectors, the constants and the length.
    fn given<'a>(
        &self,
        mut launch: Launch<'a>,
        inputs: &'a [Rc<dyn Stored>],
        watched: bool,
    ) -> Launch<'a> {
        for (name, vector) in VECTORS.iter().zip(inputs) {
            if let Some(texture) = vector.texture() {
                launch = launch.input(name, texture);
            }
        }
        launch = launch.uniform("c", self.function.constants.clone());
        if watched {
            launch = launch.uniform("quadrille_two", 2);
        }
        if self.is_padded() {
            launch = launch
                .uniform("vector_length", self.length as i32)
                .uniform("vector_padding", self.padding());
        }
        launch
    }

    fn invocations(&self) -> usize {
        self.function.semantics.invocations(self.length)
    }

    /// Feeds the attributes of an engine that has them: attribute r is v\[r\].
    fn fed<'a>(&self, mut launch: Launch<'a>, inputs: &'a [Rc<dyn Stored>]) -> Launch<'a> {
        if self.function.machine.engine() == Processor::Attributes {
            let semantics = self.function.semantics;
            for (vector, input) in inputs.iter().enumerate() {
                for quad in 0..semantics.quads() {
                    let attribute = semantics.register(vector, quad) as u32;
                    launch = input.feed(launch, attribute, [quad, semantics.quads()]);
                }
            }
        }
        launch
    }

    /// Draws points on the vertex stage, or a quad on the fragment stage.
    fn pass<P: Texel>(
        &self,
        launch: Launch<'_>,
        form: ResultForm,
        target: &mut Texture<P>,
    ) -> Result<()> {
        let width = target.extent().width as i32;
        let points = Geometry::Points(u32::try_from(self.invocations()).unwrap_or(u32::MAX));
        let of_points = self.function.machine.engine().draws_points();
        let launch = match (of_points, self.function.semantics.is_to_scalar()) {
            (true, _) if form == ResultForm::Sum => launch.over(points).blend(Blend::Add),
            (true, _) => launch.over(points).uniform("vector_width", width),
            (false, true) => {
                let invocations = self.invocations() as i32;
                launch.uniform("vector_width", width).uniform("vector_invocations", invocations)
            }
            (false, false) => launch,
        };
        Ok(launch.write("vector_result", target)?)
    }

    fn dispatch<P: Texel>(&self, launch: Launch<'_>, target: &mut Texture<P>) -> Result<()> {
        let launch = match self.function.semantics.is_to_scalar() {
            true => launch.uniform("vector_invocations", self.invocations() as i32),
            false => launch,
        };
        Ok(launch.write("vector_result", target)?)
    }

    /// Runs by way of a buffer, which is kept for the next run.
    fn capture<P: Texel + Element>(
        &self,
        bound: &Bound<'_>,
        launch: Launch<'_>,
        target: &mut Texture<P>,
    ) -> Result<()> {
        let (texels, invocations) = (target.extent().texels(), self.invocations());
        let mut kept = self.function.buffer.borrow_mut();
        // Elements after those that were written are zeros, since a sum takes all texels.
        let fits = |(written, any): (usize, Box<dyn Any>)| {
            let old = any.downcast::<Buffer<P>>().ok()?;
            (old.len() == texels && written <= invocations).then_some(old)
        };
        let mut buffer = match kept.take().and_then(fits) {
            Some(old) => old,
            None => {
                let make = || Ok(target.context().buffer(&memory::zeroed::<P>(texels)?)?);
                Box::new(bound.device.memory.again_with_room(bound.since, make)?)
            }
        };
        launch.capture(invocations, &mut buffer)?;
        target.copy_from_buffer(&buffer)?;
        *kept = Some((invocations, buffer));
        Ok(())
    }
}
