//! Groups of clauses for the vertex program of 2002, each with few enough variables for a set of
//! constants of its own.

use quadrille::memory::{self, NoMemory};

use super::program::{LITERALS, MAX_VARIABLES, MIDDLE};
use crate::cnf::{Cnf, variable};

/// Clauses and their variables, at most [`MAX_VARIABLES`].
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Group {
    /// The variables, in the order of their constants.
    pub(super) variables: Vec<usize>,
    /// The clauses as quads of the program, to be padded with 0.
    pub(super) quads: Vec<f32>,
}

impl Group {
    /// Returns the x of the constants for an assignment of the whole formula.
    pub(super) fn constants(&self, assignment: &[bool]) -> [f32; 2 * MIDDLE] {
        let mut constants = [0.0; 2 * MIDDLE];
        for (place, &variable) in (1..).zip(&self.variables) {
            let value = assignment[variable - 1];
            constants[MIDDLE + place] = f32::from(u8::from(value));
            constants[MIDDLE - place] = f32::from(u8::from(!value));
        }
        constants
    }
}

/// Returns the groups of a formula. Literals come once, and clauses that are always true are left
/// out: the caller adds them to the count. None where a clause has more than three different
/// literals.
///
/// A group takes the clause that adds the fewest variables to it, until none fits. One group is
/// enough for a formula of at most [`MAX_VARIABLES`] variables.
///
/// # Errors
/// If there is no memory for the groups.
pub(super) fn groups(cnf: &Cnf) -> Result<Option<Vec<Group>>, NoMemory> {
    let cnf = cnf.simplified()?;
    if cnf.clauses().any(|clause| clause.len() > LITERALS) {
        return Ok(None);
    }
    let mut open = Open::of(&cnf)?;
    let mut groups = Vec::new();
    while let Some(group) = open.next_group()? {
        memory::push(&mut groups, group)?;
    }
    Ok(Some(groups))
}

/// The clauses that are in no group yet.
struct Open<'a> {
    cnf: &'a Cnf,
    /// The clauses of each variable, from variable 1.
    clauses_of: Vec<Vec<usize>>,
    taken: Vec<bool>,
    /// All clauses before this one are taken.
    first: usize,
    /// For each clause, the number of its variables that the group lacks.
    lacks: Vec<usize>,
    /// The place of each variable among the group's, from 1; 0 where it has none.
    places: Vec<usize>,
    /// Clauses by what they lacked when they were put here.
    candidates: [Vec<usize>; LITERALS],
}

impl<'a> Open<'a> {
    fn of(cnf: &'a Cnf) -> Result<Open<'a>, NoMemory> {
        let mut clauses_of = memory::filled(Vec::new(), cnf.variables())?;
        for (index, clause) in cnf.clauses().enumerate() {
            for &literal in clause {
                memory::push(&mut clauses_of[variable(literal) - 1], index)?;
            }
        }
        Ok(Open {
            cnf,
            clauses_of,
            taken: memory::filled(false, cnf.len())?,
            first: 0,
            lacks: memory::collected(cnf.len(), cnf.clauses().map(<[i32]>::len))?,
            places: memory::filled(0, cnf.variables())?,
            candidates: Default::default(),
        })
    }

    fn next_group(&mut self) -> Result<Option<Group>, NoMemory> {
        let mut group = Group { variables: Vec::new(), quads: Vec::new() };
        while let Some(index) = self.nearest() {
            if group.variables.len() + self.lacks[index] > MAX_VARIABLES {
                break;
            }
            self.take(index, &mut group)?;
        }
        self.forget(&group);
        Ok((!group.quads.is_empty()).then_some(group))
    }

    /// Returns the open clause that adds the fewest variables.
    fn nearest(&mut self) -> Option<usize> {
        let (taken, lacks) = (&self.taken, &self.lacks);
        for (lacked, candidates) in self.candidates.iter_mut().enumerate() {
            while candidates.pop_if(|index| taken[*index] || lacks[*index] != lacked).is_some() {}
            if let Some(index) = candidates.last() {
                return Some(*index);
            }
        }
        self.first += self.taken[self.first..].iter().take_while(|taken| **taken).count();
        (self.first < self.taken.len()).then_some(self.first)
    }

    fn take(&mut self, index: usize, group: &mut Group) -> Result<(), NoMemory> {
        self.taken[index] = true;
        let mut quad = [0.0; 4];
        for (number, &literal) in quad.iter_mut().zip(self.cnf.clause(index)) {
            let at = variable(literal) - 1;
            if self.places[at] == 0 {
                memory::push(&mut group.variables, variable(literal))?;
                self.places[at] = group.variables.len();
                for &clause in &self.clauses_of[at] {
                    self.lacks[clause] -= 1;
                    memory::push(&mut self.candidates[self.lacks[clause]], clause)?;
                }
            }
            *number = (literal.signum() * self.places[at] as i32) as f32;
        }
        quad.into_iter().try_for_each(|number| memory::push(&mut group.quads, number))
    }

    fn forget(&mut self, group: &Group) {
        for &variable in &group.variables {
            self.places[variable - 1] = 0;
            self.clauses_of[variable - 1].iter().for_each(|clause| self.lacks[*clause] += 1);
        }
        self.candidates.iter_mut().for_each(Vec::clear);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::cnf::random_cnf;
    use crate::cnf::satisfied;

    /// Computes on the host what the program does with the clauses of a group.
    fn count(group: &Group, assignment: &[bool]) -> usize {
        let constants = group.constants(assignment);
        let read = |literal: f32| constants[(literal + MIDDLE as f32) as usize];
        let holds = |quad: &[f32]| read(quad[0]).max(read(quad[1])).max(read(quad[2]));
        assert_eq!(holds(&[0.0; 4]), 0.0, "padding satisfies nothing");
        group.quads.chunks(4).map(holds).sum::<f32>() as usize
    }

    #[test]
    fn the_groups_counts_sum_to_the_formulas() {
        for (variables, length) in [(47, 1), (47, 3), (48, 3), (94, 2), (94, 3), (300, 3)] {
            let cnf = random_cnf(variables, 400, length, 8).unwrap();
            let groups = groups(&cnf).unwrap().unwrap();
            assert!(groups.iter().all(|group| group.variables.len() <= MAX_VARIABLES));
            let clauses: usize = groups.iter().map(|group| group.quads.len() / 4).sum();
            assert_eq!(clauses, 400, "each clause is in one group");
            for turn in 1..9 {
                let assignment: Vec<bool> = (0..variables).map(|v| v * v % 7 < turn).collect();
                let sum: usize = groups.iter().map(|group| count(group, &assignment)).sum();
                assert_eq!(sum, satisfied(&cnf, &assignment));
            }
        }
    }

    #[test]
    fn variables_that_fit_one_set_take_one_group_and_others_few() {
        let count = |variables, clauses| {
            groups(&random_cnf(variables, clauses, 3, 1).unwrap()).unwrap().unwrap().len()
        };
        assert_eq!(count(47, 2000), 1);
        // 15 clauses have at most 45 variables, so that one after the other 400 clauses took 27
        // groups.
        let several = count(94, 400);
        assert!((5..=10).contains(&several), "{several}");
    }

    #[test]
    fn literals_come_once_and_clauses_that_are_always_true_not_at_all() {
        let cnf = Cnf::new(4, [&[4, 2, 3, 4][..], &[1, 2, -1, 3], &[-2, -2]]).unwrap();
        let groups = groups(&cnf).unwrap().unwrap();
        assert_eq!(groups.len(), 1);
        let group = &groups[0];
        assert_eq!(group.variables, [2, 3, 4]);
        assert_eq!(group.quads, [1.0, 2.0, 3.0, 0.0, -1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn a_clause_without_literals_is_never_counted_and_a_long_one_does_not_fit() {
        let cnf = Cnf::new(2, [&[][..], &[1, 2], &[]]).unwrap();
        let groups_of_it = groups(&cnf).unwrap().unwrap();
        assert_eq!(groups_of_it.iter().map(|group| count(group, &[true; 2])).sum::<usize>(), 1);
        assert_eq!(groups(&random_cnf(20, 9, 4, 1).unwrap()), Ok(None));
        assert_eq!(groups(&Cnf::empty(3).unwrap()), Ok(Some(Vec::new())));
    }
}
