//! C's types and their layout for the two data models.

mod layout;
mod table;

pub use layout::{DataModel, FieldInfo, FieldSpec, RecordInfo};
pub use table::{CType, FuncType, Len, RecordId, TypeKind, Types};
