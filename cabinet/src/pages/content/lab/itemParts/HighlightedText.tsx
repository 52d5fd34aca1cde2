import type { ReactNode } from 'react';

interface Props {
  text: string;
  /** Start and exclusive end of each match, in code points. */
  ranges: readonly (readonly number[])[];
}

/** Shows a text with the matches of a search marked. */
export function HighlightedText({ text, ranges }: Props) {
  const letters = [...text];
  const parts: ReactNode[] = [];
  let at = 0;
  for (const [from = 0, to = 0] of ranges) {
    parts.push(letters.slice(at, from).join(''), <mark key={from}>{letters.slice(from, to).join('')}</mark>);
    at = to;
  }
  return (
    <>
      {parts}
      {letters.slice(at).join('')}
    </>
  );
}
