//! The tables of passes that run a primitive.

use quadrille::Shape;
use quadrille::data::Values;
use quadrille::gl::Class;
use quadrille::primitives::Weights;

use crate::Primitive;
use crate::io::description::{Entry, Error, Literal, Table, number};

/// The primitives, and the keys that each has besides `primitive` and `read`.
const ALL: [(&str, &[&str]); 5] = [
    ("scan", &["operation", "exclusive", "along", "type"]),
    ("sort", &["descending", "places", "along", "type"]),
    ("histogram", &["bins", "range"]),
    ("fft", &["inverse", "along"]),
    ("convolution", &["weights", "border", "correlation"]),
];

/// Reads a pass's primitive, of which `primitive` is the name.
pub(super) fn of(table: &Table<'_>, primitive: &Entry<'_>) -> Result<Primitive, Error> {
    let name = primitive.text()?;
    let Some((_, keys)) = ALL.iter().find(|(known, _)| *known == name) else {
        let names = ALL.map(|(name, _)| format!("\"{name}\"")).join(", ");
        return Err(primitive.wrong(format!("one of: {names}")));
    };
    table.only(&[&["primitive", "read"], *keys].concat())?;
    let truth = |key| table.get(key).map_or(Ok(false), |entry| entry.truth());
    Ok(match name.as_str() {
        "scan" => Primitive::Scan {
            class: class(table)?,
            operation: named(table, "operation")?,
            exclusive: truth("exclusive")?,
            along: named(table, "along")?,
        },
        "sort" => Primitive::Sort {
            class: class(table)?,
            descending: truth("descending")?,
            places: truth("places")?,
            along: named(table, "along")?,
        },
        "histogram" => Primitive::Histogram {
            bins: usize::try_from(must_have(table, primitive, "bins")?.whole(1)?)
                .unwrap_or(usize::MAX),
            range: table.get("range").map(|entry| range(&entry)).transpose()?,
        },
        "fft" => Primitive::Fft { inverse: truth("inverse")?, along: named(table, "along")? },
        _ => Primitive::Convolution {
            weights: weights(&must_have(table, primitive, "weights")?, truth("correlation")?)?,
            border: named(table, "border")?,
        },
    })
}

fn must_have<'a>(
    table: &Table<'a>,
    primitive: &Entry<'_>,
    key: &'static str,
) -> Result<Entry<'a>, Error> {
    table.get(key).ok_or_else(|| {
        let what = if key == "bins" { "the number of bins" } else { "the numbers" };
        let key = primitive.path.replace("primitive", key);
        Error::Missing { place: primitive.place(), key, what }
    })
}

/// Reads a name; without one the default.
fn named<T>(table: &Table<'_>, key: &str) -> Result<T, Error>
where
    T: std::str::FromStr<Err = quadrille::error::UnknownName> + Default,
{
    let Some(entry) = table.get(key) else { return Ok(T::default()) };
    let unknown = |error: quadrille::error::UnknownName| entry.unfit(error.to_string());
    entry.text()?.parse().map_err(unknown)
}

/// Reads the class of the numbers.
fn class(table: &Table<'_>) -> Result<Class, Error> {
    let Some(entry) = table.get("type") else { return Ok(Class::Float) };
    match entry.value().as_str() {
        Some("float") => Ok(Class::Float),
        Some("int") => Ok(Class::Int),
        Some("uint") => Ok(Class::Uint),
        _ => Err(entry.wrong("one of: \"float\", \"int\", \"uint\"")),
    }
}

fn range(entry: &Entry<'_>) -> Result<[f32; 2], Error> {
    let items = entry
        .value()
        .as_array()
        .map(|items| items.iter().filter_map(|item| number(item.get_ref())).collect::<Vec<f64>>());
    match items.as_deref() {
        Some(&[low, high]) => Ok([low as f32, high as f32]),
        _ => Err(entry.wrong("the lower and the upper end of the bins, as in [0, 1]")),
    }
}

/// Reads weights: a list is a row, and a list of lists are rows.
fn weights(entry: &Entry<'_>, correlation: bool) -> Result<Weights, Error> {
    let wrong = || entry.wrong("numbers: a row as in [1, 2, 1], or rows as in [[1], [2], [1]]");
    let field = Literal::of(entry.value()).and_then(|rows| rows.field(&Values::F32(Vec::new())));
    let field = field.filter(|field| field.layout().channels == 1).ok_or_else(wrong)?;
    let extent = field.extent();
    let shape = Shape::new(extent.height as usize, extent.width as usize);
    let Values::F32(numbers) = field.values() else { return Err(wrong()) };
    let weights = match correlation {
        true => Weights::correlation(shape, numbers),
        false => Weights::convolution(shape, numbers),
    };
    weights.map_err(|error| entry.unfit(error.to_string()))
}
