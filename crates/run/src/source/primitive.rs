//! The interface of a primitive as data, from which a plan is made without a device.

use crate::setup::primitive::Primitive;
use crate::source::shader::{Declared, Shader};

impl Shader {
    /// Returns the names of a primitive. The channels of its output are those of what it reads,
    /// which the plan knows.
    pub(crate) fn of_primitive(primitive: &Primitive) -> Shader {
        let class = primitive.gives();
        Shader {
            name: primitive.name().to_owned(),
            samplers: vec![(Primitive::INPUT.to_owned(), primitive.takes())],
            outputs: vec![Declared {
                name: Primitive::OUTPUT.to_owned(),
                kind: Primitive::kind(class, 1),
                class,
                channels: 1,
            }],
            ..Shader::default()
        }
    }
}
