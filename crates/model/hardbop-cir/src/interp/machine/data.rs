//! Values into and out of a running machine: inputs, loads, stores.

use hardbop_base::Span;

use super::{Go, Machine};
use crate::eval::mask;
use crate::interp::memory::Pointer;
use crate::interp::value::Value;
use crate::program::{Source, Stream, VarId};
use crate::ty::{FloatTy, Ty};

impl Machine<'_> {
    pub(super) fn arbitrary(&mut self, dst: VarId, source: &Source) -> Value {
        self.took.value();
        let ty = self.program.vars[dst].ty;
        if source.input().is_none() {
            return Value::zero(ty);
        }
        let chosen = self.watch.as_mut().and_then(|it| it.choose(dst, ty));
        let read = match (self.config.stdin.as_ref(), source) {
            (Some(text), Source::Byte(Stream::Stdin)) => {
                self.n_read += 1;
                Some(text.get(self.n_read - 1).map_or(0, |&byte| u128::from(byte) + 1))
            }
            (Some(text), Source::Scanned(Stream::Stdin, scan)) => {
                Some(scan.read(text, &mut self.n_read))
            }
            _ => None,
        };
        let given = match &self.config.inputs_of {
            _ if chosen.is_some() => chosen.as_ref(),
            _ if read.is_some() => read.as_ref(),
            None => self.config.inputs.get(self.inputs.len()),
            Some(by_register) => {
                let n = self.n_taken.entry(dst).or_default();
                *n += 1;
                by_register.get(&dst).and_then(|values| values.get(*n - 1))
            }
        };
        let given = given.copied().unwrap_or(0);
        let given = self.real(source, ty).unwrap_or(given);
        self.inputs.push((source.clone(), given));
        self.as_value(dst, given)
    }

    /// A value of a register by its bits.
    pub(in crate::interp) fn as_value(&self, var: VarId, given: u128) -> Value {
        match self.program.vars[var].ty {
            Ty::Int(width) => Value::Int(given & mask(width)),
            Ty::Float(FloatTy::F32) => Value::Float(f64::from(f32::from_bits(given as u32))),
            Ty::Float(_) => Value::Float(f64::from_bits(given as u64)),
            Ty::Ptr => Value::Ptr(self.memory.at_address(self.program, given as u64)),
        }
    }

    pub(super) fn load(&self, pointer: Pointer, ty: Ty, span: Span) -> Go<Value> {
        if ty == Ty::Ptr {
            let loaded = self.access(self.memory.read_pointer(self.program, pointer), span)?;
            if !loaded.is_number() && !self.memory.is_pointer(pointer) {
                self.took.address();
            }
            self.note_unwritten(pointer, u64::from(self.program.ptr_bits / 8));
            return Ok(Value::Ptr(loaded));
        }
        let size = ty.bytes(self.program.ptr_bits);
        let bytes = self.access(self.memory.read(pointer, size), span)?;
        if self.memory.has_pointers(pointer, size) {
            self.took.address();
        }
        self.note_unwritten(pointer, size);
        let mut raw = [0; 16];
        raw[..bytes.len()].copy_from_slice(bytes);
        let bits = u128::from_le_bytes(raw);
        Ok(match ty {
            Ty::Int(width) => Value::Int(bits & mask(width)),
            Ty::Float(FloatTy::F32) => Value::Float(f64::from(f32::from_bits(bits as u32))),
            _ => Value::Float(f64::from_bits(bits as u64)),
        })
    }

    fn note_unwritten(&self, pointer: Pointer, size: u64) {
        if !self.took.has_values() && self.memory.is_written(pointer, size) != Ok(true) {
            self.took.value();
        }
    }

    pub(super) fn store(&mut self, pointer: Pointer, value: Value, ty: Ty, span: Span) -> Go {
        let size = ty.bytes(self.program.ptr_bits) as usize;
        let bits = match value {
            Value::Ptr(stored) => {
                let done = self.memory.write_pointer(pointer, stored);
                return self.access(done, span);
            }
            Value::Int(bits) => bits,
            Value::Float(it) if ty == Ty::Float(FloatTy::F32) => u128::from((it as f32).to_bits()),
            Value::Float(it) => u128::from(it.to_bits()),
        };
        let done = self.memory.write(pointer, &bits.to_le_bytes()[..size]);
        self.access(done, span)
    }
}
