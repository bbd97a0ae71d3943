//! An operation that maps texels, on either engine: the reciprocal square root of each number, from its text to its run.

use crate::common::{each, random};
use quadrille::gl::Texture;
use quadrille::internal::group::{Group, Setup};
use quadrille::internal::stream::Programs;
use quadrille::stream::{Engine, Error, Geometry};
use quadrille::{Context, Extent, Rectangle, Source};

/// One text in two stages: `include/each_texel.glsl` says how each writes its target.
const TEXT: &str = "#include \"include/each_texel.glsl\"
    uniform sampler2D x;
    void main() { WRITE(inversesqrt(READ(x, TEXEL))); }";

/// Reciprocal square roots of grids, on one engine.
struct ReciprocalRoots(Programs<bool>);

impl ReciprocalRoots {
    fn new(context: &Context, engine: Engine) -> ReciprocalRoots {
        ReciprocalRoots(Programs::new(context, Setup::new(engine, Group::new(8, 4))))
    }

    /// Computes all of a target, or a part of it.
    fn of(
        &self,
        x: &Texture<[f32; 4]>,
        part: Option<Rectangle>,
        result: &mut Texture<[f32; 4]>,
    ) -> Result<(), Error> {
        let program =
            self.0.get(&part.is_some(), |part, setup| Ok::<_, Error>(source(*part, setup)))?;
        let over = part.map_or(Geometry::Full, Geometry::Rectangle);
        program.launch().input("x", x).over(over).write("value", result)
    }
}

/// Returns the text of an engine, for all texels or for a part.
fn source(part: bool, setup: Setup) -> Source {
    match setup {
        Setup::Fragment => Source::fragment("roots.frag", TEXT),
        Setup::Compute(group) => {
            let source = group.define(Source::compute("roots.comp", TEXT));
            if part { source.define("PART", 1) } else { source }
        }
    }
}

/// Calls on each engine that a context has.
fn engines(run: impl Fn(&Context, Engine)) {
    each(|context| {
        for engine in Engine::ALL {
            if engine == Engine::Fragment || context.abilities().compute.is_some() {
                run(context, engine);
            }
        }
    });
}

#[test]
fn a_text_in_two_stages_computes_all_texels_or_a_part() {
    engines(|context, engine| {
        let roots = ReciprocalRoots::new(context, engine);
        for extent in crate::common::awkward().filter(|extent| extent.texels() < 1 << 16) {
            let numbers: Vec<[f32; 4]> = random(4 * extent.texels(), 5)
                .chunks_exact(4)
                .map(|four| std::array::from_fn(|lane| four[lane].abs() + 1e-3))
                .collect();
            let x = context.texture(extent, &numbers).unwrap();
            let corner = Rectangle::new(0, 0, extent.width.div_ceil(2), extent.height.div_ceil(2));
            let (width, height) = (extent.width, extent.height);
            let last = Rectangle::new(width - 1, height / 2, 1, height - height / 2);
            for part in [None, Some(corner), Some(last)] {
                let mut got = context.uninit(extent).unwrap();
                got.fill([f32::NAN; 4]).unwrap();
                roots.of(&x, part, &mut got).unwrap();
                let place = part.unwrap_or(extent.rectangle());
                for (at, (got, x)) in got.read().unwrap().iter().zip(&numbers).enumerate() {
                    let (column, row) = (at as u32 % width, at as u32 / width);
                    let inside = (place.x..place.x + place.width).contains(&column)
                        && (place.y..place.y + place.height).contains(&row);
                    for (got, x) in got.iter().zip(x) {
                        // GLSL allows 2 ULP.
                        let right = f64::from(*x).sqrt().recip();
                        let near = (f64::from(*got) - right).abs()
                            <= 4.0 * f64::from(f32::EPSILON) * right;
                        assert!(
                            if inside { near } else { got.is_nan() },
                            "{engine}, {part:?}, {at}: {got}"
                        );
                    }
                }
            }
        }
    });
}

#[test]
fn a_part_outside_the_target_is_refused_and_writes_nothing() {
    engines(|context, engine| {
        let roots = ReciprocalRoots::new(context, engine);
        let x = context.texture(Extent::new(3, 2), &[[1.0; 4]; 6]).unwrap();
        let mut result = context.texture(Extent::new(3, 2), &[[7.0; 4]; 6]).unwrap();
        let error = roots.of(&x, Some(Rectangle::new(2, 1, 2, 1)), &mut result).unwrap_err();
        assert!(error.to_string().contains("roots."), "{engine}: {error}");
        assert_eq!(result.read().unwrap(), [[7.0; 4]; 6]);
    });
}
