// The words of a line of source: comments, keywords, numbers and strings are told apart, no more.

export interface Word { text: string; kind: 'comment' | 'keyword' | 'literal' | '' }

const KEYWORDS = new Set((
  'if then else elsif fi while do od for switch case default break continue return goto begin end decl void bool int '
  + 'char long short unsigned signed struct union enum typedef static extern const sizeof float double assert assume '
  + 'skip start_thread end_thread atomic_begin atomic_end enforce abortif dead constrain schoose T F'
).split(' '));

const WORD = /\/\/.*|\/\*.*?(?:\*\/|$)|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[A-Za-z_$][\w$]*|\d[\w.]*|\s+|./gu;

export function words(line: string): Word[] {
  return (line.match(WORD) ?? []).map((text) => {
    if (text.startsWith('//') || text.startsWith('/*')) return { text, kind: 'comment' };
    if (text.startsWith('"') || text.startsWith("'")) return { text, kind: 'literal' };
    if (/^\d/.test(text)) return { text, kind: 'literal' };
    return { text, kind: KEYWORDS.has(text) ? 'keyword' : '' };
  });
}
