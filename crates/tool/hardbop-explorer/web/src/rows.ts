// Which steps are listed: those inside a folded call are not.

import { firstFrom } from './search.ts';
import type { TraceModel } from './trace.ts';

export class Rows {
  readonly folded = new Set<number>();
  /** The steps that are listed, in order. */
  visible: number[] = [];

  constructor(private readonly trace: TraceModel) {
    this.update();
  }

  toggle(step: number): void {
    if (!this.trace.isCall(step)) return;
    if (!this.folded.delete(step)) this.folded.add(step);
    this.update();
  }

  foldAll(): void {
    for (let i = 0; i < this.trace.length; i++) if (this.trace.isCall(i)) this.folded.add(i);
    this.update();
  }

  unfoldAll(): void {
    this.folded.clear();
    this.update();
  }

  /** Opens the calls around a step, so that it is listed. */
  reveal(step: number): boolean {
    let isNew = false;
    for (let call = this.trace.parent[step]!; call >= 0; call = this.trace.parent[call]!) {
      isNew = this.folded.delete(call) || isNew;
    }
    if (isNew) this.update();
    return isNew;
  }

  /** The position in the list. */
  position(step: number): number {
    return firstFrom(this.visible, step);
  }

  private update(): void {
    const { trace, folded } = this;
    if (folded.size === 0) {
      this.visible = Array.from({ length: trace.length }, (_, i) => i);
      return;
    }
    // A call comes before what is in it: whether it is hidden is known by then.
    const isHidden = new Uint8Array(trace.length);
    this.visible = [];
    for (let i = 0; i < trace.length; i++) {
      const call = trace.parent[i]!;
      if (call >= 0 && (isHidden[call] || folded.has(call))) isHidden[i] = 1;
      else this.visible.push(i);
    }
  }
}
