// The page: the table of results or one of them, whatever the address names.

import { readAddress, writeAddress } from './address.ts';
import type { Page } from './data.ts';
import { h } from './dom.ts';
import { Explorer } from './explorer.ts';
import { TableView } from './table.ts';

const app = document.getElementById('app')!;
const page = JSON.parse(document.getElementById('data')!.textContent ?? '') as Page;
const n = page.results.length;
let explorer: Explorer | null = null;
let shown: number | null = null;

function open(): void {
  const place = readAddress(location.hash, n);
  if (place.result === null) {
    explorer = null;
    shown = null;
    document.title = `Hardbop: ${n} results`;
    app.replaceChildren(bar(), new TableView(page, (result) => { location.hash = writeAddress({ result, step: null }, n); }).element);
    return;
  }
  if (shown !== place.result || !explorer) {
    const result = place.result;
    shown = result;
    explorer = new Explorer(page, result, (step) => history.replaceState(null, '', writeAddress({ result, step }, n)));
    document.title = `${page.results[result]!.record.verdict}: ${page.results[result]!.record.file}`;
    app.replaceChildren(bar(), explorer.element);
  }
  if (place.step === null) explorer.update();
  else explorer.go(place.step);
}

function bar(): HTMLElement {
  const theme = h('button', { type: 'button', class: 'quiet', 'aria-label': 'Dark or light', title: 'Dark or light', click: () => {
    const isDark = getComputedStyle(document.documentElement).colorScheme === 'dark';
    document.documentElement.dataset['theme'] = isDark ? 'light' : 'dark';
  } }, '◐');
  const all = shown !== null && n > 1 ? h('a', { href: '#' }, `All ${n} results`) : null;
  return h('header', { class: 'bar' }, h('strong', {}, 'Hardbop'), all, h('span', { class: 'grow' }), theme);
}

addEventListener('hashchange', open);
addEventListener('keydown', (event) => {
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
  if (explorer?.key(event)) event.preventDefault();
});
open();
