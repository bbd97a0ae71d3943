//! Texts of shaders without a device.

mod declarations;
mod expand;
mod includes;
mod logs;
mod mapping;
mod packages;
mod validate;
