//! The element types in shaders.

use crate::data::Number;
use crate::shader::Source;

/// Defines the element type in a shader.
pub(crate) fn of_type<T: Number>(source: Source) -> Source {
    if T::IS_FLOAT {
        return source.define("NUMBER", "float").define("SAMPLER", "sampler2D");
    }
    let source = source.define("NUMBER", "int").define("SAMPLER", "isampler2D");
    let source = source.define("INTEGER", 1);
    if size_of::<T>() == 2 { source.define("SHORT", 1) } else { source }
}
