// What else belongs to a result: why it is safe, each property, what it rests on, what was told, and the numbers.

import type { Result } from './data.ts';
import { confirmed } from './data.ts';
import { h } from './dom.ts';
import type { Context, View } from './view.ts';

/** Longer lists are cut, and the rest is counted. */
const MOST = 2000;

export class ProofView implements View {
  readonly name = 'Proof';
  readonly element: HTMLElement;

  constructor({ result }: Context) {
    const all = result.invariants ?? [];
    const rows = all.slice(0, MOST).map((it) => h('li', {},
      h('span', { class: 'at' }, [it.line === null ? '' : `line ${it.line}, `, it.at].join('')), h('code', {}, it.holds)));
    const more = all.length > MOST ? h('p', { class: 'note' }, `${all.length - MOST} more`) : null;
    const who = confirmed(result);
    this.element = h('section', { class: 'pane', 'aria-label': 'Proof' }, h('header', {}, h('h2', {}, 'Why it is safe')),
      h('div', { class: 'scroll' }, h('p', { class: 'note' }, `Found by engine ${result.engine}; ${who}.`),
        rows.length ? h('ul', { class: 'proof' }, ...rows) : h('p', { class: 'none' }, 'This engine tells no reasons.'), more));
  }

  update(): void {}
}

export class DetailsView implements View {
  readonly name = 'Details';
  readonly element: HTMLElement;

  constructor({ result }: Context) {
    this.element = h('section', { class: 'pane', 'aria-label': 'Details' }, h('header', {}, h('h2', {}, 'Details')),
      h('div', { class: 'scroll details' }, ...sections(result)));
  }

  update(): void {}
}

function sections(result: Result): HTMLElement[] {
  const list = (title: string, items: (Node | string)[]) => (items.length === 0 ? []
    : [h('h3', {}, title), h('ul', {}, ...items.slice(0, MOST).map((it) => h('li', {}, it)))]);
  const tag = (word: string) => h('span', { class: `tag ${word}` }, word);
  const properties = [...(result.properties ?? [])]
    .sort((a, b) => Number(b.verdict === 'unsafe') - Number(a.verdict === 'unsafe'))
    .map((it) => h('span', {}, tag(it.verdict), ` ${it.file}:${it.line} ${it.class}: ${it.message}${it.reason ? ` (${it.reason})` : ''}`));
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
    ...list('Take note', result.warnings ?? []),
    ...list('Assumed', result.assumptions ?? []),
    h('h3', {}, 'Numbers'), h('dl', {}, ...stats),
  ];
}
