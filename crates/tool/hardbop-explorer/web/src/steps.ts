// The trace as a list: calls are indented and fold; threads have lanes, and the way from one to the other is drawn.

import { h, svg } from './dom.ts';
import { VirtualList } from './list.ts';
import { Rows } from './rows.ts';
import type { TraceModel } from './trace.ts';
import type { Context, View } from './view.ts';

const ROW = 26;
const LANE = 18;

export class StepsView implements View {
  readonly name = 'Trace';
  readonly element: HTMLElement;
  readonly rows: Rows;
  private readonly list: VirtualList;
  private step = 0;

  constructor(private readonly context: Context, private readonly trace: TraceModel) {
    this.rows = new Rows(trace);
    this.list = new VirtualList(ROW, { class: 'steps', role: 'tree', 'aria-label': 'Steps of the trace' },
      (index) => this.row(index));
    const threads = trace.threads.length > 1
      ? h('div', { class: 'threads' }, ...trace.threads.map((thread, lane) =>
        h('span', { class: `lane-${lane % 6}` }, `thread ${thread}`)))
      : null;
    const fold = (text: string, act: () => void) => h('button', {
      type: 'button', class: 'quiet', click: () => { act(); this.list.setLength(this.rows.visible.length); this.update(this.step); },
    }, text);
    const left = trace.nLeftOut > 0
      ? h('p', { class: 'note' }, `${trace.nLeftOut.toLocaleString('en')} steps in the middle of this long run are left out.`)
      : null;
    const hasCalls = trace.last.some((last, i) => last > i);
    this.element = h('section', { class: 'pane', 'aria-label': 'Trace' },
      h('header', {}, h('h2', {}, 'Trace'), threads, hasCalls ? fold('Fold', () => this.rows.foldAll()) : null,
        hasCalls ? fold('Unfold', () => this.rows.unfoldAll()) : null),
      left, this.list.element);
    this.list.setLength(this.rows.visible.length);
  }

  toggle(step: number): void {
    const call = this.trace.isCall(step) ? step : this.trace.parent[step]!;
    if (call < 0) return;
    this.rows.toggle(call);
    this.list.setLength(this.rows.visible.length);
    if (call !== step) this.context.go(call);
    else this.update(step);
  }

  update(step: number): void {
    this.step = step;
    if (this.rows.reveal(step)) this.list.setLength(this.rows.visible.length);
    this.list.element.setAttribute('aria-activedescendant', `step-${step}`);
    this.list.show(this.rows.position(step));
  }

  private row(position: number): HTMLElement {
    const { trace } = this;
    const index = this.rows.visible[position]!;
    const step = trace.at(index);
    const lane = trace.threads.indexOf(step.thread);
    const isCall = trace.isCall(index);
    const isFolded = this.rows.folded.has(index);
    // For the mouse; the row itself says whether it is folded, and `f` folds it.
    const fold = isCall
      ? h('span', { class: 'fold call', 'aria-hidden': 'true', title: isFolded ? 'Unfold the call' : 'Fold the call',
        click: (event: Event) => { event.stopPropagation(); this.toggle(index); } }, isFolded ? '▸' : '▾')
      : h('span', { class: 'fold' });
    const inside = isFolded ? `${trace.last[index]! - index} steps` : step.over ? `${step.over.statements.toLocaleString('en')} statements` : null;
    const text = h('span', { class: 'text' }, fold, h('code', {}, step.text), inside ? h('span', { class: 'inside' }, inside) : null);
    text.style.paddingLeft = `${Math.min(step.depth, 12) * 14}px`;
    return h('div', {
      id: `step-${index}`, class: `row${index === this.step ? ' current' : ''}${index === trace.length - 1 ? ' final' : ''}`,
      role: 'treeitem', 'aria-level': step.depth + 1, ...(isCall ? { 'aria-expanded': String(!isFolded) } : {}), 'aria-selected': String(index === this.step), 'aria-setsize': trace.length, 'aria-posinset': index + 1,
      click: () => this.context.go(index),
    }, trace.threads.length > 1 ? this.lanes(position, index, lane) : null,
    h('span', { class: 'number' }, step.line === null ? '' : String(step.line)), text);
  }

  /** A dot in the lane of the thread, and the way from the step before and to the next. */
  private lanes(position: number, index: number, lane: number): SVGElement {
    const { trace } = this;
    const x = (at: number) => LANE / 2 + at * LANE;
    const laneOf = (at: number): number | null => {
      const step = this.rows.visible[at];
      return step === undefined ? null : trace.threads.indexOf(trace.at(step).thread);
    };
    const [before, after] = [laneOf(position - 1), laneOf(position + 1)];
    const half = ROW / 2;
    const rails = trace.threads.map((_, at) => svg('line', { class: 'rail', x1: x(at), y1: 0, x2: x(at), y2: ROW }));
    const way: SVGElement[] = [];
    if (before !== null) {
      const from = (x(before) + x(lane)) / 2;
      way.push(svg('path', { class: `way lane-${lane % 6}`, d: `M ${before === lane ? x(lane) : from} 0 L ${x(lane)} ${half}` }));
    }
    if (after !== null) {
      const to = (x(after) + x(lane)) / 2;
      way.push(svg('path', { class: `way lane-${lane % 6}`, d: `M ${x(lane)} ${half} L ${after === lane ? x(lane) : to} ${ROW}` }));
    }
    const dot = svg('circle', { class: `dot lane-${lane % 6}`, cx: x(lane), cy: half, r: index === this.step ? 5.5 : 4 });
    const width = trace.threads.length * LANE;
    return svg('svg', { class: 'lanes', width, height: ROW, viewBox: `0 0 ${width} ${ROW}`, 'aria-label': `thread ${trace.at(index).thread}`, role: 'img' },
      ...rails, ...way, dot);
  }
}
