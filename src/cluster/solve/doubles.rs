//! The iterate x and its residual in double precision: on the host, or on the devices of all ranks.

use crate::data::{Float, NineBanded};
use crate::error::Kind;
use crate::linalg::double_system::{DoubleSystem, Sums};
use crate::linalg::solve::{
    DeviceIterate, Doubles, Error, Iterate, OnDevice, OnHost, Options, Precision, Problem,
    ResidualOn,
};

use super::super::{RankSpace, Team, Vector};
use super::system::RankSystem;
use crate::cluster::communicator::collective;

/// Chooses double precision as the options ask for it; where they are open, on devices if all ranks
/// have room for it on hardware.
pub(super) fn doubles<T: Float>(
    space: &RankSpace,
    system: &RankSystem<NineBanded<T>>,
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

fn places<T: Float>(system: &RankSystem<NineBanded<T>>) -> Vec<std::ops::Range<usize>> {
    system.matrices().map(|(_, _, place)| place).collect()
}

/// Returns a system on the device of each local rank; `None` where one does not suit.
fn on_devices<T: Float>(
    space: &RankSpace,
    system: &RankSystem<NineBanded<T>>,
    asked: bool,
) -> Result<Option<Vec<DoubleSystem>>, Error> {
    let mut systems = Vec::new();
    for ((rank, matrix, _), operator) in system.matrices().zip(space.operators()) {
        let context = operator.context();
        let suits = DoubleSystem::fits(context, matrix);
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
    /// The range of each rank's numbers in a vector of the host.
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
        Ok(Box::new(DeviceIterate::new(self, problem)))
    }
}

impl OnDevice<RankSpace> for OnDevices {
    /// Adds c to x. Since the halos of c are valid, those of x remain so: nothing in double
    /// precision goes from rank to rank.
    fn add(
        &mut self,
        space: &RankSpace,
        c: &Vector,
        factor: f64,
        keep: bool,
    ) -> Result<Sums, Error> {
        space.refresh(c)?;
        let mut local = Vec::new();
        for (system, c) in self.systems.iter_mut().zip(c.grids()) {
            system.add(&c.borrow(), factor, keep)?;
            let Sums { elements, squares } = system.residual()?;
            local.push([elements, squares]);
        }
        let all = collective::gathered(self.team.communicator(), &local)?;
        let total = |which: usize| all.iter().map(|sums| sums[which]).sum();
        Ok(Sums { elements: total(0), squares: total(1) })
    }

    fn give_right_side(&self, factor: f64, to: &mut Vector) -> Result<(), Error> {
        let mut pairs = self.systems.iter().zip(to.grids_mut());
        Ok(pairs.try_for_each(|(system, to)| system.scaled_right_side(factor, to))?)
    }

    fn give_residual(&self, shift: f64, factor: f64, to: &mut Vector) -> Result<(), Error> {
        let mut pairs = self.systems.iter().zip(to.grids_mut());
        Ok(pairs.try_for_each(|(system, to)| system.scaled(shift, factor, to))?)
    }

    /// Gathers x of all ranks; with a single rank nothing is copied.
    fn read(&self) -> Result<Vec<f64>, Error> {
        let mut systems = self.systems.iter();
        let mut x = systems.next().map_or(Ok(Vec::new()), DoubleSystem::x)?;
        for system in systems {
            x.extend(system.x()?);
        }
        Ok(x)
    }
}
