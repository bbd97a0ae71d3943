//! The greedy search, and the evaluators that count satisfied clauses.

use super::*;
use quadrille_vp::vector_machine::Processor as Stage;

/// Assignments of all `variables`.
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

/// 94 variables take several sets of constants, 48 two of which one is nearly empty, and 47 one.
#[test]
fn the_vertex_program_counts_with_several_sets_of_constants() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let stages = [Stage::Vertex, Stage::Feedback, Stage::Fragment];
        let mut machines = vec![Machine::simulator()];
        machines.extend(stages.map(|stage| Machine::new(context).with(stage).unwrap()));
        for (variables, clauses) in [(47, 400), (48, 90), (94, 400), (250, 1065)] {
            for seed in 1..3 {
                let cnf = random_cnf(variables, clauses, 3, seed).unwrap();
                for machine in &machines {
                    let mut evaluator = VertexProgramEvaluator::new(machine, &cnf).unwrap();
                    assert_eq!(evaluator.sets() > 1, variables > 47);
                    for assignment in assignments(variables).take(5) {
                        let count = evaluator.satisfied(&assignment).unwrap();
                        assert_eq!(count, satisfied(&cnf, &assignment), "{variables} variables");
                    }
                }
            }
        }
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
    fn satisfied(&mut self, _: &[bool]) -> Result<usize, quadrille_vp::sat::Error> {
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
