// The objects of a C program and what points to them. Objects stand in columns by how far they are from a variable.

import { h, scroll, svg } from './dom.ts';
import type { MemoryObject, TraceModel } from './trace.ts';
import type { Context, View } from './view.ts';

/** Of a box, where objects stand in columns. */
const WIDTH = 190;
/** And where they stand below each other. */
const MOST_WIDTH = 300;
const INDENT = 18;
const GAP_X = 60;
const GAP_Y = 18;
const LINE = 20;
/** More objects than this are not drawn: nobody finds their way. */
const MOST = 60;
const MOST_FIELDS = 12;

export interface Box { x: number; y: number; width: number; height: number }

/** The column of each object: its distance from a variable, or from an object nothing points to. */
export function columns(objects: MemoryObject[], roots: string[]): Map<string, number> {
  const known = new Set(objects.map((it) => it.name));
  const column = new Map<string, number>();
  const spread = (from: string[], at: number): void => {
    let wave = from.filter((it) => known.has(it) && !column.has(it));
    for (; wave.length > 0; at++) {
      for (const name of wave) column.set(name, at);
      const next = objects.filter((it) => wave.includes(it.name))
        .flatMap((it) => it.fields.map((field) => field.pointsTo))
        .filter((it): it is string => it !== null && known.has(it) && !column.has(it));
      wave = [...new Set(next)];
    }
  };
  spread(roots, 1);
  for (const it of objects) spread([it.name], 1);
  return column;
}

/** Where boxes stand: in columns if there is room for them, otherwise below each other, indented by their distance. */
export function layout(rows: Map<string, { column: number; rows: number }>, room: number): { boxes: Map<string, Box>; isStack: boolean } {
  const boxes = new Map<string, Box>();
  const nColumns = 1 + Math.max(...[...rows.values()].map((it) => it.column));
  const isStack = nColumns * (WIDTH + GAP_X) + 10 > room && nColumns > 1;
  const inOrder = isStack ? [...rows].sort((a, b) => a[1].column - b[1].column) : [...rows];
  const bottoms: number[] = [];
  for (const [name, it] of inOrder) {
    const height = (it.rows + 1) * LINE + 10;
    const at = isStack ? 0 : it.column;
    const indent = Math.min(it.column, 4) * INDENT;
    const y = bottoms[at] ?? 10;
    const x = isStack ? 10 + indent : 10 + at * (WIDTH + GAP_X);
    const width = isStack ? Math.max(WIDTH, Math.min(MOST_WIDTH, room - GAP_X - 10) - indent) : WIDTH;
    boxes.set(name, { x, y, width, height });
    bottoms[at] = y + height + GAP_Y;
  }
  return { boxes, isStack };
}

export class MemoryView implements View {
  readonly name = 'Memory';
  readonly element: HTMLElement;
  private readonly body = scroll('Picture of memory', 'memory');

  constructor(private readonly context: Context, private readonly trace: TraceModel) {
    this.element = h('section', { class: 'pane', 'aria-label': 'Memory' }, h('header', {}, h('h2', {}, 'Memory')), this.body);
  }

  update(step: number): void {
    const pointers = this.trace.pointers(step);
    const { memory: all, freed } = this.trace.state(step);
    // What is pointed to is there, also before its first field is written.
    for (const { target } of pointers) {
      if (!all.some((it) => it.name === target)) all.push({ name: target, isFreed: freed.has(target), isChanged: false, fields: [] });
    }
    const objects = all.slice(0, MOST);
    if (objects.length === 0) {
      this.body.replaceChildren(h('p', { class: 'none' }, 'No object in memory has been written yet.'));
      return;
    }
    const more = all.length > MOST ? h('p', { class: 'note' }, `${all.length - MOST} more objects are not drawn.`) : null;
    this.body.replaceChildren(...(more ? [more] : []), this.draw(objects, pointers, step));
  }

  private draw(objects: MemoryObject[], pointers: { name: string; target: string }[], step: number): SVGElement {
    const column = columns(objects, pointers.map((it) => it.target));
    const first = pointers.length > 0 ? 0 : 1;
    const rows = new Map<string, { column: number; rows: number }>();
    if (pointers.length > 0) rows.set('', { column: 0, rows: pointers.length });
    for (const it of objects) {
      rows.set(it.name, { column: (column.get(it.name) ?? 1) - first, rows: Math.max(1, Math.min(it.fields.length, MOST_FIELDS)) });
    }
    const { boxes, isStack } = layout(rows, this.body.clientWidth - 24);
    const arrows: SVGElement[] = [];
    const arrow = (from: Box, row: number, target: string): void => {
      const to = boxes.get(target);
      if (!to) return;
      const [x1, y1] = [from.x + from.width, from.y + (row + 1.5) * LINE + 3];
      const isBack = isStack || to.x <= from.x;
      const [x2, y2] = [isBack ? to.x + to.width : to.x, to.y + 14];
      // Below each other arrows go around on the right, the farther the wider.
      const around = Math.max(x1, x2) + (isStack ? Math.min(GAP_X - 8, 14 + Math.abs(y2 - y1) / 8) : GAP_X * 0.7);
      const bend = isBack ? around : (x1 + x2) / 2;
      arrows.push(svg('path', { class: 'pointer', d: `M ${x1} ${y1} C ${bend} ${y1}, ${bend} ${y2}, ${x2} ${y2}`, 'marker-end': 'url(#tip)' }));
    };
    const drawn: SVGElement[] = [];
    const variables = boxes.get('');
    if (variables) {
      drawn.push(this.box(variables, 'variables', 'roots', pointers.map((it) => ({ left: it.name, right: '', isChanged: false, go: null }))));
      pointers.forEach((it, row) => arrow(variables, row, it.target));
    }
    for (const it of objects) {
      const box = boxes.get(it.name)!;
      const fields = it.fields.slice(0, MOST_FIELDS);
      drawn.push(this.box(box, it.isFreed ? `${it.name} — freed` : it.name, it.isFreed ? 'object freed' : 'object', fields.map((field) => ({
        left: field.path.replace(/^\./, '') || 'value', right: field.pointsTo ? '•' : field.value, isChanged: field.isChanged,
        go: () => { const at = this.trace.lastWrite(step, field.key); if (at !== null) this.context.go(at); },
      }))));
      fields.forEach((field, row) => { if (field.pointsTo) arrow(box, row, field.pointsTo); });
    }
    const width = Math.max(...[...boxes.values()].map((it) => it.x + it.width)) + GAP_X;
    const tall = Math.max(...[...boxes.values()].map((it) => it.y + it.height)) + 20;
    const tip = svg('marker', { id: 'tip', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' },
      svg('path', { d: 'M 0 0 L 8 4 L 0 8 z' }));
    return svg('svg', { width, height: tall, viewBox: `0 0 ${width} ${tall}`, role: 'img', 'aria-label': described(objects, pointers) },
      svg('defs', {}, tip), ...drawn, ...arrows);
  }

  private box(box: Box, title: string, kind: string, rows: { left: string; right: string; isChanged: boolean; go: (() => void) | null }[]): SVGElement {
    const clip = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
    const letters = Math.floor((box.width - 20) / 7.3);
    const lines = rows.map((row, index) => {
      const y = (index + 2) * LINE - 2;
      return svg('g', { class: `field${row.isChanged ? ' changed' : ''}`, ...(row.go ? { click: row.go } : {}) },
        svg('title', {}, row.right ? `${row.left}: ${row.right}` : row.left),
        svg('rect', { class: 'back', x: 1, y: y - 14, width: box.width - 2, height: LINE }),
        svg('text', { x: 10, y }, clip(row.left, row.right ? Math.floor(letters / 2) : letters)),
        svg('text', { x: box.width - 10, y, 'text-anchor': 'end', class: 'value' }, clip(row.right, Math.floor(letters / 2))));
    });
    return svg('g', { class: kind, transform: `translate(${box.x} ${box.y})` },
      svg('title', {}, title), svg('rect', { class: 'frame', width: box.width, height: box.height, rx: 6 }),
      svg('text', { class: 'title', x: 10, y: 17 }, clip(title, letters)), ...lines);
  }
}

/** The picture in words. */
function described(objects: MemoryObject[], pointers: { name: string; target: string }[]): string {
  const of = objects.map((it) => `${it.name}${it.isFreed ? ' (freed)' : ''}: `
    + it.fields.map((field) => `${field.path.replace(/^\./, '')} ${field.pointsTo ? `points to ${field.pointsTo}` : `is ${field.value}`}`).join(', '));
  return [...pointers.map((it) => `${it.name} points to ${it.target}`), ...of].join('; ');
}
