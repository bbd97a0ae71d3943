//! Whether a launcher of MPI programs started this process.

/// What a launcher of MPI programs (`mpirun`, `mpiexec`, `srun`) says of the program in its environment. MPI itself need not be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Launched {
    /// The number of processes that it started, at least.
    pub processes: usize,
    /// The environment variable that says so.
    pub variable: &'static str,
}

/// The variables that have the number of processes: those of Open MPI, of MPICH and its descendants, and of a job step of Slurm.
/// `SLURM_NTASKS` is none of them: a batch script has it too, which is one process.
const NUMBERS: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"];

/// The variable of other launchers, which has the number of this process alone.
const RANK: &str = "PMIX_RANK";

impl Launched {
    /// Reads the environment; `None` if no launcher has left a word there.
    pub fn here() -> Option<Launched> {
        Launched::told_by(|name| std::env::var(name).ok())
    }

    fn told_by(variable: impl Fn(&str) -> Option<String>) -> Option<Launched> {
        let number = |name| variable(name)?.trim().parse::<usize>().ok();
        let told = |variable| Some(Launched { processes: number(variable)?, variable });
        let at_least =
            || Some(Launched { processes: number(RANK)?.checked_add(1)?, variable: RANK });
        NUMBERS.into_iter().filter_map(told).max_by_key(|told| told.processes).or_else(at_least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(environment: &[(&str, &str)]) -> Option<(usize, &'static str)> {
        let variable = |name: &str| {
            let found = environment.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        Launched::told_by(variable).map(|launched| (launched.processes, launched.variable))
    }

    #[test]
    fn each_launcher_is_known_by_its_variables() {
        assert_eq!(told(&[]), None);
        assert_eq!(told(&[("PMI_SIZE", "3"), ("PMI_RANK", "0")]), Some((3, "PMI_SIZE")));
        assert_eq!(told(&[("PMIX_RANK", "2")]), Some((3, "PMIX_RANK")));
        // A batch script of Slurm is one process; what it starts by mpirun is several, and so is a job step.
        assert_eq!(told(&[("SLURM_NTASKS", "4"), ("SLURM_PROCID", "0")]), None);
        let nested = [("SLURM_STEP_NUM_TASKS", "1"), ("OMPI_COMM_WORLD_SIZE", "4")];
        assert_eq!(told(&nested), Some((4, "OMPI_COMM_WORLD_SIZE")));
        assert_eq!(told(&[("SLURM_STEP_NUM_TASKS", "6")]), Some((6, "SLURM_STEP_NUM_TASKS")));
        assert_eq!(told(&[("PMI_SIZE", "many")]), None);
    }
}
