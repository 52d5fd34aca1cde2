/** Converts names of languages: Whisper uses English names ("russian"); other servers send codes. Pure. */
import { isLanguageCode } from '../../../domain/analysis/languageSettings.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Whisper's names that differ from the Unicode ones. */
const OTHER_NAMES: [string, string][] = [
  ['castilian', 'es'],
  ['valencian', 'ca'],
  ['flemish', 'nl'],
  ['haitian', 'ht'],
  ['letzeburgesch', 'lb'],
  ['pushto', 'ps'],
  ['panjabi', 'pa'],
  ['moldavian', 'ro'],
  ['moldovan', 'ro'],
  ['sinhalese', 'si'],
  ['myanmar', 'my'],
  ['mandarin', 'zh'],
  ['nynorsk', 'nn'],
  ['farsi', 'fa'],
  ['maori', 'mi'],
  ['bengali', 'bn'],
  ['tagalog', 'tl'],
];
/** Codes that ISO 639-1 has replaced, by which some servers still name the languages. */
const FORMER_CODES: Readonly<Record<string, string>> = { in: 'id', iw: 'he', ji: 'yi', jw: 'jv', mo: 'ro' };

const codes = new Map<string, string>([...unicodeNames(), ...OTHER_NAMES]);

/** Returns the ISO 639-1 code of a name or code, without its region; null if unknown. */
export function languageCode(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const name = value.trim().toLowerCase();
  const given = /^([a-z]{2})(?:[-_].*)?$/.exec(name)?.[1] ?? codes.get(name) ?? '';
  const code = FORMER_CODES[given] ?? given;
  return isLanguageCode(code) ? code : null;
}

function unicodeNames(): [string, string][] {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  const pairs = [...LETTERS].flatMap((first) => [...LETTERS].map((second) => first + second));
  return pairs.flatMap((code) => {
    const name = names.of(code);
    return name ? [[name.toLowerCase(), code] satisfies [string, string]] : [];
  });
}
