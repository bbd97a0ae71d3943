//! Arrays of layers: what a `sampler2DArray` reads where, and what fits neither it nor a
//! `sampler2D`.

use super::*;
use crate::common::Flavour;
use quadrille::gl::Wrap;
use quadrille::internal::Limit;
use quadrille_run::Samplings;

/// Each layer below the one before.
const UNROLLED: &str = "uniform sampler2DArray x; out vec4 y;
    void main() {
        ivec3 size = textureSize(x, 0);
        y = texelFetch(x, ivec3(TEXEL.x, TEXEL.y % size.y, TEXEL.y / size.y), 0);
    }";

fn cube(shape: &[usize], values: ValuesRef<'_>) -> Field {
    Field::copied(shape, values).unwrap()
}

/// The shape (layers, rows, columns, channels), with three axes where that says the same.
fn shapes() -> Vec<(Vec<usize>, [usize; 4])> {
    let mut shapes = vec![
        (vec![3, 5, 7], [3, 5, 7, 1]),
        (vec![1, 1, 5], [1, 1, 5, 1]),
        (vec![17, 2, 65], [17, 2, 65, 1]),
        (vec![4, 3, 2], [4, 3, 2, 1]),
        (vec![2, 5, 4], [2, 5, 4, 1]),
    ];
    for channels in 1..=4 {
        shapes.push((vec![5, 3, 7, channels], [5, 3, 7, channels]));
        shapes.push((vec![2, 1, 1, channels], [2, 1, 1, channels]));
    }
    shapes
}

#[test]
fn each_cell_of_each_layer_is_read_where_it_is() {
    each(|context| {
        for (shape, [layers, rows, columns, channels]) in shapes() {
            let count = layers * rows * columns * channels;
            let x = random(count, 7);
            let field = cube(&shape, ValuesRef::F32(&x));
            let short = shape.len() == 4 && channels == 1 && columns > 4;
            assert_eq!(field.shape(), if short { &shape[..3] } else { &shape[..] });
            let extent = Extent::new(columns as u32, (layers * rows) as u32);
            let setup = Setup::new().input("x", field).extent(extent);
            let mut experiment = made(context, UNROLLED, setup);
            experiment.step().unwrap();
            let got = experiment.read("y").unwrap();
            for (cell, wanted) in numbers(&got).chunks(4).zip(x.chunks(channels)) {
                assert_eq!(&cell[..channels], wanted, "{shape:?}");
                assert!((channels..4).all(|c| cell[c] == if c == 3 { 1.0 } else { 0.0 }));
            }
            let again = random(count, 8);
            experiment.write("x", ValuesRef::F32(&again)).unwrap();
            experiment.step().unwrap();
            let got = experiment.read("y").unwrap();
            let first: Vec<f32> = numbers(&got).chunks(4).map(|cell| cell[0]).collect();
            let wanted: Vec<f32> = again.chunks(channels).map(|cell| cell[0]).collect();
            assert_eq!(first, wanted, "{shape:?} written again");
        }
    });
}

#[test]
fn integers_have_layers_too_and_convert_exactly() {
    let text = "uniform isampler2DArray i; uniform usampler2DArray u;
        layout(location = 0) out ivec2 oi; layout(location = 1) out uvec2 ou;
        void main() {
            oi = texelFetch(i, ivec3(TEXEL, 1), 0).rg;
            ou = uvec2(texelFetch(u, ivec3(TEXEL, 2), 0).ra);
        }";
    each(|context| {
        let i: Vec<i32> = (0..2 * 3 * 5 * 2).map(|n| n * n - 400).collect();
        let u: Vec<u32> = (0..3 * 3 * 5).map(|n| u32::MAX - n).collect();
        let setup = Setup::new().input("i", cube(&[2, 3, 5, 2], ValuesRef::I32(&i)));
        let mut experiment =
            made(context, text, setup.input("u", cube(&[3, 3, 5], ValuesRef::U32(&u))));
        experiment.step().unwrap();
        let extent = Extent::new(5, 3);
        let wanted = Field::new(extent, 2, i[30..].to_vec()).unwrap();
        assert_eq!(experiment.read("oi").unwrap(), wanted, "the extent is that of the layers");
        let ou: Vec<u32> = u[30..].iter().flat_map(|n| [*n, 1]).collect();
        assert_eq!(experiment.read("ou").unwrap(), Field::new(extent, 2, ou).unwrap());
        let half = cube(&[1, 1, 5], ValuesRef::F32(&[0.5; 5]));
        let text = "uniform isampler2DArray x; out int y; void main() { y = texelFetch(x, ivec3(0), 0).r; }";
        let error = refused(context, text, Setup::new().input("x", half)).to_string();
        assert!(error.contains("0.5 at [0, 0, 0]"), "{error}");
    });
}

/// `texture()` takes the nearest layer, and wraps within a layer alone.
#[test]
fn layers_are_sampled_with_their_wrap_mode() {
    let text = "uniform sampler2DArray x; uniform int at; out float y;
        void main() {
            vec2 size = vec2(textureSize(x, 0).xy);
            y = texture(x, vec3((vec2(TEXEL) + vec2(2.5, -0.5)) / size, float(at))).r;
        }";
    each(|context| {
        let x: Vec<f32> = (0..3 * 5 * 7).map(|n| n as f32).collect();
        for (wrap, at) in [(Wrap::Repeat, 1), (Wrap::Clamp, 2), (Wrap::Repeat, 7)] {
            let setup = Setup::new().input("x", cube(&[3, 5, 7], ValuesRef::F32(&x)));
            let setup = setup.samplings(Samplings::new().wrap("x", wrap)).value("at", at);
            let mut experiment = made(context, text, setup);
            experiment.step().unwrap();
            let got = experiment.read("y").unwrap();
            let inside = |p: i32, length: i32| match wrap {
                Wrap::Repeat => p.rem_euclid(length),
                _ => p.clamp(0, length - 1),
            };
            for (index, got) in numbers(&got).iter().enumerate() {
                let (column, row) = (index as i32 % 7, index as i32 / 7);
                let cell = inside(column + 2, 7) + 7 * inside(row - 1, 5) + 35 * at.min(2);
                assert_eq!(*got, cell as f32, "{wrap:?} {at} {index}");
            }
        }
    });
}

#[test]
fn with_y_at_the_bottom_the_rows_of_each_layer_are_reversed() {
    each(|context| {
        let x: Vec<f32> = (0..2 * 3 * 5).map(|n| n as f32).collect();
        let text = "uniform sampler2DArray x; out float y;
            void main() { y = texelFetch(x, ivec3(TEXEL.x, 0, 1), 0).r; }";
        let field = || cube(&[2, 3, 5], ValuesRef::F32(&x));
        let setup = Setup::new().input("x", field()).extent(Extent::new(5, 1));
        let mut top = made(context, text, setup);
        let setup = Setup::new().input("x", field()).extent(Extent::new(5, 1)).flip(true);
        let mut bottom = made(context, text, setup);
        top.step().unwrap();
        bottom.step().unwrap();
        assert_eq!(numbers(&top.read("y").unwrap()), &x[15..20]);
        assert_eq!(numbers(&bottom.read("y").unwrap()), &x[25..30]);
    });
}

#[test]
fn what_has_no_layers_or_too_many_is_refused() {
    let flat = "uniform sampler2D x; out float y; void main() { y = READ(x, TEXEL).r; }";
    let deep = "uniform sampler2DArray x; out float y; void main() { y = texelFetch(x, ivec3(TEXEL, 0), 0).r; }";
    each(|context| {
        let field = |shape: &[usize]| {
            let count = shape.iter().product();
            Setup::new().input("x", cube(shape, ValuesRef::F32(&vec![1.0; count])))
        };
        for (text, shape, parts) in [
            (flat, &[2, 3, 5][..], ["input `x`", "[2, 3, 5]", "sampler2DArray"]),
            (flat, &[2, 3, 5, 2], ["input `x`", "[2, 3, 5, 2]", "1 to 4 numbers"]),
            (deep, &[3, 5], ["input `x`", "[3, 5]", "layers, rows and columns"]),
            (deep, &[5], ["input `x`", "[5]", "three axes"]),
        ] {
            let error = refused(context, text, field(shape));
            assert_eq!(error.kind(), Kind::Input);
            let error = error.to_string();
            assert!(parts.iter().all(|part| error.contains(part)), "{parts:?} in {error}");
        }
        let error = refused(context, deep, field(&[2, 3, 5]).feedback("y", "x")).to_string();
        assert!(error.contains("`y`"), "{error}");
        let error = refused(context, deep, Setup::new().extent(Extent::new(1, 1))).to_string();
        assert!(error.contains("not given: sampler2DArray x"), "{error}");
        made(context, flat, field(&[2, 3, 4]).extent(Extent::new(1, 1)));
    });
    if !Flavour::Gles30.is_there() {
        return;
    }
    let context = Context::builder().limit_to(Limit::Gles30).build().unwrap();
    assert!(context.abilities().max_layers <= 256);
    let layers = context.abilities().max_layers as usize + 1;
    let many = cube(&[layers, 1, 5], ValuesRef::F32(&vec![1.0; 5 * layers]));
    let error = refused(&context, deep, Setup::new().input("x", many));
    assert_eq!(error.kind(), Kind::Limit);
    let error = error.to_string();
    for part in ["input `x`", &format!("{layers} layers"), &format!("up to {}", layers - 1)] {
        assert!(error.contains(part), "{part} in {error}");
    }
}
