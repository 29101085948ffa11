// One result: its trace, source and values side by side, and the ways to step through them.

import type { Page } from './data.ts';
import { confirmed, headline } from './data.ts';
import { AbstractionView } from './abstraction.ts';
import { CallsView } from './calls.ts';
import { DetailsView, ProofView } from './details.ts';
import { h } from './dom.ts';
import { GraphView } from './graph.ts';
import { MemoryView } from './memory.ts';
import { SourceView } from './source.ts';
import { Tabs } from './tabs.ts';
import { StepsView } from './steps.ts';
import { TraceModel } from './trace.ts';
import { ValuesView } from './values.ts';
import type { Context, View } from './view.ts';

interface Command { key: string; sign: string; name: string; act: (trace: TraceModel, step: number) => number }

const COMMANDS: Command[] = [
  { key: 'Home', sign: '⇤', name: 'To the beginning', act: () => 0 },
  { key: 'ArrowLeft', sign: '←', name: 'Back', act: (_, step) => step - 1 },
  { key: 'ArrowRight', sign: '→', name: 'Forward, into calls', act: (_, step) => step + 1 },
  { key: 'o', sign: '↷', name: 'Over the call', act: (trace, step) => trace.over(step) },
  { key: 'b', sign: '↶', name: 'Back over the call', act: (trace, step) => trace.overBack(step) },
  { key: 'u', sign: '↥', name: 'Out of the call', act: (trace, step) => trace.out(step) },
  { key: 'n', sign: '⇄', name: 'To the next switch of threads', act: (trace, step) => trace.switchTo(step, 1) },
  { key: 'End', sign: '⇥', name: 'To the end', act: (trace) => trace.length - 1 },
];

export class Explorer {
  readonly element: HTMLElement;
  private readonly views: View[] = [];
  private readonly side: View[] = [];
  private readonly trace: TraceModel | null;
  private readonly steps: StepsView | null = null;
  private readonly counter = h('output', { class: 'counter' });
  private readonly spoken = h('div', { class: 'spoken', role: 'status', 'aria-live': 'polite' });
  private step = 0;

  constructor(page: Page, index: number, private readonly moved: (step: number) => void) {
    const { record: result, graphs } = page.results[index]!;
    this.trace = result.trace && result.trace.steps.length > 0 ? new TraceModel(result.trace) : null;
    const context: Context = {
      result, graphs: graphs ?? [], sources: page.sources, trace: this.trace, go: (step) => this.go(step), onLine: [],
    };
    const source = new SourceView(context);
    if (this.trace) {
      this.steps = new StepsView(context, this.trace);
      this.side.push(new ValuesView(context, this.trace));
      if (this.trace.isC) this.side.push(new MemoryView(context, this.trace));
      if (this.trace.last.some((last, i) => last > i)) this.side.push(new CallsView(context, this.trace));
    }
    if (result.verdict === 'safe') this.side.push(new ProofView(context, source));
    const rounds = result.abstraction?.rounds ?? [];
    if (rounds.length > 0) this.side.push(new AbstractionView(context, rounds, source));
    if (context.graphs.length > 0) this.side.push(new GraphView(context));
    this.side.push(new DetailsView(context));
    this.views = [...(this.steps ? [this.steps] : []), source, ...this.side];
    const tabs = new Tabs(this.views, this.side, this.steps ? 'Trace' : 'Source', (isSide) => {
      if (isSide) source.setBeside(null);
      this.update();
    });
    const meta = [result.engine && `engine ${result.engine}`, confirmed(result),
      result.stats?.['time_ms'] === undefined ? '' : `${(Number(result.stats['time_ms']) / 1000).toFixed(3)} s`].filter(Boolean).join(' · ');
    this.element = h('main', { class: `explorer ${this.trace ? 'with-trace' : 'without-trace'}` },
      h('div', { class: 'headline' }, h('span', { class: `tag ${result.verdict}` }, result.verdict),
        h('div', {}, h('h1', {}, headline(result)), h('p', {}, result.file, h('span', { class: 'meta' }, meta)))),
      this.trace ? this.tools(this.trace) : null, tabs.element,
      h('div', { class: 'panes' }, ...this.views.map((it) => it.element)), this.spoken);
  }

  /** Goes to a step; one that is not there is the nearest that is. */
  go(step: number): void {
    if (!this.trace) return;
    this.step = Math.max(0, Math.min(this.trace.length - 1, step));
    this.update();
    this.moved(this.step);
  }

  update(): void {
    for (const view of this.views) if (view.element.offsetParent !== null) view.update(this.step);
    if (!this.trace) return;
    const at = this.trace.at(this.step);
    this.counter.textContent = `${(this.step + 1).toLocaleString('en')} / ${this.trace.length.toLocaleString('en')}`;
    const thread = this.trace.threads.length > 1 ? `thread ${at.thread}, ` : '';
    const { shared, frames } = this.trace.state(this.step);
    const changed = [...shared, ...(frames[0]?.variables ?? [])].filter((it) => it.isChanged).map((it) => `. ${it.name} is now ${it.value}`);
    this.spoken.textContent = `Step ${this.step + 1}: ${thread}line ${at.line ?? 'unknown'}: ${at.text}${changed.slice(0, 4).join('')}`;
  }

  /** Whether the key means something here. */
  key(event: KeyboardEvent): boolean {
    if (!this.trace || event.ctrlKey || event.metaKey || event.altKey) return false;
    const names: Record<string, string> = { j: 'ArrowRight', k: 'ArrowLeft', ArrowDown: 'ArrowRight', ArrowUp: 'ArrowLeft' };
    const key = names[event.key] ?? event.key;
    const command = COMMANDS.find((it) => it.key === key);
    if (command) this.go(command.act(this.trace, this.step));
    else if (key === 'f') this.steps?.toggle(this.step);
    else return false;
    return true;
  }

  private tools(trace: TraceModel): HTMLElement {
    const commands = COMMANDS.filter((it) => it.key !== 'n' || trace.threads.length > 1);
    const buttons = commands.map((it) => {
      const key = it.key.replace('Arrow', '').toLowerCase();
      return h('button', { type: 'button', title: `${it.name} (${key})`, 'aria-label': it.name, 'aria-keyshortcuts': it.key,
        'data-key': it.key, click: () => this.go(it.act(trace, this.step)) }, it.sign);
    });
    return h('nav', { class: 'tools', 'aria-label': 'Steps' }, ...buttons, this.counter,
      h('span', { class: 'keys' }, '← → step   o over   u out   f fold'));
  }
}
