//! The searches for models: against their twins, on formulas with known answers, on real files.

mod greedy_search;
mod propagation;

use std::time::{Duration, Instant};

use crate::common::Flavour;
use quadrille::{Context, Kind};
use quadrille::{Control, Progress};
use quadrille_vp::cnf::{Cnf, dimacs, first_unsatisfied, random_cnf, satisfied};
use quadrille_vp::internal::reference::walk::WalkSat;
use quadrille_vp::sat::greedy::{
    self, CpuEvaluator, Evaluator, TextureEvaluator, VertexProgramEvaluator,
};
use quadrille_vp::sat::walk::{self, NOISE, Options, Walk};
use quadrille_vp::sat::{Answer, Limits, Outcome, Propagation};
use quadrille_vp::vector_machine::Machine;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn file(name: &str) -> Cnf {
    dimacs::read(format!("{}/data/sat/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
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

/// Checks after each of a few steps that all candidates are those of the twin.
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
        let options = Options::new(130).seed(0x1234_5678_9abc);
        walks_as_its_twin(context, &random_cnf(31, 140, 3, 7).unwrap(), options, 6);
    });
}

#[test]
fn clauses_of_any_length_and_any_noise_walk_as_the_twin() {
    crate::common::on(&[Flavour::Gl33, Flavour::Gles30], |context| {
        for noise in [0.0, 0.3, 1.0] {
            let options = Options::new(1).seed(5).noise(noise);
            walks_as_its_twin(context, &ragged(13, 90), options, 4);
        }
    });
}

const LIMITS: Limits = Limits { flips: 12000, restarts: 3 };

fn solve(context: &Context, cnf: &Cnf, candidates: usize, seed: u64) -> Outcome {
    let options = Options::new(candidates).seed(seed);
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
        let options = Options::new(200).seed(1);
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
        let options = Options::new(1).seed(9);
        let outcome = walk::solve(context, &none, options, limits, &mut ()).unwrap();
        assert_eq!((outcome.answer, outcome.satisfied), (Answer::Unknown, 3));
    });
}

#[test]
fn more_variables_than_a_texture_is_wide_wrap() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let width = context.abilities().max_texture_size as usize;
        let mut cnf = random_cnf(width + 3, width + 500, 3, 2).unwrap();
        // The last three variables are to be equal, so that they are flipped soon.
        let [x, y, z] = [1, 2, 3].map(|past| (width + past) as i32);
        for pair in [[x, -y], [y, -z], [z, -x]] {
            (0..1000).for_each(|_| cnf.push(&pair).unwrap());
        }
        let options = Options::new(128).seed(3);
        walks_as_its_twin(context, &cnf, options, 4);
    });
}

#[test]
fn an_observer_stops_it_with_what_it_has() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let cnf = file("sgen1_unsat_57_0.cnf");
        let options = Options::new(128).seed(1);
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
        // Steps of some thirty milliseconds in software.
        let cnf = random_cnf(40_000, 150_000, 3, 1).unwrap();
        let options = Options::new(512).seed(1);
        let limits = Limits { flips: 33, restarts: 0 };
        let mut walk = Walk::new(context, &cnf, options).unwrap();
        let mut looks: Vec<(u64, Instant)> = vec![];
        let mut observer = |progress: &Progress| {
            looks.push((progress.done, Instant::now()));
            Control::Continue
        };
        let outcome = walk.run(&cnf, limits, &mut observer).unwrap();
        assert_eq!((outcome.flips, outcome.stopped), (33 * 512, false));
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
            let options = Options::new(candidates).seed(1).noise(noise);
            Walk::new(context, &cnf, options).err().unwrap()
        };
        assert_eq!(refused(0, NOISE).kind(), Kind::Input);
        assert_eq!(refused(usize::MAX, NOISE).kind(), Kind::Input);
        for noise in [-0.1, 1.1, f64::NAN] {
            assert!(refused(1, noise).to_string().starts_with("expected a noise from 0 to 1"));
        }
    });
}
