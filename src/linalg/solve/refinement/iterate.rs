//! The iterate x and its residual in double precision, on the host or on the device.

use crate::error::Kind;
use crate::grid::DeviceGrid;
use crate::linalg::double_system::{DoubleSystem, Sums};
use crate::linalg::krylov::{DeviceOperator, DeviceSpace, Space};
use crate::linalg::nine_banded;
use crate::memory::host_threads;
use crate::{Context, NoMemory, memory};

use crate::linalg::solve::problem::system::any_norm;
use crate::linalg::solve::problem::{Problem, Size, scaling};
use crate::linalg::solve::times::Part;
use crate::linalg::solve::{Error, Options, Precision, ResidualOn, Result};

/// x, which is zero at first, and r = b - A x in double precision, beside a space of lower
/// precision. Where the constants are the null space, neither has a constant part.
pub(crate) trait Iterate<S: Space> {
    /// Sets x = 0, without a new residual.
    fn clear(&mut self);

    /// Computes x = x + factor c, or x + factor C c where the space's system is R A C, and
    /// the norm of its residual.
    fn correct(&mut self, space: &S, c: &S::Vector, factor: f64) -> Result<Size>;

    /// Computes to = factor r, or factor R r.
    fn give(&self, space: &S, factor: f64, to: &mut S::Vector) -> Result<()>;

    /// Keeps a copy of x as it is.
    fn keep(&mut self, space: &S) -> Result<()>;

    /// Returns x to the copy that was kept last; returns the norm of its residual.
    fn recall(&mut self, space: &S) -> Result<Size>;

    /// Brings x to the host; returns the norm of its residual as computed there.
    fn settle(&mut self) -> Result<Size>;

    /// Returns a copy of x as it is.
    fn x(&self) -> Result<Vec<f64>>;

    /// Returns x as it was settled last.
    fn into_x(self: Box<Self>) -> Vec<f64>;
}

/// Makes an iterate for each right-hand side.
pub(crate) trait Doubles<S: Space> {
    fn place(&self) -> ResidualOn;

    fn begin<'a>(&'a mut self, problem: &'a Problem<'a>) -> Result<Box<dyn Iterate<S> + 'a>>;
}

/// Chooses double precision as the options ask for it; where they are open, on hardware where the system
/// [fits](DoubleSystem::fits) and has room. What a software renderer would compute, the host computes faster.
pub(crate) fn doubles<A: DeviceOperator>(
    context: &Context,
    options: Options,
    fits: bool,
    make: impl FnOnce() -> Result<DoubleSystem, nine_banded::Error>,
) -> Result<Box<dyn Doubles<DeviceSpace<A>>>> {
    let fast = !context.abilities().software && options.precision == Precision::Mixed;
    let suits = if fast && fits { ResidualOn::Device } else { ResidualOn::Host };
    if options.residual_on.unwrap_or(suits) == ResidualOn::Host {
        return Ok(Box::new(OnHost));
    }
    match make() {
        Err(error) if error.kind() == Kind::OutOfMemory && options.residual_on.is_none() => {
            Ok(Box::new(OnHost))
        }
        made => Ok(Box::new(made?)),
    }
}

/// Double precision on the host.
pub(crate) struct OnHost;

impl<S: Space> Doubles<S> for OnHost
where
    Error: From<S::Error>,
{
    fn place(&self) -> ResidualOn {
        ResidualOn::Host
    }

    fn begin<'a>(&'a mut self, problem: &'a Problem<'a>) -> Result<Box<dyn Iterate<S> + 'a>> {
        Ok(Box::new(HostIterate::new(problem)?))
    }
}

struct HostIterate<'a> {
    problem: &'a Problem<'a>,
    x: Vec<f64>,
    /// Whether x is zero.
    empty: bool,
    /// The copy that is kept; empty where that is zero.
    kept: Vec<f64>,
    r: Vec<f64>,
    /// R r, or C c, where the system is scaled.
    scaled: Vec<f64>,
    size: Size,
}

impl<'a> HostIterate<'a> {
    /// Starts at x = 0.
    fn new(problem: &'a Problem<'a>) -> Result<HostIterate<'a>, NoMemory> {
        let (x, r) = (memory::zeroed(problem.b.len())?, memory::copied(problem.b)?);
        let (kept, scaled, size) = (Vec::new(), Vec::new(), problem.norm);
        let mut iterate = HostIterate { problem, x, empty: true, kept, r, scaled, size };
        if let Some(s) = problem.scaling {
            iterate.scaled = memory::copied(&iterate.r)?;
            scaling::apply(s.rows, &mut iterate.scaled);
        }
        Ok(iterate)
    }

    fn of(problem: &'a Problem<'a>, x: Vec<f64>) -> Result<HostIterate<'a>> {
        let r = memory::zeroed(problem.b.len())?;
        let (kept, scaled, size) = (Vec::new(), Vec::new(), Size::same(0.0));
        let mut iterate = HostIterate { problem, x, empty: false, kept, r, scaled, size };
        iterate.look()?;
        Ok(iterate)
    }

    fn look(&mut self) -> Result<Size> {
        let Problem { system, b, projected, scaling, .. } = self.problem;
        if *projected {
            system.remove_mean(&mut self.x)?;
        }
        self.size = Size::same(system.residual(&self.x, b, &mut self.r)?);
        if *projected {
            system.remove_mean(&mut self.r)?;
            self.size = Size::same(system.norm(&self.r)?);
        }
        if let Some(s) = scaling {
            self.scaled.copy_from_slice(&self.r);
            scaling::apply(s.rows, &mut self.scaled);
            self.size.in_space = any_norm(*system, &self.scaled)?;
        }
        Ok(self.size)
    }
}

impl<S: Space> Iterate<S> for HostIterate<'_>
where
    Error: From<S::Error>,
{
    fn clear(&mut self) {
        self.x.fill(0.0);
        self.empty = true;
    }

    fn correct(&mut self, space: &S, c: &S::Vector, factor: f64) -> Result<Size> {
        self.empty = false;
        match self.problem.scaling {
            None => {
                self.problem.watch.during(Part::Back, || space.add_to(c, factor, &mut self.x))?
            }
            Some(s) => {
                self.scaled.fill(0.0);
                let scaled = &mut self.scaled;
                self.problem.watch.during(Part::Back, || space.add_to(c, factor, scaled))?;
                scaling::apply(s.columns, &mut self.scaled);
                self.x.iter_mut().zip(&self.scaled).for_each(|(x, c)| *x += c);
            }
        }
        self.look()
    }

    fn give(&self, space: &S, factor: f64, to: &mut S::Vector) -> Result<()> {
        let r = if self.problem.scaling.is_some() { &self.scaled } else { &self.r };
        Ok(self.problem.watch.during(Part::Send, || space.write(r, factor, to))?)
    }

    fn keep(&mut self, _: &S) -> Result<()> {
        match self.empty {
            true => self.kept.clear(),
            false if self.kept.is_empty() => self.kept = host_threads::copied(&self.x)?,
            false => host_threads::copy(&self.x, &mut self.kept),
        }
        Ok(())
    }

    fn recall(&mut self, _: &S) -> Result<Size> {
        match self.kept.is_empty() {
            true => Iterate::<S>::clear(self),
            false => host_threads::copy(&self.kept, &mut self.x),
        }
        self.empty = self.kept.is_empty();
        self.look()
    }

    fn settle(&mut self) -> Result<Size> {
        Ok(self.size)
    }

    fn x(&self) -> Result<Vec<f64>> {
        Ok(host_threads::copied(&self.x)?)
    }

    fn into_x(self: Box<Self>) -> Vec<f64> {
        self.x
    }
}

/// Returns an x from a device as it is returned, without its mean where it must have none, and the
/// norm of its residual.
fn settled(problem: &Problem<'_>, x: Vec<f64>) -> Result<(Vec<f64>, Size)> {
    if problem.projected {
        let HostIterate { x, size, .. } = HostIterate::of(problem, x)?;
        return Ok((x, size));
    }
    let size = problem.system.residual_norm(&x, problem.b)?;
    Ok((x, Size::same(size)))
}

/// A system in double precision on a device, or on those of several ranks.
pub(crate) trait OnDevice<S: Space> {
    /// Computes x = x + factor c, or factor c; and the sums of the residual over the whole.
    fn add(&mut self, space: &S, c: &S::Vector, factor: f64, keep: bool) -> Result<Sums>;

    /// Keeps a copy of x.
    fn keep(&mut self) -> Result<()>;

    /// Returns x to that copy; returns the sums of its residual over the whole.
    fn recall(&mut self) -> Result<Sums>;

    /// Computes to = factor b.
    fn give_right_side(&self, factor: f64, to: &mut S::Vector) -> Result<()>;

    /// Computes to = factor (r - shift).
    fn give_residual(&self, shift: f64, factor: f64, to: &mut S::Vector) -> Result<()>;

    /// Reads x.
    fn read(&self) -> Result<Vec<f64>>;
}

impl<A: DeviceOperator> OnDevice<DeviceSpace<A>> for DoubleSystem {
    fn add(&mut self, _: &DeviceSpace<A>, c: &DeviceGrid, factor: f64, keep: bool) -> Result<Sums> {
        DoubleSystem::add(self, c, factor, keep)?;
        Ok(self.residual()?)
    }

    fn keep(&mut self) -> Result<()> {
        Ok(DoubleSystem::keep(self)?)
    }

    fn recall(&mut self) -> Result<Sums> {
        DoubleSystem::recall(self)?;
        Ok(self.residual()?)
    }

    fn give_right_side(&self, factor: f64, to: &mut DeviceGrid) -> Result<()> {
        Ok(self.scaled_right_side(factor, to)?)
    }

    fn give_residual(&self, shift: f64, factor: f64, to: &mut DeviceGrid) -> Result<()> {
        Ok(self.scaled(shift, factor, to)?)
    }

    fn read(&self) -> Result<Vec<f64>> {
        Ok(self.x()?)
    }
}

impl<A: DeviceOperator> Doubles<DeviceSpace<A>> for DoubleSystem {
    fn place(&self) -> ResidualOn {
        ResidualOn::Device
    }

    fn begin<'a>(
        &'a mut self,
        problem: &'a Problem<'a>,
    ) -> Result<Box<dyn Iterate<DeviceSpace<A>> + 'a>> {
        self.set(problem.b)?;
        Ok(Box::new(DeviceIterate::new(self, problem)))
    }
}

/// An iterate on devices.
pub(crate) struct DeviceIterate<'a, D> {
    doubles: &'a mut D,
    problem: &'a Problem<'a>,
    /// Whether x is zero, and the devices' undefined.
    empty: bool,
    /// Whether what is kept is, too.
    kept_empty: bool,
    /// The mean of the residual, if it has to be removed.
    mean: f64,
    /// x on the host, once it is there.
    settled: Vec<f64>,
}

impl<'a, D> DeviceIterate<'a, D> {
    /// Starts at x = 0, for a right-hand side that was set.
    pub(crate) fn new(doubles: &'a mut D, problem: &'a Problem<'a>) -> DeviceIterate<'a, D> {
        let (empty, kept_empty) = (true, true);
        DeviceIterate { doubles, problem, empty, kept_empty, mean: 0.0, settled: Vec::new() }
    }

    /// Notes the mean of a residual; returns its norm without it.
    fn size(&mut self, Sums { elements, squares }: Sums) -> Size {
        let count = self.problem.unknowns as f64;
        self.mean = if self.problem.projected { elements / count } else { 0.0 };
        Size::same((squares - count * self.mean * self.mean).max(0.0).sqrt())
    }
}

impl<S: Space, D: OnDevice<S>> Iterate<S> for DeviceIterate<'_, D> {
    fn clear(&mut self) {
        self.empty = true;
    }

    fn correct(&mut self, space: &S, c: &S::Vector, factor: f64) -> Result<Size> {
        let sums = self.doubles.add(space, c, factor, !self.empty)?;
        self.empty = false;
        Ok(self.size(sums))
    }

    fn give(&self, _: &S, factor: f64, to: &mut S::Vector) -> Result<()> {
        match self.empty {
            true => self.doubles.give_right_side(factor, to),
            false => self.doubles.give_residual(self.mean, factor, to),
        }
    }

    fn keep(&mut self, _: &S) -> Result<()> {
        self.kept_empty = self.empty;
        if self.empty { Ok(()) } else { self.doubles.keep() }
    }

    fn recall(&mut self, _: &S) -> Result<Size> {
        self.empty = self.kept_empty;
        match self.empty {
            true => Ok(self.problem.norm),
            false => self.doubles.recall().map(|sums| self.size(sums)),
        }
    }

    fn x(&self) -> Result<Vec<f64>> {
        if self.empty { Ok(memory::zeroed(self.problem.b.len())?) } else { self.doubles.read() }
    }

    fn settle(&mut self) -> Result<Size> {
        let x = self.problem.watch.during(Part::Back, || Iterate::<S>::x(self))?;
        let (x, size) = settled(self.problem, x)?;
        self.settled = x;
        Ok(size)
    }

    fn into_x(self: Box<Self>) -> Vec<f64> {
        self.settled
    }
}
