//! Checkpoints by ranks of one process; each is stopped, damaged and read in other parts.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::cell::Cell;
use std::fs;
use std::path::Path;

use super::error::MANIFEST;
use super::*;
use crate::cluster::{self, InProcess, Incoming, Outgoing};
use crate::data::{NineBanded, SplitMix64, Stencil};
use crate::io::checkpoint;

/// File operations, of which one may be the last.
#[derive(Debug, Default)]
pub(super) struct Operations {
    left: Cell<Option<usize>>,
}

impl Operations {
    /// Lets all fail after this many.
    fn stop_after(&self, count: usize) {
        self.left.set(Some(count));
    }

    pub(super) fn next(&self) -> std::io::Result<()> {
        match self.left.get() {
            Some(0) => Err(std::io::Error::other("stopped by the test")),
            Some(left) => {
                self.left.set(Some(left - 1));
                Ok(())
            }
            None => Ok(()),
        }
    }
}

/// Blocks that have each number of a grid once.
fn blocks(n: usize, m: usize, columns: usize, rows: usize) -> Vec<Block> {
    let cut =
        |length: usize, parts: usize, at: usize| at * length / parts..(at + 1) * length / parts;
    let of_row = |row: usize| {
        (0..columns).map(move |column| Block {
            columns: cut(m, columns, column),
            rows: cut(n.div_ceil(m), rows, row),
        })
    };
    (0..rows).flat_map(of_row).collect()
}

/// Returns the numbers of a block of a vector that differs with the seed.
fn numbers(block: &Block, n: usize, m: usize, seed: u64) -> Vec<f64> {
    let indices = block.rows.clone().flat_map(|row| block.in_row(row, n, m));
    indices.map(|at| SplitMix64::after(seed, at as u64).next() as f64 / 1e19).collect()
}

/// Returns a state after `seed` steps: two vectors and some numbers.
fn state(blocks: &[Block], n: usize, m: usize, seed: u64) -> State {
    let of = |block: &Block| numbers(block, n, m, seed);
    let single = |block: &Block| of(block).iter().map(|number| *number as f32).collect();
    State::new(seed)
        .number("norm", 1.0 / 3.0 + seed as f64)
        .number("largest", f64::INFINITY)
        .number("least", f64::from_bits(1))
        .vector("x", blocks.iter().map(|block| Numbers::Double(of(block))).collect())
        .vector("r", blocks.iter().map(|block| Numbers::Single(single(block))).collect())
}

fn identity(n: usize, m: usize) -> Identity {
    Identity::new(n, m).with("stencil", "heat9:512").with("rhs", "seed 1")
}

fn written(folder: &Path, (n, m): (usize, usize), owned: &[Block], seed: u64) -> Writer {
    let ranks = InProcess::new(owned.len());
    let mut writer = Writer::new(&ranks, folder, identity(n, m)).unwrap();
    writer.write(&ranks, owned, &state(owned, n, m, seed)).unwrap();
    writer
}

fn read(folder: &Path, blocks: &[Block]) -> Result<State> {
    let ranks = InProcess::new(blocks.len());
    Checkpoint::open(&ranks, folder)?.read(&ranks, blocks)
}

fn files(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn a_state_is_read_in_any_other_parts() {
    let folder = tempfile::tempdir().unwrap();
    for (n, m) in [(60, 10), (57, 10), (7, 7), (1, 3), (36, 3)] {
        let folder = folder.path().join(format!("{n}-{m}"));
        for (columns, rows) in [(1, 1), (1, 3), (3, 1), (2, 4)] {
            let owned = blocks(n, m, columns.min(m), rows.min(n.div_ceil(m)));
            written(&folder, (n, m), &owned, 5);
            for (columns, rows) in [(1, 1), (2, 2), (3, 1)] {
                let wanted = blocks(n, m, columns.min(m), rows.min(n.div_ceil(m)));
                assert_eq!(read(&folder, &wanted).unwrap(), state(&wanted, n, m, 5));
                let with_halos: Vec<_> = wanted.iter().map(|block| block.grown(2, n, m)).collect();
                assert_eq!(read(&folder, &with_halos).unwrap(), state(&with_halos, n, m, 5));
            }
        }
    }
}

/// A process that ends between any two operations leaves the checkpoint before or the new one, and
/// the next is written as ever.
#[test]
fn a_writer_may_stop_anywhere() {
    let (n, m) = (40, 8);
    let (three, two) = (blocks(n, m, 1, 3), blocks(n, m, 2, 1));
    let mut news = 0;
    for count in 0..9 {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = written(folder.path(), (n, m), &three, 1);
        writer.operations.stop_after(count);
        let ended = writer.write(&InProcess::new(3), &three, &state(&three, n, m, 2));
        let found = read(folder.path(), &two).unwrap();
        let is_new = found == state(&two, n, m, 2);
        assert!(is_new || found == state(&two, n, m, 1), "neither checkpoint after {count}");
        assert!(is_new || ended.is_err(), "an old checkpoint after {count}");
        news += usize::from(is_new);
        // The same computation continues, or another one that was started from the beginning.
        if count % 2 == 0 {
            drop(writer);
            written(folder.path(), (n, m), &two, 3);
        } else {
            writer.operations = Operations::default();
            writer.write(&InProcess::new(2), &two, &state(&two, n, m, 3)).unwrap();
        }
        assert_eq!(read(folder.path(), &three).unwrap(), state(&three, n, m, 3));
        assert!(files(folder.path()) <= 1 + 3, "{} files after {count}", files(folder.path()));
    }
    // Three parts, the names, the manifest; then three are removed.
    assert_eq!(news, 9 - 5);
}

#[test]
fn each_damaged_byte_is_noticed() {
    let (n, m) = (12, 4);
    let owned = blocks(n, m, 2, 1);
    let folder = tempfile::tempdir().unwrap();
    written(folder.path(), (n, m), &owned, 1);
    let expected = state(&owned, n, m, 1);
    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(&path, &bytes).unwrap();
            let error = read(folder.path(), &owned).err();
            assert!(error.is_some(), "byte {at} of {}", path.display());
        }
        for length in [0, whole.len() / 2, whole.len() - 1] {
            fs::write(&path, &whole[..length]).unwrap();
            read(folder.path(), &owned).unwrap_err();
        }
        fs::remove_file(&path).unwrap();
        read(folder.path(), &owned).unwrap_err();
        fs::write(&path, &whole).unwrap();
        assert_eq!(read(folder.path(), &owned).unwrap(), expected);
    }
}

/// Also with a checksum that is right, as somebody else can write it.
#[test]
fn a_manifest_names_no_part_in_another_folder() {
    let (n, m) = (12, 4);
    let owned = blocks(n, m, 1, 2);
    let folder = tempfile::tempdir().unwrap();
    written(folder.path(), (n, m), &owned, 1);
    let text = fs::read(folder.path().join(MANIFEST)).unwrap();
    let manifest = manifest::parse(folder.path(), &text).unwrap();
    let part = manifest.more.parts[0].file.clone();
    for name in [
        format!("../{part}"),
        format!("./{part}"),
        format!("/tmp/{part}"),
        "..".into(),
        String::new(),
    ] {
        let mut manifest = manifest.clone();
        manifest.more.parts[0].file = name.clone();
        let none = std::iter::empty::<Result<[u8; 0]>>();
        checkpoint::write(&folder.path().join(MANIFEST), OF, &manifest, none).unwrap();
        let error = read(folder.path(), &owned).unwrap_err().to_string();
        assert!(
            error.contains("without a folder") && error.contains(&format!("`{name}`")),
            "{error}"
        );
    }
}

#[test]
fn what_cannot_be_gone_on_from_says_what_to_do() {
    let (n, m) = (12, 4);
    let owned = blocks(n, m, 1, 2);
    let (two, folder) = (InProcess::new(2), tempfile::tempdir().unwrap());
    let says = |error: Error| error.to_string().replace(&folder.path().display().to_string(), "F");
    assert_eq!(
        says(read(folder.path(), &owned).unwrap_err()),
        "F: expected a checkpoint, got a folder without manifest; name the folder that a computation wrote its \
         checkpoints to"
    );
    let missing = read(&folder.path().join("none"), &owned).unwrap_err();
    assert!(says(missing).starts_with("F/none/manifest: cannot read it"));
    written(folder.path(), (n, m), &owned, 1);
    let other = Identity::new(12, 6).with("stencil", "heat9:512").with("method", "cg");
    let expected = "F: the checkpoint is of another system: width of the grid: expected 6, got 4; method: \
                    expected cg, got none; rhs: expected none, got seed 1; continue with the system that it is of, or start from the beginning under another name";
    let checkpoint = Checkpoint::open(&two, folder.path()).unwrap();
    assert_eq!(says(checkpoint.must_be_of(&other).unwrap_err()), expected);
    assert_eq!(says(Writer::new(&two, folder.path(), other).unwrap_err()), expected);
    assert!(checkpoint.must_be_of(&identity(n, m)).is_ok());
    assert_eq!((checkpoint.iteration(), checkpoint.ranks()), (1, 2));

    let part = folder.path().join("00000001-000001.part");
    let bytes = fs::read(&part).unwrap();
    fs::write(&part, [&bytes[..bytes.len() - 10], &bytes[bytes.len() - 9..]].concat()).unwrap();
    assert_eq!(
        says(checkpoint.read(&two, &owned).unwrap_err()),
        "F/00000001-000001.part: expected 105 bytes after its head, got 104: restore it from a copy, or start from the beginning \
         under another name"
    );
    // A rank that needs nothing of it continues.
    assert!(checkpoint.read(&InProcess::new(1), &owned[..1]).is_ok());
    fs::remove_file(&part).unwrap();
    let refused = says(checkpoint.read(&two, &owned).unwrap_err());
    assert!(refused.contains("expected a part of the checkpoint, got no such file"), "{refused}");
    let path = folder.path().join(MANIFEST);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("version 2", "version 3", 1)).unwrap();
    let refused = says(Checkpoint::open(&two, folder.path()).unwrap_err());
    let another = "expected a checkpoint of version 2, got version";
    assert!(refused.starts_with(&format!("F/manifest: {another} 3: continue with")), "{refused}");
    fs::rename(&path, folder.path().join("checkpoint.json")).unwrap();
    let refused = says(Checkpoint::open(&two, folder.path()).unwrap_err());
    assert!(refused.starts_with(&format!("F/checkpoint.json: {another} 1: continue")), "{refused}");
    assert_eq!(says(Writer::new(&two, folder.path(), identity(n, m)).unwrap_err()), refused);
}

#[test]
fn states_that_do_not_fit_are_refused_and_the_older_one_stays() {
    let (n, m) = (12, 4);
    let (two, folder) = (InProcess::new(2), tempfile::tempdir().unwrap());
    let owned = blocks(n, m, 1, 2);
    let mut writer = written(folder.path(), (n, m), &owned, 1);
    let mut refused = |owned: &[Block], state: &State| {
        let error = writer.write(&two, owned, state).unwrap_err();
        assert!(matches!(error, Error::State { .. }), "{error}");
        error.to_string()
    };
    let fits = state(&owned, n, m, 2);
    let text = refused(&owned[..1], &fits);
    assert_eq!(text, "a checkpoint: expected blocks of 2 ranks of this process, got 1");
    let swapped = [owned[1].clone(), owned[0].clone()];
    assert!(refused(&swapped, &fits).contains("numbers of a block in x, got"));
    let overlapping = [owned[1].clone(), owned[1].clone()];
    let text = refused(&overlapping, &state(&overlapping, n, m, 2));
    assert!(text.ends_with("got blocks of ranks 0 and 1 with the same unknowns"), "{text}");
    let short = [owned[0].clone(), Block { columns: 0..4, rows: 1..2 }];
    let text = refused(&short, &state(&short, n, m, 2));
    assert!(text.ends_with("once, got blocks with 8 of them"), "{text}");
    let mixed = State::new(1)
        .vector("y", vec![Numbers::Single(vec![0.0; 4]), Numbers::Double(vec![0.0; 8])]);
    assert!(refused(&owned, &mixed).ends_with("expected numbers of one type in y, got several"));
    assert_eq!(read(folder.path(), &owned).unwrap(), state(&owned, n, m, 1));
}

/// The first of two processes, of which the other may fail.
struct First {
    other_fails: bool,
}

impl Communicator for First {
    fn size(&self) -> usize {
        2
    }

    fn local(&self) -> std::ops::Range<usize> {
        0..1
    }

    fn exchange(&self, _: &[Outgoing<'_>], _: &mut [Incoming<'_>]) -> Result<(), cluster::Error> {
        Ok(())
    }

    fn all_gather(&self, local: &[u8], all: &mut [u8]) -> Result<(), cluster::Error> {
        all.fill(u8::from(self.other_fails));
        all[..local.len()].copy_from_slice(local);
        Ok(())
    }
}

#[test]
fn what_fails_elsewhere_is_an_error_here() {
    let result = agreed(&First { other_fails: true }, Ok(()));
    assert_eq!(result.unwrap_err().to_string(), "rank 1 failed with its part of a checkpoint");
    agreed(&First { other_fails: false }, Ok(())).unwrap();
    let own = agreed(&First { other_fails: true }, Err::<(), _>(Error::empty(Path::new("F"))));
    assert!(matches!(own.unwrap_err(), Error::Empty { .. }));
}

#[test]
fn a_digest_is_of_the_numbers_and_not_of_the_parts() {
    let stencil: Stencil = "random:12x9:seed=3".parse().unwrap();
    let (n, m) = (108, 12);
    let of_parts = |columns: usize, rows: usize, change: Option<usize>| {
        let owned = blocks(n, m, columns, rows);
        let matrices = owned.iter().map(|owned| {
            let stored = owned.grown(1, n, m);
            of_matrix(&stencil.block(&stored).unwrap(), &stored, owned, n, m)
        });
        let vectors = owned.iter().map(|block| {
            let mut numbers = numbers(block, n, m, 1);
            if let Some(at) = change.and_then(|at| block.index(at, m)) {
                numbers[at] += 1e-10;
            }
            of_vector(&numbers, block, n, m)
        });
        let ranks = InProcess::new(owned.len());
        let matrix = digest(&ranks, &matrices.collect::<Vec<_>>()).unwrap();
        (matrix, digest(&ranks, &vectors.collect::<Vec<_>>()).unwrap())
    };
    let whole = of_parts(1, 1, None);
    assert_eq!(whole, of_parts(1, 3, None));
    assert_eq!(whole, of_parts(3, 2, None));
    for at in 0..n {
        assert_ne!(whole.1, of_parts(3, 2, Some(at)).1);
    }
    let matrix: NineBanded = stencil.matrix().unwrap();
    let block = Block::whole(n, m);
    let widened = of_matrix(&matrix.widened().unwrap(), &block, &block, n, m);
    assert_eq!(format!("{widened:016x}"), whole.0);
    let other: Stencil = "random:12x9:seed=4".parse().unwrap();
    let other = of_matrix(&other.matrix().unwrap(), &block, &block, n, m);
    assert_ne!(format!("{other:016x}"), whole.0);
}
