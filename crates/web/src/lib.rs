//! quadrille in a browser: what the worker of `crates/web/package/` calls.
//!
//! The library runs in a worker, where a call may wait for the device; `crates/web/package/worker.js` takes
//! messages there, and answers them. What a page can call is described in
//! `crates/web/package/index.d.ts`, whose names are those here. Arrays come as objects with `data` and
//! `shape`, options as properties of objects, errors go as objects of JavaScript's `Error`.

mod array;
mod card;
mod context;
mod device_array;
mod error;
mod experiment;
mod files;
mod primitives;
mod sat;
mod settings;
mod solve;
mod specified;
mod vp;
