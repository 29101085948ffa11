//! Strongly connected components: Tarjan, "Depth-first search and linear graph algorithms" (SIAM
//! J. Comput. 1972), with an explicit stack.

use super::lists::Lists;

/// The components, each after all that it leads to. Members are in the order of discovery.
pub(crate) fn components(succ: &Lists<u32>) -> Lists<u32> {
    const UNSEEN: u32 = u32::MAX;
    let n = succ.len();
    let mut number = vec![UNSEEN; n];
    // The smallest number known to be reachable; `UNSEEN` once the component is complete.
    let mut low = vec![UNSEEN; n];
    let mut found = 0;
    let (mut open, mut stack): (Vec<u32>, Vec<(u32, u32)>) = (Vec::new(), Vec::new());
    let mut components = Lists::new();
    for root in 0..n as u32 {
        if number[root as usize] == UNSEEN {
            stack.push((root, 0));
        }
        while let Some((node, next)) = stack.last_mut() {
            let (at, step) = (*node as usize, *next as usize);
            if step == 0 {
                (number[at], low[at]) = (found, found);
                found += 1;
                open.push(*node);
            }
            if let Some(&to) = succ.of(at).get(step) {
                *next += 1;
                if number[to as usize] == UNSEEN {
                    stack.push((to, 0));
                } else if low[to as usize] != UNSEEN {
                    low[at] = low[at].min(number[to as usize]);
                }
                continue;
            }
            stack.pop();
            if low[at] == number[at] {
                let start = open.iter().rposition(|&it| it as usize == at).unwrap_or(0);
                components.push(&open[start..]);
                for member in open.drain(start..) {
                    low[member as usize] = UNSEEN;
                }
            } else if let Some(&(parent, _)) = stack.last() {
                low[parent as usize] = low[parent as usize].min(low[at]);
            }
        }
    }
    components
}
