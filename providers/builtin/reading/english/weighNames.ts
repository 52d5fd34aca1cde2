/**
 * Weighs the network's scores against what the words in and around a name show: first names, kinds of organisations,
 * occupations, known places. The network knows few names, so its choice between a person and a firm is often a
 * guess, while one word next to the name decides it for a reader.
 */
import type { NameSpan, NameType, TaggedWord } from '../common/types.ts';
import { isKnownPlace } from './knownPlaces.ts';
import { areJoined, isProper } from './correctNames.ts';
import { compoundEndingAt } from './hyphens.ts';
import type { WordLists } from './nouns.ts';
import type { EnglishReading } from './network/englishNetwork.ts';
import {
  COMMANDS,
  isFirstName,
  isNonName,
  isOfOrganisation,
  isDemonym,
  isOfPlace,
  KINDS,
  KINDS_OF_PLACES,
  OFFICES,
  ROLES,
  TITLES,
  WORK_OF_ORGANISATIONS,
  WORK_OF_PEOPLE,
} from './nameWords.ts';

/** Points on the network's scale, where a name that it is sure of scores 5 to 10 more than `none`. */
const SURE = 8;
const STRONG = 5;
const WEAK = 2;
const SLIGHT = 1;
/** A capital within a sentence suggests a name that the network overlooks. */
const CAPITAL = 1;
const MAX_WORDS = 4;
/** The network's label for nationalities, which it also gives to firms that it does not know. */
const PEOPLE = 'NORP';
/** Share of its points that a name adds to a name joined to it. */
const BESIDE = 0.4;
/** Above this share of capitals a sentence is a headline, in which capitals prove nothing. */
const HEADLINE = 0.5;

type Points = Record<NameType, number>;

/**
 * @param lists whether a word in lower case may be an instruction, and whether it is an ordinary noun
 * @returns the names with their types weighed, and those that the network overlooked, in order
 */
export function weighNames(reading: EnglishReading, lists: Pick<WordLists, 'isVerb' | 'isKnownNoun'>): NameSpan[] {
  const { words, names, scores } = reading;
  const isName = (span: NameSpan): boolean =>
    !isCommand(span, words) &&
    !isOffice(span, words) &&
    !isInstruction(span, words, lists.isVerb) &&
    !isOrdinary(span, reading, lists.isKnownNoun);
  const found = names.map((span) => withWholeName(placeAlone(span, words), words));
  const taken = new Set(found.flatMap(({ from, to }) => placesOf(from, to)));
  const all = [...found, ...overlooked(reading, taken)].filter(isName).toSorted((a, b) => a.from - b.from);
  const surnames = surnamesOf(all, words);
  const weighed = all.map((span) => {
    const score = scores.get(afterArticle(span, words)) ?? scores.get(span.from);
    return { span, points: score === undefined ? null : sum(score, evidenceFor(span, words, surnames)) };
  });
  return weighed.map(({ span, points }, at) => {
    if (points === null) return span;
    const joined = [weighed[at - 1], weighed[at + 1]].flatMap((other) =>
      other?.points && areJoined(other.span, span, words) ? [other.points] : [],
    );
    const total = joined.reduce((before, other) => sum(before, other, BESIDE), points);
    return { ...span, type: bestOf(total, span.type) };
  });
}

/** "Bake for 40 minutes": the network takes a verb that begins a sentence for a person. */
function isInstruction(
  { type, from, to }: NameSpan,
  words: readonly TaggedWord[],
  isVerb: (word: string) => boolean,
): boolean {
  const [word, next] = [words[from], words[to]];
  if (type !== 'person' || to - from > 1 || word === undefined || words[from - 1]?.sentence === word.sentence)
    return false;
  const mayBeSubject = next === undefined || /^(?:VB[DPZ]|MD|POS|,)$/.test(next.pos);
  return !mayBeSubject && isVerb(word.text.toLowerCase()) && !isFirstName(word.text);
}

/**
 * "Rainwater is best": the network takes some ordinary nouns that begin a sentence for names, but hesitantly.
 */
function isOrdinary(
  { from, to }: NameSpan,
  { words, scores }: EnglishReading,
  isKnownNoun: (word: string) => boolean,
): boolean {
  const word = words[from];
  if (word === undefined || to - from > 1 || words[from - 1]?.sentence === word.sentence) return false;
  const score = scores.get(from);
  if (score === undefined || !isKnownNoun(word.text.toLowerCase()) || isFirstName(word.text)) return false;
  return !isKnownPlace(word.text) && Math.max(score.person, score.organization, score.place) - score.none < STRONG;
}

/** Returns the surnames of the people with a full name. */
function surnamesOf(spans: readonly NameSpan[], words: readonly TaggedWord[]): ReadonlySet<string> {
  const full = spans.filter(
    ({ type, from, to }) => type === 'person' && to - from > 1 && isFirstName(words[from]?.text ?? ''),
  );
  return new Set(full.map(({ to }) => words[to - 1]?.text ?? ''));
}

function placesOf(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

/** "press Download", "select Settings" */
function isCommand({ from, to }: NameSpan, words: readonly TaggedWord[]): boolean {
  return to - from === 1 && COMMANDS.has(words[from - 1]?.text.toLowerCase() ?? '');
}

/** "its Bristol office": the network takes the noun behind a known place for a part of its name. */
function placeAlone(span: NameSpan, words: readonly TaggedWord[]): NameSpan {
  const { from, to } = span;
  const before: NameSpan = { type: 'place', from, to: to - 1 };
  const isLoose = to - from > 1 && /^\p{Ll}/u.test(words[to - 1]?.text ?? '');
  return isLoose && isKnownPlace(textOf(before, words)) ? before : span;
}

function textOf({ from, to }: NameSpan, words: readonly TaggedWord[]): string {
  return words
    .slice(from, to)
    .map(({ text }) => text)
    .join(' ');
}

/** "the Licensing Officer", "the Prime Minister": an office with an article names nobody. */
function isOffice(span: NameSpan, words: readonly TaggedWord[]): boolean {
  const from = afterArticle(span, words);
  const last = words[span.to - 1]?.text.toLowerCase() ?? '';
  return span.to - from > 1 && /^(?:the|an?)$/i.test(words[from - 1]?.text ?? '') && OFFICES.has(last);
}

/** The network cuts "Avon Chamber Choir" short. */
function withWholeName(span: NameSpan, words: readonly TaggedWord[]): NameSpan {
  const next = words[span.to];
  const isCut = next?.sentence === words[span.from]?.sentence && isProper(next) && isOfOrganisation(next?.text ?? '');
  return isCut ? { ...span, type: 'organization', to: span.to + 1 } : span;
}

function afterArticle({ from, to }: NameSpan, words: readonly TaggedWord[]): number {
  return to - from > 1 && /^the$/i.test(words[from]?.text ?? '') ? from + 1 : from;
}

function sum(points: Readonly<Points>, other: Readonly<Points>, share = 1): Points {
  return {
    person: points.person + share * other.person,
    organization: points.organization + share * other.organization,
    place: points.place + share * other.place,
  };
}

/** @param given the type that wins a tie */
function bestOf(points: Points, given: NameType): NameType {
  return (['person', 'organization', 'place'] as const).reduce(
    (best, type) => (points[type] > points[best] ? type : best),
    given,
  );
}

const NO_SURNAMES: ReadonlySet<string> = new Set();

/** @param surnames those of people whom the text calls by their full names as well */
function evidenceFor(span: NameSpan, words: readonly TaggedWord[], surnames = NO_SURNAMES): Points {
  const points: Points = { person: 0, organization: 0, place: 0 };
  const from = afterArticle(span, words);
  const own = words.slice(from, span.to).filter(({ text }) => /\p{L}/u.test(text) && !/^['’]s$/.test(text));
  const [first, last] = [own[0]?.text ?? '', own.at(-1)?.text ?? ''];
  const isOrganisation = own.length > 1 && isOfOrganisation(last);
  if (isOrganisation) points.organization += SURE;
  if (own.length > 1 && isOfPlace(first, last) && !own.some(({ text }) => text === 'of')) points.place += SURE;
  if (isFirstName(first) && !isOrganisation && !own.some(({ text }) => /^[&+]$|\d/.test(text)))
    points.person += own.length > 1 ? STRONG : WEAK;
  // "Leo IX", "Elizabeth II"
  if (own.length === 2 && /^[IVX]{2,}$/.test(last)) points.person += STRONG;
  if (own.length === 1 && surnames.has(first)) points.person += STRONG;
  if (isKnownPlace(own.map(({ text }) => text).join(' '))) points.place += STRONG;
  addBefore(points, words, span.from);
  addBehind(points, words, span.to);
  return points;
}

/** "astronaut Tim Peake", "the supplier, Aisin", "the town of Corvara", "directed by Varda", "from Corvara" */
function addBefore(points: Points, words: readonly TaggedWord[], from: number): void {
  const before = (places: number): string => {
    const isSame = words[from - places]?.sentence === words[from]?.sentence;
    return isSame ? compoundEndingAt(words, from - places).toLowerCase() : '';
  };
  if (KINDS.has(before(1))) points.organization += SURE;
  if (before(1) === ',' && KINDS.has(before(2))) points.organization += STRONG;
  if (ROLES.has(before(1))) points.person += STRONG;
  // "Quay Lane, Westmoor"
  if (before(1) === ',' && isProper(words[from - 2]) && isProper(words[from - 3]) && isOfPlace('', before(2)))
    points.place += STRONG;
  if (before(1) === 'of' && KINDS_OF_PLACES.has(before(2))) points.place += STRONG;
  if (before(1) === 'by' && WORK_OF_PEOPLE.has(before(2))) points.person += WEAK;
  if (before(1) === 'by' && WORK_OF_ORGANISATIONS.has(before(2))) points.organization += WEAK;
  if (before(1) === 'in') points.place += WEAK;
  if (before(1) === 'from' || before(1) === 'to') points.place += SLIGHT;
}

/** Words of an apposition up to its noun: ", a small studio in Gothenburg". */
const APPOSITION = 5;

/** ", who", ", which", ", a small studio" */
function addBehind(points: Points, words: readonly TaggedWord[], to: number): void {
  if (words[to]?.text !== ',') return;
  const next = words[to + 1]?.text.toLowerCase() ?? '';
  if (next === 'who' || next === 'whose') points.person += STRONG;
  if (next === 'which') [points.organization, points.place] = [points.organization + WEAK, points.place + SLIGHT];
  if (!/^(?:a|an|the|one)$/.test(next)) return;
  for (const { text, pos } of words.slice(to + 2, to + 2 + APPOSITION)) {
    if (/^(?:IN|,|\.|WP|WDT|VB[DPZ])$/.test(pos)) return;
    const noun = text.toLowerCase();
    if (KINDS.has(noun) || isOfOrganisation(noun)) points.organization += STRONG;
    else if (ROLES.has(noun)) points.person += STRONG;
    else if (KINDS_OF_PLACES.has(noun)) points.place += STRONG;
    else continue;
    return;
  }
}

/**
 * Returns proper nouns that the network does not take for names, if the evidence or the capital outweighs their score
 * for `none`.
 */
function overlooked({ words, others, scores }: EnglishReading, taken: ReadonlySet<number>): NameSpan[] {
  const headlines = headlinesOf(words);
  const isFree = (at: number): boolean => {
    const label = others.get(at);
    const word = words[at]?.text ?? '';
    const isAlone = !others.has(at - 1) && !others.has(at + 1);
    const isMistaken = (label === PEOPLE && !isDemonym(word)) || (isAlone && isKnownPlace(word));
    return !taken.has(at) && (label === undefined || isMistaken);
  };
  const found: NameSpan[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const from = at;
    while (isFree(at) && isPart(words[at], words[from])) at += 1;
    const score = scores.get(from);
    if (at === from || at - from > MAX_WORDS || score === undefined) continue;
    if (taken.has(at) || taken.has(from - 1)) continue;
    const span: NameSpan = { type: 'organization', from, to: at };
    const evidence = evidenceFor(span, words);
    const type = bestOf(sum(score, evidence), span.type);
    const sentence = words[from]?.sentence ?? 0;
    if (headlines.has(sentence) && evidence[type] < STRONG) continue;
    const capital = words[from - 1]?.sentence === sentence && !headlines.has(sentence) ? CAPITAL : 0;
    if (score[type] + evidence[type] + capital > score.none) found.push({ ...span, type });
  }
  return found;
}

function isPart(word: TaggedWord | undefined, first: TaggedWord | undefined): boolean {
  return (
    isProper(word) &&
    word?.sentence === first?.sentence &&
    !isNonName(word?.text ?? '') &&
    !TITLES.has(word?.text.toLowerCase().replace(/\.$/, '') ?? '') &&
    !ROLES.has(word?.text.toLowerCase() ?? '')
  );
}

function headlinesOf(words: readonly TaggedWord[]): ReadonlySet<number> {
  const counts = new Map<number, { capitals: number; words: number }>();
  for (const { text, sentence } of words) {
    if (!/^\p{L}{2}/u.test(text)) continue;
    const count = counts.get(sentence) ?? { capitals: 0, words: 0 };
    count.words += 1;
    if (/^\p{Lu}/u.test(text)) count.capitals += 1;
    counts.set(sentence, count);
  }
  return new Set([...counts].flatMap(([sentence, each]) => (each.capitals / each.words > HEADLINE ? [sentence] : [])));
}
