//! A multiplication as the tutorial's functions make it: operands to the device, the product, and
//! its copy back.

use super::super::prelude::*;
use quadrille::Shape;
use quadrille::data::Matrix;
use quadrille::linalg::matmul::{Element, Multiplier};

use super::super::time_limit::turns;
use quadrille_lab::bench::matmul::{Contender, Row};

/// The times of the methods that run on the device, in turns in the remaining time. Kernels are
/// compiled before, as the tutorial's are. Nothing where the user stopped it.
pub(super) fn with_copies<T: Element>(
    lab: &mut Lab<'_>,
    n: usize,
    rows: &[Row],
) -> Result<Vec<(Contender, Summary)>> {
    let shape = Shape::new(n, n);
    let (a, b) = (Matrix::<T>::random(shape, lab.seed)?, Matrix::<T>::random(shape, !lab.seed)?);
    let context = lab.context;
    let (mut contenders, mut products) = (Vec::new(), Vec::new());
    for row in rows.iter().filter(|row| row.contender.engine().is_some()) {
        if let Contender::Method(_, wish) = row.contender {
            contenders.push(row.contender);
            products.push(Multiplier::<T>::new(context, shape, shape, wish)?);
        }
    }
    let time = lab.left();
    let times = turns(lab, products.len(), time, |way| {
        let product = &mut products[way];
        let whole = || -> Result<Matrix<T>> {
            product.load(&a, &b)?;
            product.run()?;
            Ok(product.read()?)
        };
        Ok(Clock::Wall.time(context, whole)?.1)
    })?;
    let Some(times) = times else { return Ok(Vec::new()) };
    let summaries = (0..contenders.len()).map(|way| times.summary(way, 1));
    Ok(contenders.iter().copied().zip(summaries).collect())
}
