//! How far from the cuts of a grid the numbers of a rank are wrong: plain arithmetic, no GL.
//!
//! A rank computes with all that it stores as if there were nothing beyond. What is next to a cut is wrong then, and each operation
//! that reads neighbours carries that a row and a column further. The halo is so deep that what a rank owns stays right; where
//! it would not, the halo is refreshed by messages first. All ranks count alike, and so refresh at the same time.

/// Numbers nearer than this to a cut may be wrong, along x and along y, in points of a level.
pub(super) type Margin = [usize; 2];

const AXES: [usize; 2] = [0, 1];

/// What is known of a level, with the way to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// The least depth of a halo along each axis; `None` where it is not cut.
    pub(super) halo: [Option<usize>; 2],
    /// Where rows of the matrix are wrong.
    pub(super) rows: Margin,
    /// Where weights of the interpolation are wrong, in points of the next level.
    pub(super) weights: Margin,
    /// 2 along an axis that becomes coarser, else 1.
    pub(super) step: [usize; 2],
}

/// The halos to be refreshed before an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Refreshed {
    pub(super) x: bool,
    pub(super) b: bool,
}

impl Refreshed {
    /// From the least work to the most.
    const ALL: [Refreshed; 4] = [
        Refreshed { x: false, b: false },
        Refreshed { x: true, b: false },
        Refreshed { x: false, b: true },
        Refreshed { x: true, b: true },
    ];

    /// What is left of the margins.
    pub(super) fn of(self, [x, b]: [Margin; 2]) -> [Margin; 2] {
        let left = |is_fresh: bool, margin: Margin| if is_fresh { [0; 2] } else { margin };
        [left(self.x, x), left(self.b, b)]
    }
}

impl Reach {
    /// For a matrix whose rows are wrong so far from cuts, coarsened by these steps.
    pub(super) fn new(
        halo: [Option<usize>; 2],
        rows: Margin,
        step: [usize; 2],
        symmetric: bool,
    ) -> Reach {
        // The rows of the fine points beside a coarse one, and of a nonsymmetric matrix those around them.
        let further = usize::from(!symmetric);
        let weights = AXES.map(|axis| match step[axis] {
            2 => (rows[axis] + 1 + further).div_ceil(2),
            _ => rows[axis] + further,
        });
        Reach { halo, rows, weights, step }
    }

    /// Where rows of the next level's matrix are wrong: they have the weights of the neighbours.
    pub(super) fn next_rows(&self) -> Margin {
        self.weights.map(|margin| margin + 1)
    }

    /// Whether what a rank owns is right.
    pub(super) fn fits(&self, margin: Margin) -> bool {
        AXES.iter().all(|axis| self.halo[*axis].is_none_or(|depth| margin[*axis] <= depth))
    }

    /// Of x after sweeps; from x = 0 the first reads no neighbours.
    pub(super) fn swept(&self, [x, b]: [Margin; 2], sweeps: usize, from_zero: bool) -> Margin {
        AXES.map(|axis| {
            let own = self.rows[axis].max(b[axis]);
            let first = if from_zero { own } else { x[axis] };
            let reading = if from_zero { sweeps.saturating_sub(1) } else { sweeps };
            (0..reading).fold(first, |x, _| own.max(x + 1))
        })
    }

    /// Of the next level's right-hand side: the restricted residual.
    pub(super) fn restricted_residual(&self, [x, b]: [Margin; 2]) -> Margin {
        self.restricted(AXES.map(|axis| self.rows[axis].max(b[axis]).max(x[axis] + 1)))
    }

    /// Of a restricted vector.
    pub(super) fn restricted(&self, b: Margin) -> Margin {
        AXES.map(|axis| match self.step[axis] {
            2 => self.weights[axis].max((b[axis] + 1).div_ceil(2)),
            _ => self.weights[axis].max(b[axis]),
        })
    }

    /// Of x plus the interpolation of the next level's e.
    pub(super) fn prolonged(&self, x: Margin, e: Margin) -> Margin {
        AXES.map(|axis| {
            let coarse = self.weights[axis].max(e[axis]);
            x[axis].max(if self.step[axis] == 2 { 2 * coarse + 1 } else { coarse })
        })
    }

    /// What must be refreshed before sweeps.
    pub(super) fn before_sweeps(
        &self,
        margins: [Margin; 2],
        sweeps: usize,
        from_zero: bool,
    ) -> Refreshed {
        least(|fresh| self.fits(self.swept(fresh.of(margins), sweeps, from_zero)))
    }

    /// What must be refreshed before the residual is restricted to a next level.
    pub(super) fn before_descent(&self, next: &Reach, margins: [Margin; 2]) -> Refreshed {
        least(|fresh| next.fits(self.restricted_residual(fresh.of(margins))))
    }

    /// Whether the next level's e must be refreshed before it is interpolated, or is, as it is smaller, rather than x before the
    /// sweeps that follow.
    pub(super) fn before_ascent(&self, [x, b]: [Margin; 2], e: Margin, sweeps: usize) -> bool {
        let suffices = |x: Margin| self.fits(x) && self.fits(self.swept([x, b], sweeps, false));
        let (kept, fresh) = (self.prolonged(x, e), self.prolonged(x, [0; 2]));
        !self.fits(kept) || !suffices(kept) && suffices(fresh)
    }

    /// Whether cycles keep right what ranks own, with refreshed halos where they must be.
    pub(super) fn suffices(&self, next: &Reach, sweeps: [usize; 2]) -> bool {
        let fresh = [[0; 2]; 2];
        sweeps.iter().all(|sweeps| self.fits(self.swept(fresh, *sweeps, false)))
            && next.fits(self.restricted_residual(fresh))
            && self.fits(self.prolonged([0; 2], [0; 2]))
    }
}

fn least(suffices: impl Fn(&Refreshed) -> bool) -> Refreshed {
    Refreshed::ALL.into_iter().find(suffices).unwrap_or(Refreshed { x: true, b: true })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::data::SplitMix64;
    use crate::reference::multigrid::{Coarsening, Nine, galerkin, interpolation};

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

    /// What is left of a matrix for the points from `start` to `end`.
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

    /// The farthest from a cut that rows differ.
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

    /// A part of a random matrix, cut on all sides, is coarsened as the whole is, but near the cuts.
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
                    let reach = Reach::new([None; 2], rows, [x, y], symmetric);
                    let found = farthest(&part, &whole, start);
                    assert!(found[0] <= rows[0] && found[1] <= rows[1], "{found:?} {rows:?}");
                    let (p, r, next) = coarser(&whole, coarsening, symmetric);
                    let (part_p, part_r, part_next) = coarser(&part, coarsening, symmetric);
                    let divided = |(a, b): (usize, usize)| (a / x, b / y);
                    (start, end) = (divided(start), divided(end));
                    for (part, whole) in [(&part_p, &p), (&part_r, &r)] {
                        let found = farthest(part, whole, start);
                        let most = reach.weights;
                        assert!(found[0] <= most[0] && found[1] <= most[1], "{found:?} {most:?}");
                    }
                    (whole, part, rows) = (next, part_next, reach.next_rows());
                }
                let found = farthest(&part, &whole, start);
                assert!(found.iter().zip(rows).all(|(found, rows)| *found <= rows));
                assert!(found[0] > 0 && found[1] > 0, "cuts make rows wrong");
            }
        }
    }

    /// Halos of four points on a level whose matrix comes from three coarsenings: what is refreshed, and when none suffices.
    #[test]
    fn halos_are_refreshed_where_they_must_be() {
        let reach = |depth: usize| Reach::new([Some(depth), None], [3, 3], [2, 2], true);
        let [coarse, fine] = [reach(4), reach(8)];
        assert_eq!(fine.weights, [2, 2]);
        assert!(fine.suffices(&coarse, [2, 2]) && !coarse.suffices(&reach(2), [2, 2]));
        let x = fine.swept([[0; 2]; 2], 2, true);
        assert_eq!(x, [4, 4]);
        assert_eq!(fine.before_descent(&coarse, [x, [0; 2]]), Refreshed::default());
        assert!(!fine.before_ascent([x, [0; 2]], [0; 2], 2));
        assert!(fine.before_ascent([x, [0; 2]], [4, 4], 2));
        let x = fine.prolonged(x, [0; 2]);
        assert_eq!(fine.before_sweeps([x, [0; 2]], 2, false), Refreshed::default());
        let fresh_x = Refreshed { x: true, b: false };
        assert_eq!(fine.before_sweeps([[7; 2], [0; 2]], 2, false), fresh_x);
        let fresh_b = Refreshed { x: false, b: true };
        assert_eq!(fine.before_sweeps([[0; 2], [8; 2]], 2, true), fresh_b);
        assert_eq!(fine.before_descent(&coarse, [[2; 2], [8; 2]]), fresh_b);
    }
}
