/** Merges the names of a text: «Галеев» is the «Рустам Галеев» of the sentence before. */
import type { Name, NameType } from '../reading/common/types.ts';

type NameOnly = Omit<Name, 'start'>;

/** Each name is compared with every other. */
const MAX_NAMES = 500;

interface Counted {
  name: string;
  count: number;
  types: Map<NameType, number>;
  first: number;
}

/** Returns the most frequent names first, and among equals the earlier ones. */
export function mergeNames(names: readonly NameOnly[]): NameOnly[] {
  const counted = new Map<string, Counted>();
  names.forEach(({ type, name }, index) => {
    if (!isName(name)) return;
    const key = name.toLowerCase();
    const known = counted.get(key) ?? { name, count: 0, types: new Map<NameType, number>(), first: index };
    known.count += 1;
    known.types.set(type, (known.types.get(type) ?? 0) + 1);
    counted.set(key, known);
  });
  const typed = [...counted.values()].slice(0, MAX_NAMES).map((each) => ({ ...each, type: commonest(each.types) }));
  const people = new Set(typed.flatMap(({ type, name }) => (type === 'person' ? [name.toLowerCase()] : [])));
  // «Eleanor Marsh» is a person if «Marsh», elsewhere in the text, is one.
  const all = typed.map((each) => ({
    ...each,
    type:
      people.has(each.name.toLowerCase().split(' ').at(-1) ?? '') && each.name.includes(' ')
        ? ('person' as const)
        : each.type,
  }));
  return all
    .filter((each) => !all.some((other) => isPartOf(each, other)))
    .toSorted((a, b) => b.count - a.count || a.first - b.first)
    .map(({ type, name }) => ({ type, name }));
}

/** Requires several letters in a row, and rejects e-mail addresses and the remains of blanked text. */
function isName(name: string): boolean {
  return /\p{L}{2}/u.test(name) && !/[@•_/\\<>{}=]/.test(name) && name.length <= 80;
}

function commonest(types: ReadonlyMap<NameType, number>): NameType {
  return [...types].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 'person';
}

/** Returns whether a part is the first name or surname of a person with a full name elsewhere. */
function isPartOf(part: { type: NameType; name: string }, whole: { type: NameType; name: string }): boolean {
  if (part === whole || whole.type !== 'person' || part.type === 'organization') return false;
  const words = whole.name.toLowerCase().split(' ');
  const own = part.name.toLowerCase().split(' ');
  if (words.length <= own.length) return false;
  if (own.every((word) => words.includes(word))) return true;
  return part.type === 'person' && isObliqueOf(own.join(' '), words.at(-1) ?? '');
}

/**
 * Endings of a man's surname in the other cases: a surname may occur in one of them only, as in the heading «Уравнение
 * Шрёдингера».
 */
const OBLIQUE: ReadonlySet<string> = new Set(['а', 'у', 'ом', 'е']);
/** Surnames and first names whose forms may be those of a woman's name: «Петрова», «Александра». */
const HAS_FEMININE = /(?:[оеё]в|[иыа]н|^ян|слав|мир|андр|дор|тор|павл|михайл)$/;

function isObliqueOf(word: string, surname: string): boolean {
  return (
    /[бвгджзклмнпрстфхцчшщ]$/.test(surname) &&
    !HAS_FEMININE.test(surname) &&
    word.startsWith(surname) &&
    OBLIQUE.has(word.slice(surname.length))
  );
}
