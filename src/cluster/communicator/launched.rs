//! Detects whether a launcher of MPI programs started this process.

/// The process as a launcher of MPI programs (`mpirun`, `mpiexec`, `srun`) describes it in the
/// environment. MPI itself need not be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Launched {
    /// The number of processes that it started, at least.
    pub processes: usize,
    /// The number of this process among them, from 0.
    pub rank: usize,
    /// The environment variable that says so.
    pub variable: &'static str,
}

/// A process among those of its host, numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // Named after what they are.
pub struct OnHost {
    pub rank: usize,
    pub ranks: usize,
}

/// The variables that have the number of processes, and of this one: those of Open MPI, of MPICH
/// and its descendants, and of a job step of Slurm. `SLURM_NTASKS` is none of them: a batch script
/// has it too, which is one process.
const NUMBERS: [(&str, &str); 3] = [
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
    ("PMI_SIZE", "PMI_RANK"),
    ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID"),
];

/// The variable of other launchers, which has the number of this process alone.
const RANK: &str = "PMIX_RANK";

impl Launched {
    /// Reads the environment; `None` if no launcher has left a word there.
    pub fn here() -> Option<Launched> {
        Launched::told_by(|name| std::env::var(name).ok())
    }

    fn told_by(variable: impl Fn(&str) -> Option<String>) -> Option<Launched> {
        let number = |name| variable(name)?.trim().parse::<usize>().ok();
        let told = |(variable, rank)| {
            let rank = number(rank).unwrap_or(0);
            Some(Launched { processes: number(variable)?, rank, variable })
        };
        let at_least = || {
            let rank = number(RANK)?;
            Some(Launched { processes: rank.checked_add(1)?, rank, variable: RANK })
        };
        // The first of equals.
        let told = NUMBERS.into_iter().rev().filter_map(told);
        told.max_by_key(|told| told.processes).or_else(at_least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(environment: &[(&str, &str)]) -> Option<(usize, usize, &'static str)> {
        let variable = |name: &str| {
            let found = environment.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        Launched::told_by(variable)
            .map(|launched| (launched.rank, launched.processes, launched.variable))
    }

    #[test]
    fn each_launcher_is_known_by_its_variables() {
        assert_eq!(told(&[]), None);
        assert_eq!(told(&[("PMI_SIZE", "3"), ("PMI_RANK", "1")]), Some((1, 3, "PMI_SIZE")));
        assert_eq!(told(&[("PMIX_RANK", "2")]), Some((2, 3, "PMIX_RANK")));
        // A batch script of Slurm is one process; what it starts by mpirun is several, and so is a
        // job step.
        assert_eq!(told(&[("SLURM_NTASKS", "4"), ("SLURM_PROCID", "0")]), None);
        let nested = [
            ("SLURM_STEP_NUM_TASKS", "1"),
            ("SLURM_PROCID", "0"),
            ("OMPI_COMM_WORLD_SIZE", "4"),
            ("OMPI_COMM_WORLD_RANK", "3"),
        ];
        assert_eq!(told(&nested), Some((3, 4, "OMPI_COMM_WORLD_SIZE")));
        let step = [("SLURM_STEP_NUM_TASKS", "6"), ("SLURM_PROCID", "5")];
        assert_eq!(told(&step), Some((5, 6, "SLURM_STEP_NUM_TASKS")));
        let both = [("PMI_SIZE", "2"), ("SLURM_STEP_NUM_TASKS", "2")];
        assert_eq!(told(&both), Some((0, 2, "PMI_SIZE")));
        assert_eq!(told(&[("PMI_SIZE", "many")]), None);
    }
}
