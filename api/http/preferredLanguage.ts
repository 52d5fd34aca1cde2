/** Determines the language that a reader prefers. */
import type { IncomingHttpHeaders } from 'node:http';
import { LANGUAGES, type Language } from '../../domain/language.ts';

/**
 * Returns the language that `Accept-Language` prefers: `en-GB;q=0.8, *` is English. Russian when it contains none of
 * them.
 */
export function languageOf({ 'accept-language': header = '' }: Pick<IncomingHttpHeaders, 'accept-language'>): Language {
  let [best, most]: [Language, number] = ['ru', 0];
  for (const range of header.split(',')) {
    const [tag = '', ...params] = range.split(';').map((part) => part.trim().toLowerCase());
    const language = LANGUAGES.find((one) => tag === one || tag.startsWith(`${one}-`));
    const weight = weightOf(params);
    if (language !== undefined && weight > most) [best, most] = [language, weight];
  }
  return best;
}

function weightOf(params: readonly string[]): number {
  const given = params.find((param) => param.startsWith('q='))?.slice(2);
  const weight = given === undefined ? 1 : Number(given);
  return weight >= 0 && weight <= 1 ? weight : 0;
}
