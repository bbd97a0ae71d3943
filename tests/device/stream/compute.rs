//! Compute kernels over buffers and images where the context has them, a typed error where not.

use crate::common::{Flavour, on_compute as each};
use quadrille::gl::Element;
use quadrille::shader::Source;
use quadrille::stream::{ComputeKernel, Error};
use quadrille::{Context, Extent, Kind};

const SCALE: &str = "
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Input { float x[]; };
layout(std430, binding = 3) writeonly buffer Output { float y[]; };
uniform float factor;
uniform int unused;
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < uint(x.length())) { y[i] = factor * x[i]; }
}
";

fn kernel(context: &Context, text: &str) -> ComputeKernel {
    context.compute_kernel(Source::compute("test.comp", text)).unwrap()
}

#[test]
fn a_dispatch_reads_and_writes_buffers() {
    each(|context| {
        let kernel = kernel(context, SCALE);
        for count in [1, 2, 63, 64, 65, 1000] {
            let numbers = crate::common::random(count, count as u64);
            let x = context.buffer(&numbers).unwrap();
            let mut y = context.uninit_buffer::<f32>(count).unwrap();
            let groups = [count.div_ceil(64) as u32, 1, 1];
            let dispatch = kernel.dispatch().buffer("Input", &x).buffer_mut("Output", &mut y);
            dispatch.uniform("factor", 2.0).uniform("unused", 1).run(groups).unwrap();
            let expected: Vec<f32> = numbers.iter().map(|x| 2.0 * x).collect();
            assert_eq!(y.read().unwrap(), expected);
        }
    });
}

fn comes_back<T: Element>(context: &Context, elements: &[T]) {
    let buffer = context.buffer(elements).unwrap();
    assert_eq!((buffer.len(), buffer.is_empty()), (elements.len(), elements.is_empty()));
    assert_eq!(buffer.read().unwrap(), elements);
}

#[test]
fn every_element_comes_back_from_a_buffer() {
    crate::common::each(|context| {
        comes_back::<f32>(context, &[]);
        comes_back(context, &[1.0_f32, f32::INFINITY, -0.0]);
        comes_back(context, &[[1.0_f32, 2.0], [3.0, 4.0]]);
        comes_back(context, &[[1.0_f32, 2.0, 3.0, 4.0]]);
        comes_back(context, &[i32::MIN, 0, i32::MAX]);
        comes_back(context, &[0, u32::MAX]);
    });
}

#[test]
fn dispatches_see_what_those_before_them_wrote() {
    each(|context| {
        let text = "layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Counter { int n; };
void main() { n = 2 * n + 1; }";
        let kernel = kernel(context, text);
        let mut counter = context.buffer(&[0_i32]).unwrap();
        for _ in 0..20 {
            kernel.dispatch().buffer_mut("Counter", &mut counter).run([1, 1, 1]).unwrap();
        }
        assert_eq!(counter.read().unwrap(), [(1 << 20) - 1]);
    });
}

const TO_IMAGE: &str = "
layout(local_size_x = 4, local_size_y = 4) in;
layout(r32f, binding = 0) uniform writeonly image2D target;
uniform sampler2D source;
void main() {
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(place, imageSize(target)))) {
        imageStore(target, place, vec4(READ(source, place).r + 1.0));
    }
}
";

#[test]
fn a_dispatch_reads_textures_and_writes_images() {
    each(|context| {
        let extent = Extent::new(7, 5);
        let numbers = crate::common::random(extent.texels(), 4);
        let source = context.texture::<f32>(extent, &numbers).unwrap();
        let mut target = context.texture::<f32>(extent, &[9.0; 35]).unwrap();
        let kernel = kernel(context, TO_IMAGE);
        let dispatch = kernel.dispatch().input("source", &source).image_mut("target", &mut target);
        dispatch.run([2, 2, 1]).unwrap();
        let expected: Vec<f32> = numbers.iter().map(|x| x + 1.0).collect();
        assert_eq!(target.read().unwrap(), expected);
        // A pass after it sees what was written.
        let copy = crate::common::kernel(
            context,
            "uniform sampler2D x;\nout float y;\nvoid main() { y = READ(x, TEXEL).r; }",
        );
        let mut drawn = context.uninit::<f32>(extent).unwrap();
        copy.pass().input("x", &target).draw(&mut drawn).unwrap();
        assert_eq!(drawn.read().unwrap(), expected);
    });
}

#[test]
fn wrong_names_list_what_there_is_and_missing_ones_are_listed() {
    each(|context| {
        let kernel = kernel(context, SCALE);
        let x = context.buffer(&[1.0_f32]).unwrap();
        let mut y = context.buffer(&[5.0_f32]).unwrap();
        let said = |error: Error| {
            assert_eq!(error.kind(), Kind::Input);
            error.to_string()
        };
        let error = kernel.dispatch().buffer("Inpt", &x).run([1, 1, 1]).unwrap_err();
        assert_eq!(said(error), "test.comp has no storage block `Inpt`; it has: Input, Output");
        let error = kernel.dispatch().uniform("faktor", 1.0).run([1, 1, 1]).unwrap_err();
        assert_eq!(said(error), "test.comp has no uniform `faktor`; it has: factor");
        let error = kernel.dispatch().uniform("factor", 1).run([1, 1, 1]).unwrap_err();
        assert_eq!(said(error), "test.comp: `factor` is a float; got an int");
        let error = kernel.dispatch().run([1, 1, 1]).unwrap_err();
        assert_eq!(said(error), "test.comp: not given: buffer Input, buffer Output, float factor");
        let dispatch = kernel.dispatch().buffer("Input", &x).buffer_mut("Output", &mut y);
        let error = dispatch.run([1, 1, 1]).unwrap_err();
        assert_eq!(said(error), "test.comp: not given: float factor");
        assert_eq!(y.read().unwrap(), [5.0]);
    });
}

#[test]
fn too_many_work_groups_are_refused_with_the_limit() {
    each(|context| {
        let kernel = kernel(context, SCALE);
        let x = context.buffer(&[1.0_f32]).unwrap();
        let mut y = context.buffer(&[5.0_f32]).unwrap();
        let limit = context.abilities().compute.unwrap().max_groups[0];
        let dispatch = kernel.dispatch().buffer("Input", &x).buffer_mut("Output", &mut y);
        let error = dispatch.uniform("factor", 1.0).run([limit + 1, 1, 1]).unwrap_err();
        assert_eq!(error.kind(), Kind::Limit);
        assert!(error.to_string().contains(&limit.to_string()), "{error}");
        assert_eq!(y.read().unwrap(), [5.0]);
    });
}

#[test]
fn blocks_that_share_a_binding_are_refused() {
    each(|context| {
        let text = "layout(local_size_x = 1) in;
layout(std430, binding = 1) readonly buffer Left { float x[]; };
layout(std430, binding = 1) writeonly buffer Right { float y[]; };
void main() { y[0] = x[0]; }";
        let error = context.compute_kernel(Source::compute("clash.comp", text)).err().unwrap();
        assert_eq!(error.kind(), Kind::Input);
        assert!(error.to_string().contains("`Left` and `Right` share binding 1"), "{error}");
    });
}

#[test]
fn a_block_without_a_place_is_refused() {
    each(|context| {
        let text = "layout(local_size_x = 1) in;
layout(std430) buffer Somewhere { float x[]; };
void main() { x[0] = 1.0; }";
        let error = context.compute_kernel(Source::compute("lost.comp", text)).err().unwrap();
        assert_eq!(error.kind(), Kind::Input);
        assert_eq!(
            error.to_string(),
            "lost.comp: block `Somewhere` has no binding: write `layout(std430, binding = N)` before \
             it, with a number for N"
        );
    });
}

#[test]
fn a_buffer_of_another_context_is_refused() {
    each(|context| {
        let other = Flavour::Gl33.builder().build().unwrap();
        let foreign = other.buffer(&[1.0_f32]).unwrap();
        let error = kernel(context, SCALE).dispatch().buffer("Input", &foreign).run([1; 3]);
        assert_eq!(
            error.unwrap_err().to_string(),
            "block `Input` belongs to another context; objects cannot cross contexts"
        );
    });
}

#[test]
fn without_compute_the_error_says_what_is_needed() {
    crate::common::on(&[Flavour::Gl33, Flavour::Gles30], |context| {
        let error = context.compute_kernel(Source::compute("test.comp", SCALE)).err().unwrap();
        assert_eq!(error.kind(), Kind::Unsupported);
        assert_eq!(
            error.to_string(),
            format!(
                "test.comp, a compute shader, needs OpenGL 4.3 or OpenGL ES 3.1, which this context \
                 ({}) lacks; use a fragment kernel, which draws into textures",
                context.abilities().renderer
            )
        );
    });
}

#[cfg(target_pointer_width = "64")]
#[test]
fn buffers_that_cannot_be_are_refused_without_a_panic() {
    crate::common::on(&[Flavour::Gl33], |context| {
        for length in [usize::MAX, usize::MAX / 16, 1 << 40] {
            let error = context.uninit_buffer::<[f32; 4]>(length).err().unwrap();
            assert_eq!(error.kind(), Kind::Limit);
        }
    });
}

#[test]
fn a_buffer_is_written_whole_or_not_at_all() {
    crate::common::on(&Flavour::ALL, |context| {
        let mut buffer = context.buffer(&[1, 2, 3]).unwrap();
        buffer.write(&[4, 5, 6]).unwrap();
        for wrong in [&[7, 8][..], &[7, 8, 9, 10], &[]] {
            let error = buffer.write(wrong).unwrap_err();
            assert_eq!(error.kind(), Kind::Input);
            let expected = format!("filling a buffer: expected 3 values, got {}", wrong.len());
            assert_eq!(error.to_string(), expected);
        }
        assert_eq!(buffer.read().unwrap(), [4, 5, 6]);
        context.uninit_buffer::<f32>(0).unwrap().write(&[]).unwrap();
    });
}
