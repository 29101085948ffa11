import assert from 'node:assert/strict';
import test from 'node:test';
import { readAddress, writeAddress } from '../src/address.ts';
import type { Page, Result, Round } from '../src/data.ts';
import { confirmed, headline } from '../src/data.ts';
import { nodeOf } from '../src/graph.ts';
import { inSight } from '../src/list.ts';
import { columns, layout } from '../src/memory.ts';
import { beside, news, placeOf } from '../src/abstraction.ts';
import { certifier } from '../src/details.ts';
import { arranged, rowsOf } from '../src/table.ts';
import { words } from '../src/words.ts';

function result(more: Partial<Result>): Result {
  return { file: 'a.bp', verdict: 'safe', certified: true, engine: 'bdd', goal: 'assert', reason: null, detail: null, violation: null, trace: null, ...more };
}

test('an address names a result and a step', () => {
  assert.deepEqual(readAddress('#result=2&step=14', 3), { result: 1, step: 13 });
  assert.deepEqual(readAddress('#step=14', 1), { result: 0, step: 13 });
  assert.deepEqual(readAddress('', 3), { result: null, step: null });
  assert.deepEqual(readAddress('#result=9&step=1', 3), { result: null, step: null }, 'there is no such result');
  for (const noise of ['#step=0', '#step=-1', '#step=1e5', '#step=%3Cscript%3E', '#step=99999999999']) {
    assert.deepEqual(readAddress(noise, 1), { result: 0, step: null }, noise);
  }
  assert.equal(writeAddress({ result: 1, step: 13 }, 3), '#result=2&step=14');
  assert.equal(writeAddress({ result: 0, step: 13 }, 1), '#step=14');
});

test('a headline never says more than the result', () => {
  assert.equal(headline(result({ scope: { threads: 3, contexts: null, depth: null } })), 'Nothing asked about can go wrong, for at most 3 threads');
  assert.equal(headline(result({ verdict: 'unknown', reason: 'bounded', detail: 'up to 7 rounds' })), 'Not decided: up to 7 rounds');
  assert.equal(confirmed(result({ certified: false })), 'proof not certified');
  assert.equal(confirmed(result({ verdict: 'unsafe', certified: true })), 'trace replayed');
});

test('only rows in sight exist', () => {
  assert.deepEqual(inSight(0, 260, 26, 100_000), [0, 18]);
  assert.deepEqual(inSight(26_000, 260, 26, 100_000), [992, 1018]);
  assert.deepEqual(inSight(0, 0, 26, 0), [0, 0]);
  assert.deepEqual(inSight(99_990 * 26, 260, 26, 100_000), [99_982, 100_000]);
});

test('results are filtered by every word and sorted stably', () => {
  const page: Page = { sources: {}, results: [
    { record: result({ file: 'b.bp', stats: { time_ms: 2 } }), graphs: null },
    { record: result({ file: 'a.bp', verdict: 'unsafe', stats: { time_ms: 1 } }), graphs: null },
    { record: result({ file: 'c.bp', verdict: 'unknown', reason: 'time', stats: { time_ms: 3 } }), graphs: null },
  ] };
  const files = (...of: [string, string, Parameters<typeof arranged>[3], boolean]) => arranged(rowsOf(page), ...of).map((it) => it.result.file);
  assert.deepEqual(files('', '', 'verdict', false), ['a.bp', 'c.bp', 'b.bp']);
  assert.deepEqual(files('', '', 'time', true), ['c.bp', 'b.bp', 'a.bp']);
  assert.deepEqual(files('bp UNSAFE', '', 'file', false), ['a.bp']);
  assert.deepEqual(files('', 'safe', 'file', false), ['b.bp']);
});

test('objects stand by their distance from a variable, cycles included', () => {
  const object = (name: string, ...to: string[]) => ({
    name, isFreed: false, isChanged: false,
    fields: to.map((pointsTo, i) => ({ path: `.p${i}`, value: '', pointsTo, isChanged: false, key: '' })),
  });
  const at = columns([object('c', 'a'), object('b', 'c'), object('a', 'b'), object('lost')], ['a']);
  assert.deepEqual(Object.fromEntries(at), { a: 1, b: 2, c: 3, lost: 1 });
});

test('words of a line make the line', () => {
  for (const line of ['  if (a<b) // x', 'char *s = "<script>\\"";', '/* open', '\t💥 x$ := schoose[a, !b];', "'"]) {
    assert.equal(words(line).map((it) => it.text).join(''), line);
  }
  assert.equal(words('while (T) do')[0]!.kind, 'keyword');
});

test('a line belongs to the smallest node around it', () => {
  const node = (line: number | null, until: number | null) => ({ x: 0, y: 0, width: 1, height: 1, line, until, text: '' });
  const graph = { name: 'f', width: 1, height: 1, edges: [], nodes: [node(1, 9), node(3, 4), node(null, null)] };
  assert.deepEqual([1, 3, 4, 9, 10, null].map((line) => nodeOf(graph, line)), [0, 1, 1, 0, null, null]);
  assert.equal(nodeOf(undefined, 3), null);
});

test('memory stands in columns where there is room, and below each other where there is none', () => {
  const rows = new Map([['', { column: 0, rows: 2 }], ['a', { column: 2, rows: 1 }], ['b', { column: 1, rows: 3 }]]);
  const wide = layout(rows, 800);
  assert.equal(wide.isStack, false);
  assert.ok(wide.boxes.get('a')!.x > wide.boxes.get('b')!.x);
  for (const room of [320, 380, 600]) {
    const { boxes, isStack } = layout(rows, room);
    assert.equal(isStack, true);
    const right = Math.max(...[...boxes.values()].map((it) => it.x + it.width));
    assert.ok(right <= room - 40, `${right} of ${room}: arrows have room, too`);
    assert.ok(boxes.get('b')!.y < boxes.get('a')!.y, 'nearer ones first');
  }
});

test('a round of the abstraction: what is new, what stands beside the source, where a comment leads', () => {
  const at = { file: 't.c', line: 6, proc: 'main', at: 'each time the loop begins' };
  const round = (number: number, predicates: string[]): Round =>
    ({ number, predicates: [{ ...at, predicates }], path: [{ ...at, values: { 'x == 0': true } }], program: '', learned: '' });
  const [first, second] = [round(1, ['x == 0']), round(2, ['x == 0', 'y < 3'])];
  assert.deepEqual([...news(second, first)], ['line 6, each time the loop begins: y < 3']);
  assert.equal(news(first, undefined).size, 1);
  assert.deepEqual(beside(second, null).get('t.c:6'), ['x == 0', 'y < 3']);
  assert.deepEqual(beside(second, 0).get('t.c:6'), ['x == 0 is true']);
  assert.deepEqual(placeOf('  // dir/t.c:12'), { file: 'dir/t.c', line: 12 });
  assert.equal(placeOf('  decl p0;  // x:1'), null);
});

test('who has checked a proof is said, and why nobody has', () => {
  assert.equal(certifier(result({ stats: { obligations: 1200, proof_steps: 5 } })),
    'Found by engine bdd. Checked by the certifier, which shares no code with the engines: 1,200 obligations, following 5 steps of refutations.');
  assert.equal(certifier(result({ certified: false, detail: 'not certified: too long' })), 'Found by engine bdd. Not certified: too long.');
});
