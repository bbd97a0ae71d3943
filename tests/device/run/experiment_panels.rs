//! Arrays larger than a texture: the same bits in panels as in one texture, and what reads beyond
//! them is an error.

use crate::common::{Flavour, clean, each, random};
use quadrille::data::{Field, Values};
use quadrille::internal::Ability;
use quadrille::shader::{Api, Reads, Source};
use quadrille::{Context, Extent, Kind};
use quadrille_run::error::LimitError;
use quadrille_run::{Dialect, Dialects};
use quadrille_run::{Error, Experiment, PassSetup, Precision, Setup, Unsuited};

/// The longest side of a texture here.
const SIDE: u32 = 41;

/// Runs a test with a context whose textures are whole, and one whose are so small.
fn on(flavours: &[Flavour], body: impl Fn(&Context, &Context)) {
    for flavour in flavours {
        let cut = flavour.builder().without(Ability::LargerTextures(SIDE)).build().unwrap();
        let whole = flavour.builder().build().unwrap();
        clean("in panels", &cut, |cut| clean("whole", &whole, |whole| body(whole, cut)));
    }
}

const BOTH: [Flavour; 2] = [Flavour::Gl, Flavour::Gles30];

fn source(text: &str) -> Source {
    Source::fragment("user.frag", text)
}

fn floats(extent: Extent, channels: usize, seed: u64) -> Field {
    Field::new(extent, channels, random(extent.texels() * channels, seed)).unwrap()
}

fn made(context: &Context, text: &str, setup: Setup) -> Experiment {
    Experiment::new(context, &source(text), setup).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn refused(context: &Context, text: &str, setup: Setup) -> Error {
    let made = Experiment::new(context, &source(text), setup);
    made.err().unwrap_or_else(|| panic!("expected an error"))
}

/// Whether two fields have the same bits; NaN is none of them.
#[track_caller]
fn same(got: &Field, expected: &Field, what: &str) {
    assert_eq!(got.shape(), expected.shape(), "{what}");
    let wrong = bits(got).iter().zip(bits(expected)).position(|(got, expected)| *got != expected);
    assert_eq!(wrong, None, "{what}: the first that differs");
}

fn bits(field: &Field) -> Vec<u32> {
    match field.values() {
        Values::F32(numbers) => numbers.iter().map(|number| number.to_bits()).collect(),
        Values::I32(numbers) => numbers.iter().map(|number| *number as u32).collect(),
        Values::U32(numbers) => numbers.clone(),
    }
}

fn steps(experiment: &mut Experiment, count: usize) {
    (0..count).for_each(|_| experiment.step().unwrap());
}

/// Extents of which none fits, cut along one axis or both.
const LARGE: [(u32, u32); 6] = [(42, 1), (1, 1000), (90, 7), (7, 83), (83, 84), (333, 42)];

/// Each neighbour counts by a weight of its own, and cells are mixed in a way that depends on where
/// they are.
const STENCIL: &str = "
    uniform sampler2D x;
    uniform float w[9];
    uniform ivec2 size;
    uniform int iteration;
    out vec2 y;
    void main() {
        vec2 sum = vec2(0.0);
        for (int i = 0; i < 9; i++) {
            ivec2 p = TEXEL + ivec2(i % 3 - 1, i / 3 - 1);
            sum += w[i] * (i % 2 == 0 ? READ_CLAMPED(x, p).rg : READ_WRAPPED(x, p).gr);
        }
        float place = gl_FragCoord.x * 0.01 + gl_FragCoord.y * 0.02 + float(TEXEL.x + 7 * TEXEL.y) * 0.001;
        y = 0.3 * sum + vec2(place, 0.0) * 0.1;
        if (textureSize(x, 0) != size) y = vec2(1e9);
        if ((TEXEL.x * 3 + TEXEL.y * 5 + iteration) % 7 == 0) discard;
    }";

#[test]
fn a_stencil_has_the_same_bits_in_panels() {
    on(&BOTH, |whole, cut| {
        for (width, height) in LARGE {
            for (halo, flip) in [(1, false), (3, true)] {
                let setup = || {
                    let weights = random(9, 3).iter().map(ToString::to_string).collect::<Vec<_>>();
                    Setup::new()
                        .input("x", floats(Extent::new(width, height), 2, 5))
                        .uniform("w", weights.join(","))
                        .feedback("y", "x")
                        .flip(flip)
                        .halo(halo)
                };
                let mut one = made(whole, STENCIL, setup());
                let mut several = made(cut, STENCIL, setup());
                assert_eq!((one.panels(), several.panels() > 1), (1, true));
                assert_eq!(several.outputs()[0].extent(), Extent::new(width, height));
                for _ in 0..2 {
                    steps(&mut one, 5);
                    steps(&mut several, 5);
                    let what = format!("{width} x {height}, {halo}");
                    same(&several.read("y").unwrap(), &one.read("y").unwrap(), &what);
                    one.restart().unwrap();
                    several.restart().unwrap();
                }
            }
        }
    });
}

#[test]
fn own_texels_need_no_halo() {
    let text = "uniform isampler2D a; uniform usampler2D b; uniform sampler2D table;
        layout(location = 0) out ivec3 c; layout(location = 1) out uint d;
        void main() {
            int i = texelFetch(a, ivec2(gl_FragCoord.xy), 0).r;
            c = ivec3(i, TEXEL);
            d = READ(b, TEXEL).r * uint(texelFetch(table, ivec2(abs(i) % textureSize(table, 0).x, 0), 0).r);
        }";
    on(&BOTH, |_, cut| {
        for (width, height) in LARGE {
            let extent = Extent::new(width, height);
            let a: Vec<i32> = (0..extent.texels() as i32).map(|i| i * 77 % 101 - 50).collect();
            let b: Vec<u32> = (0..extent.texels() as u32).map(|i| i.wrapping_mul(99991)).collect();
            // One of the widths is that which a panel would have.
            for wide in 1..=SIDE {
                let table: Vec<f32> = (0..wide).map(|i| (3 * i + 1) as f32).collect();
                let setup = Setup::new()
                    .input("a", Field::new(extent, 1, a.clone()).unwrap())
                    .input("b", Field::new(extent, 1, b.clone()).unwrap())
                    .input("table", Field::new(Extent::new(wide, 1), 1, table.clone()).unwrap())
                    .extent(extent);
                let mut experiment = made(cut, text, setup);
                experiment.step().unwrap();
                let at = |i: usize| (i as i32 % width as i32, i as i32 / width as i32);
                let c: Vec<i32> = (0..a.len()).flat_map(|i| [a[i], at(i).0, at(i).1]).collect();
                assert_eq!(experiment.read("c").unwrap(), Field::new(extent, 3, c).unwrap());
                let factor = |i: i32| table[i.unsigned_abs() as usize % wide as usize] as u32;
                let d: Vec<u32> =
                    a.iter().zip(&b).map(|(a, b)| b.wrapping_mul(factor(*a))).collect();
                assert_eq!(experiment.read("d").unwrap(), Field::new(extent, 1, d).unwrap());
                if height != 1 && wide > 2 && wide < SIDE - 2 {
                    break;
                }
            }
        }
    });
}

/// The cells of an axis that the panel of a cell stores, and the distance of a position beyond
/// them: a second account of what the shader's text computes.
fn beyond(length: i64, halo: i64, own: i64, read: i64) -> i64 {
    let border = halo + halo % 2;
    let room = (i64::from(SIDE) - 2 * border) / 2 * 2;
    let panels = (length + room - 1) / room;
    let part = ((length + panels - 1) / panels + 1) / 2 * 2;
    let first = own / part * part;
    let stored = first - halo..(first + part).min(length) + halo;
    let distance = |p: i64| (stored.start - p).max(p + 1 - stored.end).max(0);
    [read - length, read, read + length].map(distance).into_iter().min().unwrap()
}

type Rule = fn(i64, i64) -> (i64, i64);

/// Reads that are too far, along each axis and each way, are told with the halo that they need and
/// the first cell.
#[test]
fn a_read_beyond_the_halo_is_an_error() {
    let (width, height) = (100, 90);
    let text = |read: &str, rest: &str| {
        format!(
            "uniform sampler2D x; uniform ivec2 size; out float y;
             void main() {{ y = READ_CLAMPED(x, {read}).r; {rest} }}"
        )
    };
    let right: Rule = |x, y| ((x + 1).min(99), y);
    let up: Rule = |x, y| (x, (y - 2).max(0));
    let one: Rule = |x, y| if (x, y) == (51, 71) { (x + 7, y + 7) } else { (x, y) };
    let hidden: Rule = |x, y| if (x, y) == (50, 60) { (x - 3, y - 9) } else { (x, y) };
    let mirrored: Rule = |x, y| (x, 89 - y);
    let wrapped: Rule = |x, y| ((x + 9) % 100, (y + 85) % 90);
    let at = |x: i64, y: i64| format!("TEXEL.x == {x} && TEXEL.y == {y} ? TEXEL");
    on(&BOTH, |whole, cut| {
        for (rule, read, rest, halo, needed) in [
            (right, "TEXEL + ivec2(1, 0)".to_owned(), "", 0, Some(1)),
            (up, "TEXEL - ivec2(0, 2)".to_owned(), "", 1, Some(2)),
            (one, at(51, 71) + " + 7 : TEXEL", "", 6, Some(7)),
            // A fragment that discards tells it too.
            (
                hidden,
                at(50, 60) + " - ivec2(3, 9) : TEXEL",
                "if (TEXEL.x == 50) discard;",
                4,
                Some(9),
            ),
            // The array repeats at its ends: the other end is as near, and the middle is far.
            (mirrored, "ivec2(TEXEL.x, size.y - 1 - TEXEL.y)".to_owned(), "", 5, None),
            (wrapped, "(TEXEL + ivec2(9, 85)) % size".to_owned(), "", 8, Some(9)),
        ] {
            let setup = |halo: i64| {
                let x = floats(Extent::new(100, 90), 1, 1);
                Setup::new().input("x", x).halo(halo as u32).flip(false)
            };
            let text = text(&read, rest);
            let mut experiment = made(cut, &text, setup(halo));
            experiment.step().unwrap();
            // A later step does not make it right.
            experiment.step().unwrap();
            let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
            let beyond = |(x, y): &(i64, i64)| {
                let (read_x, read_y) = rule(*x, *y);
                beyond(width, halo, *x, read_x).max(beyond(height, halo, *y, read_y))
            };
            let far: Vec<(i64, i64)> = all.filter(|cell| beyond(cell) > 0).collect();
            let most = far.iter().map(beyond).max().unwrap();
            for error in [experiment.read("y").err(), experiment.texture("y").err()] {
                match error.unwrap() {
                    Error::Limit(LimitError::TooFar {
                        needed: told,
                        cells,
                        first,
                        halo: h,
                        limit,
                        ..
                    }) => {
                        assert_eq!(told, Some((halo + most) as u32), "{read}");
                        assert_eq!((cells, i64::from(h), limit), (far.len(), halo, SIDE), "{read}");
                        assert_eq!(first, (far[0].0 as usize, far[0].1 as usize), "{read}");
                    }
                    other => panic!("{other}"),
                }
            }
            experiment.restart().unwrap();
            if let Some(needed) = needed {
                assert_eq!(halo + most, needed, "{read}");
                let mut wider = made(cut, &text, setup(needed));
                let mut one = made(whole, &text, setup(0));
                wider.step().unwrap();
                one.step().unwrap();
                same(&wider.read("y").unwrap(), &one.read("y").unwrap(), &read);
            }
        }
        let setup = |width| Setup::new().input("x", floats(Extent::new(width, 3), 1, 1)).halo(1);
        let mut experiment = made(cut, &text("TEXEL - ivec2(2, 0)", ""), setup(100));
        experiment.step().unwrap();
        let error = experiment.read("y").unwrap_err();
        assert_eq!(error.kind(), Kind::Limit);
        assert_eq!(
            error.to_string(),
            "user.frag: arrays of 100 x 3 are computed in panels, since a texture of this device has at most 41 texels along each axis. \
             With a halo of 1, 6 of the cells read what their panels do not store; the first is in column 34 of row 0. Give a halo of 2"
        );
        let mut experiment = made(cut, &text("ivec2(0)", ""), setup(1000));
        experiment.step().unwrap();
        let error = experiment.read("y").unwrap_err().to_string();
        assert!(error.ends_with("need arrays that fit in a texture"), "{error}");
    });
}

/// Along an axis that is not cut all texels are read, however far.
#[test]
fn rows_that_fit_are_read_whole() {
    let text = "uniform sampler2D x; out float y;
        void main() { y = 0.0; for (int i = 0; i < 7; i++) y += float(i + 1) * READ(x, ivec2(i, TEXEL.y)).r; }";
    on(&BOTH, |whole, cut| {
        let setup = || Setup::new().input("x", floats(Extent::new(7, 100), 1, 1));
        let (mut one, mut several) = (made(whole, text, setup()), made(cut, text, setup()));
        one.step().unwrap();
        several.step().unwrap();
        assert_eq!(several.read("y").unwrap(), one.read("y").unwrap());
    });
}

/// Reads outside of the array, which GLSL leaves undefined, give 0 by a fetch, and by a sample the
/// nearest texel, as in one texture.
#[test]
fn outside_of_the_array_it_is_as_in_one_texture() {
    let text = |read: &str| {
        format!(
            "uniform sampler2D x; uniform sampler2D table; out vec2 y;
             void main() {{ y = vec2({read}, READ(table, ivec2(TEXEL.x - 50, 0)).r); }}"
        )
    };
    on(&BOTH, |whole, cut| {
        let numbers: Vec<f32> = (1..=100).map(|i| i as f32).collect();
        let setup = |reads| {
            Setup::new()
                .input("x", Field::line(numbers.clone()).unwrap())
                .input("table", Field::line(numbers[..7].to_vec()).unwrap())
                .extent(Extent::new(100, 1))
                .halo(2)
                .reads(reads)
        };
        for read in ["READ(x, TEXEL - ivec2(2, 0)).r", "READ(x, TEXEL + ivec2(1, 1)).r"] {
            let run = |context: &Context| {
                let mut experiment = made(context, &text(read), setup(Reads::Sample));
                experiment.step().unwrap();
                experiment.read("y").unwrap()
            };
            same(&run(cut), &run(whole), read);
        }
        for (form, read) in [
            (Reads::Fetch, "READ(x, TEXEL - ivec2(1, 0)).r"),
            (Reads::Sample, "texelFetch(x, TEXEL - ivec2(1, 0), 0).r"),
            (Reads::Sample, "texelFetchOffset(x, TEXEL, 0, ivec2(-1, 0)).r"),
        ] {
            let mut experiment = made(cut, &text(read), setup(form));
            experiment.step().unwrap();
            let field = experiment.read("y").unwrap();
            let shifted: Vec<f64> = field.values().doubles().step_by(2).collect();
            let expected: Vec<f64> = (0..100).map(f64::from).collect();
            assert_eq!(shifted, expected, "{read}");
        }
    });
}

/// Reads whose values come to nothing are removed by compilers, but not where their distance is
/// noted.
#[test]
fn reads_that_come_to_nothing_need_nothing() {
    let text = "uniform sampler2D x; uniform isampler2D idle; uniform int far; uniform mat2 turn; out float y;
        void main() {
            float a = READ(x, TEXEL).r;
            float b = READ(x, TEXEL + ivec2(far + int(turn[0].x), 0)).r + float(READ(idle, TEXEL).r);
            if (false) a = b;
            y = 2.0 * a;
        }";
    on(&BOTH, |_, cut| {
        let x = floats(Extent::new(100, 3), 1, 1);
        let mut experiment = made(cut, text, Setup::new().input("x", x.clone()));
        experiment.step().unwrap();
        let doubled: Vec<f32> = match x.values() {
            Values::F32(numbers) => numbers.iter().map(|x| 2.0 * x).collect(),
            _ => Vec::new(),
        };
        let expected = Field::new(Extent::new(100, 3), 1, doubled).unwrap();
        assert_eq!(experiment.read("y").unwrap(), expected);
        let given = Setup::new().input("x", x).input("idle", floats(Extent::new(7, 5), 1, 1));
        let mut experiment = made(cut, text, given.uniform("far", "9").extent(Extent::new(100, 3)));
        experiment.step().unwrap();
        assert_eq!(experiment.read("y").unwrap(), expected);
    });
}

/// Several passes, a pass that is repeated, an output that no later step reads, and half precision.
#[test]
fn passes_of_a_step_exchange_their_halos() {
    let blur = "uniform sampler2D x; uniform ivec2 along; uniform int repetition; out float y;
        void main() {
            y = 0.25 * (READ_WRAPPED(x, TEXEL - along).r + READ_CLAMPED(x, TEXEL + along).r)
                + (0.5 + 0.01 * float(repetition)) * READ(x, TEXEL).r;
        }";
    on(&BOTH, |whole, cut| {
        for (width, height) in LARGE {
            for precision in [Precision::Single, Precision::Half] {
                let run = |context: &Context| {
                    let rows = PassSetup::new("rows", source(blur))
                        .uniform("along", "1,0")
                        .uniform("repetition", "5");
                    let columns = PassSetup::new("columns", source(blur))
                        .uniform("along", "0,1")
                        .read("x", "rows.y")
                        .repeat(3)
                        .feedback("y", "x");
                    let setup = Setup::new()
                        .input("x", floats(Extent::new(width, height), 1, 5))
                        .precision("x", precision)
                        .feedback("columns.y", "x")
                        .halo(1);
                    // What feeds back in half precision is no repetition of what is in single.
                    let is_half = precision == Precision::Half;
                    let columns = if is_half { columns.repeat(1) } else { columns };
                    let passes = vec![rows, columns];
                    let mut experiment = Experiment::from_passes(context, passes, setup)
                        .unwrap_or_else(|error| panic!("{error}"));
                    steps(&mut experiment, 4);
                    ["rows.y", "columns.y"].map(|name| experiment.read(name).unwrap())
                };
                for (got, expected) in run(cut).iter().zip(&run(whole)) {
                    same(got, expected, &format!("{width} x {height} {precision}"));
                }
            }
        }
    });
}

#[test]
fn coordinates_are_those_of_the_whole_array() {
    let text = "in vec2 place; out vec2 y; void main() { y = place; }";
    let toy = "void mainImage(out vec4 c, in vec2 p) { c = vec4(p, iResolution.x, fwidth(p.x * p.x * p.y)); }";
    on(&BOTH, |whole, cut| {
        for (width, height) in LARGE {
            let extent = Extent::new(width, height);
            let mut several = made(cut, text, Setup::new().extent(extent));
            several.step().unwrap();
            let field = several.read("y").unwrap();
            for (i, got) in field.values().doubles().enumerate() {
                let (cell, side) = (i / 2, if i % 2 == 0 { width } else { height });
                let at = if i % 2 == 0 { cell % width as usize } else { cell / width as usize };
                let expected = (at as f64 + 0.5) / f64::from(side);
                // The corner, the shift, the quotient, and the interpolation.
                assert!((got - expected).abs() < 8.0 * f64::from(f32::EPSILON), "{got} {expected}");
            }
            // Differences of what is not read.
            let run = |context: &Context| {
                let toy = source(toy).dialect(Dialect::Shadertoy);
                let setup = Setup::new().extent(extent);
                let mut experiment = Experiment::new(context, &toy, setup).unwrap();
                experiment.step().unwrap();
                experiment.read("colour").unwrap()
            };
            assert_eq!(run(cut), run(whole));
        }
    });
}

/// A state that was saved in panels is that of one texture.
#[test]
fn checkpoints_do_not_know_of_panels() {
    let folder = crate::files::Folder::new();
    on(&[Flavour::Gl], |whole, cut| {
        let setup = || {
            let weights = random(9, 3).iter().map(ToString::to_string).collect::<Vec<_>>();
            let field = floats(Extent::new(83, 84), 2, 5);
            Setup::new()
                .input("x", field)
                .uniform("w", weights.join(","))
                .feedback("y", "x")
                .halo(1)
        };
        let run = |first: &Context, then: &Context| {
            let file = folder.file("state");
            let mut experiment = made(first, STENCIL, setup());
            steps(&mut experiment, 3);
            experiment.save(&file).unwrap();
            let mut experiment = made(then, STENCIL, setup());
            experiment.load(&file).unwrap();
            steps(&mut experiment, 3);
            experiment.read("y").unwrap()
        };
        let expected = run(whole, whole);
        for (first, then) in [(whole, cut), (cut, whole), (cut, cut)] {
            same(&run(first, then), &expected, "resumed");
        }
    });
}

#[test]
fn loops_that_are_ended_are_told_with_their_cells() {
    let text = "uniform sampler2D x; out float y;
        void main() {
            int count = TEXEL.x == 90 && TEXEL.y >= 70 ? 70000 : 3;
            y = READ(x, TEXEL).r;
            for (int i = 0; i < count; i++) y += sin(float(i));
        }";
    on(&[Flavour::Gl], |whole, cut| {
        if cut.loop_budget().unwrap().is_none() {
            return;
        }
        let told = |context: &Context| {
            let setup = Setup::new().input("x", floats(Extent::new(100, 90), 1, 1));
            let mut experiment = made(context, text, setup);
            experiment.step().unwrap();
            match experiment.read("y").unwrap_err() {
                Error::Limit(LimitError::LoopsEnded { cells, first: (column, row), .. }) => {
                    (cells, column, row)
                }
                other => panic!("{other}"),
            }
        };
        let (cells, column, row) = told(cut);
        // A device may end the loops of the fragments beside one too.
        assert!(cells >= 20 && (80..=90).contains(&column) && row == 70, "{column} {row}");
        let (_, _, row) = told(whole);
        assert_eq!(row, 70);
    });
}

/// Floats do not tell the texels of such a line apart; integers do.
#[test]
fn long_lines_have_integer_positions() {
    let context = Context::headless().unwrap();
    let length = (1 << 23) + 5;
    let numbers: Vec<i32> = (0..length).collect();
    let setup = || Setup::new().input("x", Field::line(numbers.clone()).unwrap());
    let text = |at: &str| {
        format!("uniform isampler2D x; out int y; void main() {{ y = READ(x, TEXEL).r - {at}; }}")
    };
    let mut experiment = made(&context, &text("TEXEL.x"), setup());
    experiment.step().unwrap();
    let field = experiment.read("y").unwrap();
    assert_eq!(field, Field::line(vec![0; length as usize]).unwrap());
    match refused(&context, &text("int(gl_FragCoord.x)"), setup()) {
        Error::Limit(LimitError::InPanels { why: Unsuited::Positions, .. }) => {}
        other => panic!("{other}"),
    }
}

#[test]
fn what_panels_cannot_do_is_refused_with_the_number() {
    let large = || floats(Extent::new(100, 3), 1, 1);
    let copy = "uniform sampler2D x; out float y; void main() { y = READ(x, TEXEL).r; }";
    let sampled = "uniform sampler2D x; out float y; void main() { y = texture(x, vec2(0.5)).r; }";
    on(&BOTH, |_, cut| {
        let setup = || Setup::new().input("x", large());
        let error = refused(cut, sampled, setup());
        assert_eq!(error.kind(), Kind::Limit);
        assert_eq!(
            error.to_string(),
            "user.frag: `y` is 100 x 3, and a texture of this device has at most 41 texels along each axis. Larger arrays are \
             computed in panels, by shaders that read texels by their positions, with READ or texelFetch: `texture()` would sample \
             across the edges of panels, and so might what `##` pastes"
        );
        let pasting = "#define JOIN(a, b) a##b\nuniform sampler2D x; out float y;
                       void main() { y = JOIN(text, ure)(x, vec2(0.5)).r; }";
        for hidden in [sampled.replace("texture", "tex\\\nture"), pasting.to_owned()] {
            // OpenGL ES has no `##`, which drivers may still accept.
            if hidden.contains("##") && cut.abilities().api != Api::Gl {
                continue;
            }
            match refused(cut, &hidden, setup()) {
                Error::Limit(LimitError::InPanels { why: Unsuited::Samples, .. }) => {}
                other => panic!("{other}"),
            }
        }
        for extent in [Extent::new(10, 3), Extent::new(100, 4)] {
            match refused(cut, copy, setup().extent(extent)) {
                Error::Limit(LimitError::InPanels { array, why: Unsuited::Size(size), .. }) => {
                    assert_eq!((&*array, size), ("x", extent));
                }
                other => panic!("{other}"),
            }
        }
        let differs =
            "uniform sampler2D x; out float y; void main() { y = dFdx(READ(x, TEXEL).r); }";
        match refused(cut, differs, setup()) {
            Error::Limit(LimitError::InPanels { why: Unsuited::Differences, .. }) => {}
            other => panic!("{other}"),
        }
        match refused(cut, copy, setup().halo(20)) {
            error @ Error::Limit(LimitError::Halo { .. }) => {
                assert!(error.to_string().contains("at most 18 are"), "{error}")
            }
            other => panic!("{other}"),
        }
        made(cut, copy, setup().halo(18));
        // What fits has no panels, and any halo.
        let small = Setup::new().input("x", floats(Extent::new(41, 41), 1, 1)).halo(1000);
        assert_eq!(made(cut, copy, small).panels(), 1);
        // All targets of the device are the shader's own.
        let limit = cut.abilities().max_targets;
        let declared = |i: u32| format!("layout(location = {i}) out float y{i};\n");
        let written = |i: u32| format!("y{i} = READ(x, TEXEL).r;");
        let text = format!(
            "uniform sampler2D x;\n{}void main() {{ {} }}",
            (0..limit).map(declared).collect::<String>(),
            (0..limit).map(written).collect::<String>()
        );
        match refused(cut, &text, setup()) {
            Error::Limit(LimitError::NoTargetForPanels { limit: got, .. }) => {
                assert_eq!(got, limit)
            }
            other => panic!("{other}"),
        }
    });
    on(&[Flavour::Gl], |_, cut| {
        if cut.abilities().compute.is_none() {
            return crate::common::not_tested("no compute shaders");
        }
        let text = "layout(local_size_x = 1) in; layout(r32f, binding = 0) uniform image2D x;
            void main() { imageStore(x, ivec2(gl_GlobalInvocationID.xy), vec4(1.0)); }";
        let setup = Setup::new().input("x", large());
        match Experiment::new(cut, &Source::compute("user.comp", text), setup).err().unwrap() {
            Error::Limit(LimitError::InPanels { why: Unsuited::Compute, .. }) => {}
            other => panic!("{other}"),
        }
    });
}

/// An output that no host could read is not made.
#[test]
fn no_machine_has_so_much_memory() {
    each(|context| {
        let text = "out vec4 y; void main() { y = vec4(TEXEL, 0, 0); }";
        let error = refused(context, text, Setup::new().extent(Extent::new(1 << 30, 1 << 30)));
        assert_eq!(error.kind(), Kind::OutOfMemory, "{error}");
    });
}
