//! Checks whether an assignment satisfies a formula, in plain loops that no search shares. Every
//! model is checked by them before it is returned.

use crate::cnf::Cnf;

/// Counts the clauses that the assignment satisfies; element `v - 1` is the value of variable `v`.
/// A literal of a variable without a value is not satisfied.
pub fn satisfied(cnf: &Cnf, assignment: &[bool]) -> usize {
    cnf.clauses().filter(|clause| holds(clause, assignment)).count()
}

/// Finds the first clause, from 0, that the assignment does not satisfy; none for a model.
///
/// ```
/// use quadrille_vp::cnf::{Cnf, first_unsatisfied};
///
/// let cnf = Cnf::new(2, [[1, -2], [2, 2]])?;
/// assert_eq!(first_unsatisfied(&cnf, &[true, true]), None);
/// assert_eq!(first_unsatisfied(&cnf, &[true, false]), Some(1));
/// # Ok::<(), quadrille_vp::cnf::Error>(())
/// ```
pub fn first_unsatisfied(cnf: &Cnf, assignment: &[bool]) -> Option<usize> {
    cnf.clauses().position(|clause| !holds(clause, assignment))
}

fn holds(clause: &[i32], assignment: &[bool]) -> bool {
    for &literal in clause {
        let variable = literal.unsigned_abs() as usize;
        if assignment.get(variable - 1) == Some(&(literal > 0)) {
            return true;
        }
    }
    false
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::cnf::{planted_cnf, random_cnf};

    #[test]
    fn clauses_are_counted_as_by_hand() {
        let cnf = Cnf::new(3, [&[1, -2][..], &[2, 3], &[-3], &[1, -1], &[2, 2]]).unwrap();
        assert_eq!(satisfied(&cnf, &[true, true, false]), 5);
        assert_eq!(first_unsatisfied(&cnf, &[true, true, false]), None);
        assert_eq!(satisfied(&cnf, &[false, true, true]), 3);
        assert_eq!(first_unsatisfied(&cnf, &[false, true, true]), Some(0));
        assert_eq!(first_unsatisfied(&cnf, &[true, true]), Some(2), "no value is no model");
        assert_eq!(satisfied(&Cnf::new(0, [[]]).unwrap(), &[]), 0);
        assert_eq!(first_unsatisfied(&Cnf::empty(0).unwrap(), &[]), None);
    }

    #[test]
    fn a_model_with_one_value_turned_is_none_where_a_clause_depends_on_it() {
        let (cnf, hidden) = planted_cnf(17, 150, 3, 5).unwrap();
        assert_eq!(first_unsatisfied(&cnf, &hidden), None);
        let mut depended = 0;
        for turned in 0..17 {
            let mut wrong = hidden.clone();
            wrong[turned] = !wrong[turned];
            let variable = turned as i32 + 1;
            let alone = |clause: &[i32]| {
                let mut holding =
                    clause.iter().filter(|l| hidden[l.unsigned_abs() as usize - 1] == (**l > 0));
                holding.next().is_some_and(|l| l.abs() == variable) && holding.next().is_none()
            };
            let expected = cnf.clauses().position(alone);
            assert_eq!(first_unsatisfied(&cnf, &wrong), expected);
            depended += usize::from(expected.is_some());
        }
        assert!(depended > 8, "clauses depend on {depended} variables of 17");
    }

    #[test]
    fn the_planted_model_holds_and_is_none_of_another_formula() {
        let (cnf, hidden) = planted_cnf(17, 100, 3, 5).unwrap();
        assert_eq!(satisfied(&cnf, &hidden), 100);
        assert_ne!(satisfied(&random_cnf(17, 100, 3, 5).unwrap(), &hidden), 100);
    }
}
