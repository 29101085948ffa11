// The tabs: on a wide page they choose the pane on the right, on a narrow one the only pane. The pattern of WAI-ARIA: one of
// them is a stop of the tab key, the arrow keys go from one to the next and choose it.

import { h } from './dom.ts';
import type { View } from './view.ts';

export class Tabs {
  readonly element: HTMLElement;
  private readonly buttons: HTMLElement[];
  private readonly narrow = matchMedia('(max-width: 820px)');
  private shown: string;
  private shownNarrow: string;

  /** `views` are all, `side` those of the pane on the right; `moved` is called when another one is chosen. */
  constructor(private readonly views: View[], private readonly side: View[], first: string, private readonly moved: (isSide: boolean) => void) {
    this.shown = side[0]!.name;
    this.shownNarrow = first;
    this.buttons = views.map((view) => {
      const isSide = side.includes(view);
      view.element.id = `pane-${view.name.toLowerCase()}`;
      if (isSide) view.element.setAttribute('role', 'tabpanel');
      return h('button', { type: 'button', role: 'tab', 'data-view': view.name, class: isSide ? 'side' : 'main', 'aria-controls': view.element.id,
        click: () => this.choose(view) }, view.name);
    });
    this.element = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'What is shown', keydown: (event: Event) => this.key(event as KeyboardEvent) }, ...this.buttons);
    this.narrow.addEventListener('change', () => this.mark());
    this.mark();
  }

  private choose(view: View): void {
    const isSide = this.side.includes(view);
    if (isSide) this.shown = view.name;
    this.shownNarrow = view.name;
    this.mark();
    this.moved(isSide);
  }

  private key(event: KeyboardEvent): void {
    const visible = this.buttons.filter((it) => it.offsetParent !== null);
    const at = visible.indexOf(event.target as HTMLElement);
    const last = visible.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (at < 0 || to === undefined) return;
    visible[to]!.click();
    visible[to]!.focus();
    event.preventDefault();
    // The same keys step through the trace.
    event.stopPropagation();
  }

  private mark(): void {
    for (const view of this.views) {
      view.element.classList.toggle('open', this.side.includes(view) && view.name === this.shown);
      view.element.classList.toggle('narrow', view.name === this.shownNarrow);
    }
    const chosen = this.narrow.matches ? this.shownNarrow : this.shown;
    for (const button of this.buttons) {
      const isChosen = button.dataset['view'] === chosen;
      button.setAttribute('aria-selected', String(isChosen));
      button.tabIndex = isChosen ? 0 : -1;
    }
  }
}
