//! Points that a vertex shader places, drawn or captured, and buffers that become textures.

use crate::common::each;
use quadrille::shader::{Reads, Source};
use quadrille::stream::{CaptureKernel, Error, Geometry, Kernel};
use quadrille::{Context, Extent};

/// Point i goes to the texel (i mod 3, i / 3) and is i + 1 there.
const PLACED: &str = "
    uniform float side;
    flat out float number;
    void main() {
        number = float(gl_VertexID + 1);
        vec2 texel = vec2(gl_VertexID % 3, gl_VertexID / 3);
        gl_Position = vec4((texel + 0.5) / side * 2.0 - 1.0, 0.0, 1.0);
        gl_PointSize = 1.0;
    }";
const HANDED: &str = "flat in float number; out float result; void main() { result = number; }";

fn placed(context: &Context) -> Kernel {
    let (vertex, fragment) =
        (Source::vertex("placed.vert", PLACED), Source::fragment("handed.frag", HANDED));
    Kernel::new(context, &vertex, &fragment, Reads::Fetch).unwrap()
}

#[test]
fn points_write_their_own_texels_and_no_other() {
    each(|context| {
        let kernel = placed(context);
        let mut target = context.uninit::<f32>(Extent::new(3, 3)).unwrap();
        for points in [0_u32, 1, 4, 9] {
            target.fill(-7.0).unwrap();
            let pass = kernel.pass().uniform("side", 3.0).over(Geometry::Points(points));
            pass.draw(&mut target).unwrap();
            let expected: Vec<f32> =
                (0..9).map(|i| if i < points { i as f32 + 1.0 } else { -7.0 }).collect();
            assert_eq!(target.read().unwrap(), expected, "{points} points");
        }
    });
}

#[test]
fn captured_numbers_go_to_a_buffer_and_on_to_a_texture() {
    let text = "
        uniform vec4 c[3];
        out vec4 result;
        void main() { result = c[gl_VertexID % 3] + float(gl_VertexID); gl_Position = vec4(0.0); }";
    each(|context| {
        let source = Source::vertex("captured.vert", text);
        let kernel = CaptureKernel::new(context, &source, "result").unwrap();
        let constants: Vec<[f32; 4]> = vec![[0.5; 4], [10.0, 20.0, 30.0, 40.0], [-1.0; 4]];
        let expected = |i: usize| constants[i % 3].map(|c| c + i as f32);
        let mut buffer = context.buffer(&[[-7.0_f32; 4]; 6]).unwrap();
        let run = kernel.capture().uniform("c", constants.clone());
        run.run_over(5, &mut buffer).unwrap();
        let mut all: Vec<[f32; 4]> = (0..5).map(expected).collect();
        all.push([-7.0; 4]);
        assert_eq!(buffer.read().unwrap(), all);
        let mut texture = context.uninit::<[f32; 4]>(Extent::new(2, 3)).unwrap();
        texture.copy_from_buffer(&buffer).unwrap();
        assert_eq!(texture.read().unwrap(), all);
    });
}

#[test]
fn many_points_are_numbered_without_gaps() {
    each(|context| {
        for points in [1, 4096, 4097, 127 * 131] {
            crate::common::points::must_be_numbered(context, points);
        }
    });
}

#[test]
fn what_does_not_fit_is_refused() {
    each(|context| {
        let text = "out vec2 pair; void main() { pair = vec2(1.0); gl_Position = vec4(0.0); }";
        let kernel =
            CaptureKernel::new(context, &Source::vertex("pair.vert", text), "pair").unwrap();
        let mut numbers = context.uninit_buffer::<f32>(4).unwrap();
        let error = kernel.capture().run(&mut numbers).unwrap_err();
        assert!(
            matches!(&error, Error::WrongType { expected, .. } if expected.to_string() == "vec2"),
            "{error}"
        );
        let mut pairs = context.uninit_buffer::<[f32; 2]>(4).unwrap();
        assert!(kernel.capture().run_over(5, &mut pairs).is_err());
        kernel.capture().run_over(0, &mut pairs).unwrap();
        let mut texture = context.uninit::<f32>(Extent::new(3, 1)).unwrap();
        assert!(texture.copy_from_buffer(&numbers).is_err());
    });
}

#[test]
fn an_output_that_is_not_there_does_not_link() {
    each(|context| {
        let text = "out vec2 pair; void main() { pair = vec2(1.0); gl_Position = vec4(0.0); }";
        let source = Source::vertex("pair.vert", text);
        let error = CaptureKernel::new(context, &source, "pear").map(|_| ()).unwrap_err();
        assert!(matches!(error, Error::Link { .. }), "{error}");
    });
}
