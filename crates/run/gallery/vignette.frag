// An old photograph: brown, and dark towards the corners, as a filter of pictures in a page of WebGL 1 would be written. The
// weights of brown are those of the W3C's "Filter Effects Module Level 1", sepia().
//
//   quadrille run crates/run/gallery/vignette.frag --input uSampler=docs/gallery/mandelbrot.png --uniform uStrength=0.9 \
//       --output colour=vignette.png

precision mediump float;

varying vec2 vTextureCoord;
uniform sampler2D uSampler;
uniform float uStrength;

void main(void) {
    vec4 color = texture2D(uSampler, vTextureCoord);
    vec3 sepia = vec3(
        dot(color.rgb, vec3(0.393, 0.769, 0.189)),
        dot(color.rgb, vec3(0.349, 0.686, 0.168)),
        dot(color.rgb, vec3(0.272, 0.534, 0.131))
    );
    vec2 away = vTextureCoord - 0.5;
    float light = 1.0 - uStrength * smoothstep(0.1, 0.55, dot(away, away));
    gl_FragColor = vec4(min(sepia, 1.0) * light, 1.0);
}
