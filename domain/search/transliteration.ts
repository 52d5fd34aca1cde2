/** Words of one alphabet written in the other: "borsch" and "борщ", "samsung" and "самсунг". */

/** Longer sequences come first. */
const TO_CYRILLIC: readonly (readonly [string, string])[] = [
  ['shch', 'щ'],
  ['sch', 'щ'],
  ['zh', 'ж'],
  ['kh', 'х'],
  ['ts', 'ц'],
  ['ch', 'ч'],
  ['sh', 'ш'],
  ['yu', 'ю'],
  ['ju', 'ю'],
  ['ya', 'я'],
  ['ja', 'я'],
  ['yo', 'е'],
  ['jo', 'е'],
  ['ye', 'е'],
  ['ck', 'к'],
  ['ph', 'ф'],
  ...[...'abvgdezijklmnoprstufhcyxwq'].map(
    (letter, at) => [letter, 'абвгдезийклмнопрстуфхцыхвк'[at] ?? letter] as const,
  ),
];

/** Equal sounds get the same spelling, so that spellings of one word match: щ as sch, shch or sh. */
const SOUNDS: Readonly<Record<string, string>> = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  д: 'd',
  е: 'e',
  ж: 'zh',
  з: 'z',
  и: 'i',
  й: 'i',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'h',
  ц: 'c',
  ч: 'ch',
  ш: 'sh',
  щ: 'sh',
  ъ: '',
  ы: 'i',
  ь: '',
  э: 'e',
  ю: 'iu',
  я: 'ia',
};

/** Returns a Latin word in Cyrillic letters, in the usual transliteration; null for a word with other characters. */
export function toCyrillic(word: string): string | null {
  if (!/^[a-z]+$/.test(word)) return null;
  let rest = word;
  let written = '';
  while (rest !== '') {
    const [from, to] = TO_CYRILLIC.find(([latin]) => rest.startsWith(latin)) ?? [rest.slice(0, 1), ''];
    written += to;
    rest = rest.slice(from.length);
  }
  return written;
}

/** Returns the longest beginning of a Latin word that sounds like a Cyrillic text; null without any. */
export function latinPrefix(latin: string, cyrillic: string): string | null {
  if (!/^[a-z]+$/.test(latin)) return null;
  const key = soundKey(cyrillic);
  for (let length = latin.length; length > 0; length -= 1) {
    const beginning = latin.slice(0, length);
    if (soundKey(beginning) === key) return beginning;
  }
  return null;
}

/**
 * Returns a key that a word shares with its transliterations; the key itself is not a spelling of the word. Null for a
 * word with letters that are neither Latin nor Cyrillic.
 */
export function soundKey(word: string): string | null {
  const isLatin = /^[a-z]+$/.test(word);
  if (!isLatin && !/^[а-яё]+$/.test(word)) return null;
  const cyrillic = isLatin ? (toCyrillic(word) ?? word) : word.replaceAll('ё', 'е');
  const sounds = [...cyrillic].map((letter) => SOUNDS[letter] ?? letter).join('');
  return sounds.replaceAll(/(.)\1+/g, '$1');
}
