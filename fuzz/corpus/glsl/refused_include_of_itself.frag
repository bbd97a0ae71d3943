#include "a.glsl"
