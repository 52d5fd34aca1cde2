/**
 * Corrects what the small English network gets wrong time and again: titles of people, places after prepositions, and
 * two names joined by "and" of which it recognises one.
 */
import type { NameSpan, NameType, TaggedWord } from '../common/types.ts';
import { isKnownPlace, joinedPlaces } from './knownPlaces.ts';
import { isOfOrganisation, SURE_TITLES, TITLES } from './nameWords.ts';

/** After these a name of one word is a place, whatever label the network gives it. */
const PLACE_PREPOSITIONS = new Set(['in', 'near', 'around', 'outside', 'across']);
/** After these a name is a place even where the network sees no name; "in" also stands before months and languages. */
const SURE_PREPOSITIONS = new Set(['near', 'outside']);
/** The last word of an event's name: the event is not a place, but it may be named after one. */
const EVENT = /^(?:marathon|cup|festival|olympics|prix|prize|awards?)$/i;

/** @returns the names without overlaps, in order */
export function correctNames(words: readonly TaggedWord[], found: readonly NameSpan[]): NameSpan[] {
  const whole = withJoinedPlaces(found, joinedPlaces(words));
  const known = whole.map((span) => withoutTitle(span, words)).flatMap((span) => placeOfEvent(span, words));
  const added = [...titled(words, known), ...behindPreposition(words, known)];
  const all = withParticles(
    [...known, ...added].toSorted((a, b) => a.from - b.from),
    words,
  );
  const typed = all.map((span) => ({ span: { ...span, type: typeOf(span, words) }, isSure: isSurePlace(span, words) }));
  return joined(typed, words);
}

/** Puts places in the place of names that are parts of them; "Southend-on-Sea Council" remains one name. */
function withJoinedPlaces(found: readonly NameSpan[], places: readonly NameSpan[]): NameSpan[] {
  const contains = (whole: NameSpan, part: NameSpan): boolean => whole.from <= part.from && part.to <= whole.to;
  const isCut = (span: NameSpan): boolean =>
    places.some((place) => span.from < place.to && place.from < span.to && !contains(span, place));
  const missing = places.filter((place) => !found.some((span) => contains(span, place)));
  return [...found.filter((span) => !isCut(span)), ...missing];
}

/** Particles of surnames, such as "von der Leyen", between a first name and the rest. */
const PARTICLES = new Set('von van der den de da di del della du ter ten zu dos bin al'.split(' '));

/** Continues names of people behind the particles of their surnames, where the network breaks off. */
function withParticles(spans: readonly NameSpan[], words: readonly TaggedWord[]): NameSpan[] {
  const corrected: NameSpan[] = [];
  for (const span of spans) {
    if (span.from < (corrected.at(-1)?.to ?? 0)) continue;
    const to = span.type === 'person' ? endBehindParticles(span, words) : span.to;
    corrected.push({ ...span, to });
  }
  return corrected;
}

function endBehindParticles({ from, to }: NameSpan, words: readonly TaggedWord[]): number {
  let next = to;
  while (next - to < 2 && PARTICLES.has(words[next]?.text ?? '')) next += 1;
  const isBroken = next > to || (to - from > 1 && PARTICLES.has(words[to - 1]?.text ?? ''));
  const isOne = words[next]?.sentence === words[from]?.sentence;
  return isBroken && isOne && isProper(words[next]) ? next + 1 : to;
}

/** «Ms Delgado» is Delgado. Whoever has such a title is a person. */
function withoutTitle(span: NameSpan, words: readonly TaggedWord[]): NameSpan {
  const isTitled = isTitle(words[span.from]) && span.to - span.from > 1;
  const isSure =
    SURE_TITLES.has(words[span.from]?.text.toLowerCase().replace(/\.$/, '') ?? '') &&
    !isOfOrganisation(words[span.to - 1]?.text ?? '');
  if (isTitled && (isSure || span.type !== 'organization'))
    return { type: 'person', from: afterTitle(span.from, words), to: span.to };
  return span.type !== 'person' && span.to - span.from === 1 && isTitle(words[span.from - 1])
    ? { ...span, type: 'person' }
    : span;
}

function isTitle(word: TaggedWord | undefined): boolean {
  return word !== undefined && /^\p{Lu}/u.test(word.text) && TITLES.has(word.text.toLowerCase().replace(/\.$/, ''));
}

/** The full stop of «Dr.» may be a word of its own. */
function afterTitle(at: number, words: readonly TaggedWord[]): number {
  return words[at + 1]?.text === '.' ? at + 2 : at + 1;
}

/** The Berlin Marathon is in Berlin; other events are names of none of the three kinds. */
function placeOfEvent(span: NameSpan, words: readonly TaggedWord[]): NameSpan[] {
  if (span.to - span.from === 1 || !EVENT.test(words[span.to - 1]?.text ?? '')) return [span];
  const from = words[span.from]?.text.toLowerCase() === 'the' ? span.from + 1 : span.from;
  const before: NameSpan = { type: 'place', from, to: span.to - 1 };
  return isKnownPlace(nameIn(before, words)) ? [before] : [];
}

/** Names after a title that the network overlooked. */
function titled(words: readonly TaggedWord[], known: readonly NameSpan[]): NameSpan[] {
  return words.flatMap((word, at) =>
    isTitle(word) ? (properRun(words, known, afterTitle(at, words), word.sentence, 'person') ?? []) : [],
  );
}

function behindPreposition(words: readonly TaggedWord[], known: readonly NameSpan[]): NameSpan[] {
  return words.flatMap(({ text, sentence }, at) =>
    SURE_PREPOSITIONS.has(text.toLowerCase()) ? (properRun(words, known, at + 1, sentence, 'place') ?? []) : [],
  );
}

/** Returns the proper nouns from `from` on, unless one of them is in a known name. */
function properRun(
  words: readonly TaggedWord[],
  known: readonly NameSpan[],
  from: number,
  sentence: number,
  type: NameType,
): NameSpan | null {
  let to = from;
  while (to - from < 3 && words[to]?.sentence === sentence && isProper(words[to])) to += 1;
  const isKnown = known.some((span) => span.from < to && span.to > from);
  return to === from || isKnown ? null : { type, from, to };
}

/** Returns true for a proper noun with a capital, but not in capitals throughout. */
export function isProper(word: TaggedWord | undefined): boolean {
  return word !== undefined && word.pos.startsWith('NNP') && /^\p{Lu}\p{Ll}/u.test(word.text);
}

function nameIn({ from, to }: NameSpan, words: readonly TaggedWord[]): string {
  return words
    .slice(from, to)
    .map(({ text }) => text)
    .join(' ');
}

function isSurePlace(span: NameSpan, words: readonly TaggedWord[]): boolean {
  if (isTitle(words[span.from - 1])) return false;
  if (isKnownPlace(nameIn(span, words))) return true;
  const before = words[span.from - 1];
  const isWhere =
    before?.sentence === words[span.from]?.sentence && PLACE_PREPOSITIONS.has(before?.text.toLowerCase() ?? '');
  return isWhere && span.to - span.from === 1;
}

function typeOf(span: NameSpan, words: readonly TaggedWord[]): NameType {
  if (isSurePlace(span, words)) return 'place';
  return isWithArticle(span, words) ? 'place' : span.type;
}

/** People have no article, unlike rivers and mountains: "the Danube". */
function isWithArticle({ type, from, to }: NameSpan, words: readonly TaggedWord[]): boolean {
  const [before, next] = [words[from - 1], words[to]];
  return (
    type === 'person' && to - from === 1 && /^the$/i.test(before?.text ?? '') && next?.pos.startsWith('NN') !== true
  );
}

/** "Passau and Linz": a name of one word is a place if "and" joins it to one that is certainly a place. */
function joined(all: readonly { span: NameSpan; isSure: boolean }[], words: readonly TaggedWord[]): NameSpan[] {
  return all.map(({ span, isSure }, at) => {
    const isSingle = span.to - span.from === 1;
    const beside = [all[at - 1], all[at + 1]].some(
      (other) => other?.isSure === true && isSingle && areJoined(other.span, span, words),
    );
    return !isSure && beside ? { ...span, type: 'place' } : span;
  });
}

/** Two names that "and", "or" or "&" joins, as in "Howard Florey and Ernst Chain", are mostly of one kind. */
export function areJoined(one: NameSpan, other: NameSpan, words: readonly TaggedWord[]): boolean {
  const [first, second] = one.from < other.from ? [one, other] : [other, one];
  return second.from - first.to === 1 && /^(?:and|or|&)$/i.test(words[first.to]?.text ?? '');
}
