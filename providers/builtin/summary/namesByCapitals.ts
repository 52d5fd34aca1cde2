/** Detects names and organisations by capital letters and the words around them. */
import { isFirstName } from '../reading/english/nameWords.ts';
import { isStopWord } from '../text/stopWords.ts';

/** The number of parts is limited, because matching a long chain of them would take too long. */
const CAPITALISED = "\\p{Lu}[\\p{L}\\p{M}]+(?:[-'’][\\p{L}\\p{M}]+){0,5}";
const INITIAL = '\\p{Lu}\\.';
/** «А. С. Пушкин», "J. R. R. Tolkien" */
const INITIALS_FIRST = `(?:${INITIAL}[ \\u00a0]?){1,3}${CAPITALISED}`;
/** Two or more capitalised words in a row. */
const inARow = (max: number): string =>
  `${CAPITALISED}(?:[ \\u00a0](?:(?:de|da|van|von|der|of|the)[ ])?${CAPITALISED}){1,${max - 1}}`;
/** «Иванов И. И.», unless the initials belong to the name after them: «Профессор А. С. Иванов». */
const INITIALS_LAST = `${CAPITALISED}(?:[ \\u00a0]${INITIAL}){2}(?![ \\u00a0]?${CAPITALISED})`;
const namesOf = (max: number): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{M}\\p{N}•])(?:${INITIALS_FIRST}|${INITIALS_LAST}|${inARow(max)})(?![\\p{L}\\p{N}•])`,
    'gu',
  );
const NAMES = namesOf(4);
/** «Angaben der Sprecherin Anna Berger» */
const LONG_NAMES = namesOf(8);

/** Kinds begin with a capital at the start of a sentence. */
const LEGAL_FORM =
  '(?:ООО|ОАО|ПАО|ЗАО|АО|НКО|ФГУП|ГУП|МУП|ИП|[Кк]омпани[ияейю]{1,2}|[Кк]орпораци[ияейю]{1,2}|[Фф]ирм[аыеуой]{1,2}|(?:[Бб]анк|[Фф]онд|[Зз]авод|[Хх]олдинг)(?:[аеу]|ом)?|[Гг]азет[аыеуой]{1,2}|[Ии]здательств(?:[оаеу]|ом))';
const ORGANISATIONS = [
  /** A legal form or kind and a quoted name. */
  new RegExp(`(?<![\\p{L}])${LEGAL_FORM}\\s[«"“][^»"”\\n]{2,60}[»"”]`, 'gu'),
  /** "Acme Widgets Inc." */
  new RegExp(
    `(?<![\\p{L}\\p{M}])(?:${CAPITALISED}[ ,]{1,2}){1,4}(?:Inc|LLC|Ltd|Corp|Corporation|Company|GmbH|PLC|Foundation|University|Institute|Bank|Group|Agency|Ministry|Association)(?![\\p{L}])\\.?`,
    'gu',
  ),
  /** "University of Oxford", "Bank of England" */
  new RegExp(
    `(?<![\\p{L}])(?:University|Institute|Bank|Ministry|Department|Academy|Museum) of (?:the )?${CAPITALISED}(?: ${CAPITALISED}){0,2}`,
    'gu',
  ),
  /** «Московский государственный университет», «Третьяковская галерея»: a proper adjective, then the kind. */
  new RegExp(
    `(?<![\\p{L}-])(?:\\p{Lu}\\p{Ll}+-)?\\p{Lu}\\p{Ll}+(?:ский|ская|ское|ского|ской|ском|ный|ная|ное)(?: \\p{Ll}+(?:ый|ий|ой|ая|ое|ого|ому|ом|ым)){0,2} (?:университет|институт|академи|музе|театр|галере|библиотек|банк|завод|министерств)\\p{Ll}*`,
    'gu',
  ),
  /** «Министерство финансов» */
  /(?<![\p{L}])(?:Министерств|Правительств|Федеральн(?:ая|ой) служб|Центральн(?:ый|ого|ом) банк|Государственн(?:ая|ой) дум)\p{Ll}*(?: [\p{Ll}]{4,}(?:ов|ства|ния|ции|ры|и))?/gu,
];

/** @returns organisations, rule by rule in order of appearance, and the text with them blanked out */
export function takeOrganisations(text: string): { organisations: string[]; rest: string } {
  const organisations: string[] = [];
  let rest = text;
  for (const pattern of ORGANISATIONS) {
    rest = rest.replace(pattern, (match) => {
      organisations.push(match.replace(/\s+/g, ' ').trim());
      return '•'.repeat(match.length);
    });
  }
  return { organisations, rest };
}

/**
 * Finds sequences of capitalised words after organisations were blanked out. A function word with a sentence-initial
 * capital («Когда Иван Петров…») is cut off; at least two words must be left.
 * @param isForeign whether the language is neither Russian nor English, so that capitals may mean less: German nouns
 */
export function findNames(text: string, isForeign = false): string[] {
  const sequences = Array.from(text.matchAll(isForeign ? LONG_NAMES : NAMES), (match) => trimFunctionWords(match[0]));
  const names = isForeign ? sequences.flatMap((sequence) => personIn(sequence) ?? []) : sequences;
  return names.filter((name) => /[ .]\p{L}/u.test(name) && !isShouting(name));
}

/**
 * Returns the person in a sequence of capitalised words, from the first name on: «Sprecherin Anna Berger», but not
 * «Neue Nachtzüge». Null without one. First names are known in Latin letters only; elsewhere the sequence is the name.
 */
function personIn(sequence: string): string | null {
  if (!/\p{Script=Latin}/u.test(sequence) || sequence.includes('.')) return sequence;
  const words = sequence.split(/[ \u00a0]+/);
  const first = words.findIndex((word) => isFirstName(word));
  return first < 0 || first === words.length - 1 ? null : words.slice(first).join(' ');
}

function trimFunctionWords(name: string): string {
  const words = name.split(/[ \u00a0]+/);
  while (words.length > 0 && isStopWord((words[0] ?? '').toLowerCase().replaceAll('ё', 'е'))) words.shift();
  return words.join(' ');
}

/** Rejects HEADLINES IN CAPITALS as names. */
function isShouting(name: string): boolean {
  return name.split(' ').every((word) => word === word.toUpperCase() && !word.endsWith('.'));
}
