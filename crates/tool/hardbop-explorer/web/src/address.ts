// The address names what is shown: `#result=2&step=14`, both counted from 1.

export interface Place {
  /** `null`: the table of results. */
  result: number | null;
  step: number | null;
}

export function readAddress(hash: string, nResults: number): Place {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const number = (name: string): number | null => {
    const text = words.get(name);
    return text !== null && /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) - 1 : null;
  };
  const asked = number('result');
  const result = asked !== null && asked < nResults ? asked : nResults === 1 ? 0 : null;
  return { result, step: result === null ? null : number('step') };
}

export function writeAddress(place: Place, nResults: number): string {
  const words: string[] = [];
  if (place.result !== null && nResults > 1) words.push(`result=${place.result + 1}`);
  if (place.result !== null && place.step !== null) words.push(`step=${place.step + 1}`);
  return '#' + words.join('&');
}
