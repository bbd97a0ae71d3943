//! Vertex programs and formulas as texts.

mod assembler;
mod assembler_errors;
mod assembler_text;
mod dimacs;
