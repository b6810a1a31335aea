//! Numbers in columns: like numbers stand side by side, which keeps them short and packs them well.
//!
//! One description of a table serves both directions. It passes each field of each row to a [`Coder`], which writes
//! the field ([`Writer`]) or sets it ([`Reader`]). Damaged bytes give wrong numbers and a reader that reports damage,
//! never a panic.

/// Takes the numbers of a table, one after the other.
pub trait Coder {
    /// A number that is small by itself.
    fn plain(&mut self, column: usize, value: &mut u32);
    /// The length of a list, on whose items the coder will be called at least as often.
    fn length(&mut self, column: usize, length: usize) -> usize;

    /// A number near `to`.
    fn near(&mut self, column: usize, to: u32, value: &mut u32) {
        let mut distance = zigzag(value.wrapping_sub(to));
        self.plain(column, &mut distance);
        *value = to.wrapping_add(unzigzag(distance));
    }

    /// A number that may be `u32::MAX` for "none".
    fn optional(&mut self, column: usize, value: &mut u32) {
        let mut shifted = value.wrapping_add(1);
        self.plain(column, &mut shifted);
        *value = shifted.wrapping_sub(1);
    }

    /// A truth.
    fn truth(&mut self, column: usize, value: &mut bool) {
        let mut number = u32::from(*value);
        self.plain(column, &mut number);
        *value = number != 0;
    }

    /// One of a few words.
    fn word<T: Copy + PartialEq>(&mut self, column: usize, words: &[T], value: &mut T) {
        let place = words.iter().position(|word| word == value).unwrap_or(0);
        let mut place = u32::try_from(place).expect("a few words");
        self.plain(column, &mut place);
    }
}

/// A small number for a difference near zero on either side.
fn zigzag(difference: u32) -> u32 {
    (difference << 1) ^ 0_u32.wrapping_sub(difference >> 31)
}

fn unzigzag(number: u32) -> u32 {
    (number >> 1) ^ 0_u32.wrapping_sub(number & 1)
}

/// Writes columns.
pub struct Writer {
    columns: Vec<Vec<u8>>,
}

impl Writer {
    /// Empty columns.
    pub fn new(columns: usize) -> Writer {
        Writer { columns: vec![Vec::new(); columns] }
    }

    /// The columns, one behind the other.
    pub fn finish(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.columns.iter().map(|column| column.len() + 4).sum());
        for column in &self.columns {
            put(u32::try_from(column.len()).expect("a file's facts are less than 4 GiB"), &mut bytes);
        }
        bytes.extend(self.columns.into_iter().flatten());
        bytes
    }
}

impl Coder for Writer {
    fn plain(&mut self, column: usize, value: &mut u32) {
        put(*value, &mut self.columns[column]);
    }

    fn length(&mut self, column: usize, length: usize) -> usize {
        put(u32::try_from(length).expect("a list in a file has fewer than 2^32 items"), &mut self.columns[column]);
        length
    }
}

/// Seven bits a byte, the least significant first, all but the last marked.
fn put(mut number: u32, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

fn get(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Reads columns.
pub struct Reader<'b> {
    columns: Vec<&'b [u8]>,
    /// Bytes not read yet: no list is longer.
    left: usize,
    is_damaged: bool,
}

impl<'b> Reader<'b> {
    /// Reads the bytes of [`Writer::finish`]; `None` for bytes that it cannot have written.
    pub fn new(columns: usize, mut bytes: &'b [u8]) -> Option<Reader<'b>> {
        let lengths = (0..columns).map(|_| get(&mut bytes)).collect::<Option<Vec<u32>>>()?;
        let left = bytes.len();
        let mut columns = Vec::with_capacity(lengths.len());
        for length in lengths {
            let (column, rest) = bytes.split_at_checked(length as usize)?;
            columns.push(column);
            bytes = rest;
        }
        bytes.is_empty().then_some(Reader { columns, left, is_damaged: false })
    }

    /// Whether everything was there that has been asked for.
    pub fn is_sound(&self) -> bool {
        !self.is_damaged
    }

    /// Whether everything was there, and has been read.
    pub fn is_whole(&self) -> bool {
        self.is_sound() && self.columns.iter().all(|column| column.is_empty())
    }
}

impl Coder for Reader<'_> {
    #[inline]
    fn plain(&mut self, column: usize, value: &mut u32) {
        let bytes = &mut self.columns[column];
        // Most numbers are one byte long.
        if let [byte @ 0..0x80, rest @ ..] = *bytes {
            *value = u32::from(*byte);
            *bytes = rest;
            return;
        }
        match get(bytes) {
            Some(number) => *value = number,
            None => {
                *value = 0;
                self.is_damaged = true;
            }
        }
    }

    fn word<T: Copy + PartialEq>(&mut self, column: usize, words: &[T], value: &mut T) {
        let mut place = 0;
        self.plain(column, &mut place);
        *value = words.get(place as usize).copied().unwrap_or(words[0]);
    }

    fn length(&mut self, column: usize, _: usize) -> usize {
        let mut length = 0;
        self.plain(column, &mut length);
        if self.is_damaged || length as usize > self.left {
            self.is_damaged = true;
            return 0;
        }
        length as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NUMBERS: [u32; 9] = [0, 1, 127, 128, 300, 1 << 20, 1 << 31, u32::MAX - 1, u32::MAX];

    fn describe(coder: &mut impl Coder, rows: &mut Vec<(u32, u32, u32, bool)>) {
        let length = coder.length(0, rows.len());
        rows.resize(length, (0, 0, 0, false));
        for (plain, near, optional, truth) in rows {
            coder.plain(1, plain);
            coder.near(2, *plain, near);
            coder.optional(3, optional);
            coder.truth(0, truth);
        }
    }

    #[test]
    fn rows_come_back() {
        let mut rows: Vec<_> = NUMBERS.iter().flat_map(|&a| NUMBERS.map(|b| (a, b, a ^ b, a < b))).collect();
        let expected = rows.clone();
        let mut writer = Writer::new(4);
        describe(&mut writer, &mut rows);
        let bytes = writer.finish();
        let mut reader = Reader::new(4, &bytes).unwrap();
        let mut read = Vec::new();
        describe(&mut reader, &mut read);
        assert!(reader.is_whole());
        assert_eq!(read, expected);
    }

    #[test]
    fn damage_is_told_and_a_list_is_never_longer_than_its_bytes() {
        let mut writer = Writer::new(4);
        describe(&mut writer, &mut vec![(1, 2, 3, true); 40]);
        let bytes = writer.finish();
        for at in 0..bytes.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff] {
                let mut bytes = bytes.clone();
                bytes[at] = byte;
                let Some(mut reader) = Reader::new(4, &bytes) else { continue };
                let mut rows = Vec::new();
                describe(&mut reader, &mut rows);
                assert!(rows.len() <= bytes.len());
            }
        }
        assert!(Reader::new(4, &bytes[..bytes.len() - 1]).is_none());
        let mut reader = Reader::new(4, &[1, 0, 0, 0, 100]).unwrap();
        describe(&mut reader, &mut Vec::new());
        assert!(!reader.is_whole());
    }
}
