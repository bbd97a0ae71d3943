//! The iterate x and its residual in double precision: on the host, or on the devices of all ranks.

use std::ops::Range;

use crate::error::Kind;
use crate::linalg::double_system::{DoubleSystem, InDouble, Sums};
use crate::linalg::krylov::DeviceOperator;
use crate::linalg::solve::{
    DeviceIterate, Doubles, Iterate, Matrix, OnDevice, OnHost, Options, Precision, Problem,
    ResidualOn, Result,
};

use super::super::{RankSpace, Team, Vector};
use super::system::RankSystem;
use crate::cluster::communicator::collective;

/// Chooses double precision as the options ask for it; where they are open, on devices if all ranks
/// have room for it on hardware.
pub(super) fn doubles<A: DeviceOperator + 'static, M: InDouble + Matrix + Clone>(
    space: &RankSpace<A>,
    system: &RankSystem<M>,
    options: Options,
) -> Result<Box<dyn Doubles<RankSpace<A>>>> {
    if options.residual_on == Some(ResidualOn::Host) || options.precision != Precision::Mixed {
        return Ok(Box::new(OnHost));
    }
    let asked = options.residual_on == Some(ResidualOn::Device);
    let made = on_devices(space, system, asked)?;
    let communicator = space.team().communicator();
    if collective::any(communicator, made.is_none())? {
        return Ok(Box::new(OnHost));
    }
    let (systems, places) =
        (made.unwrap_or_default(), system.matrices().map(|(_, _, place)| place));
    Ok(Box::new(OnDevices { team: space.team().clone(), systems, places: places.collect() }))
}

/// Returns a system on the device of each local rank; `None` where one does not suit.
fn on_devices<A: DeviceOperator, M: InDouble + Matrix + Clone>(
    space: &RankSpace<A>,
    system: &RankSystem<M>,
    asked: bool,
) -> Result<Option<Vec<DoubleSystem>>> {
    let mut systems = Vec::new();
    for ((rank, matrix, _), operator) in system.matrices().zip(space.operators()) {
        let context = operator.context();
        if !asked && (context.abilities().software || !DoubleSystem::fits(context, matrix)) {
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
    places: Vec<Range<usize>>,
}

impl OnDevices {
    /// Adds up the sums of the ranks of all processes.
    fn total(&self, local: &[[f64; 2]]) -> Result<Sums> {
        let all = collective::gathered(self.team.communicator(), local)?;
        let total = |which: usize| all.iter().map(|sums| sums[which]).sum();
        Ok(Sums { elements: total(0), squares: total(1) })
    }
}

impl<A: DeviceOperator> Doubles<RankSpace<A>> for OnDevices {
    fn place(&self) -> ResidualOn {
        ResidualOn::Device
    }

    fn begin<'a>(
        &'a mut self,
        problem: &'a Problem<'a>,
    ) -> Result<Box<dyn Iterate<RankSpace<A>> + 'a>> {
        for (system, place) in self.systems.iter_mut().zip(&self.places) {
            system.set(&problem.b[place.clone()])?;
        }
        Ok(Box::new(DeviceIterate::new(self, problem)))
    }
}

impl<A: DeviceOperator> OnDevice<RankSpace<A>> for OnDevices {
    /// Adds c to x. Since the halos of c are valid, those of x remain so: nothing in double
    /// precision goes from rank to rank.
    fn add(&mut self, space: &RankSpace<A>, c: &Vector, factor: f64, keep: bool) -> Result<Sums> {
        space.refresh(c)?;
        let mut local = Vec::new();
        for (system, c) in self.systems.iter_mut().zip(c.grids()) {
            system.add(&c.borrow(), factor, keep)?;
            let Sums { elements, squares } = system.residual()?;
            local.push([elements, squares]);
        }
        self.total(&local)
    }

    fn keep(&mut self) -> Result<()> {
        Ok(self.systems.iter_mut().try_for_each(DoubleSystem::keep)?)
    }

    fn recall(&mut self) -> Result<Sums> {
        let mut local = Vec::new();
        for system in &mut self.systems {
            system.recall()?;
            let Sums { elements, squares } = system.residual()?;
            local.push([elements, squares]);
        }
        self.total(&local)
    }

    fn give_right_side(&self, factor: f64, to: &mut Vector) -> Result<()> {
        let mut pairs = self.systems.iter().zip(to.grids_mut());
        Ok(pairs.try_for_each(|(system, to)| system.scaled_right_side(factor, to))?)
    }

    fn give_residual(&self, shift: f64, factor: f64, to: &mut Vector) -> Result<()> {
        let mut pairs = self.systems.iter().zip(to.grids_mut());
        Ok(pairs.try_for_each(|(system, to)| system.scaled(shift, factor, to))?)
    }

    /// Gathers x of all ranks; with a single rank nothing is copied.
    fn read(&self) -> Result<Vec<f64>> {
        let mut systems = self.systems.iter();
        let mut x = systems.next().map_or(Ok(Vec::new()), DoubleSystem::x)?;
        for system in systems {
            x.extend(system.x()?);
        }
        Ok(x)
    }
}
