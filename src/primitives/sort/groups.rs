//! How a sort by compute shaders is divided among work groups: plain arithmetic, no GL.

use crate::gl::Context;

use super::super::scan::side;

pub(super) const DIGITS: usize = 256;

/// The work groups: invocations, the keys of each in a tile, and the places in which neighbours count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Groups {
    pub(super) size: usize,
    pub(super) per: usize,
    pub(super) copies: usize,
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

/// The groups of hardware, the best first. Where the keys of an invocation are odd in number, those
/// that 32 invocations read at a time are in different banks of shared memory.
const HARDWARE: [Groups; 3] = [
    Groups::BEST,
    Groups { size: 128, per: 15, copies: 8 },
    Groups { size: 128, per: 7, copies: 2 },
];
/// On a software renderer each barrier takes long.
const SOFTWARE: [Groups; 2] =
    [Groups { size: 8, per: 512, copies: 1 }, Groups { size: 8, per: 256, copies: 1 }];

/// Groups keep a device at work from this number on; more only make more counts.
const ENOUGH: usize = 2048;
/// The most keys of an invocation, each of which it meets in 14 loops: llvmpipe ends all loops of an
/// invocation after 65535 rounds.
const KEYS: usize = 2048;

impl Groups {
    pub(super) const BEST: Groups = Groups { size: 256, per: 15, copies: 8 };

    /// Returns the groups that suit a device.
    pub(super) fn on(context: &Context, values: bool) -> Groups {
        let fits = |groups: &&Groups| {
            let limits = context.abilities().compute;
            limits.is_some_and(|limits| {
                limits.shared_bytes as usize >= groups.shared_bytes(values)
                    && limits.max_invocations as usize >= groups.size
            })
        };
        let wanted: &[Groups] = if context.abilities().software { &SOFTWARE } else { &HARDWARE };
        let [.., smallest] = HARDWARE;
        wanted.iter().find(fits).copied().unwrap_or(smallest)
    }

    /// Returns the shared memory of sort/scatter.comp.
    fn shared_bytes(self, values: bool) -> usize {
        let items = if values { 2 } else { 1 };
        let counts = 8 * self.size;
        let scan = self.size + self.size / side(self.size);
        size_of::<u32>() * (items * self.tile() + counts + counts / 32 + DIGITS + scan)
    }

    fn tile(self) -> usize {
        self.size * self.per
    }

    pub(super) fn divide(self, count: usize) -> Division {
        let of_all = count.div_ceil(self.tile()).max(1);
        let tiles = of_all.div_ceil(ENOUGH).min(KEYS / self.per);
        Division { of: self, count, groups: of_all.div_ceil(tiles), tiles }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_in_a_tile_and_no_group_is_empty() {
        for groups in [HARDWARE.as_slice(), &SOFTWARE].concat() {
            // A texel of keys is of one group.
            assert_eq!(groups.tile() % 4, 0);
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
        let bytes = |groups: Groups| groups.shared_bytes(true);
        let [best, of_opengl, of_es] = HARDWARE.map(bytes);
        assert!(best <= 48 << 10 && of_opengl <= 32 << 10 && of_es <= 16 << 10);
        assert!(Groups::BEST.shared_bytes(false) <= 32 << 10);
        let [keys, values] = SOFTWARE;
        assert!(keys.shared_bytes(false) <= 32 << 10 && bytes(values) <= 32 << 10);
        // Ranks and counts have 16 bits.
        assert!([HARDWARE.as_slice(), &SOFTWARE].concat().iter().all(|g| g.tile() < 1 << 16));
    }
}
