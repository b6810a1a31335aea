//! Whether two pieces of code are nearly the same text, line by line.

/// Lines of a text beyond this number are not compared: the comparison takes the product of both.
const MOST_LINES: usize = 400;

/// The texts of one answer, each of which differs enough from those before.
pub struct DifferentTexts {
    /// Percentage of the lines that a near copy shares.
    percent: usize,
    texts: Vec<Vec<String>>,
}

impl DifferentTexts {
    /// No texts yet. More than 100 percent keep every text.
    pub fn new(percent: usize) -> Self {
        Self { percent, texts: Vec::new() }
    }

    /// Keeps a text unless it is a near copy of one before; says whether it was kept.
    pub fn keep(&mut self, text: &str) -> bool {
        let lines: Vec<String> =
            text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
        if !lines.is_empty() && self.texts.iter().any(|known| is_near_copy(known, &lines, self.percent)) {
            return false;
        }
        self.texts.push(lines);
        true
    }
}

/// Whether so many percent of the lines of the longer text are those of the other, in the same order.
fn is_near_copy(a: &[String], b: &[String], percent: usize) -> bool {
    let (shorter, longer) = (a.len().min(b.len()), a.len().max(b.len()));
    if longer > MOST_LINES {
        return percent <= 100 && a == b;
    }
    shorter * 100 >= longer * percent && common(a, b) * 100 >= longer * percent
}

/// The length of the longest common subsequence.
fn common(a: &[String], b: &[String]) -> usize {
    let mut above = vec![0; b.len() + 1];
    for line in a {
        let mut row = vec![0; b.len() + 1];
        for (at, other) in b.iter().enumerate() {
            row[at + 1] = if line == other { above[at] + 1 } else { above[at + 1].max(row[at]) };
        }
        above = row;
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(percent: usize, texts: &[String]) -> Vec<bool> {
        let mut different = DifferentTexts::new(percent);
        texts.iter().map(|text| different.keep(text)).collect()
    }

    #[test]
    fn a_text_with_nine_of_ten_lines_of_another_is_a_near_copy() {
        let text = |other: &[u32]| -> String {
            (0..10)
                .map(|line| if other.contains(&line) { "other\n".to_owned() } else { format!("  {line}\n\n") })
                .collect()
        };
        let texts = [text(&[]), text(&[4]), text(&[4, 5]), text(&[])];
        assert_eq!(kept(90, &texts), [true, false, true, false]);
        assert_eq!(kept(100, &texts), [true, true, true, false]);
        assert_eq!(kept(101, &texts), [true; 4]);
    }

    #[test]
    fn a_part_of_a_text_is_no_copy_of_it() {
        assert_eq!(kept(90, &["a\nb\nc\n".to_owned(), "a\nb\n".to_owned(), String::new(), String::new()]), [true; 4]);
    }
}
