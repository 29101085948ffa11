//! Alignments that declarations ask for, and what `_Alignof` and `__alignof__` say.

use super::Lowered;
use super::scope::{Entity, Global, Home};
use super::state::Lower;
use crate::syntax::ast::{Alignment, Attributes, Expr, ExprKind};
use crate::types::{CType, TypeKind};
use hardbop_diag::codes;

/// What `aligned` without a number means.
const LARGEST: u64 = 16;

impl Lower<'_> {
    /// The strictest alignment that attributes ask for, in bytes.
    pub fn alignment(&mut self, attributes: &Attributes) -> Lowered<Option<u64>> {
        let mut strictest = None;
        for asked in &attributes.aligned {
            let align = match asked {
                Alignment::Largest => LARGEST,
                Alignment::OfType(name) => {
                    let ctype = self.type_name(name)?;
                    self.types.field_align(&ctype)
                }
                Alignment::Bytes(expr) => match u64::try_from(self.const_int(expr)?) {
                    // `_Alignas(0)` asks for nothing.
                    Ok(0) => continue,
                    Ok(align) if align.is_power_of_two() && align <= 1 << 28 => align,
                    _ => return self.error(codes::c::TYPE, expr.span, "this is no alignment"),
                },
            };
            strictest = strictest.max(Some(align));
        }
        Ok(strictest)
    }

    /// The type of a typedef: an alignment that is asked for takes the place of the type's own.
    pub fn typedef_type(&mut self, mut ctype: CType, attributes: &Attributes) -> Lowered<CType> {
        if let (true, TypeKind::Record(id)) = (attributes.is_transparent, &ctype.kind) {
            self.types.records[*id].is_transparent = true;
        }
        if let Some(align) = self.alignment(attributes)? {
            ctype.align = align as u32;
        }
        Ok(ctype)
    }

    /// Takes note of the alignment a variable has by its type and asks for. Soundness: of two that a
    /// type may have, the weaker one.
    pub fn note_alignment(
        &mut self,
        home: Home,
        ctype: &CType,
        attributes: &Attributes,
    ) -> Lowered<()> {
        let asked = self.alignment(attributes)?;
        if let Some(align) = asked {
            let known = self.alignments.entry(home).or_default();
            *known = align.max(*known);
        }
        if let Home::Object(object) | Home::Own(object) = home {
            let align = self.types.field_align(ctype).max(asked.unwrap_or(1));
            let known = &mut self.program.objects[object].align;
            if align.is_power_of_two() {
                *known = align.max(*known);
            }
        }
        Ok(())
    }

    /// `__alignof__` of an expression: that of the variable or member it names, or of its type.
    pub fn align_of_expr(&mut self, of: &Expr) -> Lowered<u64> {
        let ctype = self.type_of(of)?;
        let natural = self.types.align(&ctype);
        match &of.kind {
            ExprKind::Ident(name) => {
                let home = match self.lookup(name) {
                    Some(Entity::Var { home, .. }) => Some(*home),
                    Some(Entity::Global { link }) => match self.globals.get(link) {
                        Some(Global::Var { home, .. }) => Some(*home),
                        _ => None,
                    },
                    _ => None,
                };
                let asked = home.and_then(|it| self.alignments.get(&it)).copied();
                Ok(asked.map_or(natural, |it| it.max(natural)))
            }
            ExprKind::Member { of, field, is_arrow } => {
                let record = self.type_of(of)?;
                let record = match is_arrow {
                    true => record.pointee().cloned().unwrap_or(record),
                    false => record,
                };
                let TypeKind::Record(id) = record.kind else { return Ok(natural) };
                Ok(self.types.field(id, field).map_or(natural, |it| it.1.align))
            }
            _ => Ok(natural),
        }
    }
}
