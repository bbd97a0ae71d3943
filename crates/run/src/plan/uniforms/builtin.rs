//! The uniforms that an experiment sets itself, unless they are given: those of every shader, and
//! those that a dialect's shaders expect.

use crate::dialect::{CHANNELS, Dialect, ghostty};
use quadrille::Extent;
use quadrille::gl::{Class, Type, TypeKind, Value};

use crate::io::uniform_text;

/// The uniform that counts the repetitions of a pass.
pub(crate) const REPETITION: &str = "repetition";

/// The default number of steps per second.
pub(crate) const RATE: f64 = 60.0;

/// The sample rate of the sound that Shadertoy plays.
const SAMPLES: f32 = 44100.0;

/// The value that a built-in uniform is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Supplied {
    /// The number of steps before this one.
    Step,
    /// The width and the height of the target, as integers.
    Size,
    /// The same as floats; of three the last is 1.
    Resolution,
    /// The seconds since the first step.
    Time,
    /// The seconds from one step to the next.
    TimeDelta,
    /// The steps a second.
    Rate,
    /// The sample rate of a sound.
    SampleRate,
    /// The time of each channel.
    ChannelTimes,
    /// The resolution of each channel.
    ChannelSizes,
    /// The number of the pass of an ISF shader.
    Pass,
    /// Zero, for what no experiment has: a mouse, a date.
    Zero,
}

use Supplied::{
    ChannelSizes, ChannelTimes, Pass, Rate, Resolution, SampleRate, Size, Step, Time, TimeDelta,
    Zero,
};

const PLAIN: &[(&str, Supplied)] = &[("iteration", Step), ("size", Size)];

const SHADERTOY: &[(&str, Supplied)] = &[
    ("iResolution", Resolution),
    ("iTime", Time),
    ("iGlobalTime", Time),
    ("iTimeDelta", TimeDelta),
    ("iFrameRate", Rate),
    ("iFrame", Step),
    ("iMouse", Zero),
    ("iDate", Zero),
    ("iSampleRate", SampleRate),
    ("iChannelTime", ChannelTimes),
    ("iChannelResolution", ChannelSizes),
];

const SANDBOX: &[(&str, Supplied)] = &[
    ("resolution", Resolution),
    ("u_resolution", Resolution),
    ("time", Time),
    ("u_time", Time),
    ("mouse", Zero),
    ("u_mouse", Zero),
];

const ISF: &[(&str, Supplied)] = &[
    ("RENDERSIZE", Resolution),
    ("TIME", Time),
    ("TIMEDELTA", TimeDelta),
    ("DATE", Zero),
    ("FRAMEINDEX", Step),
    ("PASSINDEX", Pass),
];

/// A uniform that an experiment sets.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Setting {
    pub(crate) name: String,
    glsl: Type,
    what: Supplied,
}

/// The facts that determine a pass's built-in uniforms, apart from the number of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Facts {
    pub(crate) extent: Extent,
    /// Steps a second.
    pub(crate) rate: f64,
    /// The number of the first step.
    pub(crate) start: u64,
    /// The extents of a Shadertoy shader's channels; empty where there is none.
    pub(crate) channels: [Extent; 4],
    /// The index of the pass in a text of several passes, counted from 0.
    pub(crate) pass: usize,
}

impl Facts {
    /// Returns those of a pass; `extent_of` knows the extents of what its samplers read.
    pub(crate) fn new(
        extent: Extent,
        rate: f64,
        start: u64,
        extent_of: impl Fn(&str) -> Option<Extent>,
    ) -> Facts {
        let channels = CHANNELS.map(|name| extent_of(name).unwrap_or_default());
        Facts { extent, rate, start, channels, pass: 0 }
    }
}

impl Dialect {
    /// Returns whether an experiment sets a uniform that a shader of this dialect declares, where nobody gives it.
    pub fn supplies(self, uniform: &str, glsl: Type) -> bool {
        uniform == REPETITION || Setting::of(self, uniform, glsl).is_some()
    }
}

impl Setting {
    /// Returns the setting of a uniform that a shader of this dialect declares, if an experiment
    /// knows its name and its type.
    pub(crate) fn of(dialect: Dialect, name: &str, glsl: Type) -> Option<Setting> {
        let own = match dialect {
            Dialect::Shadertoy | Dialect::Ghostty => SHADERTOY,
            Dialect::Sandbox => SANDBOX,
            Dialect::Isf => ISF,
            // They name nothing themselves; what a shader of another declares is an error until it
            // is set.
            _ => &[],
        };
        let known = PLAIN.iter().chain(own).find(|(known, _)| *known == name);
        let is_of_cursor = dialect == Dialect::Ghostty && ghostty::names().any(|own| own == name);
        let what = known.map(|(_, what)| *what).or(is_of_cursor.then_some(Zero))?;
        let setting = Setting { name: name.to_owned(), glsl, what };
        let facts = Facts::new(Extent::new(1, 1), RATE, 0, |_| None);
        setting.value(&facts, 0)?;
        Some(setting)
    }

    /// Returns whether it changes from step to step.
    pub(crate) fn moves(&self) -> bool {
        matches!(self.what, Step | Time | ChannelTimes)
    }

    /// Returns whether it follows from the rate of steps.
    pub(crate) fn is_time(&self) -> bool {
        matches!(self.what, Time | ChannelTimes)
    }

    /// Returns the uniform's value in a step; `None` for a GLSL type that the value does not have.
    pub(crate) fn value(&self, facts: &Facts, step: u64) -> Option<Value> {
        let Type { kind, length } = self.glsl;
        let step = facts.start.saturating_add(step);
        let TypeKind::Number { class, components } = kind else { return None };
        let float = |number: f32| match (class, components, length) {
            (Class::Float, 1, 1) => Some(Value::Float(number)),
            _ => None,
        };
        let [width, height] = [facts.extent.width, facts.extent.height];
        // The time is rounded once, so that it is as near as a float can be after any number of
        // steps.
        let time = (step as f64 / facts.rate) as f32;
        match self.what {
            Step if (class, components, length) == (Class::Int, 1, 1) => {
                Some(Value::Int(i32::try_from(step).unwrap_or(i32::MAX)))
            }
            Step => float(step as f32),
            Size if (class, components, length) == (Class::Int, 2, 1) => {
                Some([width, height].map(|side| i32::try_from(side).unwrap_or(i32::MAX)).into())
            }
            Size => None,
            Resolution => match (class, components, length) {
                (Class::Float, 2, 1) => Some(Value::Vec2([width as f32, height as f32])),
                (Class::Float, 3, 1) => Some(Value::Vec3(resolution(facts.extent))),
                _ => None,
            },
            Time => float(time),
            TimeDelta => float((1.0 / facts.rate) as f32),
            Rate => float(facts.rate as f32),
            Pass => match (class, components, length) {
                (Class::Int, 1, 1) => i32::try_from(facts.pass).ok().map(Value::Int),
                _ => float(facts.pass as f32),
            },
            SampleRate => float(SAMPLES),
            ChannelTimes => match (class, components, length) {
                (Class::Float, 1, 2..=4) => Some(Value::Floats(vec![time; length])),
                _ => float(time),
            },
            ChannelSizes => match (class, components, length) {
                (Class::Float, 3, 1) => Some(Value::Vec3(resolution(facts.channels[0]))),
                (Class::Float, 3, 2..=4) => Some(Value::Vec3s(
                    facts.channels[..length].iter().copied().map(resolution).collect(),
                )),
                _ => None,
            },
            Zero => uniform_text::zero(self.glsl),
        }
    }
}

/// Returns width, height, and the ratio of a pixel's sides; zeros where there is nothing.
fn resolution(extent: Extent) -> [f32; 3] {
    let ratio = if extent.texels() == 0 { 0.0 } else { 1.0 };
    [extent.width as f32, extent.height as f32, ratio]
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn float(components: u32, length: usize) -> Type {
        Type { kind: TypeKind::Number { class: Class::Float, components }, length }
    }

    fn int(components: u32) -> Type {
        TypeKind::Number { class: Class::Int, components }.into()
    }

    fn facts() -> Facts {
        let extent_of = |name: &str| (name == "iChannel1").then_some(Extent::new(5, 3));
        Facts::new(Extent::new(640, 480), 24.0, 0, extent_of)
    }

    #[track_caller]
    fn told(dialect: Dialect, name: &str, glsl: Type, step: u64, value: impl Into<Value>) {
        let setting = Setting::of(dialect, name, glsl).unwrap();
        assert_eq!(setting.value(&facts(), step), Some(value.into()), "{name}");
    }

    #[test]
    fn each_dialect_has_its_names() {
        let (toy, sand, isf) = (Dialect::Shadertoy, Dialect::Sandbox, Dialect::Isf);
        told(toy, "iResolution", float(3, 1), 7, Value::Vec3([640.0, 480.0, 1.0]));
        told(toy, "iResolution", float(2, 1), 7, Value::Vec2([640.0, 480.0]));
        told(toy, "iTime", float(1, 1), 36, Value::Float(1.5));
        told(toy, "iTimeDelta", float(1, 1), 36, Value::Float(1.0 / 24.0));
        told(toy, "iFrame", int(1), 36, Value::Int(36));
        told(toy, "iFrame", int(1), u64::MAX, Value::Int(i32::MAX));
        told(toy, "iFrameRate", float(1, 1), 36, Value::Float(24.0));
        told(toy, "iMouse", float(4, 1), 36, Value::Vec4([0.0; 4]));
        told(toy, "iChannelTime", float(1, 4), 12, Value::Floats(vec![0.5; 4]));
        let sizes = vec![[0.0; 3], [5.0, 3.0, 1.0], [0.0; 3], [0.0; 3]];
        told(toy, "iChannelResolution", float(3, 4), 0, Value::Vec3s(sizes));
        told(sand, "u_resolution", float(2, 1), 0, Value::Vec2([640.0, 480.0]));
        told(sand, "mouse", float(2, 1), 0, Value::Vec2([0.0; 2]));
        told(isf, "FRAMEINDEX", int(1), 3, Value::Int(3));
        told(isf, "DATE", float(4, 1), 3, Value::Vec4([0.0; 4]));
        told(isf, "iteration", int(1), 3, Value::Int(3));
        told(Dialect::Plain, "size", int(2), 3, Value::IVec2([640, 480]));
    }

    #[test]
    fn other_names_and_other_types_must_be_given() {
        for (dialect, name, glsl) in [
            (Dialect::Plain, "time", float(1, 1)),
            (Dialect::Plain, "iTime", float(1, 1)),
            (Dialect::Plain, "size", float(2, 1)),
            (Dialect::Plain, "iteration", int(2)),
            (Dialect::Legacy, "time", float(1, 1)),
            (Dialect::Sandbox, "iTime", float(1, 1)),
            (Dialect::Sandbox, "time", float(2, 1)),
            (Dialect::Sandbox, "resolution", int(2)),
            (Dialect::Shadertoy, "iChannelResolution", float(2, 4)),
            (Dialect::Shadertoy, "iTime", TypeKind::Bool.into()),
        ] {
            assert_eq!(Setting::of(dialect, name, glsl), None, "{dialect} {name} {glsl}");
        }
    }

    #[test]
    fn time_is_rounded_once() {
        // 1/60 added as often would be off by many units in the last place.
        let setting = Setting::of(Dialect::Isf, "TIME", float(1, 1)).unwrap();
        let facts = Facts { rate: RATE, ..facts() };
        let steps = 1_000_003;
        let time = setting.value(&facts, steps).unwrap();
        assert_eq!(time, Value::Float((steps as f64 / 60.0) as f32));
    }
}
