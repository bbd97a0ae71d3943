//! Copies of a matrix between host and device in all four directions, and the rates of those
//! between the two, by page-locked memory too.

use super::super::prelude::*;
use quadrille::Shape;
use quadrille::data::Matrix;
use quadrille::linalg::DeviceMatrix;
use quadrille::linalg::matmul::Element;

use super::claims;
use quadrille_lab::bench::stream::{self, Operation};
use quadrille_vp::internal::named_enum;

named_enum! {
    enum Direction {
        HostToHost => "host to host",
        HostToDevice => "host to device",
        DeviceToHost => "device to host",
        DeviceToDevice => "device to device",
    }
}

impl Direction {
    /// The operations of `bench stream` that copy so, from plain memory and from page-locked
    /// memory.
    fn operations(self) -> Option<[Operation; 2]> {
        match self {
            Direction::HostToDevice => Some([Operation::Upload, Operation::UploadStaging]),
            Direction::DeviceToHost => Some([Operation::Readback, Operation::ReadbackStaging]),
            Direction::HostToHost | Direction::DeviceToDevice => None,
        }
    }

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

pub(super) fn run(lab: &mut Lab<'_>) -> Result<(Table, Finding)> {
    for direction in Direction::ALL {
        check_copy::<i16>(lab, direction)?;
        check_copy::<i32>(lab, direction)?;
        check_copy::<f32>(lab, direction)?;
    }
    Ok((table(&rates(lab)?), judged()))
}

/// Rows and columns of the matrices.
fn side(scale: Scale) -> usize {
    scale.pick(256, 1024)
}

/// The transfers between host and device of as many floats as a matrix has; each is compared bit
/// for bit.
fn rates(lab: &mut Lab<'_>) -> Result<Vec<stream::Row>> {
    let (sizes, runs) = (vec![side(lab.scale).pow(2)], lab.runs());
    let operations = Direction::ALL.into_iter().filter_map(Direction::operations).flatten();
    let plan = stream::Plan { sizes, operations: operations.collect(), runs, within: None };
    let rows = stream::run(lab.context, &plan, &mut lab.observer())?.rows;
    rows.iter().try_for_each(|row| must_be_right(row.operation.name(), row.comparison))?;
    Ok(rows)
}

fn check_copy<T: Element>(lab: &Lab<'_>, direction: Direction) -> Result<()> {
    let n = side(lab.scale);
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
) -> Result<Matrix<T>> {
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

fn table(rates: &[stream::Row]) -> Table {
    /// A direction, with its rates from plain memory and from page-locked memory.
    type Line = (Direction, [Option<f64>; 2]);
    let rate = |operation| rates.iter().find(|row| row.operation == operation).map(|row| row.rate);
    let rates =
        |direction: Direction| direction.operations().map_or([None; 2], |two| two.map(rate));
    let rows = Direction::ALL.map(|direction| (direction, rates(direction)));
    let columns = vec![
        only_text("copy", "", |(direction, _): &Line| direction.name().into()),
        only_text("the tutorial's Copy", "", |(direction, _)| direction.document().into()),
        only_text("here", "", |_| "equal".into()),
        only_text("of floats", "GB/s", |(_, rates)| rates[0].into()),
        only_text("by page-locked memory", "GB/s", |(_, rates)| rates[1].into()),
    ];
    let notes = [
        "Copies of short, int and float, each into a matrix of zeros, compared element by element: one that differs ends \
         the study.",
        "The tutorial, in a comment of Multiply_Simple: \"Try host page locked memory if required.\" Here that is \
         Staging, memory of the driver that the host writes and reads without a copy in between. Its rates are those of \
         quadrille bench stream --operations upload,upload-staging,readback,readback-staging.",
    ];
    let (title, command) = ("Copy: the four directions", alone("cuda-matmul-class"));
    Rows { columns, rows: &rows }.table("cuda-matmul-copies", title, notes, command)
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
