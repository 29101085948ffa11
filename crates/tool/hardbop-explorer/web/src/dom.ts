// Elements with text. Nothing here takes markup: what a program is called cannot become part of the page.

type Child = Node | string | null;
type Attributes = Record<string, string | number | boolean | ((event: never) => void)>;

const SVG = 'http://www.w3.org/2000/svg';

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value as unknown as EventListener);
    else if (typeof value === 'boolean') element.toggleAttribute(name, value);
    else element.setAttribute(name, String(value));
  }
  for (const child of children) if (child !== null) element.append(child);
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/** What scrolls, and so must be reached by keys, too. */
export function scroll(name: string, kind: string, ...children: Child[]): HTMLElement {
  return h('div', { class: `scroll ${kind}`, role: 'region', 'aria-label': name, tabindex: '0' }, ...children);
}

export function svg(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS(SVG, tag);
  fill(element, attributes, children);
  return element;
}
