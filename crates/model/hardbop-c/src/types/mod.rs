//! C's types and their layout for the two data models.

mod layout;
mod record;
mod table;

pub use layout::{DataModel, FieldInfo, RecordInfo};
pub use record::{FieldSpec, RecordSpec};
pub use table::{CType, FuncType, Len, RecordId, TypeKind, Types};
