//! Which nodes of a graph can come back to themselves: by strongly connected components (Tarjan
//! 1972), with a stack of our own.

/// Of the first `n` nodes; edges to others are ignored.
pub fn cycles(succs: &[Vec<usize>], n: usize) -> Vec<bool> {
    let mut index = vec![usize::MAX; n];
    let mut low = vec![0; n];
    let mut on_stack = vec![false; n];
    let (mut stack, mut next, mut cyclic) = (Vec::new(), 0, vec![false; n]);
    for root in 0..n {
        if index[root] != usize::MAX {
            continue;
        }
        let mut todo = vec![(root, 0)];
        while let Some((at, edge)) = todo.last().copied() {
            if edge == 0 {
                (index[at], low[at]) = (next, next);
                next += 1;
                stack.push(at);
                on_stack[at] = true;
            }
            if let Some(&to) = succs[at].get(edge) {
                if let Some(top) = todo.last_mut() {
                    top.1 += 1;
                }
                if to < n && index[to] == usize::MAX {
                    todo.push((to, 0));
                } else if to < n && on_stack[to] {
                    low[at] = low[at].min(index[to]);
                }
                continue;
            }
            todo.pop();
            if let Some(&(parent, _)) = todo.last() {
                low[parent] = low[parent].min(low[at]);
            }
            if low[at] == index[at] {
                let start = stack.iter().rposition(|&it| it == at).unwrap_or(0);
                let component = stack.split_off(start);
                let is_cycle = component.len() > 1 || succs[at].contains(&at);
                for node in component {
                    on_stack[node] = false;
                    cyclic[node] = is_cycle;
                }
            }
        }
    }
    cyclic
}
