//! Coverage and addressing once more on softpipe, a rasterizer that shares no code with llvmpipe.
//!
//! Mesa reads the choice from the environment when EGL is loaded, which is once in a process. So
//! each test here runs this binary again with the variable set and one of the ignored tests named,
//! and looks that it ran.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod common;

use std::process::Command;

use common::sums::sum;
use common::systems::{System, Twin};
use quadrille::data::{Matrix, NineBanded};
use quadrille::gl::Builder;
use quadrille::internal::reference::matmul::expected;
use quadrille::internal::reference::{first_wrong, is_near};
use quadrille::linalg::jacobi::{Jacobi, Layout, Optimization, Variant};
use quadrille::linalg::matmul;
use quadrille::shader::Reads;
use quadrille::stream::reduce::{Factor, Reducer, error_bound, sum_exactly};
use quadrille::stream::{Geometry, LineDirection, Order, Tiles, cover, facts};
use quadrille::{Context, Extent, Rectangle, Shape};
use quadrille_vp::vector_machine::isa::Opcode;
use quadrille_vp::vector_machine::{
    DFunction, DProgram, DVector, Machine, Processor, Profile, Semantics,
};

fn again_on_softpipe(name: &str) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", name, "--nocapture", "--test-threads=1"])
        .env("GALLIUM_DRIVER", "softpipe")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{errors}");
    // A name that no test has succeeds too, having run nothing.
    assert!(said.contains("1 passed"), "{said}\n{errors}");
    assert!(errors.contains("on softpipe"), "{said}\n{errors}");
}

/// Runs a test on softpipe, in desktop GL and in ES, and makes sure that softpipe it is.
fn on_softpipe(body: impl Fn(&Context)) {
    for flavour in [common::Flavour::Gl33, common::Flavour::Gles30] {
        let builder: Builder = flavour.builder().device("softpipe");
        let context = builder.build().unwrap();
        let renderer = &context.abilities().renderer;
        assert!(renderer.to_lowercase().contains("softpipe"), "{renderer}");
        common::clean("softpipe", &context, &body);
    }
}

#[test]
fn softpipe_has_no_loop_budget() {
    again_on_softpipe("loops_run_to_their_end");
}

#[test]
#[ignore = "runs in a process of its own"]
fn loops_run_to_their_end() {
    on_softpipe(|context| assert_eq!(context.loop_budget().unwrap(), None));
}

#[test]
fn geometries_cover_their_texels_on_softpipe() {
    again_on_softpipe("geometries_cover");
}

#[test]
fn texels_are_read_right_on_softpipe() {
    again_on_softpipe("texels_are_read");
}

#[test]
fn missing_channels_are_right_on_softpipe() {
    again_on_softpipe("missing_channels");
}

#[test]
#[ignore = "runs in a process of its own"]
fn missing_channels() {
    on_softpipe(common::channels::are_right_after_steps);
    let newest = common::Flavour::Gles.builder().device("softpipe").build().unwrap();
    common::clean("softpipe", &newest, common::channels::are_right_in_images);
}

#[test]
fn reductions_agree_on_softpipe() {
    again_on_softpipe("reductions_agree");
}

#[test]
fn jacobi_agrees_with_its_twin_on_softpipe() {
    again_on_softpipe("jacobi_agrees");
}

#[test]
fn products_agree_with_their_twin_on_softpipe() {
    again_on_softpipe("products_agree");
}

#[test]
fn vertex_programs_agree_with_the_simulator_on_softpipe() {
    again_on_softpipe("vertex_programs_agree");
}

#[test]
fn points_are_numbered_without_gaps_on_softpipe() {
    again_on_softpipe("points_are_numbered");
}

#[test]
#[should_panic(expected = "0 passed")]
fn a_test_that_is_not_there_is_noticed() {
    again_on_softpipe("no_such_test");
}

#[test]
#[ignore = "run by a test above, with the driver chosen"]
fn geometries_cover() {
    on_softpipe(|context| {
        let kernel = common::writes(context, "1.0");
        for extent in common::awkward() {
            let mut target = context.uninit::<f32>(extent).unwrap();
            let mut written = |geometry: Geometry<'_>| {
                target.fill(f32::NAN).unwrap();
                kernel.pass().over(geometry).draw(&mut target).unwrap();
                target.read().unwrap().iter().map(|x| *x == 1.0).collect::<Vec<_>>()
            };
            let inside = |r: Rectangle| -> Vec<bool> {
                let places =
                    (0..extent.texels() as u32).map(|i| (i % extent.width, i / extent.width));
                places
                    .map(|(x, y)| {
                        (r.x..r.x + r.width).contains(&x) && (r.y..r.y + r.height).contains(&y)
                    })
                    .collect()
            };
            assert_eq!(written(Geometry::Full), inside(extent.rectangle()), "{extent}");
            let (w, h) = (extent.width, extent.height);
            let part = Rectangle::new(w / 3, h / 2, w - w / 3, h - h / 2);
            assert_eq!(written(Geometry::Rectangle(part)), inside(part), "{extent}");
            for x in [0, w - 1] {
                let column = inside(Rectangle::new(x, 0, 1, h));
                assert_eq!(written(Geometry::Column(x)), column, "{extent}");
                // Downward lines leave out the last texel that they come to.
                assert_eq!(
                    facts::covering_lines(context, extent).unwrap(),
                    Some(LineDirection::Up)
                );
                assert_eq!(written(Geometry::Line(x, LineDirection::Up)), column, "{extent}");
                assert_ne!(written(Geometry::Line(x, LineDirection::Down)), column, "{extent}");
            }
            for order in [Order::Rows, Order::Hilbert] {
                let tiles = cover(extent, Extent::new(5, 3), order).unwrap();
                let tiles = Tiles::new(context, &tiles).unwrap();
                assert!(written(Geometry::Tiles(&tiles)).into_iter().all(|x| x), "{extent}");
            }
        }
    });
}

#[test]
#[ignore = "run by a test above, with the driver chosen"]
fn texels_are_read() {
    on_softpipe(|context| {
        assert!(facts::rows_ascend(context).unwrap());
        let limit = context.abilities().max_texture_size;
        for extent in common::awkward().chain([Extent::new(limit, limit)]) {
            assert_eq!(facts::misread_texels(context, extent).unwrap(), 0, "{extent}");
        }
        for (width, height) in [(3, 5), (7, 100), (49, 257)] {
            let extent = Extent::new(width, height);
            assert_eq!(facts::misplaced_by_floor(context, extent).unwrap(), 0, "{extent}");
        }
    });
}

#[test]
#[ignore = "run by a test above, with the driver chosen"]
fn reductions_agree() {
    on_softpipe(|context| {
        for reads in [Reads::Fetch, Reads::Sample] {
            let reducer = Reducer::with(context, Factor::By4, reads);
            for extent in common::awkward() {
                let numbers = common::random(extent.texels(), 3);
                let x = context.texture::<f32>(extent, &numbers).unwrap();
                // tests/reduce.rs shows that this bound is not too wide.
                let (exact, bound) = sum(&numbers, error_bound(extent, Factor::By4));
                assert!(is_near(reducer.sum(&x).unwrap(), exact, bound), "{extent}");
                let least = numbers.iter().copied().fold(f32::INFINITY, f32::min);
                assert_eq!(reducer.min(&x).unwrap(), f64::from(least), "{extent}");
            }
        }
        let extent = Extent::new(300, 7);
        let x = context.texture(extent, &[i32::MIN; 2100]).unwrap();
        assert_eq!(sum_exactly(context, &x).unwrap(), 2100 * i64::from(i32::MIN));
    });
}

#[test]
#[ignore = "run by a test above, with the driver chosen"]
fn jacobi_agrees() {
    on_softpipe(|context| {
        for (layout, stage) in
            Layout::ALL.into_iter().flat_map(|l| Optimization::DRAWN.map(|s| (l, s)))
        {
            for (n, m, reads) in
                [(150, 13, Reads::Fetch), (23, 5, Reads::Sample), (7, 9, Reads::Sample)]
            {
                let wish = Variant::new().layout(layout).optimization(stage).reads(reads);
                let systems: Vec<System> =
                    (0..layout.systems() as u64).map(|i| System::random(n, m, i)).collect();
                let matrices: Vec<&NineBanded> = systems.iter().map(|s| &s.matrix).collect();
                let mut jacobi = Jacobi::with_systems(context, &matrices, wish).unwrap();
                let sides: Vec<&[f32]> = systems.iter().map(|s| s.b.as_slice()).collect();
                let starts: Vec<&[f32]> = systems.iter().map(|s| s.start.as_slice()).collect();
                jacobi.set_systems(&sides, &starts).unwrap();
                jacobi.iterate(4).unwrap();
                for (system, x) in systems.iter().zip(jacobi.read().unwrap()) {
                    let twin = Twin::after(system, 4);
                    assert_eq!(twin.first_wrong(&x), None, "{layout}, {stage}, {n}, {m}");
                    assert!(Twin::after(system, 3).first_wrong(&x).is_some());
                }
            }
        }
    });
}

#[test]
#[ignore = "run by a test above, with the driver chosen"]
fn products_agree() {
    on_softpipe(|context| {
        for text in [
            "element",
            "element cell=4 reads=fetch passes=2",
            "cp unroll=3",
            "cp reads=fetch a=transposed",
            "sp passes=3 cover=quad",
            "sp reads=fetch",
            "block4x4",
            "block4x4 cell=2x2 reads=fetch",
            "block8x4",
        ] {
            let options: matmul::Options = text.parse().unwrap();
            if options.method.unwrap().lacks(context.abilities()).is_some() {
                continue;
            }
            for (rows, inner, cols) in [(1, 1, 1), (7, 5, 11), (17, 67, 33)] {
                let a = Matrix::<f32>::random(Shape::new(rows, inner), 1).unwrap();
                let b = Matrix::random(Shape::new(inner, cols), 2).unwrap();
                let c = matmul::multiply(context, &a, &b, options).unwrap();
                let comparison = expected(&a, &b).unwrap().compare(&c);
                assert!(comparison.is_right(), "{text}: {comparison:?}");
            }
        }
    });
}

/// A draw of more than 4096 points would number the rest from 0 again.
#[test]
#[ignore = "run by a test above, with the driver chosen"]
fn points_are_numbered() {
    on_softpipe(|context| {
        for points in [4095, 4096, 4097, 127 * 131] {
            common::points::must_be_numbered(context, points);
        }
        // The same in the vector machine: each number's place is that of its point.
        let x: Vec<f32> = (0..40_001).map(|i| i as f32).collect();
        for engine in [Processor::Attributes, Processor::Vertex, Processor::Feedback] {
            let machine = Machine::new(context).with(engine).unwrap();
            let text = "ADD o[1], v[1], v[1];";
            let program = DProgram::parse("twice.vp", text, Profile::Modern).unwrap();
            let twice = DFunction::new(&machine, &program, Semantics::VToV).unwrap();
            let y: DVector<f32> = twice.apply(&[&DVector::from_slice(&x)]).unwrap();
            let twice = x.iter().map(|x| (2.0 * f64::from(*x), 0.0));
            assert_eq!(first_wrong(y.read().unwrap().iter().copied(), twice), None, "{engine}");
        }
    });
}

/// The figures of docs/vector-machine.md.
#[test]
#[ignore = "run by a test above, with the driver chosen"]
fn vertex_programs_agree() {
    use common::vertex_programs::{even, farthest, open_rules, spread};
    let n = 1 << 14;
    let tests = [
        (Opcode::Rcp, [0; 4], spread(-126..126, n)),
        (Opcode::Rcc, [0; 4], spread(-126..126, n)),
        (Opcode::Rcc, [0; 4], vec![f32::NAN]),
        (Opcode::Rsq, [1; 4], spread(-126..128, n)),
        (Opcode::Exp, [0, 0, 1, 0], even(-128.0, 129.0, n)),
        (Opcode::Log, [0, 0, 1, 0], spread(-126..128, n)),
        (Opcode::Log, [0, 0, 1, 0], even(0.9, 1.1, n)),
    ];
    on_softpipe(|context| {
        for profile in Profile::ALL {
            for (opcode, allowed, numbers) in &tests {
                let worst = farthest(context, *opcode, profile, numbers);
                let near = worst.iter().zip(allowed).all(|(worst, allowed)| worst <= allowed);
                assert!(near, "{} of {profile}: {worst:?}", opcode.name());
            }
        }
        let kept = |(name, simulator, device): (&'static str, f32, f32)| {
            let same = simulator == device || simulator.is_nan() && device.is_nan();
            (!same).then_some(name)
        };
        let broken: Vec<&str> = open_rules(context).into_iter().filter_map(kept).collect();
        let documented = ["0 x inf", "0 x NaN", "0 x inf + 1", "a denormal operand"];
        // Mesa 26 returns the number of the two.
        let of_older = ["max(1, NaN)", "min(1, NaN)"];
        let broken = broken.strip_suffix(&of_older).unwrap_or(&broken);
        assert_eq!(broken, documented);
    });
}
