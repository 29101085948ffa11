//! Where the members of structures and unions lie, with all that attributes and `#pragma pack` do.
//!
//! The rules are those of the System V ABIs for i386 and x86-64 as GCC applies them. A member is
//! placed at the next multiple of its alignment. A bit-field takes the next free bits unless it would
//! span more units of its type's alignment than its type has; a width of 0 moves on to such a unit.
//! `packed` and `#pragma pack` lower alignments, `aligned` raises them; a pragma wins over `aligned`
//! on a member, and a packed bit-field follows the one before at once. All positions are in bits.

use hardbop_base::Name;

use super::layout::FieldInfo;
use super::table::{CType, Len, RecordId, TypeKind, Types};

const BYTE: u64 = 8;

/// A field as declared.
pub struct FieldSpec {
    pub name: Option<Name>,
    pub ctype: CType,
    pub width: Option<u8>,
    /// What `aligned` or `_Alignas` ask for it, in bytes.
    pub align: Option<u64>,
    pub is_packed: bool,
}

impl FieldSpec {
    pub fn plain(name: &str, ctype: CType) -> FieldSpec {
        FieldSpec { name: Some(name.into()), ctype, width: None, align: None, is_packed: false }
    }
}

/// What is said about a record as a whole.
#[derive(Clone, Copy, Default)]
pub struct RecordSpec {
    pub is_packed: bool,
    /// What `aligned` asks for, in bytes.
    pub align: Option<u64>,
    /// What `#pragma pack` allows a member at most, in bytes.
    pub pack: Option<u64>,
    pub is_transparent: bool,
}

struct Place {
    at: u64,
    /// Of the field itself.
    align: u64,
    /// What it asks of the record.
    raises: u64,
}

impl Types {
    /// Lays a record out; `false` if it is larger than memory.
    pub fn define(&mut self, id: RecordId, specs: Vec<FieldSpec>, record: RecordSpec) -> bool {
        let is_union = self.records[id].is_union;
        let mut fields = Vec::new();
        let (mut at, mut largest, mut align) = (0u64, 0u64, BYTE);
        // Of the bit-fields that follow each other here.
        let mut location = None;
        for spec in specs {
            let size = match (&spec.ctype.kind, self.size(&spec.ctype)) {
                (TypeKind::Array(_, Len::Unknown), _) => 0,
                (_, size) => size.unwrap_or(0),
            };
            let Some(size) = size.checked_mul(BYTE) else { return false };
            let free = if is_union { 0 } else { at };
            let Some(place) = self.place(&spec, size, record, free) else { return false };
            align = align.max(place.raises);
            at = place.at;
            location = match spec.width {
                None | Some(0) => None,
                Some(_) => location.filter(|_| !is_union).or(Some(at / BYTE)),
            };
            if spec.width != Some(0) {
                fields.push(FieldInfo {
                    name: spec.name,
                    ctype: spec.ctype,
                    offset: at / BYTE,
                    bits: spec.width.map(|width| ((at % BYTE) as u8, width)),
                    location: location.unwrap_or(at / BYTE),
                    align: place.align.div_ceil(BYTE),
                });
            }
            let Some(end) = at.checked_add(spec.width.map_or(size, u64::from)) else {
                return false;
            };
            at = end;
            largest = largest.max(at);
        }
        let align = (align / BYTE).max(record.align.unwrap_or(1));
        let Some(size) = largest.div_ceil(BYTE).checked_next_multiple_of(align) else {
            return false;
        };
        let info = &mut self.records[id];
        (info.size, info.align) = (size, align);
        info.is_transparent = record.is_transparent;
        for (at, field) in fields.iter().enumerate() {
            if let Some(name) = &field.name {
                info.by_name.entry(name.clone()).or_insert(at);
            }
            if field.name.is_some() || field.bits.is_none() {
                info.members.push(at);
            }
        }
        info.fields = Some(fields);
        true
    }

    /// The place of one field where the bits from `free` on are free; `None` beyond memory.
    fn place(&self, spec: &FieldSpec, size: u64, record: RecordSpec, free: u64) -> Option<Place> {
        // What the type asks for, and what it asks for inside of records.
        let natural = self.align(&spec.ctype) * BYTE;
        let inside = self.field_align(&spec.ctype) * BYTE;
        let pack = record.pack.map_or(u64::MAX, |it| it * BYTE);
        let asked = spec.align.map(|it| it * BYTE);
        let is_packed =
            (record.is_packed || spec.is_packed) && (spec.width.is_some() || natural > BYTE);
        let align = match (spec.width, asked) {
            (Some(0), asked) => inside.max(asked.unwrap_or(1)),
            (Some(_), asked) => asked.unwrap_or(1).min(pack),
            (None, Some(asked)) if is_packed => asked.min(pack),
            (None, None) if is_packed => BYTE.min(pack),
            (None, asked) => {
                // An alignment that is asked for on the member takes the place of the lower one
                // of the i386 for members, if it is more than the type's.
                match asked.filter(|it| *it >= natural) {
                    Some(asked) => asked.min(pack),
                    None => inside.max(asked.unwrap_or(1)).min(pack),
                }
            }
        };
        let mut at = free.checked_next_multiple_of(align)?;
        let raises = match spec.width {
            None => align,
            // Only bit-fields with a name raise the alignment of the record.
            Some(_) if spec.name.is_none() => 1,
            Some(_) if is_packed && record.pack.is_none() => BYTE.max(align),
            Some(_) => inside.min(pack).max(align),
        };
        if let Some(width @ 1..) = spec.width
            && !is_packed
            && record.pack.is_none()
        {
            let units = (at % inside + u64::from(width)).div_ceil(inside);
            if units > size / inside {
                at = at.checked_next_multiple_of(inside)?;
            }
        }
        Some(Place { at, align, raises })
    }
}
