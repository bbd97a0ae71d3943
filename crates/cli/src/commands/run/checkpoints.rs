//! `--checkpoint` and `--resume`: a run that was ended, by whatever, goes on from its last
//! checkpoint.

use quadrille_run::Experiment;

use super::arguments::flags::CheckpointArguments;
use crate::output::quoted;
use crate::prelude::*;

/// The checkpoints of a run.
pub(super) struct Checkpoints {
    file: Option<PathBuf>,
    every: u64,
    /// The step of the one that is there.
    last: Option<u64>,
}

impl Checkpoints {
    /// Refuses a file that could not be written, or that has what another run may need.
    pub(super) fn plan(
        arguments: &CheckpointArguments,
        every: Option<u64>,
        view: bool,
    ) -> anyhow::Result<Checkpoints> {
        let CheckpointArguments { checkpoint, checkpoint_every, resume } = arguments;
        let refused = |text: String| Err(Failure::Input { text }.into());
        let Some(file) = checkpoint else {
            return Ok(Checkpoints { file: None, every: 1, last: None });
        };
        let shown = quoted(&file.display().to_string());
        let Some(every) = checkpoint_every.or(every) else {
            return refused(format!(
                "--checkpoint {shown}: expected --checkpoint-every K, the number of steps that may be lost, or --every K"
            ));
        };
        if view {
            return refused(
                "--view and --checkpoint: a window steps as its keys say; leave one of them out"
                    .into(),
            );
        }
        output::check_folder(file)?;
        if file.exists() && resume.as_ref() != Some(file) {
            return refused(format!(
                "--checkpoint {shown}: the file is there already; add --resume {shown} to go on from it, or remove it"
            ));
        }
        Ok(Checkpoints { file: Some(file.clone()), every, last: None })
    }

    /// Takes the state of --resume; `until` is the number of steps that are to be done in all.
    pub(super) fn resume(
        &mut self,
        file: Option<&Path>,
        experiment: &mut Experiment,
        until: u64,
    ) -> anyhow::Result<()> {
        let Some(file) = file else { return Ok(()) };
        experiment.load(file)?;
        let step = experiment.iteration();
        let shown = file.display();
        if step > until {
            let text = format!(
                "--resume {shown}: the checkpoint is of step {step}, and --iterate {until} ends before it; --iterate is the number of \
                 all steps, with those before the checkpoint"
            );
            return Err(Failure::Input { text }.into());
        }
        output::note(&format!("note: goes on from step {step} of {until}, {shown}"));
        if self.file.as_deref() == Some(file) {
            self.last = Some(step);
        }
        Ok(())
    }

    /// The steps from one checkpoint to the next, if there are any.
    pub(super) fn every(&self) -> Option<u64> {
        self.file.is_some().then_some(self.every)
    }

    /// Writes the checkpoint that is due.
    pub(super) fn keep(&mut self, experiment: &Experiment) -> anyhow::Result<()> {
        match experiment.iteration() % self.every {
            0 => self.keep_last(experiment),
            _ => Ok(()),
        }
    }

    /// Writes the state as it is, unless it is written already.
    pub(super) fn keep_last(&mut self, experiment: &Experiment) -> anyhow::Result<()> {
        let (Some(file), step) = (&self.file, experiment.iteration()) else { return Ok(()) };
        if self.last != Some(step) {
            interrupt::writing(|| experiment.save(file))?;
            self.last = Some(step);
        }
        Ok(())
    }

    /// The step of the checkpoint that is there.
    pub(super) fn last(&self) -> Option<u64> {
        self.last
    }

    /// Advises to continue from the last checkpoint, after work that failed.
    pub(super) fn advice(&self) -> Option<String> {
        Some(advice(self.file.as_ref()?, self.last?))
    }
}

/// Advises to continue from a checkpoint of this step.
pub(super) fn advice(file: &Path, step: u64) -> String {
    let file = quoted(&file.display().to_string());
    format!("{file} has the state after step {step}: add --resume {file} to go on from there")
}
