//! Shadertoy: `mainImage` and the uniforms of <https://www.shadertoy.com/howto>.

use super::legacy;
use super::words::Words;
use quadrille::internal::shader::Frame;

/// The uniforms of Shadertoy; an experiment supplies all but the channels.
const UNIFORMS: [(&str, &str); 15] = [
    ("iResolution", "vec3 iResolution"),
    ("iTime", "float iTime"),
    ("iGlobalTime", "float iGlobalTime"),
    ("iTimeDelta", "float iTimeDelta"),
    ("iFrameRate", "float iFrameRate"),
    ("iFrame", "int iFrame"),
    ("iMouse", "vec4 iMouse"),
    ("iDate", "vec4 iDate"),
    ("iSampleRate", "float iSampleRate"),
    ("iChannelTime", "float iChannelTime[4]"),
    ("iChannelResolution", "vec3 iChannelResolution[4]"),
    ("iChannel0", "sampler2D iChannel0"),
    ("iChannel1", "sampler2D iChannel1"),
    ("iChannel2", "sampler2D iChannel2"),
    ("iChannel3", "sampler2D iChannel3"),
];

/// Returns the names of its uniforms.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    UNIFORMS.iter().map(|(name, _)| *name)
}

/// Declares what the text uses, and calls `mainImage`. Its output is undefined until it is written,
/// and many shaders write it in part: as `inout` it begins black and opaque.
pub(super) fn frame(words: &Words, frame: &mut Frame) {
    for (name, declaration) in UNIFORMS {
        if words.needs(name) {
            frame.uniform(declaration);
        }
    }
    legacy::words(words, frame);
    if words.declares("main") {
        // It is the author's for another host, and calls `mainImage` with an output of its own.
        return;
    }
    frame.output("colour", 0);
    frame.macro_of("out", "inout");
    frame.unreplaced.push("out");
    let main = [
        "    vec4 quadrille_image = vec4(0.0, 0.0, 0.0, 1.0);",
        "    mainImage(quadrille_image, gl_FragCoord.xy);",
        "    quadrille_out_colour = quadrille_image;",
    ];
    frame.main(main.map(str::to_owned));
}
