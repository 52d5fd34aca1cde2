/** Entities by rules: dates, sums of money, links, organisations, names. Never e-mail addresses or telephone numbers. */
import { findNames, takeOrganisations } from './names.ts';
import { hidePersonal } from './personal.ts';

export interface Entity {
  type: 'date' | 'money' | 'url' | 'organisation' | 'name';
  /** As written, white space collapsed. */
  text: string;
}

const MOST_ENTITIES = 50;
/** Names are read from the beginning; dates, sums and links are rare further on too. Bounds the cost. */
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

const AMOUNT =
  '\\d{1,3}(?:[ \\u00a0\\u202f]\\d{3})+(?:[.,]\\d{1,2})?|\\d{1,3}(?:,\\d{3})+(?:\\.\\d{1,2})?|\\d+(?:[.,]\\d{1,2})?';
const SCALE =
  '(?:\\s?(?:тыс\\.?|тысяч[аи]?|млн\\.?|миллион(?:а|ов)?|млрд\\.?|миллиард(?:а|ов)?|трлн\\.?|thousand|million|billion|trillion|[kmb]n?(?![\\p{L}])))?';
const CURRENCY =
  '(?:₽|руб(?:\\.|л(?:ь|я|ей|ям|ями|ях))?(?![\\p{L}])|р\\.|\\$|€|£|¥|₸|доллар(?:а|ов|ы)?(?![\\p{L}])(?:\\s+США)?|(?:евро|юан(?:ь|я|ей)|тенге|гривен|USD|EUR|RUB|GBP|CNY|KZT|dollars?|euros?|pounds?|rubles?|roubles?)(?![\\p{L}]))';
const MONEY = new RegExp(
  `(?<![\\p{L}\\p{N}.,])(?:(?:[$€£¥₽]|USD|EUR|RUB)\\s?(?:${AMOUNT})${SCALE}|(?:${AMOUNT})${SCALE}\\s?${CURRENCY})`,
  'giu',
);

const LINK = /(?:https?:\/\/|www\.)[^\s<>«»"“”'()[\]{}]+/giu;

/** Entities of the text in order of kind and appearance, without repeats, at most 50. */
export function extractEntities(text: string): Entity[] {
  const scanned = text.slice(0, SCANNED_CHARACTERS);
  const found: Entity[] = [];
  const rest = takeOut(scanned, DATES, 'date', found);
  const withoutMoney = takeOut(rest, MONEY, 'money', found);
  const withoutLinks = takeOutLinks(withoutMoney, found);
  const { organisations, rest: people } = takeOrganisations(hidePersonal(withoutLinks));
  for (const organisation of organisations) found.push({ type: 'organisation', text: organisation });
  for (const name of findNames(people)) found.push({ type: 'name', text: name });
  return unique(found).slice(0, MOST_ENTITIES);
}

/** Collects matches and blanks them out, so that no rule reads another's find. */
function takeOut(text: string, pattern: RegExp, type: 'date' | 'money', found: Entity[]): string {
  return text.replace(pattern, (match) => {
    found.push({ type, text: collapse(match) });
    return '•'.repeat(match.length);
  });
}

/** Links without user info, query and fragment: those may hold somebody's address or a key. */
function takeOutLinks(text: string, found: Entity[]): string {
  return text.replace(LINK, (match) => {
    const link = match.replace(/[?#].*$/s, '').replace(/[.,;:!…]+$/, '');
    if (!link.includes('@') && /\.\p{L}{2,}/u.test(link)) found.push({ type: 'url', text: link });
    return '•'.repeat(match.length);
  });
}

function collapse(text: string): string {
  return text.replace(/[\s\u00a0]+/g, ' ').trim();
}

function unique(entities: readonly Entity[]): Entity[] {
  const seen = new Set<string>();
  return entities.filter(({ type, text }) => {
    const key = `${type} ${text.toLowerCase()}`;
    return !seen.has(key) && seen.add(key);
  });
}
