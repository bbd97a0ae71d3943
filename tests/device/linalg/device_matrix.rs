//! Matrices on either side, and copies in all four directions.

use quadrille::data::{Matrix, Number};
use quadrille::gl::Texel;
use quadrille::linalg::DeviceMatrix;
use quadrille::{Context, Kind, Shape};

const SHAPES: [(usize, usize); 7] = [(0, 0), (0, 3), (4, 0), (1, 1), (3, 5), (17, 257), (128, 1)];

fn copies<T: Number + Texel>(context: &Context) {
    for (rows, cols) in SHAPES {
        let shape = Shape::new(rows, cols);
        let host = Matrix::<T>::random(shape, 5).unwrap();
        let first = DeviceMatrix::from_host(context, &host).unwrap();
        let mut second = DeviceMatrix::zeros(context, shape).unwrap();
        assert_eq!(second.read().unwrap(), Matrix::zeros(shape).unwrap());
        second.copy_from(&first).unwrap();
        drop(first);
        assert_eq!(second.read().unwrap(), host, "{} of {}", shape, T::NAME);
        assert_eq!(second.shape(), shape);
    }
}

#[test]
fn copies_in_all_directions_keep_every_bit() {
    crate::common::each(|context| {
        copies::<f32>(context);
        copies::<i16>(context);
        copies::<i32>(context);
    });
}

#[test]
fn a_copy_changes_neither_its_source_nor_what_comes_later() {
    crate::common::each(|context| {
        let host = Matrix::<i32>::random(Shape::new(9, 7), 1).unwrap();
        let mut first = DeviceMatrix::from_host(context, &host).unwrap();
        let mut second = DeviceMatrix::zeros(context, host.shape()).unwrap();
        second.copy_from(&first).unwrap();
        first.copy_from(&DeviceMatrix::zeros(context, host.shape()).unwrap()).unwrap();
        assert_eq!(second.read().unwrap(), host);
    });
}

#[test]
fn writing_replaces_all_elements() {
    crate::common::each(|context| {
        let host = Matrix::<i16>::random(Shape::new(17, 5), 1).unwrap();
        let mut matrix = DeviceMatrix::zeros(context, host.shape()).unwrap();
        matrix.write(&host).unwrap();
        assert_eq!(matrix.read().unwrap(), host);
        let error = matrix.write(&host.transposed()).unwrap_err();
        assert_eq!(error.kind(), Kind::Input);
        assert_eq!(matrix.read().unwrap(), host);
        assert!(matrix.context().ptr_eq(context));
    });
}

#[test]
fn other_shapes_and_contexts_are_refused() {
    crate::common::each(|context| {
        let mut first = DeviceMatrix::<f32>::zeros(context, Shape::new(2, 3)).unwrap();
        let second = DeviceMatrix::zeros(context, Shape::new(3, 2)).unwrap();
        let error = first.copy_from(&second).unwrap_err();
        assert!(
            error.to_string().contains("a 3 x 2 matrix cannot be copied to a 2 x 3"),
            "{error}"
        );
        let other = context.clone();
        let too_long = DeviceMatrix::<i16>::zeros(&other, Shape::new(1, 1 << 30)).unwrap_err();
        assert_eq!(too_long.kind(), Kind::Limit);
    });
}
