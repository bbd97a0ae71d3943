//! Rectangle textures, which are read at texels: what a coordinate of the text's own counts.

use quadrille::internal::shader::{Token, mentions, tokens};

/// The type of such textures.
pub(crate) const RECTANGLE: &str = "sampler2DRect";

/// Returns whether a text has such textures.
pub(crate) fn has_rectangles(text: &str) -> bool {
    // A macro may name the type.
    text.contains(RECTANGLE) && mentions(text, &[RECTANGLE])
}

/// Returns whether a coordinate counts texels in a text: it has such textures, and reads no other
/// at this coordinate.
pub(crate) fn counts_texels(text: &str, coordinate: &str) -> bool {
    has_rectangles(text) && !reads_another(&tokens(text), coordinate)
}

/// Returns whether a call that reads an ordinary texture has this name among its arguments.
fn reads_another(tokens: &[Token], name: &str) -> bool {
    let is_read = |token: &Token| is_ordinary(&token.text);
    let calls = tokens.iter().enumerate().filter(|(_, token)| is_read(token));
    calls.into_iter().any(|(index, _)| {
        let mut depth = 0;
        let arguments = tokens[index + 1..].iter().take_while(|token| {
            depth += nesting(token);
            depth > 0
        });
        arguments.into_iter().any(|token| token.is(name))
    })
}

fn nesting(token: &Token) -> i32 {
    match &*token.text {
        "(" => 1,
        ")" => -1,
        _ => 0,
    }
}

fn is_ordinary(function: &str) -> bool {
    function.strip_prefix("texture2D").is_some_and(|rest| !rest.starts_with("Rect"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coordinate_counts_texels_unless_an_ordinary_texture_is_read_at_it() {
        let rectangle = "uniform sampler2DRect r; ";
        for (wanted, text) in [
            (true, "texture2DRect(r, v)"),
            (true, "texture2DRect(r, v) + texture2D(t, f(w))"),
            (true, "texture2D(t, (w)) + v.x"),
            (false, "texture2D(t, v)"),
            (false, "texture2DRect(r, w) + texture2DProj(t, vec3(f(w), (v).x))"),
            (false, "texture2D(t, texture2D(t, w).xy + (v))"),
        ] {
            assert_eq!(counts_texels(&format!("{rectangle}{text}"), "v"), wanted, "{text}");
        }
        assert!(!counts_texels("uniform sampler2D r; x(v)", "v"));
    }
}
