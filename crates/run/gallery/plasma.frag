// Plasma as demos of the nineties had it, three waves that move through each other, written for Shadertoy: it runs as pasted
// there and here. The waves are sums of sines after L. Vandevenne, "Plasma", Lode's Computer Graphics Tutorial, 2004.
//
//   quadrille run crates/run/gallery/plasma.frag --size 240x160 --uniform iTime=4 --output colour=plasma.png

void mainImage( out vec4 fragColor, in vec2 fragCoord )
{
    vec2 uv = (2.0 * fragCoord - iResolution.xy) / iResolution.y;

    float across = sin(5.0 * uv.x + iTime);
    float turning = sin(5.0 * (uv.x * sin(0.5 * iTime) + uv.y * cos(0.3 * iTime)) + iTime);
    vec2 middle = uv + 0.5 * vec2(sin(0.2 * iTime), cos(0.3 * iTime));
    float rings = sin(7.0 * length(middle) + iTime);

    float sum = across + turning + rings;
    vec3 col = 0.5 + 0.5 * cos(2.0 * sum + vec3(0.0, 2.0, 4.0));
    fragColor = vec4(col, 1.0);
}
