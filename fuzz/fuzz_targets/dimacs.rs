//! Any bytes: a formula whose own text gives the same formula, or an error that can be shown.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quadrille::Classified;
use quadrille::data::Cnf;
use quadrille::io::dimacs;

fuzz_target!(|bytes: &[u8]| {
    match dimacs::parse("fuzz.cnf", bytes) {
        Ok(cnf) => assert_parses_again(&cnf),
        Err(error) => assert!(error.place().is_some() && error.to_string().contains("fuzz.cnf")),
    }
});

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
