//! DIMACS formulas.

use super::mutation::mutate;
use super::{Choices, Target, Verdicts};
use quadrille_vp::cnf::{Cnf, dimacs};

pub const TARGET: Target = Target { name: "dimacs", file, generated };

const WORDS: [&str; 8] = ["p cnf 3 2\n", "c a comment\n", " 0\n", "0", "-", "+", "%\n", "\n"];

fn file(bytes: &[u8]) -> Verdicts {
    let mut verdicts = Verdicts::default();
    let cnf = dimacs::parse("fuzz.cnf", bytes);
    verdicts.count(&cnf);
    match cnf {
        Ok(cnf) => assert_parses_again(&cnf),
        Err(error) => assert!(error.place().is_some() && error.to_string().contains("fuzz.cnf")),
    }
    verdicts
}

fn generated(bytes: &[u8]) -> Verdicts {
    let mut choices = Choices::new(bytes);
    let variables = choices.between(1, 20);
    let mut clauses: Vec<Vec<i32>> = Vec::new();
    let mut lines = String::new();
    for _ in 0..choices.below(12) {
        let literal = |choices: &mut Choices| {
            let variable = choices.between(1, variables) as i32;
            if choices.one_in(2) { -variable } else { variable }
        };
        let clause: Vec<i32> = (0..choices.below(5)).map(|_| literal(&mut choices)).collect();
        for literal in &clause {
            lines += &format!("{literal}{}", choices.pick(&[" ", "\n", "\t", " \r\n"]));
        }
        lines += choices.pick(&["0\n", "0 ", "0\nc between\n"]);
        clauses.push(clause);
    }
    let mut text = format!("c first\np cnf {variables} {}\n{lines}", clauses.len()).into_bytes();
    let cnf = dimacs::parse("valid.cnf", &text).unwrap();
    assert_eq!(cnf.variables(), variables);
    assert!(cnf.clauses().eq(clauses.iter().map(Vec::as_slice)));
    mutate(&mut text, &mut choices, &WORDS);
    file(&text)
}

fn assert_parses_again(cnf: &Cnf) {
    let mut text = format!("p cnf {} {}\n", cnf.variables(), cnf.len());
    for clause in cnf.clauses() {
        for literal in clause {
            assert!(*literal != 0 && literal.unsigned_abs() as usize <= cnf.variables());
            text += &format!("{literal} ");
        }
        text += "0\n";
    }
    let again = dimacs::parse("again.cnf", text.as_bytes());
    let same = again.is_ok_and(|again| again.clauses().eq(cnf.clauses()));
    assert!(same, "{text}");
}
