//! Copies of a matrix between host and device in all four directions.

use super::super::prelude::*;
use crate::report::names::named;
use quadrille::Shape;
use quadrille::data::Matrix;
use quadrille::linalg::DeviceMatrix;
use quadrille::linalg::matmul::Element;

use super::claims;

struct Copied {
    numbers: &'static str,
    direction: Direction,
    n: usize,
    bytes: f64,
    summary: Summary,
    is_right: bool,
}

impl Copied {
    fn gb_s(&self) -> f64 {
        self.summary.rate(self.bytes) / 1e9
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    HostToHost,
    HostToDevice,
    DeviceToHost,
    DeviceToDevice,
}

named!(Direction {
    HostToHost => "host to host",
    HostToDevice => "host to device",
    DeviceToHost => "device to host",
    DeviceToDevice => "device to device",
});

impl Direction {
    /// The behaviour of the tutorial's `Copy`.
    fn document(self) -> &'static str {
        match self {
            Direction::HostToHost | Direction::DeviceToHost => COPIES,
            Direction::HostToDevice => {
                "reads the destination's header; where sizes differ, writes it back in the wrong direction"
            }
            Direction::DeviceToDevice => "returns false",
        }
    }
}

pub(super) fn run(lab: &Lab<'_>) -> Result<(Table, Finding), Error> {
    let mut copies = of_type::<i16>(lab)?;
    copies.extend(of_type::<i32>(lab)?);
    copies.extend(of_type::<f32>(lab)?);
    for copied in &copies {
        let what = format!("a copy of {}, {}", copied.numbers, copied.direction.name());
        must_hold(&what, copied.is_right)?;
    }
    Ok((table(&copies), judged(&copies)))
}

/// The tutorial's `Copy` where it is right.
const COPIES: &str = "copies";
const RUNS: usize = 5;

fn of_type<T: Element>(lab: &Lab<'_>) -> Result<Vec<Copied>, Error> {
    let n = lab.scale.pick(256, 1024);
    let shape = Shape::new(n, n);
    let first = Matrix::<T>::random(shape, lab.seed)?;
    let copied = |direction| {
        let mut times = Vec::new();
        let mut is_right = true;
        for _ in 0..RUNS {
            let (result, time) = copy(lab, &first, direction)?;
            is_right &= arrived(&first, &result);
            times.push(time);
        }
        let (numbers, bytes) = (T::NAME, (n * n * size_of::<T>()) as f64);
        Ok(Copied { numbers, direction, n, bytes, summary: Summary::of(&times, 1), is_right })
    };
    Direction::ALL.into_iter().map(copied).collect()
}

/// Whether a copy is what was sent, element by element.
fn arrived<T: Element>(sent: &Matrix<T>, got: &Matrix<T>) -> bool {
    got == sent
}

fn copy<T: Element>(
    lab: &Lab<'_>,
    from: &Matrix<T>,
    direction: Direction,
) -> Result<(Matrix<T>, std::time::Duration), Error> {
    let (context, clock) = (lab.context, Clock::Wall);
    let zeros = || DeviceMatrix::<T>::zeros(context, from.shape());
    match direction {
        Direction::HostToHost => {
            let mut to = Matrix::zeros(from.shape())?;
            let copy = || -> Result<(), Error> {
                to.elements_mut().copy_from_slice(from.elements());
                Ok(())
            };
            let time = clock.time(context, copy)?.1;
            Ok((to, time))
        }
        Direction::HostToDevice => {
            let mut to = zeros()?;
            let time = clock.time(context, || to.write(from))?.1;
            Ok((to.read()?, time))
        }
        Direction::DeviceToHost => {
            let device = DeviceMatrix::from_host(context, from)?;
            Ok(clock.time(context, || device.read())?)
        }
        Direction::DeviceToDevice => {
            let (device, mut to) = (DeviceMatrix::from_host(context, from)?, zeros()?);
            let time = clock.time(context, || to.copy_from(&device))?.1;
            Ok((to.read()?, time))
        }
    }
}

fn table(copies: &[Copied]) -> Table {
    let columns = vec![
        only_text("copy", "", |copied: &Copied| copied.direction.name().into()),
        only_text("type", "", |copied| copied.numbers.into()),
        only_text("n", "", |copied| copied.n.into()),
        only_text("time", "ms", |copied| copied.summary.median_ms.into()),
        only_text("GB/s", "", |copied| copied.gb_s().into()),
        only_text("spread", "%", |copied| copied.summary.spread_percent().into()),
        only_text("equal", "", |copied| copied.is_right.into()),
        only_text("the tutorial's Copy", "", |copied| copied.direction.document().into()),
    ];
    let notes = ["Each copy goes into a matrix of zeros and is compared element by element."];
    let (title, command) = ("Copy: the four directions", alone("cuda-matmul-class"));
    Rows { columns, rows: copies }.table("cuda-matmul-copies", title, notes, command)
}

fn judged(copies: &[Copied]) -> Finding {
    let between = copies.iter().find(|copied| copied.direction == Direction::DeviceToDevice);
    let rate = between.map_or(0.0, Copied::gb_s);
    let others = Direction::ALL.into_iter().filter(|direction| direction.document() != COPIES);
    let faults = others.map(|direction| format!("{} {}", direction.name(), direction.document()));
    let faults: Vec<String> = faults.collect();
    let words = format!(
        "{}. Here all four arrive equal for all three types, device to device at {} GB/s for short",
        faults.join("; "),
        short(rate)
    );
    check(&claims::COPY, Ok((words, faults.is_empty())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_element_that_is_not_what_was_sent_is_seen_wherever_it_is() {
        let sent = Matrix::<f32>::random(Shape::new(3, 5), 1).unwrap();
        assert!(arrived(&sent, &sent.clone()));
        for at in 0..15 {
            let element = sent.elements()[at];
            for other in [element.next_up(), element.next_down(), f32::NAN, f32::INFINITY] {
                let mut got = sent.clone();
                got.elements_mut()[at] = other;
                assert!(!arrived(&sent, &got), "{other} instead of {element}");
            }
        }
        let turned = Matrix::new(Shape::new(5, 3), sent.elements().to_vec()).unwrap();
        assert!(!arrived(&sent, &turned));
    }
}
