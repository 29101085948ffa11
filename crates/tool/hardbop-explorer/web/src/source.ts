// The source: the current line, the lines the trace goes through, the violated one, and for a proof what holds where.

import type { Invariant } from './data.ts';
import { h } from './dom.ts';
import { VirtualList } from './list.ts';
import type { Context, View } from './view.ts';
import { words } from './words.ts';

const ROW = 22;

export class SourceView implements View {
  readonly name = 'Source';
  readonly element: HTMLElement;
  private readonly list: VirtualList;
  private readonly title = h('h2', {}, 'Source');
  private readonly missing = h('p', { class: 'note' });
  private file = '';
  private lines: string[] = [];
  private current: number | null = null;
  /** Steps at each line of each file. */
  private readonly visits = new Map<string, number[]>();
  private readonly notes = new Map<string, Invariant[]>();
  /** What another pane has to say of lines, instead of the invariants. */
  private beside: Map<string, string[]> | null = null;
  private step = 0;

  constructor(private readonly context: Context) {
    const { result, trace } = context;
    trace?.steps.forEach((step, index) => {
      const key = `${step.file ?? result.file}:${step.line}`;
      const list = this.visits.get(key);
      if (list) list.push(index);
      else this.visits.set(key, [index]);
    });
    for (const it of result.invariants ?? []) {
      if (it.line === null) continue;
      const key = `${it.file ?? result.file}:${it.line}`;
      this.notes.set(key, [...(this.notes.get(key) ?? []), it]);
    }
    this.list = new VirtualList(ROW, { class: 'source', role: 'region', 'aria-label': 'Source text' }, (index) => this.row(index));
    this.element = h('section', { class: 'pane', 'aria-label': 'Source' }, h('header', {}, this.title), this.missing, this.list.element);
    const first = trace ? null : result.violation ?? this.firstNote();
    this.open(first?.file ?? Object.keys(context.sources).find((it) => it === result.file) ?? result.file);
    if (first?.line) this.mark(first.line);
  }

  private firstNote(): { file: string | null; line: number | null } | null {
    const told = this.context.result.diagnostics?.find((it) => it.line !== null);
    return told ?? null;
  }

  update(step: number): void {
    this.step = step;
    const { trace, result } = this.context;
    if (!trace || trace.length === 0) {
      this.list.refresh(true);
      return;
    }
    const at = trace.at(step);
    this.open(at.file ?? result.file);
    if (at.line !== null) this.mark(at.line);
    else {
      this.current = null;
      this.list.refresh(true);
    }
  }

  /** Notes beside lines, or none but those of the proof. */
  setBeside(notes: Map<string, string[]> | null): void {
    this.beside = notes;
    this.list.refresh(true);
  }

  /** Shows a line that is not the one of the current step. */
  point(file: string, line: number): void {
    this.open(file);
    this.mark(line);
  }

  private mark(line: number): void {
    this.current = line;
    this.list.show(line - 1);
  }

  private open(file: string): void {
    if (file === this.file) return;
    this.file = file;
    const text = this.context.sources[file];
    this.title.textContent = file;
    this.missing.textContent = text === undefined ? 'The text of this file is not on the page.' : '';
    this.missing.hidden = text !== undefined;
    this.lines = text === undefined ? [] : text.replace(/\n$/, '').split('\n');
    this.list.setLength(this.lines.length);
  }

  private row(index: number): HTMLElement {
    const line = index + 1;
    const key = `${this.file}:${line}`;
    const visits = this.visits.get(key);
    const { violation, diagnostics } = this.context.result;
    const told = diagnostics?.filter((it) => it.file === this.file && it.line === line).map((it) => it.message) ?? [];
    const isViolated = violation?.file === this.file && violation.line === line;
    const notes = this.beside ? this.beside.get(key) ?? [] : (this.notes.get(key) ?? []).map((it) => it.holds).filter((it) => it !== 'anything');
    const classes = ['row', line === this.current ? 'current' : '', isViolated || told.length ? 'violated' : '', visits ? 'visited' : ''];
    const text = this.lines[index] ?? '';
    const code = h('code', {}, ...words(text).map((word) =>
      word.kind ? h('span', { class: word.kind }, word.text) : document.createTextNode(word.text)));
    const note = [...told, ...notes.slice(0, this.beside ? 4 : 2)].join(this.beside ? '   ·   ' : '   ∧   ');
    return h('div', {
      class: classes.filter(Boolean).join(' '), ...(line === this.current ? { 'aria-current': 'step' } : {}),
      title: visits ? `${visits.length} steps here; click for the next one` : '',
      click: () => { for (const tell of this.context.onLine) tell(this.file, line); this.visit(visits); },
    }, h('span', { class: 'number' }, String(line)), code, note ? h('span', { class: 'holds', title: notes.join('\n') }, note) : null);
  }

  private visit(visits: number[] | undefined): void {
    if (!visits) return;
    this.context.go(visits.find((it) => it > this.step) ?? visits[0]!);
  }
}
