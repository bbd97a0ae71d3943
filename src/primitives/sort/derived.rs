//! What is made by sorts: different numbers, the first of all, and sorted rows.

use std::rc::Rc;

use crate::gl::must_be;
use crate::grid::{DeviceVector, row_shift};
use crate::shader::{Source, Stage};
use crate::stream::group::Setup;
use crate::stream::kept::Kept;
use crate::stream::launch::{Program, Programs};
use crate::stream::{Engine, Error, Result};

use super::super::kit::starts::RunStarts;
use super::super::number::Number;
use super::super::select::Select;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum VectorMap {
    /// The first numbers, of the type with this define.
    Take(&'static str),
    Row,
    Column,
}

/// The kernels, made when they are first needed.
pub(super) struct Derived<T: Number> {
    programs: Kept<(), Programs<VectorMap>>,
    starts: Kept<(), RunStarts<T>>,
    select: Kept<(), Select<T>>,
}

impl<T: Number> Default for Derived<T> {
    fn default() -> Self {
        let (programs, starts, select) = Default::default();
        Derived { programs, starts, select }
    }
}

fn source(map: VectorMap) -> Result<Source> {
    let library = |path| Source::library(Stage::Fragment, path);
    Ok(match map {
        VectorMap::Take(number) => library("parts/take.frag")?.define(number, 1),
        VectorMap::Row => library("sort/rows.frag")?,
        VectorMap::Column => library("sort/rows.frag")?.define("COLUMN", 1),
    })
}

pub(super) fn sources() -> Result<Vec<Source>> {
    let takes = [f32::DEFINE, i32::DEFINE, u32::DEFINE].map(VectorMap::Take);
    takes.into_iter().chain([VectorMap::Row, VectorMap::Column]).map(source).collect()
}

impl<T: Number> Derived<T> {
    /// Returns the first numbers of a vector.
    pub(super) fn take<V: Number>(
        &self,
        from: &DeviceVector<V>,
        count: usize,
    ) -> Result<DeviceVector<V>> {
        let program = self.program(from, VectorMap::Take(V::DEFINE))?;
        let mut to = DeviceVector::uninit(from.context(), count.min(from.len()))?;
        for ((from, _), (to, length)) in from.panels().zip(to.panels_mut()) {
            let launch = program.launch().input("numbers", from);
            let launch = launch.uniform("shift", row_shift(from.extent()));
            let launch = launch.uniform("shift_of_target", row_shift(to.extent()));
            launch.uniform("length_of_target", length as i32).write("numbers", to)?;
        }
        Ok(to)
    }

    /// Returns the row or the column of each place in a matrix.
    fn mapped(
        &self,
        map: VectorMap,
        places: &DeviceVector<u32>,
        columns: usize,
    ) -> Result<DeviceVector<u32>> {
        let program = self.program(places, map)?;
        let mut to = DeviceVector::uninit(places.context(), places.len())?;
        for ((places, length), (to, _)) in places.panels().zip(to.panels_mut()) {
            let launch =
                program.launch().input("places", places).uniform("columns", columns as u32);
            let launch = launch.uniform("shift", row_shift(places.extent()));
            launch.uniform("length_of_panel", length as i32).write("result", to)?;
        }
        Ok(to)
    }

    /// Returns the row of each place in a matrix.
    pub(super) fn rows(
        &self,
        places: &DeviceVector<u32>,
        columns: usize,
    ) -> Result<DeviceVector<u32>> {
        self.mapped(VectorMap::Row, places, columns)
    }

    /// Returns the column of each place in a matrix.
    pub(super) fn columns(
        &self,
        places: &DeviceVector<u32>,
        columns: usize,
    ) -> Result<DeviceVector<u32>> {
        self.mapped(VectorMap::Column, places, columns)
    }

    /// Returns the different numbers of a sorted vector.
    pub(super) fn different(
        &self,
        sorted: &DeviceVector<T>,
        chosen: Option<Engine>,
    ) -> Result<DeviceVector<T>> {
        let context = sorted.context();
        let starts = self.starts.get_or(&(), || RunStarts::new(context))?;
        let engine = chosen.unwrap_or_else(|| Engine::default_for(context));
        let select = self.select.get_or(&(), || Select::masked_on(context, engine))?;
        select.of_masked(sorted, &starts.of(sorted)?)
    }

    fn program<V: Number>(&self, of: &DeviceVector<V>, map: VectorMap) -> Result<Rc<Program>> {
        let context = of.context();
        let make = || Ok::<_, Error>(Programs::new(context, Setup::Fragment));
        self.programs.get_or(&(), make)?.get(&map, |map, _| source(*map))
    }
}

/// Refuses rows that are not whole.
pub(super) fn must_be_whole(length: usize, columns: usize) -> Result<()> {
    let rows = length / columns.max(1);
    let what = format!("a sort of rows: {rows} rows of {columns} numbers");
    Ok(must_be(rows * columns, length, what)?)
}
