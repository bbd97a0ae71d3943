//! The data of tasks, how they run, and the comparison with the host.

mod data;
mod filters;

use quadrille::data::SplitMix64;
use quadrille::gl::Context;
use quadrille::grid::DeviceVector;
use quadrille::primitives::{Histogram, Scan, Select, Sort};
use quadrille::stream::Engine;

pub(super) use self::data::Benchmark;
use self::data::{floats, whole_numbers};
use self::filters::{Convolved, Transformed};
use super::Task;
use crate::Result;
use crate::twin::Comparison;

/// Makes the data of a task.
pub(super) fn begin(
    context: &Context,
    task: Task,
    engine: Engine,
    n: usize,
) -> Result<Box<dyn Benchmark>> {
    Ok(match task {
        Task::Scan => Box::new(Scanned::new(context, engine, n)?),
        Task::Select => Box::new(Selected::new(context, engine, n)?),
        Task::Sort => Box::new(Sorted::new(context, engine, n, 32)?),
        Task::Sort16 => Box::new(Sorted::new(context, engine, n, 16)?),
        Task::Argsort => Box::new(Argsorted::new(context, engine, n)?),
        Task::Histogram => Box::new(Counted::new(context, engine, whole_numbers(n, 8)?)?),
        Task::HistogramOne => Box::new(Counted::new(context, engine, vec![7; n])?),
        Task::Fft => Box::new(Transformed::new(context, engine, n)?),
        Task::Convolution => Box::new(Convolved::new(context, engine, n)?),
    })
}

/// The comparison of what is either right or not, with the number of places that are not.
fn exact(wrong: usize) -> Comparison {
    Comparison::of_number(wrong as f64, 0.0, 0.0)
}

struct Scanned {
    scan: Scan,
    host: Vec<f32>,
    x: DeviceVector,
    sums: DeviceVector,
}

impl Scanned {
    fn new(context: &Context, engine: Engine, n: usize) -> Result<Scanned> {
        let host = floats(n)?;
        let x = DeviceVector::from_host(context, &host)?;
        let sums = DeviceVector::uninit(context, n)?;
        Ok(Scanned { scan: Scan::on(context, engine)?, host, x, sums })
    }
}

impl Benchmark for Scanned {
    fn run(&mut self) -> Result<()> {
        Ok(self.scan.of(&self.x).run(&mut self.sums)?)
    }

    fn compare(&self) -> Result<Comparison> {
        let (mut sum, bound) = (0.0, self.scan.error_bound(self.host.len()));
        let expected = self.host.iter().map(|x| {
            sum += f64::from(*x);
            (sum, bound * sum)
        });
        Ok(Comparison::of(self.sums.read()?, expected))
    }
}

struct Selected {
    select: Select,
    host: Vec<f32>,
    x: DeviceVector,
    kept: DeviceVector,
}

impl Selected {
    fn new(context: &Context, engine: Engine, n: usize) -> Result<Selected> {
        let select = Select::on(context, engine, "x > 0.5")?;
        let host = floats(n)?;
        let x = DeviceVector::from_host(context, &host)?;
        Ok(Selected { select, host, x, kept: DeviceVector::uninit(context, 0)? })
    }
}

impl Benchmark for Selected {
    fn run(&mut self) -> Result<()> {
        self.kept = self.select.of(&self.x)?;
        Ok(())
    }

    fn compare(&self) -> Result<Comparison> {
        let expected = self.host.iter().filter(|x| **x > 0.5);
        Ok(Comparison::of(self.kept.read()?, expected.map(|x| (f64::from(*x), 0.0))))
    }
}

struct Sorted {
    sort: Sort<u32>,
    host: Vec<u32>,
    x: DeviceVector<u32>,
    sorted: DeviceVector<u32>,
}

impl Sorted {
    fn new(context: &Context, engine: Engine, n: usize, bits: u32) -> Result<Sorted> {
        let host = whole_numbers(n, bits)?;
        let x = DeviceVector::from_host(context, &host)?;
        let sorted = DeviceVector::uninit(context, 0)?;
        Ok(Sorted { sort: Sort::on(context, engine)?.bits(bits), host, x, sorted })
    }
}

/// A sum that the order of numbers does not change, and other numbers do.
fn fingerprint(numbers: &[u32]) -> u64 {
    let mixed = |number: &u32| SplitMix64::new(u64::from(*number)).next();
    numbers.iter().map(mixed).fold(0, u64::wrapping_add)
}

impl Benchmark for Sorted {
    fn run(&mut self) -> Result<()> {
        self.sorted = self.sort.keys(&self.x)?;
        Ok(())
    }

    /// In their order, and the same numbers.
    fn compare(&self) -> Result<Comparison> {
        let sorted = self.sorted.read()?;
        let wrong = sorted.windows(2).filter(|pair| pair[0] > pair[1]).count();
        let same =
            sorted.len() == self.host.len() && fingerprint(&sorted) == fingerprint(&self.host);
        Ok(exact(wrong + usize::from(!same)))
    }
}

struct Argsorted {
    sort: Sort<u32>,
    host: Vec<u32>,
    x: DeviceVector<u32>,
    places: DeviceVector<u32>,
}

impl Argsorted {
    fn new(context: &Context, engine: Engine, n: usize) -> Result<Argsorted> {
        let host = whole_numbers(n, 32)?;
        let x = DeviceVector::from_host(context, &host)?;
        let places = DeviceVector::uninit(context, 0)?;
        Ok(Argsorted { sort: Sort::on(context, engine)?, host, x, places })
    }
}

impl Benchmark for Argsorted {
    fn run(&mut self) -> Result<()> {
        self.places = self.sort.indices(&self.x)?;
        Ok(())
    }

    /// Keys with their places, which are strictly ascending only if the sort is right and stable;
    /// so no place comes twice.
    fn compare(&self) -> Result<Comparison> {
        let places = self.places.read()?;
        let pair = |place: &u32| Some((*self.host.get(*place as usize)?, *place));
        let wrong = places.windows(2).filter(|two| {
            let pairs = (pair(&two[0]), pair(&two[1]));
            !matches!(pairs, (Some(left), Some(right)) if left < right)
        });
        Ok(exact(wrong.count() + places.len().abs_diff(self.host.len())))
    }
}

/// The bins of the histograms.
const BINS: usize = 256;

struct Counted {
    histogram: Histogram<u32>,
    host: Vec<u32>,
    x: DeviceVector<u32>,
    counts: DeviceVector<u32>,
}

impl Counted {
    fn new(context: &Context, engine: Engine, host: Vec<u32>) -> Result<Counted> {
        let histogram = Histogram::<u32>::of_numbers_on(context, engine, BINS)?;
        let x = DeviceVector::from_host(context, &host)?;
        Ok(Counted { histogram, host, x, counts: DeviceVector::uninit(context, 0)? })
    }
}

impl Benchmark for Counted {
    fn run(&mut self) -> Result<()> {
        self.counts = self.histogram.of(&self.x)?;
        Ok(())
    }

    fn compare(&self) -> Result<Comparison> {
        let mut expected = vec![(0.0, 0.0); BINS];
        self.host.iter().for_each(|bin| expected[*bin as usize].0 += 1.0);
        Ok(Comparison::of(self.counts.read()?, expected))
    }
}
