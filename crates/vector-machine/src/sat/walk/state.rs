//! All candidates on the device, and the passes over them.

use quadrille::Extent;
use quadrille::gl::{Context, Target, Texture};
use quadrille::memory;
use quadrille::stream::{Error, PingPong, Result};

use super::super::lists::linked;
use super::super::propagation::Occurrences;
use super::Options;
use super::kernels::WalkPasses;
use super::layout::{GROUP, Layout};
use crate::cnf::Cnf;
use crate::reference::walk::key;

type Masks = Texture<[u32; 4]>;
type Lists = Texture<[i32; 4]>;

/// A candidate: its group, and its bit there.
pub(super) type Candidate = (usize, usize);

/// The textures and the kernels. The state of a candidate is in `assignments` alone; all else
/// is derived from it by the passes, in their order.
pub(super) struct State {
    layout: Layout,
    kernels: WalkPasses,
    clauses: Lists,
    occurrences: Lists,
    assignments: PingPong<[u32; 4]>,
    unsatisfied: Masks,
    critical: Masks,
    blocks: Masks,
    tops: Masks,
    choices: Texture<u32>,
    tallies: Texture<u32>,
    planes: Masks,
    solved: Masks,
    seed: u64,
    /// The noise as a share of 2^32.
    noise: u32,
    /// The number of times that random numbers were drawn for all candidates.
    draws: u64,
}

impl State {
    /// Creates the state for a simplified formula that has clauses, none of them empty.
    pub(super) fn new(
        context: &Context,
        cnf: &Cnf,
        layout: Layout,
        options: Options,
    ) -> Result<State> {
        let masks = |things: usize| context.uninit(layout.extent(things));
        let lists = |texels| {
            let (extent, texels) = layout.grid.fill(texels)?;
            Ok::<_, Error>(context.texture(extent, &texels)?)
        };
        let occurrences = Occurrences::of(cnf)?;
        // Clauses are counted from 1; 0 is no clause.
        let numbered =
            occurrences.lists().map(|clauses| clauses.iter().map(|&clause| clause as i32 + 1));
        let bits = Extent::new(layout.planes(), layout.groups as u32);
        let rows = layout.extent(layout.clauses).height;
        let each = Extent::new(GROUP as u32, layout.groups as u32);
        Ok(State {
            kernels: WalkPasses::new(context, &layout)?,
            clauses: lists(linked(cnf.clauses().map(|clause| clause.iter().copied()))?)?,
            occurrences: lists(linked(numbered)?)?,
            assignments: PingPong::new(masks(layout.variables)?, masks(layout.variables)?)?,
            unsatisfied: masks(layout.clauses)?,
            critical: masks(layout.clauses)?,
            blocks: masks(layout.blocks())?,
            tops: masks(layout.tops())?,
            choices: context.uninit(each)?,
            tallies: context.uninit(Extent::new(GROUP as u32, rows))?,
            planes: context.uninit(bits)?,
            solved: context.uninit(Extent::new(1, layout.groups as u32))?,
            seed: options.seed,
            noise: (options.noise * 2f64.powi(32)) as u32,
            draws: 0,
            layout,
        })
    }

    /// Runs each pass once: drivers compile at the first run.
    pub(super) fn warm_up(&mut self) -> Result<()> {
        self.begin()?;
        self.evaluate()?;
        let found = self.find()?;
        self.flip()?;
        self.best()?;
        self.extract(found.unwrap_or_default())?;
        self.draws = 0;
        Ok(())
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Draws random assignments for all candidates.
    pub(super) fn begin(&mut self) -> Result<()> {
        let key = self.draw();
        let fresh = self.kernels.fresh.pass().uniform("key", key);
        self.assignments.step(|_, new| fresh.draw(new))
    }

    /// Computes which clauses, blocks and tops are not satisfied.
    pub(super) fn evaluate(&mut self) -> Result<()> {
        let pass = self.kernels.evaluate.pass().input("clauses", &self.clauses);
        let pass = pass.input("assignments", self.assignments.newest());
        let targets: &mut [&mut dyn Target] = &mut [&mut self.unsatisfied, &mut self.critical];
        pass.draw_into(targets)?;
        let pass = self.kernels.fold_clauses.pass().input("masks", &self.unsatisfied);
        pass.draw(&mut self.blocks)?;
        self.kernels.fold_blocks.pass().input("masks", &self.blocks).draw(&mut self.tops)
    }

    /// Returns a candidate that is a model, after [`evaluate`](State::evaluate). It waits for the
    /// device.
    pub(super) fn find(&mut self) -> Result<Option<Candidate>> {
        self.kernels.solved.pass().input("masks", &self.tops).draw(&mut self.solved)?;
        let masks = self.solved.read()?;
        let first = |mask: &[u32; 4]| {
            let word = mask.iter().position(|word| *word != 0)?;
            Some(32 * word + mask[word].trailing_zeros() as usize)
        };
        let mut groups = masks.iter().enumerate();
        Ok(groups.find_map(|(group, mask)| first(mask).map(|candidate| (group, candidate))))
    }

    /// Flips a variable of every candidate that is no model, after [`evaluate`](State::evaluate).
    pub(super) fn flip(&mut self) -> Result<()> {
        let key = self.draw();
        let pass = self.kernels.choose.pass().input("tops", &self.tops);
        let pass = pass.input("blocks", &self.blocks).input("unsatisfied", &self.unsatisfied);
        let pass = pass.input("critical", &self.critical).input("clauses", &self.clauses);
        let pass = pass.input("occurrences", &self.occurrences);
        pass.uniform("key", key).uniform("noise", self.noise).draw(&mut self.choices)?;
        self.kernels.slice.pass().input("choices", &self.choices).draw(&mut self.planes)?;
        let (kernel, planes) = (&self.kernels.flip, &self.planes);
        self.assignments.step(|old, new| {
            kernel.pass().input("assignments", old).input("planes", planes).draw(new)
        })
    }

    /// Returns the candidate with the fewest unsatisfied clauses, after
    /// [`evaluate`](State::evaluate).
    pub(super) fn best(&mut self) -> Result<Candidate> {
        let pass = self.kernels.tally.pass().input("masks", &self.unsatisfied);
        pass.draw(&mut self.tallies)?;
        let tallies = self.tallies.read()?;
        // A group has a row of candidates for each row of its masks.
        let parts = GROUP * self.layout.grid.rows(self.layout.clauses);
        let sum = |&(group, candidate): &Candidate| -> u64 {
            let parts = tallies.iter().skip(group * parts).take(parts);
            parts.skip(candidate).step_by(GROUP).map(|&count| u64::from(count)).sum()
        };
        let groups = 0..self.layout.groups;
        let all = groups.flat_map(|group| (0..GROUP).map(move |candidate| (group, candidate)));
        Ok(all.min_by_key(sum).unwrap_or_default())
    }

    /// Reads back the assignment of one candidate.
    pub(super) fn extract(&self, (group, candidate): Candidate) -> Result<Vec<bool>> {
        let extent = self.layout.grid.extent(self.layout.variables, 1);
        let mut values = self.clauses.context().uninit::<u8>(extent)?;
        let pass = self.kernels.extract.pass().input("assignments", self.assignments.newest());
        let pass = pass.uniform("group", group as i32).uniform("candidate", candidate as i32);
        pass.draw(&mut values)?;
        let values = values.read()?;
        let holds = values.iter().map(|&value| value == 1);
        Ok(memory::collected(self.layout.variables, holds)?)
    }

    /// Waits until the device has done what was asked of it.
    pub(super) fn finish(&self) -> Result<()> {
        Ok(self.clauses.context().finish()?)
    }

    /// Returns the key of the next random numbers.
    fn draw(&mut self) -> u32 {
        self.draws += 1;
        key(self.seed, self.draws)
    }
}
