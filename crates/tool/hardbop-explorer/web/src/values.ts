// The variables at a step, those that have just changed first to the eye; a click leads to the statement that wrote one.

import { h, scroll } from './dom.ts';
import type { TraceModel, Variable } from './trace.ts';
import type { Context, View } from './view.ts';

export class ValuesView implements View {
  readonly name = 'Values';
  readonly element: HTMLElement;
  private readonly body = scroll('Variables', 'values');
  private readonly said = h('p', { class: 'note', role: 'status' });

  constructor(private readonly context: Context, private readonly trace: TraceModel) {
    const when = trace.isC ? 'after this step' : 'before this statement';
    this.element = h('section', { class: 'pane', 'aria-label': 'Values' },
      h('header', {}, h('h2', {}, 'Values'), h('span', { class: 'when' }, when)), this.said, this.body);
  }

  update(step: number): void {
    this.said.textContent = '';
    const { shared, frames } = this.trace.state(step);
    const groups: HTMLElement[] = [];
    const isNet = frames[0]?.proc === 'net' && frames[0].variables.length === 0;
    if (shared.length > 0) groups.push(this.group(isNet ? 'how many are where' : 'shared', null, shared, step));
    if (!isNet) frames.forEach((frame, index) => {
      const name = frame.proc || 'start';
      const title = index === 0 ? name : `${name}, waiting at line ${frame.line ?? '?'}`;
      groups.push(this.group(title, index === 0 ? null : frame.step, frame.variables, step));
    });
    if (this.trace.threads.length > 1) groups.push(this.threads(step));
    this.body.replaceChildren(...groups);
  }

  private group(title: string, at: number | null, variables: Variable[], step: number): HTMLElement {
    const heading = at === null ? h('h3', {}, title)
      : h('h3', {}, h('button', { type: 'button', class: 'link', click: () => this.context.go(at) }, title));
    const rows = variables.map((it) => h('button', {
      type: 'button', class: `variable${it.isChanged ? ' changed' : ''}`, 'data-name': it.name,
      title: 'Go to the last write', click: () => this.follow(step, it),
    }, h('span', { class: 'name' }, it.name), h('span', { class: 'value' }, it.value)));
    const none = rows.length === 0 ? h('p', { class: 'none' }, 'no values') : null;
    return h('div', { class: 'group' }, heading, none, ...rows);
  }

  /** How many threads are where. */
  private threads(step: number): HTMLElement {
    const rows = this.trace.whereabouts(step).map((it) => h('button', {
      type: 'button', class: 'variable', title: 'Go to the next step from here', click: () => this.context.go(it.step),
    }, h('span', { class: 'name' }, it.line === null ? it.proc || 'start' : `line ${it.line}`),
    h('span', { class: 'value' }, `${it.threads.length} (${it.threads.map((thread) => `thread ${thread}`).join(', ')})`)));
    return h('div', { class: 'group' }, h('h3', {}, 'threads that have begun, and where'), ...rows);
  }

  private follow(step: number, variable: Variable): void {
    const at = this.trace.lastWrite(step, variable.key);
    if (at === null) this.said.textContent = `${variable.name} has this value from the beginning.`;
    else this.context.go(at);
  }
}
