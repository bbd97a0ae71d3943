//! The attribute `test`, which takes the place of Rust's own where tests are compiled for a browser: there is no harness of Rust's, whose
//! tests need threads and a process that survives a panic.

use proc_macro::{TokenStream, TokenTree};

/// Keeps the function as it is, and registers it by its name with `crate::browser`.
#[proc_macro_attribute]
pub fn test(_: TokenStream, function: TokenStream) -> TokenStream {
    let mut words = function.clone().into_iter().skip_while(|token| token.to_string() != "fn");
    let Some(TokenTree::Ident(name)) = words.nth(1) else {
        return "compile_error!(\"expected a function\");".parse().unwrap_or_default();
    };
    let registered = format!(
        "const _: () = {{ inventory::submit! {{ crate::browser::Test {{ name: concat!(module_path!(), \"::{name}\"), run: || crate::browser::Outcome::of({name}()) }} }} }};"
    );
    let registered: TokenStream = registered.parse().unwrap_or_default();
    [function, registered].into_iter().collect()
}
