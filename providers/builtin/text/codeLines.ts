/**
 * Tells lines of program code from prose. Errs on the side of prose: a line of code that stays costs a bad tag, a
 * sentence that goes is lost. So words that also begin sentences ("let", "from", "return", "with") never suffice.
 */

/** `sure` lines never occur in prose; `likely` ones are code only beside a sure one. */
export type CodeLine = 'sure' | 'likely' | null;

/** Longer lines are prose, or minified. */
const MAX_LENGTH = 200;
const CYRILLIC = /[а-яё]/i;
/** Strings and comments, where code contains words. */
const IN_WORDS = /"[^"]*"|'[^']*'|`[^`]*`|\s(?:#|\/\/).*$/g;
const KEYWORDS =
  /\b(?:and|as|async|await|char|class|const|def|else|export|extends|final|float|for|from|function|if|implements|import|in|int|is|lambda|let|new|not|null|of|or|private|protected|public|return|static|string|throw|typeof|var|void|while|yield)\b/gi;

const SURE: readonly RegExp[] = [
  /[\w)]\s*\{$/,
  /=>$/,
  /^(?:async\s+)?def\s+\w+\(.*\)(?:\s*->.*)?:$/,
  /^(?:export\s+)?(?:const|let|var)\s+[\w$]+\s*=\s*\S.*;$/,
  /^(?:export\s+)?(?:const|let|var)\s*(?:[\w$]+\s*=.*[\w$\]]\(|[[{].*[}\]]\s*=)/,
  /^(?:public|private|protected|static)\s.*\w\(.*\)\s*;$/,
  /^#include\s*[<"]/,
  /^import\s.*\sfrom\s*['"].*['"];?$/,
];
/** An identifier, or several: `a`, `a.b[0]`, `left, right`. */
const ASSIGNMENT = /^[A-Za-z_$][\w$.]*(?:\[[^\]]*\])?(?:,\s*[A-Za-z_$][\w$.]*)*\s*(?:=|:=|\+=|-=)\s*([^=\s].*)$/;
const LIKELY: readonly RegExp[] = [
  /^[})\]]+[;,)]*$/,
  /^[\w$.]+\(.*\);?$/,
  /^(?:return|throw|package|using|namespace)\b.*;$/,
  /^import\s+[\w.]+(?:\s+as\s+\w+)?;?$/,
  /^from\s+[\w.]+\s+import\s+[\w*, ]+$/,
  /^(?:else|try|finally|except(?:\s+\w+)?):$/,
  // A line such as "with sauce:" has none of the brackets, underscores and comparisons of code.
  /^(?:class|if|elif|for|while|with)\b.*(?:\w[([]|_|\s[=!<>]=\s|\s[<>]\s).*:$/,
];

/** Returns whether a line looks like a statement of a program. */
export function codeLineOf(line: string): CodeLine {
  if (line.length >= MAX_LENGTH || CYRILLIC.test(line)) return null;
  const code = withoutWords(line);
  if (code === '' || hasWords(code, 3)) return null;
  const assigned = ASSIGNMENT.exec(code)?.[1];
  if (assigned !== undefined) return kindOfAssignment(assigned);
  if (SURE.some((form) => form.test(code))) return 'sure';
  return LIKELY.some((form) => form.test(code)) ? 'likely' : null;
}

/**
 * Returns whether a line may continue the code above it: it is indented and not prose. The beginning of a long line is
 * enough, and bounds the time.
 */
export function isIndentedCode(line: string): boolean {
  const beginning = line.slice(0, MAX_LENGTH);
  return /^(?: {2,}|\t)\s*\S/.test(beginning) && !CYRILLIC.test(line) && !hasWords(withoutWords(beginning), 3);
}

/** "A = pi r squared, where r is its radius." and "E = mc2" are formulas in prose. */
function kindOfAssignment(assigned: string): CodeLine {
  if (/[.,:!?…]$/.test(assigned) || hasWords(assigned, 2)) return null;
  return /\w[([]|;$/.test(assigned) ? 'sure' : 'likely';
}

function withoutWords(line: string): string {
  return line.replace(IN_WORDS, '""').trim();
}

/** Returns whether this many words other than keywords follow each other, as in prose. */
function hasWords(code: string, count: 2 | 3): boolean {
  const plain = code.replace(KEYWORDS, ';');
  return (count === 2 ? /[a-z]{2,},?\s+[a-z]{2,}/i : /[a-z]{2,},?\s+[a-z]{2,},?\s+[a-z]{2,}/i).test(plain);
}
