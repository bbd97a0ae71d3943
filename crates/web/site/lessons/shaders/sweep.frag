// A sweep of damped Jacobi for the equation of Poisson, as it acts
// on an error: a point moves by 4/5 of the way to the mean of its four
// neighbours. Around the grid the error is zero.
uniform sampler2D error;
out float next;

float at(ivec2 p) {
    ivec2 size = textureSize(error, 0);
    bool inside = p.x >= 0 && p.y >= 0 && p.x < size.x && p.y < size.y;
    return inside ? READ_CLAMPED(error, p).r : 0.0;
}

void main() {
    float beside = at(TEXEL - ivec2(1, 0)) + at(TEXEL + ivec2(1, 0));
    float above = at(TEXEL - ivec2(0, 1)) + at(TEXEL + ivec2(0, 1));
    next = mix(at(TEXEL), (beside + above) / 4.0, 0.8);
}
