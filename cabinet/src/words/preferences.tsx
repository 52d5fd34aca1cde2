/** The language and the theme that the user has chosen in this browser, or those of the browser and the system. */
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { loadOrReload } from '../loading/reloadOutdated.ts';
import { setPageLanguage } from './language.ts';
import type { Words } from './en/index.ts';
import { LANGUAGE_CODES, loadWords, type Language } from './load.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const FALLBACK_LANGUAGE: Language = 'en';
const KEYS = { language: 'attune-language', theme: 'attune-theme' } as const;

interface LoadedLanguage {
  language: Language;
  words: Words;
}

interface Preferences extends LoadedLanguage {
  theme: Theme;
  setLanguage(language: Language): void;
  setTheme(theme: Theme): void;
}

const Context = createContext<Preferences | null>(null);

export function PreferencesProvider({ first, children }: { first: LoadedLanguage; children: ReactNode }) {
  const [loaded, setLoaded] = useState(first);
  const { language } = loaded;
  const [theme, setTheme] = useState(readTheme);
  useEffect(() => {
    document.documentElement.style.colorScheme = theme === 'system' ? 'light dark' : theme;
  }, [theme]);
  const value = useMemo(
    () => ({
      ...loaded,
      theme,
      setLanguage: (next: Language) =>
        void loadOrReload(() => loadWords(keep(KEYS.language, next))).then((words) => {
          // Set before rendering, because requests to the server use this language.
          applyLanguage(next);
          setLoaded({ language: next, words });
        }),
      setTheme: (next: Theme) => setTheme(keep(KEYS.theme, next)),
    }),
    [loaded, theme],
  );
  return (
    <Context value={value}>
      <I18nProvider locale={language}>{children}</I18nProvider>
    </Context>
  );
}

export function usePreferences(): Preferences {
  const preferences = useContext(Context);
  if (preferences === null) throw new Error('there is no PreferencesProvider above');
  return preferences;
}

/** Returns all texts in the language of the page. */
export function useWords(): Words {
  return usePreferences().words;
}

/** Sets the language of the document and of requests. */
export function applyLanguage(language: Language): void {
  document.documentElement.lang = language;
  setPageLanguage(language);
}

/**
 * Returns the chosen language, else the first one that the browser asks for. English comes last, because most people
 * list it beside their own language.
 */
export function readLanguage(): Language {
  const chosen = knownLanguage(readStored(KEYS.language));
  const asked = navigator.languages.map((tag) => knownLanguage(tag.toLowerCase().split('-')[0]));
  return (
    chosen ?? asked.find((language) => language !== FALLBACK_LANGUAGE && language !== undefined) ?? FALLBACK_LANGUAGE
  );
}

function knownLanguage(code: string | null | undefined): Language | undefined {
  return LANGUAGE_CODES.find((language) => language === code);
}

function readTheme(): Theme {
  const chosen = readStored(KEYS.theme);
  return THEMES.find((theme) => theme === chosen) ?? 'system';
}

/** A browser may deny access to its storage. */
function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function keep<T extends string>(key: string, value: T): T {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The choice is kept until the page is left.
  }
  return value;
}
