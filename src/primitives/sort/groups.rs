//! How a sort by compute shaders is divided among work groups: plain arithmetic, no GL.

use crate::gl::Context;

use super::super::scan::side;

pub(super) const DIGITS: usize = 256;

/// The work groups: invocations, the keys of each in a tile, the places in which neighbours count, and
/// the number of groups that keeps a device at work; more only make more counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Groups {
    pub(super) size: usize,
    pub(super) per: usize,
    pub(super) copies: usize,
    enough: usize,
}

/// How an array is divided among groups.
#[derive(Clone, Copy, Debug)]
pub(super) struct Division {
    pub(super) of: Groups,
    pub(super) count: usize,
    pub(super) groups: usize,
    /// The tiles of a group, one after the other.
    pub(super) tiles: usize,
}

/// The groups of hardware, the best first.
const HARDWARE: [Groups; 3] = [
    Groups::BEST,
    Groups { size: 128, per: 32, copies: 8, enough: 8192 },
    Groups { size: 64, per: 32, copies: 4, enough: 4096 },
];
/// On a software renderer each barrier takes long.
const SOFTWARE: Groups = Groups { size: 8, per: 512, copies: 1, enough: 64 };

/// The most keys of an invocation, each of which it meets in at most six loops: llvmpipe ends all
/// loops of an invocation after 65535 rounds.
const KEYS: usize = 4096;
/// The most invocations of a line of sort/scatter.comp.
const LANES: usize = 32;

impl Groups {
    pub(super) const BEST: Groups = Groups { size: 256, per: 36, copies: 8, enough: 8192 };

    /// Returns the groups that suit a device.
    pub(super) fn on(context: &Context) -> Groups {
        let abilities = context.abilities();
        let fits = |groups: &&Groups| {
            abilities.compute.is_some_and(|limits| {
                limits.shared_bytes as usize >= groups.shared_bytes()
                    && limits.max_invocations as usize >= groups.size
            })
        };
        let [.., smallest] = HARDWARE;
        match abilities.software {
            true => SOFTWARE,
            false => HARDWARE.iter().find(fits).copied().unwrap_or(smallest),
        }
    }

    /// Returns the shared memory of sort/scatter.comp.
    fn shared_bytes(self) -> usize {
        let words = (self.size / LANES).max(1) * DIGITS;
        let scan = self.size + 2 * self.size / side(self.size);
        size_of::<u32>() * (self.tile() + words + DIGITS + scan)
    }

    fn tile(self) -> usize {
        self.size * self.per
    }

    pub(super) fn divide(self, count: usize) -> Division {
        let of_all = count.div_ceil(self.tile()).max(1);
        let tiles = of_all.div_ceil(self.enough).min(KEYS / self.per);
        Division { of: self, count, groups: of_all.div_ceil(tiles), tiles }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Groups; 4] = [HARDWARE[0], HARDWARE[1], HARDWARE[2], SOFTWARE];

    #[test]
    fn every_key_is_in_a_tile_and_no_group_is_empty() {
        for groups in ALL {
            // A texel of keys is of one group, and an invocation scans as many digits as others.
            assert!(groups.tile().is_multiple_of(4) && DIGITS.is_multiple_of(groups.size));
            for count in [0, 1, groups.tile(), groups.tile() + 1, 10_000_000, 1 << 28] {
                let Division { groups: number, tiles, .. } = groups.divide(count);
                let part = tiles * groups.tile();
                assert!(number * part >= count && (number - 1) * part < count.max(1), "{count}");
                assert!(tiles * groups.per <= KEYS, "{count}");
            }
        }
    }

    #[test]
    fn shared_memory_is_what_devices_have() {
        // OpenGL has at least 32 KiB, and OpenGL ES 16.
        let most = [48, 32, 16, 32].map(|kib| kib << 10);
        assert!(ALL.iter().zip(most).all(|(groups, most)| groups.shared_bytes() <= most));
        // Two words of votes for each line and digit lie in the tile.
        assert!(ALL.iter().all(|g| 2 * DIGITS * (g.size / LANES).max(1) <= g.tile()));
    }
}
