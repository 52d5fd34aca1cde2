/** From the codes of a report's rows to the labels that its readers see. */
import { findDimension } from '../registry/index.ts';
import type { Label, Language, ReportSite } from '../request.ts';
import { NAMES } from './names.ts';

/**
 * @param dimensions of the request, in its order
 * @param rows codes in the order of `dimensions`; null is unknown
 * @param site its goals' titles are names
 * @returns the rows' labels: places, interests, categories and goals with their names, the code itself where none is known
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

/** A code's name is looked up once: rows of many dimensions repeat their codes. */
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
