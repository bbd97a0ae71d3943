//! Rectangle textures, which are read at texels.

use super::*;

/// A coordinate of a rectangle texture counts texels, whatever its name, as the vertex shaders of
/// their host have it.
#[test]
fn a_varying_counts_texels_where_rectangle_textures_are_read() {
    let text = "#version 120
        uniform sampler2DRect tex0; varying vec2 texCoordVarying;
        void main() { gl_FragColor = texture2DRect(tex0, texCoordVarying + vec2(1.0, 0.0)) + vec4(0.0, 0.0, 0.0, texCoordVarying.y); }";
    each(|context| {
        let image = picture(EXTENT, 4, 51);
        let setup = || Setup::new().input("tex0", image.clone());
        let ordinary = made(context, Dialect::Legacy, &text.replace("2DRect", "2D"), setup());
        assert_eq!(ordinary.rectangle_coordinates().count(), 0);
        let mut experiment = made(context, Dialect::Legacy, text, setup());
        let told: Vec<_> = experiment.rectangle_coordinates().collect();
        assert_eq!(told, [("pasted.frag", "texCoordVarying", true)]);
        experiment.step().unwrap();
        is(&experiment, "colour", 8.0 * ROUNDING, &|x, y| {
            let [r, g, b, a] = texel(&image, x as i64 + 1, y as i64, false);
            [r, g, b, a + y]
        });
    });
}
