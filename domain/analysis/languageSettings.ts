/** The language in which the analysis of an item is written. */

/** The setting of a project whose items are described in their own language. */
export const AUTO_LANGUAGE = 'auto';

/** `auto` or an ISO 639-1 code. */
export const LANGUAGE_SETTING = /^(?:auto|[a-z]{2})$/;

/** The language of descriptions if nothing indicates another one: that of the product's main market. */
export const DEFAULT_LANGUAGE = 'ru';

const NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** Returns the English name of a language for a model's instructions: `ru` is Russian. @param code ISO 639-1 */
export function languageName(code: string): string {
  return NAMES.of(code) ?? code;
}

/** Returns true when there is a language with this ISO 639-1 code. */
export function isLanguageCode(code: string): boolean {
  return /^[a-z]{2}$/.test(code) && NAMES.of(code) !== undefined;
}
