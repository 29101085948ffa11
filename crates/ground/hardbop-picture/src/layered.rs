//! A graph in layers, after Sugiyama, Tagawa and Toda ("Methods for visual understanding of hierarchical system
//! structures", 1981): cycles are broken by a depth-first search, layers are longest paths, the order inside a
//! layer follows barycentres, long edges go through a point on each layer between.
//!
//! Departure: positions are not optimal, nodes are moved towards the mean of their neighbours a few times. The
//! same graph has the same picture, and nothing recurses: programs may be long.

/// A graph to be placed: the size of each node, and edges between their positions.
#[derive(Clone, Debug, Default)]
pub struct Unplaced {
    /// Width and height.
    pub sizes: Vec<(f64, f64)>,
    pub edges: Vec<(usize, usize)>,
}

/// Where everything is. Coordinates grow to the right and downwards.
#[derive(Clone, Debug, Default)]
pub struct Placed {
    pub width: f64,
    pub height: f64,
    /// The upper left corner of each node.
    pub corners: Vec<(f64, f64)>,
    /// The way of each edge, from the border of one node to that of the other.
    pub ways: Vec<Vec<(f64, f64)>>,
}

/// Between nodes of a layer, and around a point of a long edge.
const GAP_X: f64 = 26.0;
/// Between layers.
const GAP_Y: f64 = 34.0;
const MARGIN: f64 = 16.0;
/// Rounds over all layers for the order, and for the positions.
const ROUNDS: usize = 8;
/// Longer edges are drawn straight: a point on each layer would be more than the graph itself.
const LONGEST: usize = 400;

/// Places a graph.
pub fn place(graph: &Unplaced) -> Placed {
    if graph.sizes.is_empty() {
        return Placed { width: 2.0 * MARGIN, height: 2.0 * MARGIN, ..Placed::default() };
    }
    let downwards = downwards(graph);
    let layer_of = layers(graph.sizes.len(), &downwards);
    let mut grid = Grid::new(graph, &downwards, &layer_of);
    for round in 0..ROUNDS {
        grid.order(round % 2 == 0);
    }
    grid.space();
    grid.picture(graph, &downwards)
}

/// Each edge as it points downwards: those that close a cycle are turned round.
fn downwards(graph: &Unplaced) -> Vec<(usize, usize)> {
    let n = graph.sizes.len();
    let mut out = vec![Vec::new(); n];
    for (at, &(from, _)) in graph.edges.iter().enumerate() {
        out[from].push(at);
    }
    let mut edges = graph.edges.clone();
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; n];
    for root in 0..n {
        if marks[root] != Mark::New {
            continue;
        }
        let mut path = vec![(root, 0)];
        marks[root] = Mark::Open;
        while let Some((node, next)) = path.last_mut() {
            let Some(&edge) = out[*node].get(*next) else {
                marks[*node] = Mark::Done;
                path.pop();
                continue;
            };
            *next += 1;
            let (from, to) = graph.edges[edge];
            match marks[to] {
                Mark::New => {
                    marks[to] = Mark::Open;
                    path.push((to, 0));
                }
                Mark::Open => edges[edge] = (to, from),
                Mark::Done => {}
            }
        }
    }
    edges
}

/// The longest way to each node.
fn layers(n: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut below = vec![Vec::new(); n];
    let mut n_above = vec![0; n];
    for &(from, to) in edges.iter().filter(|it| it.0 != it.1) {
        below[from].push(to);
        n_above[to] += 1;
    }
    let mut layer = vec![0; n];
    let mut ready: Vec<usize> = (0..n).filter(|&it| n_above[it] == 0).collect();
    while let Some(node) = ready.pop() {
        for &to in &below[node] {
            layer[to] = layer[to].max(layer[node] + 1);
            n_above[to] -= 1;
            if n_above[to] == 0 {
                ready.push(to);
            }
        }
    }
    layer
}

/// Nodes and points of long edges, layer by layer.
struct Grid {
    /// Width and height of each; points come after the nodes.
    sizes: Vec<(f64, f64)>,
    layers: Vec<Vec<usize>>,
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    /// The points of each edge, from above.
    points: Vec<Vec<usize>>,
    /// The middle of each.
    x: Vec<f64>,
}

impl Grid {
    fn new(graph: &Unplaced, edges: &[(usize, usize)], layer_of: &[usize]) -> Grid {
        let n_layers = layer_of.iter().max().map_or(0, |it| it + 1);
        let mut layers = vec![Vec::new(); n_layers];
        layer_of.iter().enumerate().for_each(|(node, &layer)| layers[layer].push(node));
        let mut sizes = graph.sizes.clone();
        let mut links = Vec::new();
        let mut points = Vec::new();
        for &(from, to) in edges {
            let mut way = Vec::new();
            let (top, bottom) = (layer_of[from], layer_of[to]);
            if bottom > top && bottom - top <= LONGEST {
                let mut before = from;
                for layer in layers.iter_mut().take(bottom).skip(top + 1) {
                    let point = sizes.len();
                    sizes.push((0.0, 0.0));
                    layer.push(point);
                    links.push((before, point));
                    way.push(point);
                    before = point;
                }
                links.push((before, to));
            }
            points.push(way);
        }
        let n = sizes.len();
        let (mut above, mut below) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for (from, to) in links {
            above[to].push(from);
            below[from].push(to);
        }
        Grid { sizes, layers, above, below, points, x: vec![0.0; n] }
    }

    /// Sorts each layer by the mean position of the neighbours in the layer before; equal ones stay.
    fn order(&mut self, is_down: bool) {
        let mut position = vec![0.0; self.sizes.len()];
        for layer in &self.layers {
            layer.iter().enumerate().for_each(|(at, &it)| position[it] = at as f64);
        }
        let neighbours = if is_down { &self.above } else { &self.below };
        let n = self.layers.len();
        for step in 0..n {
            let layer = &mut self.layers[if is_down { step } else { n - 1 - step }];
            let mut keyed: Vec<(f64, usize)> = layer
                .iter()
                .map(|&it| (mean(&neighbours[it], &position).unwrap_or(position[it]), it))
                .collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            for (at, (_, it)) in keyed.into_iter().enumerate() {
                layer[at] = it;
                position[it] = at as f64;
            }
        }
    }

    /// Gives each its place: side by side first, then towards its neighbours as far as there is room.
    fn space(&mut self) {
        for layer in &self.layers {
            let mut right = 0.0;
            for &it in layer {
                self.x[it] = right + self.sizes[it].0 / 2.0;
                right += self.sizes[it].0 + GAP_X;
            }
        }
        for round in 0..2 * ROUNDS {
            let is_down = round % 2 == 0;
            let n = self.layers.len();
            for step in 0..n {
                let at = if is_down { step } else { n - 1 - step };
                self.pull(at, is_down);
            }
        }
        let left = self.x.iter().zip(&self.sizes).map(|(x, size)| x - size.0 / 2.0);
        let left = left.fold(f64::INFINITY, f64::min);
        self.x.iter_mut().for_each(|x| *x += MARGIN - left);
    }

    fn pull(&mut self, at: usize, is_down: bool) {
        let layer = &self.layers[at];
        let neighbours = if is_down { &self.above } else { &self.below };
        let wish: Vec<f64> =
            layer.iter().map(|&it| mean(&neighbours[it], &self.x).unwrap_or(self.x[it])).collect();
        let apart = |a: usize, b: usize| (self.sizes[a].0 + self.sizes[b].0) / 2.0 + GAP_X;
        // As far left as the wishes and the neighbours allow, as far right, and the middle of both.
        let (mut from_left, mut from_right) = (wish.clone(), wish);
        for i in 1..layer.len() {
            let least = from_left[i - 1] + apart(layer[i - 1], layer[i]);
            from_left[i] = from_left[i].max(least);
        }
        for i in (1..layer.len()).rev() {
            let most = from_right[i] - apart(layer[i - 1], layer[i]);
            from_right[i - 1] = from_right[i - 1].min(most);
        }
        for (i, &it) in layer.iter().enumerate() {
            self.x[it] = f64::midpoint(from_left[i], from_right[i]);
        }
    }

    fn picture(&self, graph: &Unplaced, downwards: &[(usize, usize)]) -> Placed {
        let mut middle = vec![0.0; self.sizes.len()];
        let mut y = MARGIN;
        for layer in &self.layers {
            let height = layer.iter().map(|&it| self.sizes[it].1).fold(0.0, f64::max);
            layer.iter().for_each(|&it| middle[it] = y + height / 2.0);
            y += height + GAP_Y;
        }
        let right = self.x.iter().zip(&self.sizes).map(|(x, size)| x + size.0 / 2.0);
        let right = right.fold(0.0, f64::max);
        let n = graph.sizes.len();
        let corner =
            |it: usize| (self.x[it] - self.sizes[it].0 / 2.0, middle[it] - self.sizes[it].1 / 2.0);
        let ways = graph
            .edges
            .iter()
            .zip(downwards)
            .zip(&self.points)
            .map(|((edge, down), points)| self.way(*edge, *down, points, &middle));
        Placed {
            width: right + 2.0 * MARGIN,
            height: y - GAP_Y + MARGIN,
            corners: (0..n).map(corner).collect(),
            ways: ways.collect(),
        }
    }

    fn way(
        &self,
        edge: (usize, usize),
        down: (usize, usize),
        points: &[usize],
        middle: &[f64],
    ) -> Vec<(f64, f64)> {
        let half = |it: usize| self.sizes[it].1 / 2.0;
        if edge.0 == edge.1 {
            // A loop at the right side of the node.
            let (x, y) = (self.x[edge.0] + self.sizes[edge.0].0 / 2.0, middle[edge.0]);
            let out = GAP_X * 0.6;
            return vec![(x, y - 4.0), (x + out, y - 4.0), (x + out, y + 4.0), (x, y + 4.0)];
        }
        let (top, bottom) = down;
        let mut way = vec![(self.x[top], middle[top] + half(top))];
        way.extend(points.iter().map(|&it| (self.x[it], middle[it])));
        way.push((self.x[bottom], middle[bottom] - half(bottom)));
        if edge != down {
            way.reverse();
        }
        way
    }
}

fn mean(of: &[usize], position: &[f64]) -> Option<f64> {
    let sum: f64 = of.iter().map(|&it| position[it]).sum();
    (!of.is_empty()).then(|| sum / of.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::{Placed, Unplaced, place};

    fn graph(n: usize, edges: &[(usize, usize)]) -> (Unplaced, Placed) {
        let graph = Unplaced { sizes: vec![(60.0, 20.0); n], edges: edges.to_vec() };
        let placed = place(&graph);
        (graph, placed)
    }

    /// Nothing overlaps, nothing is outside.
    fn is_clear(graph: &Unplaced, placed: &Placed) {
        for (i, &(x, y)) in placed.corners.iter().enumerate() {
            let (width, height) = graph.sizes[i];
            assert!(
                x >= 0.0 && y >= 0.0 && x + width <= placed.width && y + height <= placed.height
            );
            for &(x2, y2) in &placed.corners[..i] {
                assert!((x - x2).abs() >= width || (y - y2).abs() >= height, "{i} overlaps");
            }
        }
        for &(x, y) in placed.ways.iter().flatten() {
            assert!((0.0..=placed.width).contains(&x) && (0.0..=placed.height).contains(&y));
        }
    }

    #[test]
    fn edges_point_downwards_and_branches_stand_side_by_side() {
        let (unplaced, placed) = graph(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]);
        is_clear(&unplaced, &placed);
        let y = |it: usize| placed.corners[it].1;
        assert!(y(0) < y(1) && y(1) == y(2) && y(2) < y(3));
        let x = |it: usize| placed.corners[it].0;
        assert!((x(0) - x(3)).abs() < 1.0, "the join is below the fork");
    }

    #[test]
    fn a_loop_goes_back_up_and_ends_where_it_should() {
        let (unplaced, placed) = graph(3, &[(0, 1), (1, 2), (2, 0), (1, 1)]);
        is_clear(&unplaced, &placed);
        let back = &placed.ways[2];
        assert!(back[0].1 > back[back.len() - 1].1, "from below to above: {back:?}");
        assert_eq!(back.len(), 3, "it goes through a point beside node 1");
        assert_eq!(placed.ways[3].len(), 4);
    }

    #[test]
    fn a_long_program_and_an_empty_one_are_no_trouble() {
        let n = 20_000;
        let mut edges: Vec<_> = (1..n).map(|it| (it - 1, it)).collect();
        edges.push((n - 1, 0));
        let (_, placed) = graph(n, &edges);
        assert_eq!(placed.corners.len(), n);
        assert_eq!(graph(0, &[]).1.corners.len(), 0);
    }

    #[test]
    fn random_graphs_are_clear() {
        let mut seed = 1_u64;
        let mut next = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        for _ in 0..50 {
            let n = 1 + next(25);
            let edges: Vec<_> = (0..next(50)).map(|_| (next(n), next(n))).collect();
            let (unplaced, placed) = graph(n, &edges);
            is_clear(&unplaced, &placed);
        }
    }
}
