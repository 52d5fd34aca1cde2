/** Leaves program code out of a text: its words are no phrases, and it makes a Russian text look English. */

const FENCE = /^\s*(?:```|~~~)/;
/** Lines that begin as statements do and go on as no sentence does. */
const STATEMENT =
  /^\s*(?:(?:def|class|if|elif|for|while|with|try|except)\b.*:\s*$|(?:from|import)\s+[\w.]+(?:\s+import\b.*)?;?\s*$|(?:export|async|public|private|protected|static|function|const|let|var|interface|struct|fn|func|return|#include|package|using|namespace)\b.*(?:[;{(=]|=>|\))\s*$|[})\]]+[;,)]*\s*$)/;
const ASSIGNMENT =
  /^\s*[\w.$[\], ]+\s(?:=|:=|\+=|-=|==)\s\S.*$|^\s*[\w.]+\([^а-яё]*\)[;{]?\s*$|\w\([^а-яё]*\)?[;{]\s*$/i;
const INDENTED = /^(?: {2,}|\t)\S/;
const CYRILLIC = /[а-яё]/i;

/** Returns the text without blocks of code; a text that is nothing but code is returned unchanged. */
export function withoutCode(text: string): string {
  if (!/[=({`~:]/.test(text)) return text;
  const kept: string[] = [];
  let fenced = false;
  let inCode = false;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) {
      fenced = !fenced;
      continue;
    }
    inCode = isCode(line) || (inCode && INDENTED.test(line) && !CYRILLIC.test(line));
    if (!fenced && !inCode) kept.push(line);
  }
  const rest = kept.join('\n');
  return /\p{L}{2}/u.test(rest) ? rest : text;
}

function isCode(line: string): boolean {
  return line.length < 200 && !CYRILLIC.test(line) && (STATEMENT.test(line) || ASSIGNMENT.test(line));
}
