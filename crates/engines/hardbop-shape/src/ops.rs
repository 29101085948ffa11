//! What instructions do to a state.

use hardbop_cir::{Callee, ExprId, ObjId, Op, Program, Ty};

use crate::eval::{Need, stuck};
use crate::state::{Frame, Node, State, at};
use crate::value::{Bounds, NodeId, Value, width_of};

/// Instances of one size, with arbitrary bytes.
fn fresh(size: u64, is_heap: bool, is_const: bool) -> Node {
    Node {
        size,
        is_heap,
        is_const,
        is_alive: true,
        is_zero: false,
        fields: Default::default(),
        segment: None,
    }
}

/// Calls inside each other that are followed.
const MAX_DEPTH: usize = 24;
/// Bytes that are followed one by one: every state has a copy of them.
const MAX_BYTES: u64 = 256;

impl State {
    /// Runs an instruction; `false` if no execution comes past it. All that may need something is done before the
    /// state changes, so that it can be run again.
    pub fn run(&mut self, program: &Program, op: &Op) -> Result<bool, Need> {
        match op {
            Op::Set { dst, value } => {
                let value = self.eval(program, *value)?;
                self.set(program, *dst, value);
            }
            Op::Nondet { dst, .. } => {
                let value = self.unknown(program.vars[*dst].ty);
                self.set(program, *dst, value);
            }
            Op::Print { dst: Some(dst), .. } => {
                let value = self.unknown(program.vars[*dst].ty);
                self.set(program, *dst, value);
            }
            Op::Print { dst: None, .. } => {}
            Op::Load { dst, ptr } => {
                let ty = program.vars[*dst].ty;
                let bytes = ty.bytes(program.ptr_bits);
                let (node, offset) = self.target(program, *ptr, bytes)?;
                let value = self.read(program, node, offset, ty);
                self.set(program, *dst, value);
            }
            Op::Store { ptr, value } => {
                let ty = program.exprs.ty(*value);
                let stored = self.eval(program, *value)?;
                let (node, offset) = self.target(program, *ptr, ty.bytes(program.ptr_bits))?;
                self.write(program, node, offset, ty, stored);
            }
            Op::Copy { dst, src, size } => {
                let bytes = self.size(program, *size)?;
                let from = self.target(program, *src, bytes)?;
                let to = self.target(program, *dst, bytes)?;
                self.copy(program, to, from, bytes);
            }
            Op::Fill { dst, byte, size } => {
                let (bytes, byte) = (self.size(program, *size)?, self.eval(program, *byte)?);
                let (node, offset) = self.target(program, *dst, bytes)?;
                self.wipe(program, node, offset, bytes);
                if byte == Value::Int(0) {
                    self.zero(node, offset, bytes);
                }
            }
            Op::Repeat { dst, size, .. } => {
                let bytes = self.size(program, *size)?;
                let (node, offset) = self.target(program, *dst, bytes)?;
                self.wipe(program, node, offset, bytes);
            }
            Op::Havoc { ptr } => {
                if let Value::Ptr(_) = self.eval(program, *ptr)? {
                    let (node, _) = self.target(program, *ptr, 0)?;
                    let size = self.nodes[&node].size;
                    self.wipe(program, node, 0, size);
                } else {
                    return stuck("memory that is not known is changed");
                }
            }
            Op::Enter { object, size } => {
                let size = match size {
                    Some(size) => self.size(program, *size)?,
                    None => program.objects[*object].size.unwrap_or(0),
                };
                self.end_object(*object);
                let node = self.add_node(fresh(size, false, program.objects[*object].is_const));
                self.frame_mut().objects.insert(*object, node);
            }
            Op::Leave { object } => self.end_object(*object),
            Op::Alloc { dst, size, .. } => {
                let size = self.size(program, *size)?;
                let node = self.add_node(fresh(size, true, false));
                self.set(program, *dst, at(node));
            }
            Op::Size { dst, ptr } => {
                let value = match self.eval(program, *ptr)? {
                    Value::Ptr(ptr) if self.nodes[&ptr.node].is_alive => {
                        Value::Int(u128::from(self.nodes[&ptr.node].size))
                    }
                    Value::Ptr(_) | Value::Int(0) => Value::Int(0),
                    _ => self.unknown(program.vars[*dst].ty),
                };
                self.set(program, *dst, value);
            }
            Op::Free { ptr } => {
                let value = self.eval(program, *ptr)?;
                if !self.is_freeable(value) {
                    return stuck("a free may be invalid");
                }
                if value != Value::Int(0) {
                    let (node, _) = self.target(program, *ptr, 0)?;
                    self.end(node);
                }
            }
            Op::Assume { cond } => return self.assume(program, *cond, true),
            Op::Check { check, cond } => {
                if !self.holds(program, *cond)? {
                    let what = &program.checks[*check].message;
                    return stuck(&format!("this check is not shown to hold: {what}"));
                }
            }
            Op::Call { dst, callee: Callee::Func(func), args } => {
                if self.frames.len() >= MAX_DEPTH {
                    return stuck("calls are too deep");
                }
                let mut values = Vec::new();
                for &arg in args {
                    values.push(self.eval(program, arg)?);
                }
                let params = program.funcs[*func].params.iter().copied();
                self.frames.push(Frame {
                    func: *func,
                    block: hardbop_base::Idx::new(0),
                    at: 0,
                    registers: params.zip(values).collect(),
                    objects: Default::default(),
                    result: *dst,
                });
            }
            Op::Call { .. } => return stuck("a call through a pointer"),
            Op::Thread(_) => return stuck("a thread"),
        }
        Ok(true)
    }

    /// The running call ends.
    pub fn leave(&mut self, program: &Program, value: Option<Value>) {
        let objects: Vec<ObjId> = self.frame().objects.keys().copied().collect();
        objects.into_iter().for_each(|it| self.end_object(it));
        let frame = self.frames.pop().expect("a state has a running call");
        if let (Some(dst), false) = (frame.result, self.frames.is_empty()) {
            let value = match value {
                Some(value) => value,
                None => self.unknown(program.vars[dst].ty),
            };
            self.set(program, dst, value);
        }
    }

    fn end_object(&mut self, object: ObjId) {
        if let Some(node) = self.frame_mut().objects.remove(&object) {
            self.end(node);
        }
    }

    fn end(&mut self, node: NodeId) {
        let node = self.nodes.get_mut(&node).expect("pointers lead to nodes");
        node.is_alive = false;
        node.fields.clear();
    }

    /// A number of bytes.
    fn size(&mut self, program: &Program, size: ExprId) -> Result<u64, Need> {
        match self.eval(program, size)? {
            Value::Int(it) if it <= u128::from(u32::MAX) => Ok(it as u64),
            _ => stuck("a size is not known"),
        }
    }

    /// Where an access goes. Elements of segments become nodes first.
    fn target(
        &mut self,
        program: &Program,
        ptr: ExprId,
        bytes: u64,
    ) -> Result<(NodeId, u64), Need> {
        let Value::Ptr(ptr) = self.eval(program, ptr)? else {
            return stuck("a pointer whose value is not known is used");
        };
        let node = &self.nodes[&ptr.node];
        if !node.is_alive || !node.has(ptr.offset, bytes) {
            return stuck("an access may be invalid");
        }
        match node.segment {
            Some(_) => Err(Need::Unfold(ptr.node, ptr.end)),
            None => Ok((ptr.node, ptr.offset as u64)),
        }
    }

    fn read(&mut self, program: &Program, id: NodeId, offset: u64, ty: Ty) -> Value {
        let bytes = ty.bytes(program.ptr_bits);
        let node = &self.nodes[&id];
        let is_pointer = |ty: Ty| ty == Ty::Ptr || ty == Ty::Int(program.ptr_bits);
        let known = match node.fields.get(&offset) {
            Some(&(as_ty, value)) if as_ty == ty => Some(value),
            // A pointer and its address are kept in the same way; numbers become pointers by a cast only.
            Some(&(as_ty, Value::Int(it)))
                if is_pointer(as_ty) && is_pointer(ty) && it < crate::value::LEAST_ADDRESS =>
            {
                Some(Value::Int(it))
            }
            Some(_) => None,
            None if self.overlapping(program, id, offset, bytes).is_empty() && node.is_zero => {
                (!matches!(ty, Ty::Float(_))).then_some(Value::Int(0))
            }
            None => None,
        };
        match (known, width_of(ty)) {
            (Some(Value::Any) | None, Some(width)) => {
                let number = self.number(Bounds::top(width));
                // Soundness: only where no other field has these bytes, which are then this number.
                let others = self.overlapping(program, id, offset, bytes);
                let is_whole = u32::from(width) == 8 * bytes as u32;
                let is_mine = others.iter().all(|&it| it == offset && known.is_some());
                if is_whole
                    && is_mine
                    && let Some(node) = self.nodes.get_mut(&id)
                {
                    node.fields.insert(offset, (ty, number));
                }
                number
            }
            (Some(value), _) => value,
            (None, None) => Value::Any,
        }
    }

    /// Offsets of the fields that have one of these bytes.
    fn overlapping(&self, program: &Program, id: NodeId, offset: u64, bytes: u64) -> Vec<u64> {
        let fields = self.nodes[&id].fields.iter();
        let is_hit =
            |at: u64, ty: Ty| at < offset + bytes && offset < at + ty.bytes(program.ptr_bits);
        fields.filter(|(at, (ty, _))| is_hit(**at, *ty)).map(|it| *it.0).collect()
    }

    /// Nothing is known of these bytes any more.
    fn wipe(&mut self, program: &Program, id: NodeId, offset: u64, bytes: u64) {
        let (ptr_bits, gone) = (program.ptr_bits, self.overlapping(program, id, offset, bytes));
        let Some(node) = self.nodes.get_mut(&id) else { return };
        // What is left of a field that is hit in part is unknown, too.
        let mut parts = vec![(offset, bytes)];
        for at in gone {
            if let Some((ty, _)) = node.fields.remove(&at) {
                parts.push((at, ty.bytes(ptr_bits)));
            }
        }
        if parts.iter().map(|it| it.1).sum::<u64>() > MAX_BYTES {
            node.is_zero = false;
        }
        if node.is_zero {
            for (at, bytes) in parts {
                for byte in at..at + bytes {
                    node.fields.insert(byte, (Ty::Int(8), Value::Any));
                }
            }
        }
    }

    /// All of these bytes, of which nothing is known, become zero; of many nothing is known later, either.
    fn zero(&mut self, id: NodeId, offset: u64, bytes: u64) {
        let Some(node) = self.nodes.get_mut(&id) else { return };
        if offset == 0 && bytes == node.size {
            node.fields.clear();
            node.is_zero = true;
        } else if bytes <= MAX_BYTES {
            for byte in offset..offset + bytes {
                node.fields.insert(byte, (Ty::Int(8), Value::Int(0)));
            }
        }
    }

    pub(crate) fn write(
        &mut self,
        program: &Program,
        id: NodeId,
        offset: u64,
        ty: Ty,
        value: Value,
    ) {
        let bytes = ty.bytes(program.ptr_bits);
        self.wipe(program, id, offset, bytes);
        let node = self.nodes.get_mut(&id).expect("pointers lead to nodes");
        for byte in offset..offset + bytes {
            node.fields.remove(&byte);
        }
        node.fields.insert(offset, (ty, value));
    }

    /// Fields that lie inside are copied, of the others nothing is known.
    fn copy(&mut self, program: &Program, to: (NodeId, u64), from: (NodeId, u64), bytes: u64) {
        let source = &self.nodes[&from.0];
        let (end, is_zero) = (from.1 + bytes, source.is_zero);
        let inside = |at: u64, ty: Ty| at >= from.1 && at + ty.bytes(program.ptr_bits) <= end;
        let hit = self.overlapping(program, from.0, from.1, bytes);
        let fields: Vec<(u64, Ty, Value)> =
            hit.iter().map(|at| (*at, source.fields[at].0, source.fields[at].1)).collect();
        let all_inside = fields.iter().all(|it| inside(it.0, it.1));
        self.wipe(program, to.0, to.1, bytes);
        if is_zero && all_inside {
            self.zero(to.0, to.1, bytes);
        }
        for (at, ty, value) in fields.into_iter().filter(|it| inside(it.0, it.1)) {
            self.write(program, to.0, at - from.1 + to.1, ty, value);
        }
    }
}
