// What else belongs to a result: why it is safe, each property, what it rests on, what was told, and the numbers.

import type { Invariant, Result, Worker } from './data.ts';
import { h, scroll } from './dom.ts';
import type { SourceView } from './source.ts';
import type { Context, View } from './view.ts';

/** Longer lists are cut, and the rest is counted. */
const MOST = 2000;

export class ProofView implements View {
  readonly name = 'Proof';
  readonly element: HTMLElement;

  constructor({ result }: Context, source: SourceView) {
    const all = result.invariants ?? [];
    const at = (it: Invariant) => [it.line === null ? '' : `line ${it.line}, `, it.at].join('');
    const place = (it: Invariant) => (it.line === null ? h('span', { class: 'at' }, at(it))
      : h('button', { type: 'button', class: 'link at', click: () => source.point(it.file ?? result.file, it.line!) }, at(it)));
    const rows = all.slice(0, MOST).map((it) => h('li', {}, place(it), h('code', {}, it.holds)));
    const more = all.length > MOST ? h('p', { class: 'note' }, `${all.length - MOST} more`) : null;
    this.element = h('section', { class: 'pane', 'aria-label': 'Proof' }, h('header', {}, h('h2', {}, 'Why it is safe')),
      scroll('What holds', '', h('p', { class: 'note who' }, certifier(result)),
        rows.length ? h('ul', { class: 'proof' }, ...rows) : h('p', { class: 'none' }, reasonless(result)), more));
  }

  update(): void {}
}

/** Who found the proof, and who has checked it. */
export function certifier(result: Result): string {
  const number = (name: string) => Number(result.stats?.[name] ?? 0).toLocaleString('en');
  const found = `Found by engine ${result.engine}.`;
  if (!result.certified) return `${found} Not certified${result.detail ? `: ${result.detail.replace(/^not certified: /, '')}` : ' by separate code'}.`;
  const steps = result.stats?.['proof_steps'] ? `, following ${number('proof_steps')} steps of refutations` : '';
  const what = result.stats?.['obligations'] === undefined ? '' : `: ${number('obligations')} obligations${steps}`;
  return `${found} Checked by the certifier, which shares no code with the engines${what}.`;
}

function reasonless(result: Result): string {
  return (result.properties ?? []).length > 0
    ? 'No loop needed an invariant: the executions were followed to their ends.' : 'This engine tells no reasons.';
}

export class DetailsView implements View {
  readonly name = 'Details';
  readonly element: HTMLElement;

  constructor({ result }: Context) {
    this.element = h('section', { class: 'pane', 'aria-label': 'Details' }, h('header', {}, h('h2', {}, 'Details')),
      scroll('Details of the result', 'details', ...sections(result)));
  }

  update(): void {}
}

function worker(it: Worker): HTMLElement {
  const numbers = Object.entries(it.numbers).map(([name, n]) => `${name} ${n.toLocaleString('en')}`);
  const word = it.said?.split(':')[0] ?? 'unknown';
  return h('span', {}, h('span', { class: `tag ${['safe', 'unsafe'].includes(word) ? word : ''}` }, it.said ?? 'did not end'),
    ` ${[it.engine, ...numbers, `${(it.time_ms / 1000).toFixed(2)} s`].join(', ')}`);
}

function sections(result: Result): HTMLElement[] {
  const list = (title: string, items: (Node | string)[]) => (items.length === 0 ? []
    : [h('h3', {}, title), h('ul', {}, ...items.slice(0, MOST).map((it) => h('li', {}, it)))]);
  const tag = (word: string) => h('span', { class: `tag ${word}` }, word);
  const properties = [...(result.properties ?? [])]
    .sort((a, b) => Number(b.verdict === 'unsafe') - Number(a.verdict === 'unsafe'))
    .map((it) => h('span', {}, tag(it.verdict), ` ${it.file}:${it.line} ${it.class}${it.verdict === 'safe' ? ', excluded' : ''}: ${it.message}${it.reason ? ` (${it.reason})` : ''}`));
  const goals = (result.goals ?? []).map((it) =>
    h('span', {}, tag(it.reachable ? 'unsafe' : 'safe'), ` ${it.file}:${it.line ?? '?'} ${it.what} in ${it.proc}`));
  const told = (result.diagnostics ?? []).map((it) =>
    `${it.file}${it.line === null ? '' : `:${it.line}`}: ${it.severity}${it.code ? ` [${it.code}]` : ''}: ${it.message}${it.help ? ` — ${it.help}` : ''}`);
  const stats = Object.entries(result.stats ?? {}).filter(([, value]) => value !== null)
    .map(([name, value]) => h('div', {}, h('dt', {}, name.replaceAll('_', ' ')), h('dd', {}, Number(value).toLocaleString('en'))));
  return [
    ...list('Asked', result.goal ? [result.goal] : []),
    ...list('Messages', told),
    ...list('Properties', properties),
    ...list('Places', goals),
    ...list('The violation depends on', result.trace?.depends_on ?? []),
    ...list('Who did what', (result.engines ?? []).map(worker)),
    ...list('Take note', result.warnings ?? []),
    ...list('Assumed', result.assumptions ?? []),
    h('h3', {}, 'Numbers'), h('dl', {}, ...stats),
  ];
}
