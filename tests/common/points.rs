//! Points by their numbers, drawn and captured.

use quadrille::internal::reference::first_wrong;
use quadrille::shader::{Reads, Source};
use quadrille::stream::{CaptureKernel, Geometry, Kernel};
use quadrille::{Context, Extent};

/// Each point goes to its own texel, row by row.
const VERTEX: &str = "
    uniform ivec2 side;
    flat out int number;
    void main() {
        number = gl_VertexID;
        vec2 texel = vec2(gl_VertexID % side.x, gl_VertexID / side.x);
        gl_Position = vec4((texel + 0.5) / vec2(side) * 2.0 - 1.0, 0.0, 1.0);
        gl_PointSize = 1.0;
    }";
const FRAGMENT: &str = "flat in int number; out int result; void main() { result = number; }";

/// Fails unless points are numbered from 0 through, where they are drawn and where they are
/// captured.
pub fn must_be_numbered(context: &Context, points: u32) {
    let extent = Extent::new(127, points.div_ceil(127));
    let side = [extent.width as i32, extent.height as i32];
    let expected = || {
        let number = |i: u32| if i < points { f64::from(i) } else { -7.0 };
        (0..extent.texels() as u32).map(move |i| (number(i), 0.0))
    };
    let vertex = Source::vertex("numbered.vert", VERTEX);
    let fragment = Source::fragment("number.frag", FRAGMENT);
    let kernel = Kernel::new(context, &vertex, &fragment, Reads::Fetch).unwrap();
    let poison = vec![-7; extent.texels()];
    let mut target = context.texture(extent, &poison).unwrap();
    let pass = kernel.pass().uniform("side", side).over(Geometry::Points(points));
    pass.draw(&mut target).unwrap();
    assert_eq!(first_wrong(target.read().unwrap(), expected()), None, "{points} drawn");
    let kernel = CaptureKernel::new(context, &vertex, "number").unwrap();
    let mut buffer = context.buffer(&poison).unwrap();
    let capture = kernel.capture().uniform("side", side);
    capture.run_over(points as usize, &mut buffer).unwrap();
    assert_eq!(first_wrong(buffer.read().unwrap(), expected()), None, "{points} captured");
}
