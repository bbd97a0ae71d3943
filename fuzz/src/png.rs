//! A writer of PNG files that shares nothing with the reader: stored blocks, no compression.

/// A picture as its file holds it.
pub struct Png {
    pub width: u32,
    pub height: u32,
    pub bits: u8,
    /// 0 grey, 2 colours, 3 a palette, 4 grey with alpha, 6 colours with alpha.
    pub colour: u8,
    /// Red, green and blue of each colour of a palette.
    pub palette: Vec<[u8; 3]>,
    /// Samples row by row, each below 2 to the power of `bits`.
    pub samples: Vec<u16>,
    /// The filter of each row, 0 to 4, again and again.
    pub filters: Vec<u8>,
}

impl Png {
    /// Samples of a pixel.
    pub fn channels(&self) -> usize {
        match self.colour {
            0 | 3 => 1,
            4 => 2,
            2 => 3,
            _ => 4,
        }
    }

    /// The chunks in the order of the file.
    pub fn chunks(&self) -> Vec<([u8; 4], Vec<u8>)> {
        let sizes = [self.width.to_be_bytes(), self.height.to_be_bytes()].concat();
        let header = [&sizes[..], &[self.bits, self.colour, 0, 0, 0]].concat();
        let mut chunks = vec![(*b"IHDR", header)];
        if self.colour == 3 {
            chunks.push((*b"PLTE", self.palette.concat()));
        }
        chunks.push((*b"IDAT", stored(&self.rows())));
        chunks.push((*b"IEND", Vec::new()));
        chunks
    }

    /// The rows, each filtered by the row above it, with the filter's number in front.
    fn rows(&self) -> Vec<u8> {
        let length = self.width as usize * self.channels();
        let pixel = (self.channels() * usize::from(self.bits)).div_ceil(8);
        let mut above = vec![0; (length * usize::from(self.bits)).div_ceil(8)];
        let mut rows = Vec::new();
        for (samples, filter) in self.samples.chunks(length).zip(self.filters.iter().cycle()) {
            let row = packed(samples, self.bits);
            rows.push(*filter);
            rows.extend(filtered(&row, &above, pixel, *filter));
            above = row;
        }
        rows
    }
}

/// The file of these chunks, each with the checksum of what it holds.
pub fn file(chunks: &[([u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, data) in chunks {
        let checked = [&name[..], data].concat();
        file.extend((data.len() as u32).to_be_bytes());
        file.extend(&checked);
        file.extend(crc(&checked).to_be_bytes());
    }
    file
}

/// Samples of 1 to 16 bits, the first one highest in its byte.
fn packed(samples: &[u16], bits: u8) -> Vec<u8> {
    match bits {
        16 => samples.iter().flat_map(|sample| sample.to_be_bytes()).collect(),
        8 => samples.iter().map(|&sample| sample as u8).collect(),
        bits => {
            let in_byte = usize::from(8 / bits);
            let byte = |samples: &[u16]| {
                let shifts = (0..in_byte).map(|place| 8 - usize::from(bits) * (place + 1));
                samples.iter().zip(shifts).map(|(sample, shift)| (sample << shift) as u8).sum()
            };
            samples.chunks(in_byte).map(byte).collect()
        }
    }
}

fn filtered(row: &[u8], above: &[u8], pixel: usize, filter: u8) -> Vec<u8> {
    let at = |row: &[u8], index: Option<usize>| index.map_or(0, |index| row[index]);
    let predict = |index: usize| {
        let before = index.checked_sub(pixel);
        let (a, b, c) = (at(row, before), above[index], at(above, before));
        match filter {
            0 => 0,
            1 => a,
            2 => b,
            3 => ((u16::from(a) + u16::from(b)) / 2) as u8,
            _ => paeth(a, b, c),
        }
    };
    (0..row.len()).map(|index| row[index].wrapping_sub(predict(index))).collect()
}

fn paeth(a: u8, b: u8, c: u8) -> u8 {
    let [x, y, z] = [a, b, c].map(i16::from);
    let estimate = x + y - z;
    let [pa, pb, pc] = [x, y, z].map(|number| (estimate - number).abs());
    if pa <= pb && pa <= pc {
        a
    } else if pb <= pc {
        b
    } else {
        c
    }
}

/// A zlib stream of stored blocks.
fn stored(data: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let mut blocks = data.chunks(0xffff).peekable();
    while let Some(block) = blocks.next() {
        let length = block.len() as u16;
        stream.push(u8::from(blocks.peek().is_none()));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(block);
    }
    let (mut low, mut high) = (1_u32, 0_u32);
    for byte in data {
        low = (low + u32::from(*byte)) % 65521;
        high = (high + low) % 65521;
    }
    stream.extend((high << 16 | low).to_be_bytes());
    stream
}

fn crc(data: &[u8]) -> u32 {
    !data.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 }
        })
    })
}
