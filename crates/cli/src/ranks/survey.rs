//! The facts about MPI that `quadrille doctor` shows.

use std::path::PathBuf;

use serde::{Serialize, Serializer};

use super::Joined;
use super::join::Devices;
use crate::arguments::device::DeviceArguments;

/// The facts that decide whether several processes can share work here.
#[derive(Serialize)]
pub(crate) struct Mpi {
    /// Whether this build has it.
    compiled_in: bool,
    /// The library's name and version.
    library: Option<String>,
    /// The launchers on the path, in JSON by their names alone: folders may name a person.
    #[serde(serialize_with = "names")]
    launchers: Vec<PathBuf>,
    /// The processes that a launcher started together with this one, and itself.
    processes: usize,
    /// The device that each of them would take; null without MPI.
    devices: Option<Devices>,
}

impl Mpi {
    /// Examines this process; `devices` are those that all ranks reported.
    pub(crate) fn examine(devices: Option<Devices>) -> Mpi {
        Mpi {
            compiled_in: cfg!(feature = "mpi"),
            library: super::library(),
            launchers: launchers(),
            processes: super::processes(),
            devices,
        }
    }

    pub(crate) fn lines(&self) -> Vec<(&'static str, String)> {
        let build = match &self.library {
            Some(library) => library.clone(),
            None => format!("not compiled in; {} builds it with MPI", super::BUILD),
        };
        let launchers: Vec<String> =
            self.launchers.iter().map(|path| path.display().to_string()).collect();
        let launchers = match launchers.is_empty() {
            true => "neither mpirun, mpiexec nor srun is on the path".into(),
            false => launchers.join(", "),
        };
        let ranks = match (&self.devices, self.processes) {
            (Some(devices), _) => devices.lines(),
            (None, 1) => Vec::new(),
            (None, more) => vec![format!("{more} processes, which cannot join without MPI")],
        };
        let ranks = ranks.into_iter().map(|line| ("ranks", line));
        [("library", build), ("launcher", launchers)].into_iter().chain(ranks).collect()
    }
}

/// The devices that the processes of a launcher would take, in all of them; `None` where this one
/// is alone.
pub(crate) fn of_processes() -> anyhow::Result<Option<Devices>> {
    if super::processes() == 1 || !cfg!(feature = "mpi") {
        return Ok(None);
    }
    let mut found = None;
    Joined::new()?.run(|joined| {
        found = Some(joined.devices(&DeviceArguments::default())?);
        Ok(None)
    })?;
    Ok(found)
}

fn names<S: Serializer>(files: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    let names = files.iter().filter_map(|file| file.file_name());
    serializer.collect_seq(names.map(|name| name.to_string_lossy()))
}

fn launchers() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let first =
        |name: &str| folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file());
    ["mpirun", "mpiexec", "srun"].into_iter().filter_map(first).collect()
}
