// The control-flow graph of the procedure at hand, with the trace on it.

import type { Graph } from './data.ts';
import { h, scroll, svg } from './dom.ts';
import type { Context, View } from './view.ts';

export class GraphView implements View {
  readonly name = 'Graph';
  readonly element: HTMLElement;
  private readonly body = scroll('Picture of the graph', 'graph');
  private readonly choose: HTMLSelectElement;
  private shown = '';

  constructor(private readonly context: Context) {
    this.choose = h('select', { 'aria-label': 'Procedure', change: () => this.draw(this.choose.value) },
      ...context.graphs.map((it) => h('option', { value: it.name }, it.name)));
    this.element = h('section', { class: 'pane', 'aria-label': 'Control-flow graph' },
      h('header', {}, h('h2', {}, 'Graph'), this.choose), this.body);
  }

  update(step: number): void {
    const { trace } = this.context;
    const here = trace && trace.length > 0 ? trace.at(step) : null;
    const name = here && this.context.graphs.some((it) => it.name === here.proc) ? here.proc : this.shown || this.choose.value;
    if (name !== this.shown) this.draw(name);
    for (const it of this.body.querySelectorAll('.current')) it.classList.remove('current');
    if (!here) return;
    const at = nodeOf(this.context.graphs.find((it) => it.name === this.shown), here.line);
    const node = at === null ? null : this.body.querySelector(`[data-node="${at}"]`);
    if (!node) return;
    node.classList.add('current');
    const [frame, box] = [this.body.getBoundingClientRect(), node.getBoundingClientRect()];
    if (box.top < frame.top || box.bottom > frame.bottom) this.body.scrollTop += box.top - frame.top - frame.height / 2;
    if (box.left < frame.left || box.right > frame.right) this.body.scrollLeft += (box.left + box.right - frame.left - frame.right) / 2;
  }

  private draw(name: string): void {
    this.shown = name;
    this.choose.value = name;
    const graph = this.context.graphs.find((it) => it.name === name);
    this.body.replaceChildren(...(graph ? [this.picture(graph)] : []));
  }

  private picture(graph: Graph): SVGElement {
    const { trace, go } = this.context;
    /** The first step at each node. */
    const visited = new Map<number, number>();
    trace?.steps.forEach((step, index) => {
      const at = step.proc === graph.name ? nodeOf(graph, step.line) : null;
      if (at !== null && !visited.has(at)) visited.set(at, index);
    });
    const isVisited = (node: number) => visited.has(node);
    const edges = graph.edges.map((edge) => {
      const d = edge.points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'} ${x} ${y}`).join(' ');
      const kind = isVisited(edge.from) && isVisited(edge.to) ? 'edge visited' : 'edge';
      return svg('path', { class: kind, d, 'marker-end': 'url(#end)' }, svg('title', {}, edge.label));
    });
    const nodes = graph.nodes.map((node, index) => {
      const first = visited.get(index);
      return svg('g', {
        class: `node${isVisited(index) ? ' visited' : ''}`, transform: `translate(${node.x} ${node.y})`,
        'data-node': index,
        ...(first === undefined ? {} : { click: () => go(first) }),
      }, svg('rect', { width: node.width, height: node.height, rx: 5 }),
      svg('text', { x: node.width / 2, y: node.height / 2 + 4, 'text-anchor': 'middle' }, node.text));
    });
    const tip = svg('marker', { id: 'end', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: 'auto' },
      svg('path', { d: 'M 0 0 L 8 4 L 0 8 z' }));
    return svg('svg', {
      width: graph.width, height: graph.height, viewBox: `0 0 ${graph.width} ${graph.height}`, role: 'img',
      'aria-label': `Control flow of ${graph.name}: ${graph.nodes.length} places, ${graph.edges.length} edges`,
    }, svg('defs', {}, tip), ...edges, ...nodes);
  }
}

/** The node that is about a line, the one about the fewest lines where there are several. */
export function nodeOf(graph: Graph | undefined, line: number | null): number | null {
  let best: number | null = null;
  let least = Infinity;
  graph?.nodes.forEach((node, index) => {
    if (line === null || node.line === null || node.until === null || line < node.line || line > node.until) return;
    const lines = node.until - node.line;
    if (lines < least) [best, least] = [index, lines];
  });
  return best;
}
