/** Reads from the address of a landing page what it says about the link: UTM parameters and click ids. */
import { storedText } from './address.ts';
import { CLICK_IDS, type ClickId } from './lists/clickIds.ts';

export interface UtmSet {
  utm_source: string | null;
  utm_medium: string | null;
  utm_campaign: string | null;
  utm_content: string | null;
  utm_term: string | null;
}

export interface Tags {
  utm: UtmSet;
  /** For example `gclid:Cj0…` */
  clickId: string | null;
  click: ClickId | null;
}

const NO_UTM: UtmSet = { utm_source: null, utm_medium: null, utm_campaign: null, utm_content: null, utm_term: null };
const NO_TAGS: Tags = { utm: NO_UTM, clickId: null, click: null };

/** Values that link builders write for "nothing". */
const EMPTY_WORDS: ReadonlySet<string> = new Set([
  '(direct)',
  '(none)',
  '(not set)',
  '(not provided)',
  'none',
  'null',
  'undefined',
]);

const CLICK_ID_PRECEDENCE: ReadonlyMap<string, number> = new Map(
  [...CLICK_IDS.keys()].map((parameter, order) => [parameter, order]),
);

/**
 * Reads the tags. Parameter names are case-insensitive; the first of duplicates counts, and among click ids the one
 * that comes first in the list.
 */
export function readTags(url: URL | null): Tags {
  if (url === null || url.search === '') return NO_TAGS;
  const utm: UtmSet = { ...NO_UTM };
  let parameter: string | null = null;
  let value: string | null = null;
  for (const [name, text] of url.searchParams) {
    const key = name.toLowerCase();
    if (key.startsWith('utm_')) setUtm(utm, key, text);
    else if (text !== '' && isEarlier(key, parameter)) [parameter, value] = [key, text];
  }
  const click = parameter === null ? null : (CLICK_IDS.get(parameter) ?? null);
  return { utm, click, clickId: click === null ? null : storedText(`${parameter}:${value}`) };
}

function setUtm(utm: UtmSet, key: string, text: string): void {
  if (!isUtm(key) || utm[key] !== null) return;
  const value = storedText(text);
  utm[key] = value === null || EMPTY_WORDS.has(value.toLowerCase()) ? null : value;
}

function isUtm(key: string): key is keyof UtmSet {
  return Object.hasOwn(NO_UTM, key);
}

function isEarlier(key: string, than: string | null): boolean {
  const order = CLICK_ID_PRECEDENCE.get(key);
  return order !== undefined && (than === null || order < (CLICK_ID_PRECEDENCE.get(than) ?? 0));
}
