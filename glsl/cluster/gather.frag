// Texels from anywhere in an image, side by side: what a message to another rank has.
// Inputs: image; places, the column and the row of each texel of the target.
// Defines: NUMBER and PART, the type of a texel's numbers and their channels.
// Source: Fan, Qiu, Kaufman and Yoakum-Stover, "GPU Cluster for High Performance Computing" (SC 2004): borders gathered into one texture.
uniform sampler2D image;
uniform sampler2D places;
out NUMBER texel;

void main() {
    texel = READ(image, ivec2(READ(places, TEXEL).rg)).PART;
}
