// Looking things up in sorted lists.

/** The position of the first number that is not below another. */
export function firstFrom(sorted: number[], least: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
