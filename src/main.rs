//! The command `quadrille`.

fn main() {
    quadrille::cli::main()
}
