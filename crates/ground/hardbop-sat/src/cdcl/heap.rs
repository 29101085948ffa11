//! The order of decisions: a heap of variables by rank and activity.

#[derive(Default)]
pub struct Order {
    /// A binary heap of variables, the next to decide in front.
    heap: Vec<u32>,
    /// Where a variable is in the heap; `ABSENT` if it is not.
    place: Vec<u32>,
    activity: Vec<f64>,
    is_first: Vec<bool>,
    step: f64,
}

const ABSENT: u32 = u32::MAX;
const DECAY: f64 = 0.95;
const TOO_LARGE: f64 = 1e100;

impl Order {
    pub fn add(&mut self, var: u32) {
        self.place.push(ABSENT);
        self.activity.push(0.0);
        if self.is_first.len() < self.place.len() {
            self.is_first.push(false);
        }
        self.step = self.step.max(1.0);
        self.insert(var);
    }

    /// Also for variables that are yet to come.
    pub fn prefer(&mut self, var: u32) {
        if self.is_first.len() <= var as usize {
            self.is_first.resize(var as usize + 1, false);
        }
        self.is_first[var as usize] = true;
        if self.place.get(var as usize).is_some_and(|&it| it != ABSENT) {
            self.rise(self.place[var as usize] as usize);
        }
    }

    fn is_before(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        match self.is_first[a] == self.is_first[b] {
            true => self.activity[a] > self.activity[b],
            false => self.is_first[a],
        }
    }

    pub fn insert(&mut self, var: u32) {
        if self.place[var as usize] == ABSENT {
            self.place[var as usize] = self.heap.len() as u32;
            self.heap.push(var);
            self.rise(self.heap.len() - 1);
        }
    }

    pub fn bump(&mut self, var: u32) {
        self.activity[var as usize] += self.step;
        if self.activity[var as usize] > TOO_LARGE {
            self.activity.iter_mut().for_each(|it| *it /= TOO_LARGE);
            self.step /= TOO_LARGE;
        }
        if self.place[var as usize] != ABSENT {
            self.rise(self.place[var as usize] as usize);
        }
    }

    /// What happens from now on counts more.
    pub fn decay(&mut self) {
        self.step /= DECAY;
    }

    pub fn pop(&mut self) -> Option<u32> {
        let first = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.place[first as usize] = ABSENT;
        if last != first {
            self.heap[0] = last;
            self.place[last as usize] = 0;
            self.sink(0);
        }
        Some(first)
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.heap.swap(a, b);
        self.place[self.heap[a] as usize] = a as u32;
        self.place[self.heap[b] as usize] = b as u32;
    }

    fn rise(&mut self, mut at: usize) {
        while at > 0 && self.is_before(self.heap[at], self.heap[(at - 1) / 2]) {
            self.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    fn sink(&mut self, mut at: usize) {
        loop {
            let mut best = at;
            for child in [2 * at + 1, 2 * at + 2] {
                if child < self.heap.len() && self.is_before(self.heap[child], self.heap[best]) {
                    best = child;
                }
            }
            if best == at {
                return;
            }
            self.swap(at, best);
            at = best;
        }
    }
}
