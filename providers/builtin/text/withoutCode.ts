/** Leaves program code out of a text: its words are not phrases, and it makes a Russian text look English. */
import { codeLineOf, isIndentedCode, type CodeLine } from './codeLines.ts';

/**
 * A marker alone on its line, or with the name of a language: "~~~" also divides scenes, and "```npm i``` …" is prose.
 */
const FENCE = /^ {0,3}(`{3,}|~{3,})\s*(?:([\w+#.-]+)\s*)?$/;
/** Words after the opening marker of a fence that encloses prose. */
const PROSE = /^(?:text|txt|plain|plaintext|quote|markdown|md)$/i;
/** A single line is just as likely to be a formula, or an example within a sentence. */
const LEAST_LINES = 2;

/**
 * Returns the text without blocks of code, which are fenced and closed, or consist of at least two lines that look like
 * statements. A text that is nothing but code is returned unchanged. Linear.
 */
export function withoutCode(text: string): string {
  if (!/[=({`~:;]/.test(text)) return text;
  const lines = text.split('\n');
  const rest = withoutStatements(withoutFences(lines)).join('\n');
  return /\p{L}{2}/u.test(rest) ? rest : text;
}

function withoutFences(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let openedAt = -1;
  let opening = '';
  let isNamed = false;
  for (const line of lines) {
    const [, marker = '', info = ''] = FENCE.exec(line) ?? [];
    kept.push(line);
    if (marker === '') continue;
    if (openedAt < 0) {
      openedAt = kept.length - 1;
      opening = marker;
      isNamed = info !== '' && !PROSE.test(info);
    } else if (marker === opening && info === '') {
      const inside = kept.slice(openedAt + 1, -1);
      if (isNamed || inside.some((each) => codeLineOf(each) !== null)) kept.length = openedAt;
      openedAt = -1;
    }
  }
  return kept;
}

function withoutStatements(lines: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < lines.length;) {
    const { end, isCode } = runAt(lines, at);
    if (!isCode) for (const line of lines.slice(at, end)) kept.push(line);
    at = end;
  }
  return kept;
}

/** Returns the end of the lines from `start` on that may be a block of code, and whether they are one. */
function runAt(lines: readonly string[], start: number): { end: number; isCode: boolean } {
  const kinds: CodeLine[] = [];
  let end = start;
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '' && kinds.length > 0) continue;
    const kind = codeLineOf(line);
    if (kind === null && (kinds.length === 0 || !isIndentedCode(line))) break;
    if (kind !== null) kinds.push(kind);
    end = at + 1;
  }
  return { end: Math.max(end, start + 1), isCode: kinds.length >= LEAST_LINES && kinds.includes('sure') };
}
