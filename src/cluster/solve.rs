//! Linear systems with nine-banded matrices on several ranks, to double precision: the methods of
//! [`linalg::solve`](crate::linalg::solve), with vectors in parts.

mod doubles;
mod slabs;
mod system;

use std::marker::PhantomData;
use std::rc::Rc;

use crate::data::{self, Float, NineBanded};
use crate::grid::Halo;
use crate::linalg::solve::engine::{self, Engine, Runs, Traits};
use crate::linalg::solve::scaling::Scale;
use crate::linalg::solve::{
    Choice, Doubles, Error, GenericSolver, Keeps, Make, Method, OnHost, Options, Part,
    Preconditioner, Preconditioning, Properties, Result, Solution, SystemSolver, Times, Watch,
    diagonal,
};
use crate::stream::observer::{Control, Observer, Progress};

use super::checkpointer::{Checkpointer, CollectiveCheckpointer};
use super::collective;
use super::multigrid::{Distribution, Multigrid};
use super::{Error as RankError, Partition, RankSpace, Team};

use system::{Parts, RankSystem};

/// A nine-banded system in parts on several ranks, to be solved for any number of right-hand sides.
///
/// ```
/// use std::rc::Rc;
/// use quadrille::{Context, cluster::{InProcess, Partition, Team, solve::Solver}};
/// use quadrille::{data::Stencil, grid::Halo, linalg::solve::Options};
/// let stencil: Stencil = "fe9:30".parse()?;
/// let partition = Partition::new((900, 30), [1, 2], Halo { steps: 1, across_ends: false })?;
/// let team = Team::new(Rc::new(InProcess::new(2)), vec![Context::headless()?; 2])?;
/// let parts = [0, 1].map(|rank| stencil.block(&partition.stored(rank)));
/// let [lower, upper] = parts;
/// let matrices = [lower?, upper?];
/// let mut solver = Solver::new(&team, &partition, &matrices, Options::new().tolerance(1e-10))?;
/// // What the first rank stores, and then what the second does.
/// let b = vec![1.0; matrices[0].n() + matrices[1].n()];
/// let solution = solver.solve(&b, &mut ())?;
/// assert!(solution.residual <= 1e-10);
/// assert_eq!(solution.x.len(), 450 + 450); // what they own
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver<T: Float = f32> {
    core: GenericSolver<Box<dyn Runs>>,
    system: Rc<dyn Parts>,
    properties: Properties,
    checkpointer: Box<dyn Checkpointer<Vec<Vec<f64>>>>,
    /// That of nine-banded matrices.
    precision: PhantomData<T>,
}

impl<T: Float> Solver<T> {
    /// Puts the parts of a matrix on the devices of this process's ranks: of each local rank the
    /// matrix of what it [stores](Partition::stored). The method is chosen, where options leave it
    /// open, for the whole matrix.
    ///
    /// # Errors
    ///
    /// Those of [`linalg::solve::Solver::new`](crate::linalg::solve::Solver::new) for the whole
    /// matrix; [`Error::Space`] if team, partition and matrices do not fit each other, and for
    /// errors of the communicator.
    pub fn new(
        team: &Team,
        partition: &Partition,
        matrices: &[NineBanded<T>],
        options: Options,
    ) -> Result<Solver<T>> {
        if options.method == Some(Method::Fft) {
            return Err(Error::NotOnRanks);
        }
        partition.must_suit(team, matrices.len())?;
        for ((rank, _), matrix) in team.local().zip(matrices) {
            partition.must_be_stored("a matrix", rank, matrix.n())?;
        }
        let watch = Rc::new(Watch::new(team.contexts().to_vec()));
        let properties = properties(team, partition, matrices)?;
        partition.must_have_halos(&properties)?;
        let system = Rc::new(RankSystem::new(team, partition, matrices));
        let maker = Maker {
            team: team.clone(),
            partition: partition.clone(),
            system: Rc::clone(&system),
            properties,
            options,
            watch: Rc::clone(&watch),
        };
        let make: Make<Box<dyn Runs>> =
            Box::new(move |choice, scale| Ok(Box::new(maker.make(choice, scale)?)));
        // A rank alone cannot turn to another method.
        let core = GenericSolver::new(
            Box::new(Rc::clone(&system)),
            &properties,
            options,
            make,
            &watch,
            false,
        )?;
        Ok(Solver::with_core(core, system, properties))
    }

    fn with_core(
        core: GenericSolver<Box<dyn Runs>>,
        system: Rc<dyn Parts>,
        properties: Properties,
    ) -> Solver<T> {
        Solver { core, system, properties, checkpointer: Box::new(()), precision: PhantomData }
    }

    /// Sets where x is saved when that is due, and where it has not converged.
    pub fn save_to(&mut self, checkpointer: impl Checkpointer<Vec<Vec<f64>>> + 'static) {
        self.checkpointer = Box::new(checkpointer);
    }

    /// Returns the properties of the whole matrix.
    pub fn properties(&self) -> &Properties {
        &self.properties
    }

    /// Solves A x = b from x = 0. b is what each local rank stores of it, one rank after the other, and then x what each
    /// owns. All processes take the same steps, and the observer of any stops all.
    ///
    /// # Errors
    ///
    /// Those of
    /// [`linalg::solve::Solver::solve_observed`](crate::linalg::solve::Solver::solve_observed), of the checkpointer, and
    /// [`Error::Space`] for errors of the communicator.
    pub fn solve(&mut self, b: &[f64], observer: &mut dyn Observer) -> Result<Solution> {
        self.solve_side(b, None, observer)
    }

    /// Solves like [`solve`](Self::solve) from an x0 of the same form as b.
    ///
    /// # Errors
    ///
    /// Those of [`solve`](Self::solve), and [`Error::Length`] and [`Error::NotFinite`] if x0 does not fit.
    pub fn solve_from(
        &mut self,
        b: &[f64],
        x0: &[f64],
        observer: &mut dyn Observer,
    ) -> Result<Solution> {
        self.solve_side(b, Some(x0), observer)
    }
}

impl<T: Float> SystemSolver for Solver<T> {
    fn warm_up(&mut self) -> Result<()> {
        self.core.warm_up()
    }

    fn choice(&self) -> &Choice {
        &self.core.choice
    }

    fn setup_times(&self) -> Times {
        self.core.setup_times()
    }

    fn has_constant_null_space(&self) -> bool {
        self.core.singular
    }

    fn solve_side(
        &mut self,
        b: &[f64],
        x0: Option<&[f64]>,
        observer: &mut dyn Observer,
    ) -> Result<Solution> {
        let system = Rc::clone(&self.system);
        let mut agreed = AgreedObserver { team: system.team(), observer };
        let checkpointer = CollectiveCheckpointer::new(system.team(), &mut *self.checkpointer);
        let keeps = Kept { system: &*system, checkpointer: &checkpointer };
        let solution = self.core.solve(b, x0, &mut agreed, Some(&keeps))?;
        if !solution.converged() {
            keeps.keep(solution.iterations, &solution.x)?;
        }
        let x = system.owned_from(solution.x);
        Ok(Solution { x, ..solution }.or_not_converged()?)
    }
}

/// Keeps what ranks own of x.
struct Kept<'a, 'k> {
    system: &'a dyn Parts,
    checkpointer: &'a CollectiveCheckpointer<'k, Vec<Vec<f64>>>,
}

impl Keeps for Kept<'_, '_> {
    fn is_due(&self) -> Result<bool> {
        Ok(self.checkpointer.is_due()?)
    }

    fn keep(&self, iterations: u64, x: &[f64]) -> Result<()> {
        Ok(self.checkpointer.keep(iterations, &self.system.owned(x))?)
    }
}

/// Returns the parts of a system of this many unknowns in rows of a width, for columns and rows of
/// ranks: with the halos that multigrid takes, unless the options name another preconditioner, or
/// the ends of rows are coupled.
///
/// # Errors
///
/// Those of [`Partition::new`].
pub fn partition(
    size: (usize, usize),
    across: [usize; 2],
    across_ends: bool,
    options: Options,
) -> Result<Partition, RankError> {
    let may_be_multigrid = matches!(
        options.preconditioner,
        Preconditioning::Auto(_) | Preconditioning::Given(Preconditioner::Multigrid(_))
    );
    let multigrid = options.method == Some(Method::Multigrid)
        || may_be_multigrid && options.method != Some(Method::Jacobi);
    match multigrid && !across_ends {
        true => Distribution::new().partition(size, across),
        false => Partition::new(size, across, Halo { steps: 1, across_ends }),
    }
}

/// Combines the properties of the ranks' parts of a matrix.
fn properties<T: Float>(
    team: &Team,
    partition: &Partition,
    matrices: &[NineBanded<T>],
) -> Result<Properties> {
    let (n, m) = partition.size();
    let of_rank = |((rank, _), matrix): ((usize, _), &NineBanded<T>)| {
        Properties::of_part(matrix, &partition.stored(rank), &partition.owned(rank), n, m)
    };
    let local: Vec<Properties> = team.local().zip(matrices).map(of_rank).collect();
    let all = collective::gathered(team.communicator(), &local)?;
    Ok(all.into_iter().fold(Properties::NONE, Properties::combined))
}

fn must_divide<T: Float>(
    matrix: &NineBanded<T>,
    single: &NineBanded,
    whole: impl Fn(usize) -> usize,
) -> Result<()> {
    match engine::must_divide(matrix, single) {
        Err(Error::Data(data::Error::Bands(data::BandError::SmallDiagonal { row, value }))) => {
            Err(data::BandError::SmallDiagonal { row: whole(row), value }.into())
        }
        other => other,
    }
}

/// Makes a method on the ranks.
struct Maker<T: Float> {
    team: Team,
    partition: Partition,
    system: Rc<RankSystem<NineBanded<T>>>,
    properties: Properties,
    options: Options,
    watch: Rc<Watch>,
}

impl<T: Float> Maker<T> {
    fn make(&self, choice: &mut Choice, scale: Scale<'_>) -> Result<Box<dyn Engine<RankSpace>>> {
        let singles = self.singles(choice, scale)?;
        let mut diagonals = Vec::new();
        if engine::needs_diagonal(choice.preconditioner) {
            for single in &singles {
                diagonals.extend(diagonal(single)?);
            }
        }
        let traits = Traits::new(diagonals, &self.properties);
        let space = RankSpace::new(&self.team, &self.partition, &singles)?;
        let doubles: Box<dyn Doubles<RankSpace>> = match scale {
            Scale::Sides(_) => Box::new(OnHost),
            Scale::Factor(_) => doubles::doubles(&space, &self.system, self.options)?,
        };
        choice.residual_on = doubles.place();
        engine::build(space, choice, &traits, doubles, |space, options| {
            let multigrid = self
                .watch
                .during(Part::Levels, || Multigrid::new(space, options, Distribution::new()))?;
            let smoothers = multigrid.smoothers();
            Ok((Box::new(multigrid), smoothers))
        })
    }

    /// Returns the matrices in 32-bit floats.
    fn singles(&self, choice: &Choice, scale: Scale<'_>) -> Result<Vec<NineBanded>> {
        let mut singles = Vec::new();
        for (rank, matrix, place) in self.system.matrices() {
            let scale = match scale {
                Scale::Sides(ref sides) => Scale::Sides(sides.of(place)),
                factor => factor,
            };
            let single = scale.single(matrix)?;
            if choice.preconditioner != Preconditioner::Identity {
                must_divide(matrix, &single, |row| self.partition.whole_row(rank, row))?;
            }
            singles.push(single);
        }
        Ok(singles)
    }
}

/// An observer of one process, which stops all.
struct AgreedObserver<'a> {
    team: &'a Team,
    observer: &'a mut dyn Observer,
}

impl Observer for AgreedObserver<'_> {
    fn observe(&mut self, progress: &Progress) -> Control {
        let stop = self.observer.observe(progress) == Control::Stop;
        match collective::any(self.team.communicator(), stop) {
            Ok(false) => Control::Continue,
            // What fails here fails again where it can be reported.
            Ok(true) | Err(_) => Control::Stop,
        }
    }
}
