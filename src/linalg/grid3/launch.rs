//! A component of multigrid with its arguments, which runs by one program, or by two where lines inside have their own.

use crate::Rectangle;
use crate::gl::{Target, Value};
use crate::linalg::nine_banded::Result;
use crate::stream::Geometry;
use crate::stream::launch::Programs;

use super::Grid;
use super::programs::{Component, StencilAccess, Variant};
use super::region::Region;
use super::table::Table;

/// What a kernel computes.
#[derive(Clone, Copy)]
enum Over<'a> {
    All,
    /// One place of several side by side.
    Part(Rectangle),
    /// All, and the part with numbers that are the same on every line by itself.
    Region(&'a Region),
}

/// The launch of a component, with its arguments.
pub(super) struct Launch<'a> {
    programs: &'a Programs<Variant>,
    component: Component,
    access: StencilAccess,
    inputs: Vec<(&'static str, &'a Grid)>,
    uniforms: Vec<(&'static str, Value)>,
    table: Option<&'a Table>,
    over: Over<'a>,
}

impl<'a> Launch<'a> {
    /// Begins with the arguments of a component.
    pub(super) fn of(
        programs: &'a Programs<Variant>,
        component: Component,
        access: StencilAccess,
    ) -> Launch<'a> {
        let (inputs, uniforms) = (Vec::new(), Vec::new());
        Launch { programs, component, access, inputs, uniforms, table: None, over: Over::All }
    }

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
    pub(super) fn run(self, target: &mut Grid) -> Result<()> {
        let Over::Region(region) = self.over else {
            return self.run_program(self.access, Geometry::Full, &mut [("value", target)]);
        };
        region.each(|inner, over| {
            self.run_program(
                StencilAccess { inner, ..self.access },
                over,
                &mut [("value", &mut *target)],
            )
        })
    }

    /// Computes two targets of one extent.
    pub(super) fn run_both(self, one: &mut Grid, other: &mut Grid) -> Result<()> {
        let targets: &mut [(&str, &mut dyn Target)] = &mut [("value_0", one), ("value_1", other)];
        self.run_program(self.access, Geometry::Full, targets)
    }

    fn run_program(
        &self,
        access: StencilAccess,
        over: Geometry<'_>,
        targets: &mut [(&str, &mut dyn Target)],
    ) -> Result<()> {
        let variant = Variant::new(self.component, access, self.programs.engine());
        let program = self.programs.get(&variant, Variant::source)?;
        let mut launch = program.launch().over(match self.over {
            Over::Part(place) => Geometry::Rectangle(place),
            _ => over,
        });
        for (name, image) in &self.inputs {
            launch = launch.input(name, *image);
        }
        for (name, value) in &self.uniforms {
            launch = launch.uniform(name, value.clone());
        }
        if let Some(table) = self.table {
            launch = table.bind(launch, access.inner);
        }
        Ok(launch.into(targets)?)
    }
}
