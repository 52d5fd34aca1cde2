/** Turns the codes of a report's rows into readable labels. */
import { findDimension } from '../registry/index.ts';
import type { Language } from '../../domain/language.ts';
import type { Label, ReportSite } from '../reportRequest.ts';
import { NAMES } from './codeNames.ts';

/**
 * Returns the labels of rows: places, interests, categories and goals with their names, or the code itself if no name
 * is known.
 * @param dimensions of the request, in its order
 * @param rows codes in the order of `dimensions`; null is unknown
 * @param site its goals' titles serve as names
 */
export function labelsOf(
  dimensions: readonly string[],
  rows: readonly (readonly (string | null)[])[],
  site: ReportSite,
  language: Language,
): Label[][] {
  const labellers = dimensions.map((dimension) => labeller(dimension, site, language));
  return rows.map((codes) => codes.map((code, index) => labellers[index]?.(code) ?? code));
}

/** Looks up each code once: rows of many dimensions repeat their codes. */
function labeller(dimension: string, site: ReportSite, language: Language): (code: string | null) => Label {
  const names = findDimension(dimension)?.dimension.names ?? null;
  if (names === null) return (code) => code;
  const nameOf = NAMES[names];
  const known = new Map<string, string>();
  return (code) => {
    if (code === null) return null;
    const name = known.get(code) ?? nameOf(code, language, site) ?? code;
    known.set(code, name);
    return { id: code, name };
  };
}
