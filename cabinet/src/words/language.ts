/** The language of names in API responses: that of the page. */
let language = 'ru';

export function setPageLanguage(next: string): void {
  language = next;
}

/** Returns the language, which is part of the key of cached answers with names. */
export function pageLanguage(): string {
  return language;
}
