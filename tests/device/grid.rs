//! Vectors and grids on the device.

mod device_grid;
mod device_vector;
