// Many results: a table to filter and to sort.

import type { Page, Result } from './data.ts';
import { headline } from './data.ts';
import { h, scroll } from './dom.ts';

export type Column = 'verdict' | 'file' | 'engine' | 'time' | 'steps' | 'finding';
export const COLUMNS: [Column, string][] = [
  ['verdict', 'Verdict'], ['file', 'File'], ['finding', 'Finding'], ['engine', 'Engine'], ['steps', 'Steps'], ['time', 'Time'],
];
const ORDER = ['unsafe', 'unknown', 'error', 'rejected', 'safe'];

export interface Row { index: number; result: Result; time: number; steps: number; finding: string }

export function rowsOf(page: Page): Row[] {
  return page.results.map(({ record }, index) => ({
    index, result: record, time: Number(record.stats?.['time_ms'] ?? 0), steps: record.trace?.steps.length ?? 0, finding: headline(record),
  }));
}

/** Rows that hold every word, in the order of a column; equal ones stay in their order. */
export function arranged(rows: Row[], words: string, verdict: string, by: Column, isDown: boolean): Row[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const key = (row: Row): string | number => {
    switch (by) {
      case 'verdict': return ORDER.indexOf(row.result.verdict);
      case 'file': return row.result.file;
      case 'engine': return row.result.engine;
      case 'time': return row.time;
      case 'steps': return row.steps;
      case 'finding': return row.finding;
    }
  };
  const kept = rows.filter((row) => (verdict === '' || row.result.verdict === verdict)
    && wanted.every((word) => `${row.result.file} ${row.result.engine} ${row.finding} ${row.result.verdict}`.toLowerCase().includes(word)));
  return kept.sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    const order = x < y ? -1 : x > y ? 1 : 0;
    return isDown ? -order : order;
  });
}

export class TableView {
  readonly element: HTMLElement;
  private readonly rows: Row[];
  private readonly body = h('tbody');
  private readonly count = h('span', { class: 'when', role: 'status' });
  private by: Column = 'verdict';
  private isDown = false;
  private words = '';
  private verdict = '';

  constructor(page: Page, private readonly go: (result: number) => void) {
    this.rows = rowsOf(page);
    const filter = h('input', { type: 'search', placeholder: 'Filter', 'aria-label': 'Filter the results',
      input: () => { this.words = filter.value; this.draw(); } });
    const chips = ORDER.filter((word) => this.rows.some((row) => row.result.verdict === word)).map((word) => {
      const n = this.rows.filter((row) => row.result.verdict === word).length;
      const chip = h('button', { type: 'button', class: `chip ${word}`, 'aria-pressed': 'false', click: () => {
        this.verdict = this.verdict === word ? '' : word;
        for (const it of chips) it.setAttribute('aria-pressed', String(it === chip && this.verdict === word));
        this.draw();
      } }, `${n} ${word}`);
      return chip;
    });
    const heads = COLUMNS.map(([column, title]) => {
      const head = h('th', { scope: 'col', class: column }, h('button', { type: 'button', class: 'quiet', click: () => {
        this.isDown = this.by === column ? !this.isDown : false;
        this.by = column;
        for (const it of heads) it.removeAttribute('aria-sort');
        head.setAttribute('aria-sort', this.isDown ? 'descending' : 'ascending');
        this.draw();
      } }, title));
      return head;
    });
    this.element = h('main', { class: 'results' }, h('div', { class: 'tools' }, filter, ...chips, this.count),
      scroll('Results', '', h('table', {}, h('thead', {}, h('tr', {}, ...heads)), this.body)));
    this.draw();
  }

  private draw(): void {
    const rows = arranged(this.rows, this.words, this.verdict, this.by, this.isDown);
    this.count.textContent = rows.length === this.rows.length ? `${rows.length} results` : `${rows.length} of ${this.rows.length} results`;
    this.body.replaceChildren(...rows.map((row) => h('tr', { click: () => this.go(row.index) },
      h('td', { class: 'verdict' }, h('span', { class: `tag ${row.result.verdict}` }, row.result.verdict)),
      h('td', { class: 'file' }, h('a', { href: `#result=${row.index + 1}` }, row.result.file)),
      h('td', { class: 'finding' }, row.finding), h('td', { class: 'engine' }, row.result.engine),
      h('td', { class: 'steps' }, row.steps ? row.steps.toLocaleString('en') : ''),
      h('td', { class: 'time' }, `${(row.time / 1000).toFixed(row.time < 100 ? 3 : 1)} s`))));
  }
}
