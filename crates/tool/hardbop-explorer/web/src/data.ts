// What the page is given: results (`hardbop.result/1`), sources and graphs. See docs/formats/result-json.md.

export type Verdict = 'safe' | 'unsafe' | 'unknown' | 'rejected' | 'error';
export type Value = boolean | string | number | null;

export interface Step {
  thread: number;
  depth: number;
  proc: string;
  file?: string;
  line: number | null;
  text: string;
  values: Record<string, Value>;
  over?: { passage: number; statements: number };
  /** C: what sort of thing happens. */
  kind?: string;
  /** C: the object in memory that is written or given back. */
  object?: string | null;
  /** C: the object the new value points to. */
  points_to?: string | null;
}

export interface Trace {
  steps: Step[];
  /** Boolean programs: whether a step gives all values, or those that are new. */
  values?: 'all' | 'changes';
  shared?: string[];
  left_out?: number;
  depends_on?: string[];
}

export interface Property {
  file: string;
  line: number;
  class: string;
  message: string;
  verdict: Verdict;
  reason: string | null;
}

export interface Invariant {
  file: string | null;
  line: number | null;
  proc: string | null;
  at: string;
  holds: string;
}

export interface Diagnostic {
  severity: string;
  code: string | null;
  message: string;
  file: string;
  line: number | null;
  help: string | null;
}

/** A cut of a C program. */
export interface Spot {
  file: string;
  line: number | null;
  proc: string;
  at: string;
}

/** A round of predicate abstraction. */
export interface Round {
  number: number;
  predicates: (Spot & { predicates: string[] })[];
  path: (Spot & { values: Record<string, boolean> })[];
  program: string;
  learned: string;
}

/** Who worked on a result. */
export interface Worker {
  engine: string;
  said: string | null;
  time_ms: number;
  numbers: Record<string, number>;
}

export interface Result {
  file: string;
  verdict: Verdict;
  scope?: { threads: number | 'inf' | null; contexts: number | null; depth: number | null };
  certified: boolean;
  engine: string;
  goal: string | null;
  reason: string | null;
  detail: string | null;
  violation: { file: string; line: number | null; what: string } | null;
  trace: Trace | null;
  goals?: { file: string; line: number | null; what: string; proc: string; reachable: boolean }[];
  properties?: Property[];
  assumptions?: string[];
  warnings?: string[];
  invariants?: Invariant[];
  diagnostics?: Diagnostic[];
  engines?: Worker[];
  abstraction?: { rounds: Round[] };
  stats?: Record<string, number | null>;
}

export interface GraphNode {
  x: number;
  y: number;
  width: number;
  height: number;
  /** The first and the last line of the source it is about. */
  line: number | null;
  until: number | null;
  text: string;
}

export interface Graph {
  name: string;
  width: number;
  height: number;
  nodes: GraphNode[];
  edges: { from: number; to: number; points: [number, number][]; label: string }[];
}

export interface Page {
  results: { record: Result; graphs: Graph[] | null }[];
  sources: Record<string, string>;
}

/** One sentence for a headline. */
export function headline(result: Result): string {
  const why = result.detail ?? result.reason ?? '';
  const place = result.violation;
  switch (result.verdict) {
    case 'safe': return 'Nothing asked about can go wrong' + bounds(result);
    case 'unsafe': {
      if (!place) return 'Something asked about goes wrong';
      const at = place.line === null ? '' : ` (line ${place.line})`;
      if (place.what === 'assertion') return `An assertion can fail${at}`;
      return place.what.startsWith('label ') ? `The ${place.what} can be reached${at}` : `${place.what}${at}`;
    }
    case 'unknown': return `Not decided: ${why}`;
    case 'rejected': return `Not a program: ${why}`;
    case 'error': return `Cannot be read: ${why}`;
  }
}

function bounds(result: Result): string {
  const words: string[] = [];
  const { threads, contexts, depth } = result.scope ?? { threads: null, contexts: null, depth: null };
  if (threads === 'inf') words.push('any number of threads');
  else if (threads !== null) words.push(`at most ${threads} threads`);
  if (contexts !== null) words.push(`at most ${contexts} switches`);
  if (depth !== null) words.push(`up to depth ${depth}`);
  return words.length ? `, for ${words.join(', ')}` : '';
}

/** How separate code has confirmed a result. */
export function confirmed(result: Result): string {
  if (result.verdict === 'unsafe') return result.certified ? 'trace replayed' : 'not replayed';
  if (result.verdict === 'safe') return result.certified ? 'proof checked by separate code' : 'proof not certified';
  return '';
}
