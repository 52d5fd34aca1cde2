/** Turns matches into a verdict: a level per category and masked evidence. */
import { MAX_EVIDENCE } from '../../../domain/analysis/safety/evidenceLimit.ts';
import type { Moderation, ModerationLevel } from '../../types.ts';
import { CATEGORIES, moreSevere, type Category } from './categories.ts';
import { findTerms, type Match } from './matchLexicon.ts';
import { isReadable } from './readableText.ts';
import { hideContacts, MAX_CONTACT_LENGTH } from '../text/hideContacts.ts';

/** Characters of context on each side of a term in an excerpt. */
const CONTEXT = 40;
/** Characters of a term that are shown: it may be padded with a million that nobody sees. */
const MAX_TERM = 200;

/** Letters in brackets (⒡, 🄕) are not alphabetic by Unicode. */
const TO_JUDGE = /[\p{Alphabetic}\p{N}\u249c-\u24b5\u{1f110}-\u{1f129}]/u;

/**
 * Judges text by the lexicons alone, which are Russian and English: in a text that is partly in another language, what
 * was not found stays unknown.
 * @returns `level` null if there is no word to judge; otherwise the most severe level of any category. `evidence`:
 * {category, level, term (masked), where: {offset, length} in UTF-16 units, count, excerpt (masked)}, most severe
 * first, at most 20, one for each distinct term
 */
export function moderateText(text: string): Moderation {
  if (!TO_JUDGE.test(text)) return { level: null, categories: null, evidence: null };
  const matches = findTerms(text);
  const categories = levels(matches);
  const level = Object.values(categories).reduce(moreSevere, 'none');
  const judged = { level, categories, evidence: evidenceOf(text, matches) };
  return isReadable(text) ? judged : withoutNone(judged);
}

/** Returns what was found; `none` becomes null, for a text of which only a part could be judged. */
export function withoutNone({ level, categories, evidence }: Moderation): Moderation {
  const found = Object.entries(categories ?? {}).map(([category, one]) => [category, one === 'none' ? null : one]);
  return { level: level === 'none' ? null : level, categories: categories && Object.fromEntries(found), evidence };
}

function levels(matches: readonly Match[]): Record<Category, ModerationLevel> {
  const result: Record<Category, ModerationLevel> = {
    profanity: 'none',
    sexual: 'none',
    violence: 'none',
    drugs: 'none',
    self_harm: 'none',
  };
  for (const match of matches) result[match.category] = moreSevere(result[match.category], match.level);
  return result;
}

function evidenceOf(text: string, matches: readonly Match[]): Record<string, unknown>[] {
  const terms = new Map<string, { first: Match; count: number }>();
  for (const match of matches) {
    const key = `${match.category} ${match.term}`;
    const known = terms.get(key);
    if (known === undefined) terms.set(key, { first: match, count: 1 });
    else known.count += 1;
  }
  const gravestFirst = [...terms.values()].sort((a, b) => compare(a.first, b.first)).slice(0, MAX_EVIDENCE);
  return gravestFirst.map(({ first, count }) => ({
    category: first.category,
    level: first.level,
    term: maskTerm(text.slice(first.start, Math.min(first.end, first.start + MAX_TERM))),
    where: { offset: first.start, length: first.end - first.start },
    count,
    excerpt: excerpt(text, first, matches),
  }));
}

function compare(a: Match, b: Match): number {
  if (a.level !== b.level) return moreSevere(a.level, b.level) === a.level ? -1 : 1;
  return a.start - b.start || CATEGORIES.indexOf(a.category) - CATEGORIES.indexOf(b.category);
}

/** Masks a term as «х**» or «#х**»: the first letter shows an editor which word it is, and the service does not repeat it. */
function maskTerm(term: string): string {
  const [first = ''] = /^#*./su.exec(term) ?? [];
  return first + stars(term.slice(first.length));
}

/** Returns a text of the same length, so that offsets stay valid. */
function stars(text: string): string {
  return text.replace(/\S/g, '*');
}

/**
 * Returns the term in its context, with every term found and all personal data masked, also where the edge cuts them:
 * the window is cut out of a wider one, in which each contact is whole.
 */
function excerpt(text: string, around: Match, matches: readonly Match[]): string {
  const from = Math.max(0, around.start - CONTEXT);
  const to = Math.min(text.length, Math.min(around.end, around.start + MAX_TERM) + CONTEXT);
  const wideFrom = Math.max(0, from - MAX_CONTACT_LENGTH);
  const wide = maskTerms(text.slice(wideFrom, to + MAX_CONTACT_LENGTH), wideFrom, matches);
  const shown = hideContacts(wide).slice(from - wideFrom, to - wideFrom);
  const whole = shown.replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${whole.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')}${to < text.length ? '…' : ''}`;
}

/**
 * Masks the terms in a part of a text, which keeps its length.
 * @param offset where the part begins; the offsets of the matches are those of the whole text
 * @param matches sorted by offset; they may overlap each other and the ends of the part
 */
function maskTerms(part: string, offset: number, matches: readonly Match[]): string {
  let masked = '';
  for (const match of matches) {
    const [start, end] = [match.start - offset, match.end - offset];
    if (start >= part.length) break;
    if (end <= masked.length) continue;
    const [before, term] = [
      part.slice(masked.length, Math.max(0, start)),
      part.slice(Math.max(start, masked.length), end),
    ];
    masked += before + (start < masked.length ? stars(term) : maskTerm(term));
  }
  return masked + part.slice(masked.length);
}
