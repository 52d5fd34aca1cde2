/**
 * Entities of a text: names from a text reader (../reading), or by capitals if there is no reader for its language;
 * dates, amounts of money and links by rules. Never e-mail addresses or telephone numbers.
 */
import type { Name, NameType } from '../reading/common/types.ts';
import { withoutPersonalAddress } from '../../../domain/privacy/addresses.ts';
import { mergeNames } from './mergeNames.ts';
import { findNames, takeOrganisations } from './namesByCapitals.ts';
import { hideContacts } from '../text/hideContacts.ts';

export interface Entity {
  type: NameType | 'date' | 'money' | 'url';
  /** A name in its dictionary form; anything else as written, with white space collapsed. */
  name: string;
}

const MAX_ENTITIES = 50;
/** Maximum number of characters scanned, which bounds the cost; dates, amounts and links are rare further on too. */
const SCANNED_CHARACTERS = 200_000;

const MONTH =
  '(?:январ[ьяе]|феврал[ьяе]|март[ае]?|апрел[ьяе]|ма[йяе]|июн[ьяе]|июл[ьяе]|август[ае]?|сентябр[ьяе]|октябр[ьяе]|ноябр[ьяе]|декабр[ьяе]|jan(?:uary|\\.)?|feb(?:ruary|\\.)?|mar(?:ch|\\.)?|apr(?:il|\\.)?|may|june?|july?|aug(?:ust|\\.)?|sep(?:tember|t\\.?|\\.)?|oct(?:ober|\\.)?|nov(?:ember|\\.)?|dec(?:ember|\\.)?)';
const YEAR = '(?:1[0-9]|20)\\d\\d';
const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const NUMERIC_MONTH = '(?:0?[1-9]|1[0-2])';
const DATES = new RegExp(
  [
    `${YEAR}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])`,
    `${DAY}[./]${NUMERIC_MONTH}[./]${YEAR}`,
    `${DAY}(?:st|nd|rd|th)?\\s+(?:of\\s+)?${MONTH}(?:,?\\s+${YEAR}(?:\\s+(?:года|год|г\\.))?)?`,
    `${MONTH}\\s+${DAY}(?:st|nd|rd|th)?(?:,?\\s+${YEAR})?(?!\\d)`,
    `${MONTH}\\s+${YEAR}(?:\\s+(?:года|год|г\\.))?`,
    `${YEAR}\\s+(?:год(?:а|у|ом|е)?|г\\.)(?![\\p{L}])`,
    `(?<=\\b(?:in|since|by)\\s)${YEAR}(?![\\d\\p{L}])`,
  ]
    .map((source) => `(?<![\\p{L}\\p{N}.])${source}(?![\\p{L}\\p{N}])`)
    .join('|'),
  'giu',
);

/** Trillions have four groups. Without a limit, a long row of numbers takes quadratic time. */
const AMOUNT =
  '\\d{1,3}(?:[ \\u00a0\\u202f]\\d{3}){1,6}(?:[.,]\\d{1,2})?|\\d{1,3}(?:,\\d{3}){1,6}(?:\\.\\d{1,2})?|\\d+(?:[.,]\\d{1,2})?';
const SCALE =
  '(?:\\s?(?:тыс\\.?|тысяч[аи]?|млн\\.?|миллион(?:а|ов)?|млрд\\.?|миллиард(?:а|ов)?|трлн\\.?|триллион(?:а|ов)?|thousand|million|billion|trillion|[kmb]n?(?![\\p{L}])))?';
const CURRENCY =
  '(?:₽|руб(?:\\.|л(?:ь|я|ей|ям|ями|ях))?(?![\\p{L}])|р\\.|\\$|€|£|¥|₸|доллар(?:а|ов|ы)?(?![\\p{L}])(?:\\s+США)?|(?:евро|юан(?:ь|я|ей)|тенге|грив(?:ен|на|ны|ну)|USD|EUR|RUB|GBP|CNY|KZT|dollars?|euros?|pounds?|rubles?|roubles?)(?![\\p{L}]))';
const MONEY = new RegExp(
  `(?<![\\p{L}\\p{N}.,])(?:(?:[$€£¥₽]|USD|EUR|RUB)\\s?(?:${AMOUNT})${SCALE}|(?:${AMOUNT})${SCALE}\\s?${CURRENCY})`,
  'giu',
);

const LINK = /(?:https?:\/\/|www\.)[^\s<>«»"“”'()[\]{}]+/giu;

/**
 * Returns names first, the most frequent before others; then dates, amounts and links in order of appearance. Without
 * repeats, at most 50.
 * @param texts each with the names read in it, null if it was not read
 * @param isForeign whether the language is neither Russian nor English, so that capitals may mean less: German nouns
 */
export function entitiesOf(
  texts: readonly { text: string; names: readonly Name[] | null }[],
  isForeign = false,
): Entity[] {
  const found: Entity[] = [];
  const names: Omit<Name, 'start'>[] = [];
  let left = SCANNED_CHARACTERS;
  for (const { text, names: read } of texts) {
    const rest = takeRegular(wholeWordsOf(text, left), found);
    left = Math.max(0, left - text.length);
    names.push(...(read ?? namesByCapitals(rest, isForeign)).filter(isCredible));
  }
  return unique([...mergeNames(names), ...found]).slice(0, MAX_ENTITIES);
}

/**
 * Returns at most the first `most` characters of a text, without a word that is cut there: a link or an address would not
 * be recognised as one with personal data.
 */
function wholeWordsOf(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, Math.max(0, text.slice(0, most).search(/\s\S*$/)));
}

/**
 * Collects dates, amounts and links.
 * @returns the text without them
 */
function takeRegular(text: string, found: Entity[]): string {
  const rest = takeOut(takeOut(text, DATES, 'date', found), MONEY, 'money', found);
  return takeOutLinks(rest, found);
}

/** People have names in one script, unlike products in Russian texts: «Обзор Framework Laptop». */
function isCredible({ type, name }: Omit<Name, 'start'>): boolean {
  return type !== 'person' || !/\p{Script=Cyrillic}/u.test(name) || !/\p{Script=Latin}/u.test(name);
}

function namesByCapitals(text: string, isForeign: boolean): Omit<Name, 'start'>[] {
  const { organisations, rest } = takeOrganisations(hideContacts(text));
  return [
    ...organisations.map((name) => ({ type: 'organization' as const, name })),
    ...findNames(rest, isForeign).map((name) => ({ type: 'person' as const, name })),
  ];
}

/** Collects matches and blanks them out, so that no rule matches another rule's result. */
function takeOut(text: string, pattern: RegExp, type: 'date' | 'money', found: Entity[]): string {
  return text.replace(pattern, (match) => {
    found.push({ type, name: collapse(match) });
    return '•'.repeat(match.length);
  });
}

/**
 * Collects links without query and fragment, which may contain an address or a key. Links with user info or a contact in
 * their path (wa.me/79161234567) are left out.
 */
function takeOutLinks(text: string, found: Entity[]): string {
  return text.replace(LINK, (match) => {
    const link = withoutStops(match.replace(/[?#].*$/s, ''));
    const isShown = !link.includes('@') && /\.\p{L}{2,}/u.test(link) && withoutPersonalAddress(link) === link;
    if (isShown) found.push({ type: 'url', name: link });
    return '•'.repeat(match.length);
  });
}

/** Linear, unlike a regular expression, which would try each of a million dots as the first one. */
function withoutStops(link: string): string {
  let end = link.length;
  while (end > 0 && '.,;:!…'.includes(link.charAt(end - 1))) end -= 1;
  return link.slice(0, end);
}

function collapse(text: string): string {
  return text.replace(/[\s\u00a0]+/g, ' ').trim();
}

function unique(entities: readonly Entity[]): Entity[] {
  const seen = new Set<string>();
  return entities.filter(({ type, name }) => {
    const key = `${type} ${name.toLowerCase()}`;
    return !seen.has(key) && seen.add(key);
  });
}
