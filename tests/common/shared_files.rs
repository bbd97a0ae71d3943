//! Files that several ranks write and read together. Every process makes these calls.
#![allow(dead_code, unreachable_pub, reason = "each test program takes what it needs")]

use std::fs;
use std::path::{Path, PathBuf};

use quadrille::cluster::checkpoint::{Checkpoint, Error, Identity, Numbers, State, Writer};
use quadrille::cluster::{Communicator, collective};
use quadrille::data::Block;
use quadrille::io::{self, npy};

const N: usize = 103;
const M: usize = 10;

/// A folder that all processes see, removed by the first.
struct Folder {
    first: Option<tempfile::TempDir>,
    path: PathBuf,
}

impl Folder {
    fn new(ranks: &dyn Communicator) -> Folder {
        let first = ranks.local().contains(&0).then(|| tempfile::tempdir().unwrap());
        let name = first.as_ref().map(|folder| folder.path().to_string_lossy().into_owned());
        let mut name = name.unwrap_or_default().into_bytes();
        collective::broadcast(ranks, 0, &mut name).unwrap();
        Folder { first, path: String::from_utf8(name).unwrap().into() }
    }
}

fn together(ranks: &dyn Communicator) {
    collective::any(ranks, false).unwrap();
}

/// Strips of rows, one for each rank.
fn strips(ranks: usize) -> Vec<Block> {
    let rows = N.div_ceil(M);
    let cut = |rank: usize| rank * rows / ranks..(rank + 1) * rows / ranks;
    (0..ranks).map(|rank| Block { columns: 0..M, rows: cut(rank) }).collect()
}

/// The strips of this process's ranks.
fn own(ranks: &dyn Communicator) -> Vec<Block> {
    strips(ranks.size())[ranks.local()].to_vec()
}

fn numbers(block: &Block, seed: usize) -> Vec<f64> {
    let indices = block.rows.clone().flat_map(|row| block.in_row(row, N, M));
    indices.map(|at| (at + seed) as f64 / 3.0).collect()
}

fn state(blocks: &[Block], seed: usize) -> State {
    let of_ranks = blocks.iter().map(|block| Numbers::Double(numbers(block, seed)));
    State::new(seed as u64).number("norm", 0.1).vector("x", of_ranks.collect())
}

fn read(ranks: &dyn Communicator, folder: &Path, blocks: &[Block]) -> State {
    Checkpoint::open(ranks, folder).unwrap().read(ranks, blocks).unwrap()
}

/// Each rank writes its part, and reads it, with a halo, and the whole.
pub fn checkpoints(ranks: &dyn Communicator) {
    let folder = Folder::new(ranks);
    let owned = own(ranks);
    let identity = Identity::new(N, M).with("stencil", "heat9:10");
    let mut writer = Writer::new(ranks, &folder.path, identity.clone()).unwrap();
    for seed in [1, 2] {
        writer.write(ranks, &owned, &state(&owned, seed)).unwrap();
        let halos: Vec<_> = owned.iter().map(|block| block.grown(2, N, M)).collect();
        let whole = vec![Block::whole(N, M); owned.len()];
        for blocks in [&owned, &halos, &whole] {
            assert_eq!(read(ranks, &folder.path, blocks), state(blocks, seed));
        }
    }
    let other = identity.with("method", "cg");
    let error = Writer::new(ranks, &folder.path, other).unwrap_err();
    let is_other = matches!(error, Error::File(io::Error::OtherCheckpoint { .. }));
    assert_eq!(is_other, ranks.local().contains(&0));
    together(ranks);
}

/// A rank that cannot write its part: all know it, and the checkpoint before stays.
pub fn failing_checkpoints(ranks: &dyn Communicator) {
    let folder = Folder::new(ranks);
    let owned = own(ranks);
    let mut writer = Writer::new(ranks, &folder.path, Identity::new(N, M)).unwrap();
    writer.write(ranks, &owned, &state(&owned, 1)).unwrap();
    let last = ranks.size() - 1;
    if ranks.local().contains(&last) {
        // Its name is taken by a folder.
        fs::create_dir(folder.path.join(format!("00000002-{last:06}.part"))).unwrap();
    }
    let error = writer.write(ranks, &owned, &state(&owned, 2)).unwrap_err();
    match ranks.local().contains(&last) {
        true => assert!(matches!(error, Error::File(_)), "{error}"),
        false => assert!(matches!(error, Error::OnRank { rank } if rank == last), "{error}"),
    }
    assert_eq!(read(ranks, &folder.path, &owned), state(&owned, 1));
    writer.write(ranks, &owned, &state(&owned, 3)).unwrap();
    assert_eq!(read(ranks, &folder.path, &owned), state(&owned, 3));
    together(ranks);
}

/// Each rank writes its part of one array.
pub fn arrays(ranks: &dyn Communicator) {
    let folder = Folder::new(ranks);
    let path = folder.path.join("x.npy");
    let first = ranks.local().contains(&0);
    let file = first.then(|| npy::Unfinished::create::<f64>(&path, &[N]).unwrap());
    let name = file.as_ref().map(|file| file.temporary().to_string_lossy().into_owned());
    let mut name = name.unwrap_or_default().into_bytes();
    collective::broadcast(ranks, 0, &mut name).unwrap();
    let mut parts = npy::Parts::open(String::from_utf8(name).unwrap(), &path).unwrap();
    for block in own(ranks) {
        parts.write_block(&block, N, M, &numbers(&block, 0)).unwrap();
    }
    parts.finish().unwrap();
    together(ranks);
    if let Some(file) = file {
        file.finish().unwrap();
    }
    together(ranks);
    assert_eq!(npy::read_f64(&path).unwrap().data, numbers(&Block::whole(N, M), 0));
    together(ranks);
}
