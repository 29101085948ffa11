//! Memory of a known, small size: a list of terms, read through a multiplexer over the bits of the
//! index and written element by element. This is what most C objects become.

use crate::pool::Terms;
use crate::term::TermId;

impl Terms {
    /// `elements[index]`, or `beyond` where the index is no position of the list.
    pub fn read_vector(&mut self, elements: &[TermId], index: TermId, beyond: TermId) -> TermId {
        let width = self.width(index);
        if let Some(index) = self.as_const(index) {
            let found = usize::try_from(index).ok().and_then(|at| elements.get(at));
            return found.copied().unwrap_or(beyond);
        }
        // The lowest bit decides between neighbours, the next between pairs, and so on: the layers
        // of a balanced tree, whatever equal elements fall together on the way.
        let mut layer = elements.to_vec();
        let mut used_bits = 0;
        while layer.len() > 1 && used_bits < width {
            let bit = self.extract(index, used_bits, used_bits);
            layer = layer
                .chunks(2)
                .map(|pair| self.ite(bit, *pair.get(1).unwrap_or(&beyond), pair[0]))
                .collect();
            used_bits += 1;
        }
        let Some(&found) = layer.first() else { return beyond };
        if used_bits == width {
            return found;
        }
        let above = self.extract(index, width - 1, used_bits);
        let outside = self.is_nonzero(above);
        self.ite(outside, beyond, found)
    }

    /// `elements[index] := value`; nothing where the index is no position of the list.
    pub fn write_vector(&mut self, elements: &mut [TermId], index: TermId, value: TermId) {
        let width = self.width(index);
        if let Some(index) = self.as_const(index) {
            if let Some(element) = usize::try_from(index).ok().and_then(|at| elements.get_mut(at)) {
                *element = value;
            }
            return;
        }
        for (at, element) in elements.iter_mut().enumerate() {
            let at = at as u128;
            if at > crate::word::ones(width) {
                break;
            }
            let position = self.constant(width, at);
            let here = self.eq(index, position);
            *element = self.ite(here, value, *element);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::eval::Model;
    use crate::pool::Terms;

    /// Every length, index and index width against a list of numbers.
    #[test]
    fn a_vector_of_terms_is_a_vector() {
        for (width, length) in (1..=4).flat_map(|width| (0..=10).map(move |n| (width, n))) {
            let mut terms = Terms::new();
            let index = terms.var("i", width);
            let value = terms.constant(8, 99);
            let beyond = terms.constant(8, 77);
            let elements: Vec<_> = (0..length).map(|at| terms.constant(8, at + 10)).collect();
            let read = terms.read_vector(&elements, index, beyond);
            let mut written = elements.clone();
            terms.write_vector(&mut written, index, value);
            for at in 0..1u128 << width {
                let mut model = Model::new();
                model.set_term(&terms, index, at);
                let expected = if at < length { at + 10 } else { 77 };
                assert_eq!(terms.eval(read, &model), expected, "{width} {length} {at}");
                for (i, &element) in written.iter().enumerate() {
                    let expected = if at == i as u128 { 99 } else { i as u128 + 10 };
                    assert_eq!(terms.eval(element, &model), expected, "{width} {length} {at}");
                }
            }
        }
    }
}
