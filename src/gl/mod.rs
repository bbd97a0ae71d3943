//! OpenGL: contexts and owned objects. The only room with unsafe code.
