//! The bench of solvers for systems on grids: methods on the device, and those of a library on
//! the host, up to one relative residual.
//!
//! The methods of a system alternate, round after round, so that a disturbance affects all of them.
//! Before its first run each solves the system once within a time: the residual is computed from
//! the matrix and the solution, and must be what the solver says. What did not converge in that
//! time has a row of that one run.

mod case;
mod forecast;
mod history;
#[cfg_attr(not(feature = "host-solvers"), path = "solve/absent.rs")]
mod host;
mod method;
mod row;
mod system;
mod timed_solution;
mod watch;

use std::time::Duration;

use quadrille::Observer;
use quadrille::data::AnyStencil;
use quadrille::gl::Context;
use quadrille::linalg::multigrid::Smoother;

pub use self::history::{History, RESIDUAL_AXIS, figure, residual_line};
pub use self::method::{Contender, Method};
pub use self::row::{Row, skipped};
pub use self::system::{FAMILIES, Family, Grid, known, unit};
pub use self::timed_solution::{Multigrid, Parts};

use self::case::{Case, Setting, turn};
use self::system::{System, unknowns};
use self::watch::Watch;
use super::runner::{self, Effort, Meter, Outcome, Rounds};
use crate::report::table::Skipped;
use crate::{Error, MeasurementError, Result};

/// Whether this build has solvers of the host.
pub const HOST_SOLVERS: bool = cfg!(feature = "host-solvers");

#[derive(Clone, Debug)]
pub struct Plan {
    pub families: Vec<Family>,
    pub grids: Vec<Grid>,
    /// The methods; if there are none, those that suit each system.
    pub methods: Vec<Method>,
    /// Whether systems have stored bands, as those of a file, in place of the form of their stencil.
    pub stored: bool,
    /// The smoothers of multigrid, each in turn; if there are none, the library's default.
    pub smoothers: Vec<Smoother>,
    pub tolerance: f64,
    /// The most time of one solution.
    pub limit: Duration,
    /// Runs of each; by time where not given.
    pub runs: Option<usize>,
    /// Whether residuals over time are recorded for the first system.
    pub histories: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Systems and methods in the plan's order, each at all sizes.
    pub rows: Vec<Row>,
    pub skipped: Vec<Skipped<(AnyStencil, Contender)>>,
    pub histories: Vec<History>,
    /// Whether the observer stopped it: systems that were not finished are left out.
    pub stopped: bool,
}

/// Runs for a system take about this long together, where their number is not given.
const GROUP: Duration = Duration::from_secs(10);

pub fn run(context: &Context, plan: &Plan, observer: &mut dyn Observer) -> Result<Table> {
    let groups = plan.groups()?;
    let effort = Effort::single(context, plan.rounds());
    let cost = groups.iter().map(|group| group.cost(&effort)).sum::<u64>();
    let watch = Watch::new(observer);
    let mut told = &watch;
    let mut meter = Meter::new(&mut told, cost);
    let mut table = Table::default();
    let Plan { tolerance, limit, .. } = *plan;
    let setting = Setting { context, tolerance, limit, watch: &watch };
    for group in &groups {
        if watch.stopped() {
            break;
        }
        match System::in_form(group.stencil, plan.stored) {
            Ok(system) => {
                run_group(setting, group, &system, &effort, &mut meter, &mut table)?;
            }
            Err(error) if error.kind().is_device_limit() => {
                meter.replan(group.cost(&effort), 0);
                let all = group.contenders.iter();
                table.skipped.extend(all.map(|contender| group.skipped(*contender, &error)));
            }
            Err(error) => return Err(error),
        }
    }
    table.stopped = watch.stopped();
    Ok(table)
}

fn run_group(
    setting: Setting<'_, '_>,
    group: &Group,
    system: &System,
    effort: &Effort,
    meter: &mut Meter<'_>,
    table: &mut Table,
) -> Result<()> {
    if group.drawn {
        let drawn = history::record(setting, system, meter)?;
        table.histories = drawn.histories;
        let skipped = drawn.skipped.iter();
        let unnamed = |method: Method| Contender { method, smoother: None };
        table.skipped.extend(skipped.map(|(method, error)| group.skipped(unnamed(*method), error)));
    }
    let case = |contender: &Contender| Case::new(setting, system, *contender);
    let outcome = runner::measure(group.contenders.iter().map(case).collect(), effort, meter);
    if setting.watch.stopped() {
        // A solve that was stopped is an error of its run.
        return Ok(());
    }
    let Outcome { measured, skipped, .. } = outcome?;
    let mut rows: Vec<Row> =
        measured.iter().filter_map(|measured| measured.case.row(&measured.times)).collect();
    for (case, error) in &skipped {
        match case.row(&[]) {
            Some(row) => rows.push(row),
            None => table.skipped.push(group.skipped(case.contender, error)),
        }
    }
    let place = |row: &Row| group.contenders.iter().position(|one| *one == row.contender);
    rows.sort_by_key(place);
    table.rows.extend(rows);
    Ok(())
}

/// The contenders for a system.
struct Group {
    stencil: AnyStencil,
    contenders: Vec<Contender>,
    /// Whether its residuals over time are recorded.
    drawn: bool,
}

impl Group {
    fn n(&self) -> usize {
        unknowns(self.stencil)
    }

    fn cost(&self, effort: &Effort) -> u64 {
        let drawn = if self.drawn { history::TURNS } else { 0 };
        (self.contenders.len() as u64 * effort.turns() + drawn).saturating_mul(turn(self.n()))
    }

    fn skipped(&self, contender: Contender, error: &Error) -> Skipped<(AnyStencil, Contender)> {
        Skipped::new((self.stencil, contender), self.n(), error)
    }
}

impl Plan {
    fn groups(&self) -> Result<Vec<Group>> {
        let absent = self.methods.iter().find(|method| method.place() == "host");
        if let (Some(method), false) = (absent, HOST_SOLVERS) {
            return Err(MeasurementError::NoHostSolvers { method: method.name() }.into());
        }
        let mut groups = Vec::new();
        for family in &self.families {
            for grid in &self.grids {
                let stencil = family.on(*grid)?;
                let methods = match &self.methods[..] {
                    [] => Method::suiting(stencil),
                    named => named.to_vec(),
                };
                let drawn = self.histories && groups.is_empty();
                let contenders = Contender::all(&methods, &self.smoothers);
                groups.push(Group { stencil, contenders, drawn });
            }
        }
        Ok(groups)
    }

    fn rounds(&self) -> Rounds {
        self.runs.map_or(Rounds::Within(GROUP, 9), Rounds::Exactly)
    }
}
