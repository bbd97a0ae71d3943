//! The files from which runs go on.

use std::path::Path;

use super::mutation::mutate;
use super::scratch::{self, bounded};
use super::{Choices, Target, Verdicts};
use quadrille::internal::checkpoint;
use quadrille::internal::checkpoint::{Array, Head, Opened};
use quadrille::io::Error;

/// The sort of computation that the files belong to.
const OF: &str = "experiment";

pub const TARGET: Target = Target { name: "run_checkpoint", file, generated };

const WORDS: [&str; 10] = [
    "\"iteration\":",
    "\"identity\":[]",
    "\"arrays\":[",
    "\"shape\":[2,2,1]",
    "{\"name\":\"y\"",
    "[\"seed\",\"1\"]",
    "\n",
    "version 3, ",
    "\\u0000",
    "}",
];

/// A checkpoint of an experiment: its head, and the bytes of its arrays.
#[derive(Clone, Debug, PartialEq)]
struct Content {
    head: Head<()>,
    numbers: Vec<Vec<u8>>,
}

impl Content {
    fn new(facts: Vec<(String, String)>, iteration: u64, arrays: Vec<(Array, Vec<u8>)>) -> Content {
        let (arrays, numbers) = arrays.into_iter().unzip();
        Content { head: Head::new(facts, iteration, arrays, ()), numbers }
    }
}

fn write(path: &Path, content: &Content) {
    let numbers = content.numbers.iter().map(Ok::<_, Error>);
    checkpoint::write(path, OF, &content.head, numbers).unwrap();
}

/// Reads a file whose arrays must be those of another content, whatever their numbers.
fn read(path: &Path, expected: &Content) -> Result<Content, Error> {
    let mut opened = Opened::<()>::open(path, OF)?;
    opened.must_have(&expected.head.arrays)?;
    let mut content = Content { head: opened.head.clone(), numbers: expected.numbers.clone() };
    for numbers in &mut content.numbers {
        opened.read(numbers)?;
    }
    opened.finish()?;
    Ok(content)
}

fn file(bytes: &[u8]) -> Verdicts {
    let mut verdicts = Verdicts::default();
    let numbers = (0..16).collect();
    let arrays = vec![(Array::new("y", "f4", &[2, 2, 1]), numbers)];
    let expected = Content::new(vec![("seed".into(), "1".into())], 3, arrays);
    scratch::with(|scratch| {
        let path = scratch.file("fuzz.checkpoint", bytes);
        read_again(&path, bytes.len(), &expected, &mut verdicts);
    });
    verdicts
}

/// Reads a file, which must be refused, or have arrays as expected; what it has is read again from
/// a file of its own.
fn read_again(path: &Path, length: usize, expected: &Content, verdicts: &mut Verdicts) {
    let found = bounded(64 * length + (4 << 20), || read(path, expected));
    verdicts.count(&found);
    match found {
        Ok(found) => {
            write(path, &found);
            assert_eq!(read(path, expected).unwrap(), found);
        }
        Err(error) => {
            let error = error.to_string();
            assert!(error.starts_with(&format!("{}: ", path.display())), "{error}");
        }
    }
}

/// A file; the same with one mutation, which is found; and one whose head is another under a
/// checksum that is right.
fn generated(bytes: &[u8]) -> Verdicts {
    let mut choices = Choices::new(bytes);
    let array = |index: usize, choices: &mut Choices<'_>| {
        let shape = [1, 1, 1].map(|least| choices.between(least, 4));
        let bytes = 4 * shape.iter().product::<usize>();
        let numbers = (0..bytes).map(|_| choices.byte()).collect();
        (Array::new(&format!("p{index}.y"), "f4", &shape), numbers)
    };
    let arrays = (0..choices.below(3)).map(|index| array(index, &mut choices)).collect();
    let facts = (0..choices.below(4)).map(|index| (format!("fact {index}"), "é \"1\"\n".into()));
    let facts = facts.collect();
    let content = Content::new(facts, choices.bits(), arrays);
    let mut verdicts = Verdicts::default();
    scratch::with(|scratch| {
        let path = scratch.path("valid.checkpoint");
        write(&path, &content);
        assert_eq!(read(&path, &content).unwrap(), content);
        let whole = std::fs::read(&path).unwrap();
        let mut mutated = whole.clone();
        mutate(&mut mutated, &mut choices, &WORDS);
        std::fs::write(&path, &mutated).unwrap();
        let found = read(&path, &content);
        verdicts.count(&found);
        assert!(found.is_err() || mutated == whole, "{found:?}");
        let mutated = another_head(&whole, |head| mutate(head, &mut choices, &WORDS));
        std::fs::write(&path, &mutated).unwrap();
        read_again(&path, mutated.len(), &content, &mut verdicts);
    });
    verdicts
}

/// Changes the second line of a file, of which the first has the checksum.
pub(crate) fn another_head(file: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut lines = file.splitn(3, |byte| *byte == b'\n');
    let [first, second, rest] = [(); 3].map(|()| lines.next().unwrap());
    let mut head = second.to_vec();
    change(&mut head);
    let kept = first.len() - 8;
    let sum = format!("{:08x}\n", crc32fast::hash(&head));
    [&first[..kept], sum.as_bytes(), &head, b"\n", rest].concat()
}
