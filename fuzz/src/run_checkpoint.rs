//! The files from which runs go on.

use std::path::Path;

use super::mutation::mutate;
use super::scratch::{self, bounded};
use super::{Choices, Target, Verdicts};
use quadrille::internal::experiment::{Content, read, write};

pub const TARGET: Target = Target { name: "run_checkpoint", file, generated };

const WORDS: [&str; 10] = [
    "\"iteration\":",
    "\"facts\":[]",
    "\"arrays\":[",
    "\"shape\":[2,2,1]",
    "{\"name\":\"y\"",
    "[\"seed\",\"1\"]",
    "\n",
    "version 2, ",
    "\\u0000",
    "}",
];

fn file(bytes: &[u8]) -> Verdicts {
    let mut verdicts = Verdicts::default();
    let texels = (0..4).map(|index| index * 0x3f80_0000).collect();
    let arrays = vec![("y".to_owned(), "float".to_owned(), [2, 2, 1], texels)];
    let expected = Content { iteration: 3, facts: vec![("seed".into(), "1".into())], arrays };
    scratch::with(|scratch| {
        let path = scratch.file("fuzz.checkpoint", bytes);
        read_again(&path, bytes.len(), &expected, &mut verdicts);
    });
    verdicts
}

/// Reads a file, which must be refused, or have arrays as expected; what it has is read again from a file of its own.
fn read_again(path: &Path, length: usize, expected: &Content, verdicts: &mut Verdicts) {
    let found = bounded(64 * length + (4 << 20), || read(path, expected));
    verdicts.count(&found);
    match found {
        Ok(found) => {
            write(path, &found).unwrap();
            assert_eq!(read(path, expected).unwrap(), found);
        }
        Err(error) => {
            let error = error.to_string();
            assert!(error.starts_with(&format!("{}: ", path.display())), "{error}");
        }
    }
}

/// A file; the same with one mutation, which is found; and one whose head is another under a checksum that is right.
fn generated(bytes: &[u8]) -> Verdicts {
    let mut choices = Choices::new(bytes);
    let array = |index: usize, choices: &mut Choices<'_>| {
        let shape = [1, 1, 1].map(|least| choices.between(least, 4));
        let texels = (0..shape.iter().product()).map(|_| u32::from(choices.byte()) << 20).collect();
        (format!("p{index}.y"), "float".to_owned(), shape, texels)
    };
    let arrays = (0..choices.below(3)).map(|index| array(index, &mut choices)).collect();
    let facts = (0..choices.below(4)).map(|index| (format!("fact {index}"), "é \"1\"\n".into()));
    let facts = facts.collect();
    let content = Content { iteration: choices.bits(), facts, arrays };
    let mut verdicts = Verdicts::default();
    scratch::with(|scratch| {
        let path = scratch.path("valid.checkpoint");
        write(&path, &content).unwrap();
        assert_eq!(read(&path, &content).unwrap(), content);
        let whole = std::fs::read(&path).unwrap();
        let mut mutated = whole.clone();
        mutate(&mut mutated, &mut choices, &WORDS);
        std::fs::write(&path, &mutated).unwrap();
        let found = read(&path, &content);
        verdicts.count(&found);
        assert!(found.is_err() || mutated == whole, "{found:?}");
        let mutated = under_a_right_sum(&whole, &mut choices);
        std::fs::write(&path, &mutated).unwrap();
        read_again(&path, mutated.len(), &content, &mut verdicts);
    });
    verdicts
}

/// The same file with a mutation in its second line, of which the first has the checksum.
fn under_a_right_sum(file: &[u8], choices: &mut Choices<'_>) -> Vec<u8> {
    let mut lines = file.splitn(3, |byte| *byte == b'\n');
    let [first, second, rest] = [(); 3].map(|()| lines.next().unwrap());
    let mut head = second.to_vec();
    mutate(&mut head, choices, &WORDS);
    let kept = first.len() - 8;
    let sum = format!("{:08x}\n", crc32fast::hash(&head));
    [&first[..kept], sum.as_bytes(), &head, b"\n", rest].concat()
}
