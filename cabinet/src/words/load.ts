/**
 * Loads the texts of one language, one area of the cabinet at a time, because nobody reads two languages at a time, or
 * the pages of sites while signing in. A page is shown once its area is loaded (routes/shell.ts).
 */
import type { Words } from './en/index.ts';

export const LANGUAGES = { en: 'English', ru: 'Русский' } as const;
export type Language = keyof typeof LANGUAGES;
/** The locale in which the component library speaks each language (cabinet/vite.config.ts). */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en-US', ru: 'ru-RU' };
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];
export type Area = 'entry' | 'content' | 'analytics' | 'installation';

const AREAS: Record<Language, Record<Area, () => Promise<Partial<Words>>>> = {
  en: {
    entry: () => import('./en/entryArea.ts'),
    content: () => import('./en/contentArea.ts'),
    analytics: () => import('./en/analyticsArea.ts'),
    installation: () => import('./en/installationArea.ts'),
  },
  ru: {
    entry: () => import('./ru/entryArea.ts'),
    content: () => import('./ru/contentArea.ts'),
    analytics: () => import('./ru/analyticsArea.ts'),
    installation: () => import('./ru/installationArea.ts'),
  },
};

/** The loaded words, and their areas. */
interface LoadedWords {
  words: Partial<Words>;
  areas: Set<Area>;
}

const LOADED = Object.fromEntries(
  LANGUAGE_CODES.map((language) => [language, { words: {}, areas: new Set() }]),
) as Record<Language, LoadedWords>;
const wantedAreas = new Set<Area>(['entry']);
let currentLanguage: Language = 'en';

/** Returns the words of a language in all requested areas. Areas requested later are loaded in this language too. */
export async function loadWords(language: Language): Promise<Words> {
  const { words, areas } = LOADED[language];
  // Another page may be opened, and want its area, in the meantime.
  while (areas.size < wantedAreas.size) await Promise.all([...wantedAreas].map((area) => loadArea(language, area)));
  currentLanguage = language;
  // Pages read only their own area (test/cabinet/words/wordAreas.test.ts).
  return words as Words;
}

/** Loads areas in the current language and adds them to the dictionary in use. */
export async function prepareWords(areas: readonly Area[]): Promise<void> {
  for (const area of areas) wantedAreas.add(area);
  await Promise.all(areas.map((area) => loadArea(currentLanguage, area)));
}

async function loadArea(language: Language, area: Area): Promise<void> {
  const { words, areas } = LOADED[language];
  if (areas.has(area)) return;
  Object.assign(words, await AREAS[language][area]());
  areas.add(area);
}
