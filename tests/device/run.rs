//! A user's shader over arrays: experiments, run files, dialects, shader tests.

mod dialects;
mod experiment;
mod experiment_compute;
mod experiment_panels;
mod experiment_passes;
mod experiment_state;
mod primitive_passes;
mod random;
mod repeated_passes;
mod run_files;
mod testing;
mod view;
mod watched_loops;
