//! Writes the JavaScript around the library that was compiled for a browser: what the program
//! wasm-bindgen does, which would have to be installed in the very version of `Cargo.lock`.

use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [wasm, folder] = &arguments[..] else {
        anyhow::bail!("expected the compiled library and a folder, got {arguments:?}");
    };
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(wasm)
        .out_name("quadrille")
        .web(true)?
        .typescript(false)
        .remove_name_section(true);
    bindgen.generate(folder)
}
