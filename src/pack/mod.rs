//! How numbers lie in texels.
