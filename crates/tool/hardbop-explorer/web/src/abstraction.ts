// How predicate abstraction came to its answer, round by round: what is followed where, the path that was looked at with
// the values of the predicates, and the Boolean program, beside the C program in the source pane.

import type { Round, Spot } from './data.ts';
import { h, scroll } from './dom.ts';
import type { SourceView } from './source.ts';
import type { Context, View } from './view.ts';
import { words } from './words.ts';

/** Longer Boolean programs are cut: nobody reads them, and the page stays quick. */
const MOST_LINES = 3000;

/** The predicates of a round that the one before did not follow at the same place. */
export function news(round: Round, before: Round | undefined): Set<string> {
  const keys = (it: Round | undefined) => (it?.predicates ?? []).flatMap((at) => at.predicates.map((predicate) => `${place(at)}: ${predicate}`));
  const known = new Set(keys(before));
  return new Set(keys(round).filter((it) => !known.has(it)));
}

/** What stands beside the lines of the source: predicates, and at one place of the path their values. */
export function beside(round: Round, visit: number | null): Map<string, string[]> {
  const notes = new Map<string, string[]>();
  for (const at of round.predicates) {
    if (at.line === null) continue;
    const key = `${at.file}:${at.line}`;
    notes.set(key, [...(notes.get(key) ?? []), ...at.predicates]);
  }
  const here = visit === null ? undefined : round.path[visit];
  if (here && here.line !== null) {
    const values = Object.entries(here.values).map(([predicate, value]) => `${predicate} is ${value}`);
    notes.set(`${here.file}:${here.line}`, values.length ? values : ['nothing is followed here']);
  }
  return notes;
}

/** The place in the C program that a comment of the Boolean program names. */
export function placeOf(line: string): { file: string; line: number } | null {
  const found = /^\s*\/\/ (.+):(\d+)$/.exec(line);
  return found ? { file: found[1]!, line: Number(found[2]) } : null;
}

function place(at: Spot): string {
  const line = at.line === null ? '' : `line ${at.line}, `;
  return `${line}${at.at}${at.proc.startsWith('(') || at.proc === 'main' ? '' : ` of ${at.proc}`}`;
}

export class AbstractionView implements View {
  readonly name = 'Abstraction';
  readonly element: HTMLElement;
  private readonly body = scroll('Rounds', 'abstraction');
  private readonly choose: HTMLSelectElement;
  private at: number;
  private visit: number | null = null;
  private drawn = -1;

  constructor(context: Context, private readonly rounds: Round[], private readonly source: SourceView) {
    this.at = rounds.length - 1;
    this.choose = h('select', { 'aria-label': 'Round', change: () => this.go(Number(this.choose.value)) },
      ...rounds.map((it, index) => h('option', { value: String(index) }, `round ${it.number} of ${rounds.at(-1)!.number}`)));
    const move = (sign: string, name: string, by: number) => h('button', { type: 'button', class: 'quiet', 'aria-label': name, title: name,
      click: () => this.go(this.at + by) }, sign);
    this.element = h('section', { class: 'pane', 'aria-label': 'Abstraction' },
      h('header', {}, h('h2', {}, 'Abstraction'), move('‹', 'The round before', -1), this.choose, move('›', 'The next round', 1)), this.body);
    context.onLine.push((file, line) => this.follow(file, line));
  }

  update(): void {
    if (this.drawn !== this.at) this.draw();
    this.source.setBeside(beside(this.rounds[this.at]!, this.visit));
  }

  private go(round: number): void {
    this.at = Math.max(0, Math.min(this.rounds.length - 1, round));
    this.visit = null;
    this.update();
  }

  private look(visit: number): void {
    this.visit = visit;
    const at = this.rounds[this.at]!.path[visit]!;
    this.body.querySelectorAll('.visit').forEach((it, index) => it.setAttribute('aria-pressed', String(index === visit)));
    this.source.setBeside(beside(this.rounds[this.at]!, visit));
    if (at.line !== null) this.source.point(at.file, at.line);
  }

  /** Shows what the Boolean program makes of a line of the source. */
  private follow(file: string, line: number): void {
    const at = [...this.body.querySelectorAll<HTMLElement>('[data-line]')].find((it) => it.dataset['line'] === `${file}:${line}`);
    at?.scrollIntoView({ block: 'center' });
  }

  private draw(): void {
    this.drawn = this.at;
    const round = this.rounds[this.at]!;
    this.choose.value = String(this.at);
    const fresh = news(round, this.rounds[this.at - 1]);
    const followed = round.predicates.map((at) => h('li', {}, h('span', { class: 'at' }, place(at)),
      ...at.predicates.map((it) => h('code', { class: `predicate${fresh.has(`${place(at)}: ${it}`) ? ' changed' : ''}` }, it))));
    const path = round.path.map((at, index) => h('button', { type: 'button', class: 'visit', 'aria-pressed': 'false', click: () => this.look(index) },
      h('span', { class: 'at' }, place(at)),
      ...Object.entries(at.values).map(([predicate, value]) => h('code', { class: `predicate ${value ? 'true' : 'false'}` }, `${predicate} is ${value}`))));
    this.body.replaceChildren(
      h('p', { class: 'learned' }, `Round ${round.number}: ${round.learned}.`),
      h('h3', {}, 'Predicates, and where they are followed'),
      followed.length ? h('ul', { class: 'proof' }, ...followed) : h('p', { class: 'none' }, 'No predicate yet: only the flow of control.'),
      ...(path.length ? [h('h3', {}, 'The path of the Boolean program that was looked at'), h('div', { class: 'path' }, ...path)] : []),
      h('h3', {}, 'The Boolean program'), ...this.program(round));
  }

  private program(round: Round): HTMLElement[] {
    if (round.program === '') return [h('p', { class: 'none' }, 'It is too long to be shown; `hardbop abstract` prints it.')];
    const lines = round.program.replace(/\n$/, '').split('\n');
    const rows = lines.slice(0, MOST_LINES).map((text) => {
      const at = placeOf(text);
      if (at) {
        return h('div', { class: 'line', 'data-line': `${at.file}:${at.line}` },
          h('button', { type: 'button', class: 'link', click: () => this.source.point(at.file, at.line) }, `${text.trim().slice(3)}`));
      }
      return h('div', { class: 'line' }, h('code', {}, ...words(text).map((word) =>
        (word.kind ? h('span', { class: word.kind }, word.text) : document.createTextNode(word.text)))));
    });
    const more = lines.length > MOST_LINES ? [h('p', { class: 'note' }, `${lines.length - MOST_LINES} more lines`)] : [];
    return [h('div', { class: 'program', role: 'region', 'aria-label': 'Boolean program' }, ...rows), ...more];
  }
}
