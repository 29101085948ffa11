//! Graphs as lists of successors, walked with a stack of our own.

/// What can be reached from `root`, each node after all that it leads to first.
pub fn post_order(succs: &[Vec<usize>], root: usize) -> Vec<usize> {
    let mut seen = vec![false; succs.len()];
    seen[root] = true;
    let (mut order, mut todo) = (Vec::new(), vec![(root, 0)]);
    while let Some((at, next)) = todo.last_mut() {
        match succs[*at].get(*next) {
            Some(&to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    todo.push((to, 0));
                }
            }
            None => {
                order.push(*at);
                todo.pop();
            }
        }
    }
    order
}

/// Which of the first `n` nodes can come back to themselves, by strongly connected components (Tarjan
/// 1972); edges to others are ignored.
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
