// A list of rows of one height of which only those in sight exist.

import { h } from './dom.ts';

/** The rows that exist: those in sight and a few on each side. */
export function inSight(top: number, height: number, row: number, n: number): [number, number] {
  const margin = 8;
  const first = Math.max(0, Math.floor(top / row) - margin);
  const end = Math.min(n, Math.ceil((top + height) / row) + margin);
  return [first, Math.max(first, end)];
}

export class VirtualList {
  readonly element: HTMLElement;
  private readonly space: HTMLElement;
  private readonly window: HTMLElement;
  private n = 0;
  private drawn = '';

  constructor(private readonly row: number, attributes: Record<string, string>,
              private readonly draw: (index: number) => HTMLElement) {
    this.window = h('div', { class: 'window' });
    this.space = h('div', { class: 'space' }, this.window);
    this.element = h('div', { ...attributes, class: `list ${attributes['class'] ?? ''}`, tabindex: '0' }, this.space);
    this.element.addEventListener('scroll', () => this.refresh(false), { passive: true });
    new ResizeObserver(() => this.refresh(false)).observe(this.element);
  }

  setLength(n: number): void {
    this.n = n;
    this.space.style.height = `${n * this.row}px`;
    this.refresh(true);
  }

  /** Draws what is in sight; again if it is there already only when asked to. */
  refresh(isStale: boolean): void {
    const [first, end] = inSight(this.element.scrollTop, this.element.clientHeight, this.row, this.n);
    const now = `${first}-${end}`;
    if (now === this.drawn && !isStale) return;
    this.drawn = now;
    const rows: HTMLElement[] = [];
    for (let i = first; i < end; i++) rows.push(this.draw(i));
    this.window.style.transform = `translateY(${first * this.row}px)`;
    this.window.replaceChildren(...rows);
  }

  /** Scrolls a row into sight, to the middle if it was out of it. */
  show(index: number): void {
    const { scrollTop: top, clientHeight: height } = this.element;
    const at = index * this.row;
    if (height > 0 && (at < top + this.row || at + 2 * this.row > top + height)) {
      this.element.scrollTop = Math.max(0, at - height / 2);
    }
    this.refresh(true);
  }
}
