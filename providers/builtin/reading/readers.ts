/** The available readers by language; each is loaded with the first text in it. */
import { loadEnglish } from './english/phrasesAndNames.ts';
import { loadRussian } from './russian/phrasesAndNames.ts';
import type { ReaderFolders, ReaderLanguage } from './folders.ts';
import type { Reader } from './common/types.ts';

/**
 * Returns a function that returns the reader of a language. It throws an Error if a file of the reader is missing or
 * not as expected.
 */
export function createReaders(folders: ReaderFolders): (language: ReaderLanguage) => Reader {
  const loaded = new Map<ReaderLanguage, Reader>();
  const load = (language: ReaderLanguage): Reader => {
    const { russianNetworks, russianWords, english, encoder } = folders;
    if (language === 'ru' && russianNetworks !== null && russianWords !== null)
      return loadRussian({ networks: russianNetworks, words: russianWords });
    if (language === 'en' && english !== null) return loadEnglish({ network: english, encoder });
    throw new Error(`there is no reader for the language ${language}`);
  };
  return (language) => {
    const reader = loaded.get(language) ?? load(language);
    loaded.set(language, reader);
    return reader;
  };
}
