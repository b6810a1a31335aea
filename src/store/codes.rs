//! The conversion between ids, kinds and lists of `model` and SQLite values.
//!
//! An unknown code is an error of the conversion, which the caller treats as damage.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

use crate::model::{Basis, EntityId, EntityKind, FileId, RelationshipKind};

/// 64 bits that are not a number to compare (a hash, an inode): kept by bit cast in SQLite's signed integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bits(pub(super) u64);

impl ToSql for Bits {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(self.0.cast_signed()))
    }
}

impl FromSql for Bits {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_i64().map(|bits| Bits(bits.cast_unsigned()))
    }
}

macro_rules! id_column {
    ($id:ident) => {
        impl ToSql for $id {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(ToSqlOutput::from(self.0))
            }
        }

        impl FromSql for $id {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                u32::column_result(value).map($id)
            }
        }
    };
}

id_column!(FileId);
id_column!(EntityId);

macro_rules! code_column {
    ($word:ident) => {
        impl ToSql for $word {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(ToSqlOutput::from(*self as u8))
            }
        }

        impl FromSql for $word {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                let code = value.as_i64()?;
                u8::try_from(code).ok().and_then($word::from_code).ok_or(FromSqlError::OutOfRange(code))
            }
        }
    };
}

code_column!(EntityKind);
code_column!(RelationshipKind);
code_column!(Basis);

/// One decorator a line; the lines after a decorator's first start with a space.
pub(super) fn join_decorators(decorators: &[String]) -> String {
    let mut text = String::new();
    for (index, decorator) in decorators.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        text.push_str(&decorator.replace('\n', "\n "));
    }
    text
}

/// The inverse of `join_decorators`.
pub(super) fn split_decorators(text: &str) -> Vec<String> {
    let mut decorators: Vec<String> = Vec::new();
    for line in text.split('\n').filter(|_| !text.is_empty()) {
        match (line.strip_prefix(' '), decorators.last_mut()) {
            (Some(rest), Some(decorator)) => {
                decorator.push('\n');
                decorator.push_str(rest);
            }
            _ => decorators.push(line.to_owned()),
        }
    }
    decorators
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decorators_survive_line_breaks() {
        for decorators in [vec![], vec!["a"], vec!["a", "b(1)"], vec!["p(\n  1,\n\n 2)", "x.setter"]] {
            let decorators: Vec<String> = decorators.into_iter().map(str::to_owned).collect();
            assert_eq!(split_decorators(&join_decorators(&decorators)), decorators);
        }
    }
}
