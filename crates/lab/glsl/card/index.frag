// The number that stands in this fragment's texel, as the chosen way of reading gives it; or, with
// LINEAR, the index (first_row + y) * width + x, computed in floats as shaders without integers had
// to.
// Inputs: image; width, first_row with LINEAR. Output: number.
#ifdef LINEAR
uniform float width;
uniform float first_row;
#else
uniform isampler2D image;
#endif
out int number;

void main() {
#ifdef LINEAR
    vec2 here = gl_FragCoord.xy - 0.5;
    number = int((first_row + here.y) * width + here.x);
#else
    number = READ(image, TEXEL).r;
#endif
}
