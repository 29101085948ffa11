// What the views share: the result that is looked at, where in its trace, and how to go elsewhere.

import type { Graph, Result } from './data.ts';
import type { TraceModel } from './trace.ts';

export interface Context {
  result: Result;
  graphs: Graph[];
  sources: Record<string, string>;
  trace: TraceModel | null;
  go(step: number): void;
  /** Called with a line of the source that the reader points at. */
  onLine: ((file: string, line: number) => void)[];
}

export interface View {
  name: string;
  element: HTMLElement;
  /** The step has changed, or the view has come into sight. */
  update(step: number): void;
}
