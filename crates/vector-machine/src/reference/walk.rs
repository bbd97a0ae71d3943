//! WalkSAT on many candidates, one after the other in plain loops: the twin of `sat::walk`. It
//! draws the same random numbers in the same order, so the choices are equal bit for bit.

use crate::cnf::Cnf;

/// Returns the PCG hash of Jarzynski and Olano, "Hash Functions for GPU Rendering" (Journal of
/// Computer Graphics Techniques 9(3), 2020).
pub fn scrambled(x: u32) -> u32 {
    let state = x.wrapping_mul(747796405).wrapping_add(2891336453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277803737);
    (word >> 22) ^ word
}

/// Returns the seed of the `draw`-th drawing for all candidates.
pub fn key(seed: u64, draw: u64) -> u32 {
    let halves = [seed, seed >> 32, draw, draw >> 32].map(|half| half as u32);
    halves.into_iter().fold(0, |key, half| scrambled(key ^ half))
}

/// Returns a random index from 0 to `n` - 1.
fn below(x: u32, n: usize) -> usize {
    ((x >> 16).wrapping_mul(n as u32) >> 16) as usize
}

/// Candidates for a model of a simplified formula.
#[derive(Clone, Debug)]
pub struct WalkSat {
    cnf: Cnf,
    block: usize,
    seed: u64,
    noise: f64,
    draws: u64,
    /// The assignment of each candidate.
    pub assignments: Vec<Vec<bool>>,
}

impl WalkSat {
    /// Creates a search with this number of candidates, whose variables are all false at first. The
    /// search for an unsatisfied clause goes by blocks of `block` clauses, and blocks of blocks.
    pub fn new(cnf: Cnf, candidates: usize, block: usize, seed: u64, noise: f64) -> WalkSat {
        let assignments = vec![vec![false; cnf.variables()]; candidates];
        WalkSat { cnf, block, seed, noise, draws: 0, assignments }
    }

    /// Draws random assignments for all: 128 candidates share the four random numbers of a
    /// variable.
    pub fn begin(&mut self) {
        let key = self.draw();
        let variables = self.cnf.variables();
        for (candidate, assignment) in self.assignments.iter_mut().enumerate() {
            let (group, word, bit) = (candidate / 128, candidate % 128 / 32, candidate % 32);
            for (variable, value) in assignment.iter_mut().enumerate() {
                let place = (4 * (group * variables + variable) + word) as u32;
                *value = scrambled(key ^ scrambled(place)) >> bit & 1 == 1;
            }
        }
    }

    /// Flips a variable of each candidate that is not a model.
    pub fn step(&mut self) {
        let key = self.draw();
        for candidate in 0..self.assignments.len() {
            let state = scrambled(key ^ scrambled(candidate as u32));
            if let Some(variable) = self.choice(&self.assignments[candidate], state) {
                let value = &mut self.assignments[candidate][variable];
                *value = !*value;
            }
        }
    }

    /// Returns the variable to flip, from 0; none for a model.
    fn choice(&self, assignment: &[bool], mut state: u32) -> Option<usize> {
        let holds = |clause: usize| true_literals(self.cnf.clause(clause), assignment) > 0;
        let fails = |first: usize, count: usize| {
            (first..(first + count).min(self.cnf.len())).any(|clause| !holds(clause))
        };
        let block = self.block;
        let blocks = self.cnf.len().div_ceil(block);
        let tops = blocks.div_ceil(block);
        let top = find(0, tops, state, |top| fails(top * block * block, block * block))?;
        state = scrambled(state);
        let some = block.min(blocks - top * block);
        let within = find(top * block, some, state, |within| fails(within * block, block))?;
        state = scrambled(state);
        let some = block.min(self.cnf.len() - within * block);
        let clause = find(within * block, some, state, |clause| !holds(clause))?;
        Some(self.of_clause(clause, assignment, scrambled(state)))
    }

    /// Returns a variable of an unsatisfied clause.
    fn of_clause(&self, clause: usize, assignment: &[bool], mut state: u32) -> usize {
        let noisy = state < (self.noise * 2f64.powi(32)) as u32;
        let (mut any, mut best, mut least, mut ties) = (0, 0, 0, 0);
        for (index, &literal) in self.cnf.clause(clause).iter().enumerate() {
            let broken = self.breaks(-literal, assignment);
            let better = ties == 0 || broken < least;
            if better {
                (least, ties) = (broken, 1);
            } else if broken == least {
                ties += 1;
            }
            state = scrambled(state);
            if below(state, index + 1) == 0 {
                any = literal;
            }
            state = scrambled(state);
            if better || broken == least && below(state, ties) == 0 {
                best = literal;
            }
        }
        let chosen: i32 = if noisy && least > 0 { any } else { best };
        chosen.unsigned_abs() as usize - 1
    }

    /// Returns the number of clauses that only this literal satisfies.
    fn breaks(&self, literal: i32, assignment: &[bool]) -> usize {
        let by_it =
            |clause: &&[i32]| clause.contains(&literal) && true_literals(clause, assignment) == 1;
        self.cnf.clauses().filter(by_it).count()
    }

    fn draw(&mut self) -> u32 {
        self.draws += 1;
        key(self.seed, self.draws)
    }
}

/// Returns the first of `count` indices from `first` on that is wanted, searched cyclically from a
/// random one.
fn find(first: usize, count: usize, state: u32, wanted: impl Fn(usize) -> bool) -> Option<usize> {
    let start = below(state, count);
    (0..count).map(|i| first + (start + i) % count).find(|&index| wanted(index))
}

fn true_literals(clause: &[i32], assignment: &[bool]) -> usize {
    let is_true =
        |literal: &&i32| assignment[literal.unsigned_abs() as usize - 1] == (**literal > 0);
    clause.iter().filter(is_true).count()
}
