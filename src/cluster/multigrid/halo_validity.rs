//! The margins of halos in which the numbers of a rank are invalid: plain arithmetic, no GL.
//!
//! A rank computes with all that it stores as if there were nothing beyond. What is next to a cut
//! is wrong then, and each operation that reads neighbours carries that a row and a column further.
//! The halo is deep enough for what a rank owns to stay right; where it would not, the halo is
//! refreshed by messages first. All ranks count alike, and so refresh at the same time.

/// The width of the invalid halo margin along x and along y, in points of a level: numbers nearer
/// to a cut than this may be wrong.
pub(super) type Margin = [usize; 2];

const AXES: [usize; 2] = [0, 1];

/// The halos of a level and the margins of its matrix, with the way to the next level.
#[derive(Clone, Copy, Debug)]
pub(super) struct HaloValidity {
    /// The depth of halos along each axis, or less where the grid ends; `None` where it is not cut.
    pub(super) halo: [Option<usize>; 2],
    /// The margin of the matrix's rows.
    pub(super) rows: Margin,
    /// The margin of the interpolation's weights, in points of the next level.
    pub(super) weights: Margin,
    /// 2 along an axis that becomes coarser, else 1.
    pub(super) step: [usize; 2],
}

/// The halos to be refreshed before an operation, as far as these points from what ranks own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Refreshed {
    pub(super) x: bool,
    pub(super) b: bool,
    pub(super) depth: usize,
}

/// The depths to which a level's vectors must be valid around the owned points, so that on the way
/// back to the finest level nothing has to be refreshed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Depths {
    /// x after a cycle.
    x: Margin,
    /// The right-hand side before it.
    b: Margin,
    /// The depth of a refresh where the vectors are not valid enough: it spares the next level one.
    pub(super) refreshed: usize,
}

impl Depths {
    /// Returns the depths of levels, from the sweeps in both halves of a cycle; the last level has
    /// none.
    pub(super) fn of(levels: &[(HaloValidity, [usize; 2])]) -> Vec<Depths> {
        let mut x = [0; 2];
        let mut all = Vec::new();
        for (validity, [before, after]) in levels {
            let swept = x.map(|depth| depth + after);
            let b = swept.map(|depth| (depth + before).saturating_sub(1));
            all.push(Depths { x, b, refreshed: 0 });
            x = AXES.map(|axis| match validity.step[axis] {
                2 => (swept[axis] + 1).div_ceil(2),
                _ => swept[axis],
            });
        }
        if let Some(last) = all.last_mut() {
            last.b = [0; 2];
        }
        for at in (1..all.len()).rev() {
            let (validity, [before, _]) = levels[at - 1];
            let next = all[at].b;
            let residual = AXES.map(|axis| match validity.step[axis] {
                2 => 2 * next[axis] + 1,
                _ => next[axis],
            });
            let own = all[at - 1].b;
            let deep = AXES.map(|axis| match validity.halo[axis] {
                Some(_) => own[axis].max(residual[axis] + before),
                None => 0,
            });
            all[at - 1].refreshed = deep[0].max(deep[1]);
        }
        all
    }
}

impl HaloValidity {
    /// Computes the margins for a matrix with this margin of rows, coarsened by these steps.
    pub(super) fn new(
        halo: [Option<usize>; 2],
        rows: Margin,
        step: [usize; 2],
        symmetric: bool,
    ) -> HaloValidity {
        // The rows of the fine points beside a coarse one, and of a nonsymmetric matrix those
        // around them.
        let further = usize::from(!symmetric);
        let weights = AXES.map(|axis| match step[axis] {
            2 => (rows[axis] + 1 + further).div_ceil(2),
            _ => rows[axis] + further,
        });
        HaloValidity { halo, rows, weights, step }
    }

    /// Returns the margin of the next level's rows, which have the weights of their neighbours.
    pub(super) fn next_rows(&self) -> Margin {
        self.weights.map(|margin| margin + 1)
    }

    /// Returns whether what a rank owns is right.
    pub(super) fn fits(&self, margin: Margin) -> bool {
        AXES.iter().all(|axis| self.halo[*axis].is_none_or(|depth| margin[*axis] <= depth))
    }

    /// Returns the margin of a vector that is valid to this depth around the owned points.
    pub(super) fn beyond(&self, depth: usize) -> Margin {
        self.halo.map(|halo| halo.map_or(0, |halo| halo.saturating_sub(depth)))
    }

    /// Returns the depth around the owned points to which a vector with this margin is valid.
    pub(super) fn depth(&self, margin: Margin) -> usize {
        let depths = AXES.iter().filter_map(|axis| Some(self.halo[*axis]? - margin[*axis]));
        depths.min().unwrap_or(usize::MAX)
    }

    /// Returns the margin of x after sweeps; from x = 0 the first reads no neighbours.
    pub(super) fn swept(&self, [x, b]: [Margin; 2], sweeps: usize, from_zero: bool) -> Margin {
        AXES.map(|axis| {
            let own = self.rows[axis].max(b[axis]);
            let first = if from_zero { own } else { x[axis] };
            let reading = if from_zero { sweeps.saturating_sub(1) } else { sweeps };
            (0..reading).fold(first, |x, _| own.max(x + 1))
        })
    }

    /// Returns the margin of the next level's right-hand side: the restricted residual.
    pub(super) fn restricted_residual(&self, [x, b]: [Margin; 2]) -> Margin {
        self.restricted(AXES.map(|axis| self.rows[axis].max(b[axis]).max(x[axis] + 1)))
    }

    /// Returns the margin of a restricted vector.
    pub(super) fn restricted(&self, b: Margin) -> Margin {
        AXES.map(|axis| match self.step[axis] {
            2 => self.weights[axis].max((b[axis] + 1).div_ceil(2)),
            _ => self.weights[axis].max(b[axis]),
        })
    }

    /// Returns the margin of x plus the interpolation of the next level's e.
    pub(super) fn prolonged(&self, x: Margin, e: Margin) -> Margin {
        AXES.map(|axis| {
            let coarse = self.weights[axis].max(e[axis]);
            x[axis].max(if self.step[axis] == 2 { 2 * coarse + 1 } else { coarse })
        })
    }

    /// Margins of x and b after halos are refreshed.
    fn after(&self, fresh: Refreshed, [x, b]: [Margin; 2]) -> [Margin; 2] {
        let left = |is_fresh: bool, margin: Margin| {
            AXES.map(|axis| match self.halo[axis] {
                Some(halo) if is_fresh => margin[axis].min(halo.saturating_sub(fresh.depth)),
                _ => margin[axis],
            })
        };
        [left(fresh.x, x), left(fresh.b, b)]
    }

    /// Returns whether numbers are valid to this depth around the owned points, or as far as halos
    /// go.
    fn reaches(&self, margin: Margin, depth: Margin) -> bool {
        AXES.iter().all(|axis| {
            let halo = self.halo[*axis];
            halo.is_none_or(|halo| margin[*axis] + depth[*axis].min(halo) <= halo)
        })
    }

    /// Returns the halos to refresh before the sweeps of a half of a cycle.
    pub(super) fn before_sweeps(
        &self,
        margins: [Margin; 2],
        sweeps: usize,
        half: usize,
        from_zero: bool,
        depths: &Depths,
    ) -> Refreshed {
        let fits = |margins: [Margin; 2]| self.fits(self.swept(margins, sweeps, from_zero));
        let is_deep = |b: Margin| half > 0 || self.reaches(b, depths.b);
        self.least(margins, depths, |[x, b]| fits([x, b]) && is_deep(b))
    }

    /// Returns the halos to refresh before the residual is restricted to the next level.
    pub(super) fn before_restricting_residual(
        &self,
        next: &HaloValidity,
        margins: [Margin; 2],
        depths: &Depths,
    ) -> Refreshed {
        self.least(margins, depths, |margins| next.fits(self.restricted_residual(margins)))
    }

    /// Returns the halos of the next level to refresh before its x is interpolated: also if these
    /// sweeps would leave too little valid for the level before this one, whose halos are larger.
    pub(super) fn before_interpolation(
        &self,
        next: &HaloValidity,
        margins: [Margin; 2],
        depths: &Depths,
        e: Margin,
        next_depths: &Depths,
        sweeps: usize,
    ) -> Refreshed {
        let prolonged = |e: Margin| self.prolonged(margins[0], e);
        let reaches = |e: Margin| {
            let x = prolonged(e);
            self.fits(x) && self.reaches(self.swept([x, margins[1]], sweeps, false), depths.x)
        };
        let enough = |[e, _]: [Margin; 2]| reaches(e);
        let fresh = next.least([e, [0; 2]], next_depths, enough);
        match enough(next.after(fresh, [e, [0; 2]])) {
            true => fresh,
            false => next.least([e, [0; 2]], next_depths, |[e, _]| self.fits(prolonged(e))),
        }
    }

    /// Returns the least work after which margins suffice.
    fn least(
        &self,
        margins: [Margin; 2],
        depths: &Depths,
        suffice: impl Fn([Margin; 2]) -> bool,
    ) -> Refreshed {
        let which = [(false, false), (true, false), (false, true), (true, true)];
        let all = [depths.refreshed, usize::MAX]
            .into_iter()
            .flat_map(|depth| which.map(|(x, b)| Refreshed { x, b, depth }));
        let mut enough = all.filter(|fresh| suffice(self.after(*fresh, margins)));
        enough.next().unwrap_or(Refreshed { x: true, b: true, depth: usize::MAX })
    }

    /// Adds to margins what is refreshed.
    pub(super) fn refresh(&self, fresh: Refreshed, margins: [&mut Margin; 2]) {
        let [x, b] = margins;
        [*x, *b] = self.after(fresh, [*x, *b]);
    }

    /// Returns whether cycles keep right what ranks own, with refreshed halos where they must be.
    pub(super) fn suffices(&self, next: &HaloValidity, sweeps: [usize; 2]) -> bool {
        let fresh = [[0; 2]; 2];
        sweeps.iter().all(|sweeps| self.fits(self.swept(fresh, *sweeps, false)))
            && next.fits(self.restricted_residual(fresh))
            && self.fits(self.prolonged([0; 2], [0; 2]))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::data::SplitMix64;
    use crate::linalg::host::multigrid::{Nine, galerkin, interpolation};
    use crate::linalg::multigrid::Coarsening;

    fn random(points: (usize, usize), symmetric: bool) -> Nine {
        let (width, height) = (points.0 as isize, points.1 as isize);
        let mut numbers = SplitMix64::new(7);
        let values: Vec<f64> =
            (0..9 * points.0 * points.1).map(|_| (numbers.next() % 1000) as f64 / 1000.0).collect();
        let entry = |x: isize, y: isize, i: isize, j: isize| {
            let inside = (0..width).contains(&(x + i)) && (0..height).contains(&(y + j));
            let mirrored = symmetric && (j, i) < (0, 0);
            let (x, y, i, j) = if mirrored { (x + i, y + j, -i, -j) } else { (x, y, i, j) };
            match (i, j) {
                (0, 0) => 12.0,
                _ if !inside => 0.0,
                _ => values[(9 * (y * width + x) + 3 * (j + 1) + i + 1) as usize] - 0.7,
            }
        };
        Nine::new(points, entry)
    }

    /// Returns the submatrix for the points from `start` to `end`.
    fn cut(a: &Nine, start: (usize, usize), end: (usize, usize)) -> Nine {
        let points = (end.0 - start.0, end.1 - start.1);
        Nine::new(points, |x, y, i, j| {
            let (to_x, to_y) = (x + i, y + j);
            let inside =
                (0..points.0 as isize).contains(&to_x) && (0..points.1 as isize).contains(&to_y);
            match inside {
                true => a.at(x + start.0 as isize, y + start.1 as isize, i, j),
                false => 0.0,
            }
        })
    }

    fn coarser(a: &Nine, coarsening: Coarsening, symmetric: bool) -> (Nine, Nine, Nine) {
        let (p, r) = match symmetric {
            true => (interpolation(a, coarsening), interpolation(a, coarsening)),
            false => (
                interpolation(&a.symmetric_part(), coarsening),
                interpolation(&a.transposed(), coarsening),
            ),
        };
        let next = galerkin(&r, a, &p, coarsening);
        (p, r, next)
    }

    /// Returns the farthest from a cut that rows differ.
    fn farthest(part: &Nine, whole: &Nine, start: (usize, usize)) -> Margin {
        let (width, height) = part.extent();
        let mut most = [0; 2];
        for (index, nine) in part.rows().iter().enumerate() {
            let (x, y) = (index % width, index / width);
            let (here, there) = (whole.extent().0, (x + start.0, y + start.1));
            if *nine != whole.rows()[there.1 * here + there.0] {
                let x = (x + 1).min(width - x);
                let y = (y + 1).min(height - y);
                // A corner is near to two cuts: the nearer one is what made it wrong.
                if x <= y {
                    most[0] = most[0].max(x);
                }
                if y <= x {
                    most[1] = most[1].max(y);
                }
            }
        }
        most
    }

    /// A part of a random matrix, cut on all sides, is coarsened as the whole is, but near the
    /// cuts.
    #[test]
    fn levels_of_a_part_are_right_away_from_cuts() {
        for symmetric in [true, false] {
            for steps in [[(2, 2); 3], [(1, 2), (1, 2), (2, 1)], [(2, 1), (2, 2), (1, 2)]] {
                let mut whole = random((96, 88), symmetric);
                let (mut start, mut end) = ((16, 8), (80, 72));
                let mut part = cut(&whole, start, end);
                let mut rows = [1; 2];
                for (x, y) in steps {
                    let coarsening = Coarsening { x, y };
                    let validity = HaloValidity::new([None; 2], rows, [x, y], symmetric);
                    let found = farthest(&part, &whole, start);
                    assert!(found[0] <= rows[0] && found[1] <= rows[1], "{found:?} {rows:?}");
                    let (p, r, next) = coarser(&whole, coarsening, symmetric);
                    let (part_p, part_r, part_next) = coarser(&part, coarsening, symmetric);
                    let divided = |(a, b): (usize, usize)| (a / x, b / y);
                    (start, end) = (divided(start), divided(end));
                    for (part, whole) in [(&part_p, &p), (&part_r, &r)] {
                        let found = farthest(part, whole, start);
                        let most = validity.weights;
                        assert!(found[0] <= most[0] && found[1] <= most[1], "{found:?} {most:?}");
                    }
                    (whole, part, rows) = (next, part_next, validity.next_rows());
                }
                let found = farthest(&part, &whole, start);
                assert!(found.iter().zip(rows).all(|(found, rows)| *found <= rows));
                assert!(found[0] > 0 && found[1] > 0, "cuts make rows wrong");
            }
        }
    }

    fn validity(depth: usize) -> HaloValidity {
        HaloValidity::new([None, Some(depth)], [3, 3], [2, 2], true)
    }

    /// Halos of three levels, of which the last is gathered, with two sweeps before and after: how
    /// far the right-hand side must be right, and refreshed.
    #[test]
    fn the_right_hand_side_is_refreshed_for_two_levels() {
        let levels = [(validity(24), [2, 2]), (validity(12), [2, 2]), (validity(6), [0, 0])];
        let depths = Depths::of(&levels);
        assert_eq!(depths.iter().map(|level| level.x[1]).collect::<Vec<_>>(), [0, 2, 3]);
        assert_eq!(depths.iter().map(|level| level.b[1]).collect::<Vec<_>>(), [3, 5, 0]);
        assert_eq!(depths.iter().map(|level| level.refreshed).collect::<Vec<_>>(), [13, 5, 0]);
    }

    /// A cycle on these levels: what it refreshes, and that what ranks own is right at its end.
    #[test]
    fn halos_are_refreshed_where_they_must_be() {
        for (halos, expected) in [
            ([48, 24, 12, 6], vec!["b 0 13", "b 2 6"]),
            ([32, 16, 8, 4], vec!["b 0 13", "b 2 6", "x 2 6"]),
        ] {
            let reaches = halos.map(validity);
            assert!((1..4).all(|at| reaches[at - 1].suffices(&reaches[at], [2, 2])));
            let sweeps = [[2, 2], [2, 2], [2, 2], [0, 0]];
            let levels: Vec<_> = reaches.into_iter().zip(sweeps).collect();
            let depths = Depths::of(&levels);
            let (mut x, mut b) = ([[0; 2]; 4], [[0; 2]; 4]);
            b[0] = reaches[0].beyond(0);
            let mut found = Vec::new();
            let mut refresh = |at: usize, fresh: Refreshed, x: &mut Margin, b: &mut Margin| {
                for (name, _) in [("x", fresh.x), ("b", fresh.b)].iter().filter(|(_, is)| *is) {
                    found.push(format!("{name} {at} {}", fresh.depth));
                }
                reaches[at].refresh(fresh, [x, b]);
            };
            for at in 0..3 {
                let fresh = reaches[at].before_sweeps([x[at], b[at]], 2, 0, true, &depths[at]);
                refresh(at, fresh, &mut x[at], &mut b[at]);
                x[at] = reaches[at].swept([x[at], b[at]], 2, true);
                let next = &reaches[at + 1];
                let fresh =
                    reaches[at].before_restricting_residual(next, [x[at], b[at]], &depths[at]);
                refresh(at, fresh, &mut x[at], &mut b[at]);
                b[at + 1] = reaches[at].restricted_residual([x[at], b[at]]);
                assert!(next.fits(b[at + 1]));
            }
            for at in (0..3).rev() {
                if at < 2 {
                    let (own, e) = ([x[at], b[at]], x[at + 1]);
                    let (next, depths) = (&reaches[at + 1], [&depths[at], &depths[at + 1]]);
                    let fresh =
                        reaches[at].before_interpolation(next, own, depths[0], e, depths[1], 2);
                    refresh(at + 1, fresh, &mut x[at + 1], &mut [0; 2]);
                }
                x[at] = reaches[at].prolonged(x[at], x[at + 1]);
                assert!(reaches[at].fits(x[at]));
                let fresh = reaches[at].before_sweeps([x[at], b[at]], 2, 1, false, &depths[at]);
                refresh(at, fresh, &mut x[at], &mut b[at]);
                x[at] = reaches[at].swept([x[at], b[at]], 2, false);
                assert!(reaches[at].fits(x[at]));
            }
            assert_eq!(found, expected);
        }
    }
}
