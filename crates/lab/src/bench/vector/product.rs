//! Figure 6: a matrix product by one call of [v, v] -> s for each element of C, B transposed.

use std::time::{Duration, Instant};

use quadrille::Shape;
use quadrille::data::Matrix;
use quadrille::internal::host::matmul::multiply;
use quadrille::internal::reference::matmul::{Expected, expected_rows};
use quadrille::memory::{self, NoMemory};
use quadrille::stream::Clock;
use quadrille::testing::Comparison;
use quadrille_vp::vector_machine::bundled::BundledProgram;
use quadrille_vp::vector_machine::{
    DFunction, DVector, Fold, Machine, Processor, Profile, Semantics,
};

use super::super::functions;
use super::{Meter, Plan, Runner, Skipped, Table};
use crate::Result;
use crate::report::document::vectors as document;
use crate::report::table::{Column, column, only_json, only_text, wrong};

/// One product. It is run once: it has as many calls as C has elements.
#[derive(Clone, Debug)]
pub struct Product {
    /// Rows and columns of each matrix.
    pub n: usize,
    pub runner: Runner,
    /// The fold that summed the results of invocations; `None` on the CPU.
    pub fold: Option<Fold>,
    /// Sending both matrices; `None` on the CPU.
    pub upload: Option<Duration>,
    pub calls: usize,
    /// All calls, each waited for as the paper does, without the upload.
    pub compute: Duration,
    /// Whether only some of C's rows were computed, and their time was taken for all.
    pub extrapolated: bool,
    pub comparison: Comparison,
    /// How many times faster than one core; `None` for the core's own.
    pub speedup: Option<f64>,
}

impl Product {
    pub fn total(&self) -> Duration {
        self.compute + self.upload.unwrap_or_default()
    }

    fn call_us(&self) -> Option<f64> {
        let elements = (self.n * self.n).max(1) as f64;
        self.fold.map(|_| self.compute.as_secs_f64() * 1e6 / elements)
    }

    /// Sets the speedup of each over one core.
    pub fn rate(products: &mut [Product]) {
        let core = |product: &Product| (product.n, product.total().as_secs_f64());
        let cores: Vec<_> = products.iter().filter(|one| one.fold.is_none()).map(core).collect();
        for product in products.iter_mut().filter(|one| one.fold.is_some()) {
            let core = cores.iter().find(|(n, _)| *n == product.n);
            product.speedup = core.map(|(_, core)| core / product.total().as_secs_f64().max(1e-12));
        }
    }

    pub fn columns() -> Vec<Column<Product>> {
        vec![
            column("n", "n", "", |row: &Product| row.n.into()),
            column("engine", "engine", "", |row| row.runner.name().into()),
            column("fold", "fold", "", |row| row.fold.map(Fold::name).into()),
            column("upload_ms", "upload", "ms", |row| row.upload.into()),
            only_json("compute_ms", |row| row.compute.into()),
            column("total_ms", "total", "ms", |row| row.total().into()),
            column("call_us", "per call", "us", |row| row.call_us().into()),
            only_json("calls", |row| row.calls.into()),
            column("speedup", "speedup", "", |row| row.speedup.into()),
            only_json("max_error", |row| row.comparison.max_error.into()),
            column("of_bound", "of bound", "", |row| row.comparison.of_bound.into()),
            only_json("right", |row| row.comparison.is_right().into()),
            only_text("", "", |row| wrong(row.comparison.is_right())),
            column("extrapolated", "extrapolated", "", |row| row.extrapolated.into()),
            only_json("document_speedup", |row| {
                let claimed = row.speedup.is_some() && row.n == document::PRODUCT_SIZE;
                claimed.then_some(document::PRODUCT_SPEEDUP).into()
            }),
        ]
    }
}

/// The folds that are compared: the paper's, and its footnote's. Passes that fold are left out: of
/// a row's few partial results the host adds those too.
const FOLDS: [Fold; 2] = [Fold::Host, Fold::Blending];
/// Elements of C that stand for all of a large one: as many of its rows as have so many.
const SAMPLE: usize = 1024;
/// The cost of a call, in opcodes of an element.
const CALL: u64 = 150_000;

/// Matrices, what their product should be, and which rows of it are computed.
struct Trial {
    n: usize,
    a: Matrix<f32>,
    b: Matrix<f32>,
    rows: Vec<usize>,
    expected: Expected,
}

/// A device's two operands: the rows of A, and those of B transposed.
type Operands = [Vec<DVector<f32>>; 2];

/// Rows of C that are computed at a size: all, or some apart.
fn rows(n: usize, limit: usize) -> Vec<usize> {
    let count = SAMPLE.div_ceil(n.max(1)).min(n);
    if n <= limit || count == n {
        return (0..n).collect();
    }
    (0..count).map(|i| i * n / count).collect()
}

/// Engines that multiply: the simulator would take the time of all others.
fn engines(plan: &Plan) -> impl Iterator<Item = Processor> {
    plan.engines.iter().copied().filter(|engine| *engine != Processor::Simulator)
}

pub(super) fn cost(plan: &Plan) -> u64 {
    let calls = plan.products.iter().map(|n| rows(*n, plan.product_limit).len() * n);
    CALL * (calls.sum::<usize>() * FOLDS.len() * engines(plan).count()) as u64
}

/// Multiplies at every size; false where the observer ended it.
pub(super) fn run(
    machine: &Machine,
    plan: &Plan,
    meter: &mut Meter<'_>,
    table: &mut Table,
) -> Result<bool> {
    for n in &plan.products {
        let trial = Trial::new(*n, rows(*n, plan.product_limit))?;
        table.products.push(trial.on_host()?);
        for engine in engines(plan) {
            for fold in FOLDS {
                match trial.on_device(&machine.with(engine)?, fold, meter) {
                    Ok(Some(product)) => table.products.push(product),
                    Ok(None) => return Ok(false),
                    Err(error) if error.kind().is_device_limit() => {
                        let what = (format!("product, {fold} fold"), Runner::Engine(engine));
                        table.skipped.push(Skipped::new(what, *n, &error));
                    }
                    Err(error) => return Err(error),
                }
            }
        }
    }
    Ok(true)
}

impl Trial {
    fn new(n: usize, rows: Vec<usize>) -> Result<Trial> {
        let shape = Shape::new(n, n);
        let (a, b) = (Matrix::random(shape, 1)?, Matrix::random(shape, 2)?);
        let expected = expected_rows(&a, &b, &rows)?;
        Ok(Trial { n, a, b, rows, expected })
    }

    /// All of it on one core, several times where once is too short to time.
    fn on_host(&self) -> Result<Product> {
        let mut c = Matrix::zeros(Shape::new(self.n, self.n))?;
        let (begun, mut times) = (Instant::now(), 0);
        while times == 0 || begun.elapsed() < Duration::from_millis(20) {
            multiply(std::hint::black_box(&self.a), &self.b, &mut c);
            times += 1;
        }
        Ok(Product {
            n: self.n,
            runner: Runner::Cpu,
            fold: None,
            upload: None,
            calls: times as usize,
            compute: begun.elapsed() / times,
            extrapolated: false,
            comparison: self.expected.compare(&c),
            speedup: None,
        })
    }

    /// The rows that are computed, a call an element; nothing where the observer ended it.
    fn on_device(
        &self,
        machine: &Machine,
        fold: Fold,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Product>> {
        let function = function(machine, fold)?;
        let operands = self.operands()?;
        let upload = send(machine, &operands)?;
        let [a, b] = &operands;
        let mut c = Matrix::zeros(Shape::new(self.n, self.n))?;
        if let (Some(x), Some(y)) = (a.first(), b.first()) {
            function.total(&[x, y])?; // Which makes the driver compile.
        }
        let mut compute = Duration::ZERO;
        for row in &self.rows {
            let begun = Instant::now();
            for (column, y) in b.iter().enumerate() {
                c.elements_mut()[row * self.n + column] = function.total(&[&a[*row], y])?;
            }
            compute += begun.elapsed();
            if !meter.go_on(CALL * self.n as u64) {
                return Ok(None);
            }
        }
        let computed = self.rows.len();
        Ok(Some(Product {
            n: self.n,
            runner: Runner::Engine(machine.engine()),
            fold: Some(fold),
            upload: Some(upload),
            calls: computed * self.n,
            compute: compute.mul_f64(self.n as f64 / computed.max(1) as f64),
            extrapolated: computed < self.n,
            comparison: self.expected.compare(&c),
            speedup: None,
        }))
    }

    fn operands(&self) -> Result<Operands, NoMemory> {
        let n = self.n;
        let row = |row: usize| memory::copied(self.a.row(row)).map(DVector::from);
        let column = |column: usize| {
            let numbers = (0..n).map(|row| self.b.row(row)[column]);
            memory::collected(n, numbers).map(DVector::from)
        };
        Ok([
            (0..n).map(row).collect::<Result<_, _>>()?,
            (0..n).map(column).collect::<Result<_, _>>()?,
        ])
    }
}

/// The dot product, its rows filled up with zeros.
fn function(machine: &Machine, fold: Fold) -> Result<DFunction> {
    let text = BundledProgram::named("dot").map_or("", |program| program.text);
    let mut function = functions::assembled(machine, text, Profile::Modern, Semantics::VvToS)?;
    function.set_padding(0.0);
    function.set_fold(fold);
    Ok(function)
}

fn send(machine: &Machine, operands: &Operands) -> Result<Duration> {
    let Some(memory) = machine.memory() else { return Ok(Duration::ZERO) };
    let send = || operands.iter().flatten().try_for_each(|vector| memory.send(vector));
    Ok(Clock::Wall.time(memory.context(), send)?.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::gl::Context;

    /// The host's product, and those of every engine that multiplies, in each fold that it has.
    fn products(context: &Context, trial: &Trial) -> Vec<Product> {
        let machine = Machine::new(context);
        let mut nobody = ();
        let mut meter = Meter::new(&mut nobody, 0);
        let mut products = vec![trial.on_host().unwrap()];
        for engine in Processor::of(context).into_iter().filter(|one| *one != Processor::Simulator)
        {
            for fold in FOLDS {
                match trial.on_device(&machine.with(engine).unwrap(), fold, &mut meter) {
                    Ok(product) => products.extend(product),
                    Err(error) => assert!(error.kind().is_device_limit(), "{error}"),
                }
            }
        }
        products
    }

    #[test]
    fn a_lost_term_a_moved_element_and_a_nan_are_seen_whoever_multiplies() {
        let context = Context::headless().unwrap();
        for n in [1, 2, 7, 40] {
            let right = || Trial::new(n, vec![n / 2]).unwrap();
            let all = products(&context, &right());
            assert!(all.len() > 2 && all.iter().all(|product| product.comparison.is_right()));
            let (row, inner) = (n / 2, n - 1);
            let at = row * n + inner;
            let (x, y) = (right().a.elements()[at], right().b.row(inner)[0]);
            // Changes one element of A so that the first of its row in C moves by twice its bound.
            let moved = x + 2.0 * bound(n) / y;
            for wrong in [0.0, moved, f32::NAN, f32::INFINITY] {
                let mut trial = right();
                trial.a.elements_mut()[at] = wrong;
                for product in products(&context, &trial) {
                    let Product { runner, fold, comparison, .. } = product;
                    assert!(!comparison.is_right(), "{wrong} of {n}: {runner:?}, {fold:?}");
                }
            }
        }
    }

    /// No bound of a product of numbers from -1 to 1 is larger.
    fn bound(n: usize) -> f32 {
        (n + 3) as f32 * n as f32 * 0.5_f32.powi(24)
    }

    #[test]
    fn large_products_are_sampled_all_over() {
        assert_eq!(rows(5, 5), [0, 1, 2, 3, 4]);
        assert_eq!(rows(256, 64), [0, 64, 128, 192]);
        assert_eq!(rows(1500, 256), [0]);
        assert_eq!(rows(16, 4).len(), 16, "what is as small as its sample is whole");
        assert_eq!(rows(0, 4), [0; 0]);
    }
}
