//! The iterate x and its residual in double precision: on the host, or on the devices of all ranks.

use std::borrow::Cow;

use crate::data::Float;
use crate::error::Kind;
use crate::linalg::nine_banded::{DoubleSystem, Sums};
use crate::linalg::solve::{
    Doubles, Error, Iterate, OnHost, Options, Precision, Problem, ResidualOn, settled,
};

use super::super::{RankSpace, Team, Vector, collective};
use super::system::RankSystem;

/// Double precision as the options ask for; where they are open, on devices if all ranks have room for it on hardware.
pub(super) fn doubles<T: Float>(
    space: &RankSpace,
    system: &RankSystem<T>,
    options: Options,
) -> Result<Box<dyn Doubles<RankSpace>>, Error> {
    if options.residual_on == Some(ResidualOn::Host) || options.precision != Precision::Mixed {
        return Ok(Box::new(OnHost));
    }
    let asked = options.residual_on == Some(ResidualOn::Device);
    let made = on_devices(space, system, asked)?;
    let communicator = space.team().communicator();
    if collective::any(communicator, made.is_none())? {
        return Ok(Box::new(OnHost));
    }
    let systems = made.unwrap_or_default();
    Ok(Box::new(OnDevices { team: space.team().clone(), systems, places: places(system) }))
}

fn places<T: Float>(system: &RankSystem<T>) -> Vec<std::ops::Range<usize>> {
    system.matrices().map(|(_, _, place)| place).collect()
}

/// A system on the device of each local rank; `None` where one does not suit.
fn on_devices<T: Float>(
    space: &RankSpace,
    system: &RankSystem<T>,
    asked: bool,
) -> Result<Option<Vec<DoubleSystem>>, Error> {
    let mut systems = Vec::new();
    for ((rank, matrix, _), operator) in system.matrices().zip(space.operators()) {
        let context = operator.context();
        let suits = DoubleSystem::fits(context, matrix.n());
        if !asked && (context.abilities().software || !suits) {
            return Ok(None);
        }
        let owned = space.partition().inside(rank);
        match DoubleSystem::on_rank(context, matrix, operator.plan(), &owned) {
            Ok(Some(made)) => systems.push(made),
            Ok(None) => return Ok(None),
            Err(error) if error.kind() == Kind::OutOfMemory && !asked => return Ok(None),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Some(systems))
}

struct OnDevices {
    team: Team,
    systems: Vec<DoubleSystem>,
    /// Where each rank's numbers are in a vector of the host.
    places: Vec<std::ops::Range<usize>>,
}

impl Doubles<RankSpace> for OnDevices {
    fn place(&self) -> ResidualOn {
        ResidualOn::Device
    }

    fn begin<'a>(
        &'a mut self,
        problem: &'a Problem<'a>,
    ) -> Result<Box<dyn Iterate<RankSpace> + 'a>, Error> {
        for (system, place) in self.systems.iter_mut().zip(&self.places) {
            system.set(&problem.b[place.clone()])?;
        }
        let (empty, mean, settled) = (true, 0.0, Vec::new());
        Ok(Box::new(DeviceIterate { doubles: self, problem, empty, mean, settled }))
    }
}

struct DeviceIterate<'a> {
    doubles: &'a mut OnDevices,
    problem: &'a Problem<'a>,
    /// Whether x is zero, and the devices' undefined.
    empty: bool,
    /// Of the residual, where it must have none.
    mean: f64,
    /// x on the host, once it is there.
    settled: Vec<f64>,
}

impl Iterate<RankSpace> for DeviceIterate<'_> {
    fn clear(&mut self) {
        self.empty = true;
    }

    /// With the halos of c those of x remain what other ranks have: nothing in double precision goes from rank to rank.
    fn correct(&mut self, space: &RankSpace, c: &Vector, factor: f64) -> Result<f64, Error> {
        space.refresh(c)?;
        let mut local = Vec::new();
        for (system, c) in self.doubles.systems.iter_mut().zip(c.grids()) {
            system.add(&c.borrow(), factor, !self.empty)?;
            let Sums { elements, squares } = system.residual()?;
            local.push([elements, squares]);
        }
        self.empty = false;
        let all = collective::gathered(self.doubles.team.communicator(), &local)?;
        let total = |which: usize| all.iter().map(|sums| sums[which]).sum::<f64>();
        let (elements, squares) = (total(0), total(1));
        let count = self.problem.unknowns as f64;
        self.mean = if self.problem.projected { elements / count } else { 0.0 };
        Ok((squares - count * self.mean * self.mean).max(0.0).sqrt())
    }

    fn give(&self, _: &RankSpace, factor: f64, to: &mut Vector) -> Result<(), Error> {
        for (system, to) in self.doubles.systems.iter().zip(to.grids_mut()) {
            match self.empty {
                true => system.scaled_right_side(factor, to)?,
                false => system.scaled(self.mean, factor, to)?,
            }
        }
        Ok(())
    }

    fn x(&self) -> Result<Cow<'_, [f64]>, Error> {
        let mut x = Vec::new();
        if self.empty {
            x = crate::memory::zeroed(self.problem.b.len())?;
        } else {
            for system in &self.doubles.systems {
                let part = system.x()?;
                x = if x.is_empty() { part } else { [x, part].concat() };
            }
        }
        Ok(Cow::Owned(x))
    }

    fn settle(&mut self) -> Result<f64, Error> {
        let x = self.x()?.into_owned();
        let (x, size) = settled(self.problem, x)?;
        self.settled = x;
        Ok(size)
    }

    fn into_x(self: Box<Self>) -> Vec<f64> {
        self.settled
    }
}
