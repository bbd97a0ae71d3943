//! GLSL text: includes, defines, the prelude, the line table, and drivers' logs read back into the user's lines.
