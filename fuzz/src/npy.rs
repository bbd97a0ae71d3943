//! NumPy's arrays.

use super::mutation::mutate;
use super::scratch::{self, Scratch, bounded};
use super::{Choices, Target, Verdicts};
use quadrille::data::{Matrix, Number, Values};
use quadrille::io::{self, npy, vector};
use quadrille_run::io::field;

pub const TARGET: Target = Target { name: "npy", file, generated };

const WORDS: [&str; 16] = [
    "'descr'",
    "'<f4'",
    "'>f8'",
    "'|b1'",
    "'<i8'",
    "'<f2'",
    "'|O'",
    "'<c8'",
    "[('a','<f4')]",
    "True",
    "False",
    "'fortran_order'",
    "'shape'",
    "(3, 2)",
    "(",
    ", ",
];

/// The types of numbers that some reader takes.
const KINDS: [&str; 10] = ["f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "b1"];

fn file(bytes: &[u8]) -> Verdicts {
    scratch::with(|scratch| read_all(scratch, bytes))
}

fn generated(bytes: &[u8]) -> Verdicts {
    let mut choices = Choices::new(bytes);
    let array = Generated::new(&mut choices);
    let mut file = array.encode(&mut choices);
    scratch::with(|scratch| {
        array.assert_read(scratch, &file);
        mutate(&mut file, &mut choices, &WORDS);
        read_all(scratch, &file)
    })
}

/// An array and what its file says of it.
struct Generated {
    kind: &'static str,
    big_endian: bool,
    fortran: bool,
    shape: Vec<usize>,
    /// Row by row: floats where the kind is one, else whole numbers.
    numbers: Vec<f64>,
    whole: Vec<i64>,
}

impl Generated {
    fn new(choices: &mut Choices) -> Generated {
        let kind = choices.pick(&KINDS);
        let axes = choices.below(4);
        let shape: Vec<usize> = (0..axes).map(|_| choices.below(8)).collect();
        let count = shape.iter().product();
        let (mut numbers, mut whole) = (Vec::new(), Vec::new());
        for _ in 0..count {
            whole.push(integer(choices, kind));
            numbers.push(float(choices, kind));
        }
        let (big_endian, fortran) = (choices.one_in(2), choices.one_in(2));
        Generated { kind, big_endian, fortran, shape, numbers, whole }
    }

    fn is_float(&self) -> bool {
        self.kind.starts_with('f')
    }

    fn encode(&self, choices: &mut Choices) -> Vec<u8> {
        let order = match (size(self.kind), self.big_endian) {
            (1, _) => '|',
            (_, true) => '>',
            (_, false) => '<',
        };
        let axes: Vec<String> = self.shape.iter().map(|axis| format!("{axis},")).collect();
        let (kind, fortran) = (self.kind, if self.fortran { "True" } else { "False" });
        let axes = axes.join(" ");
        let header = format!(
            "{{'descr': '{order}{kind}', 'fortran_order': {fortran}, 'shape': ({axes}), }}"
        );
        let mut file = with_header(&header, choices.pick(&[1, 1, 2, 3]));
        for index in 0..self.whole.len() {
            let index = if self.fortran { row_major(index, &self.shape) } else { index };
            let mut bytes = self.element(index);
            if self.big_endian {
                bytes.reverse();
            }
            file.extend(bytes);
        }
        file
    }

    /// A number's bytes, the lowest first.
    fn element(&self, index: usize) -> Vec<u8> {
        match self.kind {
            "f4" => (self.numbers[index] as f32).to_le_bytes().to_vec(),
            "f8" => self.numbers[index].to_le_bytes().to_vec(),
            kind => self.whole[index].to_le_bytes()[..size(kind)].to_vec(),
        }
    }

    /// Reads the file in every way that fits it, and compares each number.
    fn assert_read(&self, scratch: &Scratch, file: &[u8]) {
        let path = scratch.file("valid.npy", file);
        let field = field::read(&path).map(|(field, _)| field);
        let is_field = match self.shape[..] {
            [width] => width > 0,
            [height, width] => height * width > 0,
            [height, width, channels @ 1..=4] => height * width * channels > 0,
            _ => false,
        };
        let fits = !self.is_float() && self.fits(32, self.kind.starts_with(['u', 'b']));
        let fits = fits || self.is_float() && self.fits_single();
        assert_eq!(
            field.is_ok(),
            is_field && fits,
            "{}{:?} {:?}",
            self.kind,
            self.shape,
            field.err()
        );
        if let Ok(field) = field {
            let [height, width, channels] = match self.shape[..] {
                [width] => [1, width, 1],
                [height, width] => [height, width, 1],
                _ => [self.shape[0], self.shape[1], self.shape[2]],
            };
            let extent = field.extent();
            assert_eq!((extent.width as usize, extent.height as usize), (width, height));
            assert_eq!(field.channels(), channels);
            assert_eq!(field.values().len(), self.whole.len());
            match field.values() {
                Values::F32(got) => {
                    assert!(got.iter().zip(&self.numbers).all(|(a, b)| same(*a, *b as f32)))
                }
                Values::I32(got) => {
                    assert!(got.iter().zip(&self.whole).all(|(a, b)| i64::from(*a) == *b))
                }
                Values::U32(got) => {
                    assert!(got.iter().zip(&self.whole).all(|(a, b)| i64::from(*a) == *b))
                }
            }
        }
        let known = !matches!(self.kind, "u2" | "u4" | "b1");
        let exact = self.whole.iter().all(|&whole| whole as f32 as i128 == i128::from(whole));
        let single = if self.is_float() { self.fits_single() } else { known && exact };
        let array = npy::read(&path);
        assert_eq!(array.is_ok(), single, "{:?}", array.err());
        if let Ok(array) = array {
            assert_eq!((&array.shape, array.data.len()), (&self.shape, self.whole.len()));
            for (got, index) in array.data.iter().zip(0..) {
                let want = if self.is_float() {
                    self.numbers[index] as f32
                } else {
                    self.whole[index] as f32
                };
                assert!(same(*got, want), "{got} for {want}");
            }
        }
        let double = npy::read_f64(&path);
        let exact = self.whole.iter().all(|&whole| whole as f64 as i128 == i128::from(whole));
        assert_eq!(double.is_ok(), self.is_float() || known && exact, "{:?}", double.err());
        if let Ok(array) = double {
            assert_eq!((&array.shape, array.data.len()), (&self.shape, self.whole.len()));
            for (got, index) in array.data.iter().zip(0..) {
                let want = match self.kind {
                    "f4" => f64::from(self.numbers[index] as f32),
                    "f8" => self.numbers[index],
                    _ => self.whole[index] as f64,
                };
                assert!(got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan());
            }
        }
        let (matrix, integer) = (self.shape.len() == 2, known && !self.is_float());
        let short = npy::read_matrix::<i16>(&path).map(|(read, _)| read);
        assert_eq!(short.is_ok(), matrix && integer && self.fits(16, false));
        if let Ok(read) = short {
            assert_eq!(read.elements().len(), self.whole.len());
            assert!(read.elements().iter().zip(&self.whole).all(|(a, b)| i64::from(*a) == *b));
        }
    }

    fn fits(&self, bits: u32, unsigned: bool) -> bool {
        let bound = 1_i64 << (bits - 1);
        let range = if unsigned { 0..2 * bound } else { -bound..bound };
        self.whole.iter().all(|whole| range.contains(whole))
    }

    fn fits_single(&self) -> bool {
        self.numbers.iter().all(|number| !number.is_finite() || (*number as f32).is_finite())
    }
}

fn size(kind: &str) -> usize {
    kind[1..].parse().unwrap()
}

/// A whole number of a type's range, often at its ends.
fn integer(choices: &mut Choices, kind: &str) -> i64 {
    let bits = 8 * size(kind) as u32;
    let wide = match choices.below(4) {
        0 => choices.below(4) as i64 - 1,
        1 => i64::MAX >> choices.below(64),
        2 => i64::MIN >> choices.below(64),
        _ => choices.bits() as i64,
    };
    match &kind[..1] {
        "b" => wide & 1,
        "u" => wide & ((1 << bits) - 1),
        // The lowest bits with the sign of their highest.
        _ => wide << (64 - bits) >> (64 - bits),
    }
}

/// A float of any class; of single precision where the type is.
fn float(choices: &mut Choices, kind: &str) -> f64 {
    let special =
        [0.0, -0.0, 1.0, 0.1, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE, 3.4028235e38, 1e-45];
    let single = |choices: &mut Choices| f64::from(f32::from_bits(choices.bits() as u32));
    match choices.below(8) {
        0 if kind == "f8" => f64::from_bits(choices.bits()),
        1 | 2 => f64::from(choices.pick(&special) as f32),
        _ if kind == "f8" => single(choices) * 0.3,
        _ => single(choices),
    }
}

/// A header as NumPy writes it: the numbers begin at a multiple of 64 bytes.
fn with_header(header: &str, version: u8) -> Vec<u8> {
    let mut file = [b"\x93NUMPY".as_slice(), &[version, 0]].concat();
    let before = file.len() + if version == 1 { 2 } else { 4 };
    let length = (before + header.len() + 1).next_multiple_of(64) - before;
    match version {
        1 => file.extend((length as u16).to_le_bytes()),
        _ => file.extend((length as u32).to_le_bytes()),
    }
    let width = length - 1;
    file.extend(format!("{header:width$}\n").bytes());
    file
}

/// The index in a last-axis-fastest array of the element at a place of a first-axis-fastest one.
fn row_major(stored: usize, shape: &[usize]) -> usize {
    let mut rest = stored;
    let subscripts: Vec<usize> = shape.iter().map(|axis| (rest % axis, rest /= axis).0).collect();
    subscripts.iter().zip(shape).fold(0, |index, (subscript, axis)| index * axis + subscript)
}

fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

/// Reads any bytes in every way.
fn read_all(scratch: &Scratch, bytes: &[u8]) -> Verdicts {
    let path = scratch.file("any.npy", bytes);
    // A bool of one byte becomes four, the growing list holds three times that, and a second copy
    // turns it around.
    let limit = 32 * bytes.len() + (1 << 18);
    let array = bounded(limit, || npy::read(&path));
    if let Ok(array) = &array {
        assert_eq!(array.shape.iter().product::<usize>(), array.data.len());
        let again = scratch.path("again.npy");
        npy::write(&again, &array.shape, &array.data).unwrap();
        let again = npy::read(&again).unwrap();
        assert_eq!(again.shape, array.shape);
        assert!(again.data.iter().zip(&array.data).all(|(a, b)| same(*a, *b)));
    }
    let field = bounded(limit, || field::read(&path)).map(|(field, _)| field);
    if let Ok(field) = &field {
        assert_eq!(field.extent().texels() * field.channels(), field.values().len());
        let again = scratch.path("again.npy");
        field::write(&again, field, field::PictureOptions::default()).unwrap();
        let again = field::read(&again).unwrap().0;
        assert_eq!((again.extent(), again.channels()), (field.extent(), field.channels()));
        assert!(
            again
                .values()
                .doubles()
                .zip(field.values().doubles())
                .all(|(a, b)| a == b || a.is_nan() && b.is_nan())
        );
    }
    // Twice the bytes of 32-bit floats.
    let double = bounded(2 * limit, || npy::read_f64(&path));
    if let (Ok(array), Ok(double)) = (&array, &double) {
        assert_eq!(double.shape, array.shape);
        assert!(double.data.iter().zip(&array.data).all(|(a, b)| same(*a as f32, *b)));
    }
    let mut verdicts = Verdicts::default();
    verdicts.count(&array.as_ref().map(drop).or(field.as_ref().map(drop)));
    for error in
        [array.err(), double.err(), field.err(), bounded(limit, || vector::read(&path)).err()]
            .into_iter()
            .flatten()
    {
        assert_placed(&error, "any.npy");
    }
    read_matrix::<f32>(&path, limit);
    read_matrix::<i16>(&path, limit);
    read_matrix::<i32>(&path, limit);
    verdicts
}

fn read_matrix<T: Number>(path: &std::path::Path, limit: usize) {
    let part = bounded(limit, || {
        let mut reader = npy::Reader::open(path)?;
        let (rows, cols) = match *reader.shape() {
            [rows, cols] => (rows, cols),
            _ => (0, 0),
        };
        reader.rectangle::<T>(0..rows, 0..cols)
    });
    if let Err(error) = &part {
        assert_placed(error, "any.npy");
    }
    let whole = bounded(limit, || npy::read_matrix::<T>(path));
    assert_eq!(part.is_ok(), whole.is_ok(), "{:?} but {:?}", part.err(), whole.err());
    match whole {
        Ok((matrix, _)) => {
            let again = path.with_file_name("matrix.npy");
            npy::write_matrix(&again, &matrix).unwrap();
            let again: Matrix<T> = npy::read_matrix(&again).unwrap().0;
            assert_eq!(again.shape(), matrix.shape());
            let bytes = |matrix: &Matrix<T>| {
                matrix.elements().iter().map(|x| x.to_f64().to_bits()).collect::<Vec<_>>()
            };
            assert_eq!(bytes(&again), bytes(&matrix));
            assert_eq!(part.map(|(part, _)| bytes(&part)).unwrap(), bytes(&matrix));
        }
        Err(error) => assert_placed(&error, "any.npy"),
    }
}

/// An error names its file, in its place and in its text.
pub(super) fn assert_placed(error: &io::Error, name: &str) {
    let place = error.place().unwrap_or_else(|| panic!("no place: {error}"));
    assert!(place.file.ends_with(name) && error.to_string().starts_with(&place.file), "{error}");
}
