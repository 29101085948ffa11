// A trace as something to walk through: which calls enclose a step, where stepping leads, and what the values are.
//
// Values at a step are what a reader knows once the step is told. For a Boolean program that is the state just
// before the statement; for C it is the state after it. Both come from one replay, kept at every 512th step.

import type { Step, Trace, Value } from './data.ts';
import { firstFrom } from './search.ts';

const EVERY = 512;

export interface Variable {
  /** Tells it from variables of the same name elsewhere. */
  key: string;
  name: string;
  value: string;
  isChanged: boolean;
}

export interface Frame {
  proc: string;
  depth: number;
  line: number | null;
  /** The last step of the frame so far. */
  step: number;
  variables: Variable[];
}

export interface MemoryObject {
  name: string;
  isFreed: boolean;
  isChanged: boolean;
  fields: { path: string; value: string; pointsTo: string | null; isChanged: boolean; key: string }[];
}

export interface State {
  shared: Variable[];
  /** The innermost first. */
  frames: Frame[];
  memory: MemoryObject[];
  /** Objects that have been given back. */
  freed: ReadonlySet<string>;
}

interface OpenFrame {
  id: number;
  proc: string;
  step: number;
  values: Map<string, string>;
  pointers: Map<string, string>;
}

interface Field { value: string; pointsTo: string | null }

interface Known {
  /** Values of shared variables, as the steps of each thread have told them. */
  shared: Map<number, Map<string, string>>;
  stacks: Map<number, OpenFrame[]>;
  memory: Map<string, Map<string, Field>>;
  freed: Set<string>;
}

export class TraceModel {
  readonly steps: Step[];
  readonly threads: number[];
  /** Whether this is a run of a C program. */
  readonly isC: boolean;
  readonly nLeftOut: number;
  /** The call a step is in; -1 outside of all. */
  readonly parent: Int32Array;
  /** For a call, the last step inside; otherwise the step itself. */
  readonly last: Int32Array;
  private readonly sharedNames: Set<string>;
  private readonly isChanges: boolean;
  private readonly kept: Known[] = [];
  private readonly ids: Int32Array;
  private writes: Map<string, number[]> | null = null;
  private ofThread: Map<number, number[]> | null = null;

  constructor(trace: Trace) {
    this.steps = trace.steps;
    this.isC = trace.steps.some((step) => step.kind !== undefined);
    this.isChanges = trace.values === 'changes';
    this.sharedNames = new Set(trace.shared ?? []);
    this.nLeftOut = trace.left_out ?? 0;
    this.threads = [...new Set(trace.steps.map((step) => step.thread))].sort((a, b) => a - b);
    const n = this.steps.length;
    this.parent = new Int32Array(n).fill(-1);
    this.last = Int32Array.from({ length: n }, (_, i) => i);
    this.ids = new Int32Array(n);
    this.nest();
  }

  get length(): number {
    return this.steps.length;
  }

  at(index: number): Step {
    const step = this.steps[index];
    if (!step) throw new RangeError(`there is no step ${index}`);
    return step;
  }

  /** Finds the call around each step, and numbers activations. */
  private nest(): void {
    const open = new Map<number, { call: number; id: number }[]>();
    const before = new Map<number, number>();
    let nIds = 0;
    this.steps.forEach((step, i) => {
      const stack = open.get(step.thread) ?? [];
      open.set(step.thread, stack);
      stack.length = Math.min(stack.length, step.depth + 1);
      while (stack.length <= step.depth) {
        const call = stack.length === 0 ? -1 : before.get(step.thread) ?? -1;
        stack.push({ call, id: nIds++ });
      }
      const frame = stack[step.depth]!;
      this.parent[i] = frame.call;
      this.ids[i] = frame.id;
      for (let call = frame.call; call >= 0; call = this.parent[call]!) this.last[call] = i;
      before.set(step.thread, i);
    });
  }

  isCall(index: number): boolean {
    return this.last[index]! > index;
  }

  /** The next step of the same thread that is not inside a call made here. */
  over(index: number): number {
    return this.find(index, 1, (step, here) => step.thread === here.thread && step.depth <= here.depth);
  }

  overBack(index: number): number {
    return this.find(index, -1, (step, here) => step.thread === here.thread && step.depth <= here.depth);
  }

  /** The first step after the current call has returned. */
  out(index: number): number {
    return this.find(index, 1, (step, here) => step.thread === here.thread && step.depth < here.depth);
  }

  /** The next step of another thread. */
  switchTo(index: number, direction: 1 | -1): number {
    return this.find(index, direction, (step, here) => step.thread !== here.thread);
  }

  private find(index: number, direction: 1 | -1, fits: (step: Step, here: Step) => boolean): number {
    const here = this.at(index);
    for (let i = index + direction; i >= 0 && i < this.length; i += direction) {
      if (fits(this.at(i), here)) return i;
    }
    return direction === 1 ? this.length - 1 : 0;
  }

  /** The step that gave a variable the value it has; `null` if it had it from the beginning. */
  lastWrite(index: number, key: string): number | null {
    const list = (this.writes ??= this.allWrites()).get(key) ?? [];
    let found: number | null = null;
    for (const at of list) {
      if (at > index) break;
      found = at;
    }
    if (found === null || this.isC) return found;
    // The value was seen before the statement at `found`: the one executed before it has written it.
    const isLocal = !key.startsWith('shared/');
    for (let i = found - 1; i >= 0; i--) {
      if (!isLocal || this.at(i).thread === this.at(found).thread) return i;
    }
    return null;
  }

  private allWrites(): Map<string, number[]> {
    const writes = new Map<string, number[]>();
    const known = fresh();
    for (let i = 0; i < this.length; i++) {
      for (const key of this.apply(known, i)) {
        const list = writes.get(key);
        if (list) list.push(i);
        else writes.set(key, [i]);
      }
    }
    return writes;
  }

  state(index: number): State {
    const known = this.replayTo(index - 1);
    const changed = new Set(this.apply(known, index));
    const step = this.at(index);
    const sorted = (values: Map<string, string>, prefix: string): Variable[] =>
      [...values].map(([name, value]) => ({ key: prefix + name, name, value, isChanged: changed.has(prefix + name) }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    const shared = sorted(known.shared.get(step.thread) ?? new Map(), 'shared/');
    const stack = known.stacks.get(step.thread) ?? [];
    const frames = stack.map((frame, depth): Frame => ({
      proc: frame.proc, depth, line: this.at(frame.step).line, step: frame.step,
      variables: sorted(frame.values, `${frame.id}/`),
    })).reverse();
    const memory = [...known.memory].map(([name, fields]): MemoryObject => ({
      name, isFreed: known.freed.has(name), isChanged: changed.has(`memory/${name}`),
      fields: [...fields].map(([path, field]) => ({
        path, value: field.value, pointsTo: field.pointsTo, key: `memory/${name}${path}`,
        isChanged: changed.has(`memory/${name}${path}`),
      })),
    }));
    return { shared, frames, memory, freed: known.freed };
  }

  /** Where the threads are that have begun: at their next step, or after their last one. The one that moves is the first of its line. */
  whereabouts(index: number): { line: number | null; proc: string; threads: number[]; step: number }[] {
    this.ofThread ??= new Map(this.threads.map((thread) => [thread, this.steps.flatMap((step, i) => (step.thread === thread ? [i] : []))]));
    const places = new Map<string, { line: number | null; proc: string; threads: number[]; step: number }>();
    for (const [thread, list] of this.ofThread) {
      if (list[0]! > index) continue;
      const at = list[firstFrom(list, index)] ?? list.at(-1)!;
      const { line, proc } = this.at(at);
      const known = places.get(`${proc}:${line}`);
      if (known) known.threads.push(thread);
      else places.set(`${proc}:${line}`, { line, proc, threads: [thread], step: at });
    }
    return [...places.values()].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  }

  /** Pointers held by variables of the open calls. */
  pointers(index: number): { name: string; target: string }[] {
    const known = this.replayTo(index);
    const stack = known.stacks.get(this.at(index).thread) ?? [];
    return stack.flatMap((frame) => [...frame.pointers].map(([name, target]) => ({
      name: stack.length > 1 && frame.proc ? `${frame.proc}: ${name}` : name, target,
    })));
  }

  private replayTo(index: number): Known {
    const slot = Math.floor((index + 1) / EVERY);
    while (this.kept.length <= slot) {
      const from = this.kept.length;
      const known = from === 0 ? fresh() : copy(this.kept[from - 1]!);
      if (from > 0) for (let i = (from - 1) * EVERY; i < from * EVERY; i++) this.apply(known, i);
      this.kept.push(known);
    }
    const known = copy(this.kept[slot]!);
    for (let i = slot * EVERY; i <= index; i++) this.apply(known, i);
    return known;
  }

  /** Takes note of a step; gives the keys of what is another value now. */
  private apply(known: Known, index: number): string[] {
    const step = this.at(index);
    const stack = known.stacks.get(step.thread) ?? [];
    known.stacks.set(step.thread, stack);
    const id = this.ids[index]!;
    while (stack.length > 0 && (stack.length > step.depth + 1 || (stack.length === step.depth + 1 && stack[step.depth]!.id !== id))) {
      stack.pop();
    }
    while (stack.length <= step.depth) {
      const isTop = stack.length === step.depth;
      stack.push({ id: isTop ? id : -1 - stack.length, proc: step.proc, step: index, values: new Map(), pointers: new Map() });
    }
    const frame = stack[step.depth]!;
    frame.step = index;
    if (step.proc) frame.proc = step.proc;
    return this.isC ? this.applyC(known, frame, step) : this.applyBoolean(known, frame, step);
  }

  private applyBoolean(known: Known, frame: OpenFrame, step: Step): string[] {
    const changed: string[] = [];
    const shared = known.shared.get(step.thread) ?? new Map<string, string>();
    known.shared.set(step.thread, shared);
    const elsewhere = (name: string): string | undefined => {
      if (shared.has(name)) return shared.get(name);
      for (const other of known.shared.values()) if (other.has(name)) return other.get(name);
      return undefined;
    };
    if (!this.isChanges) {
      const forget = (values: Map<string, string>) => {
        for (const name of values.keys()) if (!(name in step.values)) values.delete(name);
      };
      forget(shared);
      forget(frame.values);
    }
    for (const [name, value] of Object.entries(step.values)) {
      const isShared = this.sharedNames.has(name);
      const values = isShared ? shared : frame.values;
      if (value === null) {
        values.delete(name);
        continue;
      }
      const text = shown(value);
      const old = isShared ? elsewhere(name) : values.get(name);
      if (old !== undefined && old !== text) changed.push(isShared ? `shared/${name}` : `${frame.id}/${name}`);
      values.set(name, text);
      if (isShared && !this.isChanges) for (const other of known.shared.values()) if (other.has(name)) other.set(name, text);
    }
    return changed;
  }

  private applyC(known: Known, frame: OpenFrame, step: Step): string[] {
    const changed: string[] = [];
    if (step.kind === 'free' && step.object) {
      known.freed.add(step.object);
      changed.push(`memory/${step.object}`);
    }
    for (const [name, value] of Object.entries(step.values)) {
      const text = shown(value);
      const pointsTo = step.points_to ?? null;
      if (step.object && name.startsWith(step.object)) {
        const path = name.slice(step.object.length);
        const fields = known.memory.get(step.object) ?? new Map<string, Field>();
        known.memory.set(step.object, fields);
        fields.set(path, { value: text, pointsTo });
        changed.push(`memory/${step.object}${path}`, `memory/${step.object}`);
        continue;
      }
      frame.values.set(name, text);
      if (pointsTo) frame.pointers.set(name, pointsTo);
      else frame.pointers.delete(name);
      changed.push(`${frame.id}/${name}`);
    }
    return changed;
  }
}

function shown(value: Value): string {
  if (value === true) return '1';
  if (value === false) return '0';
  return String(value);
}

function fresh(): Known {
  return { shared: new Map(), stacks: new Map(), memory: new Map(), freed: new Set() };
}

function copy(known: Known): Known {
  const maps = <K, V>(of: Map<K, Map<string, V>>) => new Map([...of].map(([key, it]) => [key, new Map(it)]));
  const frame = (it: OpenFrame): OpenFrame => ({ ...it, values: new Map(it.values), pointers: new Map(it.pointers) });
  return {
    shared: maps(known.shared),
    stacks: new Map([...known.stacks].map(([thread, stack]) => [thread, stack.map(frame)])),
    memory: maps(known.memory),
    freed: new Set(known.freed),
  };
}
