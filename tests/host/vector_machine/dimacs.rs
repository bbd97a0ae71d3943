//! Reading DIMACS files: what is found in the wild is taken, what is wrong is named with its place.

use proptest::prelude::*;
use quadrille::Kind;
use quadrille_vp::cnf::{Cnf, dimacs, random_cnf};

fn file(name: &str) -> Cnf {
    dimacs::read(format!("{}/data/sat/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[track_caller]
fn is(text: &str, variables: usize, clauses: &[&[i32]]) {
    let got = dimacs::parse("x.cnf", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(got, Cnf::new(variables, clauses).unwrap(), "{text}");
}

#[track_caller]
fn refused(text: &[u8], message: &str) {
    let error = dimacs::parse("x.cnf", text).expect_err("this is wrong");
    assert_eq!(error.to_string(), message);
    assert_eq!(error.kind(), Kind::Input);
    assert_eq!(error.place().unwrap().file, "x.cnf");
}

#[test]
fn real_files_are_read() {
    let sizes = |name| {
        let cnf = file(name);
        let longest = cnf.clauses().map(<[i32]>::len).max().unwrap();
        (cnf.variables(), cnf.len(), longest)
    };
    assert_eq!(sizes("uf20-01.cnf"), (20, 91, 3));
    assert_eq!(sizes("uf100-010.cnf"), (100, 430, 3));
    assert_eq!(sizes("uf250-02.cnf"), (250, 1065, 3));
    assert_eq!(sizes("unif-k3-r4.25-v360-c1530-S1028159446-096.cnf"), (360, 1530, 3));
    assert_eq!(sizes("uf8.cnf"), (8, 13, 3));
    assert_eq!(sizes("issue-182.cnf"), (6, 19, 4));
    assert_eq!(sizes("sgen1_sat_90_0.cnf"), (90, 216, 5));
    assert_eq!(sizes("sgen1_unsat_57_0.cnf"), (57, 124, 3));
    assert_eq!(file("uf20-01.cnf").clause(0), [4, -18, 19]);
}

#[test]
fn what_is_found_in_the_wild_is_taken() {
    is("p cnf 3 2\n1 -2 0\n3 0\n", 3, &[&[1, -2], &[3]]);
    is("  p \t cnf   3  2   \r\n1\r\n-2 0 3\r\n0", 3, &[&[1, -2], &[3]]);
    is("c one\nc\n\np cnf 3 2\nc p cnf 9 9\n1 -2\nccc 7 0\n0 3 0\nc end", 3, &[&[1, -2], &[3]]);
    is("p cnf 3 1\n1 -2 3 0\n%\n0\n\n", 3, &[&[1, -2, 3]]);
    is("p cnf 3 1\n1 1 -1 0", 3, &[&[1, 1, -1]]);
    is("p cnf 3 1\n+1 -02 0", 3, &[&[1, -2]]);
    is("p cnf 3 0\n", 3, &[]);
    is("p cnf 3 1 \t\r\n1 0\n", 3, &[&[1]]);
    is("p cnf 3 0 \t", 3, &[]);
    is("\u{feff}p cnf 3 1\n1 0\n", 3, &[&[1]]);
    is("\u{feff}c one\np cnf 3 1\n1 0\n", 3, &[&[1]]);
    is("p cnf 0 0", 0, &[]);
    is("p cnf 0 1\n0\n", 0, &[&[]]);
    is("p cnf 2 2\n1 0 0\n", 2, &[&[1], &[]]);
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    const HEADER: &str = "the header `p cnf VARIABLES CLAUSES`";
    refused(b"", &format!("x.cnf:1: expected {HEADER}, got the end of the file"));
    refused(b"c only\n", &format!("x.cnf:2: expected {HEADER}, got the end of the file"));
    refused(
        b"\xef\xbbp cnf 3 1\n1 0\n",
        "x.cnf:1: expected a whole byte order mark or none, got a part of one",
    );
    // The mark counts as no column.
    refused(b"\xef\xbb\xbf1 2 0\n", &format!("x.cnf:1:1: expected {HEADER}, got `1`"));
    refused(b"\n 1 2 0\n", &format!("x.cnf:2:2: expected {HEADER}, got `1`"));
    refused(
        b"p cnf 3\n1 0\n",
        &format!("x.cnf:1:1: expected the number of clauses in {HEADER}, got the end of the line"),
    );
    refused(
        b"p cnf -3 1\n",
        &format!(
            "x.cnf:1:7: expected a number of variables from 0 to 16777216 in {HEADER}, got `-3`"
        ),
    );
    refused(
        b"p cnf 99999999999999999999 1\n",
        &format!(
            "x.cnf:1:7: expected a number of variables from 0 to 16777216 in {HEADER}, \
             got `99999999999999999999`"
        ),
    );
    let end = format!("expected the end of the line after {HEADER}, got");
    refused(b"p cnf 3 2 0\n1 2 0\n", &format!("x.cnf:1:11: {end} `0`"));
    refused(b"p cnf 7 1 7\n1 0\n", &format!("x.cnf:1:11: {end} `7`"));
    refused(b"p cnf 3 1 c one\n1 0\n", &format!("x.cnf:1:11: {end} `c`"));
    refused(
        b"p wcnf 3 1 9\n",
        "x.cnf:1:3: the format `wcnf` is not supported: expected `cnf`, plain clauses (convert \
         weighted or other formulas first)",
    );
    refused(
        b"p cnf 3 1\n1 -4 0\n",
        "x.cnf:2:3: expected a variable from 1 to 3, as the header says, got `-4`",
    );
    refused(
        b"p cnf 3 1\n1 5000000000 0\n",
        "x.cnf:2:3: expected a variable from 1 to 3, as the header says, got `5000000000`",
    );
    refused(
        b"p cnf 3 1\n1 -99999999999999999999 0\n",
        "x.cnf:2:3: expected a variable from 1 to 3, as the header says, got `-99999999999999999999`",
    );
    let literal =
        "expected a literal (a variable's number, negative where it is negated) or 0, got";
    refused(b"p cnf 3 1\n1 x2 0\n", &format!("x.cnf:2:3: {literal} `x2`"));
    refused(b"p cnf 3 1\n1 \xff\0 0\n", &format!("x.cnf:2:3: {literal} `\\xff\\x00`"));
    refused(b"p cnf 3 1\n1 - 0\n", &format!("x.cnf:2:3: {literal} `-`"));
    refused(b"p cnf 3 1\np cnf 3 1\n1 0\n", &format!("x.cnf:2:1: {literal} `p`"));
    refused(b"p cnf 3 1\n1 c 2 0\n", &format!("x.cnf:2:3: {literal} `c`"));
    refused(
        b"p cnf 3 2\n1 0\n2\n3\n",
        "x.cnf:5: expected a 0 to end the clause that begins at line 3, column 1, got the end of \
         the formula",
    );
    refused(
        b"p cnf 3 1\n2\n%\n0\n",
        "x.cnf:5: expected a 0 to end the clause that begins at line 2, column 1, got the end of \
         the formula",
    );
    refused(
        b"p cnf 3 2\n1 0\n",
        "x.cnf:3: expected 2 clauses, as the header says, got 1 (is the file cut off? If not, \
         correct the header)",
    );
    refused(
        b"p cnf 3 1\n",
        "x.cnf:2: expected 1 clause, as the header says, got 0 (is the file cut off? If not, \
         correct the header)",
    );
    refused(
        b"p cnf 3 0\n1 0\n",
        "x.cnf:2:1: expected the end of the file after 0 clauses (if \
         there are more, correct the header), got `1`",
    );
    refused(
        b"p cnf 3 1\n1 0\n 2 0\n",
        "x.cnf:3:2: expected the end of the file after 1 clause (if there are more, correct the \
         header), got `2`",
    );
    refused(
        b"p cnf 3 1\n1 0\n%\n0\n1 0\n",
        "x.cnf:5:1: expected nothing but 0 after `%`, which ends the formula, got `1`",
    );
    let long = format!("p cnf 3 1\n{}\n", "1".repeat(70));
    refused(
        long.as_bytes(),
        "x.cnf:2:1: expected words of at most 64 bytes, got `111111111111111111111111...`",
    );
}

#[test]
fn a_file_that_is_not_there_is_an_error_of_the_system() {
    let error = dimacs::read("no/such.cnf").unwrap_err();
    assert_eq!(error.kind(), Kind::Io);
    assert!(error.to_string().starts_with("no/such.cnf: cannot read it"), "{error}");
}

/// The text of a formula, with white space that a seed chooses.
fn written(cnf: &Cnf, seed: u64) -> String {
    let spaces = [" ", "\n", "\t", "  ", "\r\n", "\nc 1 2\n"];
    let mut text = format!("p cnf {} {}\n", cnf.variables(), cnf.len());
    let mut state = seed;
    for literal in cnf.clauses().flat_map(|clause| clause.iter().chain(&[0])) {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        text += &format!("{literal}{}", spaces[(state >> 33) as usize % spaces.len()]);
    }
    text
}

/// Bytes that get further into the reader than plain noise.
fn nearly_dimacs() -> impl Strategy<Value = Vec<u8>> {
    let word = prop::sample::select(vec![
        "p cnf 3 2\n",
        "p",
        "cnf",
        "1",
        "-2",
        "3",
        "0",
        " ",
        "\n",
        "%",
        "c",
        "c x\n",
        "\r\n",
        "99999999999999999999",
        "-",
        "x",
        "\u{ff}",
        "4294967297",
    ]);
    prop::collection::vec(word, 0..40).prop_map(|words| words.concat().into_bytes())
}

proptest! {
    #[test]
    fn no_bytes_are_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = dimacs::parse("x.cnf", &bytes);
    }

    #[test]
    fn nearly_right_text_is_no_panic_and_what_is_read_keeps_to_its_header(bytes in nearly_dimacs()) {
        if let Ok(cnf) = dimacs::parse("x.cnf", &bytes) {
            let most = cnf.literals().iter().map(|literal| literal.unsigned_abs()).max();
            prop_assert!(most.unwrap_or(0) as usize <= cnf.variables());
        }
    }

    #[test]
    fn what_is_written_is_read(clauses in 0_usize..50, length in 1_usize..6, seed: u64) {
        let cnf = random_cnf(9, clauses, length, seed).unwrap();
        let text = written(&cnf, seed);
        prop_assert_eq!(&dimacs::parse("x.cnf", text.as_bytes()).unwrap(), &cnf);
        if clauses > 0 {
            let cut = text.rfind(" 0").or(text.rfind("\n0")).unwrap_or(0);
            prop_assert!(dimacs::parse("x.cnf", &text.as_bytes()[..cut]).is_err());
        }
    }
}

/// The fuzz target's seeds are what their names say.
#[test]
fn the_seeds_of_the_fuzz_target_are_read_or_refused_as_named() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/corpus/dimacs");
    let named =
        |entry: &std::fs::DirEntry| entry.path().extension().is_some_and(|ending| ending == "cnf");
    let files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()).filter(named).collect();
    assert!(files.len() >= 13);
    for file in files {
        let refused = file.file_name().to_string_lossy().starts_with("refused");
        assert_eq!(dimacs::read(file.path()).is_err(), refused, "{:?}", file.file_name());
    }
}

#[test]
fn a_clause_ends_with_a_plain_zero() {
    for zero in ["-0", "+0", "00"] {
        let text = format!("p cnf 1 1\n1 {zero}\n");
        let error = dimacs::parse("zero.cnf", text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("zero.cnf:2:3: expected a literal, or a plain 0"), "{error}");
    }
}
