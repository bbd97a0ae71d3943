//! Breadth-first search: how many edges each vertex of a graph is away from the first one. The graph is in textures of integers,
//! each vertex's neighbours after those of the vertex before (CSR). A step gives a level to the vertices that have a
//! neighbour in the frontier, the vertices of the level before; levels take turns as source and target.
//!
//! `cargo run --release --example breadth_first`

use std::collections::VecDeque;

use quadrille::data::SplitMix64;
use quadrille::gl::{Texel, Texture};
use quadrille::{Context, Extent, Kernel, PingPong, Reducer, Source};

/// A vertex looks for the frontier among its neighbours: fragments write nowhere else, so that the frontier cannot mark them.
const TEXT: &str = "
    uniform isampler2D first;      // of each vertex's neighbours; one more, for the end of the last
    uniform isampler2D neighbours;
    uniform sampler2D levels;      // -1 where no step has been yet
    uniform int vertices;
    uniform float step;
    out float level;
    ivec2 place(int i) { return ivec2(i & 1023, i >> 10); }
    void main() {
        int vertex = TEXEL.x | TEXEL.y << 10;
        level = READ(levels, TEXEL).r;
        if (level >= 0.0 || vertex >= vertices) return;
        int end = READ(first, place(vertex + 1)).r;
        for (int i = READ(first, place(vertex)).r; i < end; i++) {
            int neighbour = READ(neighbours, place(i)).r;
            if (READ(levels, place(neighbour)).r == step - 1.0) {
                level = step;
                return;
            }
        }
    }";
/// Numbers in a row of a texture.
const WIDTH: usize = 1024;

/// An undirected graph.
struct Graph {
    first: Vec<i32>,
    neighbours: Vec<i32>,
}

impl Graph {
    fn new(vertices: usize, edges: &[(usize, usize)]) -> Graph {
        let mut lists = vec![Vec::new(); vertices];
        for (a, b) in edges {
            lists[*a].push(*b as i32);
            lists[*b].push(*a as i32);
        }
        let ends = lists.iter().scan(0, |end, list| {
            *end += list.len() as i32;
            Some(*end)
        });
        Graph { first: [0].into_iter().chain(ends).collect(), neighbours: lists.concat() }
    }

    fn random(vertices: usize, edges: usize, seed: u64) -> Graph {
        let mut generator = SplitMix64::new(seed);
        let mut vertex = || (generator.next() % vertices as u64) as usize;
        Graph::new(vertices, &(0..edges).map(|_| (vertex(), vertex())).collect::<Vec<_>>())
    }

    fn vertices(&self) -> usize {
        self.first.len() - 1
    }

    /// The neighbours of a vertex.
    fn around(&self, vertex: usize) -> &[i32] {
        &self.neighbours[self.first[vertex] as usize..self.first[vertex + 1] as usize]
    }
}

fn main() -> anyhow::Result<()> {
    let context = Context::headless()?;
    let kernel = context.kernel(Source::fragment("breadth_first.frag", TEXT))?;
    let path: Vec<(usize, usize)> = (1..300).map(|vertex| (vertex - 1, vertex)).collect();
    let star: Vec<(usize, usize)> = (1..2000).map(|vertex| (vertex, 0)).collect();
    let cases = [
        ("a random graph", Graph::random(200_000, 400_000, 1)),
        ("a sparse one, in many parts", Graph::random(3000, 2500, 3)),
        ("a path, and five vertices alone", Graph::new(305, &path)),
        ("a star, from its middle", Graph::new(2000, &star)),
        ("a loop and a double edge", Graph::new(3, &[(0, 0), (0, 1), (1, 0)])),
        ("no edges", Graph::new(5, &[])),
        ("one vertex", Graph::new(1, &[])),
    ];
    for (name, graph) in cases {
        let levels = search(&context, &kernel, &graph)?;
        let expected = search_on_host(&graph);
        let reached = levels.iter().filter(|level| **level >= 0).count();
        let farthest = levels.iter().max().copied().unwrap_or(0);
        println!("{name}: {reached} of {} vertices in {farthest} steps", graph.vertices());
        let differing = levels.iter().zip(&expected).filter(|(a, b)| a != b).count();
        anyhow::ensure!(differing == 0, "{differing} levels are not the CPU's");
    }
    println!("all levels are the CPU's");
    Ok(())
}

/// Returns the level of each vertex, -1 for those that no path leads to.
fn search(context: &Context, kernel: &Kernel, graph: &Graph) -> anyhow::Result<Vec<i32>> {
    let first = texture(context, &graph.first, 0)?;
    let neighbours = texture(context, &graph.neighbours, 0)?;
    let mut start = vec![-1.0_f32; graph.vertices()];
    start[0] = 0.0;
    let start = texture(context, &start, -1.0)?;
    let next = context.uninit(start.extent())?;
    let (mut levels, reducer) = (PingPong::new(start, next)?, Reducer::new(context));
    let mut step = 0.0;
    // The frontier has a vertex as long as any has the level of the last step.
    while reducer.max(levels.newest())? == step {
        step += 1.0;
        levels.step(|old, new| {
            let pass = kernel.pass().input("first", &first).input("neighbours", &neighbours);
            let pass = pass.uniform("vertices", graph.vertices() as i32).uniform("step", step);
            pass.input("levels", old).draw(new)
        })?;
    }
    let levels = levels.newest().read()?;
    Ok(levels.into_iter().take(graph.vertices()).map(|level| level as i32).collect())
}

/// Makes a texture of numbers in rows, filled up with others.
fn texture<T: Texel>(context: &Context, numbers: &[T], rest: T) -> anyhow::Result<Texture<T>> {
    let extent = Extent::new(WIDTH as u32, numbers.len().div_ceil(WIDTH).max(1) as u32);
    let mut filled = numbers.to_vec();
    filled.resize(extent.texels(), rest);
    Ok(context.texture(extent, &filled)?)
}

/// Searches on the CPU, with a queue.
fn search_on_host(graph: &Graph) -> Vec<i32> {
    let mut levels = vec![-1; graph.vertices()];
    levels[0] = 0;
    let mut queue = VecDeque::from([0]);
    while let Some(vertex) = queue.pop_front() {
        for neighbour in graph.around(vertex) {
            let neighbour = *neighbour as usize;
            if levels[neighbour] < 0 {
                levels[neighbour] = levels[vertex] + 1;
                queue.push_back(neighbour);
            }
        }
    }
    levels
}
