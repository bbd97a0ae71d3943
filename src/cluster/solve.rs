//! Linear systems with nine-banded matrices on several ranks, to double precision: the methods of
//! [`linalg::solve`](crate::linalg::solve), with vectors in parts.

mod doubles;
mod slabs;
mod system;

use std::marker::PhantomData;
use std::rc::Rc;

use crate::data::{self, Float, NineBanded};
use crate::grid::Halo;
use crate::linalg::double_system::InDouble;
use crate::linalg::krylov::{DeviceOperator, Preconditioner as Preconditions};
use crate::linalg::multigrid::{self, Smoother};
use crate::linalg::nine_banded::Operator;
use crate::linalg::solve::engine::{self, Engine, Runs, Traits};
use crate::linalg::solve::scaling::Scale;
use crate::linalg::solve::{
    Choice, Doubles, Error, GenericSolver, Make, Matrix, Method, OnHost, Options, Part,
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
        let watch = Watch::new(team.contexts().to_vec());
        let properties = properties(team, partition, matrices)?;
        partition.must_have_halos(&properties)?;
        let system = RankSystem::new(team, partition, matrices);
        Maker::new(system, properties, options, watch).solver(Maker::engine)
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
        let system = &*self.system;
        let checkpointer = CollectiveCheckpointer::new(system.team(), &mut *self.checkpointer);
        let mut agreed = AgreedObserver { system, observer, checkpointer, kept: Ok(()) };
        let solution = self.core.solve(b, x0, &mut agreed)?;
        agreed.kept?;
        if !solution.converged() {
            agreed.checkpointer.keep(solution.iterations, &system.owned(&solution.x))?;
        }
        let x = system.owned_from(solution.x);
        Ok(Solution { x, ..solution }.or_not_converged()?)
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

/// What a method on the ranks is made of, now and where another turns out to be needed.
struct Maker<M> {
    system: Rc<RankSystem<M>>,
    properties: Properties,
    options: Options,
    watch: Rc<Watch>,
}

type RankEngine<A> = Box<dyn Engine<RankSpace<A>>>;

impl<M: InDouble + Matrix + Clone + 'static> Maker<M> {
    fn new(
        system: RankSystem<M>,
        properties: Properties,
        options: Options,
        watch: Watch,
    ) -> Maker<M> {
        Maker { system: Rc::new(system), properties, options, watch: Rc::new(watch) }
    }

    /// Returns a solver whose methods a function makes.
    fn solver<T: Float, A: DeviceOperator + 'static>(
        self,
        engine: impl Fn(&Maker<M>, &mut Choice, Scale<'_>) -> Result<RankEngine<A>> + 'static,
    ) -> Result<Solver<T>> {
        let Maker { properties, options, .. } = self;
        let (system, watch) = (Rc::clone(&self.system), Rc::clone(&self.watch));
        let make: Make<Box<dyn Runs>> =
            Box::new(move |choice, scale| Ok(engine(&self, choice, scale)?));
        let parts = Box::new(Rc::clone(&system));
        // A rank alone cannot turn to another method.
        let core = GenericSolver::new(parts, &properties, options, make, &watch, false)?;
        let (checkpointer, precision) = (Box::new(()), PhantomData);
        Ok(Solver { core, system, properties, checkpointer, precision })
    }

    /// Returns the method in a space of the matrix in this scale, whose diagonal it has where
    /// preconditioners need it.
    fn engine_in<A: DeviceOperator + 'static, P: Preconditions<RankSpace<A>> + 'static>(
        &self,
        space: RankSpace<A>,
        choice: &mut Choice,
        scale: Scale<'_>,
        diagonal: Vec<f64>,
        multigrid: impl FnOnce(&RankSpace<A>, multigrid::Options) -> Result<(P, Vec<Smoother>)>,
    ) -> Result<RankEngine<A>> {
        let traits = Traits::new(diagonal, &self.properties);
        let doubles: Box<dyn Doubles<RankSpace<A>>> = match scale {
            Scale::Sides(_) => Box::new(OnHost),
            Scale::Factor(_) => doubles::doubles(&space, &self.system, self.options)?,
        };
        choice.residual_on = doubles.place();
        engine::build(space, choice, &traits, doubles, |space, options| {
            let made = self.watch.during(Part::Levels, || multigrid(space, options))?;
            Ok((Box::new(made.0), made.1))
        })
    }
}

impl<T: Float> Maker<NineBanded<T>> {
    fn engine(&self, choice: &mut Choice, scale: Scale<'_>) -> Result<RankEngine<Operator>> {
        let singles = self.singles(choice, scale)?;
        let mut diagonals = Vec::new();
        if engine::needs_diagonal(choice.preconditioner) {
            for single in &singles {
                diagonals.extend(diagonal(single)?);
            }
        }
        let space = RankSpace::new(&self.system.team, &self.system.partition, &singles)?;
        self.engine_in(space, choice, scale, diagonals, |space, options| {
            let multigrid = Multigrid::new(space, options, Distribution::new())?;
            let smoothers = multigrid.smoothers();
            Ok((multigrid, smoothers))
        })
    }

    /// Returns the matrices in 32-bit floats.
    fn singles(&self, choice: &Choice, scale: Scale<'_>) -> Result<Vec<NineBanded>> {
        let mut singles = Vec::new();
        for (rank, matrix, place) in self.system.matrices() {
            let single = scale.part(place).single(matrix)?;
            if choice.preconditioner != Preconditioner::Identity {
                let whole = |row| self.system.partition.whole_row(rank, row);
                must_divide(matrix, &single, whole)?;
            }
            singles.push(single);
        }
        Ok(singles)
    }
}

/// An observer of one process, which stops all, and what saves the x of all.
struct AgreedObserver<'a> {
    system: &'a dyn Parts,
    observer: &'a mut dyn Observer,
    checkpointer: CollectiveCheckpointer<'a, Vec<Vec<f64>>>,
    /// What the checkpointer failed with, which is the same in all processes.
    kept: Result<(), RankError>,
}

impl Observer for AgreedObserver<'_> {
    fn observe(&mut self, progress: &Progress) -> Control {
        let stop = self.observer.observe(progress) == Control::Stop || self.kept.is_err();
        match collective::any(self.system.team().communicator(), stop) {
            Ok(false) => Control::Continue,
            // What fails here fails again where it can be reported.
            Ok(true) | Err(_) => Control::Stop,
        }
    }

    fn is_due(&mut self) -> bool {
        self.checkpointer.is_due().unwrap_or(false)
    }

    fn keep(&mut self, done: u64, x: Vec<f64>) {
        self.kept = self.checkpointer.keep(done, &self.system.owned(&x));
    }
}
