//! Divides an array larger than a texture into panels of one size: plain arithmetic, no GL.
//!
//! The array repeats at its ends: the halo of a panel there has the texels of the other end. A
//! panel begins at an even texel of the array and in its texture, so that the 2 x 2 fragments of
//! which a device takes differences are those of the whole array.

use quadrille::{Extent, Rectangle};

/// An array that is cut along one axis or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tiling {
    x: Axis,
    y: Axis,
}

/// A row of texels that belongs to one panel: in the texture that stores it, in the panel that owns
/// it, and in the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// The position in the texture that stores the run.
    pub(crate) stored: u32,
    /// The panel that owns the run, along this axis, and the position in the owner's texture.
    pub(crate) owner: u32,
    pub(crate) owned: u32,
    /// The position in the array.
    pub(crate) whole: u32,
    pub(crate) length: u32,
}

/// The panels of an array along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    /// The length of the array.
    length: u32,
    /// The number of texels that each panel owns; the last owns the remainder.
    part: u32,
    /// The number of texels of neighbouring panels that it stores on each side; 0 along an axis
    /// that is not cut.
    halo: u32,
    /// The halo, and one texel more where that is odd.
    border: u32,
}

impl Tiling {
    /// Returns the fewest panels whose textures are within the limit, with a halo along the axes
    /// that are cut. Their extent is none of those to avoid. None if the limit has no room for the
    /// halo.
    pub(crate) fn of(whole: Extent, limit: u32, halo: u32, avoid: &[Extent]) -> Option<Tiling> {
        let x = Axis::cut(whole.width, limit, halo)?;
        let y = Axis::cut(whole.height, limit, halo)?;
        let mut tiling = Tiling { x, y };
        while avoid.contains(&tiling.stored()) {
            let shorter = if x.is_cut() { &mut tiling.x } else { &mut tiling.y };
            shorter.part = shorter.part.checked_sub(2).filter(|part| *part > 0)?;
        }
        Some(tiling)
    }

    /// Returns the extent of the array.
    pub(crate) fn whole(&self) -> Extent {
        Extent::new(self.x.length, self.y.length)
    }

    /// Returns the extent of each panel's texture.
    pub(crate) fn stored(&self) -> Extent {
        Extent::new(self.x.stored(), self.y.stored())
    }

    /// Returns the number of panels.
    pub(crate) fn count(&self) -> usize {
        self.x.count() as usize * self.y.count() as usize
    }

    /// Returns the number of a panel, by its place along x and y.
    pub(crate) fn number(&self, x: u32, y: u32) -> usize {
        y as usize * self.x.count() as usize + x as usize
    }

    fn place(&self, panel: usize) -> (u32, u32) {
        let columns = self.x.count() as usize;
        ((panel % columns) as u32, (panel / columns) as u32)
    }

    /// Returns the rectangle of texels that a panel owns, in the panel's texture.
    pub(crate) fn owned(&self, panel: usize) -> Rectangle {
        let (x, y) = self.place(panel);
        Rectangle::new(self.x.border, self.y.border, self.x.owned(x), self.y.owned(y))
    }

    /// Returns the position in the array of a position in a panel's texture, minus that one.
    pub(crate) fn shift(&self, panel: usize) -> [i64; 2] {
        let (x, y) = self.place(panel);
        [self.x.shift(x), self.y.shift(y)]
    }

    /// Returns whether it is cut along x and along y.
    pub(crate) fn is_cut(&self) -> [bool; 2] {
        [self.x, self.y].map(|axis| axis.is_cut())
    }

    /// Returns the first and the last texel of the array that a panel stores along x and along y,
    /// and between which positions a texel is as near to them as the array repeats. Those before
    /// the array and behind it are the last and the first of it.
    pub(crate) fn windows(&self, panel: usize) -> [[i64; 4]; 2] {
        let (x, y) = self.place(panel);
        [self.x.window(x), self.y.window(y)]
    }

    /// Returns the texels of others that panels store on each side, along the axes that are cut.
    pub(crate) fn halo(&self) -> u32 {
        self.x.halo.max(self.y.halo)
    }

    /// Returns the runs that a panel stores, along x and along y: its own texels and its halo.
    pub(crate) fn runs(&self, panel: usize) -> (Vec<Run>, Vec<Run>) {
        let (x, y) = self.place(panel);
        (self.x.runs(x), self.y.runs(y))
    }

    /// Returns the runs that a panel owns, along x and along y.
    pub(crate) fn own_runs(&self, panel: usize) -> (Run, Run) {
        let (x, y) = self.place(panel);
        (self.x.own_run(x), self.y.own_run(y))
    }
}

impl Axis {
    fn cut(length: u32, limit: u32, halo: u32) -> Option<Axis> {
        if length <= limit {
            return Some(Axis { length, part: length, halo: 0, border: 0 });
        }
        let border = halo.checked_next_multiple_of(2)?;
        let room = limit.checked_sub(border.checked_mul(2)?)? & !1;
        let count = length.div_ceil(Some(room).filter(|room| *room > 0)?);
        Some(Axis { length, part: length.div_ceil(count).next_multiple_of(2), halo, border })
    }

    fn is_cut(&self) -> bool {
        self.part < self.length
    }

    fn count(&self) -> u32 {
        self.length.div_ceil(self.part)
    }

    fn start(&self, panel: u32) -> u32 {
        panel * self.part
    }

    fn owned(&self, panel: u32) -> u32 {
        self.part.min(self.length - self.start(panel))
    }

    fn stored(&self) -> u32 {
        self.part + 2 * self.border
    }

    fn shift(&self, panel: u32) -> i64 {
        i64::from(self.start(panel)) - i64::from(self.border)
    }

    fn window(&self, panel: u32) -> [i64; 4] {
        let (start, length) = (i64::from(self.start(panel)), i64::from(self.length));
        let first = start - i64::from(self.halo);
        let last = start + i64::from(self.owned(panel)) + i64::from(self.halo) - 1;
        // Rounded up and down, to the nearer one.
        let (low, high) =
            (-(length - first - last).div_euclid(2), (first + last + length).div_euclid(2));
        [first, last, low, high]
    }

    fn own_run(&self, panel: u32) -> Run {
        let (stored, whole, length) = (self.border, self.start(panel), self.owned(panel));
        Run { stored, owner: panel, owned: stored, whole, length }
    }

    fn runs(&self, panel: u32) -> Vec<Run> {
        let (halo, length) = (i64::from(self.halo), i64::from(self.length));
        let start = i64::from(self.start(panel));
        let (mut at, end) = (start - halo, start + i64::from(self.owned(panel)) + halo);
        let mut runs = Vec::new();
        while at < end {
            let whole = at.rem_euclid(length) as u32;
            let owner = whole / self.part;
            let left = self.start(owner) + self.owned(owner) - whole;
            let length = left.min((end - at) as u32);
            let (stored, owned) = ((at - self.shift(panel)) as u32, whole - self.start(owner));
            runs.push(Run { stored, owner, owned: self.border + owned, whole, length });
            at += i64::from(length);
        }
        runs
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    const CASES: [(u32, u32, u32, u32); 9] = [
        (1, 9, 16, 3),
        (16, 16, 16, 3),
        (17, 1, 16, 0),
        (17, 17, 16, 6),
        (33, 5, 16, 1),
        (100, 39, 16, 5),
        (31, 31, 15, 2),
        (1000, 3, 17, 1),
        (19, 64, 8, 2),
    ];

    /// Each texel of the array is owned once, and each panel stores it and its neighbours as the
    /// array repeats.
    #[test]
    fn panels_own_all_texels_and_store_their_neighbours() {
        for (width, height, limit, halo) in CASES {
            let whole = Extent::new(width, height);
            let tiling = Tiling::of(whole, limit, halo, &[]).unwrap();
            let stored = tiling.stored();
            assert!(stored.width <= limit && stored.height <= limit, "{tiling:?}");
            let mut owners = vec![0; whole.texels()];
            for panel in 0..tiling.count() {
                let (columns, rows) = tiling.runs(panel);
                let owned = tiling.owned(panel);
                let [dx, dy] = tiling.shift(panel);
                assert!(dx % 2 == 0 && dy % 2 == 0, "{tiling:?}");
                for y in owned.y..owned.y + owned.height {
                    for x in owned.x..owned.x + owned.width {
                        let (x, y) = (i64::from(x) + dx, i64::from(y) + dy);
                        owners[(y * i64::from(width) + x) as usize] += 1;
                    }
                }
                let windows = tiling.windows(panel);
                let [x_is_cut, y_is_cut] = tiling.is_cut();
                for (runs, shift, length, is_cut, owned, stored, window) in [
                    (
                        &columns,
                        dx,
                        width,
                        x_is_cut,
                        [owned.x, owned.width],
                        stored.width,
                        windows[0],
                    ),
                    (
                        &rows,
                        dy,
                        height,
                        y_is_cut,
                        [owned.y, owned.height],
                        stored.height,
                        windows[1],
                    ),
                ] {
                    let halo = if is_cut { halo } else { 0 };
                    reads_are_found(runs, window, length);
                    let mut at = owned[0] - halo;
                    for run in runs {
                        assert_eq!(run.stored, at);
                        for k in 0..run.length {
                            let place = i64::from(run.stored + k) + shift;
                            assert_eq!(place.rem_euclid(length.into()), i64::from(run.whole + k));
                        }
                        at += run.length;
                    }
                    assert_eq!(at, owned[0] + owned[1] + halo);
                    assert!(at <= stored);
                }
            }
            assert!(owners.iter().all(|count| *count == 1), "{tiling:?}");
        }
    }

    /// Checks that each position of the array, moved as `panels.glsl` does, lies in the window
    /// where a run has it, and else beyond by what is missing the nearer way round.
    fn reads_are_found(runs: &[Run], [first, last, low, high]: [i64; 4], length: u32) {
        let whole = i64::from(length);
        for p in 0..whole {
            let mut moved = p;
            moved += if p < low { whole } else { 0 };
            moved -= if p > high { whole } else { 0 };
            let beyond = (first - moved).max(moved - last);
            let p = p as u32;
            let is_stored = runs.iter().any(|run| (run.whole..run.whole + run.length).contains(&p));
            assert_eq!(beyond <= 0, is_stored, "{p} in {first} to {last} of {length}");
            let other = [moved - whole, moved + whole].map(|p| (first - p).max(p - last));
            assert!(beyond <= other[0].min(other[1]), "{p} in {first} to {last} of {length}");
        }
    }

    /// The runs that are copied to a halo lie in the texels that their owner owns.
    #[test]
    fn runs_lie_in_what_their_owners_own() {
        for (width, height, limit, halo) in CASES {
            let tiling = Tiling::of(Extent::new(width, height), limit, halo, &[]).unwrap();
            for panel in 0..tiling.count() {
                let (columns, rows) = tiling.runs(panel);
                for column in &columns {
                    for row in &rows {
                        let owner = tiling.number(column.owner, row.owner);
                        let (x, y) = tiling.own_runs(owner);
                        let lies = |run: &Run, own: Run| {
                            run.owned >= own.stored
                                && run.owned + run.length <= own.stored + own.length
                                && run.owned - own.stored == run.whole - own.whole
                        };
                        assert!(lies(column, x) && lies(row, y), "{tiling:?}");
                        // A texture is never copied to itself.
                        let is_own = (column, row) == (&x, &y);
                        assert_eq!(owner == panel, is_own, "{tiling:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn textures_of_panels_differ_from_those_to_avoid() {
        let whole = Extent::new(100, 3);
        let first = Tiling::of(whole, 16, 1, &[]).unwrap().stored();
        let second = Tiling::of(whole, 16, 1, &[first]).unwrap();
        assert_ne!(second.stored(), first);
        assert_eq!(second.whole(), whole);
        assert_eq!(Tiling::of(whole, 4, 1, &[]), None, "no room beside the halo");
        assert_eq!(Tiling::of(whole, 16, u32::MAX, &[]), None);
    }
}
