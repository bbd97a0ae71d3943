//! Files as bytes: arrays, pictures, and tables of numbers.

use std::path::Path;

use js_sys::{Array, Object, Uint8Array};
use quadrille::Extent;
use quadrille::data::Field;
use quadrille_run::io::ColourMap;
use quadrille_run::io::field::{self, PictureOptions};
use wasm_bindgen::prelude::*;

use crate::array::{NdArray, of_field};
use crate::context::Context;
use crate::error::{Result, set, wrong, wrong_line};

#[wasm_bindgen]
impl Context {
    /// Reads the bytes of a file by the ending of its name.
    #[wasm_bindgen(js_name = readFile)]
    pub fn read_file(&self, name: &str, bytes: &[u8]) -> Result<Object> {
        let told = Array::new();
        let (field, notes) = match has_ending(name, "csv") {
            true => {
                let (field, has_names) = table(name, bytes)?;
                if has_names {
                    told.push(&"the first line has names and was left out".into());
                }
                (field, field::Notes::default())
            }
            false => field::read_bytes(bytes, name).map_err(|error| match error {
                quadrille_run::io::Error::Extension { .. } => {
                    wrong(format!("{name}: expected a file .npy, .png, .jpg or .csv"))
                }
                error => error.into(),
            })?,
        };
        if notes.rounded {
            told.push(&"double precision was rounded to single".into());
        }
        let array = of_field(field);
        set(&array, "notes", told);
        Ok(array)
    }

    /// Returns the bytes of a `.npy` or `.png` file.
    #[wasm_bindgen(js_name = writeFile)]
    pub fn write_file(&self, name: &str, array: &JsValue) -> Result<Uint8Array> {
        let field = NdArray::take("array", array)?.field()?;
        let bytes = if has_ending(name, "png") {
            field::png(&field, PictureOptions::default())?
        } else if has_ending(name, "npy") {
            let mut bytes = Vec::new();
            field::write_to(&mut bytes, &field).map_err(|error| wrong(error.to_string()))?;
            bytes
        } else {
            return Err(wrong(format!("{name}: expected a name that ends in .npy or .png")));
        };
        Ok(Uint8Array::from(&bytes[..]))
    }

    /// Returns the 256 colours of a colour map, as RGB bytes.
    pub fn colours(&self, map: Option<String>) -> Result<Uint8Array> {
        let name = map.filter(|name| !name.is_empty());
        let map: ColourMap = name.map_or(Ok(ColourMap::Viridis), |name| name.parse())?;
        Ok(Uint8Array::from(map.colours().as_flattened()))
    }
}

fn has_ending(name: &str, ending: &str) -> bool {
    Path::new(name).extension().is_some_and(|own| own.eq_ignore_ascii_case(ending))
}

/// Reads a table of numbers, a row of an array in each line; a first line of names is left out, and returns whether there
/// is one.
fn table(name: &str, bytes: &[u8]) -> Result<(Field, bool)> {
    let mut rows =
        csv::ReaderBuilder::new().has_headers(false).trim(csv::Trim::All).from_reader(bytes);
    let (mut numbers, mut width, mut has_names) = (Vec::new(), 0, false);
    for (at, row) in rows.records().enumerate() {
        let row = row.map_err(|error| {
            let line = error.position().map_or(at as u64 + 1, csv::Position::line);
            let text = match error.kind() {
                csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                    format!("expected {expected_len} numbers, as in the line before, got {len}")
                }
                _ => error.to_string(),
            };
            wrong_line(name, line, text)
        })?;
        let misfit = row.iter().find(|cell| cell.parse::<f32>().is_err());
        match misfit {
            None => {
                width = row.len();
                numbers.extend(row.iter().filter_map(|cell| cell.parse::<f32>().ok()));
            }
            Some(_) if at == 0 && row.len() > 1 => has_names = true,
            Some(got) => {
                let line = row.position().map_or(at as u64 + 1, csv::Position::line);
                let text = format!(
                    "expected numbers with commas between and a point before decimals, got {got:?}"
                );
                return Err(wrong_line(name, line, text));
            }
        }
    }
    if numbers.is_empty() {
        let text = "expected numbers with commas between, got none".to_owned();
        return Err(wrong_line(name, 1, text));
    }
    let extent = Extent::new(width as u32, (numbers.len() / width) as u32);
    Ok((Field::new(extent, 1, numbers)?, has_names))
}
