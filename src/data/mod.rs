//! What is computed on: matrices and vectors on the host, with no word of OpenGL.
