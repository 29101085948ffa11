//! Values and places in C notation.

use super::memory::{Base, Memory, Pointer};
use super::value::Value;
use crate::eval::signed;
use crate::program::{Program, Shape};
use crate::ty::Ty;

/// A value of a type; `is_signed` says how the source reads numbers.
pub fn value(program: &Program, memory: &Memory, value: Value, ty: Ty, is_signed: bool) -> String {
    match (value, ty) {
        (Value::Int(bits), Ty::Int(width)) if is_signed && width > 1 => {
            signed(bits, width).to_string()
        }
        (Value::Int(bits), _) => bits.to_string(),
        (Value::Float(it), _) => format!("{it:?}"),
        (Value::Ptr(Pointer { base: Base::None, offset: 0 }), _) => "NULL".into(),
        (Value::Ptr(Pointer { base: Base::None, offset }), _) => format!("(void *){offset:#x}"),
        (Value::Ptr(Pointer { base: Base::Func(func), .. }), _) => {
            format!("&{}", program.funcs[func].name)
        }
        (Value::Ptr(Pointer { base: Base::Instance(id), offset: 0 }), _)
            if memory.instances[id as usize].is_heap =>
        {
            // What `malloc` returned is the whole, not its first field.
            format!("&{}", name(program, memory, id))
        }
        (Value::Ptr(pointer), _) => format!("&{}", place(program, memory, pointer)),
    }
}

/// What a pointer points to, such as `list[3].next`.
pub fn place(program: &Program, memory: &Memory, pointer: Pointer) -> String {
    let Base::Instance(id) = pointer.base else { return format!("*{:#x}", pointer.offset) };
    let shape = &program.objects[memory.instances[id as usize].object].shape;
    name(program, memory, id) + &path(shape, pointer.offset)
}

fn name(program: &Program, memory: &Memory, id: u32) -> String {
    let instance = &memory.instances[id as usize];
    let info = &program.objects[instance.object];
    match instance.is_heap {
        // Instances of one site are told apart by their number.
        true => {
            let before = &memory.instances[..id as usize];
            match before.iter().filter(|it| it.object == instance.object).count() {
                0 => info.name.to_string(),
                n => format!("{}#{}", info.name, n + 1),
            }
        }
        false => info.name.to_string(),
    }
}

fn path(shape: &Shape, offset: u64) -> String {
    match shape {
        Shape::Array { element, stride, len } if *stride > 0 && offset / stride < *len => {
            format!("[{}]{}", offset / stride, path(element, offset % stride))
        }
        Shape::Record(fields) => {
            let field = fields.iter().rev().find(|it| it.1 <= offset);
            match field {
                Some((name, start, shape)) => format!(".{name}{}", path(shape, offset - start)),
                None => bytes(offset),
            }
        }
        _ => bytes(offset),
    }
}

fn bytes(offset: u64) -> String {
    if offset == 0 { String::new() } else { format!("@{}", offset as i64) }
}
