//! Rectangle textures, which are read at texels.

use super::*;

/// As the vertex shaders of their host have it: a coordinate of a rectangle texture counts texels, whatever its name.
#[test]
fn a_varying_counts_texels_where_rectangle_textures_are_read() {
    let text = "#version 120
        uniform sampler2DRect tex0; varying vec2 texCoordVarying;
        void main() { gl_FragColor = texture2DRect(tex0, texCoordVarying + vec2(1.0, 0.0)) + vec4(0.0, 0.0, 0.0, texCoordVarying.y); }";
    let source = Source::fragment("pasted.frag", text);
    assert_eq!(source.coordinate_of_rectangles(), Some(("texCoordVarying".to_owned(), true)));
    let ordinary = Source::fragment("pasted.frag", text.replace("2DRect", "2D"));
    assert_eq!(ordinary.coordinate_of_rectangles(), None);
    each(|context| {
        let image = picture(EXTENT, 4, 51);
        let setup = Setup::new().input("tex0", image.clone());
        let mut experiment = made(context, Dialect::Legacy, text, setup);
        experiment.step().unwrap();
        is(&experiment, "colour", 8.0 * ROUNDING, &|x, y| {
            let [r, g, b, a] = texel(&image, x as i64 + 1, y as i64, false);
            [r, g, b, a + y]
        });
    });
}
