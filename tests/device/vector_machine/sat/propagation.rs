//! Unit propagation, and the search in what it leaves.

use super::*;
use quadrille_vp::cnf::planted_cnf;

/// All assignments that satisfy a formula of few variables.
fn models(cnf: &Cnf) -> Vec<Vec<bool>> {
    let all = (0..1_u32 << cnf.variables())
        .map(|bits| (0..cnf.variables()).map(|v| bits >> v & 1 == 1).collect::<Vec<bool>>());
    all.filter(|assignment| first_unsatisfied(cnf, assignment).is_none()).collect()
}

/// Short clauses, mostly of one and two literals, some with a literal twice or always true.
fn short_clauses(random: &mut Pcg64Mcg) -> Cnf {
    let variables = random.random_range(1..=8);
    let mut cnf = Cnf::empty(variables as usize).unwrap();
    for _ in 0..random.random_range(0..14) {
        let length = [1, 1, 2, 2, 2, 3, 4][random.random_range(0..7_usize)];
        let mut literal =
            || [1, -1][random.random_range(0..2_usize)] * random.random_range(1..=variables);
        let clause: Vec<i32> = (0..length).map(|_| literal()).collect();
        cnf.push(&clause).unwrap();
    }
    cnf
}

#[test]
fn propagation_agrees_with_all_assignments_of_small_formulas() {
    let mut random = Pcg64Mcg::seed_from_u64(11);
    let (mut impossible, mut solved, mut reduced) = (0, 0, 0);
    for _ in 0..3000 {
        let cnf = short_clauses(&mut random);
        let units = Propagation::of(&cnf).unwrap();
        let models = models(&cnf);
        match units.decided(&cnf).unwrap() {
            Some(outcome) if outcome.answer == Answer::Unsatisfiable => {
                assert_eq!(models, Vec::<Vec<bool>>::new(), "{cnf:?}");
                impossible += 1;
            }
            Some(outcome) => {
                assert_eq!(outcome.answer, Answer::Satisfiable, "{cnf:?}");
                assert!(models.contains(&outcome.assignment), "{cnf:?}");
                solved += 1;
            }
            None => {
                let rest = units.rest();
                assert!(rest.clauses().all(|clause| clause.len() > 1), "{cnf:?}: {rest:?}");
                assert_eq!(rest.variables(), cnf.variables() - units.fixed());
                // Every model of the rest is one of the formula, and it has no others.
                let extended = self::models(rest).into_iter().map(|assignment| {
                    let found = Outcome::without_search(&Cnf::empty(0).unwrap()).unwrap().unwrap();
                    let mut found = units.extended(&cnf, with(found, assignment)).unwrap();
                    assert_eq!(found.answer, Answer::Satisfiable, "{cnf:?}");
                    std::mem::take(&mut found.assignment)
                });
                let mut extended: Vec<Vec<bool>> = extended.collect();
                extended.sort_by_key(|model| model.iter().rev().copied().collect::<Vec<bool>>());
                assert_eq!(extended, models, "{cnf:?}");
                reduced += usize::from(units.fixed() > 0);
            }
        }
    }
    assert!(impossible > 300 && solved > 300 && reduced > 100, "{impossible} {solved} {reduced}");
}

fn with(mut outcome: Outcome, assignment: Vec<bool>) -> Outcome {
    outcome.assignment = assignment;
    outcome
}

#[test]
fn the_walk_searches_what_propagation_leaves() {
    let (hard, _) = planted_cnf(30, 120, 3, 9).unwrap();
    // The same formula, behind a variable that is fixed.
    let mut cnf = Cnf::empty(31).unwrap();
    cnf.push(&[-1]).unwrap();
    for clause in hard.clauses() {
        let moved = clause.iter().map(|literal| literal + literal.signum());
        cnf.push(&moved.chain([1]).collect::<Vec<i32>>()).unwrap();
    }
    let options = Options::new(128).seed(3);
    crate::common::on(&[Flavour::Gl33], |context| {
        let alone = walk::solve(context, &hard, options, LIMITS, &mut ()).unwrap();
        let found = walk::solve(context, &cnf, options, LIMITS, &mut ()).unwrap();
        assert_eq!(found.answer, Answer::Satisfiable);
        assert_eq!((found.satisfied, found.flips), (121, alone.flips));
        assert_eq!(found.assignment, [vec![false], alone.assignment].concat());
    });
}
