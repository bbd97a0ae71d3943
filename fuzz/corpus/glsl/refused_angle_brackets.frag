#include <a.glsl>
