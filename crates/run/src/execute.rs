//! A plan on the device: its textures and buffers, its passes step by step, and what they leave.

mod any_texture;
mod flip;
mod inputs;
mod loop_guard;
mod panel_textures;
pub(super) mod pass;
pub(super) mod primitive;
pub(super) mod state;
mod storage_block;
pub(super) mod store;
