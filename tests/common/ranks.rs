//! Several ranks in this process, each with a context.

use std::rc::Rc;

use quadrille::Context;
use quadrille::cluster::{InProcess, Partition, Team};
use quadrille::data::{Band, NineBanded, random_couplings};

/// A team on as many contexts as there are ranks, all of them this one.
pub fn team(context: &Context, ranks: usize) -> Team {
    Team::new(Rc::new(InProcess::new(ranks)), vec![context.clone(); ranks]).unwrap()
}

/// Random couplings, of which those across the ends of rows may be left out.
pub fn random_matrix(
    n: usize,
    m: usize,
    across_ends: bool,
    next: impl FnMut() -> f32,
) -> NineBanded {
    let matrix = random_couplings(n, m, next).unwrap();
    let bands = Band::ALL.map(|band| {
        let mut entries = matrix.band(band).to_vec();
        for (row, entry) in entries.iter_mut().enumerate() {
            let column = row.wrapping_add_signed(band.offset(m));
            if !across_ends && (column % m).abs_diff(row % m) > 1 {
                *entry = 0.0;
            }
        }
        entries
    });
    NineBanded::new(m, bands).unwrap()
}

/// Selects from the numbers of a grid those that each rank stores.
pub fn stored<T: Copy>(partition: &Partition, numbers: &[T]) -> Vec<Vec<T>> {
    let of_rank = |rank| {
        let (block, (n, m)) = (partition.stored(rank), partition.size());
        let rows = block.rows.clone();
        rows.flat_map(|row| numbers[block.in_row(row, n, m)].to_vec()).collect()
    };
    (0..partition.ranks()).map(of_rank).collect()
}

/// The numbers of a grid from what all ranks own, one after the other.
pub fn assembled<T: Copy + Default>(partition: &Partition, mut owned: &[T]) -> Vec<T> {
    let (n, m) = partition.size();
    let of_rank = |rank| {
        let (own, others) = owned.split_at(partition.owned(rank).len(n, m));
        owned = others;
        own.to_vec()
    };
    joined(partition, &(0..partition.ranks()).map(of_rank).collect::<Vec<_>>())
}

/// The numbers of a grid from what each rank owns.
pub fn joined<T: Copy + Default>(partition: &Partition, owned: &[Vec<T>]) -> Vec<T> {
    let (n, m) = partition.size();
    let mut numbers = vec![T::default(); n];
    for (rank, owned) in owned.iter().enumerate() {
        let (block, mut owned) = (partition.owned(rank), owned.iter());
        for row in block.rows.clone() {
            for number in block.in_row(row, n, m) {
                numbers[number] = *owned.next().unwrap();
            }
        }
        assert!(owned.next().is_none());
    }
    numbers
}
