//! The interface of a compute shader besides textures: storage blocks and images, and the size of
//! its work groups.
//!
//! OpenGL can be asked for some of this, and OpenGL ES 3.1 for less, so it is read from the text.
//! `#if` is not evaluated: a name that two branches declare in different ways stands here twice.

use crate::shader::lexer::tokens::Token;

/// The storage of a compute shader, in the order of its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Storage {
    /// The storage blocks.
    pub blocks: Vec<Block>,
    /// The images.
    pub images: Vec<Image>,
    /// The values of `local_size_x`, `y` and `z`, where they are written as numbers.
    pub local: Option<[u32; 3]>,
}

/// A storage block, `buffer NAME { ... }`. Its layout is that of `layout(...) buffer;` unless it
/// has its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The name of the block.
    pub name: String,
    /// The access: read, written, or both.
    pub access: Access,
    /// The words in its `layout(...)`.
    pub layout: Vec<String>,
    /// The members of the block.
    pub members: Vec<Member>,
}

/// A member of a block, such as `float x[]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The type.
    pub kind: String,
    /// The name.
    pub name: String,
    /// The text in its brackets, empty where the buffer decides; none if it is no array.
    pub length: Option<String>,
}

/// An image, such as `uniform image2D NAME`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The name of the uniform.
    pub name: String,
    /// The access: read, written, or both.
    pub access: Access,
    /// The format, such as `r32f`, if it has one.
    pub format: Option<String>,
}

/// The access of a shader to a block or an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// The block or image is `readonly`.
    Reads,
    /// The block or image is `writeonly`.
    Writes,
    /// The block or image has neither qualifier.
    Both,
}

impl Access {
    fn of(readonly: bool, writeonly: bool) -> Access {
        match (readonly, writeonly) {
            (true, false) => Access::Reads,
            (false, true) => Access::Writes,
            _ => Access::Both,
        }
    }

    /// Returns whether the shader may write it.
    pub fn writes(self) -> bool {
        self != Access::Reads
    }
}

/// Reads the storage among the tokens of a text.
pub(crate) fn read(tokens: &[Token]) -> Storage {
    let mut storage = Storage::default();
    let (mut local, mut default) = (None, Vec::new());
    let mut rest = tokens;
    while let Some((front, body, behind)) = statement(rest) {
        let words = words(front);
        if words.contains(&"buffer") && body.is_empty() {
            default = layout(&words);
        } else if words.contains(&"buffer") {
            storage.blocks.extend(block(front, &words, body, &default));
        } else if body.is_empty() && words.contains(&"uniform") {
            storage.images.extend(image(front, &words));
        } else if body.is_empty() && words.contains(&"in") {
            local = local.or_else(|| local_size(front));
        }
        rest = behind;
    }
    storage.local = local;
    storage
}

/// Returns the first statement at the outermost level: what stands before its semicolon or its
/// braces, what the braces hold, and the tokens behind it.
fn statement(tokens: &[Token]) -> Option<(&[Token], &[Token], &[Token])> {
    let end = tokens.iter().position(|token| token.is(";") || token.is("{"))?;
    let (front, rest) = tokens.split_at(end);
    if rest.first()?.is(";") {
        return Some((front, &[], rest.get(1..)?));
    }
    let mut depth = 0_usize;
    let closing = rest.iter().position(|token| {
        if token.is("{") {
            depth += 1;
        } else if token.is("}") {
            depth -= 1;
        }
        depth == 0
    })?;
    Some((front, rest.get(1..closing)?, rest.get(closing + 1..)?))
}

fn block(front: &[Token], words: &[&str], body: &[Token], default: &[String]) -> Option<Block> {
    let name = front.iter().rev().find_map(Token::word)?.to_owned();
    let inside: Vec<&str> = self::words(body);
    let each = |qualifier: &str| {
        let members = body.split(|token| token.is(";")).filter(|member| !member.is_empty());
        let mut members = members.map(|member| self::words(member).contains(&qualifier)).peekable();
        members.peek().is_some() && members.all(|has| has)
    };
    let has = |qualifier: &str| {
        words.contains(&qualifier) || (inside.contains(&qualifier) && each(qualifier))
    };
    let access = Access::of(has("readonly"), has("writeonly"));
    let own = layout(words);
    let layout = if own.is_empty() { default.to_vec() } else { own };
    let members = body.split(|token| token.is(";")).filter_map(member).collect();
    Some(Block { name, access, layout, members })
}

/// Returns the words of a layout that say where members lie.
fn layout(words: &[&str]) -> Vec<String> {
    let known = |word: &&&str| ["std430", "std140", "shared", "packed"].contains(*word);
    words.iter().filter(known).map(|&word| word.to_owned()).collect()
}

/// Reads a member, as in `restrict float x[N]`: the type is the last word but the name's.
fn member(tokens: &[Token]) -> Option<Member> {
    let bracket = tokens.iter().position(|token| token.is("["));
    let (declared, brackets) = tokens.split_at(bracket.unwrap_or(tokens.len()));
    let mut words = declared.iter().rev().filter_map(Token::word);
    let (name, kind) = (words.next()?.to_owned(), words.next()?.to_owned());
    let inside = brackets.iter().skip(1).take_while(|token| !token.is("]"));
    let length = bracket.map(|_| inside.map(|token| &*token.text).collect());
    Some(Member { kind, name, length })
}

fn image(front: &[Token], words: &[&str]) -> Option<Image> {
    let at = words.iter().position(|word| is_image(word))?;
    let name = words.get(at + 1)?.to_string();
    let access = Access::of(words.contains(&"readonly"), words.contains(&"writeonly"));
    let parentheses = front.iter().skip_while(|token| !token.is("(")).skip(1);
    let layout = parentheses.take_while(|token| !token.is(")")).filter_map(Token::word);
    let format = layout.filter(|word| is_format(word)).map(str::to_owned).next();
    Some(Image { name, access, format })
}

fn is_image(word: &str) -> bool {
    matches!(word, "image2D" | "iimage2D" | "uimage2D")
}

/// Returns whether a word is a format, such as `r32f`, `rgba8_snorm`, `rg16ui`: a number of bits
/// behind the channels.
fn is_format(word: &str) -> bool {
    let channels = word.trim_start_matches(['r', 'g', 'b', 'a']);
    channels.len() < word.len() && channels.starts_with(|c: char| c.is_ascii_digit())
}

/// Reads `layout(local_size_x = 8, local_size_y = 4) in`: what is not written is 1.
fn local_size(front: &[Token]) -> Option<[u32; 3]> {
    let mut size = [None; 3];
    for (index, token) in front.iter().enumerate() {
        let axis = match token.word() {
            Some("local_size_x") => 0,
            Some("local_size_y") => 1,
            Some("local_size_z") => 2,
            _ => continue,
        };
        let number = front.get(index + 2).and_then(Token::word)?;
        // An expression has more than a number.
        front.get(index + 3).filter(|token| token.is(",") || token.is(")"))?;
        size[axis] = Some(number.trim_end_matches(['u', 'U']).parse().ok().filter(|&n| n > 0)?);
    }
    let any = size.iter().any(Option::is_some);
    any.then(|| size.map(|side| side.unwrap_or(1)))
}

fn words(tokens: &[Token]) -> Vec<&str> {
    tokens.iter().filter_map(Token::word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shader::lexer::interface::Interface;
    use crate::shader::lexer::preprocess::candidates;

    fn read(text: &str) -> Storage {
        super::read(&candidates(text, Interface::Whole))
    }

    #[test]
    fn blocks_have_their_access_and_members() {
        let storage = read(
            "layout(local_size_x = 8, local_size_y = 4) in;
             layout(std430, binding = 0) readonly buffer Input { float x[]; };
             layout(std430, binding = 1) restrict buffer Both { int n; highp vec4 y[]; } both;
             layout(std430, binding = 2) buffer Out { writeonly restrict uint z[N + 1]; };
             layout(r32f, binding = 0) writeonly uniform highp image2D target;
             uniform sampler2D source;
             layout(rgba32ui) readonly uniform uimage2D counts;
             struct S { float a; };
             void main() { { float buffer_[2]; } }",
        );
        let access: Vec<_> = storage.blocks.iter().map(|b| (b.name.as_str(), b.access)).collect();
        let expected = [("Input", Access::Reads), ("Both", Access::Both), ("Out", Access::Writes)];
        assert_eq!(access, expected);
        let member = |kind: &str, name: &str, length: Option<&str>| Member {
            kind: kind.into(),
            name: name.into(),
            length: length.map(str::to_owned),
        };
        assert_eq!(storage.blocks[0].members, [member("float", "x", Some(""))]);
        let both = [member("int", "n", None), member("vec4", "y", Some(""))];
        assert_eq!(storage.blocks[1].members, both);
        assert_eq!(storage.blocks[2].members, [member("uint", "z", Some("N+1"))]);
        assert_eq!(storage.blocks[2].layout, ["std430"]);
        let image = |name: &str, access, format: &str| Image {
            name: name.into(),
            access,
            format: Some(format.into()),
        };
        let images =
            [image("target", Access::Writes, "r32f"), image("counts", Access::Reads, "rgba32ui")];
        assert_eq!(storage.images, images);
        assert_eq!(storage.local, Some([8, 4, 1]));
    }

    #[test]
    fn a_local_size_that_is_no_number_is_unknown() {
        assert_eq!(read("layout(local_size_x = SIDE) in; void main() {}").local, None);
        assert_eq!(read("#define S 4 * 2\nlayout(local_size_x = S) in;").local, None);
        assert_eq!(read("#define S 4\nlayout(local_size_x = S) in;").local, Some([4, 1, 1]));
        assert_eq!(read("layout(local_size_z = 2u) in;").local, Some([1, 1, 2]));
        assert_eq!(read("in vec2 uv;").local, None);
        let default = read("layout(std430) buffer; layout(binding = 0) buffer B { float x[]; };");
        assert_eq!(default.blocks[0].layout, ["std430"]);
        assert_eq!(read("layout(std430) buffer B { float x[]; "), Storage::default());
    }
}
