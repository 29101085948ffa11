// The tree of calls: each activation with the steps it takes.

import { h } from './dom.ts';
import { VirtualList } from './list.ts';
import type { TraceModel } from './trace.ts';
import type { Context, View } from './view.ts';

const ROW = 26;

export class CallsView implements View {
  readonly name = 'Calls';
  readonly element: HTMLElement;
  private readonly calls: number[];
  private readonly list: VirtualList;
  private current = -1;

  constructor(private readonly context: Context, private readonly trace: TraceModel) {
    this.calls = trace.steps.map((_, index) => index).filter((index) => trace.isCall(index));
    this.list = new VirtualList(ROW, { class: 'calls', role: 'tree', 'aria-label': 'Calls' }, (index) => this.row(index));
    this.element = h('section', { class: 'pane', 'aria-label': 'Calls' }, h('header', {}, h('h2', {}, 'Calls')),
      this.list.element);
    this.list.setLength(this.calls.length);
  }

  update(step: number): void {
    this.current = this.trace.isCall(step) ? step : this.trace.parent[step] ?? -1;
    const at = this.calls.indexOf(this.current);
    if (at >= 0) this.list.show(at);
    else this.list.refresh(true);
  }

  private row(index: number): HTMLElement {
    const call = this.calls[index]!;
    const step = this.trace.at(call);
    const inside = this.trace.last[call]! - call;
    const text = h('span', { class: 'text' }, h('code', {}, step.text), h('span', { class: 'inside' }, `${inside} steps`));
    text.style.paddingLeft = `${Math.min(step.depth, 12) * 14}px`;
    return h('div', {
      class: `row${call === this.current ? ' current' : ''}`, role: 'treeitem', 'aria-level': step.depth + 1,
      'aria-selected': String(call === this.current), click: () => this.context.go(call),
    }, h('span', { class: 'number' }, String(step.line ?? '')), text);
  }
}
