import assert from 'node:assert/strict';
import test from 'node:test';
import type { Step, Trace, Value } from '../src/data.ts';
import { Rows } from '../src/rows.ts';
import { TraceModel } from '../src/trace.ts';

function step(thread: number, depth: number, text: string, values: Record<string, Value> = {}, more: Partial<Step> = {}): Step {
  return { thread, depth, proc: depth === 0 ? 'main' : `f${depth}`, line: 1, text, values, ...more };
}

function model(steps: Step[], more: Partial<Trace> = {}): TraceModel {
  return new TraceModel({ steps, values: 'all', shared: ['g'], ...more });
}

const CALLS = [
  step(0, 0, 'a'), step(0, 0, 'call f'), step(0, 1, 'b'), step(0, 1, 'call f2'), step(0, 2, 'c'),
  step(0, 1, 'd'), step(0, 0, 'e'), step(0, 0, 'call f'), step(0, 1, 'b'),
];

test('calls enclose what is inside them', () => {
  const trace = model(CALLS);
  assert.deepEqual([...trace.parent], [-1, -1, 1, 1, 3, 1, -1, -1, 7]);
  assert.equal(trace.last[1], 5);
  assert.equal(trace.last[3], 4);
  assert.deepEqual(CALLS.map((_, i) => trace.isCall(i)), [false, true, false, true, false, false, false, true, false]);
});

test('over, out and back go where a debugger goes', () => {
  const trace = model(CALLS);
  assert.equal(trace.over(1), 6);
  assert.equal(trace.over(2), 3);
  assert.equal(trace.over(5), 6);
  assert.equal(trace.overBack(6), 1);
  assert.equal(trace.out(4), 5);
  assert.equal(trace.out(2), 6);
  assert.equal(trace.out(8), 8, 'the end of the trace is the end');
});

test('other threads in between belong to nobody\'s call', () => {
  const trace = model([step(0, 0, 'call'), step(1, 0, 'x'), step(0, 1, 'in'), step(1, 0, 'y'), step(0, 0, 'z')]);
  assert.deepEqual([...trace.parent], [-1, -1, 0, -1, -1]);
  assert.equal(trace.over(0), 4);
  assert.equal(trace.switchTo(0, 1), 1);
  assert.equal(trace.switchTo(4, -1), 3);
});

test('folding hides what is inside, and showing a step opens the calls around it', () => {
  const trace = model(CALLS);
  const rows = new Rows(trace);
  rows.toggle(1);
  assert.deepEqual(rows.visible, [0, 1, 6, 7, 8]);
  assert.equal(rows.position(6), 2);
  rows.foldAll();
  assert.deepEqual(rows.visible, [0, 1, 6, 7]);
  assert.equal(rows.reveal(4), true);
  assert.deepEqual(rows.visible, [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.equal(rows.reveal(4), false);
  rows.toggle(2);
  assert.equal(rows.visible.length, 8, 'what is no call does not fold');
});

test('values are those before the statement; what has changed is marked; the writer is found', () => {
  const trace = model([
    step(0, 0, 'g := T', { g: false, x: false }),
    step(1, 0, 'skip', { g: true }),
    step(0, 0, 'x := T', { g: true, x: false }),
    step(0, 0, 'assert', { g: true, x: true }),
  ]);
  const named = (at: number) => Object.fromEntries(
    [...trace.state(at).shared, ...trace.state(at).frames.flatMap((it) => it.variables)].map((it) => [it.name, `${it.value}${it.isChanged ? '!' : ''}`]));
  assert.deepEqual(named(0), { g: '0', x: '0' });
  assert.deepEqual(named(1), { g: '1!' });
  assert.deepEqual(named(2), { g: '1', x: '0' });
  assert.deepEqual(named(3), { g: '1', x: '1!' });
  assert.equal(trace.lastWrite(3, 'shared/g'), 0);
  const x = trace.state(3).frames[0]!.variables.find((it) => it.name === 'x')!;
  assert.equal(trace.lastWrite(3, x.key), 2);
  assert.equal(trace.lastWrite(2, x.key), null, 'from the beginning');
});

test('a value that may be either is not shown', () => {
  const trace = model([step(0, 0, 'a', { g: true }), step(0, 0, 'b', {}), step(0, 0, 'c', { g: false })]);
  assert.deepEqual(trace.state(1).shared, []);
  assert.equal(trace.state(2).shared[0]!.value, '0');
});

test('a trace that gives changes only means the same', () => {
  const all: Step[] = [];
  const changes: Step[] = [];
  let before: Record<string, Value> = {};
  for (let i = 0; i < 1500; i++) {
    const values = { g: i % 3 === 0, x: i % 7 === 0, y: i % 1000 === 0 };
    all.push(step(0, 0, String(i), values));
    changes.push(step(0, 0, String(i), Object.fromEntries(Object.entries(values).filter(([name, value]) => before[name] !== value))));
    before = values;
  }
  const [one, other] = [model(all), model(changes, { values: 'changes' })];
  for (const at of [0, 1, 511, 512, 513, 1023, 1024, 1499, 700]) assert.deepEqual(other.state(at), one.state(at), `step ${at}`);
  assert.equal(other.lastWrite(1499, 'shared/g'), one.lastWrite(1499, 'shared/g'));
});

test('a taken-back value is gone', () => {
  const trace = model([step(0, 0, 'a', { g: true, x: true }), step(0, 0, 'b', { g: null })], { values: 'changes' });
  assert.deepEqual(trace.state(1).shared, []);
  assert.deepEqual(trace.state(1).frames[0]!.variables.map((it) => it.name), ['x']);
});

test('activations of one procedure do not share their locals', () => {
  const trace = model([
    step(0, 0, 'f()'), step(0, 1, 'x', { x: true }), step(0, 0, 'f()'), step(0, 1, 'x', { x: false }),
  ]);
  const key = (at: number) => trace.state(at).frames[0]!.variables[0]!.key;
  assert.notEqual(key(1), key(3));
  assert.equal(trace.state(3).frames[0]!.variables[0]!.isChanged, false, 'another variable, not another value');
});

test('a run of C: assignments hold from their step on, objects have fields and are freed', () => {
  const object = '(malloc at line 8)#2';
  const trace = model([
    step(0, 0, 'p = …', { p: `&${object}` }, { kind: 'assign', object: null, points_to: object }),
    step(0, 0, '….next = NULL', { [`${object}.next`]: 'NULL' }, { kind: 'assign', object, points_to: null }),
    step(0, 0, '….next = …', { [`${object}.next`]: `&${object}` }, { kind: 'assign', object, points_to: object }),
    step(0, 0, 'free', {}, { kind: 'free', object }),
  ]);
  assert.deepEqual(trace.pointers(0), [{ name: 'p', target: object }]);
  const at = (step: number) => trace.state(step).memory[0]!;
  assert.deepEqual(at(1).fields.map((it) => [it.path, it.value, it.pointsTo]), [['.next', 'NULL', null]]);
  assert.equal(at(2).fields[0]!.pointsTo, object);
  assert.equal(at(2).isFreed, false);
  assert.equal(at(3).isFreed, true);
  assert.equal(trace.lastWrite(3, `memory/${object}.next`), 2);
  assert.equal(trace.lastWrite(1, `memory/${object}.next`), 1);
});

test('threads that have begun are counted by where they are', () => {
  const at = (thread: number, line: number) => ({ ...step(thread, 0, 's', {}), line });
  const trace = model([at(0, 1), at(0, 2), at(1, 1), at(0, 3), at(1, 3)]);
  assert.deepEqual(trace.whereabouts(0).map((it) => [it.line, it.threads]), [[1, [0]]]);
  assert.deepEqual(trace.whereabouts(2).map((it) => [it.line, it.threads]), [[1, [1]], [3, [0]]]);
  assert.deepEqual(trace.whereabouts(3).map((it) => [it.line, it.threads]), [[3, [0, 1]]]);
});

test('a hundred thousand steps are walked through fast', () => {
  const steps = Array.from({ length: 100_000 }, (_, i) => step(0, 0, 's', { g: i % 2 === 0, x: i % 5 === 0 }));
  const trace = model(steps, { values: 'changes' });
  trace.state(99_999);
  // Processor time: other work on the machine does not count.
  const start = process.cpuUsage();
  for (let i = 0; i < 100; i++) trace.state((i * 7919) % 100_000);
  const { user, system } = process.cpuUsage(start);
  const each = (user + system) / 1000 / 100;
  assert.ok(each < 20, `${each} ms a step`);
});
