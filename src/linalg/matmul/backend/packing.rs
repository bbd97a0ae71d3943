//! Matrices between the form of [`DeviceMatrix`](crate::linalg::DeviceMatrix), one element a texel,
//! and the forms that the methods multiply: on the device alone.

mod buffers;
mod textures;

use std::cell::OnceCell;

use crate::shader::Source;

use crate::data::pack::TexelLayout;
use crate::linalg::matmul::Result;

pub(in crate::linalg::matmul) use buffers::{BufferPacker, BufferUnpacker};
pub(in crate::linalg::matmul) use textures::{TexturePacker, TextureUnpacker};

/// A kernel that is compiled when it is first used, since most products have their operands from
/// the host and go back there.
struct Lazy<K>(OnceCell<K>);

impl<K> Lazy<K> {
    fn new() -> Lazy<K> {
        Lazy(OnceCell::new())
    }

    fn get(&self, compile: impl FnOnce() -> Result<K>) -> Result<&K> {
        if let Some(kernel) = self.0.get() {
            return Ok(kernel);
        }
        let kernel = compile()?;
        Ok(self.0.get_or_init(|| kernel))
    }
}

fn of_cell(source: Source, (down, across): (usize, usize)) -> Source {
    source.define("DOWN", down).define("ACROSS", across)
}

/// The source of a packer of these cells.
fn of_layout(source: Source, cells: TexelLayout) -> Source {
    let source = of_cell(source, cells.cell);
    let source = if cells.transposed { source.define("TRANSPOSED", 1) } else { source };
    match cells.strips {
        0 => source,
        strips => source.define("STRIPS", strips).define("HEIGHT", cells.strip_height()),
    }
}

/// Returns every shader of this room in every variant, to be checked as a set.
pub(crate) fn sources() -> Result<Vec<Source>> {
    let mut sources = textures::sources()?;
    sources.extend(buffers::sources()?);
    Ok(sources)
}

/// Texel by texel against the packing on the host, on targets that hold something else before.
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::Shape;
    use crate::data::Matrix;
    use crate::data::pack::TexelLayout;
    use crate::gl::{Context, Texel};
    use crate::linalg::DeviceMatrix;
    use crate::stream::Packed;

    const SHAPES: [(usize, usize); 5] = [(1, 1), (3, 5), (17, 33), (8, 31), (65, 2)];
    const POISON: f32 = 7.0;

    fn matrix(shape: Shape) -> Matrix<f32> {
        let mut matrix = Matrix::random(shape, 3).unwrap();
        *matrix.elements_mut().last_mut().unwrap() = f32::NEG_INFINITY;
        matrix
    }

    fn shapes() -> impl Iterator<Item = Shape> {
        SHAPES.into_iter().map(|(rows, cols)| Shape::new(rows, cols))
    }

    fn layouts(shape: Shape, (down, across): (usize, usize)) -> [TexelLayout; 6] {
        let cells = TexelLayout::new(shape, down, across).rounded_up_to(8, 4);
        let turned = cells.transposed(true);
        [cells, cells.padded(3), turned, turned.padded(5), cells.cut(2), turned.cut(4).padded(1)]
    }

    fn drawn<P: Texel>(matrix: &DeviceMatrix<f32>, cells: TexelLayout, poison: P) -> Vec<f32> {
        let mut packed = Packed::uninit(matrix.context(), cells).unwrap();
        packed.fill(poison).unwrap();
        TexturePacker::new(cells).draw(matrix, &mut packed.textures[0]).unwrap();
        bytemuck::cast_slice(&packed.texture().read().unwrap()).to_vec()
    }

    #[test]
    fn textures_are_packed_as_on_the_host() {
        let context = Context::headless().unwrap();
        for shape in shapes() {
            let host = matrix(shape);
            let device = DeviceMatrix::from_host(&context, &host).unwrap();
            for cells in layouts(shape, (1, 1)) {
                let texels = drawn(&device, cells, POISON);
                assert_eq!([texels], cells.pack(host.elements()).unwrap()[..], "{cells:?}");
            }
            for cells in [(4, 1), (1, 4), (2, 2)].into_iter().flat_map(|cell| layouts(shape, cell))
            {
                let texels = drawn(&device, cells, [POISON; 4]);
                assert_eq!([texels], cells.pack(host.elements()).unwrap()[..], "{cells:?}");
            }
        }
    }

    #[test]
    fn buffers_are_packed_as_on_the_host() {
        let context = Context::headless().unwrap();
        if context.abilities().compute.is_none() {
            return;
        }
        for shape in shapes() {
            let host = matrix(shape);
            let device = DeviceMatrix::from_host(&context, &host).unwrap();
            for cells in [(1, 1), (4, 1), (1, 4)].into_iter().flat_map(|cell| layouts(shape, cell))
            {
                let mut buffer = context.buffer(&vec![POISON; cells.numbers()]).unwrap();
                BufferPacker::new(cells).fill(&device, &mut buffer).unwrap();
                let numbers = buffer.read().unwrap();
                assert_eq!([numbers], cells.pack(host.elements()).unwrap()[..], "{cells:?}");
            }
        }
    }

    #[test]
    fn a_packed_matrix_takes_all_of_its_elements_and_no_more() {
        let context = Context::headless().unwrap();
        let cells = TexelLayout::new(Shape::new(3, 5), 1, 1);
        let mut packed = Packed::<f32>::uninit(&context, cells).unwrap();
        packed.fill(POISON).unwrap();
        for count in [0, 1, 14, 16, 100] {
            let error = packed.write(&vec![1.0_f32; count]).unwrap_err();
            let expected = format!("filling a 3 x 5 matrix: expected 15 values, got {count}");
            assert_eq!(error.to_string(), expected);
        }
        assert_eq!(packed.read::<f32>().unwrap(), [POISON; 15], "nothing was written");
        packed.write(&[1.0_f32; 15]).unwrap();
        assert_eq!(packed.read::<f32>().unwrap(), [1.0; 15]);
    }

    #[test]
    fn cells_are_unpacked_as_on_the_host() {
        let context = Context::headless().unwrap();
        for shape in shapes() {
            let host = matrix(shape);
            for [(down, across), interleaved] in textures::RESULTS {
                let cells = TexelLayout::new(shape, down, across)
                    .interleaved_over(interleaved.0, interleaved.1);
                let whole = cells.rounded_up_to(down * interleaved.0, across * interleaved.1);
                let poison = Matrix::from_fn(shape, |_, _| POISON).unwrap();
                let mut device = DeviceMatrix::from_host(&context, &poison).unwrap();
                let unpacker = TextureUnpacker::new(whole);
                if whole.lanes() == 1 {
                    let mut packed = Packed::<f32>::uninit(&context, whole).unwrap();
                    packed.write(host.elements()).unwrap();
                    unpacker.draw(&packed.textures, &mut device).unwrap();
                } else {
                    let mut packed = Packed::<[f32; 4]>::uninit(&context, whole).unwrap();
                    packed.write(host.elements()).unwrap();
                    unpacker.draw(&packed.textures, &mut device).unwrap();
                }
                assert_eq!(device.read().unwrap(), host, "{whole:?}");
            }
        }
    }
}
