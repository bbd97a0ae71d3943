//! Words of the prelude to which a text gives another meaning.

use super::{EXTENT, ROUNDING, is};
use crate::common::each;
use quadrille::shader::Source;
use quadrille_run::{Experiment, Setup};

#[test]
fn a_text_may_define_and_declare_words_of_the_prelude() {
    let pasted = "
        #define TEXEL (1.0/iResolution.xy)
        #define COORDINATE(p) ((p) * TEXEL)
        # define PRECISE 0.5
        float READ(vec2 p) { return p.x + 2.0 * p.y; }
        void mainImage(out vec4 o, in vec2 p) {
            float READ_AT = PRECISE;
            o = vec4(COORDINATE(p), READ(p), READ_AT);
        }";
    let plain = "
        #define TEXEL (1.0 / vec2(size))
        #define READ(p) ((p).x + 2.0 * (p).y)
        #ifndef PRECISE
        #define PRECISE none
        #endif
        uniform ivec2 size;
        out vec4 colour;
        void main() {
            PRECISE float half_one = 0.5;
            colour = vec4(gl_FragCoord.xy * TEXEL, READ(gl_FragCoord.xy), half_one);
        }";
    for text in [pasted, plain] {
        each(|context| {
            let source = Source::fragment("own.frag", text);
            let setup = Setup::new().extent(EXTENT);
            let mut experiment = Experiment::new(context, &source, setup).unwrap();
            experiment.step().unwrap();
            is(&experiment, "colour", 4.0 * ROUNDING, &|x, y| {
                [x / 13.0, y / 7.0, x + 2.0 * y, 0.5]
            });
        });
    }
}

#[test]
fn places_of_errors_stay() {
    let text = "#define TEXEL (1.0/iResolution.xy)\nvoid mainImage(out vec4 o, in vec2 p) {\n    o = vec4(TEXEL, missing, 1.0);\n}\n";
    each(|context| {
        let source = Source::fragment("own.frag", text);
        let error = Experiment::new(context, &source, Setup::new().extent(EXTENT)).err().unwrap();
        assert!(error.to_string().contains("own.frag:3:21: error"), "{error}");
    });
}
