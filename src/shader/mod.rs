//! stub
#![allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    Vertex,
    Fragment,
    Compute,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Api {
    Gl,
    Gles,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reads {
    Fetch,
    Sample,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dialect {
    pub api: Api,
    pub version: u32,
    pub precise: bool,
    pub reads: Reads,
}
