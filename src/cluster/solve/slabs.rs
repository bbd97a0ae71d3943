//! Grids of three dimensions on several ranks, each of which has a slab of slices along z.
//!
//! Products exchange a slice with both neighbours. Multigrid is each rank's own: a cycle for the slab that it owns, as if
//! x were zero beyond the slices around it (additive Schwarz without a coarse grid: Dryja and Widlund, "Towards a
//! unified theory of domain decomposition algorithms for elliptic problems", 1990). So steps grow with ranks.

use std::marker::PhantomData;
use std::ops::Range;
use std::rc::Rc;

use crate::data::{self, GridMatrix};
use crate::grid::DeviceGrid;
use crate::linalg::grid3::{Hierarchy, Operator};
use crate::linalg::krylov::{self, DeviceOperator};
use crate::linalg::multigrid;
use crate::linalg::solve::engine::{self, Engine, Runs, Traits};
use crate::linalg::solve::scaling::Scale;
use crate::linalg::solve::{
    Choice, Error, GenericSolver, Make, Method, OnHost, Options, Part, Preconditioner, Properties,
    ResidualOn, Watch, must_divide_in_space,
};
use crate::memory;

use super::super::{Error as RankError, Partition, RankSpace, Team, Vector};
use super::Solver;
use super::system::RankSystem;

type Space = RankSpace<Operator>;

impl Solver<f64> {
    /// Puts the slabs of a matrix on a grid of three dimensions on the devices of this process's ranks, cut by
    /// [`Partition::of_slabs`]. Each process has the whole matrix on its host.
    ///
    /// # Errors
    ///
    /// [`Error::PeriodicSlabs`] for a matrix that couples the ends along z; [`Error::FftInSpace`] and
    /// [`Error::NoDoubles`] for what several ranks have not; those of [`new`](Solver::new) and of
    /// [`linalg::solve::Solver::of_grid`](crate::linalg::solve::Solver::of_grid).
    pub fn of_grid(
        team: &Team,
        partition: &Partition,
        matrix: &GridMatrix,
        options: Options,
    ) -> Result<Solver<f64>, Error> {
        if options.method == Some(Method::Fft) {
            return Err(Error::FftInSpace);
        }
        if options.residual_on == Some(ResidualOn::Device) {
            return Err(Error::NoDoubles);
        }
        partition.must_suit(team, team.communicator().local().len())?;
        if partition.ranks() > 1 && matrix.periodic()[2] {
            return Err(Error::PeriodicSlabs);
        }
        let [points, lines, slices] = matrix.grid().points();
        if *partition != Partition::of_slabs(matrix.grid(), partition.ranks())? {
            let expected = format!("slabs of a grid of {points} x {lines} x {slices}");
            let got = "another partition".into();
            let what = "the parts of a matrix of three dimensions";
            return Err(RankError::Part { what, rank: 0, expected, got }.into());
        }
        let watch = Rc::new(Watch::new(team.contexts().to_vec()));
        let properties = Properties::of_grid(matrix);
        let slabs = team.local().map(|(rank, _)| matrix.slab(slices_of(partition, rank, lines)));
        let slabs = slabs.collect::<data::Result<Vec<_>>>()?;
        let system = Rc::new(RankSystem::new(team, partition, &slabs));
        let maker = Maker {
            team: team.clone(),
            partition: partition.clone(),
            system: Rc::clone(&system),
            properties,
            watch: Rc::clone(&watch),
        };
        let make: Make<Box<dyn Runs>> =
            Box::new(move |choice, scale| Ok(Box::new(maker.make(choice, scale)?)));
        let parts = Box::new(Rc::clone(&system));
        let core = GenericSolver::new(parts, &properties, options, make, &watch, false)?;
        Ok(Solver { core, system, properties, precision: PhantomData })
    }
}

/// Returns the slices that a rank stores.
fn slices_of(partition: &Partition, rank: usize, lines: usize) -> Range<usize> {
    let rows = partition.stored(rank).rows;
    rows.start / lines..rows.end / lines
}

/// Makes a method on the ranks.
struct Maker {
    team: Team,
    partition: Partition,
    system: Rc<RankSystem<GridMatrix>>,
    properties: Properties,
    watch: Rc<Watch>,
}

impl Maker {
    fn make(&self, choice: &mut Choice, scale: Scale<'_>) -> Result<Box<dyn Engine<Space>>, Error> {
        let (mut operators, mut diagonals) = (Vec::new(), Vec::new());
        for ((rank, slab, place), (_, context)) in self.system.matrices().zip(self.team.local()) {
            let scale = match scale {
                Scale::Sides(ref sides) => Scale::Sides(sides.of(place)),
                factor => factor,
            };
            let scaled = scale.of_grid(slab)?;
            if choice.preconditioner != Preconditioner::Identity {
                must_divide_in_space(&scaled, |place| {
                    let row = slab.grid().index(place);
                    (self.partition.whole_row(rank, row), slab.diagonal(place))
                })?;
            }
            if engine::needs_diagonal(choice.preconditioner) {
                let numbers =
                    scaled.grid().places().map(|at| f64::from(scaled.diagonal(at) as f32));
                diagonals.extend(memory::collected(scaled.n(), numbers)?);
            }
            let (owned, halo) = (self.partition.inside(rank), self.partition.halo());
            operators.push(Operator::on_rank(context, &scaled, &owned, halo)?);
        }
        let traits = Traits::new(diagonals, &self.properties);
        let space = RankSpace::with(&self.team, &self.partition, operators)?;
        engine::build(space, choice, &traits, Box::new(OnHost), |space, options| {
            let made = self.watch.during(Part::Levels, || Slabs::new(space, options))?;
            let smoothers = made.smoothers();
            Ok((Box::new(made), smoothers))
        })
    }
}

/// Multigrid for the slabs of the ranks, each by itself.
struct Slabs {
    ranks: Vec<Slab>,
}

struct Slab {
    hierarchy: Hierarchy,
    /// A residual of what the rank owns, and zeros in the halo.
    own: DeviceGrid,
}

impl Slabs {
    fn new(space: &Space, options: multigrid::Options) -> Result<Slabs, Error> {
        // A slab that is not the whole has neighbours that are taken for zero.
        let is_singular = options.constant_null_space && space.partition().ranks() == 1;
        let options = options.constant_null_space(is_singular);
        let mut ranks = Vec::new();
        for operator in space.operators() {
            let own = DeviceGrid::zeros(operator.context(), operator.plan())?;
            ranks.push(Slab { hierarchy: Hierarchy::new(operator, options)?, own });
        }
        Ok(Slabs { ranks })
    }

    fn smoothers(&self) -> Vec<multigrid::Smoother> {
        self.ranks.first().map(|slab| slab.hierarchy.smoothers()).unwrap_or_default()
    }
}

impl krylov::Preconditioner<Space> for Slabs {
    fn apply(&mut self, _: &Space, r: &Vector, z: &mut Vector) -> Result<(), RankError> {
        for ((slab, r), z) in self.ranks.iter_mut().zip(r.grids()).zip(z.grids_mut()) {
            let Slab { hierarchy, own } = slab;
            for (own, (texture, part)) in own.textures_mut().iter_mut().zip(r.borrow().panels()) {
                let owned = part.local(part.owned);
                own.copy_part(owned, texture, owned)?;
            }
            hierarchy.cycle(own, z)?;
        }
        Ok(())
    }

    fn applications(&self) -> u64 {
        self.ranks.first().map_or(0, |slab| slab.hierarchy.products())
    }
}
