//! The processes of a command, joined, each with its device.

mod devices;

use std::rc::Rc;

use quadrille::Context;
#[cfg(feature = "mpi")]
use quadrille::cluster::Mpi;
use quadrille::cluster::{Communicator, InProcess, OnHost, Team};

use super::super::exit;
use super::shared_error::SharedError;
use crate::arguments::device::DeviceArguments;
use crate::output;
use crate::process::failure::Failure;
use crate::process::interrupt;

pub(crate) use devices::Devices;

/// The processes that a launcher started, or this one alone.
pub(crate) enum Joined {
    Alone(Rc<InProcess>),
    #[cfg(feature = "mpi")]
    Several(Rc<Mpi>),
}

impl Joined {
    /// Joins the others. All must do so.
    pub(crate) fn new() -> anyhow::Result<Joined> {
        match super::launched() {
            None => Ok(Joined::Alone(Rc::new(InProcess::new(1)))),
            Some(launched) => Joined::launched(launched.processes, launched.variable),
        }
    }

    #[cfg(not(feature = "mpi"))]
    fn launched(_: usize, _: &str) -> anyhow::Result<Joined> {
        Ok(Joined::Alone(Rc::new(InProcess::new(1))))
    }

    #[cfg(feature = "mpi")]
    fn launched(processes: usize, variable: &str) -> anyhow::Result<Joined> {
        let mpi = Mpi::join()?;
        if mpi.size() >= processes {
            return Ok(Joined::Several(Rc::new(mpi)));
        }
        let text = format!(
            "{processes} processes were started ({variable}), but MPI joins {}: the launcher belongs to another MPI \
             than the library, which is {}",
            mpi.size(),
            super::library().unwrap_or_default(),
        );
        Err(Failure::Input { text }.into())
    }

    pub(crate) fn communicator(&self) -> Rc<dyn Communicator> {
        match self {
            Joined::Alone(alone) => alone.clone(),
            #[cfg(feature = "mpi")]
            Joined::Several(mpi) => mpi.clone(),
        }
    }

    /// The position of this process among those of its computer.
    pub(crate) fn on_host(&self) -> OnHost {
        match self {
            Joined::Alone(_) => OnHost { rank: 0, ranks: 1 },
            #[cfg(feature = "mpi")]
            Joined::Several(mpi) => mpi.on_host(),
        }
    }

    /// The number of this process among all.
    pub(crate) fn rank(&self) -> usize {
        self.communicator().local().start
    }

    /// Each process with a device, in turn unless the user names one. Rank 0 says which they are.
    pub(crate) fn team(&self, device: &DeviceArguments) -> anyhow::Result<(Team, Devices)> {
        let context = self.context(device)?;
        let communicator = self.communicator();
        let devices = Devices::gather(&*communicator, &context)?;
        if communicator.size() > 1 {
            devices.lines().iter().for_each(|line| output::note(&format!("note: {line}")));
        }
        Ok((Team::new(communicator, vec![context])?, devices))
    }

    fn context(&self, device: &DeviceArguments) -> anyhow::Result<Context> {
        self.agree(device.context_in_turn(self.on_host().rank).map_err(anyhow::Error::new))
    }

    /// The device that each process would take.
    pub(crate) fn devices(&self, device: &DeviceArguments) -> anyhow::Result<Devices> {
        let context = self.context(device)?;
        Ok(Devices::gather(&*self.communicator(), &context)?)
    }

    /// Does work that ends with a failure that all ranks know of, or none, or with an error that
    /// they [agree](Self::agree) on. Any other is this rank's own, for which the others may wait
    /// without end: it ends them.
    pub(crate) fn run(
        self,
        work: impl FnOnce(&Joined) -> anyhow::Result<Option<Failure>>,
    ) -> anyhow::Result<()> {
        match work(&self) {
            Ok(None) => Ok(()),
            Ok(Some(failure)) => {
                let error = failure.into();
                self.end(&exit::text(&error), exit::exit_code(&error))
            }
            Err(error) => match error.downcast::<SharedError>() {
                Ok(shared) => self.end(&shared.text, shared.code),
                Err(error) => Err(self.abort(error)),
            },
        }
    }

    /// All ranks end in order. The first says why before any has ended: then the launcher may end
    /// the others.
    fn end(self, text: &str, code: u8) -> ! {
        output::note(text);
        drop(self);
        interrupt::end(code)
    }

    fn abort(&self, error: anyhow::Error) -> anyhow::Error {
        match self {
            Joined::Alone(_) => error,
            #[cfg(feature = "mpi")]
            Joined::Several(mpi) => mpi.abort(exit::report(&error).into()),
        }
    }
}
