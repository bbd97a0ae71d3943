//! Collective operations of all ranks, through a [`Communicator`]. Every rank gets the same bits,
//! since each combines the contributions in the order of the ranks.

use bytemuck::{Pod, cast_slice, cast_slice_mut};

use crate::cluster::{Communicator, Incoming, Outgoing, Result};

/// Gathers the values of all ranks, in the order of their numbers. `local` holds those of this
/// process's ranks.
///
/// # Errors
///
/// Errors of the communicator.
pub fn gathered<T: Pod>(ranks: &dyn Communicator, local: &[T]) -> Result<Vec<T>> {
    let mut all = vec![T::zeroed(); ranks.size()];
    ranks.all_gather(cast_slice(local), cast_slice_mut(&mut all))?;
    Ok(all)
}

/// Returns the sum of a number of each rank.
///
/// # Errors
///
/// Errors of the communicator.
pub fn sum(ranks: &dyn Communicator, local: &[f64]) -> Result<f64> {
    Ok(gathered(ranks, local)?.into_iter().sum())
}

/// Returns the largest of a number of each rank; a NaN if there is one.
///
/// # Errors
///
/// Errors of the communicator.
pub fn largest(ranks: &dyn Communicator, local: &[f64]) -> Result<f64> {
    let larger =
        |most: f64, number: f64| if number.is_nan() || number > most { number } else { most };
    Ok(gathered(ranks, local)?.into_iter().fold(f64::NEG_INFINITY, larger))
}

/// Returns whether something holds on any process.
///
/// # Errors
///
/// Errors of the communicator.
pub fn any(ranks: &dyn Communicator, here: bool) -> Result<bool> {
    let local = vec![u8::from(here); ranks.local().len()];
    Ok(gathered(ranks, &local)?.contains(&1))
}

/// Gives all processes the bytes that the one with the rank `root` has; those of others are
/// replaced.
///
/// # Errors
///
/// Errors of the communicator.
pub fn broadcast(ranks: &dyn Communicator, root: usize, bytes: &mut Vec<u8>) -> Result<()> {
    let local = ranks.local();
    let lengths = gathered(ranks, &vec![bytes.len() as u64; local.len()])?;
    if local.len() == ranks.size() {
        return Ok(());
    }
    if local.contains(&root) {
        // A message to one rank of each other process would do; they have one rank each.
        let others = (0..ranks.size()).filter(|to| !local.contains(to));
        let sent: Vec<_> = others.map(|to| Outgoing { from: root, to, bytes }).collect();
        return ranks.exchange(&sent, &mut []);
    }
    bytes.clear();
    bytes.resize(lengths[root] as usize, 0);
    let incoming = local.map(|to| (to, vec![0; bytes.len()]));
    let mut incoming: Vec<_> = incoming.collect();
    let mut arrivals: Vec<_> =
        incoming.iter_mut().map(|(to, bytes)| Incoming { from: root, to: *to, bytes }).collect();
    ranks.exchange(&[], &mut arrivals)?;
    if let Some((_, arrived)) = incoming.into_iter().next() {
        *bytes = arrived;
    }
    Ok(())
}

/// Returns a text of each rank, in the order of their numbers. `local` has those of this process's
/// ranks.
///
/// # Errors
///
/// Errors of the communicator.
pub fn texts(ranks: &dyn Communicator, local: &[String]) -> Result<Vec<String>> {
    let lengths: Vec<u64> = local.iter().map(|text| text.len() as u64).collect();
    let lengths = gathered(ranks, &lengths)?;
    let longest = lengths.iter().max().copied().unwrap_or(0).max(1) as usize;
    let mut padded = vec![0; local.len() * longest];
    for (text, padded) in local.iter().zip(padded.chunks_mut(longest)) {
        padded[..text.len()].copy_from_slice(text.as_bytes());
    }
    let mut all = vec![0; ranks.size() * longest];
    ranks.all_gather(&padded, &mut all)?;
    let text =
        |(bytes, length): (&[u8], &u64)| String::from_utf8_lossy(&bytes[..*length as usize]).into();
    Ok(all.chunks(longest).zip(&lengths).map(text).collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::cluster::InProcess;

    #[test]
    fn numbers_of_all_ranks_are_combined_in_their_order() {
        let ranks = InProcess::new(3);
        assert_eq!(gathered(&ranks, &[3_u16, 1, 2]).unwrap(), [3, 1, 2]);
        assert_eq!(sum(&ranks, &[1e300, -1e300, 1.0]).unwrap(), 1.0);
        assert_eq!(sum(&ranks, &[1.0, 1e300, -1e300]).unwrap(), 0.0);
        assert_eq!(largest(&ranks, &[1.0, 5.0, 2.0]).unwrap(), 5.0);
        for at in 0..3 {
            let mut numbers = [1.0, 5.0, 2.0];
            numbers[at] = f64::NAN;
            assert!(largest(&ranks, &numbers).unwrap().is_nan());
        }
        assert!(any(&ranks, true).unwrap() && !any(&ranks, false).unwrap());
        let mut bytes = vec![1, 2];
        broadcast(&ranks, 1, &mut bytes).unwrap();
        assert_eq!(bytes, [1, 2]);
    }
}
