//! A round of a solution that takes several: after another method gave up, or from an x0.

use crate::stream::observer::{Control, Observer, Progress};

/// An observer of a round, which tells that of the whole of the iterations and of x as they are in the whole.
pub(super) struct Round<'a> {
    pub(super) observer: &'a mut dyn Observer,
    /// The iterations before.
    pub(super) before: u64,
    /// The residual at the beginning.
    pub(super) factor: f64,
    /// The unit of the right-hand side.
    pub(super) unit: f64,
    /// The x that what is solved for is added to, in the same unit.
    pub(super) start: Option<&'a [f64]>,
}

impl Observer for Round<'_> {
    fn observe(&mut self, progress: &Progress) -> Control {
        self.observer.observe(&Progress {
            done: self.before + progress.done,
            expected: progress.expected.map(|expected| self.before + expected),
            residual: progress.residual.map(|residual| residual * self.factor),
        })
    }

    fn is_due(&mut self) -> bool {
        self.observer.is_due()
    }

    fn keep(&mut self, done: u64, mut x: Vec<f64>) {
        for (x, start) in x.iter_mut().zip(self.start.into_iter().flatten()) {
            *x += start;
        }
        x.iter_mut().for_each(|x| *x *= self.unit);
        self.observer.keep(self.before + done, x);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::time::Duration;

    use crate::data::Stencil;
    use crate::linalg::solve::{Method, Options, Session, Side, Solver};
    use crate::{Checkpoints, Control, Progress};

    const HOUR: Duration = Duration::from_secs(3600);

    /// x on the way is that of the given system, whatever its unit, from zero or from another x: its residual is what the
    /// observer was told, and another run goes on from it.
    #[test]
    fn x_on_the_way_is_that_of_the_whole() {
        let matrix = "poisson5:40x31".parse::<Stencil>().unwrap().matrix_f64().unwrap();
        let options = Options::new().tolerance(1e-11).method(Method::Cg).check_every(7);
        let mut session = Session::new(Solver::on_host(&matrix, options).unwrap()).unwrap();
        for (unit, far) in
            [1.0, 1e-180, 1e180].into_iter().flat_map(|u| [(u, None), (u, Some(3e5))])
        {
            let exact: Vec<f64> = (0..1240).map(|i| f64::from(i * 37 % 101 - 50) * unit).collect();
            let b = matrix.multiply_f64(&exact);
            let side = || {
                let start = far.map(|far| exact.iter().map(|x| far * unit - x).collect::<Vec<_>>());
                start.into_iter().fold(Side::new(&b).after(100), Side::x0)
            };
            let (mut kept, mut told) = (Vec::new(), Vec::new());
            let mut tell = |progress: &Progress| {
                told.push((progress.done, progress.residual.unwrap()));
                Control::Continue
            };
            let keep = |done, x| kept.push((done, x));
            let mut all = Checkpoints::new(&mut tell, Duration::ZERO, keep);
            let whole = session.solve([Ok(side())], &mut all).unwrap();
            assert!(whole.converged() && kept.len() > 3, "{}", kept.len());
            for (done, x) in &kept {
                let product = matrix.multiply_f64(x);
                let norm = |of: &mut dyn Iterator<Item = f64>| {
                    of.map(|r| (r / unit).powi(2)).sum::<f64>().sqrt()
                };
                let residual = norm(&mut b.iter().zip(&product).map(|(b, p)| b - p))
                    / norm(&mut b.iter().copied());
                let (_, announced) = told.iter().find(|(look, _)| look == done).unwrap();
                // What is told follows from a recursion in 32-bit floats.
                assert!((residual / announced - 1.0).abs() < 0.1, "{residual:e} {announced:e}");
            }
            let (done, x) = kept.swap_remove(kept.len() / 2);
            let mut nobody = ();
            let mut none =
                Checkpoints::new(&mut nobody, HOUR, |_, _| panic!("an hour has not passed"));
            let rest = session.solve([Ok(Side::new(&b).x0(x).after(done))], &mut none).unwrap();
            assert!(rest.converged() && rest.iterations() - done < whole.iterations() - 100);
        }
    }
}
