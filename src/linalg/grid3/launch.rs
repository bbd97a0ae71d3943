//! A kernel with its arguments, on either engine.

use crate::Extent;
use crate::Rectangle;
use crate::gl::{Target, Value};
use crate::linalg::nine_banded::Error;
use crate::stream::{ComputeKernel, Geometry, Kernel};

use super::Grid;
use super::kernels::{Compiled, Form, GROUP, Kernels, Task};
use super::region::Region;
use super::table::{Lookup, Table};

/// What a kernel computes.
#[derive(Clone, Copy)]
enum Over<'a> {
    All,
    /// One place of several side by side.
    Part(Rectangle),
    /// All, and the part with numbers that are the same on every line by itself.
    Region(&'a Region),
}

/// A kernel and its arguments.
pub(super) struct Launch<'a> {
    kernels: &'a Kernels,
    task: Task,
    form: Form,
    inputs: Vec<(&'static str, &'a Grid)>,
    uniforms: Vec<(&'static str, Value)>,
    table: Option<&'a Table>,
    over: Over<'a>,
}

impl Kernels {
    /// Begins with the arguments of a task.
    pub(super) fn launch(&self, task: Task, form: Form) -> Launch<'_> {
        let (inputs, uniforms) = (Vec::new(), Vec::new());
        Launch { kernels: self, task, form, inputs, uniforms, table: None, over: Over::All }
    }
}

impl<'a> Launch<'a> {
    pub(super) fn input(mut self, name: &'static str, image: &'a Grid) -> Self {
        self.inputs.push((name, image));
        self
    }

    pub(super) fn uniform(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.uniforms.push((name, value.into()));
        self
    }

    /// Takes numbers that depend on the kind of a point alone, and the texels that only those inside enter.
    pub(super) fn table(mut self, table: &'a Table, region: &'a Region) -> Self {
        self.table = Some(table);
        self.over = Over::Region(region);
        self
    }

    /// Computes one place alone of several that are side by side in the target.
    pub(super) fn part(mut self, place: Rectangle) -> Self {
        self.over = Over::Part(place);
        self
    }

    /// Computes a target.
    pub(super) fn run(self, target: &mut Grid) -> Result<(), Error> {
        let Over::Region(region) = self.over else {
            return self.run_form(self.form, Geometry::Full, &mut [("value", target)]);
        };
        region.each(|inner, over| {
            self.run_form(Form { inner, ..self.form }, over, &mut [("value", &mut *target)])
        })
    }

    /// Computes two targets of one extent.
    pub(super) fn run_both(self, one: &mut Grid, other: &mut Grid) -> Result<(), Error> {
        let targets = &mut [("value_0", one), ("value_1", other)];
        self.run_form(self.form, Geometry::Full, targets)
    }

    fn run_form(
        &self,
        form: Form,
        over: Geometry<'_>,
        targets: &mut [(&str, &mut Grid)],
    ) -> Result<(), Error> {
        match &*self.kernels.get(self.task, form)? {
            Compiled::Drawn(kernel) => self.draw(kernel, form, over, targets),
            Compiled::Dispatched(kernel) => self.dispatch(kernel, targets),
        }
    }

    fn draw(
        &self,
        kernel: &Kernel,
        form: Form,
        over: Geometry<'_>,
        targets: &mut [(&str, &mut Grid)],
    ) -> Result<(), Error> {
        let mut pass = kernel.pass().over(match self.over {
            Over::Part(place) => Geometry::Rectangle(place),
            _ => over,
        });
        for (name, image) in &self.inputs {
            pass = pass.input(name, *image);
        }
        for (name, value) in &self.uniforms {
            pass = pass.uniform(name, value.clone());
        }
        if let Some(table) = self.table {
            pass = match &table.lookup {
                _ if form.inner => pass.uniform("inner", table.inner.clone()),
                Lookup::Texture(texture) => {
                    pass.input("kinds", texture).uniform("border", table.border as i32)
                }
                Lookup::Buffer(_) => unreachable!("tables are those of their engine"),
            };
        }
        let mut targets: Vec<&mut dyn Target> =
            targets.iter_mut().map(|(_, target)| &mut **target as &mut dyn Target).collect();
        Ok(pass.draw_into(&mut targets)?)
    }

    fn dispatch(
        &self,
        kernel: &ComputeKernel,
        targets: &mut [(&str, &mut Grid)],
    ) -> Result<(), Error> {
        let mut run = kernel.dispatch();
        for (name, image) in &self.inputs {
            run = run.input(name, *image);
        }
        for (name, value) in &self.uniforms {
            run = run.uniform(name, value.clone());
        }
        if let Some(table) = self.table {
            run = match &table.lookup {
                Lookup::Buffer(numbers) => {
                    run.buffer("Kinds", numbers).uniform("border", table.border as i32)
                }
                Lookup::Texture(_) => unreachable!("tables are those of their engine"),
            };
        }
        let whole = targets.first().map_or_else(Extent::default, |(_, target)| target.extent());
        let place = match self.over {
            Over::Part(place) => {
                run = run.uniform("part", [place.x as i32, place.y as i32]);
                Extent::new(place.width, place.height)
            }
            _ => whole,
        };
        run = run.uniform("extent", [place.width as i32, place.height as i32]);
        for (name, target) in targets {
            run = run.image_mut(name, target);
        }
        Ok(run.run(GROUP.cover(place))?)
    }
}
