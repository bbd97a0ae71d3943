//! Copies of a matrix between host and device in all four directions. `bench stream` measures transfers.

use super::super::prelude::*;
use crate::report::names::named;
use quadrille::Shape;
use quadrille::data::Matrix;
use quadrille::linalg::DeviceMatrix;
use quadrille::linalg::matmul::Element;

use super::claims;

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

/// The tutorial's `Copy` where it is right.
const COPIES: &str = "copies";

pub(super) fn run(lab: &Lab<'_>) -> Result<(Table, Finding), Error> {
    for direction in Direction::ALL {
        check_copy::<i16>(lab, direction)?;
        check_copy::<i32>(lab, direction)?;
        check_copy::<f32>(lab, direction)?;
    }
    Ok((table(), judged()))
}

fn check_copy<T: Element>(lab: &Lab<'_>, direction: Direction) -> Result<(), Error> {
    let n = lab.scale.pick(256, 1024);
    let sent = Matrix::<T>::random(Shape::new(n, n), lab.seed)?;
    let what = format!("a copy of {}, {}", T::NAME, direction.name());
    must_hold(&what, arrived(&sent, &copy(lab.context, &sent, direction)?))
}

/// Whether a copy is what was sent, element by element.
fn arrived<T: Element>(sent: &Matrix<T>, got: &Matrix<T>) -> bool {
    got == sent
}

/// A copy into a matrix of zeros.
fn copy<T: Element>(
    context: &Context,
    from: &Matrix<T>,
    direction: Direction,
) -> Result<Matrix<T>, Error> {
    let zeros = || DeviceMatrix::<T>::zeros(context, from.shape());
    match direction {
        Direction::HostToHost => {
            let mut to = Matrix::zeros(from.shape())?;
            to.elements_mut().copy_from_slice(from.elements());
            Ok(to)
        }
        Direction::HostToDevice => {
            let mut to = zeros()?;
            to.write(from)?;
            Ok(to.read()?)
        }
        Direction::DeviceToHost => Ok(DeviceMatrix::from_host(context, from)?.read()?),
        Direction::DeviceToDevice => {
            let mut to = zeros()?;
            to.copy_from(&DeviceMatrix::from_host(context, from)?)?;
            Ok(to.read()?)
        }
    }
}

fn table() -> Table {
    let columns = vec![
        only_text("copy", "", |direction: &Direction| direction.name().into()),
        only_text("the tutorial's Copy", "", |direction| direction.document().into()),
        only_text("here", "", |_| "equal".into()),
    ];
    let notes = [
        "Copies of short, int and float, each into a matrix of zeros, compared element by element: one that differs ends \
         the study.",
    ];
    let (title, command) = ("Copy: the four directions", alone("cuda-matmul-class"));
    Rows { columns, rows: &Direction::ALL }.table("cuda-matmul-copies", title, notes, command)
}

fn judged() -> Finding {
    let others = Direction::ALL.into_iter().filter(|direction| direction.document() != COPIES);
    let faults = others.map(|direction| format!("{} {}", direction.name(), direction.document()));
    let faults: Vec<String> = faults.collect();
    let words = format!("{}. Here all four arrive equal for all three types", faults.join("; "));
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
