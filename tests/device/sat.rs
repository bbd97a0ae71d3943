//! The searches for models: against their twins, on formulas with known answers, on real files.
#![cfg(feature = "files")]

use std::time::{Duration, Instant};

use crate::common::Flavour;
use quadrille::data::{Cnf, planted_cnf, random_cnf};
use quadrille::internal::reference::sat::{first_unsatisfied, satisfied};
use quadrille::internal::reference::walk::WalkSat;
use quadrille::io::dimacs;
use quadrille::observer::{Control, Progress};
use quadrille::sat::greedy::{
    self, CpuEvaluator, Evaluator, TextureEvaluator, VertexProgramEvaluator,
};
use quadrille::sat::walk::{self, NOISE, Options, Walk};
use quadrille::sat::{Answer, Limits, Outcome, Propagation};
use quadrille::vector_machine::Machine;
use quadrille::{Context, Kind};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn file(name: &str) -> Cnf {
    dimacs::read(format!("{}/tests/data/sat/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Clauses of one to nine literals, with repeated literals and clauses that are always true.
fn ragged(variables: usize, clauses: usize) -> Cnf {
    let parts = (1..=9).map(|length| random_cnf(variables, clauses / 9 + 1, length, 3).unwrap());
    let mut cnf = Cnf::empty(variables).unwrap();
    for clause in parts.flat_map(|part| part.clauses().map(<[i32]>::to_vec).collect::<Vec<_>>()) {
        cnf.push(&[&clause[..], &clause[..1]].concat()).unwrap();
    }
    cnf.push(&[1, 2, -1]).unwrap();
    cnf
}

/// After each of a few steps all candidates are what the twin's are.
fn walks_as_its_twin(context: &Context, cnf: &Cnf, options: Options, steps: usize) {
    let mut walk = Walk::new(context, cnf, options).unwrap();
    let candidates = walk.candidates();
    let block = walk.block();
    let mut twin =
        WalkSat::new(cnf.simplified().unwrap(), candidates, block, options.seed, options.noise);
    walk.begin().unwrap();
    twin.begin();
    for step in 0..steps {
        let got = walk.assignments().unwrap();
        let wrong = got.iter().zip(&twin.assignments).position(|(got, twin)| got != twin);
        assert_eq!(wrong, None, "before step {step}");
        walk.step().unwrap();
        twin.step();
    }
    assert_ne!(walk.assignments().unwrap()[0], WalkSat::clone(&twin).assignments[1]);
    assert_eq!(walk.assignments().unwrap(), twin.assignments);
    twin.step();
    assert_ne!(walk.assignments().unwrap(), twin.assignments, "the comparison can fail");
}

#[test]
fn the_walk_is_its_twin_bit_for_bit() {
    crate::common::each(|context| {
        let options = Options { candidates: 130, seed: 0x1234_5678_9abc, noise: NOISE };
        walks_as_its_twin(context, &random_cnf(31, 140, 3, 7).unwrap(), options, 6);
    });
}

#[test]
fn clauses_of_any_length_and_any_noise_walk_as_the_twin() {
    crate::common::on(&[Flavour::Gl33, Flavour::Gles30], |context| {
        for noise in [0.0, 0.3, 1.0] {
            let options = Options { candidates: 1, seed: 5, noise };
            walks_as_its_twin(context, &ragged(13, 90), options, 4);
        }
    });
}

const LIMITS: Limits = Limits { flips: 12000, restarts: 3 };

fn solve(context: &Context, cnf: &Cnf, candidates: usize, seed: u64) -> Outcome {
    let options = Options { candidates, seed, noise: NOISE };
    walk::solve(context, cnf, options, LIMITS, &mut ()).unwrap()
}

#[test]
fn real_files_are_solved_and_the_models_hold() {
    crate::common::on(&[Flavour::Gl], |context| {
        for name in ["uf8.cnf", "uf20-01.cnf", "uf100-010.cnf", "uf250-02.cnf"] {
            let cnf = file(name);
            let outcome = solve(context, &cnf, 512, 1);
            assert_eq!(outcome.answer, Answer::Satisfiable, "{name}");
            assert_eq!(first_unsatisfied(&cnf, &outcome.assignment), None);
            assert_eq!(outcome.satisfied, cnf.len());
            let model = outcome.model().unwrap();
            assert!(model.iter().zip(1..).all(|(literal, variable)| literal.abs() == variable));
        }
    });
}

#[test]
fn a_formula_without_a_model_stays_unknown() {
    crate::common::on(&[Flavour::Gles30], |context| {
        let cnf = file("sgen1_unsat_57_0.cnf");
        let options = Options { candidates: 200, seed: 1, noise: NOISE };
        let limits = Limits { flips: 150, restarts: 2 };
        let outcome = walk::solve(context, &cnf, options, limits, &mut ()).unwrap();
        assert_eq!((outcome.answer, outcome.model()), (Answer::Unknown, None));
        assert_eq!((outcome.flips, outcome.restarts), (256 * 150, 2));
        assert_eq!(outcome.evaluations, 256 * 153 * cnf.len() as u64);
        assert_eq!(outcome.satisfied, satisfied(&cnf, &outcome.assignment));
        assert!(outcome.satisfied > cnf.len() * 9 / 10, "the best of many: {}", outcome.satisfied);
        // More restarts than flips: it ends when these are spent.
        let limits = Limits { flips: 5, restarts: u64::MAX };
        let outcome = walk::solve(context, &cnf, options, limits, &mut ()).unwrap();
        assert_eq!((outcome.flips, outcome.restarts), (256 * 5, 4));
    });
}

#[test]
fn what_needs_no_search_gets_its_answer_without_one() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let answer = |cnf: &Cnf| {
            let outcome = solve(context, cnf, 1, 1);
            assert_eq!((outcome.flips, outcome.evaluations), (0, 0));
            (outcome.answer, outcome.satisfied, outcome.assignment.len())
        };
        assert_eq!(answer(&Cnf::empty(0).unwrap()), (Answer::Satisfiable, 0, 0));
        assert_eq!(answer(&Cnf::empty(5).unwrap()), (Answer::Satisfiable, 0, 5));
        let always = Cnf::new(3, [[1, -1], [-3, 3]]).unwrap();
        assert_eq!(answer(&always), (Answer::Satisfiable, 2, 3));
        let never = Cnf::new(3, [&[-1][..], &[], &[2]]).unwrap();
        assert_eq!(answer(&never), (Answer::Unsatisfiable, 1, 3));
    });
}

#[test]
fn the_smallest_formulas_are_solved() {
    crate::common::each(|context| {
        for clauses in [&[&[1][..]][..], &[&[-1]], &[&[1, 2], &[-1, 2], &[1, -2]]] {
            let cnf = Cnf::new(2, clauses).unwrap();
            assert_eq!(solve(context, &cnf, 1, 9).answer, Answer::Satisfiable);
        }
        let units = Cnf::new(1, [[1], [-1]]).unwrap();
        assert_eq!(solve(context, &units, 1, 9).answer, Answer::Unsatisfiable);
        let none = Cnf::new(2, [[1, 2], [-1, 2], [1, -2], [-1, -2]]).unwrap();
        let limits = Limits { flips: 100, restarts: 3 };
        let options = Options { candidates: 1, seed: 9, noise: NOISE };
        let outcome = walk::solve(context, &none, options, limits, &mut ()).unwrap();
        assert_eq!((outcome.answer, outcome.satisfied), (Answer::Unknown, 3));
    });
}

#[test]
fn more_variables_than_a_texture_is_wide_wrap() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let width = context.abilities().max_texture_size as usize;
        let (cnf, _) = planted_cnf(width + 3, width + 500, 3, 2).unwrap();
        // About an eighth of the clauses is to be repaired, one a flip.
        let limits = Limits { flips: width as u64, restarts: 0 };
        let options = Options { candidates: 128, seed: 3, noise: NOISE };
        let outcome = walk::solve(context, &cnf, options, limits, &mut ()).unwrap();
        assert_eq!(outcome.answer, Answer::Satisfiable);
        let last = outcome.assignment[width..].to_vec();
        assert!(last.contains(&true) || last.contains(&false));
    });
}

#[test]
fn an_observer_stops_it_with_what_it_has() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let cnf = file("sgen1_unsat_57_0.cnf");
        let options = Options { candidates: 128, seed: 1, noise: NOISE };
        let mut looks = vec![];
        let mut observer = |progress: &Progress| {
            looks.push(progress.done);
            assert_eq!(progress.expected, Some(12000));
            if progress.done == 96 { Control::Stop } else { Control::Continue }
        };
        let outcome = walk::solve(context, &cnf, options, LIMITS, &mut observer).unwrap();
        assert!([0, 32, 64, 96].iter().all(|done| looks.contains(done)), "{looks:?}");
        assert!(outcome.stopped && outcome.answer == Answer::Unknown);
        assert_eq!(outcome.flips, 96 * 128);
        assert_eq!(outcome.satisfied, satisfied(&cnf, &outcome.assignment));
    });
}

#[test]
fn an_observer_of_slow_steps_is_asked_often_and_changes_nothing() {
    crate::common::on(&[Flavour::Gl33], |context| {
        // Steps of some fifty milliseconds in software.
        let cnf = random_cnf(40_000, 150_000, 3, 1).unwrap();
        let options = Options { candidates: 1024, seed: 1, noise: NOISE };
        let limits = Limits { flips: 33, restarts: 0 };
        let mut walk = Walk::new(context, &cnf, options).unwrap();
        let mut looks: Vec<(u64, Instant)> = vec![];
        let mut observer = |progress: &Progress| {
            looks.push((progress.done, Instant::now()));
            Control::Continue
        };
        let outcome = walk.run(&cnf, limits, &mut observer).unwrap();
        assert_eq!((outcome.flips, outcome.stopped), (33 * 1024, false));
        // What cannot be asked for within a step, must be after it.
        let rare = looks.windows(2).find(|pair| {
            pair[1].0 > pair[0].0 + 1 && pair[1].1 - pair[0].1 > Duration::from_millis(500)
        });
        assert_eq!(rare, None);
    });
}

#[test]
fn what_does_not_fit_is_refused() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let cnf = file("uf8.cnf");
        let refused = |candidates, noise| {
            let options = Options { candidates, seed: 1, noise };
            Walk::new(context, &cnf, options).err().unwrap()
        };
        assert_eq!(refused(0, NOISE).kind(), Kind::Input);
        assert_eq!(refused(usize::MAX, NOISE).kind(), Kind::Input);
        for noise in [-0.1, 1.1, f64::NAN] {
            assert!(refused(1, noise).to_string().starts_with("expected a noise from 0 to 1"));
        }
    });
}

/// Assignments of so many variables.
fn assignments(variables: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..20_u64)
        .map(move |seed| crate::common::random(variables, seed).iter().map(|&x| x > 0.0).collect())
}

#[test]
fn the_device_counts_satisfied_clauses_as_the_reference() {
    crate::common::each(|context| {
        let formulas = [
            Cnf::new(1, [[-1]]).unwrap(),
            random_cnf(20, 15, 3, 1).unwrap(),
            random_cnf(20, 16, 2, 1).unwrap(),
            random_cnf(257, 1531, 3, 1).unwrap(),
            ragged(31, 300),
        ];
        for cnf in formulas {
            let mut device = TextureEvaluator::new(context, &cnf).unwrap();
            for assignment in assignments(cnf.variables()) {
                assert_eq!(device.satisfied(&assignment).unwrap(), satisfied(&cnf, &assignment));
            }
        }
    });
}

#[test]
fn the_vertex_program_takes_literals_twice_and_counts_what_is_always_true() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let cnf = Cnf::new(4, [&[1, 2, 3, 1][..], &[-4, 4, 1, 2], &[-1, -1], &[], &[2, -3, 4]]);
        let cnf = cnf.unwrap();
        let tautology = Cnf::new(1, [[1, -1], [-1, 1]]).unwrap();
        let machines = [Machine::simulator(), Machine::new(context)];
        for (machine, cnf) in machines.iter().flat_map(|m| [(m, &cnf), (m, &tautology)]) {
            let mut evaluator = VertexProgramEvaluator::new(machine, cnf).unwrap();
            for assignment in assignments(cnf.variables()) {
                assert_eq!(evaluator.satisfied(&assignment).unwrap(), satisfied(cnf, &assignment));
            }
        }
        let long = Cnf::new(5, [&[1, 2, 3, 4, 1][..], &[1, 1, 2, 2, 3, 3]]).unwrap();
        let error = VertexProgramEvaluator::new(&machines[0], &long).err().unwrap().to_string();
        assert!(error.contains("clauses of up to 4 literals"), "{error}");
    });
}

#[test]
fn more_variables_than_a_texture_is_wide_are_counted() {
    crate::common::on(&[Flavour::Gles30], |context| {
        let width = context.abilities().max_texture_size as usize;
        let cnf = random_cnf(width + 7, 15 * width + 31, 3, 2).unwrap();
        let mut device = TextureEvaluator::new(context, &cnf).unwrap();
        let assignment = assignments(cnf.variables()).next().unwrap();
        assert_eq!(device.satisfied(&assignment).unwrap(), satisfied(&cnf, &assignment));
    });
}

#[test]
fn the_greedy_search_is_the_same_on_every_engine() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let cnf = file("uf20-01.cnf");
        let limits = Limits { flips: 20_000, restarts: u64::MAX };
        let mut device = TextureEvaluator::new(context, &cnf).unwrap();
        let mut host = CpuEvaluator::new(&cnf).unwrap();
        let on_device = greedy::solve(&cnf, &mut device, 3, limits, &mut ()).unwrap();
        let on_host = greedy::solve(&cnf, &mut host, 3, limits, &mut ()).unwrap();
        assert_eq!(on_host.answer, Answer::Satisfiable);
        assert_eq!(first_unsatisfied(&cnf, &on_host.assignment), None);
        let told = |outcome: &Outcome| {
            let Outcome { flips, restarts, evaluations, .. } = *outcome;
            (outcome.assignment.clone(), flips, restarts, evaluations)
        };
        assert_eq!(told(&on_device), told(&on_host));
        assert_eq!(on_host.evaluations, (on_host.flips + on_host.restarts + 1) * 91);
        let other = greedy::solve(&cnf, &mut host, 4, limits, &mut ()).unwrap();
        assert_ne!(told(&other), told(&on_host));
    });
}

#[test]
fn the_greedy_search_keeps_its_best_and_its_limits() {
    let cnf = file("sgen1_unsat_57_0.cnf");
    let mut host = CpuEvaluator::new(&cnf).unwrap();
    let limits = Limits { flips: 5000, restarts: u64::MAX };
    let outcome = greedy::solve(&cnf, &mut host, 1, limits, &mut ()).unwrap();
    assert_eq!((outcome.answer, outcome.flips), (Answer::Unknown, 5000));
    assert!(outcome.restarts > 3 && outcome.satisfied > 110);
    assert_eq!(outcome.satisfied, satisfied(&cnf, &outcome.assignment));
    let two = Limits { restarts: 2, ..limits };
    let outcome = greedy::solve(&cnf, &mut host, 1, two, &mut ()).unwrap();
    assert!(outcome.restarts == 2 && outcome.flips < 5000);
    let mut stop = |progress: &Progress| {
        if progress.done >= 640 { Control::Stop } else { Control::Continue }
    };
    let outcome = greedy::solve(&cnf, &mut host, 1, limits, &mut stop).unwrap();
    assert!(outcome.stopped && outcome.flips == 640);
}

/// An evaluator that takes any assignment for a model.
struct Liar(usize);

impl Evaluator for Liar {
    fn satisfied(&mut self, _: &[bool]) -> Result<usize, quadrille::sat::Error> {
        Ok(self.0)
    }
}

#[test]
fn a_model_that_is_none_is_not_given_out() {
    let cnf = file("sgen1_unsat_57_0.cnf");
    let limits = Limits { flips: 10, restarts: 0 };
    let error = greedy::solve(&cnf, &mut Liar(cnf.len()), 1, limits, &mut ()).unwrap_err();
    assert_eq!(error.kind(), Kind::Failed);
    assert!(error.to_string().contains("does not satisfy clause"), "{error}");
}

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
    let options = Options { candidates: 128, seed: 3, noise: NOISE };
    crate::common::on(&[Flavour::Gl33], |context| {
        let alone = walk::solve(context, &hard, options, LIMITS, &mut ()).unwrap();
        let found = walk::solve(context, &cnf, options, LIMITS, &mut ()).unwrap();
        assert_eq!(found.answer, Answer::Satisfiable);
        assert_eq!((found.satisfied, found.flips), (121, alone.flips));
        assert_eq!(found.assignment, [vec![false], alone.assignment].concat());
    });
}
