/** Folders of the text readers, and the languages that they suffice for. */

/** Folders of the files; null if they are missing. */
export interface ReaderFolders {
  /** Networks and word vectors of the package `natasha`, see russian/reader.ts. */
  russianNetworks: string | null;
  /** The dictionary `pymorphy3-dicts-ru`, see russian/wordForms.ts. */
  russianWords: string | null;
  /** spaCy's English pipeline, see english/network/englishNetwork.ts. */
  english: string | null;
  /** Folder of the sentence encoder, whose vocabulary gives the frequency of English words. */
  encoder: string | null;
}

export const NO_READERS = { russianNetworks: null, russianWords: null, english: null } as const;

export const READER_LANGUAGES = ['ru', 'en'] as const;
export type ReaderLanguage = (typeof READER_LANGUAGES)[number];

/** Returns the languages whose files are all present. */
export function readerLanguages({
  russianNetworks,
  russianWords,
  english,
}: Omit<ReaderFolders, 'encoder'>): ReaderLanguage[] {
  const isPresent: Record<ReaderLanguage, boolean> = {
    ru: russianNetworks !== null && russianWords !== null,
    en: english !== null,
  };
  return READER_LANGUAGES.filter((language) => isPresent[language]);
}
