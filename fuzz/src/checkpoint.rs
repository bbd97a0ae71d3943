//! Checkpoints of ranks: manifests and parts.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::mutation::mutate;
use super::run_checkpoint::another_head;
use super::scratch::{self, bounded};
use super::{Choices, Target, Verdicts};
use quadrille::cluster::InProcess;
use quadrille::cluster::checkpoint::{Checkpoint, Error, Identity, Numbers, State, Writer};
use quadrille::data::Block;

pub const TARGET: Target = Target { name: "checkpoint", file, generated };

const MANIFEST: &str = "manifest";

const WORDS: [&str; 14] = [
    "\"parts\":[",
    "\"vectors\":[]",
    "\"columns\":{\"start\":0,\"end\":2}",
    "\"rows\":{\"start\":1,\"end\":1}",
    "\"type\":\"<f8\"",
    "\"type\":\"<f4\"",
    "\"file\":\"\"",
    "\"bytes\":0",
    "\"size\":[6,3]",
    "\"shape\":[2]",
    "\"1e400\"",
    "null",
    ",",
    "}",
];

/// The bytes as a manifest of the parts of two ranks, and the same under a checksum that is right.
fn file(bytes: &[u8]) -> Verdicts {
    let mut verdicts = Verdicts::default();
    in_folder(|folder| {
        let blocks = [0..1, 1..2].map(|rows| Block { columns: 0..3, rows });
        let ranks = InProcess::new(2);
        let mut writer = Writer::new(&ranks, folder, Identity::new(6, 3)).unwrap();
        let x = [1.0, 2.0].map(|x| Numbers::Single(vec![x; 3]));
        writer.write(&ranks, &blocks, &State::new(7).vector("x", x.into())).unwrap();
        let path = folder.join(MANIFEST);
        let written = std::fs::read(&path).unwrap();
        std::fs::write(&path, bytes).unwrap();
        read(folder, bytes.len(), &whole(6, 3), &mut verdicts);
        std::fs::write(path, another_head(&written, |head| *head = bytes.to_vec())).unwrap();
        read(folder, bytes.len(), &whole(6, 3), &mut verdicts);
    });
    verdicts
}

fn whole(n: usize, m: usize) -> Block {
    Block { columns: 0..m, rows: 0..n.div_ceil(m) }
}

/// Runs a case in a folder that is empty.
fn in_folder(case: impl FnOnce(&Path)) {
    scratch::with(|scratch| {
        let folder: PathBuf = scratch.path("ranks");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).unwrap();
        case(&folder);
    });
}

/// Reads what is in a folder, which is refused or sound.
fn read(folder: &Path, length: usize, block: &Block, verdicts: &mut Verdicts) -> Option<State> {
    let one = InProcess::new(1);
    let limit = 256 * length + (4 << 20);
    let found = bounded(limit, || -> Result<State, Error> {
        let checkpoint = Checkpoint::open(&one, folder)?;
        let (n, m) = checkpoint.size();
        assert!(n > 0 && m > 0 && checkpoint.ranks() > 0);
        // What a grid of this size takes is no fault of the reader.
        let block = if n <= 1 << 16 { whole(n, m) } else { block.clone() };
        checkpoint.read(&one, &[block])
    });
    verdicts.count(&found);
    match found {
        Ok(state) => Some(state),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            None
        }
    }
}

/// A checkpoint of several ranks is read by one; then a file of it has one mutation, which is
/// found; then its manifest is another under a checksum that is right.
fn generated(bytes: &[u8]) -> Verdicts {
    let mut choices = Choices::new(bytes);
    let (columns, rows) = (choices.between(1, 5), choices.between(1, 5));
    let n = columns * rows;
    let cut = choices.below(rows + 1);
    let parts = [0..cut, cut..rows].into_iter().filter(|rows| !rows.is_empty());
    let parts: Vec<Range<usize>> = parts.collect();
    let blocks: Vec<Block> =
        parts.iter().map(|rows| Block { columns: 0..columns, rows: rows.clone() }).collect();
    let iteration = choices.bits();
    let all: Vec<f64> = (0..n).map(|_| f64::from(choices.byte()) / 16.0).collect();
    let of = |rows: &Range<usize>| all[rows.start * columns..rows.end * columns].to_vec();
    let doubles = parts.iter().map(|rows| Numbers::Double(of(rows))).collect();
    let single = |rows| Numbers::Single(of(rows).iter().map(|x| *x as f32).collect());
    let singles = parts.iter().map(single).collect();
    let state = State::new(iteration).number("norm", all[0]).vector("x", doubles);
    let state = state.vector("r", singles);
    let mut verdicts = Verdicts::default();
    in_folder(|folder| {
        let ranks = InProcess::new(blocks.len());
        let identity = Identity::new(n, columns).with("stencil", "heat9");
        let mut writer = Writer::new(&ranks, folder, identity).unwrap();
        writer.write(&ranks, &blocks, &state).unwrap();
        let mut none = Verdicts::default();
        let found = read(folder, 4096, &whole(n, columns), &mut none).unwrap();
        assert_eq!(found.named("x"), Some(&[Numbers::Double(all.clone())][..]));
        assert_eq!((found.iteration, &found.numbers), (iteration, &state.numbers));
        damaged(folder, &found, &whole(n, columns), &mut choices, &mut verdicts);
    });
    verdicts
}

fn damaged(
    folder: &Path,
    found: &State,
    block: &Block,
    choices: &mut Choices<'_>,
    verdicts: &mut Verdicts,
) {
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    let path = choices.pick(&names.iter().collect::<Vec<_>>()).clone();
    let whole = std::fs::read(&path).unwrap();
    let mut mutated = whole.clone();
    mutate(&mut mutated, choices, &WORDS);
    std::fs::write(&path, &mutated).unwrap();
    if let Some(state) = read(folder, mutated.len(), block, verdicts) {
        assert_eq!((&state, mutated), (found, whole.clone()));
    }
    std::fs::write(&path, whole).unwrap();
    let path = folder.join(MANIFEST);
    let written = std::fs::read(&path).unwrap();
    let manifest = another_head(&written, |head| mutate(head, choices, &WORDS));
    std::fs::write(path, &manifest).unwrap();
    read(folder, manifest.len(), block, verdicts);
}
